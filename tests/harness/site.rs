//! A static host: serves a folder at any path of a free port on this machine, and remembers what was asked for.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tower_http::services::ServeDir;

use super::Release;

/// A published folder. It is served until dropped.
pub(crate) struct Site {
    address: SocketAddr,
    path: String,
    requests: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl Site {
    /// The release, at the root of a host.
    pub(crate) fn release() -> Self {
        Self::publish(&Release::folder(), "/")
    }

    /// A folder, at a path that begins and ends with a slash.
    pub(crate) fn publish(folder: &Path, path: &str) -> Self {
        assert!(path.starts_with('/') && path.ends_with('/'), "{path} is not a folder's path");
        let files = ServeDir::new(folder);
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&requests);
        let router = match path.trim_end_matches('/') {
            "" => Router::new().fallback_service(files),
            prefix => Router::new().nest_service(prefix, files),
        };
        let router = router.layer(middleware::from_fn(move |request: Request, next: Next| {
            if let Ok(mut seen) = seen.lock() {
                seen.push(request.uri().path().to_owned());
            }
            next.run(request)
        }));

        let (stop, stopped) = oneshot::channel();
        let (started, address) = std::sync::mpsc::channel();
        let server = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime starts");
            runtime.block_on(async move {
                let listener =
                    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
                started
                    .send(listener.local_addr().expect("the port is known"))
                    .expect("the test is waiting");
                tokio::select! {
                    served = axum::serve(listener, router) => served.expect("the server runs"),
                    _ = stopped => {}
                }
            });
        });
        let address = address.recv().expect("the server starts");
        Self { address, path: path.to_owned(), requests, stop: Some(stop), server: Some(server) }
    }

    /// The address of a page of the site: what comes after its folder, with `?` where it is a query.
    pub(crate) fn url(&self, rest: &str) -> String {
        format!("http://{}{}{rest}", self.address, self.path)
    }

    /// The paths asked for so far, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().map(|requests| requests.clone()).unwrap_or_default()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}
