//! The index as the graph that specs are evaluated over.

use spack_spec::satisfy::{Compiler, Edge, Graph};
use spack_spec::spec::Deptypes;
use spack_spec::{VariantValue, Version};

use crate::build::CompilerSource;
use crate::facet::Facet;
use crate::index::{BuildId, Index, Target, ValueCode};

/// A view of an index; a node is a build, or a spec known only as a dependency.
pub(crate) struct IndexGraph<'i> {
    pub(crate) index: &'i Index,
}

impl Graph for IndexGraph<'_> {
    type Node = BuildId;

    fn node_count(&self) -> usize {
        self.index.specs() as usize
    }

    fn index(&self, node: BuildId) -> usize {
        node.0 as usize
    }

    fn name(&self, node: BuildId) -> &str {
        self.index.text(self.index.row_of(node), Facet::Package)
    }

    fn hash_starts_with(&self, node: BuildId, prefix: &str) -> bool {
        self.index.hash(node).is_some_and(|hash| hash.text().starts_with(prefix.as_bytes()))
    }

    fn namespace(&self, node: BuildId) -> Option<&str> {
        self.index.origin(self.index.row_of(node)).namespace.as_deref()
    }

    fn version(&self, node: BuildId) -> &Version {
        let ValueCode(code) = self.index.value(self.index.row_of(node), Facet::Version);
        self.index.parsed().version(code)
    }

    fn variant(&self, node: BuildId, name: &str) -> Option<&VariantValue> {
        let variants = self.index.parsed().variants(self.index, self.index.row_of(node));
        variants.iter().find(|variant| variant.name == name).map(|variant| &variant.value)
    }

    fn architecture(&self, node: BuildId) -> [&str; 3] {
        let row = self.index.row_of(node);
        [Facet::Platform, Facet::Os, Facet::Target].map(|facet| self.index.text(row, facet))
    }

    fn flags(&self, node: BuildId, name: &str) -> Option<&[String]> {
        let origin = self.index.origin(self.index.row_of(node));
        // Only what comes from a database file has a namespace, and then its flags are known.
        origin.namespace.as_ref()?;
        let flags = origin.flags.iter().find(|(known, _)| known == name);
        Some(flags.map_or(&[], |(_, flags)| flags.as_slice()))
    }

    fn compiler(&self, node: BuildId) -> Compiler<'_> {
        let row = self.index.row_of(node);
        if self.index.origin(row).compiler_source == CompilerSource::Dependency {
            return Compiler::Dependency;
        }
        let ValueCode(code) = self.index.value(row, Facet::Compiler);
        match self.index.parsed().compiler(code) {
            Some((name, version)) => Compiler::Recorded { name, version },
            None => Compiler::NotRecorded,
        }
    }

    fn dependencies(&self, node: BuildId) -> Option<impl Iterator<Item = Edge<'_, BuildId>>> {
        let edges = self.index.dependencies(node)?;
        Some(edges.map(|edge| Edge {
            package: edge.package,
            node: match edge.target {
                Target::Build(build) => Some(build),
                Target::Unknown { .. } => None,
            },
            deptypes: deptypes(edge.deptypes),
            virtuals: edge.virtuals,
        }))
    }
}

fn deptypes(types: crate::build::Deptypes) -> Deptypes {
    let known = types.names().filter_map(Deptypes::named);
    known.fold(Deptypes::default(), Deptypes::union)
}
