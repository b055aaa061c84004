//! What a page says if nothing matches: which filters are in the way, which builds come nearest, and where else the
//! page has what a text asks for.

mod alone;
mod elsewhere;
mod leads;
mod nearest;
mod unknown_values;
mod ways_out;

pub use self::alone::{excluding_alone, matching_nothing_alone};
pub use self::elsewhere::{Elsewhere, PublishedParts, elsewhere};
pub use self::leads::{Leads, leads};
pub use self::nearest::{Near, NearestSteps, nearest};
pub use self::unknown_values::{UnknownValue, unknown_values};
pub use self::ways_out::{WayOut, filters_in_the_way, way_out, ways_out, why};
