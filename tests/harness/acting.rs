//! What a person does. Every word here waits until it can be done.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use thirtyfour::Key;

use super::engine::Engine;
use super::page::{Page, brief, spell, text};
use super::release::target;

/// The button that opens the facets where the page is too narrow to show them.
const FILTERS: &str = "Filters";

impl Page<'_> {
    /// Clicks the one element that is meant, once it can be clicked.
    #[track_caller]
    pub(crate) fn click(&self, path: &[(&str, &str)]) {
        self.until(&format!("{} to click", spell(path)), || {
            let element = self.find(path)?;
            self.run(element.click()).map_err(brief)
        });
    }

    /// Presses a button.
    #[track_caller]
    pub(crate) fn press(&self, button: &str) {
        self.click(&[("button", button)]);
    }

    /// Follows a link.
    #[track_caller]
    pub(crate) fn follow(&self, link: &str) {
        self.click(&[("link", link)]);
    }

    /// Chooses a value of a facet, or takes the choice back.
    #[track_caller]
    pub(crate) fn toggle_facet(&self, facet: &str, value: &str) {
        self.reveal(facet);
        self.click(&[("group", facet), ("checkbox", value)]);
    }

    /// Puts a text in the place of what is in a field.
    #[track_caller]
    pub(crate) fn type_into(&self, field: &str, text: &str) {
        self.until(&format!("a field '{field}' to type into"), || {
            let roles = ["searchbox", "textbox", "combobox"];
            let found = roles.iter().find_map(|role| self.find(&[(role, field)]).ok());
            let element = found.ok_or("there is none")?;
            self.run(async {
                element.click().await?;
                element.send_keys(Key::Control + "a").await?;
                if text.is_empty() {
                    element.send_keys(Key::Backspace + "").await
                } else {
                    element.send_keys(text).await
                }
            })
            .map_err(brief)
        });
    }

    /// Types on the keyboard, wherever the focus is.
    #[track_caller]
    pub(crate) fn type_keys(&self, keys: &str) {
        self.run(self.session().action_chain().send_keys(keys).perform())
            .unwrap_or_else(|error| panic!("'{keys}' cannot be typed: {}", brief(error)));
    }

    /// On a narrow page, opens the sheet that holds the facets.
    #[track_caller]
    pub(super) fn reveal(&self, facet: &str) {
        self.until(&format!("a group '{facet}', or a button '{FILTERS}'"), || {
            if self.number(&[("group", facet)]) > 0 {
                return Ok(());
            }
            let button = self.find(&[("button", FILTERS)])?;
            self.run(button.click()).map_err(brief)?;
            Err("the facets are not there yet".to_owned())
        });
    }

    /// What is in the clipboard.
    #[track_caller]
    pub(crate) fn copied(&self) -> String {
        if self.browser.engine == Engine::Chromium {
            let permissions =
                json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
            self.tell_chromium("Browser.grantPermissions", permissions)
                .unwrap_or_else(|error| panic!("the clipboard cannot be read: {error}"));
        }
        text(&self.ask("return navigator.clipboard.readText()"))
    }

    /// Takes a picture, into the folder `screenshots` of what Cargo builds.
    pub(crate) fn screenshot(&self, name: &str) -> PathBuf {
        let folder = target().join("screenshots");
        fs::create_dir_all(&folder).expect("a folder for screenshots can be made");
        let file = folder.join(format!("{}.png", name.replace("::", "-")));
        self.run(self.session().screenshot(&file))
            .unwrap_or_else(|error| panic!("no screenshot: {}", brief(error)));
        file
    }
}
