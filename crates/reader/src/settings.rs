//! Reading the settings of a user's Spack that they have chosen or pasted in the page, as `why --config` reads them.

use std::path::Path;

use cache_index::spack::SpackVersion;
use cache_ingest::read_settings;
use cache_ingest::report::Report;
use cache_query::Preference;
use cache_query::address;

use crate::environment::read;
use crate::{Bytes, ChosenFiles, Refusal};

/// Reads the first file that was chosen as settings, and returns them as an address states them. Settings that it does
/// not mention are taken from `known`, other settings as an address states them; or are Spack's defaults if `known`
/// does not mention them either.
#[inline(never)] // Not needed for a database, see `crates/split`.
pub fn open_settings<B: Bytes>(chosen: &ChosenFiles<B>, known: &str) -> Result<String, Refusal> {
    let mut report = Report::default();
    let path = chosen.inputs().next().unwrap_or(Path::new(""));
    match read(chosen, path, u64::MAX) {
        Err(error) => report.error(&error),
        Ok(bytes) => match read_settings(&bytes, address::decode_preference(known).settings) {
            Ok(settings) => {
                let preference = Preference { spack: SpackVersion::default(), settings };
                return Ok(address::encode_preference(&preference));
            }
            Err(problems) => {
                let name = path.to_string_lossy();
                problems.iter().for_each(|problem| report.problem(&name, problem));
            }
        },
    }
    Err(Refusal::of(&report))
}
