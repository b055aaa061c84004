//! The builds of a package that differ least from one of them.

use std::collections::BTreeSet;

use cache_index::build::Variant;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, NO_COMPILER, RowId};

use crate::differences::Field;
use crate::differences::likeness::nearest_first;
use crate::differences::look_alikes::distinguishing_dependencies;

/// A build, and what distinguishes it from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    /// The build. If it has another spec, the first of its row.
    pub build: BuildId,
    /// How many builds agree with it in every field.
    pub builds: u32,
    /// In Spack's notation: `@1.12.3`, `os=rhel8`, `+mpi`. For a build with the same spec, the dependencies that the
    /// other does not have; empty if the cache does not say.
    pub differs_in: Vec<String>,
    /// `true` if the spec is the same, so that only dependencies differ, or places.
    pub is_same_spec: bool,
}

/// The maximum number of builds with the same spec whose dependencies are compared, which takes a while for each.
const MOST_COMPARED: usize = 50;

/// Returns the builds of the same package that differ least, at most `count`: first those with the same spec, by the
/// number of differing dependencies, then those that differ only in what provides a virtual package, which is a
/// dependency too, then the others. Of those that differ equally, newer versions come first.
///
/// Builds with the same spec are listed one by one; if there are others, they fill at most half of the list. The others
/// are listed once for each spec.
pub fn similar(index: &Index, build: BuildId, count: usize) -> Vec<Similar> {
    let row = index.row_of(build);
    let asked = ComparedRow::new(index, row);
    let rows = index.rows_of(index.package_of(row)).filter(|other| index.has_binary(*other));
    let mut same_spec = Vec::new();
    let mut others = Vec::new();
    for other in rows {
        match asked.differences(other) {
            differences if differences.is_empty() => same_spec.extend(index.builds_of(other)),
            differences => {
                let providers = asked.providers(other).len();
                others.push(((differences.len() - providers, providers), other));
            }
        }
    }
    same_spec.retain(|other| *other != build);
    let most = count.saturating_sub(others.len()).max(count.div_ceil(2));
    let mut similar = asked.with_same_spec(build, same_spec);
    similar.truncate(most);
    let others = nearest_first(others).into_iter().take(count - similar.len());
    similar.extend(others.filter_map(|(_, other)| {
        Some(Similar {
            build: index.builds_of(other).next()?,
            builds: index.row_len(other),
            differs_in: asked.differences(other),
            is_same_spec: false,
        })
    }));
    similar
}

/// The row that others are compared with.
struct ComparedRow<'a> {
    index: &'a Index,
    row: RowId,
    variants: Vec<Variant>,
    /// Its variants in Spack's notation, in which a user cannot tell a list of one value from that value.
    words: BTreeSet<String>,
}

impl<'a> ComparedRow<'a> {
    fn new(index: &'a Index, row: RowId) -> ComparedRow<'a> {
        let variants = index.variants_of(row);
        let words = variants.iter().map(Variant::to_string).collect();
        ComparedRow { index, row, variants, words }
    }

    /// Returns builds with the same spec, nearest first.
    fn with_same_spec(&self, build: BuildId, others: Vec<BuildId>) -> Vec<Similar> {
        let compared = others.into_iter().take(MOST_COMPARED).map(|other| {
            let both = distinguishing_dependencies(self.index, [build, other]);
            let lines: usize = both.iter().map(Vec::len).max().unwrap_or(0);
            let [_, differs_in] = both;
            (lines, Similar { build: other, builds: 1, differs_in, is_same_spec: true })
        });
        let compared = nearest_first(compared.collect());
        compared.into_iter().map(|(_, similar)| similar).collect()
    }

    /// Returns what provides a virtual package to the other row and not to this one.
    fn providers(&self, other: RowId) -> Vec<String> {
        let own = self.index.values(self.row, Facet::Provider);
        let others = self.index.values(other, Facet::Provider).into_iter();
        let text = |code| self.index.dictionary(Facet::Provider).text(code).to_owned();
        others.filter(|code| !own.contains(code)).map(text).collect()
    }

    /// Returns what the other row has and this one does not.
    fn differences(&self, other: RowId) -> Vec<String> {
        let index = self.index;
        let mut words = Vec::new();
        for facet in Field::facets() {
            let own = index.values(self.row, facet);
            for code in index.values(other, facet).into_iter().filter(|code| !own.contains(code)) {
                let text = index.dictionary(facet).text(code);
                words.push(match facet {
                    Facet::Version => format!("@{text}"),
                    Facet::Compiler if text == NO_COMPILER => "no compiler".to_owned(),
                    Facet::Compiler => format!("%{text}"),
                    Facet::Provider => text.to_owned(),
                    facet => format!("{}={text}", facet.key()),
                });
            }
        }
        let variants = index.variants_of(other);
        let is_own = |word: &String| self.words.contains(word);
        words.extend(variants.iter().map(Variant::to_string).filter(|word| !is_own(word)));
        let names: BTreeSet<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        let gone = self.variants.iter().filter(|variant| !names.contains(variant.name.as_str()));
        words.extend(gone.map(|variant| format!("without {}", variant.name)));
        let [own, flags] = [self.row, other].map(|row| &index.origin(row).flags);
        let differ = flags.iter().filter(|flags| !own.contains(flags));
        words.extend(differ.map(|(name, values)| format!("{name}={}", quoted(values))));
        let is_gone = |name: &String| flags.iter().all(|(other, _)| other != name);
        let gone = own.iter().map(|(name, _)| name).filter(|name| is_gone(name));
        words.extend(gone.map(|name| format!("without {name}")));
        words
    }
}

/// Writes the values of a flag as in a spec, in quotes if there are several.
fn quoted(values: &[String]) -> String {
    match values {
        [value] => value.clone(),
        values => format!("'{}'", values.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::build::{Build, Dependency, Deptypes, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn built(number: usize, version: &str, variants: &[&str]) -> Build {
        let variants = sample::variants_of(variants);
        Build { hash: sample::hash(number), variants, ..sample::one("hdf5", version) }
    }

    #[test]
    fn lists_flags() {
        let with = |number, flags: &[&str]| {
            let flags = flags.iter().map(|flag| flag.to_string()).collect();
            Build { flags: vec![("cflags".to_owned(), flags)], ..built(number, "1.14", &[]) }
        };
        let builds = vec![with(0, &["-O2"]), with(1, &["-O3", "-g"]), built(2, "1.14", &[])];
        let index = pack(About::default(), builds).expect("different hashes");
        let first = index.find(sample::hash(0)).expect("a build");
        let mut found: Vec<String> =
            similar(&index, first, 10).into_iter().flat_map(|similar| similar.differs_in).collect();
        found.sort();
        assert_eq!(found, ["cflags='-O3 -g'", "without cflags"]);
    }

    #[test]
    fn lists_first_what_differs_in_the_least() {
        let gcc12 = |build: Build| Build { compiler: Some("gcc@12.1.0".to_owned()), ..build };
        let builds = vec![
            built(0, "1.14", &["+mpi", "~shared"]),
            built(1, "1.14", &["~mpi", "~shared"]),
            built(2, "1.12", &["~mpi", "+shared"]),
            gcc12(built(3, "1.12", &["+mpi", "~shared"])),
            built(4, "1.12", &["+mpi"]),
            Build {
                compiler: None,
                os: "rhel8".to_owned(),
                ..built(5, "1.14", &["+mpi", "~shared"])
            },
            // Twice the same but for the hash, and one of another package.
            built(6, "1.14", &["~mpi", "~shared"]),
            Build { hash: sample::hash(7), ..sample::one("zlib", "1.14") },
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let first = index.find(sample::hash(0)).expect("a build");
        let found: Vec<(u32, String)> = similar(&index, first, 10)
            .into_iter()
            .map(|similar| (similar.builds, similar.differs_in.join(" ")))
            .collect();
        let expected = [
            (2, "~mpi"),
            (1, "%none os=rhel8"),
            (1, "@1.12 %gcc@12.1.0"),
            (1, "@1.12 without shared"),
            (1, "@1.12 ~mpi +shared"),
        ];
        let expected =
            expected.map(|(builds, words)| (builds, words.replace("%none", "no compiler")));
        assert_eq!(found.len(), expected.len());
        for (builds, words) in &expected {
            assert!(found.contains(&(*builds, words.clone())), "{words}: {found:?}");
        }
        let lengths: Vec<usize> =
            similar(&index, first, 10).iter().map(|similar| similar.differs_in.len()).collect();
        assert!(lengths.is_sorted(), "{lengths:?}");
        assert_eq!(similar(&index, first, 2).len(), 2);
    }

    #[test]
    fn lists_first_what_differs_only_in_dependencies() {
        let needs = |build: Build, number: usize, as_mpi: bool| {
            let virtuals = if as_mpi { vec!["mpi".to_owned()] } else { Vec::new() };
            let package = if as_mpi { "openmpi" } else { "zlib" }.to_owned();
            let hash = sample::hash(number << 24);
            let edge = Dependency { package, hash, deptypes: Deptypes::LINK, virtuals };
            let mut edges = build.dependencies.unwrap_or_default();
            edges.push(edge);
            edges.sort();
            Build { dependencies: Some(edges), ..build }
        };
        let of = |package: &str, version: &str, number: usize| Build {
            hash: sample::hash(number << 24),
            dependencies: Some(Vec::new()),
            ..sample::one(package, version)
        };
        let hdf5 = |number| needs(of("hdf5", "1.14", number), 11, true);
        let stack = Place { release: "develop".into(), stack: "e4s".into() };
        let builds = vec![
            needs(hdf5(1), 13, false),
            needs(hdf5(2), 14, false),
            Build { places: [stack].into(), ..needs(hdf5(3), 13, false) },
            needs(needs(of("hdf5", "1.14", 4), 12, true), 13, false),
            needs(needs(of("hdf5", "1.12", 5), 11, true), 13, false),
            of("openmpi", "5.0.6", 11),
            of("openmpi", "5.0.7", 12),
            of("zlib", "1.2", 13),
            of("zlib", "1.3", 14),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let id = |number: usize| index.find(sample::hash(number << 24)).expect("a build");
        let of = |number, count| {
            let found = similar(&index, id(number), count).into_iter();
            found.map(|it| (it.build, it.differs_in.join(" "))).collect::<Vec<_>>()
        };
        let expected = [
            // In nothing but its place.
            (id(3), String::new()),
            (id(2), "zlib@1.3".to_owned()),
            (id(4), "mpi=openmpi@5.0.7".to_owned()),
            (id(5), "@1.12".to_owned()),
        ];
        assert_eq!(of(1, 5), expected);
        // One place is left for what has another spec.
        assert_eq!(of(1, 2), [expected[0].clone(), expected[2].clone()]);
        // They list each other.
        assert!(of(2, 5).contains(&(id(1), "zlib@1.2".to_owned())));
    }

    proptest! {
        #[test]
        fn says_of_each_what_it_has_and_the_build_has_not(all in sample::builds()) {
            let index = pack(About::default(), all.clone()).expect("different hashes");
            for build in all {
                let Some(id) = index.find(build.hash) else { continue };
                let own = index.build_alone(id).expect("it is there");
                for similar in similar(&index, id, 5) {
                    let other = index.build_alone(similar.build).expect("it is there");
                    prop_assert!(other.has_binary());
                    prop_assert_eq!(&other.package, &own.package);
                    if similar.is_same_spec {
                        prop_assert_ne!(other.hash, own.hash);
                        prop_assert_eq!(&other.version, &own.version);
                        let words = |build: &Build| -> Vec<String> {
                            build.variants.iter().map(Variant::to_string).collect()
                        };
                        prop_assert_eq!(words(&other), words(&own));
                        continue;
                    }
                    prop_assert!(!similar.differs_in.is_empty());
                    for word in &similar.differs_in {
                        let holds = |build: &Build| match word.as_str() {
                            "no compiler" => build.compiler.is_none(),
                            word if word.starts_with('@') => word[1..] == build.version,
                            word if word.starts_with('%') => {
                                Some(&word[1..]) == build.compiler.as_deref()
                            }
                            word => match word.split_once('=') {
                                Some(("platform", name)) => name == build.platform,
                                Some(("os", name)) => name == build.os,
                                Some(("target", name)) => name == build.target,
                                _ => match word.strip_prefix("without ") {
                                    Some(name) => {
                                        build.variants.iter().all(|v| v.name != name)
                                            && build.flags.iter().all(|(flag, _)| flag != name)
                                    }
                                    None => {
                                        let flags = build.flags.iter();
                                        let mut flags = flags
                                            .map(|(name, values)| format!("{name}={}", quoted(values)));
                                        flags.any(|flag| flag == word)
                                            || build.variants.iter().any(|v| v.to_string() == word)
                                    }
                                },
                            },
                        };
                        // The provider of a virtual package follows from the dependencies.
                        if !word.starts_with("mpi=") {
                            prop_assert!(holds(&other) && !holds(&own), "{}", word);
                        }
                    }
                }
            }
        }
    }
}
