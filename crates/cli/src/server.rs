//! A server for one page and its files, for browsers on this machine.
//!
//! It only listens on the loopback address, and only answers requests for localhost: a page of another
//! site whose name resolves to this machine (DNS rebinding) gets nothing. Everything served is in memory,
//! so no file of this machine can be requested.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tiny_http::{Header, Method, Request, Response};

use crate::inside::Inside;
use crate::report::Failed;

/// The path of the stream of changes.
pub(crate) const CHANGES: &str = "changes";

/// How often something is sent to a listening page, to notice that it has gone.
const ALIVE: Duration = Duration::from_secs(15);

/// A server on a port of this machine.
pub(crate) struct Server {
    http: tiny_http::Server,
    address: SocketAddr,
    files: BTreeMap<String, Vec<u8>>,
    page: Mutex<Page>,
    changed: Condvar,
}

/// The current page.
#[derive(Default)]
struct Page {
    html: Arc<str>,
    /// Different for each page, even after the command is restarted.
    version: u64,
}

impl Server {
    /// Takes a port of this machine.
    pub(crate) fn bind(port: u16, site: &Inside) -> Result<Server, Failed> {
        let taken = |error| format!("port {port}: {error}; --port chooses another");
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port)).map_err(taken)?;
        let address = http.server_addr().to_ip().ok_or("the server has no address")?;
        let mut files = BTreeMap::new();
        for name in site.asked_for()? {
            if let Some(bytes) = site.files().get(&name) {
                files.insert(name, bytes.clone());
            }
        }
        Ok(Server { http, address, files, page: Mutex::default(), changed: Condvar::new() })
    }

    /// Returns its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves this page from now on, and notifies open pages of any other version.
    pub(crate) fn publish(&self, html: String, version: u64) {
        *self.page() = Page { html: html.into(), version };
        self.changed.notify_all();
    }

    /// Answers requests for as long as the command runs.
    pub(crate) fn run(self: &Arc<Self>) {
        for request in self.http.incoming_requests() {
            let server = self.clone();
            // An answer only fails if the browser has gone.
            thread::spawn(move || server.answer(request));
        }
    }

    fn page(&self) -> MutexGuard<'_, Page> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: Request) -> io::Result<()> {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        if !host.is_some_and(|host| is_this_machine(host.value.as_str())) {
            let words = "only requests for localhost are answered\n";
            return request.respond(Response::from_string(words).with_status_code(403));
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return request.respond(Response::empty(405));
        }
        let path = request.url().split('?').next().unwrap_or_default().to_owned();
        match path.strip_prefix('/').unwrap_or_default() {
            "" | "index.html" => {
                let html = self.page().html.clone();
                respond(request, html.as_bytes(), "text/html; charset=utf-8")
            }
            CHANGES => self.announce(request),
            name => match self.files.get(name) {
                Some(bytes) => respond(request, bytes, kind(name)),
                None => request.respond(Response::empty(404)),
            },
        }
    }

    /// Sends the version of the page, now and whenever it changes.
    fn announce(&self, request: Request) -> io::Result<()> {
        let mut out = request.into_writer();
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n";
        write!(out, "{head}Connection: close\r\n\r\n")?;
        let mut sent = 0;
        loop {
            let page = self.page();
            let wait = self.changed.wait_timeout_while(page, ALIVE, |page| page.version == sent);
            let (page, _) = wait.unwrap_or_else(PoisonError::into_inner);
            let version = page.version;
            drop(page);
            match version == sent {
                true => write!(out, ":\n\n")?,
                false => write!(out, "data: {version}\n\n")?,
            }
            out.flush()?;
            sent = version;
        }
    }
}

fn respond(request: Request, bytes: &[u8], kind: &str) -> io::Result<()> {
    let mut response = Response::from_data(bytes);
    for (name, value) in [
        ("Content-Type", kind),
        ("Cache-Control", "no-cache"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", "frame-ancestors 'none'"),
    ] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}

/// Returns `true` if a host is this machine, on any port.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn answers_only_to_names_of_this_machine() {
        for host in ["localhost", "localhost:8642", "127.0.0.1:1", "[::1]:80", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example:8642", "127.0.0.1.evil.example", "::1"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
