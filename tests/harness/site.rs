//! A static host: serves a folder at any path of a free port on this machine, and records the requests.
//!
//! It can send unusual headers or only half of a file, and it can go down. A file with a compressed copy next to it,
//! `index.html.br`, is sent compressed.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tower_http::services::ServeDir;

use crate::engine::UNTRUSTED_HOST;
use crate::release::Release;

/// A published folder, which is served until it is dropped.
pub struct Site {
    address: SocketAddr,
    path: String,
    requests: Arc<Mutex<Vec<(String, StatusCode)>>>,
    /// Becomes `true` when the other halves may follow.
    goes_on: watch::Sender<bool>,
    router: Router,
    running: Mutex<Option<Running>>,
}

/// A server, which stops when the sender is dropped.
type Running = (oneshot::Sender<()>, JoinHandle<()>);

/// How often a host is started again until it gets its port back.
const ATTEMPTS: usize = 50;

/// Changes the headers that a host sends for the file at a path.
pub type Saying = fn(&str, &mut HeaderMap);

impl Site {
    /// Serves the release, at the root of a host.
    pub fn release() -> Self {
        Self::publish(&Release::folder(), "/")
    }

    /// Serves a folder, at a path that begins and ends with a slash.
    pub fn publish(folder: &Path, path: &str) -> Self {
        Self::publish_by(folder, path, |_, _| ())
    }

    /// Serves a folder on a host that sends other headers.
    pub fn publish_by(folder: &Path, path: &str, saying: Saying) -> Self {
        Self::serve(folder, path, saying, None)
    }

    /// Serves a folder at the root of a host that sends only the first half of each file whose name ends like this, until it
    /// [goes on](Self::go_on).
    pub fn pausing_in(folder: &Path, ending: &str) -> Self {
        Self::serve(folder, "/", |_, _| (), Some(ending))
    }

    /// Sends the second halves.
    pub fn go_on(&self) {
        self.goes_on.send_replace(true);
    }

    fn serve(folder: &Path, path: &str, saying: Saying, pauses_in: Option<&str>) -> Self {
        assert!(path.starts_with('/') && path.ends_with('/'), "{path} is not a folder's path");
        let files = ServeDir::new(folder).precompressed_br();
        let requests = Arc::<Mutex<Vec<_>>>::default();
        let seen = Arc::clone(&requests);
        let pauses_in: Option<Arc<str>> = pauses_in.map(Arc::from);
        let (goes_on, going_on) = watch::channel(false);
        let router = match path.trim_end_matches('/') {
            "" => Router::new().fallback_service(files),
            prefix => Router::new().nest_service(prefix, files),
        };
        let router = router.layer(middleware::from_fn(move |request: Request, next: Next| {
            let path = request.uri().path().to_owned();
            let (seen, going_on) = (Arc::clone(&seen), going_on.clone());
            let pauses = pauses_in.as_ref().is_some_and(|ending| path.ends_with(&**ending));
            async move {
                let mut response = next.run(request).await;
                saying(&path, response.headers_mut());
                if pauses {
                    response = in_halves(response, going_on).await;
                }
                if let Ok(mut seen) = seen.lock() {
                    seen.push((path, response.status()));
                }
                response
            }
        }));

        let any_port = (Ipv4Addr::LOCALHOST, 0).into();
        let (address, running) = start(router.clone(), any_port).expect("a port is free");
        let running = Mutex::new(Some(running));
        Self { address, path: path.to_owned(), requests, goes_on, router, running }
    }

    /// Returns the address of a page of the site: `rest` follows the folder, with `?` for a query.
    pub fn url(&self, rest: &str) -> String {
        format!("http://{}{}{rest}", self.address, self.path)
    }

    /// Returns the address with a name in place of this machine's IP address, without `https`: browsers trust such a page
    /// less.
    pub fn untrusted_url(&self) -> String {
        format!("http://{UNTRUSTED_HOST}:{}{}", self.address.port(), self.path)
    }

    /// Returns the paths requested so far, in order.
    pub fn requests(&self) -> Vec<String> {
        self.answers().into_iter().map(|(path, _)| path).collect()
    }

    /// Returns the paths whose files were sent so far, without those that the browser already had.
    pub fn sent(&self) -> Vec<String> {
        let sent =
            |(path, status): (String, StatusCode)| (status == StatusCode::OK).then_some(path);
        self.answers().into_iter().filter_map(sent).collect()
    }

    fn answers(&self) -> Vec<(String, StatusCode)> {
        self.requests.lock().map(|requests| requests.clone()).unwrap_or_default()
    }

    /// Goes down: every request from now on is refused.
    pub fn go_down(&self) {
        let running = self.running.lock().ok().and_then(|mut running| running.take());
        if let Some((stop, server)) = running {
            drop(stop);
            let _ = server.join();
        }
    }

    /// Comes back at the same address.
    pub fn come_back(&self) {
        let again = |_| match start(self.router.clone(), self.address) {
            Ok((_, running)) => Some(running),
            Err(_) => {
                thread::sleep(Duration::from_millis(100));
                None
            }
        };
        let running = (0..ATTEMPTS).find_map(again).expect("the port is free again");
        *self.running.lock().expect("no test has failed here") = Some(running);
    }
}

/// Starts a server at an address, and returns the address with its port.
fn start(router: Router, address: SocketAddr) -> io::Result<(SocketAddr, Running)> {
    let (stop, stopped) = oneshot::channel();
    let (started, starting) = std::sync::mpsc::channel();
    let server = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime starts");
        runtime.block_on(async move {
            let listener = TcpListener::bind(address).await;
            let address = listener
                .as_ref()
                .map_err(|error| error.kind())
                .map(|listener| listener.local_addr().expect("the port is known"));
            started.send(address).expect("the test is waiting");
            let Ok(listener) = listener else { return };
            tokio::select! {
                served = axum::serve(listener, router) => served.expect("the server runs"),
                _ = stopped => {}
            }
        });
    });
    let address = starting.recv().expect("the server starts")?;
    Ok((address, (stop, server)))
}

/// Returns a response whose second half follows when the host goes on.
async fn in_halves(response: Response, mut going_on: watch::Receiver<bool>) -> Response {
    let (head, body) = response.into_parts();
    let mut first = to_bytes(body, usize::MAX).await.expect("a file can be read");
    let second = first.split_off(first.len() / 2);
    let rest = async move {
        let _ = going_on.wait_for(|goes_on| *goes_on).await;
        second
    };
    let halves = stream::iter([first]).chain(stream::once(rest)).map(Ok::<_, Infallible>);
    Response::from_parts(head, Body::from_stream(halves))
}

impl Drop for Site {
    fn drop(&mut self) {
        self.go_down();
    }
}
