//! A running browser, driven over WebDriver.
//!
//! Each test has a driver, a browser and a profile of its own, so none can meet what another left behind.

use std::cell::RefCell;
use std::fmt::Display;
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::error::WebDriverError;
use thirtyfour::{Capabilities, RequestData, SessionId, WebDriver};
use tokio::runtime::Runtime;

use super::engine::{Engine, Storage};

/// A browser with its driver. Both end when it is dropped.
pub(super) struct Browser {
    engine: Engine,
    runtime: Runtime,
    session: Option<WebDriver>,
    driver: Child,
    console: RefCell<Vec<String>>,
    _profile: TempDir,
    _place: Place,
}

impl Browser {
    /// Starts one.
    pub(super) fn start(storage: Storage) -> Self {
        let place = Place::take();
        let engine = Engine::chosen();
        let profile = TempDir::new().expect("a temporary folder can be made");
        let (mut driver, port) = driver(engine, profile.path());

        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime starts");
        let mut wanted = Capabilities::new();
        if let Value::Object(capabilities) = engine.capabilities(profile.path(), storage) {
            wanted = capabilities.into();
        }
        let session = runtime
            .block_on(async { WebDriver::new(format!("http://127.0.0.1:{port}"), wanted).await });
        let session = session.unwrap_or_else(|error| {
            let _ = driver.kill();
            panic!("the browser does not start: {error}")
        });
        let console = RefCell::default();
        Self {
            engine,
            runtime,
            session: Some(session),
            driver,
            console,
            _profile: profile,
            _place: place,
        }
    }

    /// What takes WebDriver's commands.
    pub(super) fn session(&self) -> &WebDriver {
        self.session.as_ref().expect("the browser runs until it is dropped")
    }

    /// Waits for what the driver is told to do.
    pub(super) fn run<T>(&self, action: impl Future<Output = T>) -> T {
        self.runtime.block_on(action)
    }

    /// Gives the page a size, in CSS pixels. No window of either engine is as narrow as a telephone, so it is the page
    /// inside that is made so.
    pub(super) fn resize(&self, width: u32, height: u32) {
        match self.engine {
            Engine::Chromium => {
                let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                self.tell_chromium("Emulation.setDeviceMetricsOverride", size);
            }
            Engine::Firefox => {
                let sized = self.run(self.session().set_window_rect(0, 0, width, height + 100));
                sized.unwrap_or_else(|error| {
                    panic!("the window does not take its size: {}", brief(error))
                });
                self.tell_firefox(&format!(
                    "Object.assign(gBrowser.selectedBrowser.style, \
                     {{ width: '{width}px', maxWidth: '{width}px', height: '{height}px', maxHeight: '{height}px' }})"
                ));
            }
        }
    }

    /// Asks for dark or light colours, as the system would.
    pub(super) fn prefer_dark(&self, dark: bool) {
        match self.engine {
            Engine::Chromium => {
                let value = if dark { "dark" } else { "light" };
                let features =
                    json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
                self.tell_chromium("Emulation.setEmulatedMedia", features);
            }
            Engine::Firefox => {
                let value = if dark { 0 } else { 1 };
                let preference = "layout.css.prefers-color-scheme.content-override";
                self.tell_firefox(&format!("Services.prefs.setIntPref('{preference}', {value})"));
            }
        }
    }

    /// Leaves the pages of an origin next to no room to store anything in. Firefox was started with none.
    pub(super) fn fill_storage(&self, origin: &str) {
        if self.engine == Engine::Chromium {
            let quota = json!({ "origin": origin, "quotaSize": 64 * 1024 });
            self.tell_chromium("Storage.overrideQuotaForOrigin", quota);
        }
    }

    /// What keeps the page from being installed as an app. Only Chromium can be asked; Firefox installs nothing.
    pub(super) fn installability_errors(&self) -> Option<Value> {
        match self.engine {
            Engine::Chromium => Some(self.tell_chromium("Page.getInstallabilityErrors", json!({}))),
            Engine::Firefox => None,
        }
    }

    /// Lets the test read the clipboard; Firefox lets it by a preference.
    pub(super) fn permit_clipboard(&self) {
        if self.engine == Engine::Chromium {
            let permissions =
                json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
            self.tell_chromium("Browser.grantPermissions", permissions);
        }
    }

    /// What the page has written to the console so far; with Firefox, only what the
    /// browser itself writes there: errors that nothing caught, and what a policy forbids.
    pub(super) fn console(&self) -> Vec<String> {
        match self.engine {
            Engine::Chromium => {
                let fresh = self.run(self.session().browser_log()).unwrap_or_default();
                let mut console = self.console.borrow_mut();
                console.extend(
                    fresh.into_iter().map(|entry| format!("{} {}", entry.level, entry.message)),
                );
                console.clone()
            }
            Engine::Firefox => {
                let lines = self.tell_firefox(
                    "return Services.console.getMessageArray()
                      .filter((message) => message instanceof Ci.nsIScriptError)
                      .filter((message) => /^(http|file|blob):/.test(message.sourceName))
                      .map((message) => `${message.flags & 1 ? 'WARNING' : 'SEVERE'} ${message}`)",
                );
                lines
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            }
        }
    }

    /// The errors among what the page has written to the console.
    pub(super) fn errors(&self) -> Vec<String> {
        let is_error = |line: &String| line.starts_with("SEVERE ");
        self.console().into_iter().filter(is_error).collect()
    }

    fn tell_chromium(&self, command: &str, parameters: Value) -> Value {
        let told = self.run(self.session().cdp().send_raw(command, parameters));
        told.unwrap_or_else(|error| panic!("Chromium refuses {command}: {}", brief(error)))
    }

    /// Runs a script with Firefox's own rights.
    fn tell_firefox(&self, script: &str) -> Value {
        let session = self.session();
        let told = self.run(async {
            session.cmd(Context("chrome")).await?;
            let told = session.execute(script, Vec::new()).await?;
            session.cmd(Context("content")).await?;
            Ok::<_, WebDriverError>(told.json().clone())
        });
        told.unwrap_or_else(|error| panic!("Firefox refuses `{script}`: {}", brief(error)))
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

/// Firefox's command that says whether scripts run in the browser or in the page.
#[derive(Debug)]
struct Context(&'static str);

impl FormatRequestData for Context {
    fn format_request(&self, session: &SessionId) -> RequestData {
        RequestData::new(Method::POST, format!("/session/{session}/moz/context"))
            .add_body(json!({ "context": self.0 }))
    }
}

/// What an error says in a line: a driver puts words of its own around it, and a stack below.
pub(super) fn brief(error: impl Display) -> String {
    let text = error.to_string();
    let framing = [
        "Status:",
        "State:",
        "Additional info:",
        "The Javascript code returned an error",
        "The WebDriver",
    ];
    let told =
        |line: &&str| !line.is_empty() && !framing.iter().any(|frame| line.starts_with(frame));
    text.lines().map(str::trim).find(told).unwrap_or_default().to_owned()
}

/// How often a driver is started until it says where it listens.
const ATTEMPTS: usize = 5;

/// Starts the browser's driver; and the port that it listens on. Chromium's takes a port that is free of one kind of
/// address, and ends if it is not free of the other, so that more than one attempt may be needed.
fn driver(engine: Engine, folder: &Path) -> (Child, u16) {
    for _ in 0..ATTEMPTS {
        let mut command = engine.driver();
        command.env("TMPDIR", folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = command.spawn().unwrap_or_else(|error| {
            panic!("the browser's driver does not start ({error}): run `tools/setup browser`")
        });
        if let Some(port) = port(engine, &mut driver) {
            return (driver, port);
        }
        let _ = driver.kill();
        let _ = driver.wait();
    }
    panic!("the browser's driver does not say at which port it is")
}

/// Reads what the driver prints, for as long as it does, and gives the port once it has said it; none if it ends before.
fn port(engine: Engine, driver: &mut Child) -> Option<u16> {
    let (found, port) = mpsc::channel();
    let printed = driver.stdout.take().expect("the driver's output is piped");
    thread::spawn(move || {
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if let Some(port) = engine.port(&line) {
                let _ = found.send(port);
            }
        }
    });
    port.recv_timeout(Duration::from_secs(30)).ok()
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
