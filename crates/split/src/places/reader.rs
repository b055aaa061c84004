//! Code of the reader that only some files need: a part for each thing that only some inputs have.
//!
//! Whatever a user opens, the parts that it needs have to stay within a budget (`tests/weight.rs`). A part
//! lists where its code is entered, and what only that calls follows it; what is called through a table, as the methods of
//! trait objects are, has to be listed too.
//!
//! The list is longer than one entry a part: a reader of a format and the code that takes its builds are in different modules,
//! and parts that only some inputs need share modules with code that all need, such as the format of the index and the
//! standard library.

use super::{Part, Places};

/// The reader has no network, so the page fetches what is missing, and has everything read again.
pub(crate) const READER: Places = Places {
    load: "__wbg_loadPart_",
    parts: &[
        // Whatever becomes an index: finding and collecting it, packing, writing, and what is new to this reader.
        Part {
            name: "cache",
            with: &[],
            code: &[
                "cache_index::index::",
                "cache_ingest::inputs::",
                "cache_ingest::problem::note::Notes>::add_seen",
                "char>::escape_debug",
                "reader_core::open::",
                "serde_json::value::Value",
            ],
        },
        // Records of databases, which lock files and images have too.
        Part { name: "record", with: &["cache"], code: &["cache_ingest::database::record::"] },
        // What only whole databases have.
        Part { name: "database", with: &["cache", "record"], code: &["cache_ingest::database::"] },
        // Folders with a mirror, and what a mirror or a repository has, against which its database is compared.
        Part {
            name: "mirror",
            with: &["cache", "database", "record"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::Chosen<reader::Worker>>>::read_mirror",
                "cache_ingest::mirror::",
            ],
        },
        // Copies of repositories of a registry.
        Part {
            name: "oci",
            with: &["cache", "database", "mirror", "record"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::Chosen<reader::Worker>>>::read_repository",
                "cache_ingest::oci::",
            ],
        },
        // Looking into binaries, which a user asks for.
        Part {
            name: "inside",
            with: &["cache", "database", "mirror", "oci", "record", "yaml"],
            code: &[
                "cache_index::index::Index>::write_facts",
                "cache_index::index::json::facts::",
                "cache_ingest::inputs::local::",
                "cache_ingest::mirror::binaries::",
                "memchr::memmem::",
                "reader_core::inside::",
            ],
        },
        // What leads to other machines: manifests of mirrors, and URLs.
        Part {
            name: "elsewhere",
            with: &["cache"],
            code: &[
                "cache_ingest::inputs::find::InputSearch<reader_core::chosen::Chosen<reader::Worker>>>::add_url",
                "cache_ingest::inputs::find::InputSearch<reader_core::chosen::Chosen<reader::Worker>>>::manifest",
                "cache_ingest::inputs::location::locate",
            ],
        },
        // The two files with the data of cache.spack.io.
        Part {
            name: "package-data",
            with: &["cache", "database", "record"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::Chosen<reader::Worker>>>::read_package_data",
                "cache_ingest::inputs::halves::Halves>::join",
                "cache_ingest::package_data::",
            ],
        },
        // Cache pages, which contain YAML.
        Part {
            name: "page",
            with: &["cache", "yaml"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::Chosen<reader::Worker>>>::read_pages",
            ],
        },
        // Reading an index. One module both writes and reads the format, so its functions are listed one by one.
        Part {
            name: "index",
            with: &["cache"],
            code: &[
                "cache_index::index::Index>::from_json",
                "cache_index::index::Index>::read_",
                "cache_index::index::Index>::set_",
                "cache_index::index::json::about::About as serde_core::de",
                "cache_index::index::json::dependencies::DependenciesDocument as serde_core::de",
                "cache_index::index::json::details::DetailsDocument as serde_core::de",
                "cache_index::index::json::recipes::",
                "cache_index::index::json::rows::RowColumns as serde_core::de",
                "cache_index::index::json::Document as serde_core::de",
                "cache_index::index::json::Document>::read",
                "cache_ingest::inputs::index_file::load_index",
                "cache_ingest::inputs::read::Intake<reader_core::chosen::Chosen<reader::Worker>>>::read_index",
                "serde_json::read::StrRead",
            ],
        },
        // Several inputs at once: naming them, and builds in which they differ.
        Part {
            name: "several",
            with: &["cache"],
            code: &[
                "cache_ingest::agreement::",
                "cache_ingest::inputs::find::InputSearch<reader_core::chosen::Chosen<reader::Worker>>>::without_parts",
                "cache_ingest::inputs::naming::labels",
                "cache_ingest::report::Report>::conflict",
            ],
        },
        // The two compressions, each a crate.
        Part { name: "gzip", with: &[], code: &["flate2::"] },
        Part {
            name: "zstd",
            with: &[],
            code: &[
                "cache_ingest::compression::Bounded<cache_ingest::compression::Zstd",
                "ruzstd::",
            ],
        },
        // What is recognized as an environment, and lists of specs.
        Part {
            name: "environment",
            with: &[],
            code: &["reader_core::environment::read_as_environment"],
        },
        // What Spack prints or writes as JSON: `spack.lock`, `spack find --json`.
        Part {
            name: "lock",
            with: &["cache", "record"],
            code: &[
                "cache_ingest::environment::read_json",
                "cache_ingest::environment::read_specs_in_yaml",
            ],
        },
        // `spack.yaml`.
        Part {
            name: "manifest",
            with: &["spec", "yaml"],
            code: &["cache_ingest::environment::expand::", "cache_ingest::environment::manifest::"],
        },
        // Settings of Spack.
        Part { name: "settings", with: &["spec", "yaml"], code: &["reader_core::settings::"] },
        // Specs as users write them, which records do not contain.
        Part {
            name: "spec",
            with: &[],
            code: &[
                "cache_ingest::environment::commands::in_commands",
                "spack_spec::parse::",
                "spack_spec::spec::",
            ],
        },
        // YAML, in which numbers may have 128 bits.
        Part {
            name: "yaml",
            with: &[],
            code: &[
                "cache_ingest::environment::yaml::",
                "i128>::from_str_radix",
                "serde_yaml::",
                "u128>::from_str_radix",
            ],
        },
        // Numbers with a fraction, such as the times in the database of an installation.
        Part {
            name: "json-fraction",
            with: &[],
            code: &[
                "core::fmt::float::",
                "serde_json::de::Deserializer<serde_json::read::SliceRead>>::parse_decimal",
                "serde_json::de::Deserializer<serde_json::read::SliceRead>>::parse_exponent",
            ],
        },
        // The same where the usual way of the standard library does not suffice: with many digits.
        Part { name: "yaml-fraction", with: &[], code: &["core::num::dec2flt::"] },
        // Everything that is wrong with an input, in words. What is new is reported without it, because that shows at the end of a
        // database, which would have to be read again.
        Part {
            name: "problems",
            with: &[],
            code: &[
                "cache_index::index::json::error::",
                "cache_ingest::compression::StreamError as",
                "cache_ingest::foreign::",
                "cache_ingest::inputs::Gathered>::without_damaged",
                "cache_ingest::problem::finding::",
                "cache_ingest::report::Report>::of_input",
                "core::fmt::builders::",
                "core::str::slice_error_fail",
                "serde_core::de::Unexpected",
                "serde_json::error::",
                "std::io::error::Error as core::fmt",
                "u128>::_fmt_inner",
            ],
        },
    ],
    types: "",
    stay: &[
        "btree::map::IntoIter<alloc::string::String, serde_json::value::Value>",
        "core::ptr::drop_in_place::<cache_ingest::problem::finding",
    ],
};
