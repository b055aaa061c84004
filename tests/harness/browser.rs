//! A running browser, driven over WebDriver.

use std::cell::RefCell;
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::error::WebDriverError;
use thirtyfour::{Capabilities, Key, RequestData, SessionId, WebDriver};
use tokio::runtime::Runtime;

use crate::driver::Driver;
use crate::engine::{Engine, Form, Storage};

/// A browser with its driver. Dropping it ends both.
pub(crate) struct Browser {
    engine: Engine,
    runtime: Runtime,
    /// Only `None` while it is being replaced or dropped.
    session: Option<WebDriver>,
    wanted: Capabilities,
    console: RefCell<Vec<String>>,
    driver: Driver,
}

/// The height of MiniBrowser's toolbar in CSS pixels. It is also at least 447 pixels wide.
const TOOLBAR: u32 = 38;

/// Returns how long to wait for the answer to a command. WebKit's driver loses one now and then, while the page goes to
/// another document or the browser starts; then it is asked again.
fn patience(engine: Engine) -> Duration {
    match engine {
        Engine::Chromium | Engine::Firefox => Duration::from_secs(120),
        Engine::WebKit => Duration::from_secs(12),
    }
}

/// How often a browser is started until it begins a session.
const ATTEMPTS: usize = 3;

impl Browser {
    /// Starts a browser.
    pub(crate) fn start(form: Form, storage: Storage) -> Self {
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            match Self::try_to_start(form, storage) {
                Ok(browser) => return browser,
                Err(error) => last = error.to_string(),
            }
        }
        panic!("the browser does not start: {last}")
    }

    fn try_to_start(form: Form, storage: Storage) -> Result<Self, WebDriverError> {
        let engine = Engine::chosen();
        let (driver, folder) = Driver::start(engine);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime starts");
        let mut wanted = Capabilities::new();
        if let Value::Object(capabilities) = engine.capabilities(form, &folder, storage) {
            wanted = capabilities.into();
        }
        let mut browser =
            Self { engine, runtime, session: None, wanted, console: RefCell::default(), driver };
        browser.begin()?;
        Ok(browser)
    }

    /// Begins a session.
    fn begin(&mut self) -> Result<(), WebDriverError> {
        let (url, wanted) = (self.driver.url(), self.wanted.clone());
        let patience = patience(self.engine);
        let session = async { WebDriver::builder(url, wanted).request_timeout(patience).await };
        self.session = Some(self.runtime.block_on(session)?);
        self.permit_clipboard()
    }

    /// Permits pages to read the clipboard, which Chromium otherwise asks a user for, and to write to it, which its
    /// shell otherwise refuses.
    fn permit_clipboard(&self) -> Result<(), WebDriverError> {
        if self.engine == Engine::Chromium {
            let both = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
            let cdp = self.session().cdp();
            self.run(cdp.send_raw("Browser.grantPermissions", both))?;
        }
        Ok(())
    }

    /// Resets the browser to its state after the start: nothing stored, cached, permitted or logged, and one window
    /// without history.
    pub(crate) fn forget(&mut self) -> Result<(), WebDriverError> {
        if self.engine == Engine::WebKit {
            if let Some(session) = self.session.take() {
                self.run(session.quit())?;
            }
            return self.begin();
        }
        let session = self.session();
        self.run(async {
            let before = session.windows().await?;
            let stays = match self.engine {
                // A new tab takes twice as long, because its process starts anew.
                Engine::Chromium => before[0].clone(),
                Engine::Firefox | Engine::WebKit => session.new_tab().await?,
            };
            for window in before.into_iter().filter(|window| *window != stays) {
                session.switch_to_window(window).await?;
                session.close_window().await?;
            }
            session.switch_to_window(stays).await?;
            match self.engine {
                Engine::Chromium => {
                    let everything = json!({ "origin": "*", "storageTypes": "all" });
                    let cdp = session.cdp();
                    session
                        .execute("sessionStorage.clear(); window.name = ''", Vec::new())
                        .await
                        .ok();
                    session.goto("about:blank").await?;
                    cdp.send_raw("Page.resetNavigationHistory", json!({})).await?;
                    cdp.send_raw("Storage.clearDataForOrigin", everything).await?;
                    cdp.send_raw("Network.clearBrowserCookies", json!({})).await?;
                    cdp.send_raw("Network.clearBrowserCache", json!({})).await?;
                    cdp.send_raw("Browser.resetPermissions", json!({})).await?;
                    session.browser_log().await?;
                }
                Engine::Firefox => {
                    session.cmd(Context("chrome")).await?;
                    let script = "return new Promise((resolve) => Services.clearData.deleteData( \
                                    Ci.nsIClearDataService.CLEAR_ALL, { onDataDeleted: resolve })) \
                                    .then(() => Services.console.reset())";
                    session.execute(script, Vec::new()).await?;
                    session.cmd(Context("content")).await?;
                }
                Engine::WebKit => {}
            }
            self.console.borrow_mut().clear();
            Ok::<_, WebDriverError>(())
        })?;
        self.permit_clipboard()
    }

    /// Returns the WebDriver session.
    pub(crate) fn session(&self) -> &WebDriver {
        self.session.as_ref().expect("the browser runs until it is dropped")
    }

    /// Waits for an action of the driver.
    pub(crate) fn run<T>(&self, action: impl Future<Output = T>) -> T {
        self.runtime.block_on(action)
    }

    /// Sets the size of the page in CSS pixels. No window of a browser can be as narrow as a phone, so in Chromium and
    /// Firefox the page inside is resized.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        match self.engine {
            Engine::Chromium => {
                let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                self.ask_chromium("Emulation.setDeviceMetricsOverride", size);
            }
            Engine::Firefox => {
                let sized = self.run(self.session().set_window_rect(0, 0, width, height + 100));
                sized.unwrap_or_else(|error| {
                    panic!("the window does not take its size: {}", brief(error))
                });
                self.ask_firefox(&format!(
                    "Object.assign(gBrowser.selectedBrowser.style, \
                     {{ width: '{width}px', maxWidth: '{width}px', height: '{height}px', maxHeight: '{height}px' }})"
                ));
                // The page is in another process, which hears of its size a moment later.
                let resized = self.run(self.session().execute(
                    format!(
                        "return (async () => {{ \
                           while (innerWidth !== {width} || innerHeight !== {height}) \
                             await new Promise((drawn) => requestAnimationFrame(drawn)); \
                         }})()"
                    ),
                    Vec::new(),
                ));
                resized.unwrap_or_else(|error| {
                    panic!("the page does not take its size: {}", brief(error))
                });
            }
            Engine::WebKit => {
                let sized = self.run(self.session().set_window_rect(0, 0, width, height + TOOLBAR));
                sized.unwrap_or_else(|error| {
                    panic!("the window does not take its size: {}", brief(error))
                });
            }
        }
    }

    /// Prefers dark or light colours, as the system would. WebKit stays light.
    pub(crate) fn prefer_dark(&self, dark: bool) {
        match self.engine {
            Engine::Chromium => {
                let value = if dark { "dark" } else { "light" };
                let features =
                    json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
                self.ask_chromium("Emulation.setEmulatedMedia", features);
            }
            Engine::Firefox => {
                let value = if dark { 0 } else { 1 };
                let preference = "layout.css.prefers-color-scheme.content-override";
                self.ask_firefox(&format!("Services.prefs.setIntPref('{preference}', {value})"));
            }
            Engine::WebKit => {}
        }
    }

    /// Leaves the pages of an origin almost no storage. Firefox was started with none.
    pub(crate) fn fill_storage(&self, origin: &str) {
        if self.engine == Engine::Chromium {
            let quota = json!({ "origin": origin, "quotaSize": 64 * 1024 });
            self.ask_chromium("Storage.overrideQuotaForOrigin", quota);
        }
    }

    /// Limits a step in the history to 64 kB. Only Firefox has such a limit, normally of 16 MB; in the others, the open page
    /// cannot add any more steps.
    pub(crate) fn limit_steps(&self) {
        if self.engine == Engine::Firefox {
            self.ask_firefox(
                "Services.prefs.setIntPref('browser.history.maxStateObjectSize', 65536)",
            );
            return;
        }
        let script =
            "history.pushState = () => { throw new DOMException('too large', 'DataCloneError') }";
        let limited = self.run(self.session().execute(script, Vec::new()));
        limited.unwrap_or_else(|error| panic!("the history has no limit: {}", brief(error)));
    }

    /// Returns `true` if a waiting service worker only replaces another when a page asks for it, or when no page is open.
    /// With two tabs, WebKit sometimes replaces it while one of them is loading.
    pub(crate) fn asks_before_replacing(&self) -> bool {
        self.engine != Engine::WebKit
    }

    /// Returns `true` if a page always notices that its service worker has been activated. In WebKit, a page that is loaded
    /// while its worker is being activated sees it activating until it is reloaded, although the worker answers.
    pub(crate) fn notices_activation(&self) -> bool {
        self.engine != Engine::WebKit
    }

    /// Goes back in the history.
    pub(crate) fn back(&self) -> Result<(), String> {
        match self.engine {
            Engine::Chromium | Engine::Firefox => self.run(self.session().back()).map_err(brief),
            Engine::WebKit => self.go(-1),
        }
    }

    /// Goes forward in the history.
    pub(crate) fn forward(&self) -> Result<(), String> {
        match self.engine {
            Engine::Chromium | Engine::Firefox => self.run(self.session().forward()).map_err(brief),
            Engine::WebKit => self.go(1),
        }
    }

    /// Goes a number of steps in the history, by a script: WebKit's driver skips steps that a test made rather than a user.
    fn go(&self, steps: i32) -> Result<(), String> {
        let script = format!("setTimeout(() => history.go({steps}))");
        self.run(self.session().execute(script, Vec::new())).map(|_| ()).map_err(brief)
    }

    /// Returns what prevents installing the page as an app. Only Chromium can be asked; the others install nothing.
    pub(crate) fn installability_errors(&self) -> Option<Value> {
        match self.engine {
            Engine::Chromium => Some(self.ask_chromium("Page.getInstallabilityErrors", json!({}))),
            Engine::Firefox | Engine::WebKit => None,
        }
    }

    /// Slows the network down to a number of megabits per second, with a latency in milliseconds. Only Chromium can.
    pub(crate) fn slow_down(&self, megabits: u32, latency: u32) {
        let rate = megabits * 1_000_000 / 8;
        self.ask_chromium("Network.enable", json!({}));
        self.ask_chromium(
            "Network.emulateNetworkConditions",
            json!({
                "offline": false, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate,
            }),
        );
    }

    /// Returns the text in the clipboard. Chromium was given a permission for reading it, Firefox a preference; in WebKit
    /// only a user can paste.
    pub(crate) fn copied(&self) -> Result<String, String> {
        let session = self.session();
        let run = |script| self.run(session.execute(script, Vec::new())).map_err(brief);
        let read = match self.engine {
            Engine::Chromium | Engine::Firefox => run("return navigator.clipboard.readText()")?,
            Engine::WebKit => {
                let field = run("const field = document.createElement('textarea'); \
                                 (document.querySelector('dialog[open]') ?? document.body).append(field); return field")?;
                let field = field.element().map_err(brief)?;
                self.run(field.send_keys(Key::Control + "v")).map_err(brief)?;
                run("const field = document.activeElement; field.remove(); return field.value")?
            }
        };
        Ok(read.json().as_str().unwrap_or_default().to_owned())
    }

    /// Returns what the page has written to the console so far; in Firefox only what the browser itself writes:
    /// uncaught errors, and violations of the policy; in WebKit nothing.
    pub(crate) fn console(&self) -> Vec<String> {
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
                let lines = self.ask_firefox(
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
            Engine::WebKit => Vec::new(),
        }
    }

    /// Returns the errors that the page has written to the console.
    pub(crate) fn errors(&self) -> Vec<String> {
        // Firefox reports as an error that a page was left while it loaded the rest of the app through its service
        // worker. If the rest is really missing, the page itself says so.
        let was_left = |line: &str| {
            line.contains("_rest.wasm") && line.contains("A ServiceWorker intercepted the request")
        };
        let is_error = |line: &String| line.starts_with("SEVERE ") && !was_left(line);
        self.console().into_iter().filter(is_error).collect()
    }

    fn ask_chromium(&self, command: &str, parameters: Value) -> Value {
        let answer = self.run(self.session().cdp().send_raw(command, parameters));
        answer.unwrap_or_else(|error| panic!("Chromium refuses {command}: {}", brief(error)))
    }

    /// Runs a script with Firefox's own privileges.
    fn ask_firefox(&self, script: &str) -> Value {
        let session = self.session();
        let answer = self.run(async {
            session.cmd(Context("chrome")).await?;
            let answer = session.execute(script, Vec::new()).await?;
            session.cmd(Context("content")).await?;
            Ok::<_, WebDriverError>(answer.json().clone())
        });
        answer.unwrap_or_else(|error| panic!("Firefox refuses `{script}`: {}", brief(error)))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser is ended together with its driver, which is faster than asking it to quit.
        if let Some(session) = self.session.take() {
            let _ = session.leak();
        }
    }
}

/// Firefox's command that chooses whether scripts run in the browser or in the page.
#[derive(Debug)]
struct Context(&'static str);

impl FormatRequestData for Context {
    fn format_request(&self, session: &SessionId) -> RequestData {
        RequestData::new(Method::POST, format!("/session/{session}/moz/context"))
            .add_body(json!({ "context": self.0 }))
    }
}

/// Shortens an error to one line, without what drivers add around it and the stack trace.
pub(crate) fn brief(error: impl Display) -> String {
    let text = error.to_string();
    let framing = [
        "Status:",
        "State:",
        "Additional info:",
        "The Javascript code returned an error",
        "The WebDriver",
    ];
    let is_message =
        |line: &&str| !line.is_empty() && !framing.iter().any(|frame| line.starts_with(frame));
    text.lines().map(str::trim).find(is_message).unwrap_or_default().to_owned()
}
