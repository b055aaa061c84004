//! Putting an index into a page.
//!
//! Each of its parts stands in a `<script type="application/json">` of its own, the columns first:
//! the app looks for them before it takes the index it was built with, and answers as soon as the
//! columns are there. A page that has an index already gets the new one in its place. No `<` is in
//! it, so that nothing in the data can end the element: in JSON, `<` stands only within strings, and
//! there `\u003c` means the same.

use std::cell::Cell;

use cache_index::index::{Part, Parts};
use lol_html::element;
use lol_html::html_content::{ContentType, Element};

use super::{PageError, rewrite};

/// Selects the script of a part.
fn selector(part: Part) -> String {
    format!("#{}", part.id())
}

/// The page with the index in it.
pub(crate) fn embed(html: &str, index: &Parts) -> Result<String, PageError> {
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

/// The scripts of the parts that have a text, the most urgent first.
fn scripts(index: &Parts) -> String {
    let script = |part: Part| Some(script(part.id(), index.text(part)?));
    Part::ALL.into_iter().filter_map(script).collect()
}

fn script(id: &str, json: &str) -> String {
    let json = json.trim().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{json}</script>")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n</body>\n</html>\n";

    fn parts(columns: &str) -> Parts {
        Parts { columns: columns.to_owned(), hashes: None, details: None, dependencies: None }
    }

    #[test]
    fn the_index_is_the_last_thing_in_the_body() {
        assert_eq!(
            embed(PAGE, &parts("{\"format\": 1}\n")).expect("a page"),
            "<!doctype html>\n<html><head></head>\n<body>\n  <p>x</p>\n\
             <script type=\"application/json\" id=\"index\">{\"format\": 1}</script></body>\n</html>\n"
        );
    }

    #[test]
    fn each_part_is_a_script_of_its_own() {
        let all = Parts { hashes: Some("\"aa\"".to_owned()), ..parts("{}") };
        let page = embed(PAGE, &all).expect("a page");
        assert!(page.contains(
            "<script type=\"application/json\" id=\"index\">{}</script>\
             <script type=\"application/json\" id=\"index-hashes\">\"aa\"</script></body>"
        ));
        assert_eq!(embed(&page, &all).expect("a page"), page);
        // An index with fewer parts leaves none of the others behind.
        assert_eq!(embed(&page, &parts("{}")), embed(PAGE, &parts("{}")));
    }

    #[test]
    fn an_index_that_is_there_is_replaced_where_it_is() {
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
    fn nothing_in_the_data_ends_the_element() {
        let hostile = r#"{"a": "</script><script>alert(1)</script><!--"}"#;
        let page = embed(PAGE, &parts(hostile)).expect("a page");
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(
            page.contains(r#"{"a": "\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"}"#)
        );
    }

    #[test]
    fn a_page_that_cannot_take_an_index_says_why() {
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
    fn what_looks_like_an_index_in_a_comment_is_none() {
        let html = "<body><!-- <script id=\"index\"></script> </body> --></body>";
        let page = embed(html, &parts("{}")).expect("a page");
        assert!(
            page.ends_with("--><script type=\"application/json\" id=\"index\">{}</script></body>")
        );
    }
}
