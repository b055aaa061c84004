//! Where builds are in an install tree.

use super::{BuildId, Index};
use crate::facet::Facet;
use crate::spack::TreeLayout;

impl Index {
    /// Returns the path of a build below the root of an install tree; `None` if its hash is not known.
    pub fn path_in_tree(&self, build: BuildId, layout: TreeLayout) -> Option<String> {
        let hash = self.hash(build)?;
        let row = self.row_of(build);
        let text = |facet| self.text(row, facet);
        let [platform, os, target] = [Facet::Platform, Facet::Os, Facet::Target].map(text);
        let (name, version) = (text(Facet::Package), text(Facet::Version));
        Some(match layout {
            TreeLayout::ByTarget => format!("{platform}-{target}/{name}-{version}-{hash}"),
            TreeLayout::ByCompiler => {
                let compiler = text(Facet::Compiler).replacen('@', "-", 1);
                format!("{platform}-{os}-{target}/{compiler}/{name}-{version}-{hash}")
            }
        })
    }
}
