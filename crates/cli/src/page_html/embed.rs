//! Putting an index into a page.
//!
//! Each part is in a `<script type="application/json">`, the columns first: the app looks for them before it uses the
//! index it was built with, and answers as soon as the columns have arrived. In a page that already has an index, the
//! new one replaces it. The text contains no `<`, so that nothing in the data can end the element: in JSON, `<` only
//! occurs within strings, where `\u003c` means the same.
//!
//! The head states which parts must follow, so that a truncated page is never mistaken for a complete one, or for one
//! without an index:
//!
//! ```json
//! {"index": {"length": 80112, "digest": "sha256-…"}, "index-hashes": {…}}
//! ```
//!
//! For each part, by its id: its length in UTF-16 units, as scripts count them, and the digest of its UTF-8. For a part
//! in a separate file, it also has the name of the file, as `file`.

use std::cell::Cell;

use cache_index::index::{Part, Parts};
use lol_html::element;
use lol_html::html_content::{ContentType, Element};
use serde::{Serialize, Serializer};

use crate::digest::digest;

use super::{PageError, rewrite};

/// Returns the selector of the script of a part.
fn selector(part: Part) -> String {
    format!("#{}", part.id())
}

/// The id of the script that states which parts must follow.
const MARK: &str = "parts";

/// Returns the page with the index in it.
pub(crate) fn embed(html: &str, index: &Parts) -> Result<String, PageError> {
    let page = with_index(html, index)?;
    with_mark(&page, &mark(index))
}

/// Returns the page with a statement of its parts at the start of its head, replacing any earlier one.
fn with_mark(html: &str, mark: &str) -> Result<String, PageError> {
    let is_marked = Cell::new(false);
    let remove = element!("script#parts", |other| {
        other.remove();
        Ok(())
    });
    let page = rewrite(html, vec![remove])?;
    let add = |place: &mut Element<'_, '_>, inside: bool| {
        if !is_marked.replace(true) {
            match inside {
                true => place.prepend(mark, ContentType::Html),
                false => place.after(mark, ContentType::Html),
            }
        }
    };
    // Browsers look for the encoding in the first kilobyte, so it stays first.
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

/// What the page states about a part that must follow.
#[derive(Serialize)]
struct Announced {
    /// The length in UTF-16 units.
    length: usize,
    digest: String,
}

/// Returns the statement, with the parts and their fields in a fixed order: the bytes of a page must not depend on how
/// `serde_json` orders maps, which other crates of the build decide.
fn mark(index: &Parts) -> String {
    let mut json = Vec::new();
    let announced = parts(index).map(|(id, json)| {
        let text = in_script(json);
        (id, Announced { length: text.encode_utf16().count(), digest: digest(text.as_bytes()) })
    });
    serde_json::Serializer::new(&mut json).collect_map(announced).expect("strings and numbers");
    let mark = String::from_utf8(json).expect("JSON is UTF-8");
    format!("<script type=\"application/json\" id=\"{MARK}\">{mark}</script>")
}

fn with_index(html: &str, index: &Parts) -> Result<String, PageError> {
    let scripts = scripts(index);
    let any_part = Part::ALL.map(selector).join(", ");
    let indexes = Cell::new(0);
    let bodies = Cell::new(0);
    let count = vec![
        element!(any_part, |element| {
            indexes.set(indexes.get() + usize::from(is_first(element)));
            let type_ = element.get_attribute("type");
            if element.tag_name() != "script" || type_.as_deref() != Some("application/json") {
                return Err(PageError::NotAnIndex.into());
            }
            Ok(())
        }),
        element!("body", |_| {
            bodies.set(bodies.get() + 1);
            Ok(())
        }),
    ];
    rewrite(html, count)?;
    let remove_others = element!(any_part, |element| {
        if !is_first(element) {
            element.remove();
        }
        Ok(())
    });
    let place = match (indexes.get(), bodies.get()) {
        (1, _) => element!(selector(Part::Columns), |element| {
            element.replace(&scripts, ContentType::Html);
            Ok(())
        }),
        (0, 1) => element!("body", |element| {
            element.append(&scripts, ContentType::Html);
            Ok(())
        }),
        (0, _) => return Err(PageError::NoBody),
        (_, _) => return Err(PageError::ManyIndexes),
    };
    rewrite(html, vec![remove_others, place])
}

fn is_first(element: &Element<'_, '_>) -> bool {
    element.get_attribute("id").as_deref() == Some(Part::Columns.id())
}

/// Returns the parts that have a text, by their ids, the most urgent first.
fn parts(index: &Parts) -> impl Iterator<Item = (&'static str, &str)> {
    Part::ALL.into_iter().filter_map(|part| Some((part.id(), index.text(part)?)))
}

fn scripts(index: &Parts) -> String {
    parts(index).map(|(id, json)| script(id, json)).collect()
}

fn script(id: &str, json: &str) -> String {
    format!("<script type=\"application/json\" id=\"{id}\">{}</script>", in_script(json))
}

/// Returns a part as it is written in its script.
fn in_script(json: &str) -> String {
    json.trim().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n</body>\n</html>\n";

    /// Returns the page with the index in it, without the statement of its parts.
    fn embed(html: &str, index: &Parts) -> Result<String, PageError> {
        let marked = super::embed(html, index)?;
        let (before, rest) =
            marked.split_once("<script type=\"application/json\" id=\"parts\">").expect("a mark");
        let (_, after) = rest.split_once("</script>").expect("its end");
        Ok(format!("{before}{after}"))
    }

    #[test]
    fn states_in_the_head_what_must_follow() {
        let html = "<head><meta charset=\"utf-8\"><title>x</title></head><body></body>";
        let index = Parts { hashes: Some("\"ä<\"".to_owned()), ..parts(" {} ") };
        let page = super::embed(html, &index).expect("a page");
        let of = |text: &str| digest(text.as_bytes());
        let mark = format!(
            "<head><meta charset=\"utf-8\"><script type=\"application/json\" id=\"parts\">\
             {{\"index\":{{\"length\":2,\"digest\":\"{}\"}},\
             \"index-hashes\":{{\"length\":9,\"digest\":\"{}\"}}}}</script><title>",
            of("{}"),
            of("\"ä\\u003c\"")
        );
        assert!(page.starts_with(&mark), "{page}");
        assert_eq!(super::embed(&page, &index), Ok(page));
    }

    fn parts(columns: &str) -> Parts {
        Parts { columns: columns.to_owned(), hashes: None, details: None, dependencies: None }
    }

    #[test]
    fn puts_the_index_at_the_end_of_the_body() {
        assert_eq!(
            embed(PAGE, &parts("{\"format\": 1}\n")).expect("a page"),
            "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n\
             <script type=\"application/json\" id=\"index\">{\"format\": 1}</script></body>\n</html>\n"
        );
    }

    #[test]
    fn puts_each_part_into_a_script() {
        let all = Parts { hashes: Some("\"aa\"".to_owned()), ..parts("{}") };
        let page = embed(PAGE, &all).expect("a page");
        assert!(page.contains(
            "<script type=\"application/json\" id=\"index\">{}</script>\
             <script type=\"application/json\" id=\"index-hashes\">\"aa\"</script></body>"
        ));
        assert_eq!(embed(&page, &all).expect("a page"), page);
        // An index with fewer parts removes the scripts of the others.
        assert_eq!(embed(&page, &parts("{}")), embed(PAGE, &parts("{}")));
    }

    #[test]
    fn replaces_an_index_in_its_place() {
        let once = embed(PAGE, &parts("{\"a\": \"<b>\"}")).expect("a page");
        assert_eq!(embed(&once, &parts("{\"a\": \"<b>\"}")).expect("a page"), once);
        let other = embed(&once, &parts("{}")).expect("a page");
        assert_eq!(other, embed(PAGE, &parts("{}")).expect("a page"));
        let elsewhere =
            "<body><script type=\"application/json\" id=\"index\"> {} </script>!</body>";
        assert_eq!(
            embed(elsewhere, &parts("{\"a\": 1}")).expect("a page"),
            "<body><script type=\"application/json\" id=\"index\">{\"a\": 1}</script>!</body>"
        );
    }

    #[test]
    fn escapes_data_that_would_end_the_element() {
        let hostile = r#"{"a": "</script><script>alert(1)</script><!--"}"#;
        let page = embed(PAGE, &parts(hostile)).expect("a page");
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(
            page.contains(r#"{"a": "\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"}"#)
        );
    }

    #[test]
    fn rejects_pages_that_cannot_take_an_index() {
        #[track_caller]
        fn check(html: &str, expected: PageError) {
            assert_eq!(embed(html, &parts("{}")), Err(expected));
        }
        let index = "<script type=\"application/json\" id=\"index\"></script>";
        check("<p>x</p>", PageError::NoBody);
        check(&format!("<body>{index}{index}</body>"), PageError::ManyIndexes);
        check("<body><div id=\"index\"></div></body>", PageError::NotAnIndex);
        check("<body><script id=\"index\"></script></body>", PageError::NotAnIndex);
    }

    #[test]
    fn ignores_an_index_in_a_comment() {
        let html = "<body><!-- <script id=\"index\"></script> </body> --></body>";
        let page = embed(html, &parts("{}")).expect("a page");
        assert!(
            page.ends_with("--><script type=\"application/json\" id=\"index\">{}</script></body>")
        );
    }
}
