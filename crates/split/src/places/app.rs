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
            // What is wrong with an index, in words.
            "serde_json::error::",
            // What a first visit's question leaves out: a machine and its Spack, and a text. Addresses and answers lead to all of
            // it, so it is in their crate.
            "cache_query::host::verdict::",
            "cache_query::preference::",
            "cache_query::search::",
        ],
    }],
    types: &["cache_explorer_pages::", "cache_index::index::json::later::"],
    stay: &[],
};
