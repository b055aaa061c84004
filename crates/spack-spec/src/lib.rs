#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod arch;
mod constrain;
mod deptypes;
mod dialect;
mod flags;
mod merge;
pub mod parse;
mod print;
mod quote;
pub mod satisfy;
mod shell;
mod sorted;
pub mod spec;
mod suggest;
pub mod target;
pub mod variant;
pub mod version;
mod virtuals;

pub use arch::ArchitectureConstraint;
pub use constrain::Contradiction;
pub use deptypes::Deptypes;
pub use dialect::Dialect;
pub use flags::{FLAG_NAMES, Flag, FlagConstraint};
pub use parse::{ParseError, ParseErrorKind, Reading, Role};
pub use satisfy::{Compiler, Facts, Graph, Link, Matcher, Missing, Numbered, Satisfies};
pub use shell::shell_word;
pub use sorted::{Keyed, Sorted};
pub use spec::{CompilerConstraint, Dependency, Node, Spec};
pub use suggest::nearest;
pub use target::{Target, TargetConstraint, Vendor};
pub use variant::{
    Variant, VariantConstraint, VariantError, VariantErrorKind, VariantValue, Wanted,
};
pub use version::{
    Version, VersionConstraint, VersionElement, VersionError, VersionErrorKind, VersionRange,
};
