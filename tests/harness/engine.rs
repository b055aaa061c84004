//! A browser of one of the two engines, driven over WebDriver.
//!
//! Each test has a driver, a browser and a profile of its own, so none can meet what another left behind. The drivers
//! pick a free port themselves and print it. Chromium resolves no host but this machine: a page that asks any other
//! host for anything gets an error that the test then sees.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::{Capabilities, WebDriver};
use tokio::runtime::Runtime;

/// Which browser the tests run in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    Chromium,
    Firefox,
}

impl Engine {
    /// The engine that the environment variable `BROWSER` names; without it, Chromium.
    pub(super) fn chosen() -> Self {
        match env::var("BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("BROWSER={other} is neither chromium nor firefox"),
        }
    }

    fn driver(self) -> Command {
        match self {
            Self::Chromium => {
                let mut command = Command::new("chromedriver");
                command.arg("--port=0");
                command
            }
            Self::Firefox => {
                let mut command = Command::new("geckodriver");
                command.args(["--port", "0", "--websocket-port", "0"]);
                command
            }
        }
    }

    /// The port in the line in which the driver says that it has started.
    fn port(self, line: &str) -> Option<u16> {
        let after = match self {
            Self::Chromium => line.split("successfully on port ").nth(1)?,
            Self::Firefox => line.split("Listening on 127.0.0.1:").nth(1)?,
        };
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }

    fn capabilities(self, profile: &TempDir, dark: bool) -> Value {
        match self {
            Self::Chromium => json!({
                "browserName": "chrome",
                "goog:loggingPrefs": { "browser": "ALL" },
                "goog:chromeOptions": {
                    "binary": first_on_path(&["chromium", "chromium-browser", "google-chrome"]),
                    "args": [
                        "--headless",
                        // The tests run as root in many a container, where there is no sandbox to be had.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        "--no-first-run",
                        "--no-proxy-server",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--lang=en-US",
                        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                        format!("--user-data-dir={}", profile.path().display()),
                    ],
                },
            }),
            Self::Firefox => json!({
                "browserName": "firefox",
                "moz:firefoxOptions": {
                    "binary": first_on_path(&["firefox-esr", "firefox"]),
                    "args": ["-headless"],
                    "prefs": {
                        "intl.accept_languages": "en-US",
                        "ui.systemUsesDarkTheme": i32::from(dark),
                        "devtools.console.stdout.content": true,
                        "dom.events.testing.asyncClipboard": true,
                        "network.dns.disabled": true,
                    },
                },
            }),
        }
    }
}

/// A running browser with its driver. Both end when it is dropped.
pub(super) struct Browser {
    pub(super) engine: Engine,
    pub(super) runtime: Runtime,
    pub(super) session: Option<WebDriver>,
    driver: Child,
    output: Arc<Mutex<Vec<String>>>,
    _profile: TempDir,
    _place: Place,
}

impl Browser {
    /// Starts one. Firefox takes its colour scheme at the start, Chromium at any time.
    pub(super) fn start(dark: bool) -> Self {
        let place = Place::take();
        let engine = Engine::chosen();
        let profile = TempDir::new().expect("a temporary folder can be made");
        let mut driver = engine
            .driver()
            .env("TMPDIR", profile.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("the browser's driver does not start ({error}): run `tools/setup browser`")
            });
        let output = Arc::<Mutex<Vec<String>>>::default();
        let ports = listen(engine, &mut driver, Arc::clone(&output));
        let port = ports.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| {
            panic!(
                "the browser's driver said no port; it said: {:?}",
                output.lock().map(|lines| lines.join("\n"))
            )
        });

        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime starts");
        let mut wanted = Capabilities::new();
        if let Value::Object(capabilities) = engine.capabilities(&profile, dark) {
            wanted = capabilities.into();
        }
        let session = runtime
            .block_on(async { WebDriver::new(format!("http://127.0.0.1:{port}"), wanted).await });
        let session = session.unwrap_or_else(|error| {
            let _ = driver.kill();
            panic!("the browser does not start: {error}")
        });
        Self {
            engine,
            runtime,
            session: Some(session),
            driver,
            output,
            _profile: profile,
            _place: place,
        }
    }

    /// What the driver has printed: with Firefox, also the page's console.
    pub(super) fn output(&self) -> Vec<String> {
        self.output.lock().map(|lines| lines.clone()).unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            let _ = self.runtime.block_on(session.quit());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Reads what the driver prints for as long as it prints, and passes on the port.
fn listen(engine: Engine, driver: &mut Child, output: Arc<Mutex<Vec<String>>>) -> Receiver<u16> {
    let (found, port) = mpsc::channel();
    let printed = driver.stdout.take().expect("the driver's output is piped");
    thread::spawn(move || {
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if let Some(port) = engine.port(&line) {
                let _ = found.send(port);
            }
            if let Ok(mut output) = output.lock() {
                output.push(line);
            }
        }
    });
    port
}

/// The first of the commands that is on the PATH; else the first, so that the error names it.
fn first_on_path(names: &[&str]) -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = names.iter().find_map(|name| {
        env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    });
    found.map_or_else(|| names[0].to_owned(), |file| file.display().to_string())
}

/// One of the places for a running browser: as many as there are cores, four at most, whatever the number of tests
/// that run at once.
struct Place;

static TAKEN: Mutex<usize> = Mutex::new(0);
static LEFT: Condvar = Condvar::new();

impl Place {
    fn take() -> Self {
        let places = thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        let taken = TAKEN.lock().and_then(|taken| LEFT.wait_while(taken, |taken| *taken >= places));
        if let Ok(mut taken) = taken {
            *taken += 1;
        }
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(mut taken) = TAKEN.lock() {
            *taken -= 1;
        }
        LEFT.notify_one();
    }
}
