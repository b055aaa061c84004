//! Finding the builds of an index that a text asks for.
//!
//! A spec has several kinds of constraints, and many builds share the same values. So each kind is evaluated
//! separately, once for each distinct value: the name for a package, versions for a version, variants for a variant
//! set, and so on. What differs from build to build (the hash, and everything about dependencies) is only evaluated for
//! builds that passed the rest.

use std::collections::BTreeSet;
use std::ops::Range;

use cache_index::build::CompilerSource;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};
use spack_spec::{Dialect, IndexedGraph, Matcher, Node, Satisfies, Spec, node_satisfies};

use super::TextMeaning;
use super::graph::IndexGraph;
use crate::selection::Selection;

/// Returns the builds that are asked for.
pub(super) fn select(index: &Index, asked: &TextMeaning) -> Selection {
    match asked {
        TextMeaning::Anything => Selection::default(),
        TextMeaning::Words(words) => {
            let contains_all =
                |name: &String| words.iter().all(|word| name.contains(word.as_str()));
            let names = index.dictionary(Facet::Package).values();
            let packages = Some(names.iter().map(contains_all).collect());
            Selection { packages, ..Selection::default() }
        }
        TextMeaning::Hashes(prefixes) => {
            let builds = prefixes.iter().flat_map(|prefix| index.find_prefix(prefix, usize::MAX));
            let found: BTreeSet<BuildId> = builds.collect();
            Selection::default().only(index, |build| found.contains(&build))
        }
        TextMeaning::Hash(prefix) => {
            let root = Node { hash: Some(prefix.clone()), ..Node::default() };
            Evaluation::new(index, &Spec { dialect: index.dialect(), root }).run()
        }
        TextMeaning::Spec(spec) => Evaluation::new(index, spec).run(),
    }
}

/// Returns, for each spec of an index, whether it satisfies a spec.
pub fn answers(index: &Index, spec: &Spec) -> Vec<Satisfies> {
    let mut answers = vec![Satisfies::No; index.specs() as usize];
    visit_answers(index, spec, &mut |build, answer| answers[build.at()] = answer);
    answers
}

/// Visits the builds of an index that may be what is asked for, with their answers. All others are not: if a package is
/// asked for, its builds alone are looked at.
pub fn visit_answers(index: &Index, spec: &Spec, visit: &mut dyn FnMut(BuildId, Satisfies)) {
    Evaluation::new(index, spec).each(&mut |row, build, answer| match build {
        Some(build) => visit(build, answer),
        None => index.builds_of(row).for_each(|build| visit(build, answer)),
    });
}

/// Returns `true` if a spec constrains something that only the dependencies of builds decide.
pub(super) fn asks_dependencies(index: &Index, root: &Node) -> bool {
    !root.dependencies.is_empty()
        || root.variants.iter().any(|variant| variant.propagate)
        || asks_compiler_edge(index, root)
}

/// Returns `true` if it constrains a compiler where that is a dependency, as in data from Spack 1.x.
fn asks_compiler_edge(index: &Index, root: &Node) -> bool {
    let is_edge = |source| source == CompilerSource::Dependency;
    root.compiler.is_some() && index.origins().iter().any(|o| is_edge(o.compiler_source))
}

/// The evaluation of a spec over an index.
struct Evaluation<'a> {
    index: &'a Index,
    graph: IndexGraph<'a>,
    spec: &'a Spec,
    /// The constraints on each kind of value, and the results so far.
    version: Kind,
    variants: Kind,
    configuration: Kind,
    origin: Kind,
    /// `true` if there are constraints on the dependencies of a build.
    asks_below: bool,
    /// `true` if there are constraints in which builds of one row can differ.
    asks_builds: bool,
}

/// One kind of constraint, with its result for each value seen so far.
struct Kind {
    wanted: Node,
    /// `false` if nothing is asked for.
    is_asked: bool,
    /// How many values there are.
    values: usize,
    /// By value; empty if they are not [remembered](Kind::remember).
    answers: Vec<Option<Satisfies>>,
}

/// How many values can be prepared in the time that it takes to ask about one row.
const MANY: usize = 16;

impl Kind {
    fn new(wanted: Node, values: usize) -> Kind {
        let is_asked = wanted != Node::default();
        Kind { wanted, is_asked, values, answers: Vec::new() }
    }

    /// Remembers the answers from now on, unless so few rows are asked about that it would take longer.
    fn remember(&mut self, rows: usize) {
        if self.is_asked && self.values <= MANY * rows {
            self.answers = vec![None; self.values];
        }
    }

    fn ask(
        &mut self,
        graph: &IndexGraph<'_>,
        row: RowId,
        code: u32,
        dialect: Dialect,
    ) -> Satisfies {
        if !self.is_asked {
            return Satisfies::Yes;
        }
        let ask = || {
            let build = BuildId(graph.index.columns().build_start[row.0 as usize]);
            node_satisfies(graph, build, &self.wanted, dialect)
        };
        match self.answers.get_mut(code as usize) {
            Some(answer) => *answer.get_or_insert_with(ask),
            None => ask(),
        }
    }
}

impl<'a> Evaluation<'a> {
    fn new(index: &'a Index, spec: &'a Spec) -> Evaluation<'a> {
        let root = &spec.root;
        let nothing = Node::default;
        let variants = root.variants.iter().filter(|variant| !variant.propagate);
        let variants = variants.cloned().collect();
        let compiler = if asks_compiler_edge(index, root) { None } else { root.compiler.clone() };
        let configuration = Node { architecture: root.architecture.clone(), ..nothing() };
        // A row's origin decides how to read its compiler, so the two are evaluated together, by row.
        let origin = Node {
            namespace: root.namespace.clone(),
            flags: root.flags.clone(),
            compiler,
            ..nothing()
        };
        let asks_below = !root.dependencies.is_empty() || root.variants.iter().any(|v| v.propagate);
        Evaluation {
            index,
            graph: IndexGraph::new(index),
            spec,
            version: Kind::new(
                Node { versions: root.versions.clone(), ..nothing() },
                index.dictionary(Facet::Version).len(),
            ),
            variants: Kind::new(Node { variants, ..nothing() }, index.variant_sets().len()),
            configuration: Kind::new(configuration, index.configurations().len()),
            origin: Kind::new(origin, index.configurations().len() * index.origins().len()),
            asks_below,
            asks_builds: root.hash.is_some() || asks_dependencies(index, root),
        }
    }

    fn run(self) -> Selection {
        let index = self.index;
        let all = index.dictionary(Facet::Package).len();
        let may_be_any = self.spec.root.name.is_none() || self.asks_provider();
        let packages = (!may_be_any).then(|| {
            let range = self.packages();
            (0..all as u32).map(|package| range.contains(&package)).collect()
        });
        let asks_builds = self.asks_builds || self.asks_provider();
        let mut rows = vec![0; index.rows()];
        let mut builds = asks_builds.then(|| vec![false; index.specs() as usize]);
        let mut missing = None;
        self.each(&mut |row, build, answer| match (answer, build) {
            (Satisfies::No, _) => {}
            (Satisfies::CannotTell(reason), _) => missing = missing.or(Some(reason)),
            (Satisfies::Yes, None) => rows[row.at()] = index.row_len(row),
            (Satisfies::Yes, Some(build)) => {
                builds.iter_mut().for_each(|builds| builds[build.at()] = true);
                rows[row.at()] += 1;
            }
        });
        Selection { packages, rows: Some(rows), builds, missing }
    }

    /// Returns `true` for the name of a virtual package: builds of any package may provide it, and no
    /// row says which.
    fn asks_provider(&self) -> bool {
        self.spec.root.name.as_deref().is_some_and(|name| self.graph.is_virtual(name))
    }

    /// Returns the codes of the packages whose builds may be asked for: one, none or all.
    fn packages(&self) -> Range<u32> {
        let packages = self.index.dictionary(Facet::Package);
        match self.spec.root.name.as_deref().filter(|_| !self.asks_provider()) {
            Some(name) => packages.code(name).map_or(0..0, |code| code.0..code.0 + 1),
            None => 0..packages.len() as u32,
        }
    }

    /// Visits all builds of the packages that may be asked for: row by row if the rows have all that
    /// is asked for, otherwise build by build.
    fn each(mut self, visit: &mut dyn FnMut(RowId, Option<BuildId>, Satisfies)) {
        let index = self.index;
        let graph = IndexGraph::new(index);
        let is_virtual = self.asks_provider();
        let packages = self.packages();
        // Remembers what lies below the builds evaluated so far.
        let asks_most = self.asks_below && (is_virtual || self.spec.root.name.is_none());
        let mut matcher = match asks_most.then(|| graph.in_order()).flatten() {
            Some(order) => Matcher::over_all(self.spec, &graph, order),
            None => Matcher::new(self.spec, &graph),
        };
        let beyond = (asks_most && !is_virtual).then(|| matcher.beyond_of_all()).flatten();
        let rows = packages.clone().map(|package| index.row_range(package as usize).len()).sum();
        for kind in
            [&mut self.version, &mut self.variants, &mut self.configuration, &mut self.origin]
        {
            kind.remember(rows);
        }
        for package in packages.map(ValueCode) {
            for row in index.rows_of(package) {
                let of_row = if is_virtual { Satisfies::Yes } else { self.row(row) };
                if of_row == Satisfies::No || !(self.asks_builds || is_virtual) {
                    visit(row, None, of_row);
                    continue;
                }
                for build in index.builds_of(row) {
                    let answer = match &beyond {
                        Some(all) => of_row.and(all[build.at()]),
                        None if is_virtual => matcher.answer(build),
                        None => of_row.and(matcher.beyond(build)),
                    };
                    visit(row, Some(build), answer);
                }
            }
        }
    }

    /// Evaluates a row: whether its builds match, as far as the row decides.
    fn row(&mut self, row: RowId) -> Satisfies {
        let rows = self.index.columns();
        let at = row.0 as usize;
        let dialect = self.spec.dialect;
        let configuration = rows.configuration[at];
        let origin = self.index.origin_code(row) * self.index.configurations().len() as u32;
        let mut answer = self.version.ask(&self.graph, row, rows.version[at], dialect);
        for (kind, code) in [
            (&mut self.configuration, configuration),
            (&mut self.variants, rows.variant_set[at]),
            (&mut self.origin, origin + configuration),
        ] {
            if answer == Satisfies::No {
                return Satisfies::No;
            }
            answer = answer.and(kind.ask(&self.graph, row, code, dialect));
        }
        answer
    }
}
