//! Converts the pages in `docs/` that the app shows as help.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("help.html"), help(&root)?)?;
    Ok(())
}

/// The pages of the help, in order.
const HELP: [&str; 2] = ["docs/users.md", "docs/spack-language.md"];

/// Returns the help as HTML. Its headings are below that of the page, and links to files are left out, because the site does
/// not have these files.
fn help(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for page in HELP {
        println!("cargo::rerun-if-changed=../../{page}");
        let markdown = fs::read_to_string(root.join(page))?;
        let mut is_in_link_to_file = false;
        let events =
            Parser::new_ext(&markdown, Options::ENABLE_TABLES).filter_map(|event| match &event {
                Event::Start(Tag::Link { dest_url, .. }) => {
                    is_in_link_to_file = !dest_url.contains("://");
                    (!is_in_link_to_file).then_some(event)
                }
                Event::End(TagEnd::Link) => (!is_in_link_to_file).then_some(event),
                _ => Some(below(event)),
            });
        html::push_html(&mut text, events);
    }
    Ok(text)
}

/// Lowers a heading by one level.
fn below(event: Event<'_>) -> Event<'_> {
    let below = |level: HeadingLevel| HeadingLevel::try_from(level as usize + 1).unwrap_or(level);
    match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: below(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        event => event,
    }
}
