//! The names of databases and mirrors, and the URLs under which Spack finds them.
//!
//! An input that is a single mirror needs neither a release nor a stack. Several mirrors are distinguished by their
//! releases if the user gives each its own, or else by their stacks, which are the names that the user gives them, or
//! their paths. If every path starts with the name of a release, as in `v1.0/e4s`, `releases/v1.0/e4s` and
//! `develop/e4s`, that is the release, and the rest the stack.

pub(super) mod several;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::input::{
    DatabaseFile, Input, MirrorFolder, NameAndUrl, NameSource, Repository, Views, place_of,
};
use super::location::Location;
use crate::Collection;
use cache_index::build::Place;
use cache_index::index::{About, BucketServer, KnownMirror, PUBLIC_MIRROR_URL};
use cache_index::mirror::Mirror;

/// An input as the user specifies it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// A path or a URL.
    pub path: PathBuf,
    /// The exact argument for `spack mirror add`.
    pub url: Option<String>,
    /// The name of the mirror.
    pub name: Option<String>,
    /// The only view of the mirror to read.
    pub view: Option<String>,
    /// Its release, if that is not the same for all inputs.
    pub release: Option<String>,
    /// Its stack, if that is not the same for all inputs.
    pub stack: Option<String>,
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Source {
        Source { path, ..Source::default() }
    }
}

/// An input that the user may name.
struct Nameable<'i> {
    path: PathBuf,
    is_folder: bool,
    place: &'i mut Place,
    known: &'i mut NameAndUrl,
    is_one_of_many: Option<&'i mut bool>,
}

fn nameable(input: &mut Input) -> Option<Nameable<'_>> {
    let path_of = |location: &Location| match location {
        Location::Path(path) => path.clone(),
        Location::Url(url) => PathBuf::from(url),
    };
    match input {
        Input::Mirror(MirrorFolder {
            path,
            place,
            naming: NameSource::Own(known),
            is_one_of_many,
            ..
        }) => Some(Nameable {
            path: path.clone(),
            is_folder: true,
            place,
            known,
            is_one_of_many: Some(is_one_of_many),
        }),
        Input::Database(DatabaseFile {
            location, place, naming: NameSource::Own(known), ..
        }) => {
            let path = path_of(location);
            Some(Nameable { path, is_folder: false, place, known, is_one_of_many: None })
        }
        Input::Repository(Repository { location, place, naming: NameSource::Own(known) }) => {
            let path = path_of(location);
            Some(Nameable { path, is_folder: true, place, known, is_one_of_many: None })
        }
        _ => None,
    }
}

/// Sets the names and URLs of the inputs found at a source. `given` has the release and stack that the user specified,
/// if any. `label` distinguishes the source from the others, and is `None` if there are no others.
pub(super) fn name_all(
    source: &Source,
    inputs: &mut [Input],
    given: &Place,
    label: Option<&str>,
) -> Result<(), &'static str> {
    let has_stack = !given.stack.is_empty();
    let all = inputs.len();
    let label = label.filter(|_| !has_stack);
    for input in inputs.iter_mut() {
        if let Input::Index(index) = input {
            index.unnamed_stack = label.map(str::to_owned);
        }
    }
    let is_named = source.url.is_some() || source.name.is_some();
    let mut own: Vec<_> = inputs.iter_mut().filter_map(nameable).collect();
    if is_named && (own.is_empty() || own.len() < all) {
        return Err("--url and --name are for mirrors and databases; \
                    pages, manifests and indexes state their releases and stacks themselves, \
                    and --mirror-url says where these are");
    }
    if let [Nameable { path, place, known, is_one_of_many, is_folder }] = &mut own[..] {
        known.url = source.url.clone().or(known.url.take());
        known.name = source.name.clone();
        // The path of a bucket's only mirror shows its release and stack, as the paths of several mirrors do.
        let below = path.strip_prefix(&source.path).unwrap_or(Path::new(""));
        let below = below.to_string_lossy();
        if let Some((release, stack)) = release_and_stack(&below)
            && *is_folder
            && *given == Place::default()
        {
            release.clone_into(&mut place.release);
            let stack = if stack.is_empty() { Place::WHOLE_RELEASE } else { stack };
            stack.clone_into(&mut place.stack);
        }
        if let Some(label) = label {
            place.stack = label.to_owned();
            if let Some(is_one_of_many) = is_one_of_many {
                **is_one_of_many = true;
            }
        }
        return Ok(());
    }
    if let Some(release) = release_of_views(&own) {
        let views = Views { is_only: false, is_one_of_many: label.is_some(), has_views: true };
        for Nameable { place, known, .. } in own {
            let named = NameAndUrl { name: source.name.clone(), ..known.clone() };
            *known = NameAndUrl {
                url: source.url.clone().or(known.url.take()),
                ..named.with_view(known.view.as_deref())
            };
            if let Some(label) = label {
                let mirror = Place { release: release.clone(), stack: label.to_owned() };
                *place = place_of(mirror, known.view.as_deref(), views);
            }
        }
        return Ok(());
    }
    // A database that is alone in its folder is named after the folder.
    let parent = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
    let files = own.iter().filter(|own| !own.is_folder);
    let mut files_in: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in files {
        *files_in.entry(parent(&file.path)).or_default() += 1;
    }
    let path_of = |own: &Nameable<'_>| {
        let folder = match own.is_folder {
            true => own.path.clone(),
            false if files_in.get(&parent(&own.path)) == Some(&1) => parent(&own.path),
            false => own.path.with_extension(""),
        };
        let names = folder.strip_prefix(&source.path).unwrap_or(&folder).iter();
        names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let paths: Vec<String> = own.iter().map(path_of).collect();
    let of_releases: Option<Vec<(&str, &str)>> =
        paths.iter().map(|path| release_and_stack(path)).collect();
    let mut of_releases = of_releases.filter(|_| *given == Place::default()).map(Vec::into_iter);
    for (Nameable { place, known, is_one_of_many, .. }, path) in own.into_iter().zip(&paths) {
        if let Some(is_one_of_many) = is_one_of_many {
            *is_one_of_many = !has_stack;
        }
        let below = |above: &str, between: &str, path: &str| match path.is_empty() {
            true => above.to_owned(),
            false => format!("{}{between}{path}", above.trim_end_matches('/')),
        };
        known.url = source.url.as_ref().map(|url| below(url, "/", path));
        known.name = source.name.as_ref().map(|name| below(name, "-", path).replace('/', "-"));
        let (release, path) = match of_releases.as_mut().and_then(Iterator::next) {
            Some((release, stack)) => (Some(release), stack),
            None => (None, path.as_str()),
        };
        if let Some(release) = release {
            release.clone_into(&mut place.release);
        }
        if !has_stack {
            place.stack = match label {
                Some(label) => below(label, "/", path),
                // A mirror at the top contains all others.
                None if path.is_empty() => Place::WHOLE_RELEASE.to_owned(),
                None => path.to_owned(),
            };
        }
    }
    Ok(())
}

/// Returns `true` for a name that releases have.
pub(super) fn is_release(name: &str) -> bool {
    release_and_stack(name).is_some_and(|(_, stack)| stack.is_empty())
}

/// Splits the path of a mirror into a release and what is below it, if the path starts with a name that releases have:
/// `develop`, `develop-2026-03-01`, `main`, `v1.0`, `v1.0-rc1`, `2026.03`, or anything below `releases`.
fn release_and_stack(path: &str) -> Option<(&str, &str)> {
    let (is_stated, path) = match path.strip_prefix("releases/") {
        Some(rest) => (true, rest),
        None => (false, path),
    };
    let (release, stack) = path.split_once('/').unwrap_or((path, ""));
    let mut parts = release.split('-');
    let name = parts.next().unwrap_or_default();
    let number = name.strip_prefix('v').unwrap_or(name);
    // `v1.0-rc1` is a release, `v2-plain` is not.
    let goes_on = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit())
            || ["alpha", "beta", "rc", "dev", "pre"].iter().any(|word| part.starts_with(word))
    };
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && parts.all(goes_on);
    let is_release = is_stated || is_number || matches!(name, "develop" | "main");
    (is_release && !release.is_empty()).then_some((release, stack))
}

/// Returns the release if these are the databases of one mirror that has views; `None` otherwise.
fn release_of_views(own: &[Nameable<'_>]) -> Option<String> {
    let first = own.first()?;
    let url = first.known.url.as_ref()?;
    let is_of_it = |other: &Nameable<'_>| other.known.url.as_ref() == Some(url);
    let has_views = own.iter().any(|other| other.known.view.is_some());
    (has_views && own.iter().all(is_of_it)).then(|| first.place.release.clone())
}

/// Returns the URL of a mirror, if the URL of its database implies it.
pub(super) fn mirror_of_database(url: &str) -> Option<String> {
    let ends = ["/build_cache/index.json", "/blobs/sha256/"];
    let end = ends.iter().find_map(|end| url.find(end))?;
    Some(url[..end].to_owned())
}

/// Where the binaries of each place are, as far as the inputs and the user specify it.
#[derive(Debug, Default)]
pub struct MirrorNames {
    by_place: BTreeMap<Place, NameAndUrl>,
    /// `true` if an input describes the public cache.
    pub(super) has_public: bool,
    /// The URLs below which the mirrors of merged indexes are.
    pub(super) bases: Vec<String>,
    /// How mirrors in buckets are reached.
    pub(super) buckets: BTreeSet<BucketServer>,
}

impl MirrorNames {
    /// Records what is known about the mirror of a place. Fails if something else was known before.
    pub(super) fn add(&mut self, place: Place, known: NameAndUrl) -> Result<(), String> {
        match self.by_place.get(&place) {
            Some(before) if *before != known => {
                let written = |known: &NameAndUrl| match (&known.url, &known.name) {
                    (Some(url), _) => url.clone(),
                    (None, Some(name)) => name.clone(),
                    (None, None) => "an unknown address".to_owned(),
                };
                Err(format!(
                    "its mirror is at {}, but {} has one at {} in another input; distinguish them by \
                     --stack or --name",
                    written(&known),
                    place,
                    written(before)
                ))
            }
            _ => {
                self.by_place.insert(place, known);
                Ok(())
            }
        }
    }

    /// Returns what an index records: the URL below which mirrors are, and the mirrors that are elsewhere.
    pub(super) fn known(
        self,
        asked: Option<String>,
        collection: &Collection,
    ) -> (Option<String>, Vec<KnownMirror>) {
        let MirrorNames { mut by_place, has_public, bases, .. } = self;
        let below = |base: &str, place: &Place, known: &NameAndUrl| {
            let Place { release, stack } = place.clone();
            let view = known.view.clone();
            let mirrors = vec![KnownMirror { release, stack, view, ..KnownMirror::default() }];
            let about = About { mirror_url: Some(base.to_owned()), mirrors, ..About::default() };
            Mirror::of(place, &about).url
        };
        let public = has_public.then(|| PUBLIC_MIRROR_URL.to_owned());
        let is_asked = asked.is_some();
        let base = asked.or_else(|| {
            let candidates = if has_public { Vec::from_iter(public) } else { bases };
            // The mirror of the first place is below one URL only, so this place alone rules out all other URLs.
            let mut met = BTreeSet::new();
            candidates.into_iter().filter(|base| met.insert(base.clone())).find(|base| {
                by_place.iter().all(|(place, known)| known.url == below(base, place, known))
            })
        });
        if base.is_none() && has_public {
            for place in collection.places() {
                if !by_place.contains_key(place) {
                    let url = below(PUBLIC_MIRROR_URL, place, &NameAndUrl::default());
                    by_place.insert(place.clone(), NameAndUrl { url, ..NameAndUrl::default() });
                }
            }
        }
        let known = by_place.into_iter().map(|(place, known)| {
            let is_there = !is_asked
                && base.as_ref().is_some_and(|base| known.url == below(base, &place, &known));
            let (Place { release, stack }, NameAndUrl { name, url, view }) = (place, known);
            KnownMirror { release, stack, name, url: url.filter(|_| !is_there), view }
        });
        let says_anything = |mirror: &KnownMirror| {
            mirror.name.is_some() || mirror.url.is_some() || mirror.view.is_some()
        };
        let known = known.filter(says_anything).collect();
        (base, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_url_below_which_fifty_thousand_mirrors_are() {
        #[track_caller]
        fn check(bases: &[&str], last: &str, expected: Option<&str>, elsewhere: usize) {
            let mut names = MirrorNames::default();
            for at in 0..50_000 {
                let stack = format!("stack-{at:05}");
                let place = Place { release: String::new(), stack };
                let folder = if at == 49_999 { last } else { "https://b/mirrors" };
                let url = Some(format!("{folder}/{}", place.stack));
                names.add(place, NameAndUrl { url, ..NameAndUrl::default() }).expect("a new place");
            }
            names.bases = bases.iter().map(ToString::to_string).collect();
            let (base, known) = names.known(None, &Collection::default());
            assert_eq!((base.as_deref(), known.len()), (expected, elsewhere));
        }
        let same = ["https://b/mirrors"; 50_000];
        check(
            &["https://a", "https://b/mirrors"],
            "https://b/mirrors",
            Some("https://b/mirrors"),
            0,
        );
        // Each would fit all places but the last.
        check(&same, "https://elsewhere", None, 50_000);
    }

    #[test]
    fn labels_sources_by_name_or_by_distinct_ends_of_their_paths() {
        #[track_caller]
        fn check(sources: &[(&str, &str)], expected: &[&str]) {
            let source = |&(path, name): &(&str, &str)| Source {
                name: (!name.is_empty()).then(|| name.to_owned()),
                ..Source::from(PathBuf::from(path))
            };
            assert_eq!(several::labels(&sources.iter().map(source).collect::<Vec<_>>()), expected);
        }
        let unnamed = |paths: &[&str], expected: &[&str]| {
            check(&paths.iter().map(|path| (*path, "")).collect::<Vec<_>>(), expected);
        };
        check(&[("/a/e4s.json", "E4S"), ("/a/ml.json", "ml")], &["E4S", "ml"]);
        unnamed(&["/a/mirror-v3", "/a/mirror-v2/"], &["mirror-v3", "mirror-v2"]);
        unnamed(&["a/index.json", "b/build_cache/index.json.gz"], &["a", "b"]);
        unnamed(&["site-a/mirror", "site-b/mirror", "c"], &["site-a/mirror", "site-b/mirror", "c"]);
        unnamed(&["mirror", "b/mirror"], &["mirror", "b/mirror"]);
        unnamed(
            &["https://a.example.org/m/?key=1", "oci://b.example.org/m"],
            &["a.example.org/m", "b.example.org/m"],
        );
        unnamed(&["v2026.03.0", "v2026.06.0.json"], &["v2026.03.0", "v2026.06.0"]);
        // Nothing in the path distinguishes these, or names them at all.
        unnamed(&["../a", "a", "./a"], &["a", "a-2", "a-3"]);
        unnamed(&[".", "-", "/"], &["mirror", "mirror-2", "mirror-3"]);
        unnamed(&["a", "b", "a"], &["a", "b", "a"]);
        check(&[("x/b", ""), ("a", "b")], &["x/b", "b"]);
        check(&[("b", ""), ("a", "b")], &["b-2", "b"]);
    }

    #[test]
    fn knows_what_releases_are_called() {
        for (path, expected) in [
            ("develop/tools", ("develop", "tools")),
            ("develop-2026-03-01", ("develop-2026-03-01", "")),
            ("v1.0-rc1/gpu/ml", ("v1.0-rc1", "gpu/ml")),
            ("2026.03", ("2026.03", "")),
            ("releases/next/tools", ("next", "tools")),
        ] {
            assert_eq!(release_and_stack(path), Some(expected));
        }
        for path in ["v2-plain", "v3-pad128/tools", "tools", "gcc-13", "releases/"] {
            assert_eq!(release_and_stack(path), None, "{path}");
        }
    }
}
