//! What pages are made of. A part gets what it shows as properties, and does not know which page it is on.

pub(crate) mod beyond;
pub(crate) mod columns;
pub(crate) mod elsewhere;
pub(crate) mod empty;
pub(crate) mod formats;
pub(crate) mod from_source;
pub(crate) mod gaps;
pub(crate) mod heat;
pub(crate) mod leads;
pub(crate) mod left_out;
pub(crate) mod looking;
pub(crate) mod not_on_device;
pub(crate) mod of_settings;
pub(crate) mod other_systems;
pub(crate) mod own_file;
pub(crate) mod runs_on;
pub(crate) mod sentence;
pub(crate) mod spec;
pub(crate) mod unknown_values;
pub(crate) mod verdict;
