//! How two builds can differ: one table of fields, and one of aspects, for everything that compares builds.
//!
//! A [`Field`] says what differs. Builds are shown [side by side](compare) by fields, [similar builds](similar()) are listed by those
//! that rows have, and [causes](crate::causes) are fields with their old and new value.
//!
//! An [`Aspect`] says how much: builds are as [alike](likeness) as they have aspects in common. An aspect is coarser
//! than a field (platform, operating system and target are one), and decides between more and less significant.

mod alike;
mod aspect;
pub mod compare;
mod field;
mod generation;
pub mod likeness;
mod look_alikes;
mod similar;

pub use self::alike::Alike;
pub use self::aspect::Aspect;
pub(crate) use self::aspect::{from_keys, to_keys};
pub(crate) use self::field::PATCHES;
pub use self::field::{Field, FieldEdge, FieldValue};
pub use self::generation::Generation;
pub use self::look_alikes::{differ_in, distinguishing_words, look_alikes, neighbours};
pub use self::similar::{Similar, similar};
