//! What is in the binaries of builds, in a cache that was published with it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width, file_url};

const MIRROR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/binaries/v2-plain");

/// A mirror with other builds of the same packages, made with long padding.
const PADDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/binaries/v3-pad128");

/// A build with programs and a few other files.
const HELLO: &str = "nfcdvjw2xby23w5xk6ohlhhfsh54bxjy";

/// A build whose binary is not in the mirror.
const RUNTIME: &str = "wt6hcv6unbtiszwpkff47lvsq4onuebm";

/// Calls the command in a folder, which exits with this code.
#[track_caller]
fn call(folder: &Path, arguments: &[&str], code: i32) {
    let mut command = Command::new(Release::command());
    let output = command.args(arguments).current_dir(folder).output().expect("the command runs");
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Puts a mirror and what was found in its binaries into a copy of the release.
fn published() -> TempDir {
    published_with(str::to_owned)
}

/// Does the same, but leaves out what was found in the binary of one build.
fn published_without(hash: &str) -> TempDir {
    published_with(|known| {
        let of_others = |line: &&str| !line.contains(&format!("\"hash\":\"{hash}\""));
        known.lines().filter(of_others).collect::<Vec<_>>().join("\n")
    })
}

/// Does the same with other facts, which `change` makes from those that were found.
fn published_with(change: impl Fn(&str) -> String) -> TempDir {
    published_in(Release::copy(), change)
}

fn published_in(folder: TempDir, change: impl Fn(&str) -> String) -> TempDir {
    let facts = TempDir::new().expect("a folder");
    // One build in the mirror has no binary.
    call(facts.path(), &["inspect", MIRROR, "-o", "facts.json"], 1);
    let file = facts.path().join("facts.json");
    let known = fs::read_to_string(&file).expect("facts");
    fs::write(&file, change(&known)).expect("a file can be written");
    let into = folder.path().to_str().expect("UTF-8");
    call(facts.path(), &["embed", MIRROR, "--facts", "facts.json", "--into", into], 0);
    folder
}

#[test]
fn shows_the_files_of_a_build_and_finds_one() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    for width in [Width::Wide, Width::Narrow] {
        let page = Page::of(&site, width);
        page.open(&format!("?hash={HELLO}"));
        page.see_element(&[("heading", "Contents")]);
        page.see("3 programs: hello, hello-script, hello-sh");
        page.see("Needs 2 libraries of other packages or the system: libc.so.6, libzed.so.1");
        page.see("hello needs libzed.so.1, libc.so.6");
        page.see("Its programs and libraries need glibc 2.34 or newer.");
        page.see("10.3 kB to download");
        page.see("hello.conf");
        page.fits();
        // A folder is closed and opened again.
        page.press("share/");
        page.see_no("notes.gz");
        page.press("share/");
        page.see("notes.gz");
        page.type_into("Filter files", "CONF");
        page.see("etc/hello.conf");
        page.see_no("notes.gz");
    }
}

#[test]
fn fetches_the_files_of_a_build_when_its_page_is_opened() {
    let folder = published();
    let names = || {
        let files = fs::read_dir(folder.path()).expect("a folder").flatten();
        files.map(|file| file.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let all = names();
    let of = |start: &str| all.iter().filter(|name| name.starts_with(start)).count();
    assert_eq!((of("index-facts"), of("index-contents"), of("index-files")), (1, 2, 2));
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see("lab-hello");
    let has_fetched = |start: &str| site.requests().iter().any(|name| name.contains(start));
    assert!(!has_fetched("index-contents") && !has_fetched("index-facts"));
    page.open(&format!("?hash={HELLO}"));
    page.see("hello-script");
    page.see("10.3 kB to download");
    assert!(has_fetched("index-contents") && has_fetched("index-facts"));
    assert!(!has_fetched("index-files"));
}

#[test]
fn says_nothing_of_a_binary_that_is_not_there() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open(&format!("?hash={RUNTIME}"));
    page.see("This cache has no binary of this spec.");
    page.see_no("What is in the binary");
    // A page without facts does not mention them.
    let release = Site::release();
    let page = Page::of(&release, Width::Wide);
    page.open("?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy");
    page.see("Get this build");
    page.see_no("Contents");
}

#[test]
fn has_the_files_in_the_single_file_too() {
    let folder = published_in(Release::copy_with_single_file(), str::to_owned);
    let file = folder.path().join("explorer.html");
    let page = Page::at(&file_url(&file), Width::Wide, Theme::Dark);
    page.open(&format!("?hash={HELLO}"));
    page.see("3 programs: hello, hello-script, hello-sh");
}

#[test]
fn finds_the_builds_that_have_a_file() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    for width in [Width::Wide, Width::Narrow] {
        let page = Page::of(&site, width);
        page.open("");
        page.type_into("Search packages and specs", "file:hello-script");
        page.see_builds(1);
        page.see_query("?file=hello-script");
        page.see_no("Unexpected character");
        page.see_no("is not known: it may have");
        page.fits();
        page.open("?os=debian122");
        page.see("No build here has the OS debian122. Did you mean debian12?");
        // If an address names more than one file, a build must have all of them.
        page.open("?file=hello-script&file=hello.conf");
        page.see_builds(1);
        page.open("?file=hello-script&file=libz.so*");
        page.see("No build matches");
        page.fits();
        page.is_accessible();
        page.press("Remove file libz.so*");
        page.see_query("?file=hello-script");
        page.see_builds(1);
        page.back();
        page.see_query("?file=hello-script&file=libz.so*");
    }
}

#[test]
fn offers_to_search_for_a_file_where_no_package_has_the_name() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("?q=hello-script");
    page.press("Search for file:hello-script");
    page.see_query("?file=hello-script");
    page.see_builds(1);
    page.see_no("Unexpected character");
    page.back();
    page.see_query("?q=hello-script");
}

#[test]
fn fetches_only_the_lists_about_a_file_and_tries_again() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    // The rest of the app answers this search.
    page.open("?q=lab-hello");
    page.see_packages(1);
    let fetched = || site.requests().iter().filter(|name| name.contains("index-files")).count();
    assert_eq!(fetched(), 0);
    page.expect_errors();
    site.go_down();
    page.type_into("Search packages and specs", "file:hello-script");
    page.see("This search could not be finished");
    page.see_no("Loading…");
    site.come_back();
    page.press("Try again");
    page.see_builds(1);
}

#[test]
fn says_of_how_many_builds_the_files_are_not_known() {
    let folder = published_without(HELLO);
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("?file=hello-script");
    page.see(
        "What is in the binaries of 1 build of this cache is not known: it may have the file too.",
    );
    page.see("No build matches");
    // On the page of a build, the note about other builds is not shown.
    page.open(&format!("?file=hello-script&hash={HELLO}"));
    page.see("What is in the binary of this build is not known");
    page.see_no("it may have the file too");
}

#[test]
fn reads_files_beside_a_spec_wherever_they_are_typed() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    for text in [
        "file:hello-script lab-hello",
        "lab-hello file:hello-script",
        "lab-hello file:hello\u{200b}-script",
    ] {
        page.open("");
        page.type_into("Search packages and specs", text);
        page.see_builds(1);
        page.see_query("?q=lab-hello&file=hello-script");
        page.see_no("Unexpected character");
    }
    page.type_into("Search packages and specs", "lab-zed file:hello-script");
    page.see("No build matches");
}

/// Returns the name of the longest list of files in a published folder.
fn longest_list_in(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let lists = files.filter(|file| file.file_name().to_string_lossy().starts_with("index-files-"));
    let longest = lists.max_by_key(|file| file.metadata().map_or(0, |about| about.len()));
    longest.expect("lists of files").file_name().to_string_lossy().into_owned()
}

#[test]
fn asks_before_it_fetches_long_lists() {
    // A build has so many files that the list of their names is too long to be fetched without asking.
    let folder = published_with(|known| {
        let files = (0u64..200_000).map(|at| {
            let name = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            format!("{{\"path\":\"share/{name:016x}{name:016x}{name:016x}\",\"type\":\"file\",\"size\":1,\"mode\":\"644\"}}")
        });
        let files = format!("\"files\":[{},", files.collect::<Vec<_>>().join(","));
        let mut lines: Vec<String> = known.lines().map(str::to_owned).collect();
        let hello = lines.iter_mut().find(|line| line.contains(HELLO)).expect("a build");
        *hello = hello.replacen("\"files\":[", &files, 1);
        lines.join("\n")
    });
    let site = Site::pausing_in(folder.path(), &longest_list_in(folder.path()));
    let page = Page::of(&site, Width::Narrow);
    page.open("?file=*.gz");
    page.see("To find out which builds have such files,");
    page.fits();
    page.is_accessible();
    page.screenshot("asks-for-long-lists");
    page.press("Look through all of them");
    page.see("Looking through the lists of files:");
    page.screenshot("looks-through-long-lists");
    site.go_on();
    page.see_builds(1);
}

#[test]
fn says_that_a_cache_has_no_lists_of_files() {
    let release = Site::release();
    let page = Page::of(&release, Width::Wide);
    page.open("?file=h5dump");
    page.see(
        "This cache was published without lists of the files in its binaries, so nothing is found.",
    );
    page.press("Clear all filters");
    page.see_query("");
    page.see_no("This cache was published without lists");
}

/// Writes the lock file of an environment whose only root is the build with programs.
fn lock_of_hello(folder: &Path) -> std::path::PathBuf {
    let name = format!("linux-debian12-x86_64_v2-gcc-12.2.0-lab-hello-1.0-{HELLO}.spec.json");
    let spec =
        fs::read_to_string(Path::new(MIRROR).join("build_cache").join(name)).expect("a spec");
    let spec: Value = serde_json::from_str(&spec).expect("JSON");
    let nodes = spec["spec"]["nodes"].as_array().expect("nodes").iter();
    let nodes = nodes.map(|node| (node["hash"].as_str().expect("a hash").to_owned(), node.clone()));
    let lock = json!({
        "_meta": {"file-type": "spack-lockfile", "lockfile-version": 5, "specfile-version": 4},
        "roots": [{"hash": HELLO, "spec": "lab-hello"}],
        "concrete_specs": nodes.collect::<Map<_, _>>(),
    });
    let file = folder.join("spack.lock");
    fs::write(&file, lock.to_string()).expect("a file can be written");
    file
}

#[test]
fn says_how_much_space_an_environment_takes() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let own = TempDir::new().expect("a folder");
    let page = Page::of(&site, Width::Wide);
    page.open("?environment=");
    page.press("Open a file…");
    page.choose_files("Choose a file", &[lock_of_hello(own.path())]);
    page.see("Of what is needed to run, what is in the cache takes 75.0 kB installed");
}

/// Puts both mirrors and what was found in their binaries into a copy of the release.
fn both_published() -> TempDir {
    let folder = Release::copy();
    let facts = TempDir::new().expect("a folder");
    call(facts.path(), &["inspect", MIRROR, PADDED, "-o", "facts.json"], 1);
    let into = folder.path().to_str().expect("UTF-8");
    call(facts.path(), &["embed", MIRROR, PADDED, "--facts", "facts.json", "--into", into], 0);
    folder
}

/// The part of an address that states a machine like that of the builds.
const ON_MACHINE: &str = "host=linux.debian12.zen3.glibc%402.36";

#[test]
fn says_which_builds_cannot_be_moved_into_an_install_tree() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    for width in [Width::Wide, Width::Narrow] {
        let page = Page::of(&site, width);
        page.open("");
        page.press("My machine: any");
        page.type_into("Your machine in words, or the output of commands", "Debian 12, zen3");
        page.type_into("Install tree", "spack");
        page.see("Expected an absolute path, such as /opt/spack");
        page.type_into(
            "Install tree",
            "/opt/a/tree/that/is/far/longer/than/where/builds/were/made",
        );
        page.press("Show what runs");
        page.see_query(
            "?host=linux.debian12.zen3&tree=/opt/a/tree/that/is/far/longer/than/where/builds/were/made&runs=yes",
        );
        page.open(&format!("?{ON_MACHINE}&tree=/opt/a/tree/that/is/far/longer/than/where/builds/were/made&hash={HELLO}"));
        page.see("cannot be moved");
        page.see("its paths have room for an install tree whose root has at most 44 characters; yours has 58");
        page.see("Spack cannot move it into your install tree: its paths have room");
        page.fits();
        // A shorter one can be moved.
        page.open(&format!("?{ON_MACHINE}&tree=/opt/spack&hash={HELLO}"));
        page.see("Would Spack reuse it on your machine?");
        page.see_no("cannot be moved");
    }
}

#[test]
fn says_that_an_install_tree_is_not_considered_if_nothing_can_be_read() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.press("My machine: any");
    page.see_element(&[("textbox", "Install tree")]);
    page.expect_errors();
    site.go_down();
    page.type_into("Your machine in words, or the output of commands", "Debian 12, zen3");
    page.type_into("Install tree", "/opt/spack");
    page.press("Show what runs");
    page.see_query("?host=linux.debian12.zen3&tree=/opt/spack&runs=yes");
    page.see_no("Loading…");
    page.press("My machine: debian12 · zen3");
    page.see("Labels alone decide now, and the install tree is not considered, because");
    page.see_no("was not looked into");
}

#[test]
fn takes_the_install_tree_from_pasted_settings() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open(&format!("?{ON_MACHINE}"));
    page.press("My machine: debian12 · zen3");
    page.press("Settings about reuse");
    let settings = "config:\n  install_tree: {root: /opt/spack, padded_length: 128}";
    page.type_into("Settings to read", settings);
    page.see("Padded to 128 characters, as your settings say.");
    page.press("Show what runs");
    page.see_query("?host=linux.debian12.zen3&tree=/opt/spack&tree.padded=128&runs=yes");
    // Without facts, the page does not ask for an install tree, and does not show one from a link as if it were considered.
    let release = Site::release();
    let page = Page::of(&release, Width::Wide);
    page.open("");
    page.press("My machine: any");
    page.see("GPU");
    page.see_no("Install tree");
    page.open("?host=linux.ubuntu22.04.zen3&tree=/opt/spack");
    page.see("ubuntu22.04 · zen3");
    page.see_no("/opt/spack");
}

#[test]
fn decides_what_runs_by_what_binaries_need() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    // Scripts get an error that says what to wait for.
    let asked = "await spackCache.ready; \
                 try { return spackCache.query('host=linux.rhel8.zen3.glibc@2.31&runs=no&package=lab-hello').builds } \
                 catch (error) { return error.message }";
    let message = "what is in binaries decides what runs on a machine, and is loaded when the page shows one: \
                   open an address with a host first";
    assert_eq!(page.ask(asked), message);
    page.press("My machine: any");
    page.type_into("Your machine in words, or the output of commands", "Ubuntu 20.04, zen3");
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu20.04.zen3.glibc@2.31&runs=yes");
    page.open(&format!("?host=linux.ubuntu20.04.zen3.glibc%402.31&hash={HELLO}"));
    page.see("needs GLIBC_2.34; its label says 2.36; yours is 2.31: does not run");
    assert_eq!(page.ask(asked), 1);
    // The build runs with an older glibc than its label names, but Spack goes by the label.
    page.open(&format!("?host=linux.ubuntu22.04.zen3.glibc%402.35&hash={HELLO}"));
    page.see("not reused");
    page.press("All rules");
    page.see("needs GLIBC_2.34; its label says 2.36; yours is 2.35");
    page.open("?host=linux.ubuntu22.04.zen3.glibc%402.35&package=lab-hello&runs=no");
    page.see_builds(1);
}

#[test]
fn shows_sizes_as_columns_and_sorts_by_them() {
    let folder = both_published();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("?package=lab-hello");
    page.see_builds(2);
    page.press("Columns");
    page.click(&[("checkbox", "Download")]);
    page.click(&[("checkbox", "Unpacked in all")]);
    page.see("10.3 kB");
    // Without a machine, nothing else reads what a build needs.
    page.see("over 75.0 kB");
    page.click(&[("columnheader", "Download"), ("button", "Download")]);
    page.see_query("?package=lab-hello&sort=-size&columns=hash,version,compiler,os,target,stack,variant,size,unpacked.all");
    page.click(&[("columnheader", "Download"), ("button", "Download")]);
    page.see_query("?package=lab-hello&sort=size&columns=hash,version,compiler,os,target,stack,variant,size,unpacked.all");
    page.is_accessible();
    // On a phone, where the columns have no headings, each cell says what it is.
    let page = Page::of(&site, Width::Narrow);
    page.open("?package=lab-hello&columns=hash,size,unpacked.all&sort=size");
    page.see("over 75.0 kB");
    // Firefox returns the value as it is in the styles.
    let units = "const shown = (cell) => getComputedStyle(cell, '::after').content; \
                 return [...document.querySelectorAll('.builds .number[data-unit]')].slice(0, 2) \
                 .map((cell) => shown(cell).replace('attr(data-unit)', `\"${cell.dataset.unit}\"`))";
    assert_eq!(page.ask(units), json!(["\" to download\"", "\" unpacked in all\""]));
}

#[test]
fn compares_the_files_of_builds() {
    let folder = published();
    let site = Site::publish(folder.path(), "/");
    for width in [Width::Wide, Width::Narrow] {
        let page = Page::of(&site, width);
        page.open(&format!("?compare={HELLO}&compare=dpxuhqon5tdn6av6oh35bmdiqnr3qwru"));
        page.see_element(&[("heading", "Files")]);
        page.see("only in lab-hello@1.0");
        page.see("bin/hello-script");
        page.fits();
        page.is_accessible();
        page.open(&format!("?compare={HELLO}&compare={RUNTIME}"));
        page.see("What is in the binary of gcc-runtime");
    }
}
