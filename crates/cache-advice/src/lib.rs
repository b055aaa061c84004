#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod binaries;
pub mod causes;
pub mod changes;
mod choosing;
mod coverage;
pub mod differences;
pub mod environment;
pub mod export;
pub mod fit;
pub mod machine_words;
mod no_match;
mod notes;
pub mod recipes;
pub mod relocation;
pub mod reuse;
mod suggestions;
pub mod text;
mod uses;

pub use binaries::{Binaries, FileRow, FileTree, size_in_words};
pub use choosing::{
    AskedSpec, Install, Offer, Offers, avoids_gpu_code, has_gpu_code, has_newest_dependencies,
    is_foreign, offers, places_of_all, places_together, recommended, uses_gpu,
};
pub use coverage::{Coverage, InEachStack, StackCell};
pub use differences::{
    Alike, Generation, Similar, differ_in, distinguishing_words, look_alikes, neighbours, similar,
};
pub use export::Gaps;
pub use no_match::{
    Elsewhere, Leads, Near, NearestSteps, PublishedParts, UnknownValue, WayOut, elsewhere,
    excluding_alone, filters_in_the_way, leads, matching_nothing_alone, nearest, unknown_values,
    way_out, ways_out, why,
};
pub use notes::{
    AlsoBuilt, AskedMachine, ForEveryGpu, ForeignProvider, InEach, MoreSpecific, NeverWith, NotIn,
    OnlyIn, OnlyInRelease, OtherSystems, RunsOn, VirtualPackage, compiled_with, for_every_gpu,
    no_repository, setup_problems, through_ptx, unreadable, users_of_providers, without_machine,
    without_own_code,
};
pub use suggestions::{Example, complete, examples, most_varied, while_typing};
pub use uses::{Use, Users, used_by, why_listed};
