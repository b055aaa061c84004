//! Putting an index into a page.
//!
//! It stands in `<script type="application/json" id="index">`, where the app looks for it before it
//! takes the one it was built with; a page that has one already gets the new one in its place. No
//! `<` is in it, so that nothing in the data can end the element: in JSON, `<` stands only within
//! strings, and there `\u003c` means the same.

use std::cell::Cell;

use lol_html::element;
use lol_html::html_content::ContentType;

use super::{PageError, rewrite};

/// The page with the index in it.
pub(crate) fn embed(html: &str, index: &str) -> Result<String, PageError> {
    let json = index.trim().replace('<', "\\u003c");
    let indexes = Cell::new(0);
    let bodies = Cell::new(0);
    let count = vec![
        element!("#index", |element| {
            indexes.set(indexes.get() + 1);
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
    let replace = match (indexes.get(), bodies.get()) {
        (1, _) => element!("#index", |element| {
            element.set_inner_content(&json, ContentType::Html);
            Ok(())
        }),
        (0, 1) => element!("body", |element| {
            let script = format!("<script type=\"application/json\" id=\"index\">{json}</script>");
            element.append(&script, ContentType::Html);
            Ok(())
        }),
        (0, _) => return Err(PageError::NoBody),
        (_, _) => return Err(PageError::ManyIndexes),
    };
    rewrite(html, vec![replace])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n</body>\n</html>\n";

    #[test]
    fn the_index_is_the_last_thing_in_the_body() {
        assert_eq!(
            embed(PAGE, "{\"format\": 1}\n").expect("a page"),
            "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n\
             <script type=\"application/json\" id=\"index\">{\"format\": 1}</script></body>\n</html>\n"
        );
    }

    #[test]
    fn an_index_that_is_there_is_replaced_where_it_is() {
        let once = embed(PAGE, "{\"a\": \"<b>\"}").expect("a page");
        assert_eq!(embed(&once, "{\"a\": \"<b>\"}").expect("a page"), once);
        let other = embed(&once, "{}").expect("a page");
        assert_eq!(other, embed(PAGE, "{}").expect("a page"));
        let elsewhere =
            "<body><script type=\"application/json\" id=\"index\"> {} </script>!</body>";
        assert_eq!(
            embed(elsewhere, "{\"a\": 1}").expect("a page"),
            "<body><script type=\"application/json\" id=\"index\">{\"a\": 1}</script>!</body>"
        );
    }

    #[test]
    fn nothing_in_the_data_ends_the_element() {
        let hostile = r#"{"a": "</script><script>alert(1)</script><!--"}"#;
        let page = embed(PAGE, hostile).expect("a page");
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(
            page.contains(r#"{"a": "\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"}"#)
        );
    }

    #[test]
    fn a_page_that_cannot_take_an_index_says_why() {
        #[track_caller]
        fn check(html: &str, expected: PageError) {
            assert_eq!(embed(html, "{}"), Err(expected));
        }
        let index = "<script type=\"application/json\" id=\"index\"></script>";
        check("<p>x</p>", PageError::NoBody);
        check(&format!("<body>{index}{index}</body>"), PageError::ManyIndexes);
        check("<body><div id=\"index\"></div></body>", PageError::NotAnIndex);
        check("<body><script id=\"index\"></script></body>", PageError::NotAnIndex);
    }

    #[test]
    fn what_looks_like_an_index_in_a_comment_is_none() {
        let html = "<body><!-- <script id=\"index\"></script> </body> --></body>";
        let page = embed(html, "{}").expect("a page");
        assert!(
            page.ends_with("--><script type=\"application/json\" id=\"index\">{}</script></body>")
        );
    }
}
