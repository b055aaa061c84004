//! The builds of one package that other builds depend on, side by side.
//!
//! Words that are the same for all builds are left out, except for the version. A field that the source of any of these
//! builds does not state is not compared.

use std::hash::Hash;

use cache_index::build::{self, Deptypes, FoundAt};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget, Index, NO_COMPILER};
use cache_index::sorting;
use foldhash::HashSet;

use super::{ComparedLine, LineKind, line_of};

/// A package that not all of the compared builds need in the same builds and for the same purpose.
pub(super) struct ComparedPackage<'i> {
    /// Its name.
    pub(super) package: &'i str,
    /// [`LineKind::Dependency`] if any of the compared builds needs it to run.
    pub(super) kind: LineKind,
    /// For each of the compared builds: the builds of this package that it needs, directly or not.
    pub(super) cells: Vec<Vec<EdgeTarget<'i>>>,
    /// For each of the compared builds: what it needs them for; empty if that is the same for all.
    pub(super) purposes: Vec<&'static str>,
}

impl<'i> ComparedPackage<'i> {
    /// Returns a line, unless the specs are the same apart from their hashes.
    pub(super) fn line(&self, index: &Index) -> Option<ComparedLine> {
        let specs = self.specs(index);
        let sorted = |specs: &Vec<Vec<String>>| {
            let mut specs = specs.clone();
            sorting::sort_by(&mut specs, Vec::cmp);
            specs
        };
        let first = sorted(&specs[0]);
        let is_known = |target: &EdgeTarget<'_>| matches!(target, EdgeTarget::Build(_));
        let is_same = specs.iter().all(|specs| sorted(specs) == first);
        let is_same = is_same && self.cells.iter().flatten().all(is_known);
        (!is_same).then(|| self.line_with(index, &specs))
    }

    /// Returns the line of builds that differ in nothing that is known but their hashes.
    pub(super) fn line_of_hashes(&self, index: &Index) -> ComparedLine {
        self.line_with(index, &self.specs(index))
    }

    /// Returns `true` if builds with the same specs differ because of what they depend on, and everything in which they
    /// would differ when they run has a line, or is itself a package that differs. `differing` are all packages that differ,
    /// `with_line` those of them that have a line.
    pub(super) fn follows(
        &self,
        index: &'i Index,
        differing: &HashSet<&str>,
        with_line: &HashSet<&str>,
    ) -> bool {
        let edges = |cell: &Vec<EdgeTarget<'i>>| {
            let mut edges: Vec<Edge<'i>> = Vec::new();
            for &target in cell {
                let EdgeTarget::Build(build) = target else { return None };
                edges.extend(index.dependencies(build)?);
            }
            Some(edges)
        };
        let Some(edges) = self.cells.iter().map(edges).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let whole =
            in_all(&edges, |edge| (edge.package, edge.target, edge.deptypes, edge.virtuals));
        let to_run = in_all(&edges, |edge| (use_of(edge), edge.target));
        let used = in_all(&edges, use_of);
        let is_explained = |edge: &Edge<'i>| {
            !edge.is_needed_to_run()
                || with_line.contains(edge.package)
                || differing.contains(edge.package) && used.contains(&use_of(edge))
                || to_run.contains(&(use_of(edge), edge.target))
        };
        let is_in_all = |edge: &&Edge<'i>| {
            whole.contains(&(edge.package, edge.target, edge.deptypes, edge.virtuals))
        };
        let mut apart = edges.iter().flatten().filter(|edge| !is_in_all(edge)).peekable();
        apart.peek().is_some() && apart.all(is_explained)
    }

    /// Returns for each of the compared builds the words of each build of this package.
    fn specs(&self, index: &Index) -> Vec<Vec<Vec<String>>> {
        let builds = || {
            self.cells.iter().flatten().filter_map(|target| match target {
                EdgeTarget::Build(build) => Some(*build),
                EdgeTarget::Unknown { .. } => None,
            })
        };
        let is_stated: [bool; 3] =
            std::array::from_fn(|at| builds().all(|build| stated(index, build)[at].is_some()));
        let recipes: Option<Vec<String>> =
            builds().map(|build| Some(index.package_hash(build)?.to_owned())).collect();
        let words_of = |target: &EdgeTarget<'_>| {
            let EdgeTarget::Build(build) = *target else { return Vec::new() };
            let mut words = spec(index, build);
            let stated = stated(index, build).into_iter().zip(is_stated);
            let stated = stated.filter(|(_, is_stated)| *is_stated);
            words.extend(stated.filter_map(|(words, _)| words).flatten());
            let recipe = recipes.as_ref().zip(index.package_hash(build));
            words.extend(recipe.map(|(all, recipe)| format!("recipe={}", distinct(recipe, all))));
            words
        };
        let specs = |(cell, purpose): (&Vec<EdgeTarget<'_>>, &&str)| -> Vec<Vec<String>> {
            let purpose = Some(*purpose).filter(|purpose| !purpose.is_empty());
            let words = |target| {
                let mut words = words_of(target);
                words.extend(purpose.map(str::to_owned));
                words
            };
            cell.iter().map(words).collect()
        };
        self.cells.iter().zip(&self.purposes).map(specs).collect()
    }

    /// Returns a line of these words.
    fn line_with(&self, index: &Index, specs: &[Vec<Vec<String>>]) -> ComparedLine {
        let in_all = |word: &String| specs.iter().flatten().all(|spec| spec.contains(word));
        let hashes: Vec<String> = self
            .cells
            .iter()
            .flatten()
            .filter_map(|&target| Some(hash(index, target)?.to_string()))
            .collect();
        let words = self.cells.iter().zip(specs).map(|(cell, specs)| {
            let mut words = Vec::new();
            for (&target, spec) in cell.iter().zip(specs) {
                let is_shown = |word: &&String| word.starts_with('@') || !in_all(word);
                words.extend(spec.iter().filter(is_shown).cloned());
                let hash = hash(index, target).map_or(String::new(), |hash| hash.to_string());
                words.push(format!("/{}", distinct(&hash, &hashes)));
            }
            words
        });
        line_of(self.package, self.kind, words.collect())
    }
}

/// Returns what is said of an edge in all of these lists.
fn in_all<'i, K: Eq + Hash>(edges: &[Vec<Edge<'i>>], said: impl Fn(&Edge<'i>) -> K) -> HashSet<K> {
    let mut lists = edges.iter().map(|edges| edges.iter().map(&said).collect::<HashSet<K>>());
    let mut in_all = lists.next().unwrap_or_default();
    for list in lists {
        in_all.retain(|one| list.contains(one));
    }
    in_all
}

/// Returns what an edge is for when the dependent runs.
fn use_of<'i>(edge: &Edge<'i>) -> (&'i str, &'i [String], [bool; 2]) {
    let purposes = [Deptypes::LINK, Deptypes::RUN].map(|it| edge.deptypes.intersects(it));
    (edge.package, edge.virtuals, purposes)
}

/// Returns everything that each source states of a spec, except the hash.
fn spec(index: &Index, build: BuildId) -> Vec<String> {
    let row = index.row_of(build);
    let text = |facet| index.text(row, facet);
    let mut words = vec![
        format!("@{}", text(Facet::Version)),
        format!("platform={}", text(Facet::Platform)),
        format!("os={}", text(Facet::Os)),
        format!("target={}", text(Facet::Target)),
    ];
    if text(Facet::Compiler) != NO_COMPILER {
        words.push(format!("%{}", text(Facet::Compiler)));
    }
    words.extend(index.variants_of(row).iter().map(ToString::to_string));
    words
}

/// Returns the words of the repository of the recipe, of the compiler flags, and of where an external was found; `None` for
/// what the source of the build does not state.
fn stated(index: &Index, build: BuildId) -> [Option<Vec<String>>; 3] {
    let row = index.row_of(build);
    let origin = index.origin(row);
    // Cache pages state neither flags nor externals, nor dependencies.
    let is_full = index.lists_dependencies(row);
    let namespace = origin.namespace.as_ref().map(|name| vec![format!("namespace={name}")]);
    let flags = origin.flags.iter().map(|(name, flags)| format!("{name}={}", flags.join(" ")));
    let flags = (is_full || !origin.flags.is_empty()).then(|| flags.collect());
    let external = origin.external.then(|| match &origin.found_at {
        Some(FoundAt { prefix: Some(prefix), .. }) => format!("external at {prefix}"),
        Some(FoundAt { modules, .. }) if !modules.is_empty() => {
            format!("external in {}", modules.join(" "))
        }
        _ => "external".to_owned(),
    });
    let external = (is_full || external.is_some()).then(|| external.into_iter().collect());
    [namespace, flags, external]
}

fn hash(index: &Index, target: EdgeTarget<'_>) -> Option<build::Hash> {
    match target {
        EdgeTarget::Build(build) => index.hash(build),
        EdgeTarget::Unknown { hash, .. } => Some(hash),
    }
}

/// Returns enough of a hash to tell it apart from all others in the list, at least as much as a short hash has: the
/// hashes of spliced builds begin alike.
fn distinct<'h>(hash: &'h str, others: &[String]) -> &'h str {
    let short = spack_spec::short_hash(hash);
    let is_distinct =
        |start: &&str| others.iter().all(|other| other == hash || !other.starts_with(*start));
    let starts = (short.len()..hash.len()).filter_map(|length| hash.get(..length));
    let mut distinct = starts.filter(is_distinct);
    distinct.next().unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_as_much_of_hashes_as_distinguishes_them() {
        let all = ["faaoqwqaa", "faaoqwqab", "csnpvzfaa"].map(str::to_owned);
        let shown = all.clone().map(|hash| distinct(&hash, &all).to_owned());
        assert_eq!(shown, ["faaoqwqaa", "faaoqwqab", "csnpvzf"]);
        assert_eq!(distinct("", &all), "");
    }
}
