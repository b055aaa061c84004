//! The files of a mirror on a web server, each read as a stream: binaries are large, and are read once.

use std::io::{self, Read};

use cache_ingest::mirror::{Files, address_of};
use ureq::http::StatusCode;

use super::addresses::Addresses;
use super::buckets::Buckets;
use super::failure::Failure;
use super::fetch::{WAITS, agent, with_tries};
use super::range::only_first;
use super::receive::stream;
use crate::mirrors::BUCKET;

/// A mirror on a web server, or in a bucket.
pub(crate) struct Web<'b> {
    agent: ureq::Agent,
    /// The URL that `spack mirror add` takes.
    url: String,
    buckets: &'b Buckets,
}

impl Web<'_> {
    /// Returns the mirror at a URL.
    pub(super) fn new<'b>(url: &str, buckets: &'b Buckets) -> Result<Web<'b>, String> {
        let agent = agent(Addresses::All).map_err(|failure| failure.to_string())?;
        Ok(Web { agent, url: url.trim_end_matches('/').to_owned(), buckets })
    }

    /// Opens a file, or only its first bytes if a number is given and the server supports that; returns `None` if it does
    /// not exist.
    pub(crate) fn stream(
        &self,
        path: &str,
        first: Option<u64>,
    ) -> io::Result<Option<Box<dyn Read + '_>>> {
        let url = match self.url.starts_with(BUCKET) {
            // The code that signs the request encodes the path.
            true => format!("{}/{path}", self.url),
            false => format!("{}/{}", self.url, address_of(path)),
        };
        let opened = with_tries(&WAITS, || {
            let response = match url.starts_with(BUCKET) {
                true => self.buckets.get(&self.agent, &url, first)?,
                false => only_first(self.agent.get(&url), first).call().map_err(Failure::of)?,
            };
            match response.status() {
                StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => Ok(None),
                status if status.is_redirection() => {
                    let to = response.headers().get("location");
                    let to = to.and_then(|value| value.to_str().ok()).unwrap_or_default();
                    Err(Failure::redirect(to))
                }
                _ => Ok(Some(Box::new(stream(response)?) as Box<dyn Read>)),
            }
        });
        opened.map_err(io::Error::other)
    }
}

impl Files for Web<'_> {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn Read + '_>>> {
        self.stream(path, None)
    }

    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
}
