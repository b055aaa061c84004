//! Example questions about a cache, made from its own builds, so that each has an answer.
//!
//! They show what the search box understands: a variant, a range of versions, a machine, a compiler.
//! Packages with the most distinct builds come first, because they offer the most to choose from.

use std::cmp::Reverse;

use cache_index::facet::Facet;
use cache_index::index::{Index, NO_COMPILER, RowId, ValueCode};
use cache_index::order::is_development;
use cache_index::sorting;
use cache_query::search::split;
use cache_query::{Change, Query, Question, apply, run};

/// A question, as a user would type it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What to type into the search box: `hdf5 +mpi`.
    pub text: String,
    /// The question that this asks. If it is about one package, the package's page is open, as after Enter.
    pub question: Question,
}

/// The maximum number of examples.
const COUNT: usize = 3;

/// The number of packages that are considered.
const PACKAGES: usize = 20;

/// The variants by which people choose builds, most popular first.
const KNOWN_VARIANTS: [&str; 6] = ["mpi", "cuda", "rocm", "openmp", "fortran", "shared"];

/// Finds at most three questions that each match a build. Each is checked when it is asked for, which takes as long as
/// two answers.
pub fn examples(index: &Index) -> impl Iterator<Item = Example> {
    let packages = packages(index);
    let with_variant = packages.iter().find_map(|&package| of_variant(index, package));
    let mut used: Vec<ValueCode> = with_variant.iter().map(|(package, _)| *package).collect();
    let mut others = packages.iter().copied().filter(|package| !used.contains(package));
    let with_version = others.find_map(|package| Some((package, of_version(index, package)?)));
    used.extend(with_version.iter().map(|(package, _)| *package));
    let with_version = with_version.map(|(_, text)| text);
    let on_machine = packages.first().and_then(|&package| of_machine(index, package));
    let mut others = packages.iter().copied().filter(|package| !used.contains(package));
    let with_compiler = others.find_map(|package| of_compiler(index, package));
    let texts = with_variant.map(|(_, text)| text).into_iter();
    let texts: Vec<String> =
        texts.chain(with_version).chain(on_machine).chain(with_compiler).collect();
    let mut known: Vec<Question> = Vec::new();
    let examples = texts.into_iter().filter_map(move |text| {
        let example = asked(index, text).filter(|example| !known.contains(&example.question))?;
        known.push(example.question.clone());
        Some(example)
    });
    examples.take(COUNT)
}

/// Returns the question that typing a text asks; `None` if nothing matches.
fn asked(index: &Index, text: String) -> Option<Example> {
    let typed = apply(&Query::default(), Change::Type(split(index, &text)));
    let answer = run(index, &typed.question);
    let mut matching = answer.matching_packages();
    let question = match (matching.next()?, matching.next()) {
        (package, None) => {
            let name = index.dictionary(Facet::Package).text(package).to_owned();
            apply(&typed, Change::OpenPackage(name)).question
        }
        _ => typed.question,
    };
    // If a package is open, the rest of the text has to match within it.
    (run(index, &question).builds > 0).then_some(Example { text, question })
}

/// Returns the packages with binaries, those with the most distinct builds first.
fn packages(index: &Index) -> Vec<ValueCode> {
    let names = index.dictionary(Facet::Package).iter();
    let mut packages: Vec<(usize, ValueCode)> =
        names.map(|(package, _)| (index.row_range(package.at()).len(), package)).collect();
    sorting::sort_by_key(&mut packages, |(rows, _)| Reverse(*rows));
    let has_binary = |package: &ValueCode| index.rows_of(*package).any(|row| index.has_binary(row));
    packages.into_iter().map(|(_, package)| package).filter(has_binary).take(PACKAGES).collect()
}

/// Returns `hdf5 +mpi`, if there are builds with and without it.
fn of_variant(index: &Index, package: ValueCode) -> Option<(ValueCode, String)> {
    let variants = index.dictionary(Facet::Variant);
    let has = |text: String| {
        let code = variants.code(&text)?;
        index.rows_of(package).find(|&row| index.variants(row).binary_search(&code.0).is_ok())
    };
    let differs =
        |name: &&&str| has(format!("+{name}")).is_some() && has(format!("~{name}")).is_some();
    let name = KNOWN_VARIANTS.iter().find(differs)?;
    let package_name = index.dictionary(Facet::Package).text(package);
    Some((package, format!("{package_name} +{name}")))
}

/// Returns `python@3.12:`, if there are newer and older releases.
fn of_version(index: &Index, package: ValueCode) -> Option<String> {
    let releases = || {
        let version = |row: RowId| index.text(row, Facet::Version);
        index.rows_of(package).map(version).filter(|text| !is_development(text))
    };
    let newest = releases().next()?;
    let (major, rest) = newest.split_once('.')?;
    let minor = rest.split('.').next()?;
    // Newest first, so the last is the oldest.
    (releases().last() != Some(newest))
        .then(|| format!("{}@{major}.{minor}:", index.dictionary(Facet::Package).text(package)))
}

/// Returns `os=ubuntu22.04 target=zen4`, without a facet in which all builds agree.
fn of_machine(index: &Index, package: ValueCode) -> Option<String> {
    let row = index.rows_of(package).find(|&row| index.has_binary(row))?;
    let differing = [Facet::Os, Facet::Target].into_iter();
    let differing = differing.filter(|facet| index.dictionary(*facet).len() > 1);
    let words = differing.map(|facet| format!("{}={}", facet.key(), index.text(row, facet)));
    Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// Returns `zlib %gcc@13.2.0`, if the cache has builds with other compilers.
fn of_compiler(index: &Index, package: ValueCode) -> Option<String> {
    let row = index.rows_of(package).find(|&row| index.has_binary(row))?;
    let compiler = index.text(row, Facet::Compiler);
    let differs = index.dictionary(Facet::Compiler).len() > 1 && compiler != NO_COMPILER;
    let name = index.dictionary(Facet::Package).text(package);
    differs.then(|| format!("{name} %{compiler}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn texts(builds: Vec<Build>) -> Vec<String> {
        let index = pack(About::default(), builds).expect("different hashes");
        examples(&index).map(|example| example.text).collect()
    }

    #[test]
    fn asks_for_a_variant_a_version_and_a_machine() {
        let build = |number: usize, package: &str, version: &str, variant: &str, os: &str| Build {
            hash: sample::hash(number),
            variants: vec![sample::variant(variant)],
            os: os.to_owned(),
            ..sample::one(package, version)
        };
        let all = vec![
            build(0, "hdf5", "1.14.5", "+mpi", "rhel8"),
            build(1, "hdf5", "1.14.5", "~mpi", "rhel8"),
            build(2, "hdf5", "1.14.5", "~mpi", "ubuntu22.04"),
            build(3, "python", "3.12.1", "+ssl", "rhel8"),
            build(4, "python", "3.9", "+ssl", "rhel8"),
        ];
        assert_eq!(texts(all), ["hdf5 +mpi", "python@3.12:", "os=rhel8"]);
    }

    #[test]
    fn asks_for_a_compiler_if_no_variant_differs() {
        let with = |number: usize, package: &str, compiler: &str| Build {
            hash: sample::hash(number),
            compiler: Some(compiler.to_owned()),
            ..sample::one(package, "develop")
        };
        let all = vec![with(0, "zlib", "gcc@13.2.0"), with(1, "hdf5", "clang@16.0.0")];
        assert_eq!(texts(all), ["hdf5 %clang@16.0.0"]);
    }

    #[test]
    fn asks_nothing_if_there_is_nothing_to_choose() {
        assert_eq!(texts(vec![sample::one("zlib", "1.3")]), Vec::<String>::new());
        assert_eq!(texts(Vec::new()), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn only_asks_questions_that_match(all in sample::builds()) {
            let index = pack(About::default(), all).expect("different hashes");
            let examples: Vec<Example> = examples(&index).collect();
            prop_assert!(examples.len() <= COUNT);
            for Example { text, question } in examples {
                prop_assert!(run(&index, &question).builds > 0, "{}", text);
            }
        }
    }
}
