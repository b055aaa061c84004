//! The search box: completions, problems, and one address for one question.

use cache_index::build::{Dependency, Deptypes, Hash, Variant, VariantValue};

use crate::harness::{Cache, Key, Page, Site, Width};

const BOX: &str = "Search packages and specs";

#[test]
fn completes_by_keyboard() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_keys("/");
    page.type_keys("py-ml");
    page.see_element(&[("listbox", ""), ("option", "py-ml-dtypes")]);
    page.type_keys(Key::Down);
    page.type_keys(Key::Enter);
    page.type_keys("@0.");
    page.see_element(&[("listbox", ""), ("option", "@0.3.1 · 11")]);
    page.type_keys("3");
    page.see_builds(11);
    page.see_query("?q=py-ml-dtypes@0.3");
    page.type_keys(Key::Escape);
    page.type_keys(Key::Enter);
    page.see_query("?q=py-ml-dtypes@0.3&package=py-ml-dtypes");
    page.see_builds(11);
}

#[test]
fn treats_typed_and_chosen_filters_alike() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_into(BOX, "py-ml-dtypes os=sequoia");
    page.see_builds(11);
    page.see_chosen("OS", "sequoia", true);
    page.see_query("?q=py-ml-dtypes&os=sequoia");
    page.type_keys(Key::Escape);
    page.press("Remove OS sequoia");
    page.see_query("?q=py-ml-dtypes");
    page.see_builds(129);
    // An address that was typed by hand becomes the same one.
    page.open("?q=py-ml-dtypes%20os=sequoia");
    page.see_query("?q=py-ml-dtypes&os=sequoia");
    page.see_builds(11);
}

#[test]
fn compares_the_builds_of_several_hashes() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?q=2k2gmpq+zzzzzzz");
    page.see_no_element(&[("link", "Compare these 2 builds")]);
    let hashes = ["gjx3lieose6je6ajipuwsz4fzmqh66gy", "azfxomx47zgirohxluy2b4dqocroud4c"];
    page.open(&format!("?q={}+{}", &hashes[0][..7], &hashes[1][..7]));
    page.see_builds(2);
    page.see_no("No package");
    page.follow("Compare these 2 builds");
    page.see_query(&format!("?compare={}&compare={}", hashes[0], hashes[1]));
}

#[test]
fn finds_what_provides_a_virtual_package() {
    let names = ["mpich", "openmpi", "py-mpi4py", "hdf5"];
    let hash = |number: usize| -> Hash { ["a", "b"][number].repeat(32).parse().expect("a hash") };
    let cache = Cache::changed(names.len(), |number, build| {
        build.package = names[number].to_owned();
        build.dependencies = Some(Vec::new());
        if number < 2 {
            build.hash = hash(number);
        } else {
            let provider = number - 2;
            let deptypes = Deptypes::from_bits(2).expect("bits below 16");
            let (package, virtuals) = (names[provider].to_owned(), vec!["mpi".to_owned()]);
            let dependency = Dependency { package, hash: hash(provider), deptypes, virtuals };
            build.dependencies = Some(vec![dependency]);
        }
    });
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.type_keys("/");
    page.type_keys("mpi");
    page.see_element(&[("listbox", ""), ("option", "mpi@:")]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?q=mpi");
        page.see_element(&[("link", "py-mpi4py")]);
        page.fits();
        page.press("Search for the packages that provide mpi");
        page.see_query("?q=mpi@:");
        page.see_builds(2);
        page.see_element(&[("link", "openmpi")]);
        page.see_no("Search for the packages that provide mpi");
    }
}

#[test]
fn explains_what_is_wrong_and_what_would_work() {
    Page::at_each_width(|page| {
        page.open("?q=py-tokenizer%2Bcuda");
        page.see("No package py-tokenizer: did you mean py-tokenizers?");
        page.open("?q=py-toknizers");
        page.see("Search for py-tokenizers 32 builds");
        page.press("Search for py-tokenizers");
        page.see_builds(32);
        page.open("?q=py-ml-dtypes%3E0.3%20%2Bpython");
        page.see("Unexpected character >");
        page.fits();
        page.open("?q=py-ml-dtypes%3E0.2");
        page.press("Search for py-ml-dtypes@0.3:");
        page.see_query("?q=py-ml-dtypes@0.3:");
        // The suggestion includes everything that was typed since.
        page.open("");
        page.type_into(BOX, "sequoja t");
        page.see("did you mean sequoia?");
        page.type_keys("okenizers");
        page.see_query("?q=sequoja%20tokenizers");
        page.press("Search for sequoia");
        page.see_query("?q=py-tokenizers&os=sequoia");
        page.open("?q=py-ml-dtypes%20%5Epython");
        page.see("Cannot search dependencies: this cache does not list them");
        page.fits();
    });
}

#[test]
fn says_how_many_builds_a_compiler_in_place_of_a_package_finds() {
    // Here only the dependencies say what a build was made with.
    let cache = crate::dependencies::cache();
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?q=gcc@11.4.0");
        page.see("No build of gcc has this version, but builds were made with it");
        page.see("Search for %gcc@11.4.0 4 builds");
        page.is_accessible();
        page.fits();
        page.press("Search for %gcc@11.4.0");
        page.see_builds(4);
    });
}

#[test]
fn reads_words_as_what_they_mean_here() {
    Page::at_each_width(|page| {
        page.open("");
        page.type_into(BOX, "py-ml-dtypes sequoia 0.3.1");
        page.see("sequoia: read as the OS os=sequoia");
        page.see("0.3.1: read as the version @0.3.1");
        page.see_query("?q=py-ml-dtypes@0.3.1&os=sequoia");
        let builds = page.ask("return spackCache.query(location.search).builds");
        page.fits();
        // An address that was typed by hand becomes the same one, and the page says so too.
        page.open("?q=py-ml-dtypes%20sequoia%200.3.1");
        page.see_query("?q=py-ml-dtypes@0.3.1&os=sequoia");
        page.see("sequoia: read as the OS os=sequoia");
        page.type_into(BOX, "spack install --cache-only py-ml-dtypes@0.3.1 os=sequoia");
        page.see("spack install --cache-only: left out");
        page.see_query("?q=py-ml-dtypes@0.3.1&os=sequoia");
        assert_eq!(page.ask("return spackCache.query(location.search).builds"), builds);
        page.type_into(BOX, "e4s");
        page.see_query("?stack=e4s");
        page.see("e4s: read as the stack e4s");
    });
}

#[test]
fn keeps_the_list_and_the_text_while_someone_types() {
    let cache = crate::dependencies::cache();
    let page = Page::of(&cache.site, Width::Wide);
    let text = "return document.getElementById('search').value";
    page.open("");
    page.type_into(BOX, "hdf5 ~m");
    page.see_query("?q=hdf5");
    page.see_builds(1);
    page.see_no("did you mean");
    page.see_element(&[("listbox", ""), ("option", "~mpi · 1")]);
    page.type_keys("pi");
    page.see_query("?q=hdf5&variant=~mpi");
    page.type_keys(Key::Escape);
    page.type_keys(Key::Enter);
    page.see_query("?package=hdf5&variant=~mpi");
    assert_eq!(page.ask(text), "hdf5 ~mpi");
    // Typing on continues from there, and deleting a part of the text also removes the filters that came from it.
    page.type_keys(" os");
    page.see_query("?q=hdf5&package=hdf5&variant=~mpi");
    page.type_into(BOX, "hdf5");
    page.see_query("?q=hdf5&package=hdf5");
    // A word that nothing begins with is an error, and so is a finished word that names nothing.
    page.type_into(BOX, "hdf5 +mpo");
    page.see("No build of hdf5 with a variant mpo: did you mean ipo?");
    page.back();
    page.type_into(BOX, "hdf5 ~m");
    page.type_keys(Key::Enter);
    page.see("No build of hdf5 with a variant m");
}

#[test]
fn says_what_else_contains_an_exact_name() {
    let cache = crate::dependencies::cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?q=gcc");
    page.see_packages(0);
    page.press("1 more package contains gcc");
    page.see_query("?q=%2Agcc%2A");
    page.see_packages(1);
}

#[test]
fn opens_a_build_by_the_beginning_of_its_hash() {
    Page::at_each_width(|page| {
        let whole = "?package=py-ml-dtypes&hash=gjx3lieose6je6ajipuwsz4fzmqh66gy";
        for text in ["gjx3lie", "/gjx3lie", "spack find /gjx3lie"] {
            page.open("");
            page.type_into(BOX, text);
            page.see_builds(1);
            page.type_keys(Key::Enter);
            page.see_query(whole);
            page.see_element(&[("heading", "py-ml-dtypes")]);
        }
        page.open("?hash=gjx3lie");
        page.see_query(whole);
        page.open("?hash=g");
        page.see("Several builds have a hash that starts with g");
        page.fits();
        // A word of a hash's letters may be the name of a package.
        page.open("?q=mvapich2");
        page.see("No package here has mvapich2 in its name, and no build a hash that begins so.");
        page.open("?q=/mvapich2");
        page.see("No build here has a hash that begins with mvapich2.");
        page.fits();
        page.open("?hash=gjx3liz");
        page.see("no build in this cache has a hash that starts with this");
    });
}

#[test]
fn says_what_runs_on_a_target_that_nothing_is_made_for() {
    Page::at_each_width(|page| {
        page.open("?q=py-ml-dtypes%20target=zen3");
        page.see("No build is made for zen3");
        page.see_no("did you mean");
        page.fits();
        page.see_element(&[("list", "Filters that are on"), ("button", "Remove target zen3")]);
        // Other processors' builds are newer, but of no use.
        page.see("x86_64_v3 instead of zen3");
        page.see_no("aarch64 instead of zen3");
        page.click(&[("list", ""), ("button", "x86_64_v3 · 82")]);
        page.see_query("?q=py-ml-dtypes&target=x86_64_v3");
        page.see_builds(82);
        page.open("?package=py-ml-dtypes&target=zen3");
        page.press("My machine is zen3");
        page.type_into("OS", "ubuntu24.04");
        page.press("Show what runs");
        page.see_query("?package=py-ml-dtypes&host=linux.ubuntu24.04.zen3&runs=yes");
        page.see_builds(60);
    });
}

#[test]
fn finds_signed_and_unsigned_builds() {
    let cache = Cache::of_data(&["signed/mirror"]);
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.type_into(BOX, "which builds are signed?");
        page.type_keys(Key::Enter);
        page.see_query("?signed=yes");
        page.see_builds(3);
        page.see_element(&[("link", "zstd")]);
        page.see_no_element(&[("link", "gmake")]);
        page.press("Remove signed yes");
        page.see_builds(4);
        page.open("?q=unsigned");
        page.see_query("?signed=no");
        page.see_builds(1);
        page.see_element(&[("link", "gmake")]);
        page.fits();
        page.open("?tab=install");
        page.see("is not signed: Spack takes it only if the mirror is added with --unsigned");
        page.open("?package=gmake&tab=install");
        page.see("spack mirror add --unsigned");
        // The word replaces the filter in the address.
        page.open("?signed=no&q=signed");
        page.see_query("?signed=yes");
        page.open("?q=unsigned builds of zstd");
        page.see_query("?q=zstd&signed=no");
        page.see_builds(0);
    });
    // A cache that does not say which builds are signed.
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?q=unsigned");
    page.see(
        "This cache was published without the signatures of its binaries, so nothing is found.",
    );
    page.see_builds(0);
}

#[test]
fn leads_to_where_the_page_answers_what_is_not_a_filter() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_into(BOX, "mirror url");
    page.type_keys(Key::Enter);
    page.follow("how to use this cache: its mirrors and their keys");
    page.see_query("?tab=install");
    page.open("");
    page.type_into(BOX, "import numpy");
    page.type_keys(Key::Enter);
    page.see("This page was published without what is in the binaries");
    // The hint is also shown when builds are found.
    page.open("");
    page.type_into(BOX, "spack mirror add");
    page.see("spack mirror add: left out");
    page.see("See how to use this cache: its mirrors and their keys.");
}

#[test]
fn leads_to_what_is_known_of_a_package_in_a_question_that_it_cannot_answer() {
    Page::at_each_width(|page| {
        page.open("?q=is py-ml-dtypes any good for weather");
        page.see("No build matches");
        page.fits();
        page.follow("its versions in each stack");
        page.see_query("?package=py-ml-dtypes&tab=coverage&across=stack");
        page.open("?q=frobnicated weather");
        page.follow("how to use it");
        page.see_query("?tab=install");
    });
}

#[test]
fn takes_a_machine_from_the_words_of_a_search() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    for (asked, link, host) in [
        ("sequoia m2", "Show what runs on sequoia · m2", "darwin.sequoia.m2"),
        ("on rocky 9 with zen3", "Show what runs on rocky9 · zen3", "linux.rocky9.zen3"),
        ("macOS 15 m2", "Show what runs on sequoia · m2", "darwin.sequoia.m2"),
        // Builds are made for this OS, and others run there too.
        ("ubuntu 24.04 zen3", "Show what runs on ubuntu24.04 · zen3", "linux.ubuntu24.04.zen3"),
    ] {
        page.open(&format!("?q=py-ml-dtypes {asked}"));
        page.see("Is this your machine?");
        page.follow(link);
        page.see_query(&format!("?q=py-ml-dtypes&host={host}&runs=yes"));
    }
    // What may be the beginning of a hash, but of none here.
    page.open("?q=openfoam");
    page.see_element(&[("list", "Filters that are on"), ("button", "Remove name has openfoam")]);
    // There are no such builds on any machine.
    page.open("?q=py-ml-dtypes %25gcc@3 on rocky 9 with zen3");
    page.see("No build matches");
    page.see_no("Is this your machine?");
    // Its processor alone does not say what runs.
    page.open("?q=py-ml-dtypes zen3");
    page.press("My machine is zen3");
    page.type_into("OS", "ubuntu24.04");
    page.press("Show what runs");
    page.see_query("?q=py-ml-dtypes&host=linux.ubuntu24.04.zen3&runs=yes");
}

#[test]
fn says_that_builds_for_other_systems_may_run() {
    let cache = Cache::changed(3, |number, build| {
        build.package = ["hdf5", "hdf5", "petsc"][number].to_owned();
        build.os = ["rhel8", "ubuntu24.04", "rhel8"][number].to_owned();
        build.dependencies = Some(Vec::new());
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?q=hdf5 ubuntu24.04");
        page.see_builds(1);
        page.see("1 more build is for other systems; it may run on ubuntu24.04.");
        page.fits();
        page.open("?q=petsc ubuntu24.04");
        page.see_builds(0);
        page.see("1 build is for other systems; it may run on ubuntu24.04.");
        page.press("My machine is ubuntu24.04");
        page.type_into("Your machine in words, or the output of commands", "Ubuntu 24.04 zen4");
        page.press("Show what runs");
        page.see_query("?q=petsc&host=linux.ubuntu24.04.zen4.glibc@2.39&runs=yes");
    });
}

#[test]
fn asks_of_everything_after_a_text_has_led_away_from_a_page() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes");
    page.type_into(BOX, "py-safetensors");
    page.type_keys(Key::Enter);
    page.see_query("?package=py-safetensors");
    page.type_into(BOX, "os=ubuntu24.04");
    page.type_keys(Key::Enter);
    page.see_query("?os=ubuntu24.04");
}

#[test]
fn says_that_a_filter_excludes_what_no_build_has() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&not.stack=e4ss");
        page.see("No build here is in the stack e4ss, so excluding it changes nothing. Did you mean e4s?");
        page.fits();
        page.click(&[("list", "How the search is read"), ("link", "e4s")]);
        page.see_query("?package=py-ml-dtypes&not.stack=e4s");
        page.see_no("No build here is in the stack");
    });
}

#[test]
fn says_what_a_search_for_a_variant_leaves_out_or_includes() {
    let cache = Cache::changed(4, |number, build| {
        let cuda = |on| Variant { name: "cuda".to_owned(), value: VariantValue::Bool(on) };
        build.package = ["hdf5", "petsc", "openmpi", "zlib"][number].to_owned();
        build.variants =
            [vec![cuda(false)], vec![cuda(true)], vec![cuda(true)], vec![]][number].clone();
        build.dependencies = Some(Vec::new());
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.type_into(BOX, "anything without cuda");
        page.see_builds(1);
        page.see("Found are builds with the variant cuda switched off; 1 more build has no such variant.");
        page.fits();
        page.follow("Show both");
        page.see_query("?not.variant=cuda");
        page.see_builds(2);
        page.open("?variant=cuda");
        page.see_builds(2);
        page.see("The 1 build of openmpi has no code for GPUs of its own, and works without one.");
        page.fits();
    });
}

#[test]
fn says_that_nothing_is_for_the_family_itself() {
    let cache = Cache::changed(3, |number, build| {
        build.package = ["gromacs", "gromacs", "hdf5"][number].to_owned();
        build.target = ["neoverse_v2", "zen4", "aarch64"][number].to_owned();
        build.dependencies = Some(Vec::new());
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?q=gromacs aarch64");
        page.see_builds(1);
        page.see("None is for plain aarch64: this one is for neoverse_v2.");
        page.fits();
        page.open("?q=hdf5 aarch64");
        page.see_builds(1);
        page.see_no("None is for plain");
        // Together, these builds include one for plain aarch64.
        page.open("?q=arm");
        page.see_builds(2);
        page.see_no("None is for plain");
        page.open("?package=gromacs&q=target=x86_64:");
        page.see("None is for plain x86_64: this one is for zen4.");
    });
}

#[test]
fn knows_models_of_processors() {
    Page::at_each_width(|page| {
        page.open("?q=py-ml-dtypes EPYC 7763");
        page.see("EPYC 7763 is zen3. These run on zen3:");
        page.fits();
        page.open("?q=py-ml-dtypes Intel");
        page.see_no("Intel is x86_64");
    });
}

#[test]
fn completes_ranges_of_targets_that_have_builds() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_into(BOX, "py-ml-dtypes target=:x");
    page.see_element(&[("listbox", ""), ("option", "target=:x86_64_v3 · 82")]);
    page.see_no_element(&[("listbox", ""), ("option", "target=:x86_64_v2")]);
    // Nothing is made for targets that only zen3 or its successors run.
    page.type_into(BOX, "py-ml-dtypes target=zen3:");
    page.see("No build matches");
    page.see_no_element(&[("listbox", ""), ("option", "")]);
    page.see("x86_64_v3 instead of zen3:");
}

#[test]
fn explains_that_nothing_matches() {
    Page::at_each_width(|page| {
        page.open("?q=py-ml-dtypes@0.3.1&os=sequoia&target=x86_64_v3");
        page.see("No build matches");
        page.see("On x86_64_v3, py-ml-dtypes@0.3.1 exists only on ubuntu22.04.");
        page.see("Nearest builds:");
        page.see("ubuntu22.04 instead of sequoia");
        page.fits();
        page.click(&[("list", "Filters in the way"), ("button", "Remove OS sequoia")]);
        page.see_query("?q=py-ml-dtypes@0.3.1&target=x86_64_v3");
    });
}
