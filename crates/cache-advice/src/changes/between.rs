//! The two sides of a comparison within one cache, and what their names mean in it.

use std::fmt;

use cache_index::build::Place;
use cache_index::index::{Index, ValueCode};
use cache_query::{AskedChanges, AskedSide};
use spack_spec::Version;

use super::Side;

/// A part of a cache: a release, or one of its stacks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The release; empty in a cache without releases.
    pub release: String,
    /// The stack; `None` for the whole release.
    pub stack: Option<String>,
}

/// The old side and the new side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Between {
    /// The old side.
    pub old: Part,
    /// The new side.
    pub new: Part,
}

/// What is wrong with a text that does not name two sides.
pub const NOT_TWO_SIDES: &str =
    "expected two releases or stacks, as in v2026.03.0/e4s..develop/e4s";

impl Between {
    /// Returns the comparison that most people want, of the two newest releases; `None` if there are fewer than two.
    ///
    /// A branch such as `develop` moves on, so it counts as newer than any version, such as `v2026.03.0`. A snapshot of a
    /// branch, such as `develop-2025-08-31`, counts as older.
    pub fn latest(index: &Index) -> Option<Between> {
        let mut releases = Between::releases(index);
        releases.retain(|release| !release.is_empty());
        let whole = |release: String| Part { release, stack: None };
        let new = whole(releases.pop()?);
        Some(Between { old: whole(releases.pop()?), new })
    }

    /// Returns the comparison of two stacks in the newest release that has both; `None` if no release has.
    pub fn of_stacks(index: &Index, [old, new]: [&str; 2]) -> Option<Between> {
        let has = |release: &str, stack: &str| {
            index.all_places().any(|place| place.release == release && place.stack == *stack)
        };
        let mut releases = Between::releases(index).into_iter().rev();
        let release = releases.find(|release| has(release, old) && has(release, new))?;
        let part = |stack: &str| Part { release: release.clone(), stack: Some(stack.to_owned()) };
        Some(Between { old: part(old), new: part(new) })
    }

    /// Returns the releases of a cache, each once, the newest last.
    fn releases(index: &Index) -> Vec<String> {
        sorted(index.all_places())
    }
}

/// Returns the releases with binaries of a package, the newest last, and whether the cache has others. There are none in a cache
/// without releases.
pub fn releases_of(index: &Index, package: ValueCode) -> (Vec<String>, bool) {
    let rows = index.rows_of(package).filter(|&row| index.has_binary(row));
    let mut releases = sorted(rows.flat_map(|row| index.places_of(row)));
    let has_others = releases.len() < Between::releases(index).len();
    releases.retain(|release| !release.is_empty());
    (releases, has_others)
}

/// Returns the releases of places, each once, the newest last.
fn sorted(places: impl Iterator<Item = Place>) -> Vec<String> {
    let mut releases: Vec<String> = places.map(|place| place.release).collect();
    let key = |release: &String| {
        let version = release.strip_prefix('v').unwrap_or(release);
        let is_branch = !release.bytes().any(|byte| byte.is_ascii_digit());
        let is_version = version.starts_with(|first: char| first.is_ascii_digit());
        (is_branch, is_version, version.parse::<Version>().ok())
    };
    releases.sort_by_cached_key(key);
    releases.dedup();
    releases
}

impl Part {
    /// Returns all parts of a cache: each release, followed by its stacks. A release with one stack counts once.
    pub fn all(index: &Index) -> Vec<Part> {
        let mut places: Vec<Place> = index.all_places().collect();
        places
            .sort_by(|one, other| (&one.release, &one.stack).cmp(&(&other.release, &other.stack)));
        let mut parts = Vec::new();
        for places in places.chunk_by(|one, other| one.release == other.release) {
            let release = &places[0].release;
            // A complete cache without releases has no name.
            if !release.is_empty() {
                parts.push(Part { release: release.clone(), stack: None });
            }
            if places.len() > 1 {
                let stacks = places.iter().filter(|place| !place.stack.is_empty());
                parts.extend(stacks.map(|place| Part {
                    release: release.clone(),
                    stack: Some(place.stack.clone()),
                }));
            }
        }
        parts
    }

    /// Returns `true` if a cache has the part.
    pub fn is_in(&self, index: &Index) -> bool {
        index.all_places().any(|place| {
            place.release == self.release
                && self.stack.as_ref().is_none_or(|stack| *stack == place.stack)
        })
    }

    /// Says that a cache does not have the part, and which it has: those with a stack of that name, or all.
    pub fn why_not_in(&self, index: &Index) -> String {
        let named = self.to_string();
        let all: Vec<String> = Part::all(index).iter().map(Part::to_string).collect();
        let is_of_name =
            |part: &&String| part.split_once('/').is_some_and(|(_, stack)| stack == named);
        let of_name: Vec<String> = all.iter().filter(is_of_name).cloned().collect();
        match (of_name.is_empty(), all.is_empty()) {
            (false, _) => {
                format!(
                    "{named:?} is a stack: name it with its release, as one of {}",
                    of_name.join(", ")
                )
            }
            (true, true) => format!("no release or stack {named:?}: this cache has none"),
            (true, false) => format!("no release or stack {named:?}; there are {}", all.join(", ")),
        }
    }

    /// Returns the part of a cache that the text of this part names: in a cache without releases, the text is the name
    /// of a stack, which may contain slashes.
    pub fn meant_in(self, index: &Index) -> Part {
        if self.is_in(index) {
            return self;
        }
        let stack = Part { release: String::new(), stack: Some(self.to_string()) };
        if stack.is_in(index) { stack } else { self }
    }

    /// Selects the part of a cache.
    pub fn of<'i>(&self, index: &'i Index) -> Side<'i> {
        Side::part(index, &self.release, self.stack.as_deref())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stack {
            None => f.write_str(&self.release),
            Some(stack) => write!(f, "{}/{stack}", self.release),
        }
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        match text.split_once('/') {
            None => Part { release: text.to_owned(), stack: None },
            Some((release, stack)) => {
                Part { release: release.to_owned(), stack: Some(stack.to_owned()) }
            }
        }
    }
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.old, self.new)
    }
}

impl From<&Between> for AskedChanges {
    fn from(between: &Between) -> AskedChanges {
        let [old, new] =
            [&between.old, &between.new].map(|part| AskedSide::from(part.to_string().as_str()));
        AskedChanges::Between { old, new }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn part(release: &str, stack: Option<&str>) -> Part {
        Part { release: release.to_owned(), stack: stack.map(str::to_owned) }
    }

    #[test]
    fn reads_the_parts_that_it_writes() {
        #[track_caller]
        fn check(text: &str, expected: Part) {
            assert_eq!(Part::from(text), expected);
            assert_eq!(expected.to_string(), text);
        }
        check("a", part("a", None));
        check("v1.2/s/t", part("v1.2", Some("s/t")));
        check("/s", part("", Some("s")));
    }

    #[test]
    fn finds_stacks_by_their_names_alone_in_a_cache_without_releases() {
        let place = Place { release: String::new(), stack: "develop/e4s".to_owned() };
        let build = Build { places: [place].into(), ..sample::one("zlib", "1.3") };
        let index = pack(About::default(), [build]).expect("different hashes");
        let stack = part("", Some("develop/e4s"));
        assert_eq!(Part::from("develop/e4s").meant_in(&index), stack);
        assert_eq!(Part::from("/develop/e4s").meant_in(&index), stack);
        assert_eq!(Part::from("develop").meant_in(&index), part("develop", None));
    }

    #[test]
    fn says_which_parts_there_are() {
        let place = |release: &str, stack: &str| Place {
            release: release.to_owned(),
            stack: stack.to_owned(),
        };
        let places = [place("v1", "e4s"), place("v2", "e4s"), place("v2", "ml")];
        let build = Build { places: places.into(), ..sample::one("zlib", "1.3") };
        let index = pack(About::default(), [build]).expect("an index");
        let check = |text: &str, expected: &str| {
            assert_eq!(Part::from(text).why_not_in(&index), expected);
        };
        check("ml", "\"ml\" is a stack: name it with its release, as one of v2/ml");
        check("v3", "no release or stack \"v3\"; there are v1, v2, v2/e4s, v2/ml");
        let bare = Build { places: [place("", "")].into(), ..sample::one("zlib", "1.3") };
        let bare = pack(About::default(), [bare]).expect("an index");
        let none = "no release or stack \"v3\": this cache has none";
        assert_eq!(Part::from("v3").why_not_in(&bare), none);
    }

    #[test]
    fn compares_the_newest_release_with_the_branch_that_moves_on() {
        #[track_caller]
        fn check(releases: &[&str], expected: Option<&str>) {
            let build = |(number, release): (usize, &&str)| Build {
                hash: sample::hash(number),
                places: [Place { release: release.to_string(), stack: "e4s".into() }].into(),
                ..sample::one("zlib", "1.3")
            };
            let builds: Vec<Build> = releases.iter().enumerate().map(build).collect();
            let index = pack(About::default(), builds).expect("different hashes");
            let latest = Between::latest(&index).map(|between| between.to_string());
            assert_eq!(latest.as_deref(), expected, "{releases:?}");
        }
        check(&["develop"], None);
        check(&[""], None);
        check(&["v2026.03.0", "develop"], Some("v2026.03.0..develop"));
        check(&["v1.0.2", "v2025.11.0", "v2026.03.0"], Some("v2025.11.0..v2026.03.0"));
        check(&["develop-2025-08-31", "develop", "v0.23.1"], Some("v0.23.1..develop"));
        check(
            &["develop-2025-08-31", "develop-2025-09-07"],
            Some("develop-2025-08-31..develop-2025-09-07"),
        );
    }

    #[test]
    fn compares_two_stacks_in_the_newest_release_that_has_both() {
        let place = |(release, stack): (&str, &str)| Place {
            release: release.to_owned(),
            stack: stack.to_owned(),
        };
        let places = [("v1", "x"), ("v1", "y"), ("v2", "x"), ("v2", "y"), ("develop", "x")];
        let build = Build { places: places.map(place).into(), ..sample::one("zlib", "1.3") };
        let index = pack(About::default(), [build]).expect("an index");
        let of = |stacks| Between::of_stacks(&index, stacks).map(|between| between.to_string());
        assert_eq!(of(["x", "y"]).as_deref(), Some("v2/x..v2/y"));
        assert_eq!(of(["x", "z"]), None);
    }

    #[test]
    fn lists_releases_with_their_stacks() {
        let build = |number: usize, places: &[(&str, &str)]| {
            let place = |&(release, stack): &(&str, &str)| Place {
                release: release.to_owned(),
                stack: stack.to_owned(),
            };
            let places = places.iter().map(place).collect();
            Build { hash: sample::hash(number), places, ..sample::one("zlib", "1.3") }
        };
        let builds = [build(1, &[("a", "x"), ("a", "y"), ("b", "x")]), build(2, &[("b", "x")])];
        let index = pack(About::default(), builds).expect("different hashes");
        let all = Part::all(&index);
        let names: Vec<String> = all.iter().map(Part::to_string).collect();
        assert_eq!(names, ["a", "a/x", "a/y", "b"]);
        assert!(all.iter().all(|part| part.is_in(&index)));
        assert!(!part("b", Some("y")).is_in(&index) && !part("c", None).is_in(&index));
    }
}
