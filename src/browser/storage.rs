//! What this device remembers: the colours and the machine.
//!
//! Browsers refuse storage in private windows and frames; then nothing is remembered, and the page goes on.

use gloo::storage::{LocalStorage, Storage};
use gloo::utils::{document_element, window};

/// The colours that a person has asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system has it.
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

    /// What this device remembers.
    pub(crate) fn remembered() -> Theme {
        match recall(Theme::KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Shows the page in it, and remembers it on this device.
    pub(crate) fn choose(self) {
        let root = document_element();
        let _ = match self.name() {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
        remember(Theme::KEY, self.name());
    }
}

/// Under what this device remembers the person's machine.
const MACHINE: &str = "machine";

/// The machine that this device remembers, as it was written.
pub(crate) fn remembered_machine() -> Option<String> {
    recall(MACHINE)
}

/// Remembers the person's machine on this device, or forgets it.
pub(crate) fn remember_machine(host: Option<&str>) {
    remember(MACHINE, host);
}

/// Whether storage may be used; asking gloo where it may not would panic.
fn storage_is_allowed() -> bool {
    matches!(window().local_storage(), Ok(Some(_)))
}

fn recall(key: &str) -> Option<String> {
    if storage_is_allowed() { LocalStorage::get(key).ok() } else { None }
}

fn remember(key: &str, value: Option<&str>) {
    if storage_is_allowed() {
        match value {
            // A storage that is full forgets; the page goes on.
            Some(value) => drop(LocalStorage::set(key, value)),
            None => LocalStorage::delete(key),
        }
    }
}
