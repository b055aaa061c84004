//! The fields of a build as codes of an index, and back.
//!
//! [`Build::field`] reads a field of a build, [`Index::build_alone`] restores it. A build has many places, variants and
//! dependencies, so these are stored as sets and edges.

use super::{BuildId, Index, NO_COMPILER};
use crate::build::Build;
use crate::facet::{Facet, Side, Storage};

impl Build {
    /// Returns the value of a facet that corresponds to a field with one value; `None` if the build has none, or for
    /// any other facet.
    pub fn field(&self, facet: Facet) -> Option<&str> {
        match facet {
            Facet::Package => Some(&self.package),
            Facet::Version => Some(&self.version),
            Facet::Platform => Some(&self.platform),
            Facet::Os => Some(&self.os),
            Facet::Target => Some(&self.target),
            Facet::Compiler => self.compiler.as_deref(),
            Facet::Stack | Facet::Release | Facet::Variant | Facet::Provider | Facet::Libc => None,
        }
    }

    /// Returns the values of a facet that corresponds to a field with several values; empty for any other facet.
    pub fn list(&self, facet: Facet) -> Vec<String> {
        match facet.stored() {
            Storage::Variants => self.variants.iter().map(ToString::to_string).collect(),
            Storage::Place(Side::Release) => self.releases(),
            Storage::Place(Side::Stack) => self.stacks(),
            _ => Vec::new(),
        }
    }
}

impl Index {
    /// Returns everything known about a build from the parts that have been loaded; `None` until its hash has been
    /// loaded.
    pub fn build(&self, id: BuildId) -> Option<Build> {
        let build = self.build_alone(id)?;
        Some(Build { dependencies: self.dependencies_of(id), ..build })
    }

    /// Returns the build without its dependencies, which are larger than everything else.
    pub fn build_alone(&self, id: BuildId) -> Option<Build> {
        let hash = self.hash(id)?;
        let row = self.row_of(id);
        let text = |facet| self.text(row, facet).to_owned();
        let compiler = self.text(row, Facet::Compiler);
        let origin = self.origin(row);
        let places = self.places_of(row).collect();
        Some(Build {
            hash,
            package: text(Facet::Package),
            namespace: origin.namespace.clone(),
            version: text(Facet::Version),
            platform: text(Facet::Platform),
            os: text(Facet::Os),
            target: text(Facet::Target),
            compiler: (compiler != NO_COMPILER).then(|| compiler.to_owned()),
            compiler_source: origin.compiler_source,
            variants: self.variants_of(row),
            flags: origin.flags.clone(),
            places,
            size: self.size(id),
            package_hash: self.package_hash(id).map(str::to_owned),
            external: origin.external,
            found_at: origin.found_at.clone(),
            spliced_from: origin.spliced_from,
            spec_format: origin.spec_format,
            provided_virtuals: origin.provided_virtuals.clone(),
            signature: self.signature(id),
            digest: self.digest(id),
            first_seen: self.first_seen(id).map(str::to_owned),
            dependencies: None,
        })
    }
}
