//! The rule about mirrors: Spack lists what is there, and one of the user's mirrors fetches it.
//!
//! `include_binary` and `exclude_binary` of a mirror do not affect what Spack lists and considers, but what it fetches. They
//! are applied to each spec alone, whatever it depends on: a spec that no mirror accepts is built from source, and what
//! needs it may still be fetched. So this rule does not affect the builds that depend on it.
//!
//! A build that is only at other URLs than those of the user's mirrors fails the rule, if any other place of the cache is at
//! one of these: otherwise the user may have given the same mirror another URL.
//!
//! Spack pushes to a mirror at `oci+http://…` but never reads its index, so it does not consider what is there. From a lock
//! file it installs that all the same, since neither an index nor a view is needed for a known hash.

use std::collections::BTreeMap;

use cache_index::build::{Place, Signature};
use cache_index::index::{BuildId, Index};
use cache_index::mirror::Mirror;
use cache_index::number::counted;
use cache_index::settings::ReuseSource;
use cache_index::spack::SpackVersion;

use super::checklist::{Check, IN_MIRRORS};
use super::{Outcome, Rule, RuleStatus, specs};

/// The scheme of mirrors that Spack does not list.
const UNLISTED: &str = "oci+http://";

/// A mirror of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserMirror {
    /// Its name.
    pub name: String,
    /// From where Spack fetches.
    pub url: String,
    /// `true` if Spack takes only signed binaries from it.
    pub is_signed: bool,
    /// Which binaries Spack fetches from it.
    pub accepts: ReuseSource,
}

/// The rule, for one index.
pub struct MirrorRule<'a> {
    index: &'a Index,
    mirrors: &'a [UserMirror],
    /// For each mirror, the outcome of each build under its lists; `None` if it has none.
    accepted: Vec<Option<Vec<Outcome>>>,
    /// The mirrors of each place.
    places: BTreeMap<Place, At>,
}

/// The mirrors of a place.
enum At {
    /// A registry that Spack does not list.
    Unlisted,
    /// These mirrors of the user.
    Mirrors(Vec<usize>),
    /// A URL at which the user has no mirror.
    Elsewhere(String),
    /// It is not known whether a mirror of the user has what is there.
    Unknown,
}

/// The answer for one mirror: the status, what was found, and what would change it.
type Found = (RuleStatus, String, Option<String>);

impl<'a> MirrorRule<'a> {
    /// Returns the rule; `None` if there is nothing that it could exclude.
    ///
    /// The mirrors of a place are those at its URL. If no mirror is at any of the URLs of the cache, each may be at each.
    pub fn new(
        index: &'a Index,
        mirrors: &'a [UserMirror],
        spack: SpackVersion,
    ) -> Option<MirrorRule<'a>> {
        let url = |place: &Place| Mirror::of(place, index.about()).url.unwrap_or_default();
        let is_at = |mirror: &UserMirror, url: &str| location(&mirror.url) == location(url);
        // The mirror of a release is above those of its stacks, and may have all that these have.
        let is_above = |mirror: &UserMirror, url: &str| {
            let rest = location(url).strip_prefix(location(&mirror.url));
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let places: Vec<(Place, String)> =
            index.all_places().map(|place| (place.clone(), url(&place))).collect();
        let is_known =
            places.iter().any(|(_, url)| mirrors.iter().any(|mirror| is_at(mirror, url)));
        let places: BTreeMap<Place, At> = places
            .into_iter()
            .map(|(place, url)| match url.starts_with(UNLISTED) {
                true => (place, At::Unlisted),
                false => {
                    let all = mirrors.iter().enumerate();
                    let here = all.filter(|(_, mirror)| !is_known || is_at(mirror, &url));
                    let here: Vec<usize> = here.map(|(number, _)| number).collect();
                    let at = match here.is_empty() && is_known {
                        false => At::Mirrors(here),
                        true if url.is_empty() || mirrors.iter().any(|it| is_above(it, &url)) => {
                            At::Unknown
                        }
                        true => At::Elsewhere(url),
                    };
                    (place, at)
                }
            })
            .collect();
        let has_unlisted = places.values().any(|at| matches!(at, At::Unlisted));
        let accepted = mirrors.iter().map(|UserMirror { accepts, .. }| {
            let has_lists = !accepts.include.is_empty() || !accepts.exclude.is_empty();
            has_lists.then(|| specs::of_source(index, accepts, spack))
        });
        (has_unlisted || !mirrors.is_empty()).then(|| MirrorRule {
            index,
            mirrors,
            accepted: accepted.collect(),
            places,
        })
    }

    /// Applies the rule to a build; `None` if it does not apply.
    pub fn check(&self, build: BuildId) -> Option<Check> {
        let places = self.index.places_of(self.index.row_of(build));
        let mut found: Vec<Found> = Vec::new();
        let mut elsewhere: Vec<&str> = Vec::new();
        let mut is_anywhere_unknown = false;
        for place in places {
            match self.places.get(&place) {
                Some(At::Mirrors(mirrors)) if self.mirrors.is_empty() => {
                    debug_assert!(mirrors.is_empty());
                    return None;
                }
                Some(At::Mirrors(mirrors)) => {
                    found.extend(mirrors.iter().map(|&number| self.by_mirror(number, build)));
                }
                Some(At::Unlisted) => found.push(unlisted()),
                Some(At::Elsewhere(url)) => elsewhere.push(url),
                Some(At::Unknown) | None => is_anywhere_unknown = true,
            }
        }
        if let [first, others @ ..] = elsewhere.as_slice()
            && !is_anywhere_unknown
        {
            found.push(not_there(first, others.len()));
        }
        if found.is_empty() {
            return None;
        }
        let best = found.iter().map(|(status, ..)| *status).max().unwrap_or(RuleStatus::Passed);
        found.retain(|(status, ..)| *status == best);
        found.dedup();
        let change = found.iter().find_map(|(.., change)| change.clone());
        let facts: Vec<String> = match best {
            RuleStatus::Passed => found.into_iter().take(1).map(|(_, fact, _)| fact).collect(),
            _ => found.into_iter().map(|(_, fact, _)| fact).collect(),
        };
        let (rule, status, source) = (Rule::Mirror, best, IN_MIRRORS);
        Some(Check { rule, status, fact: facts.join("; "), source, change })
    }

    /// Returns the outcome of a build under this rule.
    pub fn outcome(&self, build: BuildId) -> Outcome {
        self.check(build).map_or(Outcome::ELIGIBLE, |check| Outcome::of(check.rule, check.status))
    }

    fn by_mirror(&self, number: usize, build: BuildId) -> Found {
        let UserMirror { name, is_signed, accepts, .. } = &self.mirrors[number];
        let is_unsigned =
            self.index.has_signatures() && self.index.signature(build) == Some(Signature::Unsigned);
        if *is_signed && is_unsigned {
            let fact =
                format!("it is not signed, and the mirror {name} takes only signed binaries");
            return (
                RuleStatus::Failed,
                fact,
                Some(format!("`signed: false` for the mirror {name}")),
            );
        }
        let outcome = match &self.accepted[number] {
            None => Outcome::ELIGIBLE,
            Some(outcomes) => outcomes[build.at()],
        };
        match (outcome.is_eligible(), outcome.rule()) {
            (Some(true), _) => (RuleStatus::Passed, format!("the mirror {name} fetches it"), None),
            (None, _) => {
                let fact = format!(
                    "whether the mirror {name} fetches it depends on what the cache does not say"
                );
                (RuleStatus::Unknown, fact, None)
            }
            (Some(false), Some(Rule::Include)) => {
                let listed = accepts.include.join(", ");
                let fact = format!("include_binary of the mirror {name} lists only {listed}");
                (RuleStatus::Failed, fact, Some(format!("include it in include_binary of {name}")))
            }
            (Some(false), _) => {
                let listed = accepts.exclude.join(", ");
                let fact = format!("exclude_binary of the mirror {name} lists {listed}");
                let change = format!("remove what it satisfies from exclude_binary of {name}");
                (RuleStatus::Failed, fact, Some(change))
            }
        }
    }
}

/// Returns the part of a URL that says where a mirror is.
fn location(url: &str) -> &str {
    url.strip_prefix("file://").unwrap_or(url).trim_end_matches('/')
}

/// Returns the answer for a build at a URL, and at a number of others, at which the user has no mirror.
fn not_there(url: &str, others: usize) -> Found {
    let others = match others {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other URL", "other URLs")),
    };
    let fact = format!("none of your mirrors is at {url}{others}");
    (RuleStatus::Failed, fact, Some(format!("a mirror at {url}")))
}

fn unlisted() -> Found {
    let fact = format!("Spack never lists what is in a mirror at {UNLISTED}");
    let change = "a lock file with its hash, from which Spack installs it all the same";
    (RuleStatus::Failed, fact, Some(change.to_owned()))
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, KnownMirror, pack};
    use cache_index::sample;

    use super::*;

    #[test]
    fn fails_what_is_only_where_the_user_has_no_mirror() {
        let known = |stack: &str, url: Option<&str>| KnownMirror {
            stack: stack.to_owned(),
            url: url.map(str::to_owned),
            ..KnownMirror::default()
        };
        let mirrors = vec![
            known("a", Some("https://example.org/a")),
            known("b", Some("https://example.org/b/")),
            known("c", Some("https://example.org/c")),
            known("d", None),
            known("e", Some("https://example.org/b/e")),
        ];
        let place = |stack: &&str| Place { release: String::new(), stack: (*stack).to_owned() };
        let of = |number: usize, stacks: &[&str]| Build {
            hash: sample::hash(number),
            places: stacks.iter().map(place).collect(),
            ..sample::one("zlib", "1.3")
        };
        let all = [
            of(1, &["a"]),
            of(2, &["b"]),
            of(3, &["a", "b"]),
            of(4, &["a", "c"]),
            of(5, &["a", "d"]),
            of(6, &[]),
            of(7, &["e"]),
        ];
        let about = About { mirrors, ..About::default() };
        let index = pack(about, all).expect("an index");
        let spack = SpackVersion::default();
        let check = |url: &str, number: usize| {
            let mine = UserMirror {
                name: "mine".to_owned(),
                url: url.to_owned(),
                ..UserMirror::default()
            };
            let mine = [mine];
            let rule = MirrorRule::new(&index, &mine, spack).expect("a rule");
            let build = index.find(sample::hash(number)).expect("a build");
            rule.check(build).map(|check| (check.status, check.fact, check.change))
        };
        let at_b = "https://example.org/b";
        let (status, fact, change) = check(at_b, 1).expect("a check");
        assert_eq!(status, RuleStatus::Failed);
        assert_eq!(fact, "none of your mirrors is at https://example.org/a");
        assert_eq!(change.as_deref(), Some("a mirror at https://example.org/a"));
        let (_, fact, _) = check(at_b, 4).expect("a check");
        assert_eq!(fact, "none of your mirrors is at https://example.org/a and 1 other URL");
        let status = |url, number| check(url, number).map(|(status, ..)| status);
        // What is in a mirror below may be in it, too.
        assert_eq!(status(at_b, 7), None);
        assert_eq!(status(at_b, 2), Some(RuleStatus::Passed));
        assert_eq!(status(at_b, 3), Some(RuleStatus::Passed));
        assert_eq!(status(at_b, 5), None, "it is not known where d is");
        assert_eq!(status(at_b, 6), None, "it is in no mirror");
        // The user may have given any of them another URL.
        assert_eq!(status("https://example.org/other", 1), Some(RuleStatus::Passed));
    }
}
