//! Putting an index into a page.
//!
//! Each part is in a `<script type="application/json">`, the columns first: the app looks for them before it uses the index
//! that it was built with, and answers as soon as the columns have arrived. In a page that already has an index, the new one
//! replaces it. The text contains no `<`, so that nothing in the data can end the element.
//!
//! The head [states](super::statement) which parts follow.
//!
//! The first answer only needs the columns. So the other parts of a large index are files next to the page, which the page
//! fetches after the first answer: the browser does not have to parse megabytes of HTML first. What was found in binaries is
//! always in files next to the page, because it is only fetched when a user asks for it. The single file, and pages that are
//! published with `--inline`, contain all parts.

use std::borrow::Cow;
use std::cell::Cell;

use cache_index::index::{Part, Parts, Statement, in_script};
use lol_html::element;
use lol_html::html_content::{ContentType, Element};

use super::placed::{PlacedPart, describe, file_name, script};
use super::shards::PlacedShards;
use super::statement::{stated, with_statement};
use super::{PageError, rewrite, shards};

/// Returns the selector of the script of a part.
fn selector(part: Part) -> String {
    format!("#{}", part.id())
}

/// A part becomes a separate file if its text is longer than this many bytes: then a request costs less than parsing it.
const INLINE: usize = 64 << 10;

/// A part that is a file next to the page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PartFile {
    /// Its name, which changes with its text.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Returns the page with the complete index in it.
pub(crate) fn embed(html: &str, index: &Parts) -> Result<String, PageError> {
    let parts = placed(index, false);
    with_statement(&with_index(html, &parts)?, &statement(index, &parts))
}

/// Returns the page with the columns and all small parts in it, and the files of the others.
pub(crate) fn embed_beside(
    html: &str,
    index: &Parts,
) -> Result<(String, Vec<PartFile>), PageError> {
    let placed = placed(index, true);
    let page = with_statement(&with_index(html, &placed)?, &statement(index, &placed))?;
    let files = placed
        .into_iter()
        .filter_map(|part| part.file.map(|name| PartFile { name, text: part.text.into_owned() }));
    Ok((page, files.collect()))
}

/// Returns the page with all parts of its index in it. `read` returns the text of a file that the page names.
pub(crate) fn inlined(
    html: &str,
    read: &dyn Fn(&str) -> Result<String, PageError>,
) -> Result<String, PageError> {
    let mut scripts = String::new();
    let mut stated = stated(html)?;
    for part in Part::ALL {
        if let Some(beside) = stated.part(part)
            && let Some(name) = &beside.file
        {
            let mut text = in_script(read(name)?.trim());
            let summary = beside.summary();
            if shards::is_list(part) {
                let of_shards;
                (text, of_shards) = shards::inlined(part, &text, read)?;
                scripts += &of_shards;
            }
            stated.set(part, describe(&text, None, summary));
            scripts += &script(part.id(), &text);
        }
    }
    if scripts.is_empty() {
        return Ok(html.to_owned());
    }
    let after_columns = element!(selector(Part::Columns), |element| {
        element.after(&scripts, ContentType::Html);
        Ok(())
    });
    with_statement(&rewrite(html, vec![after_columns])?, &stated)
}

fn statement(index: &Parts, parts: &[PlacedPart<'_>]) -> Statement {
    let mut statement = Statement::default();
    for placed in parts {
        let Some(part) = placed.part else { continue };
        let summary = index.summary.clone().filter(|_| part == Part::Changes);
        statement.set(part, describe(&placed.text, placed.file.clone(), summary));
    }
    statement
}

fn with_index(html: &str, parts: &[PlacedPart<'_>]) -> Result<String, PageError> {
    let scripts: String = parts
        .iter()
        .filter(|part| part.file.is_none())
        .map(|placed| script(&placed.id, &placed.text))
        .collect();
    let of_shards = Part::ON_DEMAND.map(|part| format!("script[id^=\"{}-\"]", part.id()));
    let any_part = [&Part::ALL.map(selector)[..], &of_shards].concat().join(", ");
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

/// Returns the parts that have a text, the most urgent first, and the shards that they list. If `may_be_beside`, the parts
/// that the first answer does not need become files next to the page, unless they are small and needed at each visit.
fn placed(index: &Parts, may_be_beside: bool) -> Vec<PlacedPart<'_>> {
    let mut all = Vec::new();
    for part in Part::ALL {
        let of_shards = index.facts.as_deref();
        let of_shards = of_shards.and_then(|facts| shards::placed(facts, part, may_be_beside));
        let json = match of_shards {
            Some(PlacedShards { shards, list }) => {
                all.extend(shards);
                Cow::Owned(list)
            }
            None => match index.text(part) {
                Some(text) => Cow::Borrowed(text.trim()),
                None => continue,
            },
        };
        let is_long = part != Part::Columns && json.len() > INLINE;
        let is_beside = may_be_beside && (is_long || Part::ON_DEMAND.contains(&part));
        let file = is_beside.then(|| file_name(part, &json));
        let text = if is_beside { json } else { Cow::Owned(in_script(&json)) };
        all.push(PlacedPart { id: part.id().to_owned(), part: Some(part), text, file });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_html::is_part_file;
    use cache_ingest::digest::integrity;

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
        let of = |text: &str| integrity(text.as_bytes());
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

    #[test]
    fn puts_large_parts_beside_the_page() {
        let html = "<head><meta charset=\"utf-8\"></head><body></body>";
        let hashes = format!("\"{}<\"", "a".repeat(INLINE));
        let details = Some("[]".to_owned());
        let index = Parts { hashes: Some(hashes.clone()), details, ..parts("{}") };
        let (page, files) = embed_beside(html, &index).expect("a page");
        let [file] = &files[..] else { panic!("expected one file, found {files:?}") };
        assert_eq!(file.text, hashes);
        assert!(is_part_file(&file.name), "{}", file.name);
        assert!(!is_part_file("index.html") && !is_part_file("index-hashes-0.json"));
        assert!(page.contains(&format!("\"file\":\"{}\"", file.name)), "{page}");
        assert!(page.contains("id=\"index-details\">[]</script>"), "{page}");
        assert!(!page.contains("id=\"index-hashes\">"), "{page}");
        let named = crate::page_html::statement::part_files(&page);
        assert_eq!(named, Ok(vec![(Part::Hashes, file.name.clone())]));
        // A different text has a different name.
        let other = Parts { hashes: Some(hashes.replace('<', "b")), ..parts("{}") };
        assert_ne!(embed_beside(html, &other).expect("a page").1[0].name, file.name);
        // With the file put into it, the page is the same as the one that contains everything, except for the order.
        let whole = inlined(&page, &|name| {
            assert_eq!(name, file.name);
            Ok(file.text.clone())
        });
        let sorted = |page: &str| {
            let page = page.replace("</body>", "");
            let mut scripts: Vec<_> = page.split("<script").map(str::to_owned).collect();
            scripts.sort();
            scripts
        };
        let expected = super::embed(html, &index).expect("a page");
        assert_eq!(sorted(&whole.expect("a page")), sorted(&expected));
        assert_eq!(embed_beside(&page, &index), Ok((page, files)));
    }

    fn parts(columns: &str) -> Parts {
        Parts { columns: columns.to_owned(), ..Parts::default() }
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
