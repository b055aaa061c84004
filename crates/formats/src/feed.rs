//! Feeds in Atom (RFC 4287), which each publication continues. Reading and writing is left to `atom_syndication`.
//!
//! | element | content |
//! | --- | --- |
//! | `feed/id` | that of the file before; or an address of the site, or a UUID that follows from the first entry's |
//! | `feed/generator` | this program: only a feed that it began is continued |
//!
//! Entries of earlier publications are kept as they are, up to [`MOST_ENTRIES`].

use std::collections::BTreeMap;

use atom_syndication::extension::{Extension, ExtensionMap};
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
    /// The id of a new feed; if `None`, it is derived from the id of the first entry.
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

/// Adds an entry to a feed, unless the feed already has it, and returns the feed's text.
///
/// # Errors
///
/// Fails if something in the feed would make the text unreadable or change its meaning: names of elements are written
/// as they were read.
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
    let has_names = escape_feed(&mut feed);
    let text = feed.to_string() + "\n";
    let ids = |feed: &Feed| -> Vec<String> {
        feed.entries.iter().map(|entry| entry.id.trim().to_owned()).collect()
    };
    // Reading the written text must find all entries, and writing it again must give the same text.
    let is_kept = Feed::read_from(text.as_bytes()).is_ok_and(|mut written| {
        ids(&written) == ids(&feed)
            && escape_feed(&mut written)
            && written.to_string() + "\n" == text
    });
    match has_names && is_kept && is_ours(text.as_bytes()) {
        true => Ok(text),
        false => Err("the feed that is there has elements that cannot be written again; without it, a new one begins".to_owned()),
    }
}

/// Escapes what the library writes unescaped: the values of namespaces, and of attributes of extensions. Returns
/// `false` if one of their names is not a name in XML, and so cannot be written.
fn escape_feed(feed: &mut Feed) -> bool {
    let mut are_names = escape_values(&mut feed.namespaces)
        & escape_extensions(&mut feed.extensions)
        & escape_persons(&mut feed.contributors);
    for entry in &mut feed.entries {
        are_names &= escape_values(&mut entry.namespaces)
            & escape_extensions(&mut entry.extensions)
            & escape_persons(&mut entry.authors)
            & escape_persons(&mut entry.contributors);
        if let Some(source) = &mut entry.source {
            are_names &=
                escape_persons(&mut source.authors) & escape_persons(&mut source.contributors);
        }
    }
    are_names
}

fn escape_persons(persons: &mut [Person]) -> bool {
    persons.iter_mut().all(|person| escape_extensions(&mut person.extensions))
}

fn escape_extensions(extensions: &mut ExtensionMap) -> bool {
    extensions.values_mut().flat_map(BTreeMap::values_mut).flatten().all(escape_extension)
}

fn escape_extension(extension: &mut Extension) -> bool {
    is_name(&extension.name)
        && escape_values(&mut extension.attrs)
        && extension.children.values_mut().flatten().all(escape_extension)
}

fn escape_values(values: &mut BTreeMap<String, String>) -> bool {
    for value in values.values_mut() {
        *value = value
            .chars()
            .map(|c| match c {
                '&' | '<' | '>' | '"' | '\n' | '\r' | '\t' => format!("&#{};", u32::from(c)),
                _ => c.to_string(),
            })
            .collect();
    }
    values.keys().all(|name| is_name(name))
}

/// Returns `true` if a text can name an element or attribute, with or without a prefix.
fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '_' | ':');
    text.starts_with(is_letter)
        && text.chars().all(|c| is_letter(c) || c.is_numeric() || matches!(c, '-' | '.'))
}

/// Returns the start of a digest as an id: a UUID of version 8, whose bits have a meaning of their own (RFC 9562).
pub fn uuid(digest: Sha256) -> String {
    let digest = digest.finalize();
    Uuid::new_v8(std::array::from_fn(|at| digest[at])).urn().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Continues a feed of this program that has these attributes at its root, and this element.
    fn continued_with(attributes: &str, element: &str) -> Result<String, String> {
        let before = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"{attributes}><id>urn:uuid:1</id>\
             <generator>cache-explorer</generator>{element}</feed>"
        );
        let made = "2026-11-21T09:50:00Z".parse().expect("a time");
        let before = read_feed(before.as_bytes()).expect("a feed");
        continued(before, Entry::default(), made, FeedHead::default())
    }

    #[test]
    fn keeps_extensions_of_others_as_they_mean() {
        let namespace = " xmlns:x=\"https://a.example/?b&amp;c&lt;d\"";
        let element = "<x:y z=\"&quot;1&quot; &amp;amp; 2\"><x:w>3 &lt; 4</x:w></x:y>";
        let written = continued_with(namespace, element).expect("a feed");
        let feed = read_feed(written.as_bytes()).expect("a feed").expect("it is not empty");
        assert_eq!(feed.namespaces["x"], "https://a.example/?b&c<d");
        let extension = &feed.extensions["x"]["y"][0];
        assert_eq!(extension.attrs["z"], "\"1\" &amp; 2");
        assert_eq!(extension.children["w"][0].value.as_deref(), Some("3 < 4"));
    }

    #[test]
    fn rejects_names_that_xml_does_not_allow() {
        for (attributes, element) in
            [(" xmlns:2<=\"a\"", ""), ("", "<x:y 2=\"\"/>"), ("", "<x:y><2/></x:y>")]
        {
            let outcome = continued_with(attributes, element);
            let error = outcome.expect_err("cannot be written");
            assert!(error.contains("elements that cannot be written again"), "{error}");
        }
    }
}
