//! What this device remembers: the theme and the machine.
//!
//! Browsers refuse storage in private windows and frames; then nothing is remembered, and the page works without it.

use gloo::storage::{LocalStorage, Storage};
use gloo::utils::{document_element, window};

use super::IS_HERE;

/// The colours that a user has chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// The system's.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    const KEY: &'static str = "theme";

    fn name(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }

    /// Returns the theme that this device remembers.
    pub(crate) fn remembered() -> Theme {
        match recall(Theme::KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Shows the page in this theme, and remembers it on this device.
    pub(crate) fn choose(self) {
        let root = document_element();
        let _ = match self.name() {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
        remember(Theme::KEY, self.name());
    }
}

/// The key under which this device remembers the user's machine.
const MACHINE: &str = "machine";

/// Returns the machine that this device remembers, as text.
pub fn remembered_machine() -> Option<String> {
    recall(MACHINE)
}

/// Remembers the user's machine on this device, or forgets it.
pub fn remember_machine(host: Option<&str>) {
    remember(MACHINE, host);
}

/// Returns `true` if storage is allowed; otherwise gloo would panic.
fn storage_is_allowed() -> bool {
    IS_HERE && matches!(window().local_storage(), Ok(Some(_)))
}

/// Returns a text that was remembered; `None` if there is none, or the browser does not allow it.
pub fn recall(key: &str) -> Option<String> {
    if storage_is_allowed() { LocalStorage::get(key).ok() } else { None }
}

/// Remembers a text, or forgets it, if the browser allows that.
pub fn remember(key: &str, value: Option<&str>) {
    if storage_is_allowed() {
        match value {
            // If storage is full, the value is not remembered.
            Some(value) => drop(LocalStorage::set(key, value)),
            None => LocalStorage::delete(key),
        }
    }
}
