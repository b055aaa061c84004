//! What a page says about the publication before, on a small real cache that was published three times.

use std::fs;
use std::process::Command;

use cache_advice::changes::{Changes, publish};
use cache_index::build::{Build, Place};
use cache_index::index::{About, Index, pack};
use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Width};

/// A site with the third publication, and what it says.
struct Published {
    folder: TempDir,
    site: Site,
    changes: Changes,
}

/// Publishes 30 builds, then 10 more, then 3 more without the first 3.
fn published(options: &[&str]) -> Published {
    published_last(options, |all| all[3..].to_vec())
}

/// Publishes 30 builds, then 10 more, then those that `choose` returns, given all 43.
fn published_last(options: &[&str], choose: impl Fn(&[Build]) -> Vec<Build>) -> Published {
    let folder = Release::copy();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(Release::command());
        let done = command.args(arguments).current_dir(folder.path()).output();
        let done = done.expect("the command runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/environment/dev-path/index.json");
    run(&["index", data, "-o", "all.json"]);
    let json = fs::read_to_string(folder.path().join("all.json")).expect("the index can be read");
    let index = Index::from_json(&json).expect("an index");
    let all: Vec<Build> =
        index.builds_with_binary().filter_map(|build| index.build(build)).collect();
    assert_eq!(all.len(), 43);
    let made = |builds: &[Build], day: &str| {
        let about = About { made: Some(format!("{day}T09:50:00Z")), ..About::default() };
        pack(about, builds.iter().cloned()).expect("different hashes")
    };
    let first = made(&all[..30], "2025-11-01");
    let mut second = made(&all[..40], "2025-11-18");
    publish(&mut second, &first);
    let third = made(&choose(&all), "2025-11-20");
    let changes = {
        let mut third = third.clone();
        publish(&mut third, &second)
    };
    for (name, index) in [("second.json", &second), ("third.json", &third)] {
        fs::write(folder.path().join(name), index.to_json()).expect("the index can be written");
    }
    let embed = ["embed", "third.json", "--into", ".", "--since", "second.json"];
    run(&[&embed[..], options].concat());
    let site = Site::publish(folder.path(), "/");
    Published { folder, site, changes }
}

#[test]
fn leads_from_the_front_page_to_what_changed() {
    let Published { folder: _kept, site, changes } = published(&[]);
    Page::at_widths(&site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.see("3 new builds since the publication");
        page.fits();
        page.screenshot("published-front");
        page.follow("3 new builds");
        page.see_query("?changes=published");
        page.see(&changes.headline());
        page.see("3 builds came, 3 went, 37 stayed");
        let first = &changes.packages[0].package;
        page.press(&format!("Builds of {first}"));
        page.fits();
        page.screenshot("published-changes");
        page.is_accessible();
        page.back();
        page.see_builds(40);
    });
}

#[test]
fn narrows_what_changed_and_leaves_out_links_to_builds_that_went() {
    let Published { folder: _kept, site, changes } = published(&[]);
    let page = Page::of(&site, Width::Wide);
    let gone = changes.packages.iter().find(|package| package.after.is_empty());
    let gone = &gone.expect("a package that is gone").package;
    page.open("?changes=published");
    page.see(gone);
    page.see_no_element(&[("table", "Packages that changed"), ("link", gone)]);
    page.press(&format!("Builds of {gone}"));
    page.see(" went");
    page.type_into("Search packages and specs", gone);
    page.see("0 builds came, ");
    page.open("?changes=published&os=nowhere");
    page.see("0 builds came, 0 went, 0 stayed");
}

#[test]
fn leads_from_a_build_that_went_to_what_replaced_it() {
    // The first build is replaced by one with another recipe.
    let Published { folder: _kept, site, changes } = published_last(&[], |all| {
        let mut builds = all[2..].to_vec();
        let mut anew = all[0].clone();
        anew.hash = "2345672345672345672345672345aaaa".parse().expect("a hash");
        anew.package_hash = Some("another".to_owned());
        builds.push(anew);
        builds
    });
    let pairs = || changes.packages.iter().flat_map(|package| &package.pairs);
    let replaced = pairs().next().expect("a build that was replaced");
    let alone = changes.went.iter().find(|went| pairs().all(|pair| pair.old != **went));
    let (old, new) = (replaced.old.to_string(), replaced.new.to_string());
    Page::at_widths(&site, &[Width::Narrow, Width::Wide], |page| {
        page.open(&format!("?hash={old}"));
        page.see("No such build");
        page.see("The publication before this one, made ");
        page.see("It was replaced by ");
        page.fits();
        page.screenshot(&format!("gone-{}", page.ask("return innerWidth")));
        page.is_accessible();
        let link = page.ask("return document.querySelector('[data-testid=went] a').innerText");
        let link = link.as_str().expect("a text");
        assert!(link.ends_with(&new[..7]), "{link}");
        page.follow(link);
        page.see("Get this build");
        // The beginning of the hash, and a comparison with it, lead there too.
        page.open(&format!("?hash={}", &old[..7]));
        page.see("It was replaced by ");
        page.open(&format!("?compare={old}&compare={new}"));
        page.see(&format!("This cache has no build with the hash {old}"));
        page.see("It was replaced by ");
        page.fits();
    });
    let page = Page::of(&site, Width::Wide);
    page.open(&format!("?hash={}", alone.expect("a build that was not replaced")));
    page.see("No other build took its place.");
    page.open("?hash=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
    page.see("Builds are replaced by others, which have other hashes.");
}

#[test]
fn leads_to_the_comparison_of_stacks_in_a_cache_that_says_what_changed() {
    let Published { folder: _kept, site, .. } = published_last(&[], |all| {
        let in_stacks = |(number, build): (usize, &Build)| {
            let stack = ["e4s", "tools"][number % 2].to_owned();
            let place = Place { release: "develop".to_owned(), stack };
            Build { places: [place].into(), ..build.clone() }
        };
        all.iter().enumerate().map(in_stacks).collect()
    });
    let page = Page::of(&site, Width::Wide);
    for (tab, link) in [
        ("about", "Compare two releases or stacks"),
        ("coverage", "What changed between two of them"),
    ] {
        page.open(&format!("?tab={tab}"));
        page.follow(link);
        page.see_query("?changes=..");
        page.see_element(&[("combobox", "From")]);
    }
}

#[test]
fn says_that_a_cache_was_published_without_changes() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?changes=published");
    page.see("published without what changed since an earlier publication");
    page.open("");
    page.see_no("new build");
    page.see_no_element(&[("test", "seen")]);
    page.see_no_element(&[("region", "New")]);
}

#[test]
fn shows_everything_else_if_the_changes_are_damaged() {
    let Published { folder, .. } = published(&["--inline"]);
    let path = folder.path().join("index.html");
    let html = fs::read_to_string(&path).expect("the page can be read");
    assert!(html.contains("\"replaced_by\""));
    fs::write(&path, html.replace("\"replaced_by\"", "\"replaced_if\"")).expect("written");
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("?changes=published");
    page.see("the index is damaged: missing field `replaced_by`");
    page.follow("All packages");
    page.see_builds(40);
    page.see("3 new builds");
}

#[test]
fn filters_and_sorts_by_when_builds_first_appeared() {
    let Published { folder: _kept, site, .. } = published(&[]);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_count("New", "in the last publication", 3);
    page.see_count("New", "since 2025-11-13", 13);
    page.toggle_facet("New", "since 2025-11-13");
    page.see_query("?since=2025-11-13");
    page.see_builds(13);
    page.see_chosen("New", "since 2025-11-13", true);
    page.toggle_facet("New", "in the last publication");
    page.see_builds(3);
    page.back();
    page.see_builds(13);
    page.reload();
    page.see_builds(13);
    page.press("Remove new since");
    page.see_builds(40);
    page.open("?since=2025-11-19&os=nowhere");
    page.see("No build matches");
    let ask = "await spackCache.ready; return spackCache.query('?since=2025-11-13').builds";
    assert_eq!(page.ask(ask), json!(13));
    page.open("?since=yesterday");
    page.see("since=yesterday");
    page.open("?since=2026-13-45");
    page.see("since=2026-13-45");
    page.see_builds(40);

    // A package with a new build and older ones has a column of dates.
    page.open("?package=gcc-runtime&columns=hash,seen&sort=-seen");
    page.see_element(&[("columnheader", "First seen")]);
    let ask = "await spackCache.ready; return spackCache.builds('since=2025-11-19')[0].hash";
    let hash = page.ask(ask);
    page.open(&format!("?hash={}", hash.as_str().expect("a hash")));
    page.see("First seen");
    page.see("in the publication");
}
