//! Caches as large as today's, and larger. `make bench` measures their speed; these tests check what must hold on any
//! machine.

use cache_index::build::{Dependency, Deptypes, Hash};

use crate::harness::{Cache, Page, Width};

#[test]
fn has_few_elements_in_every_view_of_a_large_cache() {
    let cache = Cache::of(145_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(145_000);
    let largest = page.ask(
        "const packages = Object.entries(spackCache.query('').facets.package); \
         return packages.sort((a, b) => b[1] - a[1])[0][0]",
    );
    let package = format!("?package={}", largest.as_str().expect("a name"));
    let hash = page.ask("await spackCache.ready; return spackCache.builds('', 70000, 1)[0].hash");
    let hash = format!("?hash={}", hash.as_str().expect("a hash"));
    let views = ["", "?tab=coverage", "?tab=about", &package, &hash].map(str::to_owned);
    let tabs = ["&tab=coverage", "&tab=coverage&across=stack", "&tab=install"];
    for address in views.into_iter().chain(tabs.map(|tab| format!("{package}{tab}"))) {
        page.go(&address);
        page.has_few_elements();
        // Opens every facet, and shows every list of values completely.
        page.ask(
            "for (const button of document.querySelectorAll('.facet h2 [aria-expanded=false]')) button.click(); \
             await new Promise(requestAnimationFrame); \
             for (const button of document.querySelectorAll('.facet .more')) button.click(); \
             await new Promise(requestAnimationFrame)",
        );
        page.has_few_elements();
    }
}

#[test]
fn fills_the_window_with_builds_and_draws_few_more() {
    let cache = Cache::of(12_000);
    for width in Width::ALL {
        let page = Page::of(&cache.site, width);
        page.open("");
        let largest = page.ask(
            "await spackCache.ready; const packages = Object.entries(spackCache.query('').facets.package); \
             return packages.sort((a, b) => b[1] - a[1])[0][0]",
        );
        page.go(&format!("?package={}", largest.as_str().expect("a name")));
        let below = page.ask(
            "const rows = [...document.querySelectorAll('table.builds tr.row')]; \
             return [rows.at(-1).getBoundingClientRect().bottom - innerHeight, \
               rows.filter((row) => row.getBoundingClientRect().top > innerHeight).length]",
        );
        let [last, hidden] = [0, 1].map(|place| below[place].as_f64().expect("a number"));
        // Three rows, and one more each if the recommended build and the releases are as high as a row.
        assert!(last >= 0.0 && hidden <= 5.0, "{width:?}: {below}");
    }
}

#[test]
fn finds_one_of_fifty_thousand_versions() {
    let cache = Cache::of_versions(50_000);
    let page = Page::of(&cache.site, Width::Wide);
    // Only a package has a list of versions.
    page.open("?package=hdf5");
    page.see_builds(50_000);
    page.click(&[("region", "Version"), ("button", "Show all 50,000")]);
    page.see_element(&[("region", "Version"), ("checkbox", "49.99.9")]);
    page.has_few_elements();
    // Scrolls down to the last one, as with a wheel.
    page.ask(
        "const list = document.querySelector('.values.all'); list.scrollTop = list.scrollHeight; \
         await new Promise(requestAnimationFrame)",
    );
    page.see_element(&[("region", "Version"), ("checkbox", "0.0.0")]);
    page.has_few_elements();
    page.type_into("Search in Version", "31.41.5");
    page.toggle_facet("Version", "31.41.5");
    page.see_builds(1);
    page.see_query("?package=hdf5&version=31.41.5");
}

#[test]
fn shows_builds_with_thousands_of_variants_and_dependencies() {
    let hash = |number: usize| -> Hash {
        let letters = [b'a', b'b', b'c', b'd', b'e', b'f', b'g', b'h', b'i', b'j'];
        let digits = format!("{number:032}").into_bytes().into_iter();
        let text = digits.map(|digit| char::from(letters[usize::from(digit - b'0')]));
        text.collect::<String>().parse().expect("letters of a hash")
    };
    let cache = Cache::changed(2002, |number, build| {
        build.hash = hash(number);
        build.dependencies = Some(Vec::new());
        if number < 2 {
            build.package = "wide".to_owned();
            let sign = ["+", "~"][number];
            let variants =
                (0..20_000).map(|n| format!("{sign}v{n:05}").parse().expect("a variant"));
            build.variants = variants.collect();
            let edge = |to: usize| Dependency {
                package: format!("needed-{to}"),
                hash: hash(to),
                deptypes: Deptypes::from_bits(2).expect("bits below 16"),
                virtuals: (0..5).map(|n| format!("virtual-{n}")).collect(),
            };
            build.dependencies = Some((2..2002).map(edge).collect());
        } else {
            build.package = format!("needed-{number}");
        }
    });
    let page = Page::of(&cache.site, Width::Wide);
    let [one, other] = [0, 1].map(|number| hash(number).to_string());
    for address in [
        "?package=wide".to_owned(),
        format!("?hash={one}&host=linux.ubuntu24.04.zen4"),
        format!("?compare={one}&compare={other}"),
        "?package=wide&tab=install".to_owned(),
        "?q=wide%2Bv19999".to_owned(),
    ] {
        page.open(&address);
        page.see("wide");
        page.has_few_elements();
        page.fits();
    }
}

#[test]
fn shows_a_million_builds_and_their_hashes() {
    let cache = Cache::of(1_000_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?os=sequoia");
    let totals = page.ask(
        "const { builds, packages } = spackCache.query('os=sequoia'); return [builds, packages]",
    );
    page.see_builds(totals[0].as_u64().expect("a number") as usize);
    page.see_packages(totals[1].as_u64().expect("a number") as usize);
    let hash = page.ask("await spackCache.ready; return spackCache.builds('', 999999, 1)[0].hash");
    let hash = hash.as_str().expect("a hash");
    page.open(&format!("?hash={hash}"));
    page.see(hash);
}
