//! The [`Statement`] in the head of a page, which says which parts of the index follow.

use std::cell::{Cell, RefCell};

use cache_index::index::{Part, Statement};
use lol_html::html_content::{ContentType, Element};
use lol_html::{element, text};

use super::{PageError, rewrite, shards};

/// Returns what a page states about its parts.
pub(super) fn stated(html: &str) -> Result<Statement, PageError> {
    let json = RefCell::new(String::new());
    let read = text!("script#parts", |chunk| {
        json.borrow_mut().push_str(chunk.as_str());
        Ok(())
    });
    rewrite(html, vec![read])?;
    match json.into_inner() {
        json if json.is_empty() => Ok(Statement::default()),
        json => Statement::from_json(&json)
            .map_err(|error| PageError::Unreadable { message: format!("its parts: {error}") }),
    }
}

/// Returns the names of the files that contain parts of the index of a page.
pub(super) fn part_files(html: &str) -> Result<Vec<(Part, String)>, PageError> {
    Ok(stated(html)?
        .iter()
        .filter_map(|(part, stated)| Some((part, stated.file.clone()?)))
        .collect())
}

/// Returns the names of the files that a page names, and of the files named in these. `read` returns the text of a file.
pub(crate) fn named_files(
    html: &str,
    read: &dyn Fn(&str) -> Result<String, PageError>,
) -> Result<Vec<String>, PageError> {
    let mut names = Vec::new();
    for (part, name) in part_files(html)? {
        if shards::is_list(part) {
            names.extend(shards::files(&read(&name)?)?);
        }
        names.push(name);
    }
    Ok(names)
}

/// Returns the page with a statement at the start of its head, replacing any earlier one.
pub(super) fn with_statement(html: &str, statement: &Statement) -> Result<String, PageError> {
    let (id, json) = (Statement::ID, statement.to_json());
    let script = format!("<script type=\"application/json\" id=\"{id}\">{json}</script>");
    let is_marked = Cell::new(false);
    let remove = element!("script#parts", |other| {
        other.remove();
        Ok(())
    });
    let page = rewrite(html, vec![remove])?;
    let add = |place: &mut Element<'_, '_>, inside: bool| {
        if !is_marked.replace(true) {
            match inside {
                true => place.prepend(&script, ContentType::Html),
                false => place.after(&script, ContentType::Html),
            }
        }
    };
    // Browsers look for the encoding in the first kilobyte, so the charset stays first.
    let after_charset = element!("head > meta[charset]", |charset| {
        add(charset, false);
        Ok(())
    });
    let page = rewrite(&page, vec![after_charset])?;
    if is_marked.get() {
        return Ok(page);
    }
    let in_body = element!("body", |body| {
        add(body, true);
        Ok(())
    });
    rewrite(&page, vec![in_body])
}
