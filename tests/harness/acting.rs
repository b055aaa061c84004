//! What a user does. Every method here waits until the action is possible.

use std::fs;
use std::path::{Path, PathBuf};

use thirtyfour::common::print::PrintParameters;
use thirtyfour::{Key, TypingData, WebElement};

use crate::browser::brief;
use crate::page::{Page, spell};
use crate::release::target;

/// The button that opens the facets if the page is too narrow to show them.
const FILTERS: &str = "Filters";

impl Page<'_> {
    /// Clicks the one element at this path, once it can be clicked.
    #[track_caller]
    pub fn click(&self, path: &[(&str, &str)]) {
        self.until(&format!("{} to click", spell(path)), || self.tap(&self.find(path)?));
    }

    /// Clicks; if something covers the element, moves it to the middle of the window for the next attempt, as a user
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

    /// Presses a button next to a value as a screen reader does: without moving the mouse over the value, which makes the
    /// button appear. WebKit's driver does not move the mouse in a tab that has been in the background.
    #[track_caller]
    pub fn press_unseen_beside(&self, facet: &str, value: &str, button: &str) {
        self.reveal(facet, value);
        let label = serde_json::json!(format!("[aria-label={button:?}]"));
        let script = format!("element.closest('li').querySelector({label}).click()");
        self.until(&format!("a button '{button}' beside '{value}'"), || {
            self.ask_about(&[("region", facet), ("checkbox", value)], &script)
        });
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

    /// Closes the sheet with the facets on a narrow page, if it is open.
    #[track_caller]
    pub fn close_filters(&self) {
        let path = [("dialog", FILTERS)];
        let is_open = self.until("the filters", || Ok(!self.texts_now(&path)?.is_empty()));
        if is_open {
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
                    // WebKit's driver only knows the line feed as a key.
                    let (lines, end) = match text.strip_suffix('\n') {
                        Some(lines) => (lines, Key::Return.value().to_string()),
                        None => (text, String::new()),
                    };
                    if !lines.contains('\n') {
                        return element.send_keys(format!("{lines}{end}")).await;
                    }
                    // Nobody types several lines, and Enter within them may send a form.
                    let insert = "document.execCommand('insertText', false, arguments[0])";
                    self.session().execute(insert, vec![lines.into()]).await?;
                    // WebKit's driver takes no empty text.
                    if end.is_empty() { Ok(()) } else { element.send_keys(end).await }
                }
            })
            .map_err(brief)
        });
    }

    /// Replaces the contents of a field with a text at once, as if it were pasted, and leaves the field.
    #[track_caller]
    pub fn put_into(&self, field: &str, text: &str) {
        let edit = if text.is_empty() { "delete" } else { "insertText" };
        let text = serde_json::json!(text);
        let script = format!(
            "element.focus(); element.select(); document.execCommand('{edit}', false, {text}); element.blur()"
        );
        self.until(&format!("a field '{field}' to put a text into"), || {
            let roles = ["combobox", "textbox"];
            let put = roles.iter().find_map(|role| self.ask_about(&[(role, field)], &script).ok());
            put.map(drop).ok_or("there is none".to_owned())
        });
    }

    /// Copies the text of a field.
    #[track_caller]
    pub fn copy_from(&self, field: &str) {
        // WebDriver's code for the control key.
        self.type_into(field, "\u{e009}c");
    }

    /// Replaces the contents of a field with what was copied.
    #[track_caller]
    pub fn paste_into(&self, field: &str) {
        // WebDriver's code for the control key.
        self.type_into(field, "\u{e009}v");
    }

    /// Copies what is selected on the page.
    #[track_caller]
    pub fn copy_selection(&self) {
        let keys = self.session().action_chain().key_down(Key::Control).send_keys("c");
        self.run(keys.key_up(Key::Control).perform())
            .unwrap_or_else(|error| panic!("the keys cannot be typed: {}", brief(error)));
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
        self.browser.copied().unwrap_or_else(|error| panic!("nothing can be pasted: {error}"))
    }

    /// Prints the page, and returns the PDF that would go to a printer.
    #[track_caller]
    pub fn print(&self) -> Vec<u8> {
        self.run(self.session().print_page(PrintParameters::default()))
            .unwrap_or_else(|error| panic!("the page cannot be printed: {}", brief(error)))
    }

    /// Shows the page in the window as it is printed, so that its elements can be measured: with the styles for paper, after
    /// the event that precedes printing.
    #[track_caller]
    pub fn show_as_printed(&self) {
        self.ask(
            "const all = (rules) => [...rules].flatMap((rule) => [rule, ...all(rule.cssRules ?? [])]); \
             for (const { media } of [...document.styleSheets].flatMap((sheet) => all(sheet.cssRules))) \
               if (media?.mediaText === 'print') media.mediaText = 'all'; \
             dispatchEvent(new Event('beforeprint'))",
        );
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

/// A user's own files.
impl Page<'_> {
    /// Chooses files in a field for files, which exists but is not visible.
    #[track_caller]
    pub fn choose_files(&self, field: &str, paths: &[PathBuf]) {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        self.until(&format!("a field '{field}' to choose files in"), || {
            let script = "return [...document.querySelectorAll('input[type=file]')] \
                          .filter((field) => field.getAttribute('aria-label') === arguments[0])";
            let session = self.session();
            self.run(async {
                let found = session.execute(script, vec![field.into()]).await?;
                match found.elements()?.first() {
                    Some(element) => element.send_keys(names.join("\n")).await.map(|()| true),
                    None => Ok(false),
                }
            })
            .map_err(brief)?
            .then_some(())
            .ok_or_else(|| "there is none".to_owned())
        });
    }

    /// Drops files and folders on the page, as a drag from the desktop would.
    #[track_caller]
    pub fn drop(&self, paths: &[PathBuf]) {
        let mut files = Vec::new();
        for path in paths {
            let name = path.file_name().expect("a name").to_string_lossy();
            collect(path, &name, &mut files);
        }
        self.script(DROP, vec![files.into()])
            .unwrap_or_else(|error| panic!("nothing can be dropped: {error}"));
    }
}

/// Adds the files at a path, each with its path below the dropped folder, and its bytes as hexadecimal digits.
fn collect(path: &Path, name: &str, files: &mut Vec<serde_json::Value>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder that can be read") {
            let entry = entry.expect("an entry");
            let below = format!("{name}/{}", entry.file_name().to_string_lossy());
            collect(&entry.path(), &below, files);
        }
    } else {
        let bytes = fs::read(path).expect("a file that can be read");
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        files.push(serde_json::json!([name, digits]));
    }
}

/// Drags files over the page and lets them go. Folders are objects like the entries of browsers: a script cannot make real
/// ones.
const DROP: &str = "
    const root = new Map();
    const chosen = new DataTransfer();
    for (const [path, digits] of arguments[0]) {
      const names = path.split('/');
      const bytes = Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
      const file = new File([bytes], names.at(-1));
      if (names.length === 1) chosen.items.add(file);
      let folder = root;
      for (const name of names.slice(0, -1)) {
        if (!folder.has(name)) folder.set(name, new Map());
        folder = folder.get(name);
      }
      folder.set(names.at(-1), file);
    }
    const entry = (name, what) => {
      if (what instanceof File) return { isFile: true, name, file: (take) => take(what) };
      const rest = [...what].map(([name, what]) => entry(name, what));
      // A few at a time, and none at the end.
      return { isDirectory: true, name, createReader: () => ({ readEntries: (take) => take(rest.splice(0, 3)) }) };
    };
    const folders = [...root].filter(([, what]) => what instanceof Map);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: chosen });
      if (folders.length) {
        const items = [...root].map(([name, what]) => ({ kind: 'file', webkitGetAsEntry: () => entry(name, what), getAsFile: () => what }));
        Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items } });
      }
      document.body.dispatchEvent(event);
      if (type !== 'dragenter' && !event.defaultPrevented) throw new Error(`the page does not take a ${type}`);
    }";
