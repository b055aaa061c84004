//! Reading files in the page: progress, giving up, and several at the same time.

use std::fs;

use serde_json::json;

use crate::harness::Key;
use crate::opening::on_the_release;

/// Drops a database large enough that reading it takes a while.
const DROP_MUCH: &str = "
    const record = `\"${'a'.repeat(32)}\": {\"spec\": {\"name\": \"zlib\", \"version\": \"1.3\", \"hash\": \"${'a'.repeat(32)}\"}},`;
    const piece = record.repeat(8000);
    const pieces = ['{\"database\": {\"version\": \"8\", \"installs\": {', ...Array(200).fill(piece), '}}}'];
    const chosen = new DataTransfer();
    chosen.items.add(new File(pieces, 'index.json'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: chosen }))";

#[test]
fn shows_progress_and_can_be_cancelled() {
    on_the_release(|page, _| {
        page.open("?os=sequoia");
        page.see_builds(93);
        page.ask(DROP_MUCH);
        page.see("Reading index.json: ");
        page.press("Cancel");
        page.see_element(&[("dialog", "Open a cache"), ("button", "Choose files…")]);
        page.see_no_element(&[("heading", "Your caches")]);
        page.type_keys(Key::Escape);
        page.see_builds(93);
        page.see_query("?os=sequoia");
    });
}

#[test]
fn refuses_in_advance_what_is_too_large() {
    on_the_release(|page, _| {
        page.open("");
        page.ask(&DROP_MUCH.replace("'index.json'", "'index.json.zst'"));
        page.see("Too much for a page");
        page.see("cache-explorer open index.json.zst");
    });
}

#[test]
fn quotes_the_name_in_the_command_that_reads_what_is_too_large() {
    on_the_release(|page, _| {
        page.open("");
        page.ask(&DROP_MUCH.replace("'index.json'", "'our $(mirror).json.zst'"));
        page.see("Too much for a page");
        page.see("cache-explorer open 'our $(mirror).json.zst'");
    });
}

/// Counts the workers that read, from now on.
const COUNT_READERS: &str = "
    const { postMessage, terminate } = Worker.prototype;
    window.readers = 0;
    Worker.prototype.postMessage = function (...sent) {
      window.readers++;
      return postMessage.apply(this, sent);
    };
    Worker.prototype.terminate = function () {
      window.readers--;
      return terminate.call(this);
    }";

#[test]
fn ends_each_reading_and_no_other() {
    on_the_release(|page, folder| {
        page.open("");
        page.see_builds(390);
        page.ask(COUNT_READERS);
        // The form for the machine reads settings, several at the same time.
        let given = "const own = await spackCache.own(); \
                     const read = () => own.settings({ given: 'concretizer: {reuse: {exclude: [~python]}}' });";
        let two = "const both = await Promise.all([read(), read()]); \
                   return [...both.map(({ settings }) => settings), window.readers]";
        let settings = "reuse.exclude=~python";
        assert_eq!(page.ask(&format!("{given}{two}")), json!([settings, settings, 0]));
        // They are not part of what the dialog reads.
        let closed = "await own.open([], ''); \
                      const answer = read(); \
                      document.querySelector('dialog#open').close(); \
                      return [(await answer).settings, window.readers]";
        assert_eq!(page.ask(&format!("{given}{closed}")), json!([settings, 0]));
        // A second file takes the place of the first.
        let path = folder.path().join("readme.md");
        fs::write(&path, "# Read me\n").expect("a file");
        page.ask(DROP_MUCH);
        page.see("Reading index.json: ");
        page.drop(&[path]);
        page.see("readme.md cannot be opened as it is");
        assert_eq!(page.ask("return window.readers"), 0);
    });
}
