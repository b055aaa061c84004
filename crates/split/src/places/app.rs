//! Code of the app that a first visit does not need. Without any one entry, the first module would have at least 1,000 more bytes
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
            // The parts of the index that follow its columns, and what only they need. In the same crate as the columns,
            // because one module both writes and reads the format.
            "cache_index::index::Index>::read_details",
            "cache_index::index::Index>::read_changes",
            "cache_index::index::Index>::read_recipes",
            "cache_index::index::json::dependencies::",
            "cache_index::index::json::details::",
            "core::option::Option<alloc::boxed::Box<cache_index::index::json::recipes::",
            "serde_json::de::Deserializer<serde_json::read::StrRead> as serde_core::de::Deserializer>::deserialize_struct::<<cache_index::index::json::earlier::",
            "cache_index::mirror::",
            // What is wrong with an index, in words.
            "cache_index::index::json::error::",
            "serde_json::error::",
            // What a first visit's question leaves out: a machine and its Spack, and a text. Addresses and answers lead to all of
            // it, so it is in their crate.
            "cache_query::host::verdict::",
            "cache_query::preference::",
            "cache_query::search::Search>::read_plain",
            "cache_query::search::facets::",
            "cache_query::search::graph",
            "cache_query::search::meaning::of_spec",
            "cache_query::search::selection::Evaluation",
            "cache_query::search::signed::",
            "spack_spec::parse::",
            "spack_spec::spec::",
            // What only code in the rest uses, but is called through tables, or named in panics of the first module.
            "_ as tachys::html::attribute::any_attribute::IntoAnyAttribute>::into_any_attr::rebuild",
            "_ as tachys::view::any_view::IntoAny>::into_any::rebuild",
            "char>::escape_debug",
            "core::fmt::float::",
            "core::str::pattern::StrSearcher",
            "core::str::slice_error_fail",
            "js_sys::futures::future_to_promise::",
            "serde_json::value::Value as serde_core::ser::",
        ],
    }],
    types: "cache_explorer_pages::",
    stay: &[],
};
