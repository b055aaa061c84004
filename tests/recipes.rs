//! What recipes say about packages, next to what the cache has.

use std::fs;

use crate::harness::{Cache, Page, Width};

/// Publishes a database and the pages of Python packages, with recipes.
fn described() -> Cache {
    described_with(&[])
}

/// Publishes the same with more recipes.
fn described_with(more: &[&str]) -> Cache {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/recipes");
    let [listed, packages] = ["version_json.json", "packages"].map(|name| format!("{data}/{name}"));
    let mut options = vec!["--release", "develop", "--recipes", &listed, "--recipes", &packages];
    options.extend(more.iter().flat_map(|recipes| ["--recipes", recipes]));
    Cache::published_as(&options, &["database/v8.json", "../../seeds"])
}

#[test]
fn describes_packages_in_the_list_and_on_their_page() {
    let cache = described();
    Page::at_widths(&cache.site, &Width::ALL, |page| {
        page.open("");
        page.see("OpenBLAS: An optimized BLAS library");
        page.fits();
        page.open("?package=py-safetensors");
        page.see("Fast and Safe Tensor serialization.");
        page.see("0.6.2 is newer, not cached");
        page.see_attribute(
            &[("link", "Home page")],
            "href",
            "https://github.com/huggingface/safetensors",
        );
        page.click(&[("test", "recipe-origin")]);
        page.see("built by PythonPackage");
        page.click(&[("test", "recipe-versions")]);
        page.see("0.3.1");
        page.fits();
        page.is_accessible();
    });
}

#[test]
fn keeps_open_what_was_unfolded_before_printing() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=py-safetensors");
    page.see("versions in Spack, not cached");
    let folded = "document.querySelector('[data-key=versions]')";
    page.ask(&format!("{folded}.querySelector('summary').click()"));
    page.ask("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))");
    assert_eq!(page.ask(&format!("return {folded}.open")), true);
}

#[test]
fn finds_packages_by_their_description_after_those_with_the_name() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?q=lossless%20compression");
    page.see("Described by “lossless compression”");
    page.follow("zlib");
    page.see_query("?package=zlib");
    page.open("?q=zstd");
    page.see_packages(1);
    page.see_no("Described by");
}

#[test]
fn says_that_spack_can_build_what_the_cache_does_not_have() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    for address in ["?q=dealii", "?q=deal.II", "?package=dealii"] {
        page.open(address);
        page.see("Spack can build dealii 9.7.1 from source; this cache has no binary of it.");
        page.see("spack install dealii@9.7.1");
    }
    page.open("?q=nothing-like-it");
    page.see("No build matches");
    page.see_no("Spack can build");
}

#[test]
fn says_which_specs_of_an_environment_ask_for_versions_that_no_recipe_has() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    page.open(
        "?spec=py-safetensors@9&spec=py-safetensors@git.main&spec=py-safetensors@0.6.2&tab=install",
    );
    page.see("have no such version, and so they are in no command; check them: py-safetensors@9.");
    page.see("py-safetensors@git.main");
    page.open("?spec=py-safetensors%2Bfrobnicated@0.9&tab=install");
    page.see(
        "Spack would refuse a command with it, and it is in none; check it: frobnicated of py-safetensors@0.9+frobnicated.",
    );
    page.fits();
}

#[test]
fn installs_builds_for_one_system_where_no_machine_is_stated() {
    Page::at_each_width(|page| {
        page.open(
            "?spec=py-ml-dtypes os=ubuntu22.04&spec=py-ml-dtypes@0.3.1 os=ubuntu22.04&spec=py-ml-dtypes os=sequoia&tab=install",
        );
        page.see("these are builds for linux ubuntu22.04 x86_64, for which the cache satisfies the most specs.");
        page.see(
            "In the cache, but no build is for linux ubuntu22.04 x86_64, so built from source:",
        );
        page.see_element(&[("list", ""), ("listitem", "py-ml-dtypes"), ("link", "py-ml-dtypes")]);
        page.fits();
    });
}

#[test]
fn leaves_out_names_that_neither_the_cache_nor_spack_has() {
    let recipes = concat!(env!("CARGO_MANIFEST_DIR"), "/data/recipes/version_json.json");
    // Spack itself has many more recipes than the sample.
    let folder = tempfile::tempdir().expect("a folder");
    let others = folder.path().join("others.json").display().to_string();
    let other = |number: usize| {
        format!(r#"{{"name": "other-{number}", "latest_version": "1.0", "versions": ["1.0"]}}"#)
    };
    let all: Vec<String> = (0..1_000).map(other).collect();
    fs::write(&others, format!("[{}]", all.join(", "))).expect("a file");
    let cache = Cache::published_as(
        &["--recipes", recipes, "--recipes", &others],
        &["environment/dev-path/index.json"],
    );
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?spec=zlib-nx&spec=dealii&tab=install");
    page.see("nor Spack’s recipes have a package of these names; check them: zlib-nx.");
    page.see("Not in the cache, so built from source: dealii.");
    page.see("spack install dealii");
    page.follow("Asked for");
    page.see("Spack can build dealii 9.7.1 from source");
}

#[test]
fn lists_what_is_outdated_and_marks_what_is_deprecated() {
    let folder = tempfile::tempdir().expect("a folder");
    let zlib = folder.path().join("zlib.json");
    let text = r#"{"name": "zlib", "versions": [{"name": "1.3.1"}, {"name": "1.2.13"}],
        "versions_deprecated": [{"name": "1.2.13"}]}"#;
    fs::write(&zlib, text).expect("a file");
    let cache = described_with(&[&zlib.display().to_string()]);
    Page::at_widths(&cache.site, &Width::ALL, |page| {
        page.open("?tab=outdated");
        page.see("6 of 13 packages are behind Spack; 1 cached version is deprecated.");
        page.see("0.4.5");
        page.see("0.6.2");
        page.see_element(&[("heading", "Deprecated in Spack, and cached")]);
        page.fits();
        page.is_accessible();
        // Packages that do not match are not counted.
        page.open("?tab=outdated&q=py-safetensors");
        page.see("1 of 1 package is behind Spack.");
        page.open("?package=zlib");
        page.see("cached, but deprecated in Spack: 1.2.13");
    });
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_packages(13);
    let hash = page.ask("return spackCache.builds('package=zlib')[0].hash");
    let hash = hash.as_str().expect("a hash");
    page.open(&format!("?package=zlib&hash={hash}"));
    page.see("This version is deprecated in Spack");
}

#[test]
fn says_why_nothing_is_known_to_be_outdated() {
    let cache = described();
    let path = cache.folder().join("index.html");
    let html = fs::read_to_string(&path).expect("the page can be read");
    // Removes the details of the recipes, as if they had been lost on the way.
    let (before, rest) = html.split_once("id=\"index-recipe-details\">").expect("the details");
    let (_, after) = rest.split_once("</script>").expect("an end");
    fs::write(&path, format!("{before}>\"\"</script>{after}")).expect("the page can be written");
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?tab=outdated");
    page.see("Part of this cache's index could not be read");
    page.see_no("Reading what the recipes say");
    page.see("the page was cut off before this part of the index");
}

#[test]
fn says_which_variants_of_a_build_are_not_the_default() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    for (package, words) in [
        ("zstd", "Not the defaults of today’s recipe: +programs"),
        ("fftw", "Its variants are the defaults of today’s recipe"),
    ] {
        page.open("");
        page.see_packages(13);
        let hash = page.ask(&format!("return spackCache.builds('package={package}')[0].hash"));
        page.open(&format!("?package={package}&hash={}", hash.as_str().expect("a hash")));
        page.see(words);
    }
}

#[test]
fn says_what_variants_are_for_and_marks_what_is_not_the_default() {
    let folder = tempfile::tempdir().expect("a folder");
    let zlib = folder.path().join("zlib.json");
    let text = r#"{"name": "zlib", "versions": [{"name": "1.3.1"}, {"name": "1.2.13"}],
        "versions_deprecated": [{"name": "1.2.13"}], "variants": [
        {"name": "shared", "default": "False", "description": "Enables the build of shared libraries."}]}"#;
    fs::write(&zlib, text).expect("a file");
    let cache = described_with(&[&zlib.display().to_string()]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_packages(13);
    let hashes = ["zlib", "zstd"]
        .map(|package| page.ask(&format!("return spackCache.builds('package={package}')[0].hash")));
    let hashes: Vec<&str> = hashes.iter().map(|hash| hash.as_str().expect("a hash")).collect();
    page.open(&format!("?package=zlib&hash={}", hashes[0]));
    let title = "return document.querySelector('.spec.whole [title]')?.title ?? ''";
    page.see_that("what the variant does", title, |title| match title.as_str() {
        Some("Enables the build of shared libraries. (default: ~shared)") => Ok(()),
        other => Err(format!("{other:?}")),
    });
    page.open(&format!("?compare={}&compare={}", hashes[0], hashes[1]));
    page.see("deprecated in Spack");
    page.see("not the default");
}

#[test]
fn saves_a_build_and_what_it_needs_as_a_list_of_software() {
    let cache = described();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_packages(13);
    let hash = page.ask("return spackCache.builds('package=zstd')[0].hash");
    page.open(&format!("?package=zstd&hash={}", hash.as_str().expect("a hash")));
    page.see("Not the defaults of today’s recipe");
    page.ask(
        "const make = URL.createObjectURL; \
         URL.createObjectURL = (blob) => ((window.saved = blob), make.call(URL, blob))",
    );
    for (format, start) in [("Save SPDX 2.3", "SPDX-2.3"), ("Save CycloneDX 1.6", "CycloneDX")] {
        page.press(format);
        page.see("saved as zstd@");
        let saved = page.ask("return window.saved.text()");
        let saved = saved.as_str().expect("a text");
        assert!(
            saved.contains(start) && saved.contains("BSD-3-Clause OR GPL-2.0-or-later"),
            "{saved}"
        );
        let list: serde_json::Value = serde_json::from_str(saved).expect("JSON");
        let listed = list["packages"].as_array().or(list["components"].as_array());
        assert!(listed.is_some_and(|listed| !listed.is_empty()), "{saved}");
    }
}

#[test]
fn names_providers_that_the_cache_does_not_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let blis = folder.path().join("blis.json");
    let text = r#"{"name": "blis", "versions": [{"name": "1.0"}], "provides": ["blas"]}"#;
    fs::write(&blis, text).expect("a file");
    let cache = described_with(&[&blis.display().to_string()]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?q=blas");
    page.see("In Spack, blas is also provided by these packages, not in this cache: blis");
    page.follow("blis");
    page.see("Spack can build blis 1.0 from source");
}

#[test]
fn shows_hostile_recipes_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let hostile = folder.path().join("zlib.json");
    let text = r#"{"name": "zlib", "versions": [{"name": "9"}], "homepage": "javascript:alert(1)",
        "description": "</script><img src=x onerror=alert(1)>\u202e gnp", "maintainers": ["<b>me</b>"],
        "variants": [{"name": "a", "default": "\"><script>", "description": "<script>alert(1)</script>"}]}"#;
    fs::write(&hostile, text).expect("a file");
    let hostile = hostile.display().to_string();
    let cache = Cache::published_as(&["--recipes", &hostile], &["database/v8.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=zlib");
    page.see(r"</script><img src=x onerror=alert(1)>\u{202e} gnp");
    page.see("home page javascript:alert(1)");
    page.click(&[("test", "recipe-origin")]);
    page.see("<b>me</b>");
    page.see_no_element(&[("link", "Home page")]);
}

#[test]
fn filters_by_the_licences_that_recipes_name() {
    let cache = described();
    for width in [Width::Wide, Width::Narrow] {
        let page = Page::of(&cache.site, width);
        page.open("?license=Apache-2.0");
        page.see("py-ml-dtypes");
        page.see_no("openblas");
        page.fits();
        page.is_accessible();
        // Each licence of an expression finds its package, and a package needs only one of the chosen licences.
        page.open("?license=GPL-2.0-or-later&license=BSD-3-Clause");
        page.see("zstd");
        page.see("openblas");
        page.press("Remove licence BSD-3-Clause");
        page.see_query("?license=GPL-2.0-or-later");
        page.see("zstd");
        page.see_no("openblas");
    }
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.press("Licence");
    page.toggle_facet("Licence", "Zlib");
    page.see_query("?license=Zlib");
    page.see("zlib");
    page.see_no("openblas");
    page.back();
    page.see_query("");
    page.see("openblas");
}
