//! An index into a page, and a site into one file.

use std::fs;

use cache_index::index::Index;

use crate::{Desk, HASH, SITE, page, seeds};

#[test]
fn embed_replaces_the_index_of_every_page() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("dist/explorer.html", SITE);
    desk.write("page.md", page("zlib", HASH, "</script><script>alert(1)</script>"));
    let done = "dist/index.html: has the index now\ndist/explorer.html: has the index now\n";
    desk.succeeds(&["embed", "page.md", "--into", "dist"], done);
    let html = desk.read("dist/index.html");
    assert_eq!(html, desk.read("dist/explorer.html"));
    assert_eq!(html.matches("<script").count(), 2);
    let (_, rest) = html.split_once("id=\"index\">").expect("an index");
    let (json, _) = rest.split_once("</script>").expect("an end");
    assert_eq!(Index::from_json(json).expect("an index").specs(), 1);

    desk.succeeds(&["index", "page.md"], &desk.run(&["index", "page.md"]).out);
    desk.succeeds(&["embed", "index.json", "--into", "dist"], done);
    assert_eq!(desk.read("dist/index.html"), html);
}

#[test]
fn embed_writes_nothing_if_anything_is_wrong() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("newer.json", "{\"format\": 4000000, \"about\": {}}");
    desk.write("broken.json", "{\"format\": 1, \"about\": {}");
    desk.write("page.md", page("zlib", "short", "rhel8"));
    let unchanged = |arguments: &[&str], words: &str| {
        let outcome = desk.run(arguments);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.err.contains(words), "{}", outcome.err);
        assert_eq!(desk.read("dist/index.html"), SITE);
    };
    unchanged(
        &["embed", "newer.json", "--into", "dist"],
        "newer.json: the index has format 4000000",
    );
    unchanged(&["embed", "broken.json", "--into", "dist"], "broken.json: the index is damaged");
    unchanged(&["embed", "page.md", "--into", "dist"], "1 problem; nothing was written");
    unchanged(&["embed", "newer.json", "page.md", "--into", "dist"], "found an index");
    unchanged(&["embed", &seeds(), "--into", "missing"], "missing/index.html: expected the page");
    desk.write("dist/explorer.html", "<p>no body</p>");
    unchanged(&["embed", &seeds(), "--into", "dist"], "dist/explorer.html: expected a page with");
}

#[test]
fn bundle_makes_one_file_of_a_site() {
    let desk = Desk::new();
    desk.write(
        "dist/index.html",
        "<head><link rel=\"preload\" id=\"glue\" href=\"./a.js\">\
         <link rel=\"preload\" id=\"wasm\" href=\"./a.wasm\"></head>\
         <body><script src=\"./l.js\"></script></body>",
    );
    desk.write("dist/a.js", "let wasm_bindgen;");
    desk.write("dist/a.wasm", "\0asm");
    desk.write("dist/l.js", "start()");
    desk.succeeds(&["bundle", "--from", "dist"], "dist/explorer.html: 145 bytes\n");
    assert_eq!(
        desk.read("dist/explorer.html"),
        "<head></head><body><script>let wasm_bindgen;</script>\n\
         <script type=\"application/wasm\" id=\"wasm\">AGFzbQ==</script>\n\
         <script>start()</script></body>"
    );
    fs::remove_file(desk.path("dist/a.wasm")).expect("a file");
    let words = "error: dist/index.html: \"./a.wasm\", which the page names, could not be read: \
                 No such file or directory (os error 2)\n";
    desk.fails(&["bundle", "--from", "dist", "-o", "one.html"], words);
    assert!(!desk.path("one.html").exists());
}

#[test]
fn the_page_is_told_where_the_mirrors_are() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.run(&["index", "page.md", "--mirror-url", "https://mirror.example.org/"]);
    let index = Index::from_json(&desk.read("index.json")).expect("an index");
    assert_eq!(index.about().mirror_url(), "https://mirror.example.org");
}
