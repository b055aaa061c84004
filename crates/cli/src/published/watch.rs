//! A feed and a badge for each spec or environment that a publisher watches.
//!
//! | file | contents |
//! | --- | --- |
//! | `watch/NAME.xml` | a feed in Atom, with an entry for each publication in which something changed |
//! | `watch/NAME.json` | what there is now, as badge services read it |
//!
//! The previous state is in the existing [feed](crate::feed::watched).

use std::path::Path;
use std::sync::Arc;

use cache_advice::environment::{Assessment, AssessmentReport, SatisfyingBuilds, Status, Unread};
use cache_index::build::{Build, Hash};
use cache_index::environment::Environment;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_query::search::Search;
use cache_query::{Answer, Query, Question, address, run_with};
use sha2::{Digest as _, Sha256};

use super::PublishedCache;
use super::badge::{badge, newest_and_builds};
use crate::feed::watched::{Now, feed};
use crate::output::{Kind, Shelf, Tree};
use crate::report::Failure;
use crate::site_url::below;
use crate::terminal::Lines;

/// The name of the folder with the files, in the folder of the site.
pub(crate) const FOLDER: &str = "watch";
/// The feeds.
const FEEDS: Shelf = Shelf { before: "watch/", after: ".xml", kind: Kind::Feed };
/// The badges.
const BADGES: Shelf = Shelf { before: "watch/", after: ".json", kind: Kind::Badge };

/// The files in the folder that only this program fills.
pub(crate) const SHELVES: [Shelf; 2] = [FEEDS, BADGES];

/// What the badge says if there is no build.
const NONE: &str = "none";

/// How many builds or specs an entry names.
const MOST_NAMED: usize = 40;

/// Something that is watched, read as far as possible without the cache.
pub(crate) struct Watch {
    /// The name of its files.
    pub(crate) name: String,
    pub(crate) target: WatchTarget,
}

/// What is watched.
pub(crate) enum WatchTarget {
    /// The builds that satisfy a spec.
    Spec(String),
    /// How much of an environment is cached.
    Environment {
        /// The path of its file, as the publisher has written it.
        label: String,
        environment: Environment,
    },
}

/// The current state of something that is watched.
struct State {
    title: String,
    subject: String,
    /// What the badge says.
    message: String,
    color: String,
    /// The builds that are there, or the specs that are missing.
    lines: Vec<String>,
    /// Differs if the message differs, or any build or spec that it is about.
    digest: String,
    /// The query with which the site shows it.
    query: Query,
    /// What the headline adds if something changed but the message did not.
    otherwise: &'static str,
}

/// Returns the files. `folder` is the folder of the site, with the files of the publication before; `on_nothing` is called
/// with the name and the spec of each entry that no build satisfies.
pub(crate) fn tree(
    watched: &[Watch],
    cache: &PublishedCache,
    folder: &Path,
    mut on_nothing: impl FnMut(&str, &str),
) -> Result<Tree, Failure> {
    let mut feeds = Vec::new();
    let mut badges = Vec::new();
    for watch in watched {
        let state = match &watch.target {
            WatchTarget::Spec(spec) => of_spec(cache.index, spec)?,
            WatchTarget::Environment { label, environment } => {
                of_environment(cache.index, label, environment)
            }
        };
        if let (WatchTarget::Spec(spec), NONE) = (&watch.target, state.message.as_str()) {
            on_nothing(&watch.name, spec);
        }
        let path = FEEDS.path(&watch.name);
        let site = cache.site_url.as_deref();
        let page = site.map(|site| match address::encode(&state.query) {
            query if query.is_empty() => site.to_owned(),
            query => below(site, &format!("?{query}")),
        });
        let State { title, subject, message, color, lines, digest, otherwise, .. } = state;
        let badge = badge(&title, &message, &color);
        let own = site.map(|site| below(site, &path));
        let now = Now { title, subject, message, digest, lines, page, own };
        let headline = |before: Option<&str>| headline(&now, before, otherwise);
        let feed = feed(&folder.join(&path), cache.index, &now, headline)?;
        feeds.push((watch.name.clone(), move || feed.clone()));
        badges.push((watch.name.clone(), move || badge.clone()));
    }
    let mut tree = Tree::default();
    tree.fill(FEEDS, feeds);
    tree.fill(BADGES, badges);
    Ok(tree)
}

/// Returns the headline of an entry: `zlib came: 1.3.1 · 2 builds`, `a/spack.lock: 97 % cached (was 95 %)`.
fn headline(now: &Now, before: Option<&str>, otherwise: &str) -> String {
    let Now { title, message, .. } = now;
    // A spec may end with a colon itself.
    let colon = if title.ends_with(':') { "" } else { ":" };
    match before {
        Some(NONE) if message != NONE => format!("{title} came: {message}"),
        Some(before) if message == NONE && before != NONE => format!("{title} went (was {before})"),
        Some(before) if before == message => format!("{title}{colon} {message}, {otherwise}"),
        Some(before) => {
            let before = before.strip_suffix(CACHED).unwrap_or(before);
            format!("{title}{colon} {message} (was {before})")
        }
        None => format!("{title}{colon} {message}"),
    }
}

fn of_spec(index: &Index, spec: &str) -> Result<State, Failure> {
    let search = Search::parse(spec, index.dialect())
        .map_err(|error| Lines(error.in_text(spec).to_string()))?;
    let answer = run_with(index, &Question::default(), Arc::new(search.select(index)));
    let builds: Vec<BuildId> = answer.matching_builds(index).collect();
    let message = spec_message(index, &answer, builds.len());
    let is_new = |&id: &BuildId| {
        index.first_seen(id).is_some_and(|day| Some(day) == index.about().made.as_deref())
    };
    let (new, old): (Vec<BuildId>, Vec<BuildId>) = builds.iter().partition(|id| is_new(id));
    let named = new.iter().map(|id| (id, "new: ")).chain(old.iter().map(|id| (id, "")));
    let named = named
        .filter_map(|(&id, mark)| Some(format!("{mark}{}", index.build_alone(id)?.short_spec())));
    Ok(State {
        title: spec.to_owned(),
        subject: format!("spec {spec}"),
        color: if builds.is_empty() { "lightgrey" } else { "blue" }.to_owned(),
        lines: some(named, builds.len()),
        digest: digest(builds.iter().filter_map(|&id| index.hash(id)), &message),
        message,
        query: Query { question: Question::of_text(spec), ..Query::default() },
        otherwise: "other builds than before",
    })
}

/// Returns how many builds satisfy a spec, and which version is the newest if they are all of one package.
fn spec_message(index: &Index, answer: &Answer, builds: usize) -> String {
    let is_certain = answer.missing().is_none();
    let mut packages = answer.matching_packages();
    let message = match (packages.next(), packages.next()) {
        (None, _) if is_certain => return NONE.to_owned(),
        // The cache does not list dependencies, for example.
        (None, _) => return "unknown".to_owned(),
        (Some(package), None) => newest_and_builds(index, answer, package),
        (Some(_), Some(_)) => counted(builds, "build", "builds"),
    };
    if is_certain { message } else { format!("{message} or more") }
}

/// The end of the message about an environment.
const CACHED: &str = " cached";

fn of_environment(index: &Index, label: &str, environment: &Environment) -> State {
    let assessment = Assessment::new(index, environment, &Question::default(), index.dialect());
    let written = AssessmentReport { index, environment, assessment: &assessment };
    let badge = written.badge();
    let text = |field: &str| badge[field].as_str().unwrap_or_default().to_owned();
    let cached = if environment.lists_nothing() { "" } else { CACHED };
    let message = text("message") + cached;
    let headline = written.headline();
    let (hashes, missing) = missing(environment, &assessment);
    let all = [&[message.clone(), headline.clone()], &missing[..]].concat().join("\n");
    let count = missing.len();
    State {
        title: label.to_owned(),
        subject: format!("lock {label}"),
        message,
        color: text("color"),
        digest: digest(hashes.into_iter(), &all),
        lines: [headline].into_iter().chain(some(missing.into_iter(), count)).collect(),
        query: Query::default(),
        otherwise: "other specs than before",
    }
}

/// Returns the hashes of the missing specs of an environment, if it is concrete, and a line for each missing spec.
fn missing(environment: &Environment, assessment: &Assessment) -> (Vec<Hash>, Vec<String>) {
    if environment.is_concrete() {
        let nodes = environment.nodes.iter().enumerate();
        let missing = nodes.filter(|(at, _)| assessment.coverage.status(*at) == Status::Missing);
        let line = |build: &Build| (build.hash, format!("missing: {}", build.short_spec()));
        return missing.map(|(_, node)| line(&node.build)).unzip();
    }
    let line = |found: &Result<SatisfyingBuilds, Unread>| match found {
        Ok(found) if !found.builds.is_empty() || found.is_developed || found.is_external => None,
        // The cache does not list dependencies, for example.
        Ok(found) if !found.is_certain => Some(format!("unknown: {}", found.spec)),
        Ok(SatisfyingBuilds { spec, .. }) | Err(Unread { spec, .. }) => {
            Some(format!("missing: {spec}"))
        }
    };
    (Vec::new(), assessment.specs.iter().filter_map(line).collect())
}

/// Returns the first of many names, and how many others there are.
fn some(names: impl Iterator<Item = String>, all: usize) -> Vec<String> {
    let mut shown: Vec<String> = names.take(MOST_NAMED).collect();
    let others = all.saturating_sub(shown.len());
    shown.extend((others > 0).then(|| format!("{others} more")));
    shown
}

/// Returns a digest of builds, regardless of their order, and a text.
fn digest(hashes: impl Iterator<Item = Hash>, text: &str) -> String {
    let mut hashes: Vec<Hash> = hashes.collect();
    hashes.sort_unstable();
    let mut digest = Sha256::new();
    hashes.iter().for_each(|hash| digest.update(hash.bytes()));
    format!("{:x}", digest.chain_update(text).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_changed_in_a_sentence() {
        #[track_caller]
        fn check(title: &str, before: Option<&str>, now: &str, expected: &str) {
            let (title, message) = (title.to_owned(), now.to_owned());
            let (subject, digest, lines) = Default::default();
            let now = Now { title, subject, message, digest, lines, page: None, own: None };
            assert_eq!(headline(&now, before, "other builds than before"), expected);
        }
        check("hdf5@2:", None, NONE, "hdf5@2: none");
        check("hdf5@2:", Some(NONE), "2.0.0 · 1 build", "hdf5@2: came: 2.0.0 · 1 build");
        check("hdf5", Some("2.0.0 · 1 build"), NONE, "hdf5 went (was 2.0.0 · 1 build)");
        check(
            "hdf5",
            Some("2.0.0 · 1 build"),
            "2.1.0 · 1 build",
            "hdf5: 2.1.0 · 1 build (was 2.0.0 · 1 build)",
        );
        check("hdf5", Some("1 build"), "1 build", "hdf5: 1 build, other builds than before");
        check("a.lock", Some("95 % cached"), "97 % cached", "a.lock: 97 % cached (was 95 %)");
    }
}
