//! Feeds in Atom (RFC 4287), to which each publication adds an entry.
//!
//! | element | content |
//! | --- | --- |
//! | `feed/id` | that of the file before; or an address of the site, or a UUID that follows from the first entry's |
//! | `feed/generator` | this program: only a feed that it began is continued |
//! | `entry/id` | a UUID of what the entry is about |
//! | `entry/updated` | when the index was made |
//!
//! [`publication`] has the entries about a site as a whole, [`watched`] those about a spec or an environment. Entries of earlier
//! publications are kept as they are, up to [`MOST_ENTRIES`]. Reading and writing is left to `atom_syndication`.

mod publication;
pub(crate) mod watched;

use std::fs;
use std::io;
use std::path::Path;

use atom_syndication::{Content, Entry, Feed, FixedDateTime, Generator, Link, Person, Text};
use cache_advice::text::escaped;
use cache_index::index::Index;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

pub(crate) use self::publication::{Addresses, feed, headline};
use crate::marks::FEED_GENERATOR;
use crate::report::Failed;

/// How many entries are kept.
const MOST_ENTRIES: usize = 50;

/// What a feed says about itself.
struct FeedHead {
    title: String,
    /// The id of a feed that is begun; without one, it follows from the first entry's.
    id: Option<String>,
    /// The address of the page that it is about.
    page: Option<String>,
    /// Its own address.
    own: Option<String>,
}

/// Reads the feed of a file, if there is one.
fn read(path: &Path) -> Result<Option<Feed>, Failed> {
    match fs::read(path) {
        // As `mktemp` makes it.
        Ok(bytes) if bytes.is_empty() => Ok(None),
        Ok(bytes) => Feed::read_from(&bytes[..]).map(Some).map_err(|error| {
            format!("{}: expected a feed in Atom: {error}", path.display()).into()
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Returns when an index was made.
fn made(index: &Index) -> Result<FixedDateTime, String> {
    let made = index.about().made.as_deref().ok_or("the index does not say when it was made")?;
    made.parse().map_err(|error| format!("the index was made at {made:?}: {error}"))
}

/// Returns an entry with a content in HTML, which leads to a page.
fn entry(
    id: String,
    title: String,
    made: FixedDateTime,
    html: String,
    page: Option<String>,
) -> Entry {
    let mut entry = Entry::default();
    entry.set_id(id);
    entry.set_title(Text::plain(title));
    entry.set_published(Some(made));
    entry.set_updated(made);
    entry.set_content(Some(Content {
        value: Some(html),
        content_type: Some("html".to_owned()),
        ..Content::default()
    }));
    let link = |href| Link { href, rel: "alternate".to_owned(), ..Link::default() };
    entry.set_links(page.map(link).into_iter().collect::<Vec<_>>());
    entry
}

/// Returns lines as a list in HTML.
fn list(lines: &[String]) -> String {
    let items = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line)));
    match lines.is_empty() {
        true => String::new(),
        false => format!("<ul>\n{}</ul>\n", items.collect::<String>()),
    }
}

/// Returns the text of a feed to which an entry was added, unless it has that entry.
fn continued(before: Option<Feed>, entry: Entry, made: FixedDateTime, head: FeedHead) -> String {
    let FeedHead { title, id, page, own } = head;
    let is_new = before.is_none();
    let mut feed = before.unwrap_or_default();
    if is_new {
        feed.set_id(id.unwrap_or_else(|| uuid(Sha256::new().chain_update(&entry.id))));
    }
    let value = FEED_GENERATOR.to_owned();
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
    feed.to_string() + "\n"
}

/// Returns the start of a digest as an id: a UUID of version 8, whose bits have a meaning of their own (RFC 9562).
fn uuid(digest: Sha256) -> String {
    let digest = digest.finalize();
    Uuid::new_v8(std::array::from_fn(|at| digest[at])).urn().to_string()
}
