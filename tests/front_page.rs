//! The front page and its parts: facts about the cache, in a line and at length, and packages by stack.

use cache_index::build::Place;

use crate::harness::{Cache, Key, Page, Site, Width};

#[test]
fn leads_from_packages_by_stack_to_their_builds() {
    Page::at_each_width(|page| {
        page.open("");
        page.follow("By stack");
        page.see_query("?tab=coverage");
        page.see_element(&[("columnheader", "e4s-neoverse_v1")]);
        page.fits();
        page.follow("6 builds of py-ml-dtypes in e4s-neoverse_v1");
        page.see_query("?package=py-ml-dtypes&stack=e4s-neoverse_v1");
        page.see_builds(6);
        page.back();
        page.see_query("?tab=coverage");
    });
}

#[test]
fn opens_a_package_in_a_new_tab_only_there() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_element(&[("link", "py-ml-dtypes")]);
    // The app must leave the click to the browser. The listener then keeps the browser from opening a tab.
    let is_left = page.ask(
        "const link = document.querySelector('tr.row a');
        const left = new Promise((told) => addEventListener('click', (event) => {
          told(!event.defaultPrevented);
          event.preventDefault();
        }, { once: true }));
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
        return left",
    );
    assert_eq!(is_left, true);
    page.see_query("");
}

#[test]
fn prints_every_package() {
    let cache = Cache::of(2_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(2_000);
    page.see_attribute(&[("columnheader", "Builds")], "class", "c-builds number");
    let rows = "return document.querySelectorAll('tr.row').length";
    let shown = page.ask(rows).as_u64();
    page.ask("dispatchEvent(new Event('beforeprint'))");
    assert!(page.ask(rows).as_u64() > shown, "{shown:?}");
    assert_eq!(page.ask("return document.querySelectorAll('tr.spacer').length"), 0);
    page.ask("dispatchEvent(new Event('afterprint'))");
    assert_eq!(page.ask(rows).as_u64(), shown);
}

#[test]
fn describes_the_cache() {
    Page::at_each_width(|page| {
        page.open("?tab=about");
        page.see("the sample pages");
        page.see_element(&[("heading", "Most varied packages")]);
        page.fits();
        page.follow("ml-linux-x86_64-rocm");
        page.see_builds(69);
        page.see_query("?stack=ml-linux-x86_64-rocm");
    });
}

#[test]
fn says_how_to_use_the_cache() {
    Page::at_each_width(|page| {
        page.open("");
        page.see("get the command that installs the right one");
        page.follow("Use this cache");
        page.see_query("?tab=install");
        page.see("spack mirror add develop https://binaries.spack.io/develop");
        page.see("spack buildcache keys --install --trust");
        page.see("mirrors:");
        page.is_accessible();
        page.fits();
        // The chosen mirror is in the address.
        page.ask(
            "const list = document.querySelector('.guide select'); list.value = 'develop/e4s'; \
             list.dispatchEvent(new Event('change', { bubbles: true }))",
        );
        page.see_query("?tab=install&mirror=develop/e4s");
        page.see("spack mirror add develop-e4s https://binaries.spack.io/develop/e4s");
        page.reload();
        page.see("spack mirror add develop-e4s https://binaries.spack.io/develop/e4s");
        page.back();
        page.see("spack mirror add develop https://binaries.spack.io/develop");
        // Only mirrors that the filters leave are offered.
        page.open("?tab=install&stack=e4s");
        page.see("spack mirror add develop-e4s https://binaries.spack.io/develop/e4s");
        page.press("Copy the settings");
        page.see_copied("mirrors:\n  \"develop-e4s\": \"https://binaries.spack.io/develop/e4s\"\n");
    });
}

#[test]
fn leads_from_a_stack_without_another_to_the_packages_that_only_it_has() {
    let cache = Cache::changed(5, |number, build| {
        build.package = ["hdf5", "hdf5", "zlib", "cuda", "mkl"][number].to_owned();
        let stacks: &[&str] =
            [&["e4s"][..], &["e4s-oneapi"], &["e4s", "e4s-oneapi"], &["e4s"], &["e4s-oneapi"]]
                [number];
        let place = |stack: &&str| Place { release: "develop".into(), stack: (*stack).to_owned() };
        build.places = stacks.iter().map(place).collect();
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?stack=e4s");
        page.see("3 builds of 3 packages");
        page.see_no("Filters choose builds");
        page.open("");
        page.type_into("Search packages and specs", "only in e4s");
        page.type_keys(Key::Enter);
        page.follow("1 package in e4s and in no other stack");
        page.see_query("?tab=coverage&only=e4s");
        page.see("1 package only in e4s");
        // No mirror has everything.
        page.open("?tab=install");
        page.see("No mirror has all of them; choose several mirrors to get all");
        page.ask(
            "const list = document.querySelector('.guide select'); list.value = 'together'; \
             list.dispatchEvent(new Event('change', { bubbles: true }))",
        );
        page.see_query("?tab=install&mirror=together");
        page.see("Add develop-e4s-oneapi");
        page.see("Put the URL of each in place of its MIRROR_URL");
        page.fits();
        page.press("Copy the settings");
        page.see_copied(
            "# Replace MIRROR_URL: this cache does not say where all of its mirrors are.\nmirrors:\n  \
             \"develop-e4s\": \"MIRROR_URL\"\n  \"develop-e4s-oneapi\": \"MIRROR_URL\"\n",
        );
        page.open("?stack=e4s&not.stack=e4s-oneapi");
        // The package has a build in the other stack, too.
        page.see("2 builds of 2 packages");
        page.see_element(&[("link", "hdf5")]);
        page.see("packages that also have builds in e4s-oneapi stay listed");
        page.fits();
        page.follow("1 package in e4s and not in e4s-oneapi");
        page.see_query("?stack=e4s&stack=e4s-oneapi&tab=coverage&only=e4s");
        page.see_element(&[("link", "cuda")]);
        page.see_no_element(&[("link", "hdf5")]);
        page.see_no("Filters choose builds");
        // What is saved is what is shown, and the two stacks are compared with each other.
        page.press("Export");
        page.press("Hashes, one per line");
        page.see("1 build saved as");
        page.follow("What changed between two of them");
        page.see_query("?stack=e4s&stack=e4s-oneapi&changes=develop/e4s..develop/e4s-oneapi");
        page.follow("Packages that only one of them has");
        page.see_query("?stack=e4s&stack=e4s-oneapi&release=develop&tab=coverage");
        page.see("1 package only in e4s");
        page.open("?not.stack=e4s-oneapi");
        page.see("packages that also have builds in e4s-oneapi stay listed");
        page.follow("1 package without a build in e4s-oneapi");
        page.see_query("?stack=e4s-oneapi&tab=coverage&gaps=only");
        page.see_element(&[("link", "cuda")]);
        page.see_no_element(&[("link", "hdf5")]);
        page.open("?stack=e4s&tab=install");
        page.see("It has all 3 builds that match. The fewer others a mirror has");
        let options = "return [...document.querySelectorAll('main option')].map((it) => it.text)";
        let options = page.ask(options).to_string();
        let smaller = "develop / e4s-oneapi: 3 builds, 1 of them matches";
        assert!(options.contains(smaller), "{options}");
        // Each stack has a build of hdf5 of its own.
        page.open("?stack=e4s&stack=e4s-oneapi&all=stack");
        page.see("1 build of 1 package");
        page.see("Filters choose builds");
        page.fits();
        page.follow("2 packages with builds in each");
        page.see_query("?stack=e4s&stack=e4s-oneapi&tab=coverage&gaps=none");
        page.see("2 packages in each of them");
        page.see_element(&[("link", "hdf5")]);
        page.see_no_element(&[("link", "cuda")]);
        page.fits();
        page.follow("Show all packages");
        page.follow("2 packages in each of them");
        page.see_query("?stack=e4s&stack=e4s-oneapi&tab=coverage&gaps=none");
    });
}

#[test]
fn counts_what_only_one_of_two_stacks_has() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    let (one, other) = ("e4s", "ml-linux-x86_64-cuda");
    page.open("");
    page.see_builds(390);
    let packages = |query: String| {
        let rows =
            format!("return [...new Set(spackCache.builds('{query}').map((b) => b.package))]");
        let names = page.ask(&rows);
        let names = names.as_array().expect("a list").iter();
        names.map(|name| name.as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let [in_one, in_other] = [one, other].map(|stack| packages(format!("stack={stack}")));
    let only = in_one.iter().filter(|name| !in_other.contains(name)).count();
    let back = in_other.iter().filter(|name| !in_one.contains(name)).count();
    page.open(&format!("?tab=coverage&stack={one}&stack={other}"));
    let packages = |count| if count == 1 { "package" } else { "packages" };
    page.see(&match only + back {
        0 => "No package is in only one of these stacks".to_owned(),
        _ => format!("{only} {} only in {one}", packages(only)),
    });
    if only > 0 {
        page.follow(&format!("{only} {} only in {one}", packages(only)));
        page.see_query(&format!("?stack={one}&stack={other}&tab=coverage&only={one}"));
        let table = [("table", "The newest version of each package in each stack")];
        page.see_attribute(&table, "aria-rowcount", &(only + 1).to_string());
        page.follow("Show all packages");
        page.see_query(&format!("?stack={one}&stack={other}&tab=coverage"));
    }
    // Whatever else is shown, the page says which packages these are, and does not claim that there are no gaps.
    page.open(&format!("?tab=coverage&only={one}"));
    page.see(&format!("only in {one}"));
    page.see("Show all packages");
    page.open(&format!("?tab=coverage&stack={one}&only={other}"));
    page.see(&format!("0 packages only in {other}"));
    page.see_no("No gaps");
}

#[test]
fn explains_itself() {
    Page::at_each_width(|page| {
        page.open("");
        page.follow("Help");
        page.see_query("?tab=help");
        page.see_element(&[("heading", "For people who install with Spack")]);
        page.see_element(&[("heading", "Spack's language, as it is understood here")]);
        // Some features need more than this cache was published with.
        page.see("if the cache is published with recipes (this one is not)");
        page.see("if the cache is published with what is in its binaries (this one is not)");
        page.is_accessible();
        page.fits();
        // The help is shown whatever matches.
        page.open("?os=sequoia&target=x86_64_v3&tab=help");
        page.see_element(&[("heading", "For people who install with Spack")]);
        page.see_no_element(&[("test", "empty")]);
    });
}

/// Follows the example questions one after another, and returns their texts.
fn follow_examples(page: &Page) -> Vec<String> {
    let path = [("test", "lead"), ("list", "Example questions"), ("link", "")];
    // The questions come with the rest of the app.
    page.see_some(&path);
    let texts = page.texts(&path);
    for text in &texts {
        page.open("");
        page.click(&[path[0], path[1], ("link", text)]);
        page.see_element(&[("test", "total")]);
        page.see_no_element(&[("test", "empty")]);
    }
    texts
}

#[test]
fn says_in_a_line_what_it_is_and_what_to_ask() {
    let site = Site::release();
    Page::at_widths(&site, &Width::ALL, |page| {
        page.open("");
        page.see("Prebuilt Spack packages from the sample pages");
        page.see_element(&[("test", "lead"), ("list", "Example questions")]);
        page.fits();
    });
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see("all in develop");
    assert_eq!(follow_examples(&page).len(), 3);
    page.open("?os=sequoia");
    page.see_builds(93);
    page.see_no_element(&[("test", "lead"), ("link", "")]);
}

#[test]
fn says_whose_cache_it_is_and_how_fresh() {
    let options = [
        "--release",
        "v1",
        "--stack",
        "tools",
        "--title",
        "Our tools",
        "--about-url",
        "https://example.org/tools",
    ];
    let cache = Cache::published_as(&options, &["database/v8.json"]);
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.see("Prebuilt Spack packages of Our tools, indexed just now");
        page.see_attribute(&[("link", "of Our tools")], "href", "https://example.org/tools");
        page.see_element(&[("link", "Our tools")]);
        assert_eq!(page.ask("return document.title"), "Our tools");
        page.fits();
        assert!(!follow_examples(page).is_empty());
        page.open("?tab=about");
        page.see_element(&[("link", "https://example.org/tools")]);
        page.fits();
    });
}

#[test]
fn names_what_is_shown_in_the_title_of_the_tab() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    for (address, title) in [
        ("", "Spack build cache"),
        ("?q=token&os=sequoia", "token sequoia · Spack build cache"),
        ("?package=py-ml-dtypes", "py-ml-dtypes · Spack build cache"),
        (
            "?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy",
            "py-ml-dtypes@0.3.1 /gjx3lie · Spack build cache",
        ),
        (
            "?compare=gjx3lieose6je6ajipuwsz4fzmqh66gy&compare=azfxomx47zgirohxluy2b4dqocroud4c",
            "Compare py-ml-dtypes@0.3.1 /gjx3lie, py-ml-dtypes@0.4.0 /azfxomx · Spack build cache",
        ),
    ] {
        page.open(address);
        let named = page.ask(
            "await spackCache.ready; await new Promise(requestAnimationFrame); return document.title",
        );
        assert_eq!(named, title, "{address}");
    }
}

#[test]
fn the_logo_leads_home_without_filters() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&os=sequoia&sort=hash&host=darwin.sequoia.m1");
        page.see_builds(11);
        page.follow("Build cache");
        page.see_query("?host=darwin.sequoia.m1");
        page.see_packages(4);
        page.back();
        page.see_builds(11);
    });
}
