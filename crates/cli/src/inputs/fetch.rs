//! Fetching what is on other machines, into files that vanish with the command.
//!
//! Several at once, each tried again where that may help, none for ever. Nothing else is ever asked:
//! a server that answers with another address is not followed there, but its answer is told.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use ureq::http::StatusCode;

use crate::progress::Fetching;

/// How many connections there are at once.
const AT_ONCE: usize = 4;

/// How long to wait before each further try.
const WAITS: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];

/// How long a server may take to be reached, and to say anything at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// What was fetched, by URL.
pub(crate) type Fetched = HashMap<String, Result<File, FetchError>>;

/// Why a URL could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FetchError {
    failure: Failure,
    tries: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Failure {
    /// Another answer than the file.
    Status(StatusCode),
    /// The server says that it is elsewhere.
    Redirect { to: String },
    /// The connection ended before the file did.
    CutOff { received: u64, expected: u64 },
    /// No connection, or none that held.
    Connection(String),
}

/// Fetches all of them, several at once.
pub(crate) fn fetch_all(urls: &[String]) -> Fetched {
    let progress = Fetching::over(urls.len());
    let agent = agent();
    let next = Mutex::new(urls.iter());
    let fetched = Mutex::new(Fetched::new());
    // A lock is poisoned only by a panic, and then nothing is lost by going on.
    let take = || next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(urls.len()) {
            scope.spawn(|| {
                while let Some(url) = take() {
                    let outcome = fetch(&agent, url, &WAITS, &progress);
                    let mut all = fetched.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    all.insert(url.clone(), outcome);
                }
            });
        }
    });
    progress.finish();
    fetched.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .user_agent(concat!("cache-explorer/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .build()
        .new_agent()
}

fn fetch(
    agent: &ureq::Agent,
    url: &str,
    waits: &[Duration],
    progress: &Fetching,
) -> Result<File, FetchError> {
    let mut tries = 1;
    loop {
        match try_once(agent, url, progress) {
            Ok(file) => return Ok(file),
            Err(failure) => match waits.get(tries - 1) {
                Some(&wait) if failure.may_pass() => thread::sleep(wait),
                _ => return Err(FetchError { failure, tries }),
            },
        }
        tries += 1;
    }
}

fn try_once(agent: &ureq::Agent, url: &str, progress: &Fetching) -> Result<File, Failure> {
    let connection = |error: &dyn fmt::Display| Failure::Connection(error.to_string());
    let response = agent.get(url).call().map_err(|error| connection(&error))?;
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    let status = response.status();
    if status.is_redirection() {
        return Err(Failure::Redirect { to: header("location").unwrap_or_default().to_string() });
    }
    if status != StatusCode::OK {
        return Err(Failure::Status(status));
    }
    let expected = header("content-length").and_then(|length| length.parse::<u64>().ok());
    progress.expect(expected.unwrap_or(0));
    let mut body = progress.count(response.into_body().into_reader());
    let mut file = tempfile::tempfile().map_err(|error| connection(&error))?;
    let received = match io::copy(&mut body, &mut file) {
        Ok(received) => received,
        Err(error) => return Err(connection(&error)),
    };
    match expected {
        Some(expected) if expected != received => Err(Failure::CutOff { received, expected }),
        _ => {
            file.seek(SeekFrom::Start(0)).map_err(|error| connection(&error))?;
            Ok(file)
        }
    }
}

impl Failure {
    /// Whether another try may go better.
    fn may_pass(&self) -> bool {
        match self {
            Failure::Status(status) => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Failure::Redirect { .. } => false,
            Failure::CutOff { .. } | Failure::Connection(_) => true,
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not be fetched: ")?;
        match &self.failure {
            Failure::Status(status) => write!(f, "the server answers {status}")?,
            Failure::Redirect { to } => {
                write!(f, "the server says that it is at {to:?}, which was not named")?;
            }
            Failure::CutOff { received, expected } => {
                write!(f, "the connection ended after {received} of {expected} bytes")?;
            }
            Failure::Connection(message) => write!(f, "{message}")?,
        }
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

    /// A server on this machine that gives these answers, one for each connection, and then ends.
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

    #[track_caller]
    fn check(answers: &'static [&'static str], expected: Result<&str, &str>) {
        let url = serve(answers);
        let waits = [Duration::ZERO; 2];
        let outcome = fetch(&agent(), &url, &waits, &Fetching::over(1));
        let text = outcome.map(|mut file| {
            let mut text = String::new();
            file.read_to_string(&mut text).expect("a text");
            text
        });
        assert_eq!(
            text.map_err(|e| e.to_string()),
            expected.map(str::to_string).map_err(str::to_string)
        );
    }

    const GOOD: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    const GONE: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const BUSY: &str = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const MOVED: &str = "HTTP/1.1 302 Found\r\nLocation: https://x/y\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const CUT: &str = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{}";

    #[test]
    fn a_file_is_fetched_whole() {
        check(&[GOOD], Ok("{}"));
    }

    #[test]
    fn what_may_pass_is_tried_again() {
        check(&[BUSY, CUT, GOOD], Ok("{}"));
        check(
            &[BUSY, BUSY, BUSY],
            Err("could not be fetched: the server answers 503 Service Unavailable, in 3 tries"),
        );
    }

    #[test]
    fn what_will_not_pass_is_told_at_once() {
        check(&[GONE], Err("could not be fetched: the server answers 404 Not Found"));
        check(
            &[MOVED],
            Err("could not be fetched: \
                             the server says that it is at \"https://x/y\", which was not named"),
        );
    }

    #[test]
    fn a_file_that_is_cut_off_is_no_file() {
        let url = serve(&[CUT]);
        let outcome = fetch(&agent(), &url, &[], &Fetching::over(1));
        assert!(outcome.is_err(), "took a file that was cut off");
    }

    #[test]
    fn many_are_fetched_at_once() {
        let urls: Vec<String> = (0..9).map(|_| serve(&[GOOD])).collect();
        let fetched = fetch_all(&urls);
        assert_eq!(fetched.len(), 9);
        assert!(fetched.values().all(Result::is_ok));
    }
}
