//! The feed of something that is watched: an entry for each publication in which it changed.
//!
//! The newest entry of the existing feed records the previous state, as a category: its scheme identifies what was watched,
//! its term is a digest, which differs if anything does, and its label is what the badge said. So a publisher has to keep
//! nothing but the site. If something else is watched under the same name, the new entry says what there is now, without a
//! comparison.

use std::path::Path;

use atom_syndication::Category;
use cache_advice::text::{escaped, plain};
use cache_index::index::Index;
use command_formats::feed::{FeedHead, continued, uuid};
use sha2::{Digest as _, Sha256};

use super::{entry, list, made, read};
use crate::report::Failure;

/// The current state of something that is watched.
pub(crate) struct Now {
    /// What it is called.
    pub(crate) title: String,
    /// What is watched: the same text as long as two publications can be compared.
    pub(crate) subject: String,
    /// The state in a few words.
    pub(crate) message: String,
    /// Differs if anything does.
    pub(crate) digest: String,
    /// The complete state, one line for each part.
    pub(crate) lines: Vec<String>,
    /// The address of a page about it.
    pub(crate) page: Option<String>,
    /// The address of its feed.
    pub(crate) own: Option<String>,
}

/// Returns the text of a feed, with an entry if anything changed, and the entries that are already in the file. `headline`
/// says what changed, given the message of the previous state.
pub(crate) fn feed(
    path: &Path,
    index: &Index,
    now: &Now,
    headline: impl Fn(Option<&str>) -> String,
) -> Result<String, Failure> {
    let before = read(path)?;
    let made = made(index).map_err(|problem| format!("{}: {problem}", path.display()))?;
    let newest = before.as_ref().and_then(|feed| feed.entries.first());
    let scheme = Some(uuid(Sha256::new().chain_update(&now.subject)));
    let was = newest.and_then(|entry| entry.categories.first()).filter(|was| was.scheme == scheme);
    let newest = match newest {
        Some(newest) if was.is_some_and(|was| was.term == now.digest) => newest.clone(),
        _ => {
            let title = headline(was.and_then(|was| was.label.as_deref()));
            let html = format!("<p>{}</p>\n{}", escaped(&title), list(&now.lines));
            let id = Sha256::new().chain_update(&now.title).chain_update(&now.digest);
            let id = uuid(id.chain_update(made.to_rfc3339()));
            let mut entry = entry(id, plain(&title), made, html, now.page.clone());
            let (term, label) = (now.digest.clone(), Some(plain(&now.message)));
            entry.set_categories(vec![Category { term, scheme, label }]);
            entry
        }
    };
    let head = FeedHead {
        title: plain(&format!("{} · {}", now.title, index.about().title())),
        id: now.own.clone(),
        page: now.page.clone(),
        own: now.own.clone(),
    };
    continued(before, newest, made, head)
        .map_err(|problem| format!("{}: {problem}", path.display()).into())
}
