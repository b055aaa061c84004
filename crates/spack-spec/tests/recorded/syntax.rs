//! What Spack's parser accepts, how it prints that, and where it reports errors.

use spack_spec::{Dialect, ParseErrorKind as Kind, Spec};

const DATA: &str = include_str!("../data/syntax.txt");

/// A case: its line, its kind, the dialect, the text, and the remaining fields.
struct Case {
    line: usize,
    kind: &'static str,
    dialect: Dialect,
    text: String,
    rest: Vec<String>,
}

fn cases() -> impl Iterator<Item = Case> {
    let lines = DATA.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| {
        let mut fields = line.split('\t');
        let kind = fields.next().unwrap();
        let dialect = if fields.next().unwrap() == "V0" { Dialect::V0 } else { Dialect::V1 };
        let mut rest = fields
            .map(|field| field.replace("\\t", "\t").replace("\\n", "\n").replace("\\\\", "\\"));
        let text = rest.next().unwrap();
        Case { line: index + 1, kind, dialect, text, rest: rest.collect() }
    })
}

#[test]
fn prints_specs_as_spack_does() {
    for case in cases().filter(|case| case.kind == "valid") {
        let spec = Spec::parse(&case.text, case.dialect)
            .unwrap_or_else(|error| panic!("line {}: {}", case.line, error.in_text(&case.text)));
        assert_eq!(spec.to_string(), case.rest[0], "line {}: {}", case.line, case.text);
        let exact = format!("{spec:#}");
        assert_eq!(Spec::parse(&exact, case.dialect), Ok(spec), "line {}: {exact}", case.line);
    }
}

#[test]
fn rejects_the_specs_that_spack_rejects() {
    for case in cases().filter(|case| case.kind == "invalid") {
        let error = match Spec::parse(&case.text, case.dialect) {
            Err(error) => error,
            Ok(spec) => panic!("line {}: {} is {spec:?}", case.line, case.text),
        };
        let kind = match &error.kind {
            Kind::UnexpectedCharacter(_)
            | Kind::ExpectedVersion
            | Kind::ExpectedVariantName
            | Kind::ExpectedHash => "token",
            Kind::MoreThanOneSpec { .. }
            | Kind::ExpectedValue { .. }
            | Kind::UnclosedQuote
            | Kind::Version(_)
            | Kind::UnknownDeptype { .. } => "value",
            Kind::FileName => "file",
            Kind::ExpectedDependency if case.rest[0] != "parse" => case.rest[0].as_str(),
            _ => "parse",
        };
        assert_eq!(kind, case.rest[0], "line {}: {}", case.line, error.in_text(&case.text));
        if let Some((start, _)) =
            case.rest[1].split_once('-').filter(|(start, _)| !start.is_empty())
        {
            let start: usize = start.parse().unwrap();
            // Spack 0.24 points at the space before what follows a spec.
            let here = case.text[..error.span.start].trim_end().chars().count();
            let before = case.text[..error.span.start].chars().count();
            assert!(
                [here, before].contains(&start),
                "line {}: {}",
                case.line,
                error.in_text(&case.text)
            );
        }
    }
}
