#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod alike;
pub mod causes;
pub mod changes;
pub mod compare;
mod complete;
mod contents;
mod coverage;
pub mod differences;
pub mod environment;
mod examples;
pub mod export;
pub mod fit;
mod gaps;
mod generation;
mod install;
pub mod likeness;
mod look_alikes;
pub mod machine_words;
mod nearest;
mod offers;
pub mod recipes;
pub mod relocation;
pub mod reuse;
mod runs_on;
mod similar;
pub mod text;
mod uses;
mod variety;
mod ways_out;

pub use alike::Alike;
pub use complete::{Completion, Completions, complete, while_typing};
pub use contents::{FileRow, FileTree, size_in_words};
pub use coverage::{Coverage, InEachStack, StackCell};
pub use examples::{Example, examples};
pub use gaps::Gaps;
pub use generation::Generation;
pub use install::{Install, recommended, uses_gpu};
pub use look_alikes::{distinguishing_words, look_alikes, neighbours};
pub use nearest::{Near, Nearing, nearest};
pub use offers::{Offer, Offers, offers, places_of_all};
pub use runs_on::RunsOn;
pub use similar::{Similar, similar};
pub use uses::{Use, used_by};
pub use variety::most_varied;
pub use ways_out::{Cause, WayOut, matching_nothing_alone, way_out, ways_out, why};
