//! Why a file was not received from another machine, and whether a retry may help.

use std::fmt;
use std::io;

use ureq::Timeout;
use ureq::http::StatusCode;

use super::addresses::NotPublic;

/// Why a file was not received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server answered with another status.
    Status(StatusCode),
    /// The server redirected to another address.
    Redirect { to: String },
    /// The connection ended before the file did.
    CutOff { received: u64, expected: u64 },
    /// The file is longer than inputs may be.
    TooLong { limit: u64 },
    /// The server sends too slowly.
    TooSlow { received: u64 },
    /// A public manifest names an address that only the user can reach.
    NotPublic,
    /// A registry requires signing in, or has rejected the credentials.
    SignIn { host: String },
    /// The server of a bucket refuses access to it.
    Refused(String),
    /// Another try would fail in the same way.
    Cannot(String),
    /// The server could not be found, or accepted no connection.
    Unreachable(String),
    /// A connection failed.
    Connection(String),
}

impl Failure {
    /// Returns why a request got no answer.
    pub(super) fn of(error: ureq::Error) -> Failure {
        match error {
            ureq::Error::Other(error) if error.is::<NotPublic>() => Failure::NotPublic,
            // A certificate that is not trusted, or an answer that is not TLS.
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                Failure::Cannot(error.to_string())
            }
            ureq::Error::Rustls(error) => Failure::Cannot(error.to_string()),
            error if is_without_connection(&error) => Failure::Unreachable(error.to_string()),
            error => Failure::Connection(error.to_string()),
        }
    }

    /// Returns the failure for a redirection, which is not followed. The query of the address is left out: it may contain a
    /// key.
    pub(super) fn redirect(to: &str) -> Failure {
        let to = to.split_once('?').map_or(to.to_owned(), |(to, _)| format!("{to}?…"));
        Failure::Redirect { to }
    }

    /// Returns the corresponding kind of I/O error: the file does not exist, or is not accessible.
    pub(super) fn kind(&self) -> io::ErrorKind {
        match self {
            Failure::Status(StatusCode::NOT_FOUND | StatusCode::GONE) => io::ErrorKind::NotFound,
            Failure::Status(StatusCode::FORBIDDEN) | Failure::Refused(_) => {
                io::ErrorKind::PermissionDenied
            }
            _ => io::ErrorKind::Other,
        }
    }

    /// Returns `true` if a retry may succeed.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Failure::Status(status) => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Failure::Redirect { .. }
            | Failure::TooLong { .. }
            | Failure::TooSlow { .. }
            | Failure::SignIn { .. }
            | Failure::Refused(_)
            | Failure::Cannot(_)
            | Failure::NotPublic => false,
            Failure::CutOff { .. } | Failure::Unreachable(_) | Failure::Connection(_) => true,
        }
    }
}

/// Returns `true` if no connection to the server was ever made.
fn is_without_connection(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => true,
        ureq::Error::Timeout(timeout) => matches!(timeout, Timeout::Resolve | Timeout::Connect),
        ureq::Error::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionRefused
                | io::ErrorKind::HostUnreachable
                | io::ErrorKind::NetworkUnreachable
        ),
        _ => false,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Status(status) => write!(f, "the server answers {status}"),
            Failure::Redirect { to } => {
                write!(f, "the server says that it is at {to:?}, which was not named")
            }
            Failure::CutOff { received, expected } => {
                write!(f, "the connection ended after {received} of {expected} bytes")
            }
            Failure::TooLong { limit } => {
                write!(f, "it is longer than the limit of {limit} bytes; --max-size raises it")
            }
            Failure::TooSlow { received } => {
                write!(f, "the server sends too slowly: {received} bytes so far")
            }
            Failure::SignIn { host } => write!(
                f,
                "{host} shows it only to those who sign in and may read it: with `docker login \
                 {host}`, or with --username and the password on the standard input"
            ),
            Failure::NotPublic => write!(f, "{NotPublic}"),
            Failure::Refused(message)
            | Failure::Cannot(message)
            | Failure::Unreachable(message)
            | Failure::Connection(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}
