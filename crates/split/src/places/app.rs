//! Code of the app that a first visit does not need. Without any one entry, the first module would have at least 2,000 more bytes
//! of code.

use super::{Part, Places};

/// The app has one part, the rest.
pub(crate) const APP: Places = Places {
    load: "__wbg_loadRest_",
    parts: &[Part {
        name: "rest",
        with: &[],
        code: &[
            // The crates that are downloaded after the first answer.
            "cache_explorer_pages::",
            "cache_advice::",
            // The parts of the index that follow its columns.
            "cache_index::index::json::later::",
            // Messages about what is wrong with an index.
            "serde_json::error::",
            // What the question of a first visit does not have: a machine and its Spack, and a text. Addresses and
            // answers use all of this code, so it is in their crate.
            "cache_query::host::verdict::",
            "cache_query::preference::",
            "cache_query::search::",
        ],
    }],
    types: &["cache_explorer_pages::", "cache_index::index::json::later::"],
    stay: &[],
};
