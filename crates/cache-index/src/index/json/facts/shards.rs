//! Lists that are divided into shards, and which shard has what is asked for.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::facts::FileTerm;
use crate::index::json::parts::Shard;
use crate::index::json::text;
use crate::index::{BuildId, LoadError, StatedPart};

/// The approximate length of a shard's text, in bytes: short enough for a page to fetch and read it without a noticeable
/// wait, and long enough that there are few shards.
pub(super) const LENGTH: usize = 1 << 17;

/// What an index that was published says about a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedShard<K> {
    /// Where it begins.
    pub from: K,
    /// Its length, its digest, and its file if it is not in the page.
    pub part: StatedPart,
}

impl<K: DeserializeOwned> StatedShard<K> {
    /// Reads a list of shards.
    ///
    /// # Errors
    ///
    /// If it is not JSON of this shape.
    pub fn read_list(json: &str) -> Result<Vec<StatedShard<K>>, LoadError> {
        Ok(serde_json::from_str(json)?)
    }
}

impl<K: Clone + Serialize> StatedShard<K> {
    /// Writes a list of shards. `state` describes the text of each, given its number.
    pub fn write_list(
        shards: &[Shard<K>],
        mut state: impl FnMut(usize, &str) -> StatedPart,
    ) -> String {
        let stated = |(number, Shard { from, text }): (usize, &Shard<K>)| StatedShard {
            from: from.clone(),
            part: state(number, text),
        };
        text(&shards.iter().enumerate().map(stated).collect::<Vec<_>>())
    }
}

/// Returns the number of the shard that has the files of a build, if they are known.
pub fn shard_of(shards: &[StatedShard<u32>], build: BuildId) -> Option<usize> {
    shards.partition_point(|shard| shard.from <= build.0).checked_sub(1)
}

/// Returns the numbers of the shards that say which builds have a file that matches a term, given where each shard begins.
pub fn shards_about(beginnings: &[&str], term: &FileTerm) -> BTreeSet<usize> {
    term.starts().iter().flat_map(|start| shards_with(beginnings, start)).collect()
}

/// Returns the numbers of the shards with names that begin with a text.
fn shards_with(beginnings: &[&str], start: &str) -> Range<usize> {
    let first = beginnings.partition_point(|from| *from <= start).saturating_sub(1);
    first..beginnings.partition_point(|from| *from <= start || from.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated<K>(from: K) -> StatedShard<K> {
        StatedShard { from, part: StatedPart::of("", String::new(), None) }
    }

    #[test]
    fn finds_the_shards_with_a_build_or_a_name() {
        let builds = [3, 10].map(stated);
        let of = |build| shard_of(&builds, BuildId(build));
        assert_eq!([2, 3, 9, 10, 99].map(of), [None, Some(0), Some(0), Some(1), Some(1)]);
        let with = |start| shards_with(&["", "h5d", "libhdf5.so.3", "m"], start);
        assert_eq!(with("h5dump"), 1..2);
        assert_eq!(with("a"), 0..1);
        assert_eq!(with("libhdf5.so"), 1..3);
        assert_eq!(with("z"), 3..4);
        assert_eq!(with(""), 0..4);
        assert_eq!(shards_with(&[], "a"), 0..0);
    }
}
