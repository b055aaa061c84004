//! Fetching files from other machines.
//!
//! Several files are fetched at once, each with retries where they may help, and with time limits: a file is given up if its
//! server sends nothing for half a minute, or less than a kilobyte per second for longer, or if it is longer than inputs may
//! be. No other requests are made: redirects are reported instead of followed. URLs in a manifest on a public host are not
//! fetched from this machine or a private network, no matter what their names resolve to.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io::{self, Read};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use cache_ingest::compression::SizeLimit;
use cache_ingest::mirror::address_of;
use command_formats::listing::{FolderListing, names};
use ureq::http::{Response, Uri};
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, DefaultConnector};
use ureq::{Body, Proxy};

use super::addresses::{Addresses, Guard};
use super::authorities::authorities;
use super::buckets::Buckets;
use super::failure::Failure;
use super::receive::{PATIENCE, ReceivedFile, receive};
use crate::mirrors::BUCKET;
use crate::progress::FetchProgress;

/// The number of simultaneous connections.
const AT_ONCE: usize = 4;

/// The delay before each retry.
pub(super) const WAITS: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];

/// The fetched files, by URL.
pub(crate) type FetchedFiles = HashMap<String, Result<ReceivedFile, FetchError>>;

/// How files are fetched.
#[derive(Clone, Copy)]
pub(crate) struct FetchSettings<'f> {
    /// URLs that must not lead to this machine or a private network.
    pub(crate) guarded: &'f BTreeSet<String>,
    /// The maximum size of a file.
    pub(crate) limit: SizeLimit,
    /// How buckets are reached.
    pub(crate) buckets: &'f Buckets,
}

/// A request for a file.
struct FileRequest<'a> {
    agent: &'a ureq::Agent,
    url: &'a str,
    buckets: &'a Buckets,
}

/// Why a URL could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FetchError {
    failure: Failure,
    tries: usize,
}

/// Fetches all URLs, several at once; guarded ones are not fetched from this machine or a private network. If a server could
/// not be reached for one file, after all tries, it is not asked for others.
pub(crate) fn fetch_all(urls: &[String], how: &FetchSettings<'_>, fetched: &Mutex<FetchedFiles>) {
    let FetchSettings { guarded, limit, buckets } = *how;
    let progress = FetchProgress::over(urls.len());
    // Only a panic poisons a lock, and it is safe to continue then.
    let lock = || fetched.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let agents = agent(Addresses::All).and_then(|free| Ok((free, agent(Addresses::Public)?)));
    let (free, bound) = match agents {
        Ok(agents) => agents,
        Err(failure) => {
            let error = FetchError { failure, tries: 1 };
            lock().extend(urls.iter().map(|url| (url.clone(), Err(error.clone()))));
            return;
        }
    };
    let next = Mutex::new(urls.iter());
    let take = || next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(urls.len()) {
            scope.spawn(|| {
                while let Some(url) = take() {
                    let agent = if guarded.contains(url) { &bound } else { &free };
                    let earlier = earlier_error(url, &lock());
                    let outcome = match earlier {
                        Some(error) => Err(error),
                        None => {
                            fetch(&FileRequest { agent, url, buckets }, &WAITS, limit, &progress)
                        }
                    };
                    lock().insert(url.clone(), outcome);
                }
            });
        }
    });
    progress.finish();
}

/// Opens a fetched file at its start.
pub(crate) fn open_fetched(url: &str, fetched: &FetchedFiles) -> io::Result<Box<dyn Read + Send>> {
    match fetched.get(url) {
        Some(Ok(file)) => Ok(file.open()),
        Some(Err(error)) => Err(error.to_io()),
        None => Err(io::Error::other("was not fetched")),
    }
}

/// Returns why the server of a URL could not be reached for an earlier file; `None` if it was not tried, or was reached.
fn earlier_error(url: &str, fetched: &FetchedFiles) -> Option<FetchError> {
    let server = |url: &str| {
        let url: Uri = url.parse().ok()?;
        Some((url.scheme()?.clone(), url.authority()?.clone()))
    };
    let asked = server(url)?;
    fetched.iter().find_map(|(other, outcome)| {
        let error = outcome.as_ref().err()?;
        let is_lost = matches!(error.failure, Failure::Unreachable(_));
        (is_lost && server(other).as_ref() == Some(&asked)).then(|| error.clone())
    })
}

pub(super) fn agent(allowed: Addresses) -> Result<ureq::Agent, Failure> {
    agent_with(allowed, Proxy::try_from_env())
}

pub(super) fn agent_with(allowed: Addresses, proxy: Option<Proxy>) -> Result<ureq::Agent, Failure> {
    let guard = Guard { allowed, has_proxy: proxy.is_some() };
    let authorities = authorities().map_err(Failure::Cannot)?;
    let config = ureq::Agent::config_builder()
        .user_agent(concat!("cache-explorer/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .tls_config(TlsConfig::builder().root_certs(authorities).build())
        .proxy(proxy)
        .build();
    let connector = guard.chain(DefaultConnector::default());
    Ok(ureq::Agent::with_parts(config, connector, DefaultResolver::default()))
}

impl FileRequest<'_> {
    /// Returns the answer of the server; fails if it is a redirection.
    fn call(&self) -> Result<Response<Body>, Failure> {
        let response = match self.url.starts_with(BUCKET) {
            true => self.buckets.get(self.agent, self.url, None)?,
            false => self.agent.get(self.url).call().map_err(Failure::of)?,
        };
        if response.status().is_redirection() {
            let to = response.headers().get("location").and_then(|value| value.to_str().ok());
            return Err(Failure::redirect(to.unwrap_or_default()));
        }
        match self.buckets.refusal(self.url, response.status()) {
            Some(refusal) if self.url.starts_with(BUCKET) => Err(refusal),
            _ => Ok(response),
        }
    }
}

/// The maximum number of folders in a list, and their maximum depth.
const FOLDERS: usize = 500;
const DEPTH: usize = 5;

/// Lists the files below a URL that ends with a slash, relative to it; `None` if its server does not list them, or could not
/// be reached before.
pub(super) fn list(
    url: &str,
    buckets: &Buckets,
    limit: SizeLimit,
    fetched: &Mutex<FetchedFiles>,
) -> Option<FolderListing> {
    if earlier_error(url, &fetched.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
        .is_some()
    {
        return None;
    }
    let agent = agent(Addresses::All).ok()?;
    let text = |response| {
        let mut text = Vec::new();
        let file = receive(response, limit, &FetchProgress::over(0))?;
        file.open()
            .read_to_end(&mut text)
            .map_err(|error| Failure::Connection(error.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    if url.starts_with(BUCKET) {
        return buckets.list(&agent, url, text).ok();
    }
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    let mut is_complete = true;
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        let of_folder = format!("{url}{}", address_of(&folder));
        let asked = FileRequest { agent: &agent, url: &of_folder, buckets };
        let page = match asked.call().and_then(text) {
            Ok(page) => page,
            Err(_) if next == 0 => return None,
            Err(_) => {
                is_complete = false;
                String::new()
            }
        };
        for name in names(&page) {
            let path = format!("{folder}{name}");
            let depth = path.matches('/').count();
            match name.ends_with('/') {
                true if depth <= DEPTH && folders.len() < FOLDERS => folders.push(path),
                true => is_complete = false,
                false => files.push(path),
            }
        }
        next += 1;
    }
    (!files.is_empty()).then_some(FolderListing { files, is_complete })
}

fn fetch(
    asked: &FileRequest<'_>,
    waits: &[Duration],
    limit: SizeLimit,
    progress: &FetchProgress,
) -> Result<ReceivedFile, FetchError> {
    with_tries(waits, || receive(asked.call()?, limit, progress))
}

/// Retries an operation after each of these delays, if a retry may help.
pub(super) fn with_tries<T>(
    waits: &[Duration],
    mut try_once: impl FnMut() -> Result<T, Failure>,
) -> Result<T, FetchError> {
    let mut tries = 1;
    loop {
        match try_once() {
            Ok(outcome) => return Ok(outcome),
            Err(failure) => match waits.get(tries - 1) {
                Some(&wait) if failure.may_pass() => thread::sleep(wait),
                _ => return Err(FetchError { failure, tries }),
            },
        }
        tries += 1;
    }
}

impl FetchError {
    /// Returns this error as an I/O error.
    fn to_io(&self) -> io::Error {
        io::Error::new(self.failure.kind(), self.clone())
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not be fetched: {}", self.failure)?;
        if self.tries > 1 {
            write!(f, ", in {} tries", self.tries)?;
        }
        Ok(())
    }
}

impl std::error::Error for FetchError {}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Starts a server on this machine that sends these answers, one for each connection, and then stops.
    fn serve(answers: &'static [&'static str]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().expect("a connection");
                let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        format!("http://{address}/index.json")
    }

    fn fetch_one(url: &str, waits: &[Duration]) -> Result<ReceivedFile, FetchError> {
        let agent = agent(Addresses::All).expect("an agent");
        let asked = FileRequest { agent: &agent, url, buckets: &Buckets::default() };
        fetch(&asked, waits, SizeLimit::default(), &FetchProgress::over(1))
    }

    #[track_caller]
    fn check(answers: &'static [&'static str], expected: Result<&str, &str>) {
        let url = serve(answers);
        let waits = [Duration::ZERO; 2];
        let outcome = fetch_one(&url, &waits);
        let text = outcome.map(|file| {
            let mut text = String::new();
            file.open().read_to_string(&mut text).expect("a text");
            text
        });
        assert_eq!(
            text.map_err(|e| e.to_string()),
            expected.map(str::to_string).map_err(str::to_string)
        );
    }

    fn fetched(urls: &[String], guarded: &BTreeSet<String>) -> FetchedFiles {
        let fetched = Mutex::default();
        let (limit, buckets) = (SizeLimit::default(), &Buckets::default());
        fetch_all(urls, &FetchSettings { guarded, limit, buckets }, &fetched);
        fetched.into_inner().expect("a lock")
    }

    const GOOD: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    const GONE: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const BUSY: &str = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const MOVED: &str = "HTTP/1.1 302 Found\r\nLocation: https://x/y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const CUT: &str = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{}";

    #[test]
    fn fetches_a_whole_file() {
        check(&[GOOD], Ok("{}"));
    }

    #[test]
    fn retries_what_may_succeed() {
        check(&[BUSY, CUT, GOOD], Ok("{}"));
        check(
            &[BUSY, BUSY, BUSY],
            Err("could not be fetched: the server answers 503 Service Unavailable, in 3 tries"),
        );
    }

    #[test]
    fn reports_at_once_what_cannot_succeed() {
        check(&[GONE], Err("could not be fetched: the server answers 404 Not Found"));
        check(
            &[MOVED],
            Err("could not be fetched: \
                             the server says that it is at \"https://x/y\", which was not named"),
        );
    }

    #[test]
    fn rejects_a_file_that_is_cut_off() {
        let url = serve(&[CUT]);
        let outcome = fetch_one(&url, &[]);
        assert!(outcome.is_err(), "took a file that was cut off");
    }

    #[test]
    fn fetches_nothing_local_for_a_public_manifest() {
        let url = serve(&[GOOD]);
        let fetched = fetched(std::slice::from_ref(&url), &BTreeSet::from([url.clone()]));
        let error = fetched[&url].as_ref().expect_err("refused").to_string();
        assert!(error.contains("--allow-local allows that"), "{error}");
    }

    #[test]
    fn fetches_several_at_once() {
        let urls: Vec<String> = (0..9).map(|_| serve(&[GOOD])).collect();
        let fetched = fetched(&urls, &BTreeSet::new());
        assert_eq!(fetched.len(), 9);
        // None of them takes one of the few files that a process may have open.
        assert!(fetched.values().all(|file| matches!(file, Ok(ReceivedFile::Small(_)))));
    }

    #[test]
    fn asks_a_server_that_cannot_be_reached_for_no_other_file() {
        let (lost, other) = (serve(&[GOOD]), serve(&[GOOD]));
        let failure = Failure::Unreachable("refused".to_owned());
        let error = FetchError { failure, tries: 3 };
        let earlier = lost.replace("index.json", "earlier.json");
        let fetched = Mutex::new(FetchedFiles::from([(earlier, Err(error.clone()))]));
        let (limit, buckets) = (SizeLimit::default(), &Buckets::default());
        let how = FetchSettings { guarded: &BTreeSet::new(), limit, buckets };
        fetch_all(&[lost.clone(), other.clone()], &how, &fetched);
        let fetched = fetched.into_inner().expect("a lock");
        assert_eq!(fetched[&lost].as_ref().err(), Some(&error));
        assert!(fetched[&other].is_ok());
    }

    #[test]
    fn distinguishes_a_lost_connection_from_none() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let nobody = format!("http://{}", listener.local_addr().expect("an address"));
        drop(listener);
        for (url, is_unreachable) in [(nobody, true), (serve(&[""]), false)] {
            let error = fetch_one(&url, &[]).expect_err("no file").failure;
            assert_eq!(matches!(error, Failure::Unreachable(_)), is_unreachable, "{error:?}");
        }
    }
}
