//! The report about a page whose test has failed, and what fails a test automatically.

use std::fs;
use std::thread;

use crate::browser::brief;
use crate::page::{Page, text};
use crate::release::target;

impl Page<'_> {
    /// Returns what the page has written to the console so far.
    pub fn console(&self) -> Vec<String> {
        self.browser.console()
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        let test = thread::current().name().unwrap_or("page").to_owned();
        if thread::panicking() {
            self.report(&test);
        } else if !self.errors_expected.get() {
            let errors = self.browser.errors();
            assert!(
                errors.is_empty(),
                "{test}: the page wrote errors to its console:\n{}",
                errors.join("\n")
            );
        }
    }
}

impl Page<'_> {
    fn report(&self, test: &str) {
        let folder = target().join("screenshots");
        let picture = folder.join(format!("{}.png", test.replace("::", "-")));
        let _ = fs::create_dir_all(&folder);
        let pictured = self.run(self.session().screenshot(&picture));
        let url = self.run(self.session().current_url()).map_or_else(brief, |url| url.to_string());
        let body = self.script("return document.body.innerText", Vec::new());
        let body = body.map_or_else(|error| error, |value| text(&value));
        eprintln!("--- the page at {url} then showed:\n{}", shortened(&body, 60));
        eprintln!("--- its console:\n{}", shortened(&self.console().join("\n"), 30));
        match pictured {
            Ok(()) => eprintln!("--- a picture of it: {}\n---", picture.display()),
            Err(error) => eprintln!("--- no picture of it: {}\n---", brief(error)),
        }
    }
}

fn shortened(text: &str, lines: usize) -> String {
    let all: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown =
        all.iter().take(lines).map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n");
    if all.len() > lines {
        format!("{shown}\n    … and {} lines more", all.len() - lines)
    } else {
        shown
    }
}
