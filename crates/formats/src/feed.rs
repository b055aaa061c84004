//! Feeds in Atom (RFC 4287), which each publication continues. Reading and writing is left to `atom_syndication`.
//!
//! | element | content |
//! | --- | --- |
//! | `feed/id` | that of the file before; or an address of the site, or a UUID that follows from the first entry's |
//! | `feed/generator` | this program: only a feed that it began is continued |
//!
//! Entries of earlier publications are kept as they are, up to [`MOST_ENTRIES`].

use atom_syndication::{Entry, Feed, FixedDateTime, Generator, Link, Person, Text};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::brief;

/// The name of this program in a feed.
pub const GENERATOR: &str = "cache-explorer";

/// How many entries are kept.
pub const MOST_ENTRIES: usize = 50;

/// What a feed says about itself.
#[derive(Clone, Debug, Default)]
pub struct FeedHead {
    /// Its title, and the name of its author.
    pub title: String,
    /// The id of a feed that is begun; without one, it follows from the first entry's.
    pub id: Option<String>,
    /// The address of the page that it is about.
    pub page: Option<String>,
    /// Its own address.
    pub own: Option<String>,
}

/// Reads a feed; `None` if the file is empty, as `mktemp` makes it.
///
/// # Errors
///
/// Returns what is wrong with a file that is not a feed.
pub fn read_feed(bytes: &[u8]) -> Result<Option<Feed>, String> {
    match bytes.is_empty() {
        true => Ok(None),
        false => Feed::read_from(bytes)
            .map(Some)
            .map_err(|error| format!("expected a feed in Atom: {}", brief(&error))),
    }
}

/// Returns `true` if a file is a feed that this program began.
pub fn is_ours(bytes: &[u8]) -> bool {
    let generator = Feed::read_from(bytes).ok().and_then(|feed| feed.generator);
    generator.is_some_and(|generator| generator.value == GENERATOR)
}

/// Returns the text of a feed to which an entry was added, unless it has that entry.
///
/// # Errors
///
/// Fails if the feed before has something that would make the text unreadable: names of elements are written as they were
/// read.
pub fn continued(
    before: Option<Feed>,
    entry: Entry,
    made: FixedDateTime,
    head: FeedHead,
) -> Result<String, String> {
    let FeedHead { title, id, page, own } = head;
    let is_new = before.is_none();
    let mut feed = before.unwrap_or_default();
    if is_new {
        feed.set_id(id.unwrap_or_else(|| uuid(Sha256::new().chain_update(&entry.id))));
    }
    let value = GENERATOR.to_owned();
    feed.set_generator(Generator { value, ..Generator::default() });
    feed.set_title(Text::plain(title.clone()));
    feed.set_authors(vec![Person { name: title, ..Person::default() }]);
    let link = |href: String, rel: &str, mime_type: &str| Link {
        href,
        rel: rel.to_owned(),
        mime_type: Some(mime_type.to_owned()),
        ..Link::default()
    };
    let mut links = Vec::new();
    links.extend(page.map(|page| link(page, "alternate", "text/html")));
    links.extend(own.map(|own| link(own, "self", "application/atom+xml")));
    feed.set_links(links);
    if !feed.entries.iter().any(|other| other.id == entry.id) {
        feed.set_updated(made);
        feed.entries.insert(0, entry);
    }
    feed.entries.truncate(MOST_ENTRIES);
    let text = feed.to_string() + "\n";
    let ids = |feed: &Feed| -> Vec<String> {
        feed.entries.iter().map(|entry| entry.id.trim().to_owned()).collect()
    };
    match Feed::read_from(text.as_bytes()) {
        Ok(written) if ids(&written) == ids(&feed) && is_ours(text.as_bytes()) => Ok(text),
        _ => Err("the feed that is there has elements that cannot be written again; without it, a new one begins".to_owned()),
    }
}

/// Returns the start of a digest as an id: a UUID of version 8, whose bits have a meaning of their own (RFC 9562).
pub fn uuid(digest: Sha256) -> String {
    let digest = digest.finalize();
    Uuid::new_v8(std::array::from_fn(|at| digest[at])).urn().to_string()
}
