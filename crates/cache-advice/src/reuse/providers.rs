//! Which builds provide a virtual package, where the index does not say.
//!
//! Spack decides it by its recipes: a build satisfies `zlib-api` if its recipe provides that under a condition that the
//! build satisfies, and with versions that overlap with those asked for. An index has the answer where Spack put it
//! there: `provided_virtuals`, and the virtual packages of edges. Elsewhere, the answer comes from this table of the
//! recipes in Spack's own repository, which `tools/providers.py` makes. Spack before 1.0 came with recipes of its own,
//! so the table says nothing about it.
//!
//! A build stays undecided if its repository is not known, if the condition asks for dependencies, which Spack evaluates in a
//! way of its own here, or if more is asked of the virtual package than its version.

use std::collections::HashMap;

use cache_index::index::{BuildId, Index};
use cache_query::search::graph::IndexGraph;
use cache_query::search::visit_answers;
use spack_spec::{
    Dialect, IndexedGraph, MissingData, Node, Satisfies, Spec, VersionConstraint, node_satisfies,
};

/// The table: on each line a package, a virtual package with its versions, and a condition.
const TABLE: &str = include_str!("providers.txt");

/// A condition that only the recipe can decide.
const UNREADABLE: &str = "?";

/// Returns for each spec of an index whether it satisfies `spec`.
pub(super) fn answers(index: &Index, spec: &Spec) -> Vec<Satisfies> {
    let mut answers = vec![Satisfies::No; index.specs() as usize];
    visit(index, spec, &mut |build, answer| answers[build.at()] = answer);
    answers
}

/// Visits the builds of an index that may satisfy `spec`, with their answers.
pub(super) fn visit(index: &Index, spec: &Spec, visit: &mut dyn FnMut(BuildId, Satisfies)) {
    let mut providers = None;
    visit_answers(index, spec, &mut |build, answer| {
        let answer = match answer {
            Satisfies::CannotTell(MissingData::Providers) => {
                providers.get_or_insert_with(|| Providers::new(index, spec)).answer(build)
            }
            known => known,
        };
        visit(build, answer);
    });
}

/// What the table says of one virtual package.
struct Providers<'i> {
    graph: IndexGraph<'i>,
    /// The conditions of each package that provides it; `None` for one that cannot be read.
    conditions: HashMap<&'static str, Vec<Option<Spec>>>,
    /// `false` if the table does not have the answer, whatever the build.
    is_decided: bool,
}

const CANNOT_TELL: Satisfies = Satisfies::CannotTell(MissingData::Providers);

impl<'i> Providers<'i> {
    fn new(index: &'i Index, spec: &Spec) -> Providers<'i> {
        let root = &spec.root;
        let asked = Node { versions: VersionConstraint::any(), hash: None, ..root.clone() };
        let is_plain = asked == Node { name: root.name.clone(), ..Node::default() };
        let mut conditions: HashMap<_, Vec<Option<Spec>>> = HashMap::new();
        for (package, provided, when) in rows() {
            let (name, versions) = provided.split_once('@').unwrap_or((provided, ""));
            let overlaps = versions.is_empty()
                || versions
                    .parse::<VersionConstraint>()
                    .is_ok_and(|versions| versions.intersects(&root.versions));
            if root.name.as_deref() == Some(name) && overlaps {
                let condition = (when != UNREADABLE).then(|| Spec::parse(when, spec.dialect).ok());
                conditions.entry(package).or_default().push(condition.flatten());
            }
        }
        let is_decided = is_plain && spec.dialect != Dialect::V0;
        Providers { graph: IndexGraph::new(index), conditions, is_decided }
    }

    /// Answers for a build about which the index does not say.
    fn answer(&self, build: BuildId) -> Satisfies {
        if !self.is_decided || self.graph.namespace(build).is_none() {
            return CANNOT_TELL;
        }
        let conditions = self.conditions.get(self.graph.name(build)).into_iter().flatten();
        let answers = conditions.map(|condition| match condition {
            None => CANNOT_TELL,
            Some(Spec { root, dialect }) => {
                match node_satisfies(&self.graph, build, root, *dialect) {
                    Satisfies::Yes if !root.dependencies.is_empty() => CANNOT_TELL,
                    answer => answer,
                }
            }
        });
        answers.fold(Satisfies::No, Satisfies::or)
    }
}

/// Iterates over the table.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (package, rest) = line.split_once(' ')?;
        let (provided, when) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((package, provided, when))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use spack_spec::is_virtual;

    use super::*;

    /// A build of Spack's own repository, given as `name@version` and variants.
    fn build(text: &str) -> Build {
        let mut words = text.split(' ');
        let (name, version) = words.next().and_then(|word| word.split_once('@')).expect("a spec");
        Build {
            namespace: Some("builtin".to_owned()),
            variants: words.map(|word| word.parse().expect("a variant")).collect(),
            ..sample::one(name, version)
        }
    }

    #[test]
    fn decides_by_the_recipes_of_spack_what_a_build_provides() {
        #[track_caller]
        fn check(build: Build, asked: &str, expected: Satisfies) {
            let index = pack(About::default(), vec![build]).expect("one build");
            let spec = Spec::parse(asked, Dialect::V1).expect("a spec");
            assert_eq!(answers(&index, &spec), [expected], "{asked}");
        }
        use Satisfies::{No, Yes};
        check(build("zlib@1.3.1"), "zlib-api", Yes);
        check(build("zlib-ng@2.3.2 +compat"), "zlib-api", Yes);
        check(build("zlib-ng@2.3.2 ~compat"), "zlib-api", No);
        check(build("hdf5@1.14.5"), "zlib-api", No);
        // With versions, of the provider and of the virtual package.
        check(build("mpich@4.3.2"), "mpi", Yes);
        check(build("mpich@3.1"), "mpi@3:", Yes);
        check(build("mpich@4.3.2"), "mpi@5:", No);
        check(build("llvm@18.1.8"), "libllvm@18", Yes);
        check(build("llvm@18.1.8"), "libllvm@17", No);
        // What a recipe inherits, and what it states in a loop or in a block.
        check(build("amdfftw@5.0"), "fftw-api@3", Yes);
        check(build("py-pillow@11.3.0"), "pil@11", Yes);
        check(build("gcc@13.2.0 languages=c,c++"), "fortran", No);
        // What only the recipe decides, and what the table does not cover.
        check(build("go-bootstrap@1.22.12"), "go-or-gccgo-bootstrap", CANNOT_TELL);
        check(build("pocl@5.0"), "opencl@3", CANNOT_TELL);
        check(build("zlib@1.3.1"), "zlib-api+shared", CANNOT_TELL);
        check(Build { namespace: None, ..build("zlib@1.3.1") }, "zlib-api", CANNOT_TELL);
        check(Build { namespace: Some("site".to_owned()), ..build("zlib@1.3.1") }, "zlib-api", No);
        // What the index says comes first.
        let listing = |provided: &[&str]| Build {
            provided_virtuals: Some(provided.iter().map(|name| name.to_string()).collect()),
            ..build("zlib@1.3.1")
        };
        check(listing(&[]), "zlib-api", No);
        check(listing(&["mpi"]), "mpi", Yes);
    }

    #[test]
    fn leaves_what_older_spack_provides_undecided() {
        let index = pack(About::default(), vec![build("zlib@1.3.1")]).expect("one build");
        let spec = Spec::parse("zlib-api", Dialect::V0).expect("a spec");
        assert_eq!(answers(&index, &spec), [CANNOT_TELL]);
    }

    #[test]
    fn reads_every_row_of_the_table() {
        let names: BTreeSet<&str> =
            rows().map(|(_, provided, _)| provided.split('@').next().expect("a name")).collect();
        assert_eq!(names.len(), 52);
        for name in names {
            assert!(is_virtual(name), "{name}");
        }
        for (package, provided, when) in rows() {
            let versions = provided.split_once('@').map_or("", |(_, versions)| versions);
            assert!(
                versions.is_empty() || versions.parse::<VersionConstraint>().is_ok(),
                "{provided}"
            );
            assert!(
                when == UNREADABLE || Spec::parse(when, Dialect::V1).is_ok(),
                "{package}: {when}"
            );
        }
    }
}
