//! Which of the builds that match to take, where it is, and what command installs it.

mod asked_spec;
mod install;
mod offers;
pub(crate) mod recommended;

pub use self::asked_spec::AskedSpec;
pub use self::install::Install;
pub use self::offers::{Offer, Offers, offers, places_of_all, places_together};
pub use self::recommended::{
    avoids_gpu_code, has_gpu_code, has_newest_dependencies, is_foreign, recommended, uses_gpu,
};
