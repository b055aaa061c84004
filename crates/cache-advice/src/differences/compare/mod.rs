//! Builds side by side: what differs, and what they have in common.
//!
//! A **line** is a field, with the **words** that each build has in it. Each variant is a line, so that equal names are
//! next to each other, and so is each package that the builds depend on. A word that every build has in
//! a line is common; the others are the differences.

mod dependencies;
mod files;
mod package;
mod suggestion;

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, VariantValue};
use cache_index::facet::Facet;

pub use self::files::FileDifferences;
pub use self::suggestion::Suggestion;
use crate::differences::Field;
use crate::text::{markdown_cell, markdown_code};

/// One word of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As Spack writes it.
    pub text: String,
    /// `true` if every build has it in this line.
    pub is_common: bool,
}

/// One field of all builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedLine {
    /// The name of the field, the variant, or the package that the builds depend on.
    pub name: String,
    /// What the line describes.
    pub kind: LineKind,
    /// The words of each build; empty for a build that does not have the field.
    pub cells: Vec<Vec<Word>>,
}

/// What a line describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A field that every build has.
    Field,
    /// A variant.
    Variant,
    /// Builds of a package that they depend on, directly or not.
    Dependency,
    /// Builds of a package that they depend on, but that none of them needs to run.
    BuildDependency,
}

/// The result of comparing builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The builds.
    pub builds: Vec<Build>,
    /// The fields and variants in which they differ.
    pub differing: Vec<ComparedLine>,
    /// The packages that they depend on with different specs, or with hashes that differ for no reason that is known.
    pub dependencies: Vec<ComparedLine>,
    /// The packages that they depend on with the same specs, whose dependencies differ.
    pub following: Vec<String>,
    /// For each build, the packages that it needs in more than one build to run, sorted; empty unless dependencies were
    /// compared.
    pub several: Vec<Vec<String>>,
    /// The fields and variants in which all are the same.
    pub common: Vec<ComparedLine>,
}

impl Comparison {
    /// Compares builds.
    pub fn of(builds: Vec<Build>) -> Comparison {
        let fields = Field::shown().map(|field| {
            // A release or stack of a cache that has none, and the stack of a mirror among others, has an empty name.
            let named = |build| {
                let words = field.words(build).into_iter();
                words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
            };
            line_of(field.heading(), LineKind::Field, builds.iter().map(named).collect())
        });
        let variants: Vec<BTreeMap<&str, &VariantValue>> = builds
            .iter()
            .map(|build| build.variants.iter().map(|v| (v.name.as_str(), &v.value)).collect())
            .collect();
        let names: BTreeSet<&str> = variants.iter().flat_map(BTreeMap::keys).copied().collect();
        let variants = names.into_iter().map(|name| {
            let words = variants.iter().map(|variants| match variants.get(name) {
                None => Vec::new(),
                Some(VariantValue::Bool(true)) => vec![format!("+{name}")],
                Some(VariantValue::Bool(false)) => vec![format!("~{name}")],
                Some(VariantValue::Single(value)) => vec![value.clone()],
                Some(VariantValue::Multi(values)) => values.clone(),
            });
            line_of(name, LineKind::Variant, words.collect())
        });
        let says_something = |line: &ComparedLine| line.cells.iter().any(|cell| !cell.is_empty());
        let (common, differing) = fields
            .chain(variants)
            .filter(says_something)
            .partition(|line| line.cells.iter().flatten().all(|word| word.is_common));
        Comparison {
            builds,
            differing,
            dependencies: Vec::new(),
            following: Vec::new(),
            several: Vec::new(),
            common,
        }
    }

    /// Counts the dependencies with a line: those that are needed to run, and those that are only needed to build.
    pub fn to_run_and_to_build(&self) -> (usize, usize) {
        let is_to_build = |line: &&ComparedLine| line.kind == LineKind::BuildDependency;
        let to_build = self.dependencies.iter().filter(is_to_build).count();
        (self.dependencies.len() - to_build, to_build)
    }

    /// Returns `true` if all dependencies with a line are only needed to build.
    pub fn differs_only_to_build(&self) -> bool {
        self.dependencies.iter().all(|line| line.kind == LineKind::BuildDependency)
    }

    /// Returns `true` if the builds differ only in their places and in what is only needed to build: what they need to
    /// run is the same.
    pub fn is_same_to_run(&self) -> bool {
        self.knows_dependencies()
            && self.differs_only_to_build()
            && self.differs_only_in_dependencies()
    }

    /// Returns `true` if the dependencies were compared: they have lines, or all builds need the same ones.
    fn knows_dependencies(&self) -> bool {
        let has_same = !self.several.is_empty() && self.following.is_empty();
        has_same || !self.dependencies.is_empty()
    }

    /// Returns `true` if the builds differ in no field except their places and the providers of virtual packages, which
    /// are among their dependencies.
    fn differs_only_in_dependencies(&self) -> bool {
        let is_beside = |line: &ComparedLine| {
            let is_of_place = |field: Field| field.is_place() && field.heading() == line.name;
            line.kind == LineKind::Field
                && (line.name == Facet::Provider.label() || Field::shown().any(is_of_place))
        };
        self.differing.iter().all(is_beside)
    }

    /// Returns a table in Markdown, with a column for each build.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| |");
        for build in &self.builds {
            text.push_str(&format!(" {} |", markdown_code(&build.short_spec())));
        }
        text.push_str("\n| --- |");
        text.push_str(&" --- |".repeat(self.builds.len()));
        for line in self.differing.iter().chain(&self.dependencies) {
            let only = if line.kind == LineKind::BuildDependency { " (only to build)" } else { "" };
            text.push_str(&format!("\n| {}{only} |", markdown_cell(&line.name)));
            for cell in &line.cells {
                let words = cell.iter().map(|word| match word.is_common {
                    true => markdown_cell(&word.text),
                    false => format!("**{}**", markdown_cell(&word.text)),
                });
                text.push_str(&format!(" {} |", words.collect::<Vec<_>>().join(" ")));
            }
        }
        let common: Vec<String> = self.common.iter().map(ComparedLine::first).collect();
        if !common.is_empty() {
            text.push_str(&format!("\n\nIn common: {}", markdown_cell(&common.join(", "))));
        }
        if !self.following.is_empty() {
            let names = markdown_cell(&self.following.join(", "));
            text.push_str(&format!("\n\nDiffer only in what they depend on: {names}"));
        }
        text.push('\n');
        text
    }
}

impl ComparedLine {
    /// Returns the first build's words with the name of the field, for a line in which all are the same.
    pub fn first(&self) -> String {
        let words: Vec<&str> = self.cells[0].iter().map(|word| word.text.as_str()).collect();
        match (self.kind, words.as_slice()) {
            (LineKind::Variant, [word]) if word.starts_with(['+', '~']) => (*word).to_owned(),
            (LineKind::Variant, words) => format!("{}={}", self.name, words.join(",")),
            (_, words) => format!("{} {}", self.name, words.join(" ")),
        }
    }
}

/// Creates a line from the words of each build.
fn line_of(name: &str, kind: LineKind, words: Vec<Vec<String>>) -> ComparedLine {
    let sets: Vec<BTreeSet<&String>> = words.iter().map(|words| words.iter().collect()).collect();
    let in_all = |word: &String| sets.iter().all(|others| others.contains(word));
    let mark = |word: &String| Word { text: word.clone(), is_common: in_all(word) };
    let cells = words.iter().map(|words| words.iter().map(mark).collect()).collect();
    ComparedLine { name: name.to_owned(), kind, cells }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Place, Variant};
    use cache_index::sample;

    fn comparison() -> Comparison {
        let variant = |name: &str, value| Variant { name: name.to_owned(), value };
        let languages = |values: &[&str]| {
            variant("languages", VariantValue::Multi(values.iter().map(|&v| v.into()).collect()))
        };
        let shared = variant("shared", VariantValue::Bool(true));
        Comparison::of(vec![
            Build {
                variants: vec![languages(&["c"]), shared.clone()],
                ..sample::one("gcc", "13.2.0")
            },
            Build {
                variants: vec![
                    languages(&["c", "c++"]),
                    variant("nvptx", VariantValue::Bool(false)),
                    shared,
                ],
                hash: sample::hash(1),
                target: "zen3".into(),
                ..sample::one("gcc", "13.2.0")
            },
        ])
    }

    #[test]
    fn shows_differences_word_by_word() {
        let lines: Vec<String> = comparison()
            .differing
            .iter()
            .map(|line| {
                let word = |word: &Word| match word.is_common {
                    true => word.text.clone(),
                    false => format!("[{}]", word.text),
                };
                let cell = |cell: &Vec<Word>| cell.iter().map(word).collect::<Vec<_>>().join(" ");
                let cells: Vec<String> = line.cells.iter().map(cell).collect();
                format!("{}: {}", line.name, cells.join(" | "))
            })
            .collect();
        assert_eq!(
            lines,
            ["Target: [x86_64_v3] | [zen3]", "languages: c | c [c++]", "nvptx:  | [~nvptx]"]
        );
    }

    #[test]
    fn leaves_out_places_without_a_name() {
        let of_stack = |number, stack: &str| Build {
            hash: sample::hash(number),
            places: [Place { release: String::new(), stack: stack.to_owned() }].into(),
            ..sample::one("zlib", "1.3")
        };
        let comparison = Comparison::of(vec![of_stack(1, ""), of_stack(2, "e4s")]);
        let [line] = comparison.differing.as_slice() else { panic!("{comparison:?}") };
        assert_eq!((line.name.as_str(), line.cells[0].as_slice()), ("Stacks", [].as_slice()));
        assert_eq!(line.cells[1][0].text, "e4s");
    }

    /// As builds are read from an index, without their dependencies.
    #[test]
    fn shows_flags() {
        let with = |flags: &[&str]| Build {
            flags: flags
                .iter()
                .map(|flag| ("cflags".to_owned(), vec![(*flag).to_owned()]))
                .collect(),
            ..sample::one("hdf5", "1.14.5")
        };
        let check = |one: &[&str], two: &[&str], expected: [&[&str]; 2]| {
            let comparison = Comparison::of(vec![with(one), with(two)]);
            let line = comparison.differing.iter().find(|line| line.name == "Flags");
            let cells = line.expect("a line").cells.iter();
            let texts = |words: &Vec<Word>| {
                words.iter().map(|word| word.text.clone()).collect::<Vec<String>>()
            };
            assert_eq!(cells.map(texts).collect::<Vec<_>>(), expected);
        };
        check(&["-O2"], &["-O3"], [&["cflags=-O2"], &["cflags=-O3"]]);
        check(&["-O2"], &[], [&["cflags=-O2"], &[]]);
    }

    #[test]
    fn shows_common_fields_once() {
        let common: Vec<String> = comparison().common.iter().map(ComparedLine::first).collect();
        let expected = [
            "Package gcc",
            "Version 13.2.0",
            "Compiler gcc@13.2.0",
            "Platform linux",
            "OS ubuntu24.04",
            "Releases develop",
            "Stacks root",
            "+shared",
        ];
        assert_eq!(common, expected);
    }

    #[test]
    fn writes_a_markdown_table() {
        let markdown = comparison().markdown();
        let lines: Vec<&str> = markdown.lines().collect();
        assert_eq!(lines[0], "| | `gcc@13.2.0/aaaaaaa` | `gcc@13.2.0/aaaaaaa` |");
        assert_eq!(lines[2], r"| Target | **x86\_64\_v3** | **zen3** |");
        assert_eq!(lines[4], r"| nvptx |  | **\~nvptx** |");
    }
}
