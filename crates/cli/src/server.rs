//! A server for one page and its files, for browsers on this machine.
//!
//! It only listens on the loopback address, and only answers requests for localhost: a page of another site whose name
//! resolves to this machine (DNS rebinding) gets no answer. Everything that is served is in memory, so no file of this
//! machine can be requested.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cache_ingest::this_machine::is_this_machine;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use crate::inside::Inside;
use crate::report::Failure;

/// The path of the stream of changes.
pub(crate) const CHANGES: &str = "changes";

/// How often something is sent to a listening page, in order to notice that the page was closed.
const ALIVE: Duration = Duration::from_secs(15);

/// A port of this machine, and what is served there.
pub(crate) struct Server {
    listener: TcpListener,
    address: SocketAddr,
    files: BTreeMap<String, Bytes>,
    page: watch::Sender<Page>,
}

/// The current page.
#[derive(Clone, Default)]
struct Page {
    html: Bytes,
    /// Different for each page, even after the command is restarted.
    version: u64,
}

impl Server {
    /// Opens a port of this machine.
    pub(crate) fn bind(port: u16, site: &Inside) -> Result<Server, Failure> {
        let taken = |error: io::Error| format!("port {port}: {error}; --port chooses another");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        let mut files = BTreeMap::new();
        for name in site.asked_for()? {
            if let Some(bytes) = site.files().get(&name) {
                files.insert(name, Bytes::copy_from_slice(bytes));
            }
        }
        Ok(Server { listener, address, files, page: watch::Sender::default() })
    }

    /// Returns the address of the server.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves this page from now on, and notifies open pages of any other version.
    pub(crate) fn publish(&self, html: String, version: u64) {
        self.page.send_replace(Page { html: html.into(), version });
    }

    /// Answers requests for as long as the command runs.
    pub(crate) fn run(self: Arc<Self>) -> io::Result<()> {
        let listener = self.listener.try_clone()?;
        listener.set_nonblocking(true)?;
        let router = Router::new()
            .route("/", get(page))
            .route("/index.html", get(page))
            .route(&format!("/{CHANGES}"), get(changes))
            .fallback_service(get(file).with_state(self.clone()))
            .layer(middleware::map_response(with_policy))
            .layer(middleware::from_fn(only_this_machine))
            .with_state(self);
        tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
            axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await
        })
    }
}

async fn page(State(server): State<Arc<Server>>) -> Response {
    let html = server.page.borrow().html.clone();
    respond(html, "text/html; charset=utf-8")
}

async fn file(State(server): State<Arc<Server>>, uri: Uri) -> Response {
    let name = uri.path().strip_prefix('/').unwrap_or_default();
    match server.files.get(name) {
        Some(bytes) => respond(bytes.clone(), kind(name)),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Sends the version of the page, now and whenever it changes.
async fn changes(
    State(server): State<Arc<Server>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let pages = WatchStream::new(server.page.subscribe());
    let events = pages.map(|page| Ok(Event::default().data(page.version.to_string())));
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE))
}

fn respond(bytes: Bytes, kind: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], bytes).into_response()
}

/// Adds the headers that keep pages of other sites from using the response.
async fn with_policy(mut response: Response) -> Response {
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests for any host other than this machine.
async fn only_this_machine(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(is_this_machine) {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "only requests for localhost are answered\n").into_response()
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
