//! A client for registries: the few requests that reading a repository takes, and signing in.
//!
//! A registry that requires signing in answers 401 and offers ways: a name and a password (`Basic`), or a token that another
//! address gives in exchange for these (`Bearer`; without them, that address gives a token for public content). Names and
//! passwords are sent only to these two addresses, encrypted or on this machine, and never appear in a message. Registries
//! often keep blobs elsewhere and redirect there. Redirects are followed without credentials, and never from a public host
//! to this machine or a private network. A file that a redirect leads to must have the expected digest.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use cache_ingest::compression::SizeLimit;
use cache_ingest::digest::Sha256Text;
use cache_ingest::oci::{Address, MANIFEST_TYPES, Registry};
use http_auth::{ChallengeParser, ChallengeRef};
use serde_json::Value;
use ureq::http::header::{ACCEPT, AUTHORIZATION, LINK, LOCATION, WWW_AUTHENTICATE};
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use super::addresses::Addresses;
use super::credentials::{Credentials, SignIn};
use super::failure::Failure;
use super::fetch::{WAITS, agent, with_tries};
use super::range::only_first;
use super::receive::{ReceivedFile, receive, stream};
use crate::progress::FetchProgress;

/// The maximum number of pages in a list of tags, and of redirects to a blob.
const PAGES: usize = 10_000;
const HOPS: usize = 5;

/// The maximum size of manifests and lists of tags, which are small.
const LONGEST: u64 = 64_000_000;

/// A repository on another machine, or on this one.
pub(crate) struct Remote<'s> {
    address: Address,
    agent: Agent,
    /// The client for other addresses that the registry names.
    elsewhere: Agent,
    sign_in: &'s SignIn,
    size_limit: SizeLimit,
    /// The header that signs in, once the registry has required it.
    authorization: Mutex<Option<String>>,
    progress: FetchProgress,
}

impl Remote<'_> {
    pub(super) fn new(
        address: Address,
        sign_in: &SignIn,
        allow_local: bool,
        size_limit: SizeLimit,
    ) -> Result<Remote<'_>, Failure> {
        let may_be_local = allow_local || address.is_plain;
        let addresses = if may_be_local { Addresses::All } else { Addresses::Public };
        Ok(Remote {
            address,
            agent: agent(Addresses::All)?,
            elsewhere: agent(addresses)?,
            sign_in,
            size_limit,
            authorization: Mutex::default(),
            progress: FetchProgress::over(1),
        })
    }

    fn origin(&self) -> String {
        let scheme = if self.address.is_plain { "http" } else { "https" };
        format!("{scheme}://{}", self.address.host)
    }

    /// Gets the file at a path of the registry; returns `None` if it does not exist.
    fn get(
        &self,
        path: &str,
        accept: &[&str],
    ) -> io::Result<Option<(ReceivedFile, Option<String>)>> {
        let url = format!("{}{path}", self.origin());
        with_tries(&WAITS, || self.try_once(&url, accept)).map_err(io::Error::other)
    }

    fn try_once(
        &self,
        url: &str,
        accept: &[&str],
    ) -> Result<Option<(ReceivedFile, Option<String>)>, Failure> {
        let Some(response) = self.answer(url, accept, None)? else { return Ok(None) };
        let link = header(&response, LINK);
        Ok(Some((receive(response, self.size_limit, &self.progress)?, link)))
    }

    /// Opens a blob as a stream, without a file; returns `None` if it does not exist. Reads only its first bytes, if a
    /// number is given and the registry supports that.
    pub(crate) fn stream(
        &self,
        digest: &str,
        first: Option<u64>,
    ) -> io::Result<Option<Box<dyn Read + '_>>> {
        let path = format!("/v2/{}/blobs/sha256:{digest}", self.address.repository);
        let url = format!("{}{path}", self.origin());
        let opened = with_tries(&WAITS, || match self.answer(&url, &[], first)? {
            Some(response) => Ok(Some(Box::new(stream(response)?) as Box<dyn Read>)),
            None => Ok(None),
        });
        opened.map_err(io::Error::other)
    }

    /// Returns the answer of the registry, or of the address that it redirects to; `None` if nothing is there.
    fn answer(
        &self,
        url: &str,
        accept: &[&str],
        first: Option<u64>,
    ) -> Result<Option<Response<Body>>, Failure> {
        let mut response = self.call(url, accept, first)?;
        if response.status() == StatusCode::UNAUTHORIZED {
            let header = self.sign_in(&response)?;
            *self.authorization.lock().unwrap_or_else(PoisonError::into_inner) = Some(header);
            response = self.call(url, accept, first)?;
        }
        let mut url = url.to_owned();
        for _ in 0..HOPS {
            if !response.status().is_redirection() {
                break;
            }
            let to = header(&response, LOCATION).unwrap_or_default();
            url = absolute(&url, &to);
            let is_plain = self.address.is_plain && url.starts_with("http://");
            if !(is_plain || url.starts_with("https://")) {
                return Err(Failure::redirect(&to));
            }
            let request = only_first(self.elsewhere.get(&url), first);
            response = request.call().map_err(Failure::of)?;
        }
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(Failure::SignIn { host: self.address.host.clone() })
            }
            _ => Ok(Some(response)),
        }
    }

    fn call(
        &self,
        url: &str,
        accept: &[&str],
        first: Option<u64>,
    ) -> Result<Response<Body>, Failure> {
        let mut request = only_first(self.agent.get(url), first);
        if !accept.is_empty() {
            request = request.header(ACCEPT, accept.join(", "));
        }
        let header = self.authorization.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(header) = header {
            request = request.header(AUTHORIZATION, header);
        }
        request.call().map_err(Failure::of)
    }

    /// Signs in as the registry's answer requires, and returns the header for further requests.
    fn sign_in(&self, response: &Response<Body>) -> Result<String, Failure> {
        let host = &self.address.host;
        let refused = || Failure::SignIn { host: host.clone() };
        let offered = response.headers().get_all(WWW_AUTHENTICATE).iter();
        let offered = offered.filter_map(|value| value.to_str().ok()).flat_map(challenges);
        let offered: Vec<ChallengeRef<'_>> = offered.collect();
        let find = |scheme: &str| offered.iter().find(|it| it.scheme.eq_ignore_ascii_case(scheme));
        let credentials = self.sign_in.of(host).map_err(Failure::Cannot)?;
        if let Some(challenge) = find("Bearer") {
            return self.token(challenge, credentials.as_ref());
        }
        let basic = credentials.as_ref().and_then(Credentials::basic);
        basic.filter(|_| find("Basic").is_some()).ok_or_else(refused)
    }

    /// Requests a token for reading the repository, and returns the header that contains it.
    fn token(
        &self,
        challenge: &ChallengeRef<'_>,
        credentials: Option<&Credentials>,
    ) -> Result<String, Failure> {
        let host = &self.address.host;
        let refused = || Failure::SignIn { host: host.clone() };
        let parameter = |name| parameter(challenge, name);
        let realm = parameter("realm").ok_or_else(refused)?;
        let is_here = self.address.is_plain && realm.starts_with("http://");
        if !realm.starts_with("https://") && !is_here {
            return Err(Failure::Cannot(
                "the registry's address for signing in is not encrypted".to_owned(),
            ));
        }
        let default = || format!("repository:{}:pull", self.address.repository);
        let scope = parameter("scope").unwrap_or_else(default);
        let service = parameter("service").unwrap_or_default();
        let response = match credentials {
            Some(Credentials::Token(token)) => {
                let form = [
                    ("grant_type", "refresh_token"),
                    ("client_id", "cache-explorer"),
                    ("service", &service),
                    ("scope", &scope),
                    ("refresh_token", token.text()),
                ];
                self.elsewhere.post(&realm).send_form(form)
            }
            _ => {
                let mut request =
                    self.elsewhere.get(&realm).query("service", &service).query("scope", &scope);
                if let Some(basic) = credentials.and_then(Credentials::basic) {
                    request = request.header(AUTHORIZATION, basic);
                }
                request.call()
            }
        };
        let response = response.map_err(Failure::of)?;
        if matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(refused());
        }
        let mut bytes = Vec::new();
        receive(response, self.size_limit, &self.progress)?
            .open()
            .take(LONGEST)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::Connection(error.to_string()))?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let token = ["token", "access_token"].iter().find_map(|name| answer[name].as_str());
        let token = token.ok_or_else(|| {
            Failure::Cannot("the registry's sign-in did not return a token".to_owned())
        })?;
        Ok(format!("Bearer {token}"))
    }
}

impl Registry for Remote<'_> {
    fn tags(&self) -> io::Result<Vec<String>> {
        let mut tags = Vec::new();
        let mut path = format!("/v2/{}/tags/list?n=1000", self.address.repository);
        for _ in 0..PAGES {
            let Some((file, link)) = self.get(&path, &[])? else {
                let words = format!(
                    "the registry has no repository {}, or shows it only to those who sign in",
                    self.address.repository
                );
                return Err(io::Error::other(words));
            };
            let answer: Value = serde_json::from_slice(&all(&file)?)?;
            let before = tags.len();
            // A repository whose tags were all removed has `null` instead of a list.
            let listed = answer["tags"].as_array().into_iter().flatten();
            tags.extend(listed.filter_map(|tag| tag.as_str().map(str::to_owned)));
            let next = link.as_deref().and_then(next_page);
            match next.filter(|_| tags.len() > before) {
                // Only the path is used: the rest of the list is on the same host.
                Some(next) => path = path_of(next).to_owned(),
                None => break,
            }
        }
        Ok(tags)
    }

    fn manifest(&self, tag: &str) -> io::Result<Option<Vec<u8>>> {
        let path = format!("/v2/{}/manifests/{tag}", self.address.repository);
        self.get(&path, &MANIFEST_TYPES)?.map(|(file, _)| all(&file)).transpose()
    }

    fn blob(&self, digest: &Sha256Text) -> io::Result<Option<Box<dyn Read + '_>>> {
        let path = format!("/v2/{}/blobs/sha256:{}", self.address.repository, digest.as_str());
        Ok(self.get(&path, &[])?.map(|(file, _)| file.open() as Box<dyn Read>))
    }
}

fn all(file: &ReceivedFile) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.open().take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn header(response: &Response<Body>, name: ureq::http::HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// Returns the ways to sign in that the header `WWW-Authenticate` offers (RFC 9110, 11.6.1), up to where it is invalid.
fn challenges(header: &str) -> impl Iterator<Item = ChallengeRef<'_>> {
    ChallengeParser::new(header).map_while(Result::ok)
}

fn parameter(challenge: &ChallengeRef<'_>, name: &str) -> Option<String> {
    let is_it = |(known, _): &&(&str, _)| known.eq_ignore_ascii_case(name);
    challenge.params.iter().find(is_it).map(|(_, value)| value.to_unescaped())
}

/// Returns the address in `</v2/…>; rel="next"`.
fn next_page(link: &str) -> Option<&str> {
    let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
    rest.contains("next").then_some(address)
}

/// Returns an address without its host.
fn path_of(address: &str) -> &str {
    match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => address,
    }
}

/// Resolves an address relative to another.
fn absolute(from: &str, to: &str) -> String {
    if to.contains("://") {
        return to.to_owned();
    }
    let start = from.find("://").map_or(0, |at| at + "://".len());
    let end = from[start..].find('/').map_or(from.len(), |at| start + at);
    format!("{}/{}", &from[..end], to.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_sign_in_is_read() {
        #[track_caller]
        fn check(header: &str, schemes: &[&str], realm: Option<&str>) {
            let found: Vec<ChallengeRef<'_>> = challenges(header).collect();
            assert_eq!(found.iter().map(|one| one.scheme).collect::<Vec<_>>(), schemes);
            let last = found.last().and_then(|challenge| parameter(challenge, "Realm"));
            assert_eq!(last.as_deref(), realm, "{header}");
        }
        check("Basic realm=\"a b\"", &["Basic"], Some("a b"));
        check(
            "Bearer realm=\"https://x/t\",service=\"r\", scope = \"repository:a:pull,push\" , Basic realm=x",
            &["Bearer", "Basic"],
            Some("x"),
        );
        check(
            "Negotiate, Basic realm=\"say \\\"x\\\"\"",
            &["Negotiate", "Basic"],
            Some("say \"x\""),
        );
        for invalid in ["", "=", "realm=\"x\"", "Basic realm=\"x", "Basic @"] {
            check(invalid, &[], None);
        }
    }

    #[test]
    fn the_next_page_is_on_the_same_registry() {
        let link = "</v2/a/tags/list?n=2&last=x>; rel=\"next\"";
        assert_eq!(next_page(link).map(path_of), Some("/v2/a/tags/list?n=2&last=x"));
        let link = "<https://evil.example.org/v2/a>; rel=next";
        assert_eq!(next_page(link).map(path_of), Some("/v2/a"));
        assert_eq!(next_page("</v2/a>; rel=\"prev\""), None);
        assert_eq!(next_page("x"), None);
    }

    #[test]
    fn addresses_are_as_seen_from_each_other() {
        assert_eq!(absolute("https://a/b/c", "https://x/y"), "https://x/y");
        assert_eq!(absolute("https://a/b/c", "/y?z=1"), "https://a/y?z=1");
        assert_eq!(absolute("https://a", "y"), "https://a/y");
    }
}
