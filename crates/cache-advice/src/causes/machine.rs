//! What a machine can have: which causes can be undone there, and what is a part of its system.

use cache_query::host::Host;

use super::{Cause, OwnDifference};
use crate::differences::{Field, FieldValue};

impl Cause {
    /// Returns `false` if a machine cannot have what the old side has: another system, a target that it does not run, or a libc that
    /// is not its own.
    pub fn can_be_undone_on(&self, host: &Host) -> bool {
        let OwnDifference { field, old: FieldValue::Text(old), .. } = &self.difference else {
            return true;
        };
        match field {
            Field::Platform => old == host.platform(),
            Field::Os => old == host.os(),
            Field::Target => match [host.target(), old].map(spack_spec::Target::named) {
                [Some(own), Some(old)] => own.runs(old),
                _ => true,
            },
            Field::Version if self.packages.iter().all(|package| is_libc(package)) => host
                .libc()
                .is_none_or(|libc| libc.split_once('@').is_some_and(|(_, version)| version == old)),
            _ => true,
        }
    }
}

/// Returns `true` for a package that is a part of the system, so that nobody can choose it.
pub(super) fn is_libc(package: &str) -> bool {
    matches!(package, "glibc" | "musl")
}

/// Returns `true` for a package that comes with the compiler.
pub(super) fn is_of_compiler(package: &str) -> bool {
    matches!(package, "compiler-wrapper" | "gcc-runtime" | "intel-oneapi-runtime")
}
