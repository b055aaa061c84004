//! For each parser of outside data, properties that hold for any input.
//!
//! | property | applies to |
//! | --- | --- |
//! | [`page`] | cache pages |
//! | [`database`] | Spack's database files |
//! | [`environment`] | lock files, manifests, lists of specs, and what Spack prints about specs |
//! | [`settings`] | Spack's settings about reuse |
//! | [`mirrors`] | the mirrors that Spack knows: `mirrors.yaml` |
//! | [`recipes`] | what Spack's recipes say of packages, with their licences |
//! | [`watch`] | lists of what a publisher watches |
//! | [`manifest`] | the manifest of a whole cache |
//! | [`mirror()`] | the folder of a mirror, with the manifests and signatures of builds |
//! | [`repository`] | what a registry answers |
//! | [`stream`] | compressed inputs |
//! | [`binary()`] | the tarballs of builds, and the programs and libraries in them |
//! | [`index`] | the JSON of an index, in one text and in parts |
//! | [`site`] | pages with an index in them |
//! | [`facts`] | files of facts about binaries |
//! | [`shard`] | the parts of an index about binaries |
//! | [`spec`] | specs that people and programs write |
//! | [`address`] | addresses |
//! | [`machine`] | descriptions of machines, the output of commands about them, and addresses of repositories |
//! | [`chosen()`] | files that people choose in the page |
//! | [`keys`] | keys and signatures of OpenPGP |
//! | [`listing`] | lists of folders and buckets |
//! | [`feed`] | feeds that a publication continues |
//!
//! Each function accepts any bytes and panics if the property does not hold. The fuzz targets (`fuzz/`) search for such
//! bytes; the tests of this crate use samples that were damaged on purpose. Every parser is *loud or faithful*: it
//! rejects what it does not understand with a message, and returns what it understands unchanged.

mod binary;
mod chosen;
mod formats;
mod ingest;
mod loaded;
mod mirror;
mod typed;

pub use binary::binary;
pub use chosen::chosen;
pub use formats::{feed, keys, listing};
pub use ingest::{
    database, environment, manifest, mirrors, page, recipes, repository, settings, stream, watch,
};
pub use loaded::{facts, index, shard, site};
pub use mirror::mirror;
pub use typed::{address, machine, spec};

/// Checks that an error message is neither empty nor as long as the input may be.
#[track_caller]
fn assert_is_message(message: &str) {
    assert!(!message.trim().is_empty(), "an error without a message");
    assert!(message.len() < 4000, "an error of {} bytes: {message:.500}", message.len());
}
