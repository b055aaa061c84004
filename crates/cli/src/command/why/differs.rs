//! How a build differs from the nearest one that Spack would consider.

use std::io::{self, Write};

use cache_advice::causes::{Causes, CausesInWords, LISTED, Occasion};
use cache_advice::similar;
use cache_index::index::{BuildId, Index};
use cache_ingest::visible;
use serde_json::{Value, json};

/// How many similar builds are looked at.
const SIMILAR: usize = 20;

/// The nearest build that Spack would consider, and why the build in question has another hash.
pub(super) struct NearestEligible {
    nearest: BuildId,
    causes: Causes,
}

impl NearestEligible {
    /// Finds the eligible build that differs least from one that is not eligible; returns `None` if none is similar enough,
    /// or the cache does not say how they differ.
    pub(super) fn of(
        index: &Index,
        build: BuildId,
        is_eligible: impl Fn(BuildId) -> bool,
    ) -> Option<NearestEligible> {
        if is_eligible(build) {
            return None;
        }
        let similar = similar(index, build, SIMILAR);
        let nearest = similar.into_iter().find(|similar| is_eligible(similar.build))?.build;
        let causes = Causes::between((index, &[nearest]), (index, &[build]));
        causes.shown().next()?;
        Some(NearestEligible { nearest, causes })
    }

    /// Writes the nearest build, as `spec` writes it, and the causes.
    pub(super) fn write(
        &self,
        out: &mut impl Write,
        spec: impl Fn(BuildId) -> String,
    ) -> io::Result<()> {
        writeln!(out, "\nthe nearest eligible build is {}", visible(&spec(self.nearest)))?;
        writeln!(out, "from it to this build:")?;
        for (_, cause) in self.causes.shown().take(LISTED) {
            writeln!(out, "  {}", visible(&cause.words()))?;
        }
        Ok(())
    }

    /// Adds the nearest build and the causes to an object.
    pub(super) fn extend(&self, index: &Index, object: &mut Value) {
        if let Some(object) = object.as_object_mut() {
            let nearest = index.hash(self.nearest).map(|hash| hash.to_string());
            object.insert("nearest_eligible".to_owned(), json!(nearest));
            let occasion = Occasion::TwoBuilds;
            object.extend(CausesInWords { causes: &self.causes, occasion }.json());
        }
    }
}
