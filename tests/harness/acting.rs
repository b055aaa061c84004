//! What a person does. Every method here waits until the action is possible.

use std::fs;
use std::path::PathBuf;

use thirtyfour::{Key, TypingData, WebElement};

use crate::browser::brief;
use crate::page::{Page, spell, text};
use crate::release::target;

/// The button that opens the facets if the page is too narrow to show them.
const FILTERS: &str = "Filters";

impl Page<'_> {
    /// Clicks the one element at this path, once it can be clicked.
    #[track_caller]
    pub fn click(&self, path: &[(&str, &str)]) {
        self.until(&format!("{} to click", spell(path)), || self.tap(&self.find(path)?));
    }

    /// Clicks; if something covers the element, moves it to the middle of the window for the next attempt, as a person
    /// would.
    fn tap(&self, element: &WebElement) -> Result<(), String> {
        self.run(async {
            let clicked = element.click().await;
            if clicked.is_err() {
                let script = "arguments[0].scrollIntoView({ block: 'center' })";
                self.session().execute(script, vec![element.to_json()?]).await?;
            }
            clicked
        })
        .map_err(brief)
    }

    /// Presses a button.
    #[track_caller]
    pub fn press(&self, button: &str) {
        self.click(&[("button", button)]);
    }

    /// Follows a link.
    #[track_caller]
    pub fn follow(&self, link: &str) {
        self.click(&[("link", link)]);
    }

    /// Toggles whether a value of a facet is chosen.
    #[track_caller]
    pub fn toggle_facet(&self, facet: &str, value: &str) {
        self.reveal(facet, value);
        self.click(&[("region", facet), ("checkbox", value)]);
    }

    /// Chooses only this value of a facet.
    #[track_caller]
    pub fn choose_only(&self, facet: &str, value: &str) {
        self.press_beside(facet, value, &format!("Only {value}"));
    }

    /// Toggles whether a value of a facet is excluded.
    #[track_caller]
    pub fn toggle_excluded(&self, facet: &str, value: &str) {
        self.press_beside(facet, value, &format!("Not {value}"));
    }

    /// Presses a button that appears while the mouse is over a value.
    #[track_caller]
    fn press_beside(&self, facet: &str, value: &str, button: &str) {
        self.reveal(facet, value);
        self.point_at(&[("region", facet), ("checkbox", value)]);
        self.click(&[("region", facet), ("button", button)]);
    }

    /// Moves the mouse over an element.
    #[track_caller]
    pub fn point_at(&self, path: &[(&str, &str)]) {
        self.until(&format!("{} to point at", spell(path)), || {
            let element = self.find(path)?;
            self.run(async {
                element.scroll_into_view().await?;
                self.session().action_chain().move_to_element_center(&element).perform().await
            })
            .map_err(brief)
        });
    }

    /// Opens everything that hides a facet's value: on a narrow page the sheet with the facets, then the facet, then
    /// its complete list.
    #[track_caller]
    pub(crate) fn reveal(&self, facet: &str, value: &str) {
        self.until(&format!("a value '{value}' of '{facet}'"), || {
            let (region, whole_list) = (("region", facet), ("button", "Show all"));
            let open = if self.number(&[region, ("checkbox", value)]) > 0 {
                return Ok(());
            } else if self.number(&[region]) == 0 {
                self.find(&[("button", FILTERS)])?
            } else if self.number(&[region, whole_list]) > 0 {
                self.find(&[region, whole_list])?
            } else {
                let heading = self.find(&[region, ("button", facet)])?;
                if self.run(heading.attr("aria-expanded")).map_err(brief)?.as_deref()
                    != Some("false")
                {
                    return Err("the facet is open and does not have it".to_owned());
                }
                heading
            };
            self.tap(&open)?;
            Err("it was just opened".to_owned())
        });
    }

    /// On a narrow page, closes the sheet with the facets, if it is open.
    #[track_caller]
    pub fn close_filters(&self) {
        if self.number(&[("dialog", FILTERS)]) > 0 {
            self.type_keys(Key::Escape);
            self.see_no_element(&[("dialog", FILTERS)]);
        }
    }

    /// Replaces the contents of a field with a text.
    #[track_caller]
    pub fn type_into(&self, field: &str, text: &str) {
        self.until(&format!("a field '{field}' to type into"), || {
            let roles = ["searchbox", "textbox", "combobox"];
            let found = roles.iter().find_map(|role| self.find(&[(role, field)]).ok());
            let element = found.ok_or("there is none")?;
            self.run(async {
                element.click().await?;
                element.send_keys(Key::Control + "a").await?;
                if text.is_empty() {
                    element.send_keys(Key::Backspace).await
                } else {
                    element.send_keys(text).await
                }
            })
            .map_err(brief)
        });
    }

    /// Replaces the contents of a field with what was copied.
    #[track_caller]
    pub fn paste_into(&self, field: &str) {
        // WebDriver's code for the control key.
        self.type_into(field, "\u{e009}v");
    }

    /// Types on the keyboard, wherever the focus is: `"/"`, or `Key::Tab`.
    #[track_caller]
    pub fn type_keys(&self, keys: impl Into<TypingData>) {
        self.run(self.session().action_chain().send_keys(keys).perform())
            .unwrap_or_else(|error| panic!("the keys cannot be typed: {}", brief(error)));
    }

    /// Waits until the clipboard contains a text.
    #[track_caller]
    pub fn see_copied(&self, wanted: &str) {
        self.until(&format!("'{wanted}' in the clipboard"), || {
            let copied = self.copied();
            if copied == wanted { Ok(()) } else { Err(format!("it holds '{copied}'")) }
        });
    }

    /// Returns the contents of the clipboard.
    #[track_caller]
    pub fn copied(&self) -> String {
        self.browser.permit_clipboard();
        text(&self.ask("return navigator.clipboard.readText()"))
    }

    /// Takes a screenshot, into the folder `screenshots` of Cargo's target folder.
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let folder = target().join("screenshots");
        fs::create_dir_all(&folder).expect("a folder for screenshots can be made");
        let file = folder.join(format!("{}.png", name.replace("::", "-")));
        self.run(self.session().screenshot(&file))
            .unwrap_or_else(|error| panic!("no screenshot: {}", brief(error)));
        file
    }
}
