//! Feeds in Atom (RFC 4287), to which each publication adds an entry.
//!
//! | element | content |
//! | --- | --- |
//! | `entry/id` | a UUID of what the entry is about |
//! | `entry/updated` | when the index was made |
//!
//! [`command_formats::feed`] continues the feed of a file. [`publication`] has the entries about a site as a whole, [`watched`] those about a spec or an environment. Entries of earlier
//! publications are kept as they are.

mod publication;
pub(crate) mod watched;

use std::fs;
use std::io;
use std::path::Path;

use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Text};
use cache_advice::text::escaped;
use cache_index::index::Index;
use command_formats::feed::read_feed;

pub(crate) use self::publication::{Addresses, feed, headline};
use crate::report::Failure;

/// Reads the feed in a file, if the file exists.
fn read(path: &Path) -> Result<Option<Feed>, Failure> {
    match fs::read(path) {
        Ok(bytes) => {
            read_feed(&bytes).map_err(|error| format!("{}: {error}", path.display()).into())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Returns when an index was made.
fn made(index: &Index) -> Result<FixedDateTime, String> {
    let made = index.about().made.as_deref().ok_or("the index does not say when it was made")?;
    made.parse().map_err(|error| format!("the index was made at {made:?}: {error}"))
}

/// Returns an entry with a content in HTML and a link to a page.
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
