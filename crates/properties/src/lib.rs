//! What holds of each parser that reads what comes from outside, whatever that is.
//!
//! | property | of |
//! | --- | --- |
//! | [`page`] | cache pages |
//! | [`database`] | Spack's database files |
//! | [`index`] | the JSON of an index, in one text and in parts |
//! | [`spec`] | specs that people and programs write |
//! | [`link`] | addresses |
//!
//! Each takes any bytes and panics if the property does not hold. The fuzz targets (`fuzz/`) look
//! for bytes for which it does not; this crate's tests give them samples that were damaged on
//! purpose. All are *loud or faithful*: what is not understood is refused in words, and what is
//! understood is given back the same.

mod ingest;
mod loaded;
mod typed;

pub use ingest::{database, page};
pub use loaded::index;
pub use typed::{link, spec};

/// What a person would see of an error: not nothing, and not the whole of what they gave.
#[track_caller]
fn assert_is_message(message: &str) {
    assert!(!message.trim().is_empty(), "an error without words");
    assert!(message.len() < 4000, "an error of {} bytes: {message:.500}", message.len());
}
