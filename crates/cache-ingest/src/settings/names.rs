//! The names that Spack reads in its settings, to recognize those that are misspelt.

use spack_spec::nearest;

use crate::fields::{Fields, Problems};
use crate::problem::{Finding, quote};

/// The sections of configuration, and what else may be at the top of a `spack.yaml`.
pub(super) const SECTIONS: &[&str] = &[
    "bootstrap",
    "cdash",
    "ci",
    "compilers",
    "concretizer",
    "config",
    "container",
    "definitions",
    "develop",
    "env_vars",
    "include",
    "include_concrete",
    "mirrors",
    "modules",
    "packages",
    "repos",
    "spack",
    "specs",
    "toolchains",
    "upstreams",
    "view",
];

/// The names that `concretizer:` may have.
pub(super) const IN_CONCRETIZER: &[&str] = &[
    "concretization_cache",
    "duplicates",
    "enable_node_namespace",
    "error_on_timeout",
    "externals",
    "force",
    "os_compatible",
    "reuse",
    "splice",
    "static_analysis",
    "targets",
    "timeout",
    "unify",
];

/// The names that `reuse:` may have.
pub(super) const IN_REUSE: &[&str] = &["exclude", "from", "include", "roots"];

/// The names that the settings of a package may have.
pub(super) const IN_PACKAGE: &[&str] = &[
    "buildable",
    "compiler",
    "conflict",
    "externals",
    "package_attributes",
    "permissions",
    "prefer",
    "providers",
    "require",
    "target",
    "variants",
    "version",
];

/// Reports each name that is nearly one of these.
pub(super) fn refuse_misspelt(
    fields: Fields<'_>,
    known: &[&[&'static str]],
    problems: &mut Problems,
) {
    let names: Vec<String> = fields.names().map(str::to_owned).collect();
    for name in names {
        if let Some(finding) = misspelt(&name, known) {
            problems.report(fields.name(&name), finding);
        }
    }
}

/// Returns the finding for a name that is nearly one of these; `None` if it is one of them, or not similar to any.
pub(super) fn misspelt(name: &str, known: &[&[&'static str]]) -> Option<Finding> {
    let known = || known.iter().flat_map(|known| known.iter().copied());
    let plain = name.trim_end_matches(':');
    if known().any(|known| known == plain) {
        return None;
    }
    let expected = nearest(plain, known())?;
    Some(Finding::UnexpectedType { expected, found: quote(plain) })
}
