//! The three browsers: how the driver of each is started, and with which capabilities.
//!
//! Chromium and Firefox resolve no host except this machine: a page that contacts another host gets an error, which the
//! test notices. WebKit is the one in its developers' own small browser, MiniBrowser, which needs a display.

use std::env;
use std::path::Path;

use serde_json::{Value, json};

/// A name of this machine that browsers do not recognize as local, so that they treat pages there like any page without
/// `https`.
pub(crate) const UNTRUSTED_HOST: &str = "explorer.test";

/// How much pages may store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// As much as usual.
    Allowed,
    /// Nothing; access is an error, as if a user has forbidden storage.
    Refused,
    /// Almost nothing, as if the disk were full.
    Full,
}

/// Which of the two programs Chromium is. Both have the same engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The browser that people use.
    Complete,
    /// Its headless shell, which has no windows, settings or profiles, and needs half the time for opening a page; the
    /// complete browser where there is no shell.
    Shell,
}

/// The browser that runs the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    /// Returns the browser that the environment variable `BROWSER` names; Chromium by default.
    pub(crate) fn chosen() -> Self {
        match env::var("BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok("webkit") => Self::WebKit,
            Ok(other) => panic!("BROWSER={other} is none of chromium, firefox and webkit"),
        }
    }

    /// Returns the command that starts the driver on a free port, or, if [`needs_port`](Self::needs_port), on the port that
    /// is appended to the command.
    pub(crate) fn driver(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromedriver", "--port=0"],
            Self::Firefox => {
                &["geckodriver", "--port=0", "--websocket-port=0", "--allow-system-access"]
            }
            Self::WebKit => &[
                "xvfb-run",
                "--auto-servernum",
                "--server-args=-screen 0 1600x1400x24",
                "WebKitWebDriver",
            ],
        }
    }

    /// Returns `true` if the driver neither chooses a free port itself nor reports that it has started.
    pub(crate) fn needs_port(self) -> bool {
        self == Self::WebKit
    }

    /// Returns the port from the line in which the driver reports that it has started.
    pub(crate) fn port(self, line: &str) -> Option<u16> {
        let after = match self {
            Self::Chromium => line.split("successfully on port ").nth(1)?,
            Self::Firefox => line.split("Listening on 127.0.0.1:").nth(1)?,
            Self::WebKit => return None,
        };
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }

    /// Returns the capabilities of a browser that keeps its files in this folder. Only Chromium has two forms, and only
    /// the complete one can restrict storage.
    pub(crate) fn capabilities(self, form: Form, folder: &Path, storage: Storage) -> Value {
        match self {
            Self::Chromium => json!({
                "browserName": chromium(form).0,
                "goog:loggingPrefs": { "browser": "ALL" },
                "goog:chromeOptions": {
                    "binary": chromium(form).1,
                    "prefs": {
                        "download.default_directory": folder,
                        "profile.default_content_setting_values.cookies":
                            if storage == Storage::Refused { 2 } else { 1 },
                    },
                    "args": [
                        "--headless",
                        // In many containers the tests run as root, where the sandbox does not work.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        "--no-first-run",
                        "--no-proxy-server",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        // No test needs these, and they take a tenth of the time: a process in reserve for the next page,
                        // and the browser's own helpers.
                        "--disable-features=SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter",
                        "--disable-extensions",
                        "--disable-component-extensions-with-background-pages",
                        "--disable-default-apps",
                        "--lang=en-US",
                        format!(
                            "--host-resolver-rules=MAP {UNTRUSTED_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
                        ),
                        format!("--user-data-dir={}", folder.display()),
                    ],
                },
            }),
            Self::Firefox => {
                let mut preferences = json!({
                    "intl.accept_languages": "en-US",
                    "dom.events.testing.asyncClipboard": true,
                    // The default, which the driver turns off.
                    "security.fileuri.strict_origin_policy": true,
                    "network.dns.disabled": true,
                    "network.dns.localDomains": UNTRUSTED_HOST,
                });
                match storage {
                    Storage::Allowed => {}
                    Storage::Refused => preferences["network.cookie.cookieBehavior"] = json!(2),
                    // In kilobytes, for all pages together.
                    Storage::Full => {
                        preferences["dom.quotaManager.temporaryStorage.fixedLimit"] = json!(64)
                    }
                }
                json!({
                    "browserName": "firefox",
                    "moz:firefoxOptions": {
                        "binary": first_on_path(&["firefox-esr", "firefox"]),
                        "args": ["-headless"],
                        "prefs": preferences,
                    },
                })
            }
            // MiniBrowser stores nothing beyond the end of the session.
            Self::WebKit => json!({ "browserName": "MiniBrowser" }),
        }
    }
}

/// Returns Chromium's name in WebDriver, and its program.
fn chromium(form: Form) -> (&'static str, String) {
    let shell = match form {
        Form::Shell => on_path(&["chromium-headless-shell", "chrome-headless-shell"]),
        Form::Complete => None,
    };
    shell.map_or_else(
        || ("chrome", first_on_path(&["chromium", "chromium-browser", "google-chrome"])),
        |shell| ("chrome-headless-shell", shell),
    )
}

/// Returns the first of the commands that is on the PATH; otherwise the first one, so that the error names it.
fn first_on_path(names: &[&str]) -> String {
    on_path(names).unwrap_or_else(|| names[0].to_owned())
}

fn on_path(names: &[&str]) -> Option<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut files =
        names.iter().flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)));
    files.find(|file| file.is_file()).map(|file| file.display().to_string())
}
