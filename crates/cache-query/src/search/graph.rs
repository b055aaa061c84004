//! The index as the graph that specs are evaluated over.

use std::slice;

use cache_index::build::CompilerSource;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, Index, RowId, ValueCode};
use spack_spec::{
    Compiler, Edge, IndexedGraph, Link, dependency_order, is_virtual as is_known_virtual,
};
use spack_spec::{VariantValue, Version};

/// A view of an index as a graph. A node is a build, or a spec that is only known as a dependency. Nodes of one row are
/// of one kind.
pub struct IndexGraph<'i> {
    /// The index.
    pub index: &'i Index,
    rows: &'i [u32],
    edges: Option<&'i Dependencies>,
}

impl<'i> IndexGraph<'i> {
    /// Returns the graph of an index.
    pub fn new(index: &'i Index) -> IndexGraph<'i> {
        IndexGraph { index, rows: index.row_by_build(), edges: index.edges() }
    }

    /// Returns all nodes, each after those that it depends on; `None` if no dependencies are known.
    pub fn in_order(&self) -> Option<&'i [BuildId]> {
        let all = (0..self.index.specs()).map(BuildId);
        self.edges.map(|edges| edges.in_order(|| dependency_order(self, all)))
    }

    fn row(&self, node: BuildId) -> RowId {
        RowId(self.rows[node.0 as usize])
    }

    fn text(&self, row: RowId, facet: Facet) -> &'i str {
        self.index.text(row, facet)
    }
}

/// The edges of a node. A search visits each edge of the graph, and the app is compiled for size: without the hint, a call
/// for each of them takes half of the time.
struct Edges<'i> {
    links: slice::Iter<'i, u32>,
    targets: slice::Iter<'i, u32>,
    /// Targets below are builds.
    known: u32,
}

impl Iterator for Edges<'_> {
    type Item = Edge<BuildId>;

    #[inline(always)]
    fn next(&mut self) -> Option<Edge<BuildId>> {
        let (&link, &target) = (self.links.next()?, self.targets.next()?);
        Some(Edge {
            link: link as usize,
            node: if target < self.known { Some(BuildId(target)) } else { None },
        })
    }
}

impl IndexedGraph for IndexGraph<'_> {
    type Node = BuildId;

    fn node_count(&self) -> usize {
        self.rows.len()
    }

    fn index(&self, node: BuildId) -> usize {
        node.0 as usize
    }

    fn kind(&self, node: BuildId) -> usize {
        self.rows[node.0 as usize] as usize
    }

    fn kind_count(&self) -> usize {
        self.index.rows()
    }

    fn name(&self, node: BuildId) -> &str {
        self.text(self.row(node), Facet::Package)
    }

    fn hash_starts_with(&self, node: BuildId, prefix: &str) -> bool {
        self.index.hash(node).is_some_and(|hash| hash.text().starts_with(prefix.as_bytes()))
    }

    fn namespace(&self, node: BuildId) -> Option<&str> {
        self.index.origin(self.row(node)).namespace.as_deref()
    }

    fn version(&self, node: BuildId) -> &Version {
        let ValueCode(code) = self.index.value(self.row(node), Facet::Version);
        self.index.parsed().version(code)
    }

    fn variant(&self, node: BuildId, name: &str) -> Option<&VariantValue> {
        let variants = self.index.parsed().variants(self.index, self.row(node));
        variants.iter().find(|variant| variant.name == name).map(|variant| &variant.value)
    }

    fn architecture(&self, node: BuildId) -> [&str; 3] {
        let row = self.row(node);
        [Facet::Platform, Facet::Os, Facet::Target].map(|facet| self.text(row, facet))
    }

    fn flags(&self, node: BuildId, name: &str) -> Option<&[String]> {
        let origin = self.index.origin(self.row(node));
        // Only builds from a database file have a namespace, and their flags are known.
        origin.namespace.as_ref()?;
        let flags = origin.flags.iter().find(|(known, _)| known == name);
        Some(flags.map_or(&[], |(_, flags)| flags.as_slice()))
    }

    fn compiler(&self, node: BuildId) -> Compiler<'_> {
        let row = self.row(node);
        if self.index.origin(row).compiler_source == CompilerSource::Dependency {
            return Compiler::Dependency;
        }
        let ValueCode(code) = self.index.value(row, Facet::Compiler);
        match self.index.parsed().compiler(code) {
            Some((name, version)) => Compiler::Recorded { name, version },
            None => Compiler::NotRecorded,
        }
    }

    #[inline(always)] // As below.
    fn dependencies(&self, node: BuildId) -> Option<impl Iterator<Item = Edge<BuildId>>> {
        let (links, targets) = self.edges?.numbers(node.0 as usize);
        if links.is_empty() && !self.index.lists_dependencies(self.row(node)) {
            return None;
        }
        Some(Edges { links: links.iter(), targets: targets.iter(), known: self.rows.len() as u32 })
    }

    fn link_count(&self) -> usize {
        self.edges.map_or(0, |edges| edges.links.len())
    }

    fn link(&self, link: usize) -> Link<'_> {
        let edges = self.edges.expect("a link is that of an edge");
        let link = edges.links[link];
        let kind = &edges.kinds[link.kind as usize];
        Link {
            package: self.index.package_or_further(edges, link.package),
            deptypes: kind.deptypes,
            virtuals: &kind.virtuals,
        }
    }

    fn provided(&self, node: BuildId) -> Option<&[String]> {
        self.index.origin(self.row(node)).provided_virtuals.as_deref()
    }

    fn is_virtual(&self, name: &str) -> bool {
        is_virtual(self.index, name)
    }

    fn stood_for(&self, name: &str) -> Vec<BuildId> {
        let links: Vec<bool> =
            (0..self.link_count()).map(|link| self.link(link).stands_for(name)).collect();
        let builds = (0..self.rows.len() as u32).map(BuildId);
        let edges = builds.filter_map(|build| self.dependencies(build)).flatten();
        edges.filter(|edge| links[edge.link]).filter_map(|edge| edge.node).collect()
    }
}

/// Returns `true` for a name that packages provide or depend on although there is no package of that name.
pub fn is_virtual(index: &Index, name: &str) -> bool {
    if is_known_virtual(name) || index.dictionary(Facet::Package).code(name).is_some() {
        return is_known_virtual(name);
    }
    let depended_on = index.edges().into_iter().flat_map(|edges| &edges.kinds);
    let depended_on = depended_on.flat_map(|kind| &kind.virtuals).map(String::as_str);
    let provided = index.origins().iter().flat_map(|origin| origin.provided_virtuals.iter());
    let provided = provided.flatten().map(|text| text.split('@').next().unwrap_or_default());
    depended_on.chain(provided).any(|known| known == name)
}
