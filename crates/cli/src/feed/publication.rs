//! The feed of a site: an entry for each publication.
//!
//! The content of an entry is the changes in one sentence, and the packages that changed versions or builds. Its id follows from the
//! builds that are there, came and went, and from the earlier publication: publishing the same again does not make another
//! entry.

use std::path::Path;

use atom_syndication::{Entry, Feed, FixedDateTime};
use cache_advice::changes::{Changes, OVERWRITTEN, PackageChange};
use cache_advice::text::{escaped, plain};
use cache_index::build::Hash;
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};
use command_formats::feed::{FeedHead, continued, uuid};
use sha2::{Digest as _, Sha256};

use super::{list, made, read};
use crate::report::Failure;
use crate::site_url::below;

/// How many packages an entry names.
const MOST_PACKAGES: usize = 40;

/// Where a feed and its site are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Addresses<'a> {
    /// The address of the site, or of a page about the cache.
    pub(crate) page: Option<&'a str>,
    /// `true` if that is the address of the site, which has a page about the changes.
    pub(crate) is_site: bool,
    /// The name of the feed's file, if it is in the folder of the site.
    pub(crate) name: Option<&'a str>,
}

/// Returns the text of a feed with an entry for this publication, and the entries that are already in the file.
pub(crate) fn feed(path: &Path, index: &Index, at: Addresses<'_>) -> Result<String, Failure> {
    let before = read(path)?;
    with_entry(before, index, at).map_err(|problem| format!("{}: {problem}", path.display()).into())
}

fn with_entry(before: Option<Feed>, index: &Index, at: Addresses<'_>) -> Result<String, String> {
    let made = made(index)?;
    let site = at.page.filter(|_| at.is_site);
    let head = FeedHead {
        title: plain(index.about().title()),
        id: site.map(str::to_owned),
        page: at.page.map(str::to_owned),
        own: site.zip(at.name).map(|(site, name)| below(site, name)),
    };
    continued(before, entry(index, made, at), made, head)
}

/// Returns a sentence that says what a publication changed, or what the cache has if it is the first.
pub(crate) fn headline(index: &Index) -> String {
    let changes = index.earlier().map(|earlier| Changes::published(index, earlier));
    let Some(changes) = changes else { return first(index) };
    let damaged = damaged(index, &changes).map_or(String::new(), |said| format!("; {said}"));
    format!("{}{damaged}", changes.headline())
}

/// Returns a sentence without a full stop: some of the builds that went may only be damaged. `None` if that is impossible.
fn damaged(index: &Index, changes: &Changes) -> Option<String> {
    let said = index.about().without_damaged().filter(|_| !changes.went.is_empty())?;
    Some(format!("{said}, and may be among those that went"))
}

fn first(index: &Index) -> String {
    let builds = index.builds_with_binary().count();
    format!("{} published", counted(builds, "build", "builds"))
}

fn entry(index: &Index, made: FixedDateTime, at: Addresses<'_>) -> Entry {
    let changes = index.earlier().map(|earlier| Changes::published(index, earlier));
    let (title, content) = match &changes {
        Some(changes) => {
            let damaged =
                damaged(index, changes).map_or(String::new(), |said| format!("<p>{said}.</p>\n"));
            (changes.headline(), damaged + &packages(changes) + &overwritten(changes))
        }
        None => (first(index), String::new()),
    };
    let html = format!("<p>{}.</p>\n{content}", escaped(&title));
    let has_page = at.is_site && changes.is_some();
    let page = |page: &str| match has_page {
        true => below(page, "?changes=published"),
        false => page.to_owned(),
    };
    super::entry(id(index, changes.as_ref()), title, made, html, at.page.map(page))
}

/// Lists the packages that changed versions, then the others that gained or lost builds, as HTML.
fn packages(changes: &Changes) -> String {
    let has_others = |change: &&PackageChange| change.before != change.after;
    let (changed, rebuilt): (Vec<&PackageChange>, Vec<_>) =
        changes.packages.iter().partition(has_others);
    let listed = |versions: &[String]| match versions.is_empty() {
        true => "none".to_owned(),
        false => versions.join(", "),
    };
    let line = |change: &&PackageChange| {
        format!("{}: {} → {}", change.package, listed(&change.before), listed(&change.after))
    };
    let is_other = |change: &&&PackageChange| change.came + change.went > 0;
    let builds = |change: &&PackageChange| {
        let came = counted(change.came, "build", "builds");
        format!("{}: {came} came, {} went", change.package, grouped(change.went))
    };
    let mut lines: Vec<String> =
        changed.iter().map(line).chain(rebuilt.iter().filter(is_other).map(builds)).collect();
    let others = lines.len().saturating_sub(MOST_PACKAGES);
    if others > 0 {
        lines.truncate(MOST_PACKAGES);
        lines.push(counted(others, "other package", "other packages"));
    }
    list(&lines)
}

/// Lists the builds that were overwritten, as HTML.
fn overwritten(changes: &Changes) -> String {
    let lines = changes.overwritten.iter().take(MOST_PACKAGES).map(ToString::to_string);
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("<p>{OVERWRITTEN}:</p>\n{}", list(&lines)),
    }
}

/// Returns an id that depends on the builds of a publication and on what changed.
fn id(index: &Index, changes: Option<&Changes>) -> String {
    let mut there: Vec<Hash> =
        index.builds_with_binary().filter_map(|build: BuildId| index.hash(build)).collect();
    there.sort_unstable();
    let mut digest = Sha256::new();
    let mut add = |hashes: &[Hash]| {
        digest.update((hashes.len() as u64).to_le_bytes());
        hashes.iter().for_each(|hash| digest.update(hash.bytes()));
    };
    add(&there);
    if let Some(changes) = changes {
        add(&changes.came);
        add(&changes.went);
        // So that entries in feeds from before builds were compared for being overwritten keep their ids.
        if !changes.overwritten.is_empty() {
            add(&changes.overwritten.iter().map(|one| one.hash).collect::<Vec<_>>());
        }
        let before = index.earlier().and_then(|earlier| earlier.summary().made);
        digest.update(before.unwrap_or_default());
    }
    uuid(digest)
}

#[cfg(test)]
mod tests {
    use cache_advice::changes::publish;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use command_formats::feed::MOST_ENTRIES;

    use super::*;

    const AT: Addresses<'_> = Addresses {
        page: Some("https://example.org/cache/"),
        is_site: true,
        name: Some("feed.xml"),
    };

    /// Returns an index of builds of `zlib` in these versions, made this many days after another.
    fn index(versions: &[&str], day: usize) -> Index {
        let builds = versions.iter().map(|version| {
            let digit = version.bytes().map(usize::from).sum::<usize>() % 26;
            let hash = String::from(char::from(b'a' + digit as u8)).repeat(31) + "a";
            Build {
                places: Place::whole_release("develop").into(),
                ..Build::new(hash.parse().expect("a hash"), "zlib", version)
            }
        });
        let made = Some(format!("2026-{:02}-{:02}T09:50:00Z", 1 + day / 28, 1 + day % 28));
        let title = Some("Ours & <theirs>\u{1}".to_owned());
        pack(About { made, title, ..About::default() }, builds).expect("different hashes")
    }

    /// Adds a publication to a feed, and returns its text.
    fn publish_in(feed: Option<&str>, index: &Index) -> String {
        let before = feed.map(|text| Feed::read_from(text.as_bytes()).expect("a feed"));
        with_entry(before, index, AT).expect("a feed")
    }

    #[test]
    fn adds_an_entry_for_each_publication() {
        let first = index(&["1.2"], 20);
        let text = publish_in(None, &first);
        let mut second = index(&["1.3"], 21);
        publish(&mut second, &first);
        let text = publish_in(Some(&text), &second);
        let feed = Feed::read_from(text.as_bytes()).expect("a feed");
        let titles: Vec<&str> =
            feed.entries.iter().map(|entry| entry.title.value.as_str()).collect();
        let came = "1 build came, 1 went, 0 stayed; 1 package changed version";
        assert_eq!(titles, [came, "1 build published"]);
        assert_eq!(feed.title.value, "Ours & <theirs>");
        assert_eq!(feed.id, "https://example.org/cache/");
        assert_eq!(feed.updated.to_rfc3339(), "2026-01-22T09:50:00+00:00");
        let links: Vec<&str> = feed.links.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(links, ["https://example.org/cache/", "https://example.org/cache/feed.xml"]);
        let newest = &feed.entries[0];
        assert_eq!(newest.links[0].href, "https://example.org/cache/?changes=published");
        let content = newest.content.as_ref().and_then(|content| content.value.as_deref());
        assert!(content.expect("a content").contains("<li>zlib: 1.2 → 1.3</li>"), "{text}");
        assert!(
            feed.entries
                .iter()
                .all(|entry| entry.id.starts_with("urn:uuid:") && entry.id.len() == 45)
        );
        // The same publication is the same entry.
        assert_eq!(publish_in(Some(&text), &second), text);
        let mut again = index(&["1.3"], 22);
        publish(&mut again, &second);
        assert_eq!(publish_in(Some(&text), &again), text);
    }

    #[test]
    fn names_packages_of_which_only_builds_changed() {
        let of = |letter: &str| {
            let made = Some("2026-01-21T09:50:00Z".to_owned());
            let build = Build {
                places: Place::whole_release("develop").into(),
                ..Build::new(letter.repeat(32).parse().expect("a hash"), "zlib", "1.3")
            };
            pack(About { made, ..About::default() }, [build]).expect("an index")
        };
        let mut new = of("b");
        publish(&mut new, &of("a"));
        let text = publish_in(None, &new);
        assert!(text.contains("zlib: 1 build came, 1 went"), "{text}");
    }

    #[test]
    fn names_the_feed_and_its_entries_differently() {
        let text = with_entry(None, &index(&["1.2"], 20), Addresses::default()).expect("a feed");
        let feed = Feed::read_from(text.as_bytes()).expect("a feed");
        assert!(feed.id.starts_with("urn:uuid:"), "{}", feed.id);
        assert_ne!(feed.id, feed.entries[0].id);
    }

    #[test]
    fn keeps_a_limited_number_of_entries() {
        let mut text = None;
        let mut before: Option<Index> = None;
        for day in 1..=60 {
            let mut next = index(&[if day % 2 == 0 { "1.2" } else { "1.3" }], day);
            before.iter().for_each(|before| drop(publish(&mut next, before)));
            text = Some(publish_in(text.as_deref(), &next));
            before = Some(next);
        }
        let feed = Feed::read_from(text.expect("a feed").as_bytes()).expect("a feed");
        assert_eq!(feed.entries.len(), MOST_ENTRIES);
        let ids: std::collections::BTreeSet<&str> =
            feed.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids.len(), MOST_ENTRIES);
    }
}
