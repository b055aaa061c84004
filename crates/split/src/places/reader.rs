//! Code of the reader that only some files need: a part for each thing that only some inputs have.
//!
//! Whatever a user opens, the parts that it needs have to stay within a budget (`tests/weight.rs`). A part lists where
//! its code is entered; code that is used only from there follows it.
//!
//! Some parts have more than one entry: a reader of a format and the code that takes its builds are in different
//! modules, and code that several parts use must be listed in a part that all of them are loaded with, or it stays in
//! the first module.

use super::{Part, Places};

/// The reader has no network, so the page fetches what is missing, and has everything read again.
pub(crate) const READER: Places = Places {
    load: "__wbg_loadPart_",
    parts: &[
        // Everything for making an index: finding and collecting its inputs, packing, writing, and what is new to this
        // reader.
        Part {
            name: "cache",
            with: &[],
            code: &[
                "cache_index::index::json::writing::",
                "cache_index::index::pack::",
                "cache_ingest::inputs::",
                "reader_core::open::",
                "serde_json::value::Value",
            ],
        },
        // Records of databases, which lock files and images have too.
        Part { name: "record", with: &["cache"], code: &["cache_ingest::database::record::"] },
        // What only complete databases have.
        Part { name: "database", with: &["cache", "record"], code: &["cache_ingest::database::"] },
        // Folders with a mirror, and what a mirror or a repository has, against which its database is compared.
        Part {
            name: "mirror",
            with: &["cache", "database", "record"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::ChosenFiles<reader::Worker>>>::read_mirror",
                "cache_ingest::mirror::",
            ],
        },
        // Copies of repositories of a registry.
        Part {
            name: "oci",
            with: &["cache", "database", "mirror", "record"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::ChosenFiles<reader::Worker>>>::read_repository",
                "cache_ingest::oci::",
            ],
        },
        // Looking into binaries, which a user asks for.
        Part {
            name: "inside",
            with: &["cache", "database", "mirror", "oci", "record", "yaml"],
            code: &["cache_index::index::json::facts::", "reader_core::inside::"],
        },
        // What points to other machines: manifests of mirrors, and URLs.
        Part { name: "elsewhere", with: &["cache"], code: &["cache_ingest::inputs::find::urls::"] },
        // The two files with the data of cache.spack.io.
        Part {
            name: "package-data",
            with: &["cache", "database", "record"],
            code: &["cache_ingest::inputs::read::package_data::"],
        },
        // Cache pages, which contain YAML.
        Part {
            name: "page",
            with: &["cache", "yaml"],
            code: &[
                "cache_ingest::inputs::read::Intake<reader_core::chosen::ChosenFiles<reader::Worker>>>::read_pages",
            ],
        },
        // Reading an index.
        Part {
            name: "index",
            with: &["cache"],
            code: &["cache_ingest::inputs::read::index_file::", "serde_json::read::StrRead"],
        },
        // Several inputs at once, which are named by what differs.
        Part {
            name: "several",
            with: &["cache"],
            code: &["cache_ingest::inputs::naming::several::"],
        },
        // The two compressions.
        Part { name: "gzip", with: &[], code: &["flate2::"] },
        Part {
            name: "zstd",
            with: &[],
            code: &["cache_ingest::compression::Bounded<cache_ingest::compression::Zstd"],
        },
        // What is recognized as an environment, and lists of specs. What only some environments have is in the parts below.
        Part {
            name: "environment",
            with: &[],
            code: &["cache_ingest::environment::", "reader_core::environment::read_as_environment"],
        },
        // What Spack prints or writes of concrete specs: `spack.lock`, `spack find --json`.
        Part {
            name: "lock",
            with: &["cache", "record"],
            code: &["cache_ingest::environment::printed::"],
        },
        // `spack.yaml`.
        Part {
            name: "manifest",
            with: &["spec", "yaml"],
            code: &["cache_ingest::environment::manifest::"],
        },
        // Settings of Spack.
        Part { name: "settings", with: &["spec", "yaml"], code: &["reader_core::settings::"] },
        // Specs as users write them, which records do not contain.
        Part { name: "spec", with: &[], code: &["spack_spec::spec::"] },
        // YAML.
        Part {
            name: "yaml",
            with: &[],
            code: &["cache_ingest::environment::yaml::", "serde_yaml::"],
        },
        // Writing numbers with a fraction.
        Part { name: "json-fraction", with: &[], code: &["core::fmt::float::"] },
        // The same where the usual way of the standard library does not suffice: with many digits.
        Part { name: "yaml-fraction", with: &[], code: &["core::num::dec2flt::"] },
        // Messages about everything that is wrong with an input. What is new is reported without this part: it is only
        // found at the end of a database, which would have to be read again.
        Part {
            name: "problems",
            with: &[],
            code: &["cache_ingest::problem::finding::", "serde_json::error::"],
        },
    ],
    types: &[""],
    stay: &[
        "btree::map::IntoIter<alloc::string::String, serde_json::value::Value>",
        "core::ptr::drop_in_place::<cache_ingest::problem::finding",
    ],
};
