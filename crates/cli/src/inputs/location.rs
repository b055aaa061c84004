//! Where a manifest's sources are: what its URLs come to, once the user's mappings are applied.
//!
//! Public manifests name files as `s3://…`, which nobody can open without an account's tools; the
//! same files are there over HTTPS, or in a local copy. Which, only the user can say: no address is
//! ever asked that neither the manifest nor the user has named.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What to take instead of what starts with `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    from: String,
    to: String,
}

/// Where a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// On this machine.
    Path(PathBuf),
    /// On another one, to be asked over HTTPS.
    Url(String),
}

/// Why a URL leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LocationError {
    /// A scheme that is not read here.
    UnknownScheme {
        /// The URL.
        url: String,
    },
    /// HTTP without encryption, to another machine.
    NotEncrypted {
        /// The URL.
        url: String,
    },
}

/// Finds out where a URL of a manifest leads. `folder` is the manifest's own.
pub(crate) fn locate(
    url: &str,
    mappings: &[Mapping],
    folder: &Path,
) -> Result<Location, LocationError> {
    let mapping = mappings.iter().find_map(|Mapping { from, to }| {
        // What a mapping leads to is relative to where the user is.
        url.strip_prefix(from.as_str()).map(|rest| (format!("{to}{rest}"), Path::new("")))
    });
    let (url, folder) = mapping.unwrap_or_else(|| (url.to_string(), folder));
    match url.split_once("://") {
        Some(("https", _)) => Ok(Location::Url(url)),
        Some(("http", rest)) if is_this_machine(rest) => Ok(Location::Url(url)),
        Some(("http", _)) => Err(LocationError::NotEncrypted { url }),
        Some(("file", path)) => Ok(Location::Path(PathBuf::from(path))),
        Some(_) => Err(LocationError::UnknownScheme { url }),
        None => Ok(Location::Path(folder.join(url))),
    }
}

/// Whether the part of a URL after its scheme names this machine.
fn is_this_machine(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
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

impl fmt::Display for LocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LocationError::UnknownScheme { url } => write!(
                f,
                "{url:?} is neither a path nor an https:// URL; \
                 --map says what to take instead of what starts like it"
            ),
            LocationError::NotEncrypted { url } => {
                write!(f, "{url:?} is not encrypted; expected https://")
            }
        }
    }
}

impl std::error::Error for LocationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Result<Location, &str>) {
        let mappings: Vec<Mapping> =
            ["s3://spack-binaries/=https://binaries.spack.io/", "s3://mine/=copy/"]
                .map(|text| text.parse().expect("a mapping"))
                .into();
        let found = locate(url, &mappings, Path::new("cache"));
        assert_eq!(found.map_err(|error| error.to_string()), expected.map_err(str::to_string));
    }

    #[test]
    fn urls_lead_to_paths_or_other_machines() {
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
    fn other_urls_are_refused() {
        check("http://x/y", Err("\"http://x/y\" is not encrypted; expected https://"));
        let evil = "http://localhost:80@x/y";
        check(evil, Err("\"http://localhost:80@x/y\" is not encrypted; expected https://"));
        check(
            "s3://other/y",
            Err("\"s3://other/y\" is neither a path nor an https:// URL; \
                 --map says what to take instead of what starts like it"),
        );
    }

    #[test]
    fn a_mapping_has_two_sides() {
        for text in ["", "a", "=b", "a="] {
            assert!(text.parse::<Mapping>().is_err(), "{text}");
        }
    }
}
