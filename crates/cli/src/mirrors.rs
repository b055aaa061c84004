//! `--mirrors FILE`: the mirrors of a `mirrors.yaml` or a `spack.yaml` as inputs, as far as Spack fetches binaries from them.
//!
//! `cache_ingest` reads the file. Here the variables in it are looked up. Mirrors without binaries, and those at places that
//! cannot be read from, are left out, with a message that names them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use cache_advice::reuse::UserMirror;
use cache_ingest::inputs::{Source, shown_url};
use cache_ingest::mirror_settings::{ConfiguredMirror, Connection, Secret};
use cache_ingest::oci::Address;
use cache_ingest::read_mirrors;
use cache_ingest::this_machine::is_this_machine;
use clap::Args;

use crate::report::Report;

/// The files with mirrors.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MirrorFiles {
    /// A mirrors.yaml or spack.yaml: reads the mirrors that Spack fetches binaries from. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) mirrors: Vec<PathBuf>,
}

/// Mirrors as inputs, and what it takes to read them.
#[derive(Clone, Debug, Default)]
pub(crate) struct MirrorInputs {
    /// The inputs.
    pub(crate) sources: Vec<Source>,
    /// What Spack fetches from each.
    pub(crate) users: Vec<UserMirror>,
    /// The names of these mirrors.
    names: BTreeSet<String>,
    /// How the buckets at these URLs are reached.
    pub(crate) buckets: Vec<(String, BucketAccess)>,
    /// Names and passwords for registries, by host.
    pub(crate) registries: BTreeMap<String, (String, String)>,
}

/// The settings of a bucket.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct BucketAccess {
    /// The server, if it is not Amazon's.
    pub(crate) endpoint: Option<String>,
    /// The profile with the keys.
    pub(crate) profile: Option<String>,
    /// The keys themselves.
    pub(crate) keys: Option<(String, String)>,
    /// The token of a session.
    pub(crate) token: Option<String>,
}

impl std::fmt::Debug for BucketAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BucketAccess { endpoint, profile, .. } = self;
        write!(f, "BucketAccess {{ endpoint: {endpoint:?}, profile: {profile:?}, … }}")
    }
}

impl MirrorFiles {
    /// Reads the files, and reports what is wrong with them and which mirrors are left out.
    pub(crate) fn read(&self, report: &mut Report) -> MirrorInputs {
        let mut inputs = MirrorInputs::default();
        for file in &self.mirrors {
            let label = file.display().to_string();
            let folder = file.parent().unwrap_or(Path::new(""));
            let before = inputs.sources.len();
            let mut names = Vec::new();
            for mirror in read_file(file, report) {
                names.push(mirror.name.clone());
                if let Err(reason) = inputs.add(&mirror, folder) {
                    report.note(&format!("{label}: left out {}: {reason}", mirror.name));
                }
            }
            match names.as_slice() {
                _ if inputs.sources.len() > before || report.has_problems() => {}
                [] => report.problem(&label, &"there are no mirrors in it"),
                _ => report.problem(&label, &"none of its mirrors has binaries that can be read"),
            }
        }
        inputs
    }
}

/// Reads the mirrors of a file, and reports what is wrong with it.
pub(crate) fn read_file(file: &Path, report: &mut Report) -> Vec<ConfiguredMirror> {
    let label = file.display().to_string();
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            report.problem(&label, &error);
            return Vec::new();
        }
    };
    let read = read_mirrors(&bytes);
    read.problems.iter().for_each(|problem| report.problem(&label, problem));
    for (novelty, seen) in read.notes.iter() {
        report.new_in(&label, novelty, seen);
    }
    read.value.unwrap_or_default()
}

/// Returns what Spack fetches from a mirror, at the URL as it is written; `None` if Spack fetches no binaries from it.
pub(crate) fn user_mirror(mirror: &ConfiguredMirror) -> Option<UserMirror> {
    let Connection { url, accepts, .. } = &mirror.fetch;
    let url = url.clone().filter(|_| mirror.has_binaries)?;
    // Spack does not support signatures in registries.
    let is_signed = mirror.is_signed && !Address::is_meant(&url);
    Some(UserMirror { name: mirror.name.clone(), url, is_signed, accepts: accepts.clone() })
}

impl MirrorInputs {
    fn add(&mut self, mirror: &ConfiguredMirror, folder: &Path) -> Result<(), String> {
        if !mirror.has_binaries {
            return Err("it has only sources".to_owned());
        }
        let connection = &mirror.fetch;
        let Some(user) = user_mirror(mirror) else {
            return Err("it is only pushed to".to_owned());
        };
        let url = location(&user.url, folder)?;
        if self.names.contains(&user.name) {
            return Err("an earlier mirror has this name".to_owned());
        }
        if url.starts_with(BUCKET) {
            self.buckets.push((url.clone(), bucket_access(connection)?));
        } else if let Ok(address) = Address::parse(&url)
            && let Some((name, password)) = keys(connection)?
        {
            self.registries.insert(address.host, (name, password));
        }
        self.sources.push(Source {
            path: PathBuf::from(&url),
            url: Some(url.clone()),
            name: Some(user.name.clone()),
            view: connection.view.clone(),
            ..Source::default()
        });
        self.names.insert(user.name.clone());
        self.users.push(UserMirror { url, ..user });
        Ok(())
    }
}

/// The prefix of URLs of buckets.
pub(crate) const BUCKET: &str = "s3://";

/// Returns the location of a mirror in the form of an input: a path, or a URL that can be read.
fn location(url: &str, folder: &Path) -> Result<String, String> {
    const SCHEMES: [&str; 8] = ["file", "http", "https", "sftp", "ftp", "gs", "s3", "oci"];
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    match scheme {
        Some("file") => Ok(url["file://".len()..].to_owned()),
        Some("https" | "s3" | "oci" | "oci+http") => Ok(url.to_owned()),
        Some("http") if is_this_machine(host(url)) => Ok(url.to_owned()),
        Some(scheme) if SCHEMES.contains(&scheme) => {
            Err(format!("{} is neither on this machine nor at https, s3 or oci", shown_url(url)))
        }
        _ => path(url, folder),
    }
}

/// Returns the host of a URL, with its port. A name and a password before it are refused when the URL is read.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
    server.rsplit_once('@').map_or(server, |(_, host)| host)
}

/// Expands a path as Spack does. A relative path is looked up next to the file that contains it, or else in the current
/// folder.
fn path(written: &str, folder: &Path) -> Result<String, String> {
    let expanded = expand(written, &|name| match name {
        // The folder of a file that is named without one.
        "env" if folder.as_os_str().is_empty() => Some(".".to_owned()),
        "env" => Some(folder.display().to_string()),
        "spack" => env::var("SPACK_ROOT").ok(),
        "user" => env::var("USER").ok(),
        "tempdir" => Some(env::temp_dir().display().to_string()),
        name => env::var(name).ok(),
    })?;
    let expanded = match expanded.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            let home = env::var("HOME").map_err(|_| "HOME is not set".to_owned())?;
            format!("{home}{rest}")
        }
        _ => expanded,
    };
    let beside = folder.join(&expanded);
    let path = if beside.exists() { beside } else { PathBuf::from(expanded) };
    Ok(path.display().to_string())
}

/// Replaces `$NAME` and `${NAME}` by their values.
fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, end) = match after.strip_prefix('{') {
            Some(braced) => {
                let name = braced.split('}').next().unwrap_or_default();
                (name, (name.len() + 2).min(after.len()))
            }
            None => {
                let length = after.find(|c| !is_name(c)).unwrap_or(after.len());
                (&after[..length], length)
            }
        };
        match name.is_empty() {
            true => out.push('$'),
            false => out.push_str(&value(name).ok_or_else(|| format!("${name} is not set"))?),
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}

fn bucket_access(connection: &Connection) -> Result<BucketAccess, String> {
    let Connection { endpoint, profile, token_variable, .. } = connection;
    let token = token_variable.as_deref().map(variable).transpose()?;
    let (endpoint, profile) = (endpoint.clone(), profile.clone());
    Ok(BucketAccess { endpoint, profile, keys: keys(connection)?, token })
}

/// Returns the name and the password of a connection, if it has any.
fn keys(connection: &Connection) -> Result<Option<(String, String)>, String> {
    let Some(pair) = &connection.access else { return Ok(None) };
    let value = |secret: &Secret| match secret {
        Secret::Written(text) => Ok(text.clone()),
        Secret::Variable(name) => variable(name),
    };
    Ok(Some((value(&pair.id)?, value(&pair.secret)?)))
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("the variable {name} is not set"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_paths_as_spack_does() {
        #[track_caller]
        fn check(text: &str, expected: Result<&str, &str>) {
            let value = |name: &str| (name == "ROOT").then(|| "/srv".to_owned());
            let expanded = expand(text, &value);
            assert_eq!(expanded.as_deref().map_err(String::as_str), expected);
        }
        check("/plain", Ok("/plain"));
        check("$ROOT/m", Ok("/srv/m"));
        check("a/${ROOT}b", Ok("a//srvb"));
        check("$NONE/m", Err("$NONE is not set"));
        check("${ROOT", Ok("/srv"));
        check("a$", Ok("a$"));
        check("a$$ROOT", Ok("a$/srv"));
    }

    #[test]
    fn takes_urls_that_can_be_read_and_names_the_others() {
        #[track_caller]
        fn check(url: &str, expected: Result<&str, &str>) {
            let found = location(url, Path::new("/none"));
            assert_eq!(found.as_deref().map_err(String::as_str), expected);
        }
        for url in [
            "https://x/y",
            "s3://b/p",
            "oci://h/r",
            "oci+http://localhost:1/r",
            "http://localhost:1",
        ] {
            check(url, Ok(url));
        }
        check("file:///srv/m", Ok("/srv/m"));
        check("/srv/m", Ok("/srv/m"));
        check("ftp://h/m", Err("ftp://h/m is neither on this machine nor at https, s3 or oci"));
        check("http://h/m", Err("http://h/m is neither on this machine nor at https, s3 or oci"));
        let words = "ftp://h/m?… is neither on this machine nor at https, s3 or oci";
        check("ftp://bob:s3cret@h/m?key=s3cret", Err(words));
        let words = "http://h/m is neither on this machine nor at https, s3 or oci";
        check("http://localhost:80@h/m", Err(words));
    }

    #[test]
    fn finds_what_is_beside_the_file() {
        #[track_caller]
        fn check(folder: &str, expected: &str) {
            let found = location("$env/no-such-mirror", Path::new(folder));
            assert_eq!(found.as_deref(), Ok(expected));
        }
        check("site", "site/no-such-mirror");
        check("/srv", "/srv/no-such-mirror");
        // `--mirrors spack.yaml` names no folder.
        check("", "./no-such-mirror");
    }
}
