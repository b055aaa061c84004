//! What is in the binaries of a mirror that a user opens in the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width, file_url};
use crate::opening::{on_the_release, sample, see_opened};

const MIRROR: &str = "tests/data/binaries/v2-plain";

/// A build with programs and a few other files.
const HELLO: &str = "nfcdvjw2xby23w5xk6ohlhhfsh54bxjy";

/// A build that needs lab-zed, and gcc-runtime, whose binary the mirror does not have.
const NEEDS_A_DAMAGED_ONE: &str = "euaf4y6alpttelhejxkqesrokjtsolwn";

/// Collects what the page says of its progress.
const RECORD: &str = "
    window.said = [];
    const dialogs = new MutationObserver(() => {
      for (const status of document.querySelectorAll('#open [role=status]')) window.said.push(status.textContent);
    });
    dialogs.observe(document.body, { childList: true, subtree: true, characterData: true })";

/// Keeps workers from starting to look into binaries.
const HOLD: &str = "
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (!message.looksInside) postMessage.call(this, message, ...rest);
    }";

#[track_caller]
fn drop_mirror(page: &Page<'_>, mirror: &Path) {
    page.drop(&[mirror.to_owned()]);
    page.see_element(&[("dialog", "v2-plain: 8 builds"), ("button", "Open")]);
}

/// Opens the page of a build by its hash, in the cache that is shown.
#[track_caller]
fn open_build(page: &Page<'_>, hash: &str) {
    let address = page.ask("return location.search");
    let address = address.as_str().expect("an address").to_owned();
    page.open(&format!("{address}&hash={hash}"));
}

#[test]
fn looks_into_the_binaries_of_a_mirror() {
    for width in [Width::Wide, Width::Narrow] {
        let site = Site::release();
        let page = Page::of(&site, width);
        page.open("");
        page.ask(RECORD);
        drop_mirror(&page, &sample(MIRROR));
        page.is_accessible();
        page.press("Look inside 8 binaries, 80 kB");
        see_opened(&page, "v2-plain");
        open_build(&page, HELLO);
        page.see("3 programs: hello, hello-script, hello-sh");
        page.see("10.3 kB to download");
        page.fits();
        page.back();
        page.type_into("Search packages and specs", "file:hello-script");
        page.see_builds(1);
    }
}

#[test]
fn says_how_far_it_is() {
    on_the_release(|page, _| {
        page.open("");
        page.ask(&format!("{RECORD}; window.onbeforeunload = () => sessionStorage.setItem('said', window.said.join('\\n'))"));
        drop_mirror(page, &sample(MIRROR));
        page.press("Look inside 8 binaries, 80 kB");
        see_opened(page, "v2-plain");
        let said = page.ask("return sessionStorage.getItem('said')");
        let said = said.as_str().expect("what the page said");
        assert!(said.contains("8 of 8 binaries, 80 kB of 80 kB"), "{said}");
    });
}

#[test]
fn opens_without_looking_and_keeps_what_was_found() {
    on_the_release(|page, _| {
        page.open("");
        drop_mirror(page, &sample(MIRROR));
        page.press("Open");
        see_opened(page, "v2-plain");
        open_build(page, HELLO);
        page.see("Get this build");
        page.see_no("Contents");
        page.back();
        page.type_into("Search packages and specs", "file:hello-script");
        page.see("This cache was opened without lists of the files in its binaries");
        page.press("Open its mirror again, and look inside");
        page.see_element(&[("dialog", "")]);
        page.open("");
        drop_mirror(page, &sample(MIRROR));
        page.press("Look inside 8 binaries, 80 kB");
        see_opened(page, "v2-plain");
        // What is known of a cache is not lost when the same cache is opened again.
        page.open("");
        drop_mirror(page, &sample(MIRROR));
        page.press("Open");
        see_opened(page, "v2-plain");
        open_build(page, HELLO);
        page.see("3 programs: hello, hello-script, hello-sh");
    });
}

#[test]
fn can_be_cancelled() {
    on_the_release(|page, _| {
        page.open("");
        page.ask(HOLD);
        drop_mirror(page, &sample(MIRROR));
        page.press("Look inside 8 binaries, 80 kB");
        page.see_element(&[("dialog", "Looking inside")]);
        page.press("Cancel");
        page.see_element(&[("dialog", "v2-plain: 8 builds"), ("button", "Open")]);
        page.press("Open");
        see_opened(page, "v2-plain");
    });
}

#[test]
fn notes_what_is_damaged() {
    on_the_release(|page, folder| {
        let mirror = damaged(folder);
        page.open("");
        drop_mirror(page, &mirror);
        page.press("Look inside 8 binaries, ");
        see_opened(page, "v2-plain");
        page.see("2 builds are damaged:");
        page.see_element(&[
            ("navigation", "Caches"),
            ("link", &format!("lab-hello/{}", &HELLO[..7])),
        ]);
        page.press("Notes");
        page.see("the sha256 differs from the stated one");
        page.see("the spec of this build is damaged: ");
        let opened = page.query();
        open_build(page, HELLO);
        page.see("What is in the binary of this build is not known");
        page.see("Its spec or its binary is damaged here");
        page.open(&format!("{opened}&package=lab-hello&tab=install"));
        page.see("Its spec or its binary is damaged here");
        page.open(&format!("{opened}&hash={NEEDS_A_DAMAGED_ONE}"));
        page.see(
            "Incomplete: this mirror lacks 1 of the 3 specs it needs to run: gcc-runtime@12.2.0.",
        );
        page.see("Damaged here: lab-zed@1.0.");
    });
}

#[test]
fn looks_inside_from_disk() {
    let file = file_url(&Release::single_file());
    let page = Page::at(&file, Width::Wide, Theme::Dark);
    page.open("");
    page.see_builds(390);
    drop_mirror(&page, &sample(MIRROR));
    page.press("Look inside 8 binaries, 80 kB");
    see_opened(&page, "v2-plain");
    open_build(&page, HELLO);
    page.see("3 programs: hello, hello-script, hello-sh");
}

#[test]
fn keeps_what_an_opened_index_has_about_binaries() {
    on_the_release(|page, folder| {
        let mirror = sample(MIRROR).display().to_string();
        let call = |arguments: &[&str]| {
            let mut command = Command::new(Release::command());
            command
                .args(arguments)
                .arg(&mirror)
                .current_dir(folder.path())
                .output()
                .expect("it runs")
        };
        call(&["inspect", "-o", "facts.json"]);
        call(&["index", "--facts", "facts.json", "-o", "index.json"]);
        page.open("");
        page.drop(&[folder.path().join("index.json")]);
        see_opened(page, "index.json");
        open_build(page, HELLO);
        page.see("3 programs: hello, hello-script, hello-sh");
    });
}

/// Copies the mirror, and cuts off the binary of a build and the spec of another one.
fn damaged(folder: &TempDir) -> PathBuf {
    let copy = folder.path().join("v2-plain");
    let status = Command::new("cp").arg("-r").arg(sample(MIRROR)).arg(&copy).status();
    assert!(status.expect("cp runs").success());
    let builds = copy.join("build_cache/linux-debian12-x86_64_v2/gcc-12.2.0/lab-hello-1.0");
    let binary = fs::read_dir(builds).expect("a folder").next().expect("a file").expect("a file");
    let specs = fs::read_dir(copy.join("build_cache")).expect("a folder");
    let specs = specs.map(|file| file.expect("a file").path());
    let is_of_zed = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.contains("lab-zed") && name.ends_with(".spec.json")
    };
    let spec = specs.into_iter().find(is_of_zed).expect("the spec of lab-zed");
    for file in [binary.path(), spec] {
        let bytes = fs::read(&file).expect("a file");
        fs::write(&file, &bytes[..bytes.len() / 2]).expect("a file");
    }
    copy
}
