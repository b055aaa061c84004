//! The properties of the readers that only the command has.

use std::collections::BTreeSet;

use atom_syndication::{Entry, Feed, FixedDateTime, Text};
use cache_ingest::mirror::address_of;
use command_formats::feed::{FeedHead, GENERATOR, MOST_ENTRIES, continued, is_ours, read_feed};
use command_formats::listing::{BucketPage, names};
use command_formats::signatures::{Keyring, SignatureVerdict, verify};

use crate::assert_is_message;

/// Keys are read, or there is a message. Without keys, no signature is good; and whatever the keys are, a text that was
/// changed after GnuPG signed it has no good signature.
///
/// The bytes are read as a file of keys, and verified as a signed text too.
pub fn keys(bytes: &[u8]) {
    const SIGNED: &str = include_str!("../../../tests/data/signed/cases/plain.asc");
    let mut keyring = Keyring::default();
    let problems = keyring.add(bytes);
    problems.iter().for_each(|problem| assert_is_message(&problem.to_string()));
    assert!(!keyring.is_empty() || !problems.is_empty(), "there is no key, and nothing is wrong");
    let text = String::from_utf8_lossy(bytes);
    for file in [SIGNED, &text] {
        let verdict = verify(file, &keyring);
        assert_is_message(&verdict.to_string());
        let is_good = matches!(verdict, SignatureVerdict::Good { .. });
        assert!(!is_good || !keyring.is_empty(), "a good signature without keys");
        let without = verify(file, &Keyring::default());
        assert!(!matches!(without, SignatureVerdict::Good { .. }), "a good signature by nobody");
    }
    // A changed text is not what was signed.
    let changed = verify(&SIGNED.replacen('{', "[", 1), &keyring);
    assert!(!matches!(changed, SignatureVerdict::Good { .. }), "a good signature of another text");
}

/// A page of links names files and folders that are directly in its folder, each once, and a link to the address of
/// each is read as that name; a page of a bucket names keys below the prefix.
pub fn listing(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let found = names(&text);
    let different: BTreeSet<&String> = found.iter().collect();
    assert_eq!(different.len(), found.len(), "a name is there twice");
    for name in &found {
        let bare = name.strip_suffix('/').unwrap_or(name);
        assert!(!matches!(bare, "" | "." | ".."), "{name:?} is not a name");
        assert!(!bare.contains(['/', '\\']), "{name:?} is not directly in the folder");
        assert!(!bare.contains(char::is_control), "{name:?} has control characters");
        let link = format!("<a href=\"./{}\">", address_of(name));
        assert_eq!(names(&link), std::slice::from_ref(name), "{link}");
    }
    let all = BucketPage::read(&text, "");
    let below = BucketPage::read(&text, "v3/");
    assert_eq!(all.is_some(), below.is_some());
    let (Some(all), Some(below)) = (all, below) else { return };
    let expected: Vec<&str> = all.keys.iter().filter_map(|key| key.strip_prefix("v3/")).collect();
    assert_eq!(below.keys, expected);
    assert_eq!(below.next, all.next);
}

/// A feed is continued or rejected with a message. It keeps its id and its entries, up to [`MOST_ENTRIES`]; what is
/// written is a feed of this program, and continuing it again changes nothing.
pub fn feed(bytes: &[u8]) {
    let before = match read_feed(bytes) {
        Ok(before) => before,
        Err(error) => return assert_is_message(&error),
    };
    let made: FixedDateTime = "2026-11-21T09:50:00Z".parse().expect("a time");
    let entry = || Entry {
        id: "urn:uuid:0".to_owned(),
        title: Text::plain("1 build came"),
        updated: made,
        ..Entry::default()
    };
    let head = || FeedHead { title: "A cache".to_owned(), ..FeedHead::default() };
    let written = match continued(before.clone(), entry(), made, head()) {
        Ok(written) => written,
        Err(problem) => return assert_is_message(&problem),
    };
    assert!(is_ours(written.as_bytes()), "{written:.2000}");
    let after = read_feed(written.as_bytes()).expect("a feed").expect("it is not empty");
    assert_eq!(after.generator.as_ref().map(|it| it.value.as_str()), Some(GENERATOR));
    assert!(after.entries.iter().any(|other| other.id == entry().id) || has_many(&before));
    if let Some(before) = &before {
        assert_eq!(after.id.trim(), before.id.trim());
        let kept = before.entries.iter().map(|entry| entry.id.trim());
        let there: BTreeSet<&str> = after.entries.iter().map(|entry| entry.id.trim()).collect();
        kept.take(MOST_ENTRIES - 1).for_each(|id| assert!(there.contains(id), "{id:?} is lost"));
    }
    assert_eq!(continued(Some(after), entry(), made, head()), Ok(written));
}

/// Returns `true` if a feed may have the entry beyond those that are kept.
fn has_many(feed: &Option<Feed>) -> bool {
    feed.as_ref().is_some_and(|feed| feed.entries.len() > MOST_ENTRIES)
}
