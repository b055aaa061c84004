//! What is told of a page when its test has failed, and what fails a test by itself.

use std::fs;
use std::thread;

use super::engine::Engine;
use super::page::{Page, brief, text};
use super::release::target;

impl Page<'_> {
    /// What the page has written to the console so far.
    pub(crate) fn console(&self) -> Vec<String> {
        match self.browser.engine {
            Engine::Chromium => {
                let fresh = self.run(self.session().browser_log()).unwrap_or_default();
                let mut console = self.console.borrow_mut();
                console.extend(
                    fresh.into_iter().map(|entry| format!("{} {}", entry.level, entry.message)),
                );
                console.clone()
            }
            Engine::Firefox => {
                let output = self.browser.output();
                output
                    .into_iter()
                    .filter(|line| line.starts_with("console.") || line.starts_with("JavaScript "))
                    .collect()
            }
        }
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        let console = self.console();
        let test = thread::current().name().unwrap_or("page").to_owned();
        if thread::panicking() {
            let folder = target().join("screenshots");
            let picture = folder.join(format!("{}.png", test.replace("::", "-")));
            let _ = fs::create_dir_all(&folder);
            let pictured = self.run(self.session().screenshot(&picture));
            let url =
                self.run(self.session().current_url()).map_or_else(brief, |url| url.to_string());
            let body = self.script("return document.body.innerText", Vec::new());
            let body = body.map_or_else(|error| error, |value| text(&value));
            eprintln!("--- the page at {url} then showed:\n{}", shortened(&body, 60));
            eprintln!("--- its console:\n{}", shortened(&console.join("\n"), 30));
            match pictured {
                Ok(()) => eprintln!("--- a picture of it: {}\n---", picture.display()),
                Err(error) => eprintln!("--- no picture of it: {}\n---", brief(error)),
            }
        } else if !self.errors_expected.get() {
            let is_error = |line: &&String| {
                ["SEVERE", "console.error", "JavaScript error"]
                    .iter()
                    .any(|word| line.starts_with(word))
            };
            let errors: Vec<_> = console.iter().filter(is_error).cloned().collect();
            assert!(
                errors.is_empty(),
                "{test}: the page wrote errors to its console:\n{}",
                errors.join("\n")
            );
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
