//! The two engines: how each one's driver is started, and how the browser is asked for.
//!
//! Neither resolves any host but this machine: a page that asks any other host for anything gets an error, which the
//! test then sees.

use std::env;
use std::path::Path;

use serde_json::{Value, json};

/// A name of this machine that browsers do not know to be one, so that a page there is trusted as little as any that
/// comes without `https`.
pub(crate) const UNTRUSTED_HOST: &str = "explorer.test";

/// What a browser lets pages store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// As it is for most people.
    Allowed,
    /// Nothing, and asking is an error: as where a person has forbidden it.
    Refused,
    /// Next to nothing: as where the disk is full.
    Full,
}

/// Which browser the tests run in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
}

impl Engine {
    /// The engine that the environment variable `BROWSER` names; without it, Chromium.
    pub(crate) fn chosen() -> Self {
        match env::var("BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("BROWSER={other} is neither chromium nor firefox"),
        }
    }

    /// The command that starts the driver, on a free port that it picks itself.
    pub(crate) fn driver(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromedriver", "--port=0"],
            Self::Firefox => {
                &["geckodriver", "--port=0", "--websocket-port=0", "--allow-system-access"]
            }
        }
    }

    /// The port in the line in which the driver says that it has started.
    pub(crate) fn port(self, line: &str) -> Option<u16> {
        let after = match self {
            Self::Chromium => line.split("successfully on port ").nth(1)?,
            Self::Firefox => line.split("Listening on 127.0.0.1:").nth(1)?,
        };
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }

    /// The browser to start, which keeps its files in this folder.
    pub(crate) fn capabilities(self, folder: &Path, storage: Storage) -> Value {
        match self {
            Self::Chromium => json!({
                "browserName": "chrome",
                "goog:loggingPrefs": { "browser": "ALL" },
                "goog:chromeOptions": {
                    "binary": first_on_path(&["chromium", "chromium-browser", "google-chrome"]),
                    "prefs": {
                        "profile.default_content_setting_values.cookies":
                            if storage == Storage::Refused { 2 } else { 1 },
                    },
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
                    // As everybody has it; the driver turns it off.
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
        }
    }
}

/// The first of the commands that is on the PATH; else the first, so that the error names it.
fn first_on_path(names: &[&str]) -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = names.iter().find_map(|name| {
        env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    });
    found.map_or_else(|| names[0].to_owned(), |file| file.display().to_string())
}
