//! The shards of an index: lists that are divided, so that a page fetches a small part of them.
//!
//! A page names the list of shards like any other part, and the list names the shards. Each shard is a file next to the
//! page, or a script in it whose id is that of the part and the shard's number.

use std::borrow::Cow;

use cache_index::index::{FactsTexts, Part, Shard, StatedShard, in_script};
use serde::Serialize;
use serde_json::Value;

use super::PageError;
use super::placed::{PlacedPart, describe, file_name, script};

/// The shards of a list, and the text that lists them.
pub(super) struct PlacedShards<'i> {
    pub(super) shards: Vec<PlacedPart<'i>>,
    pub(super) list: String,
}

/// Returns the shards that a part lists, in files next to the page if `is_beside`, else in the page; `None` if the part
/// lists none.
pub(super) fn placed(facts: &FactsTexts, part: Part, is_beside: bool) -> Option<PlacedShards<'_>> {
    match part {
        Part::Contents => Some(each(part, &facts.contents, is_beside)),
        Part::Files => Some(each(part, &facts.files, is_beside)),
        _ => None,
    }
}

fn each<K: Clone + Serialize>(part: Part, all: &[Shard<K>], is_beside: bool) -> PlacedShards<'_> {
    let mut shards = Vec::new();
    for (number, Shard { text, .. }) in all.iter().enumerate() {
        let file = is_beside.then(|| file_name(part, text));
        let text = if is_beside { Cow::Borrowed(text.as_str()) } else { in_script(text).into() };
        shards.push(PlacedPart { id: part.shard_id(number), part: None, text, file });
    }
    let list = StatedShard::write_list(all, |number, _| {
        let PlacedPart { text, file, .. } = &shards[number];
        describe(text, file.clone(), None)
    });
    PlacedShards { shards, list }
}

fn to_json<K: Serialize>(list: &[StatedShard<K>]) -> String {
    serde_json::to_string(list).unwrap_or_default()
}

/// Returns `true` if the text of a part is a list of shards.
pub(super) fn is_list(part: Part) -> bool {
    matches!(part, Part::Contents | Part::Files)
}

/// Returns the names of the files that a list names.
pub(super) fn files(list: &str) -> Result<Vec<String>, PageError> {
    Ok(read(list)?.into_iter().filter_map(|shard| shard.part.file).collect())
}

/// Returns a list whose shards are all in the page, and their scripts.
pub(super) fn inlined(
    part: Part,
    list: &str,
    read_file: &dyn Fn(&str) -> Result<String, PageError>,
) -> Result<(String, String), PageError> {
    let mut scripts = String::new();
    let mut all = read(list)?;
    for (number, shard) in all.iter_mut().enumerate() {
        if let Some(name) = &shard.part.file {
            let text = in_script(read_file(name)?.trim());
            shard.part = describe(&text, None, None);
            scripts += &script(&part.shard_id(number), &text);
        }
    }
    Ok((to_json(&all), scripts))
}

fn read(list: &str) -> Result<Vec<StatedShard<Value>>, PageError> {
    StatedShard::read_list(list)
        .map_err(|error| PageError::Unreadable { message: format!("a list of shards: {error}") })
}

/// Returns the total length of the shards of facts, in bytes.
pub(crate) fn length_of_shards(facts: &FactsTexts) -> usize {
    let contents = facts.contents.iter().map(|shard| shard.text.len());
    contents.chain(facts.files.iter().map(|shard| shard.text.len())).sum()
}
