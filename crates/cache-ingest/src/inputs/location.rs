//! Where the sources of a manifest are: its URLs after applying the user's mappings.
//!
//! Public manifests contain `s3://…` URLs, which cannot be opened without an account; the same files are available over
//! HTTPS, or in a local copy. Only the user knows where, so requests only go to addresses that the manifest or the user
//! named.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use cache_index::index::PUBLIC_MIRROR_URL;
use thiserror::Error;

use super::machine::Machine;
use crate::problem::Finding;
use crate::this_machine::is_this_machine;

/// A replacement for URLs that start with `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    from: String,
    to: String,
}

/// The location of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// On this machine.
    Path(PathBuf),
    /// On another machine, to be fetched over HTTPS.
    Url(String),
}

impl Location {
    /// Returns its name in messages.
    pub fn label(&self, machine: &impl Machine) -> String {
        match self {
            Location::Path(path) => machine.shown(path),
            Location::Url(url) => shown_url(url),
        }
    }

    /// Returns the location of a file in the same folder.
    pub(super) fn beside(&self, name: &str) -> Location {
        match self {
            Location::Path(path) => Location::Path(path.with_file_name(name)),
            Location::Url(url) => {
                let folder = url.rsplit_once('/').map_or("", |(folder, _)| folder);
                Location::Url(format!("{folder}/{name}"))
            }
        }
    }

    /// Opens the file, which must have been fetched if it is on another machine.
    pub(super) fn open<M: Machine>(&self, machine: &M) -> io::Result<M::File> {
        match self {
            Location::Path(path) => machine.open(path).map_err(|error| {
                let finding = Finding::Unreadable { message: error.to_string() };
                io::Error::new(error.kind(), finding.to_string())
            }),
            // One file may be named for several places.
            Location::Url(url) => machine.open_url(url),
        }
    }
}

/// The location of a manifest, to which its sources may be relative.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base<'b> {
    /// In this folder.
    Folder(&'b Path),
    /// At this URL. A manifest on another machine cannot name files on this one.
    Url(&'b str),
}

/// Why a URL has no location.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LocationError {
    /// The URL has a scheme that is not supported.
    #[error("{url:?} is {}", neither_path_nor_url(url))]
    UnknownScheme {
        /// The URL.
        url: String,
    },
    /// The URL contains a name or a password.
    #[error(
        "expected a URL without a name and a password in it, such as {url:?}: secrets do not belong on a command line"
    )]
    HasUser {
        /// The URL without them.
        url: String,
    },
    /// The URL uses HTTP without encryption to another machine.
    #[error("{url:?} is not encrypted; expected https://")]
    NotEncrypted {
        /// The URL.
        url: String,
    },
}

/// Returns the location of a URL in a manifest.
pub(super) fn locate(
    url: &str,
    mappings: &[Mapping],
    base: Base<'_>,
) -> Result<Location, LocationError> {
    let mapped = mappings.iter().find_map(|Mapping { from, to }| {
        // The target of a mapping is relative to the user's working directory.
        url.strip_prefix(from.as_str())
            .map(|rest| (format!("{to}{rest}"), Base::Folder(Path::new(""))))
    });
    let (url, base) = mapped.unwrap_or_else(|| (url.to_string(), base));
    if without_user(&url).is_some() {
        return Err(LocationError::HasUser { url: shown_url(&url) });
    }
    match (url.split_once("://"), base) {
        (Some(("https", _)), _) => Ok(Location::Url(url)),
        (Some(("http", rest)), _) if is_on_this_machine(rest) => Ok(Location::Url(url)),
        (Some(("http", _)), _) => Err(LocationError::NotEncrypted { url }),
        (Some(("file", path)), Base::Folder(_)) => Ok(Location::Path(PathBuf::from(path))),
        (Some(_), _) => Err(LocationError::UnknownScheme { url }),
        (None, Base::Folder(folder)) => Ok(Location::Path(folder.join(url))),
        (None, Base::Url(base)) => Ok(Location::Url(join(base, &url))),
    }
}

/// Returns the location of a URL that the user gave, which may be in a bucket.
pub(super) fn locate_given(url: &str, mappings: &[Mapping]) -> Result<Location, LocationError> {
    let is_mapped = mappings.iter().any(|mapping| url.starts_with(mapping.from.as_str()));
    match url.starts_with("s3://") && !is_mapped {
        true => Ok(Location::Url(url.to_owned())),
        false => locate(url, mappings, Base::Folder(Path::new(""))),
    }
}

/// Returns a URL without the name and the password in it; `None` if there are none.
fn without_user(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (_, host) = rest[..end].rsplit_once('@')?;
    Some(format!("{scheme}://{host}{}", &rest[end..]))
}

/// Returns a URL as messages show it: without what may be a secret, which is a name, a password, and what follows a `?`.
pub fn shown_url(url: &str) -> String {
    let url = without_user(url).unwrap_or_else(|| url.to_owned());
    match url.split_once('?') {
        Some((url, _)) => format!("{url}?…"),
        None => url,
    }
}

/// Returns `true` if a URL in a manifest may point to this machine or a private network only if the user allows it: a
/// manifest on a public host must not reach what only the user can.
pub(super) fn is_guarded(url: &str, mappings: &[Mapping], base: Base<'_>) -> bool {
    let is_mapped = mappings.iter().any(|mapping| url.starts_with(mapping.from.as_str()));
    match base {
        Base::Folder(_) => false,
        Base::Url(base) => {
            let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
            !is_mapped && !is_on_this_machine(rest)
        }
    }
}

/// Resolves a path relative to a URL.
fn join(base: &str, path: &str) -> String {
    let start = base.find("://").map_or(0, |at| at + "://".len());
    let base = &base[..base.find(['?', '#']).unwrap_or(base.len())];
    let end = if path.starts_with('/') {
        base[start..].find('/').map_or(base.len(), |at| start + at)
    } else {
        base[start..].rfind('/').map_or(base.len(), |at| start + at)
    };
    format!("{}/{}", &base[..end], path.trim_start_matches('/'))
}

/// Returns `true` if the part of a URL after its scheme names this machine.
fn is_on_this_machine(rest: &str) -> bool {
    is_this_machine(rest.split(['/', '?', '#']).next().unwrap_or_default())
}

impl FromStr for Mapping {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Mapping, Self::Err> {
        match text.split_once('=') {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                Ok(Mapping { from: from.to_string(), to: to.to_string() })
            }
            _ => Err("expected FROM=TO, such as s3://spack-binaries/=https://binaries.spack.io/"),
        }
    }
}

/// Returns the message for a URL with another scheme, with the option that helps; it is the same for all URLs of a
/// host.
pub(super) fn neither_path_nor_url(url: &str) -> String {
    const NEITHER: &str = "neither a path nor an https:// URL; call the command with";
    if url.starts_with(PUBLIC) {
        return format!("{NEITHER} `--map {PUBLIC}={PUBLIC_MIRROR_URL}/`");
    }
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = &rest[..rest.find('/').map_or(rest.len(), |slash| slash + 1)];
    let from = &url[..url.len() - rest.len() + host.len()];
    // People copy it into a shell.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_');
    let from = if from.chars().all(is_plain) { from } else { "FROM" };
    format!(
        "{NEITHER} `--map {from}=TO`, where TO is the folder or the https:// URL of these files"
    )
}

/// How manifests name the public cache.
const PUBLIC: &str = "s3://spack-binaries/";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Result<Location, &str>) {
        let mappings: Vec<Mapping> =
            ["s3://spack-binaries/=https://binaries.spack.io/", "s3://mine/=copy/"]
                .map(|text| text.parse().expect("a mapping"))
                .into();
        let found = locate(url, &mappings, Base::Folder(Path::new("cache")));
        assert_eq!(found.map_err(|error| error.to_string()), expected.map_err(str::to_string));
    }

    #[test]
    fn resolves_urls_to_paths_or_other_machines() {
        let path = |path: &str| Ok(Location::Path(PathBuf::from(path)));
        let url = |url: &str| Ok(Location::Url(url.to_string()));
        check("develop/index.json", path("cache/develop/index.json"));
        check("/srv/index.json", path("/srv/index.json"));
        check("file:///srv/index.json", path("/srv/index.json"));
        check("https://x/y", url("https://x/y"));
        check("http://localhost:80/y", url("http://localhost:80/y"));
        check("http://[::1]/y", url("http://[::1]/y"));
        check("s3://spack-binaries/a/b", url("https://binaries.spack.io/a/b"));
        check("s3://mine/a/b", path("copy/a/b"));
    }

    #[test]
    fn rejects_other_urls() {
        check("http://x/y", Err("\"http://x/y\" is not encrypted; expected https://"));
        let evil = "http://localhost:80@x/y";
        let without = "expected a URL without a name and a password in it, such as \"http://x/y\": \
                       secrets do not belong on a command line";
        check(evil, Err(without));
        check(
            "s3://other/y",
            Err("\"s3://other/y\" is neither a path nor an https:// URL; call the command with \
                 `--map s3://other/=TO`, where TO is the folder or the https:// URL of these files"),
        );
    }

    #[test]
    fn shows_urls_without_secrets() {
        for (url, expected) in [
            ("https://x/y", "https://x/y"),
            ("https://x/y?key=s3cret", "https://x/y?…"),
            ("ftp://bob:s3cret@x/y@z", "ftp://x/y@z"),
            ("http://s3cret@x?key=s3cret", "http://x?…"),
            ("/srv/a@b", "/srv/a@b"),
        ] {
            assert_eq!(shown_url(url), expected);
        }
    }

    #[test]
    fn names_the_option_that_says_where_files_are() {
        #[track_caller]
        fn check(url: &str, expected: &str) {
            let words = neither_path_nor_url(url);
            assert!(words.contains(&format!(" `--map {expected}`")), "{words}");
        }
        check("s3://spack-binaries/a/b", "s3://spack-binaries/=https://binaries.spack.io/");
        check("s3://spack-binaries-prs/a", "s3://spack-binaries-prs/=TO");
        check("gs://bucket", "gs://bucket=TO");
        // A shell would run what is in it.
        check("s3://$(reboot)/a", "FROM=TO");
    }

    #[test]
    fn keeps_a_remote_manifest_from_naming_local_files() {
        #[track_caller]
        fn check(url: &str, expected: Option<&str>) {
            let base = Base::Url("https://x/caches/index.json?v=1/2");
            let expected = expected.map(|url| Location::Url(url.to_string()));
            assert_eq!(locate(url, &[], base).ok(), expected);
        }
        check("e4s/index.json", Some("https://x/caches/e4s/index.json"));
        check("/etc/passwd", Some("https://x/etc/passwd"));
        check("https://y/z", Some("https://y/z"));
        check("file:///etc/passwd", None);
        assert_eq!(join("https://x", "y"), "https://x/y");
        assert_eq!(join("https://x", "/y"), "https://x/y");
    }

    #[test]
    fn guards_the_urls_of_a_public_manifest() {
        let mapping: Mapping = "s3://mine/=http://localhost/".parse().expect("a mapping");
        let guarded = |url, base| is_guarded(url, std::slice::from_ref(&mapping), base);
        let public = Base::Url("https://x/index.json");
        assert!(guarded("https://127.0.0.1/y", public));
        assert!(guarded("y", public));
        assert!(!guarded("s3://mine/y", public));
        assert!(!guarded("https://127.0.0.1/y", Base::Url("http://localhost:80/index.json")));
        assert!(!guarded("https://127.0.0.1/y", Base::Folder(Path::new(""))));
    }

    #[test]
    fn parses_mappings() {
        for text in ["", "a", "=b", "a="] {
            assert!(text.parse::<Mapping>().is_err(), "{text}");
        }
    }
}
