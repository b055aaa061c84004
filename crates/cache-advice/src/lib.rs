#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod alike;
mod alone;
mod also_built;
mod asked_machine;
mod asked_spec;
mod binaries;
pub mod causes;
pub mod changes;
pub mod compare;
mod complete;
mod contents;
mod coverage;
pub mod differences;
mod elsewhere;
pub mod environment;
mod every_gpu;
mod examples;
pub mod export;
pub mod fit;
mod gaps;
mod generation;
mod install;
mod leads;
pub mod likeness;
mod look_alikes;
pub mod machine_words;
mod more_specific;
mod nearest;
mod never_with;
mod no_own_code;
mod offers;
mod only_in;
mod other_systems;
pub mod recipes;
mod recommended;
pub mod relocation;
pub mod reuse;
mod runs_on;
pub mod sbom;
mod setup_problems;
mod similar;
pub mod text;
mod through_ptx;
mod uses;
mod variety;
mod virtual_package;
mod ways_out;
mod wording;

pub use alike::Alike;
pub use alone::{excluding_alone, matching_nothing_alone};
pub use also_built::{AlsoBuilt, compiled_with};
pub use asked_machine::{AskedMachine, without_machine};
pub use asked_spec::AskedSpec;
pub use binaries::Binaries;
pub use complete::{complete, while_typing};
pub use contents::{FileRow, FileTree, size_in_words};
pub use coverage::{Coverage, InEachStack, StackCell};
pub use elsewhere::{Elsewhere, Published, elsewhere};
pub use every_gpu::{ForEveryGpu, for_every_gpu};
pub use examples::{Example, examples};
pub use gaps::Gaps;
pub use generation::Generation;
pub use install::Install;
pub use leads::{Leads, leads};
pub use look_alikes::{differ_in, distinguishing_words, look_alikes, neighbours};
pub use more_specific::MoreSpecific;
pub use nearest::{Near, Nearing, nearest};
pub use never_with::NeverWith;
pub use no_own_code::without_own_code;
pub use offers::{Offer, Offers, offers, places_of_all, places_together};
pub use only_in::{InEach, NotIn, OnlyIn, OnlyInRelease};
pub use other_systems::OtherSystems;
pub use recommended::{
    avoids_gpu_code, has_gpu_code, has_newest_dependencies, is_foreign, recommended, uses_gpu,
};
pub use runs_on::RunsOn;
pub use setup_problems::{no_repository, setup_problems, unreadable};
pub use similar::{Similar, similar};
pub use through_ptx::through_ptx;
pub use uses::{Use, Users, used_by, why_listed};
pub use variety::most_varied;
pub use virtual_package::{ForeignProvider, VirtualPackage, users_of_providers};
pub use ways_out::{
    UnknownValue, WayOut, filters_in_the_way, unknown_values, way_out, ways_out, why,
};
