#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod arch;
mod constrain;
mod deptypes;
mod dialect;
mod flags;
mod hash;
mod merge;
mod parse;
mod print;
mod quote;
mod satisfy;
mod shell;
mod sorted;
mod span;
mod spec;
mod suggest;
mod target;
mod variant;
mod version;
mod virtuals;

pub use arch::ArchitectureConstraint;
pub use constrain::Contradiction;
pub use deptypes::Deptypes;
pub use dialect::Dialect;
pub use flags::{FLAG_NAMES, Flag, FlagConstraint};
pub use hash::{HASH_LENGTH, SHORT_HASH_LENGTH, is_hash_part, short_hash};
pub use parse::{
    Completion, CompletionKind, ParseError, ParseErrorKind, PartRole, SPEC_LIMIT, SpecDraft,
    SpecPart,
};
pub use satisfy::{
    Compiler, Edge, Facts, Graph, IndexedGraph, Link, Matcher, MissingData, NumberedGraph,
    Satisfies, dependency_order, node_satisfies,
};
pub use shell::shell_word;
pub use sorted::{SortKey, SortedList};
pub use span::{Span, message_with_carets};
pub use spec::{CompilerConstraint, Dependency, Node, Spec};
pub use suggest::{is_one_slip, nearest};
pub use target::{Target, TargetConstraint, Vendor};
pub use variant::{
    Variant, VariantConstraint, VariantError, VariantErrorKind, VariantValue, WantedValue,
};
pub use version::{
    Version, VersionConstraint, VersionElement, VersionError, VersionErrorKind, VersionRange,
};
pub use virtuals::{LANGUAGES, is_virtual};
