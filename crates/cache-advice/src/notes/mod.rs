//! What a page says next to an answer, so that nobody takes it for more or for less than it is: builds that a search
//! leaves out although they may be meant, builds that it finds although they may not be, and what has no meaning in a
//! link or a form.

mod also_built;
mod asked_machine;
mod every_gpu;
mod more_specific;
mod never_with;
mod no_own_code;
mod only_in;
mod other_systems;
pub(crate) mod runs_on;
mod setup_problems;
mod through_ptx;
mod virtual_package;

pub use self::also_built::{AlsoBuilt, compiled_with};
pub use self::asked_machine::{AskedMachine, without_machine};
pub use self::every_gpu::{ForEveryGpu, for_every_gpu};
pub use self::more_specific::MoreSpecific;
pub use self::never_with::NeverWith;
pub use self::no_own_code::without_own_code;
pub use self::only_in::{InEach, NotIn, OnlyIn, OnlyInRelease};
pub use self::other_systems::OtherSystems;
pub use self::runs_on::RunsOn;
pub use self::setup_problems::{no_repository, setup_problems, unreadable};
pub use self::through_ptx::through_ptx;
pub use self::virtual_package::{ForeignProvider, VirtualPackage, users_of_providers};
