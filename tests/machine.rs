//! The user's machine: what runs on it, and why not.

use cache_index::build::{Variant, VariantValue};

use crate::harness::{Cache, Key, Page, Site, Width};

/// The field in which a machine is described.
const WORDS: &str = "Your machine in words, or the output of commands";

#[test]
fn shows_for_each_build_whether_it_runs() {
    Page::at_each_width(|page| {
        page.open("");
        page.press("My machine: any");
        page.type_into(WORDS, "linux-ubuntu24.04-zen3");
        page.press("Show what runs");
        // What runs is shown at once; one click on its chip undoes that.
        page.see_query("?host=linux.ubuntu24.04.zen3&runs=yes");
        page.see_element(&[("button", "My machine: ubuntu24.04 · zen3")]);
        page.see_builds(150);
        page.press("Remove works here yes");
        page.see_query("?host=linux.ubuntu24.04.zen3");
        page.see_builds(390);
        page.see_count("Works here", "yes", 150);
        page.see_count("Works here", "no", 240);
        page.see_count("Works here", "unknown", 0);
        page.toggle_facet("Works here", "yes");
        page.see_count("Works here", "no", 240);
        page.close_filters();
        page.see_builds(150);
        page.follow("py-ml-dtypes");
        page.see_builds(60);
        page.see("runs");
        page.fits();
        page.press("Remove works here yes");
        // Builds that do not run come last.
        page.see_builds(129);
        let words = page
            .ask("return [...document.querySelectorAll('td.c-works b')].map((b) => b.innerText)");
        let words: Vec<&str> =
            words.as_array().into_iter().flatten().filter_map(|b| b.as_str()).collect();
        assert!(words.first() == Some(&"runs"), "{words:?}");
        assert!(words.is_sorted_by_key(|word| *word != "runs"), "{words:?}");
        page.back();
        page.see_builds(60);
        page.reload();
        page.see_builds(60);
    });
}

#[test]
fn explains_why() {
    Page::at_each_width(|page| {
        let build = "hash=iy5fms5os6dnlfh4g235jcva6sdykpwp";
        page.open(&format!("?{build}&host=linux.ubuntu22.04.cortex_a72"));
        page.see("does not run: built for neoverse_v1; yours is cortex_a72, for which Spack does not list");
        page.see("It does not run on your machine: the commands are for one on which it does.");
        page.open(&format!("?{build}&host=linux.ubuntu24.04.neoverse_v1"));
        page.see("does not run: made on ubuntu22.04; yours is ubuntu24.04");
        page.open(&format!("?{build}&host=linux.ubuntu22.04.neoverse_v1"));
        page.see("runs: built for neoverse_v1, as yours is");
        page.fits();
    });
}

#[test]
fn remembers_the_machine_only_if_asked_to() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    // A link whose end was cut off.
    page.open("?host=linux.ubuntu22.04");
    page.see(
        "host=linux.ubuntu22.04 (expected platform, OS and target, as in linux-ubuntu24.04-zen4)",
    );
    page.open("?host=darwin.sequoia.m1");
    page.see_element(&[("button", "My machine: sequoia · m1")]);
    page.open("");
    page.press("My machine: any");
    page.type_into(WORDS, "darwin-sequoia-m2");
    page.click(&[("checkbox", "Remember on this device")]);
    page.press("Show what runs");
    page.see_query("?host=darwin.sequoia.m2&runs=yes");
    page.open("?os=sequoia");
    page.see_query("?os=sequoia&host=darwin.sequoia.m2");
    // A link may state another machine.
    page.open("?host=darwin.sequoia.m1");
    let other = "My machine: sequoia · m1 · not the one remembered here";
    page.see_element(&[("button", other)]);
    page.open("?os=sequoia");
    page.press("My machine: sequoia · m2");
    page.press("Any machine");
    page.see_query("?os=sequoia");
    page.open("");
    page.see_element(&[("button", "My machine: any")]);
}

#[test]
fn takes_the_libc_of_an_os_from_the_cache() {
    let cache = crate::dependencies::cache();
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?host=linux.ubuntu22.04.zen4");
        page.press("My machine: ubuntu22.04 · zen4");
        page.see("glibc@2.35, which all builds for ubuntu22.04 in this cache need");
        page.fits();
        page.type_into("libc", "glibc@2.17");
        page.press("Show what runs");
        page.see_query("?host=linux.ubuntu22.04.zen4.glibc@2.17&runs=yes");
        // The compiler wrapper is linked with no libc, but each machine makes its own; everything else needs a newer one.
        page.see("No build matches");
        page.open("?host=linux.ubuntu22.04.zen4.glibc@2.17");
        page.see_count("Works here", "unknown", 0);
        page.see_count("Works here", "yes", 0);
    }
}

#[test]
fn counts_what_may_run_if_nothing_certainly_does() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?q=libxml2&host=linux.rocky8.zen3&runs=yes");
        page.see(
            "Your machine: no build is made for rocky8; its libc decides which of the others run",
        );
        page.see("It is unknown whether 3 builds run on your machine.");
        page.see("unknown: needs glibc@2.35");
        page.fits();
        page.press("Show them too");
        page.see_query("?q=libxml2&host=linux.rocky8.zen3&runs=yes&runs=unknown");
        page.see_builds(3);
        page.back();
        page.follow("Assume glibc@2.28, which it ships");
        page.see_query("?q=libxml2&host=linux.rocky8.zen3.glibc@2.28&runs=yes");
        page.back();
        page.press("State its libc");
        page.see_focused("machine-own-libc");
        // The libc that rocky8 ships is suggested, and only has to be confirmed.
        page.see("Assumed: rocky8 ships it. Correct it if yours has another.");
        page.press("Show what runs");
        page.see_query("?q=libxml2&host=linux.rocky8.zen3.glibc@2.28&runs=yes");
        page.see_element(&[("button", "My machine: rocky8 · zen3 · glibc 2.28")]);
        page.see("No build matches");
        page.see_no("It is unknown whether");
        page.open("?package=libxml2&tab=install&host=linux.rocky8.zen3.glibc@2.28");
        page.see("None of these builds works on your machine");
        page.see("Build it from source, on your machine");
        page.see("spack install libxml2");
        page.see("The nearest build, for another machine:");
        page.see_no("Any build that matches");
        page.see_no("Mirrors with builds that match");
    }
}

#[test]
fn shows_only_what_uses_my_gpu() {
    let cache = Cache::changed(8, |number, build| {
        let variant = |name: &str, value| Variant { name: name.to_owned(), value };
        let arch = |arch: &str| VariantValue::Multi(vec![arch.to_owned()]);
        build.dependencies = None;
        let cuda = || variant("cuda", VariantValue::Bool(true));
        build.variants = match number {
            0 | 1 => vec![cuda(), variant("cuda_arch", arch("80"))],
            2 => vec![cuda(), variant("cuda_arch", arch("90"))],
            _ => Vec::new(),
        };
    });
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?host=linux.ubuntu24.04.zen4&gpu=A40");
    page.see_builds(8);
    page.see_count("Works here", "uses my GPU", 2);
    page.toggle_facet("Works here", "uses my GPU");
    page.see_query("?host=linux.ubuntu24.04.zen4&gpu=A40&uses=gpu");
    page.see_builds(2);
    page.reload();
    page.see_builds(2);
    page.press("Remove uses my GPU A40");
    page.see_builds(8);
    page.open("?host=linux.ubuntu24.04.zen4&gpu=H100&uses=gpu");
    page.see_builds(1);
    page.open("?host=linux.ubuntu24.04.zen4&gpu=V100&uses=gpu");
    page.see("No build matches");
    page.press("Clear all filters");
    page.see_builds(8);
    // For a machine without a GPU, the page does not ask.
    page.open("?host=linux.ubuntu24.04.zen4");
    page.see_builds(8);
    page.see_no("uses my GPU");
}

#[test]
fn says_what_of_a_machine_in_a_link_is_left_out() {
    Page::at_each_width(|page| {
        page.open("?host=linux.ubuntu24.04.zen4&gpu=H1000");
        page.see("the GPU H1000 is not known here, so builds are not judged by it");
        page.fits();
        // A link that somebody has shortened.
        for link in ["?gpu=H100&uses=gpu", "?runs=yes"] {
            page.open(link);
            page.see("none is chosen, so what the address asks of one is not answered");
        }
        page.open("?reuse=false");
        page.see("none is chosen, so your settings of Spack change nothing yet");
        // Settings that are not applied are named wherever there are verdicts.
        page.open("?host=linux.ubuntu24.04.zen4&reuse.unapplied=packages:all:require:+%25gcc@12");
        page.see("Your settings: packages:all:require: %gcc@12 is not applied");
        page.open("?host=linux.ubuntu24.04.zen4&spack=9.9&reuse.include=hdf5%40%401.14");
        page.see("Spack 9.9 is not known here, and is judged like 1.3");
        page.see("hdf5@@1.14 in include is not a spec, and is left out");
        page.fits();
        page.open("?host=linux.ubuntu24.04.zen4&gpu=H100&uses=gpu");
        page.see("No build matches");
        page.see_no("Your machine: ");
    });
}

#[test]
fn judges_the_gpu_code_of_a_build() {
    let cache = Cache::changed(8, |number, build| {
        let variant = |name: &str, value| Variant { name: name.to_owned(), value };
        let arch = VariantValue::Multi(vec!["80".to_owned()]);
        build.dependencies = None;
        build.variants = match number {
            0 => vec![variant("cuda", VariantValue::Bool(true)), variant("cuda_arch", arch)],
            _ => Vec::new(),
        };
    });
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(8);
    let hash = |has: &str| {
        let all = "spackCache.builds('')";
        let hash =
            format!("return {all}.find((b) => {has}String(b.variants).includes('cuda')).hash");
        page.ask(&hash).as_str().expect("a hash").to_owned()
    };
    let (with, without) = (hash(""), hash("!"));
    for (gpu, words) in [
        ("A40", "runs on your GPU: cuda_arch=80 runs on A40"),
        ("H100", "runs on your GPU only through PTX"),
        ("V100", "does not run on your GPU"),
        ("MI250X", "its GPU code is for NVIDIA"),
    ] {
        page.open(&format!("?hash={with}&host=linux.ubuntu24.04.zen4&gpu={gpu}"));
        page.see(words);
    }
    page.open(&format!("?hash={without}&host=linux.ubuntu24.04.zen4&gpu=V100"));
    page.see("On your machine: ");
    page.see_no_element(&[("test", "gpu")]);
}

#[test]
fn says_in_place_what_is_wrong_with_a_machine() {
    Page::at_each_width(|page| {
        page.open("");
        page.press("My machine: any");
        page.type_into(WORDS, "frobnicator");
        page.see("Not understood: frobnicator");
        page.type_into(WORDS, "linux-ubuntu24.04-zenn4");
        page.see("Unknown target zenn4: did you mean zen4?");
        page.fits();
        page.press("Show what runs");
        page.see_query("");
        assert_eq!(page.ask("return document.activeElement.id"), "machine-target");
        page.press("Use zen4");
        page.see_no("Unknown target");
        page.type_into(WORDS, "linux-ubunut24.04-zen4");
        page.see_no("Unknown target");
        page.see("No build is made for ubunut24.04: did you mean ubuntu24.04?");
        page.fits();
        page.press("Use ubuntu24.04");
        page.see_no("No build is made for");
        page.type_into("libc", "glibc@");
        page.press("Show what runs");
        page.see("expected a libc with its version, as in glibc@2.39");
        // A link may name such a machine, too.
        page.open("?host=linux.ubuntu24.04.zen33");
        page.see("Your machine: unknown target zen33: did you mean zen3?");
        page.fits();
        page.press("Change it");
        page.see("Unknown target zen33: did you mean zen3?");
        page.press("Use zen3");
        page.press("Show what runs");
        page.see_query("?host=linux.ubuntu24.04.zen3&runs=yes");
        page.see_no("Your machine: ");
        page.open("?host=linux.ubunut24.04.zen3");
        page.see("Your machine: no build is made for ubunut24.04: did you mean ubuntu24.04?");
    });
}

/// Reads a field of the form.
#[track_caller]
fn field(page: &Page<'_>, id: &str) -> String {
    let value = page.ask(&format!("return document.getElementById('{id}').value"));
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn understands_a_machine_in_the_words_of_people() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("");
        page.press("My machine: any");
        page.type_into(WORDS, "Rocky 9, sapphire rapids, 4x H100");
        page.see("Assumed: rocky9 ships it. Correct it if yours has another.");
        let fields = ["machine-os", "machine-target", "machine-own-libc", "machine-gpu"];
        let read = fields.map(|id| field(&page, id));
        assert_eq!(read, ["rocky9", "sapphirerapids", "glibc@2.34", "H100"]);
        page.fits();
        page.is_accessible();
        page.screenshot("machine-in-words");
        page.press("Show what runs");
        page.see_query("?host=linux.rocky9.sapphirerapids.glibc@2.34&gpu=H100&runs=yes");
        page.see_element(&[("button", "My machine: rocky9 · sapphirerapids · glibc 2.34 · H100")]);
        // One output after the other, as a terminal shows them; a Mac has no libc to state.
        page.press("My machine: rocky9 · sapphirerapids · glibc 2.34 · H100");
        page.type_into(
            WORDS,
            "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\nVERSION_ID=\"12\"",
        );
        page.see("Assumed: debian12 ships it");
        assert_eq!(field(&page, "machine-target"), "sapphirerapids");
        page.type_into(WORDS, "ldd (Debian GLIBC 2.36-9+deb12u4) 2.36");
        assert_eq!(field(&page, "machine-own-libc"), "glibc@2.36");
        page.see_no("Assumed: debian12 ships it");
        // All of them together; the last one ends with a line of dashes.
        let smi =
            include_str!("../crates/cache-advice/src/machine_words/samples/nvidia-smi-a100.txt");
        page.put_into(WORDS, &format!("linux-ubuntu24.04-icelake\n{smi}"));
        let read = ["machine-os", "machine-target", "machine-gpu"].map(|id| field(&page, id));
        assert_eq!(read, ["ubuntu24.04", "icelake", "sm_80"]);
        // The libc depends on the service pack, which Spack's name of the OS leaves out.
        page.type_into(WORDS, "SLES 15 SP5 zen3");
        page.see("Assumed: sles15 ships it");
        let read = ["machine-os", "machine-own-libc"].map(|id| field(&page, id));
        assert_eq!(read, ["sles15", "glibc@2.31"]);
        page.type_into(WORDS, "openSUSE Leap 15.6 zen3");
        assert_eq!(field(&page, "machine-own-libc"), "glibc@2.38");
        // Another machine does not keep what was said of the one before.
        page.type_into(WORDS, "macOS 15 Sequoia, M2 Pro");
        let has_libc = page.ask("return !!document.getElementById('machine-own-libc')");
        assert_eq!(has_libc, false);
        page.press("Show what runs");
        page.see_query("?host=darwin.sequoia.m2&runs=yes");
    }
}

#[test]
fn reads_the_version_of_spack_where_a_machine_is_described() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.press("My machine: any");
    page.type_into(WORDS, "$ spack --version\n0.23.1\n$ spack arch\nlinux-ubuntu24.04-zen4");
    page.see_query("");
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu24.04.zen4&spack=0.23&runs=yes");
    page.press("My machine: ubuntu24.04 · zen4 · Spack 0.23");
    page.type_into(WORDS, "1.0.2\nlinux-ubuntu24.04-zen4");
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu24.04.zen4&spack=1.0&runs=yes");
    page.back();
    // What the new text does not mention stays.
    page.press("My machine: ubuntu24.04 · zen4 · Spack 0.23");
    page.type_into(WORDS, "icelake");
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu24.04.icelake&spack=0.23&runs=yes");
    page.back();
    page.see_query("?host=linux.ubuntu24.04.zen4&spack=0.23&runs=yes");
    // The version in the field counts more, if it is changed after the text.
    page.press("My machine: ubuntu24.04 · zen4 · Spack 0.23");
    page.type_into(WORDS, "Ubuntu 24.04, zen4, Spack 1.0");
    page.ask(
        "const label = [...document.querySelectorAll('label')].find(label => label.textContent.startsWith('Spack'));
         const versions = label.querySelector('select');
         versions.value = '1.1';
         versions.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu24.04.zen4&spack=1.1&runs=yes");
}

#[test]
fn puts_an_os_into_spacks_words_and_offers_its_libc() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.press("My machine: any");
    page.type_into("OS", "Ubuntu 22.04");
    page.type_into("GPU", "H1000");
    page.see("Expected a GPU such as H100, sm_90, MI250X or gfx90a");
    assert_eq!(field(&page, "machine-os"), "ubuntu22.04");
    page.type_into("libc", "2.31");
    page.type_into("GPU", "gfx90a");
    page.type_into("OS", "Rocky 8");
    page.type_into("GPU", "sm_90");
    // A typed value is not replaced by an assumed one.
    assert_eq!(field(&page, "machine-own-libc"), "2.31");
    page.press("Show what runs");
    page.see("Say which processor your machine has: choose a target, or paste what spack arch or lscpu prints");
    // When leaving a field makes a message disappear, the button does not move away from the pointer.
    page.type_into(WORDS, "zen3");
    page.type_into("OS", "Ubuntu 22.04");
    page.see_no("No build is made for Ubuntu 22.04");
    page.press("Show what runs");
    page.see_query("?host=linux.ubuntu22.04.zen3.glibc@2.31&gpu=sm_90&runs=yes");
}

#[test]
fn says_where_nothing_works_what_was_assumed_of_the_machine() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?package=libxml2");
        page.press("My machine: any");
        page.type_into(WORDS, "Fedora 40 ryzen");
        page.see("Assumed target x86_64: only the family of the processor is known.");
        page.press("Show what runs");
        page.see_query("?package=libxml2&host=linux.fedora40.x86_64.glibc@2.39&runs=yes");
        page.see("No build matches");
        page.see(
            "The verdicts are for a machine with target x86_64: only the family of the processor is known; \
             libc glibc@2.39: fedora40 ships it.",
        );
        page.fits();
        page.press("Correct it");
        // The cache has builds for one macOS.
        page.type_into(WORDS, "Mac M2");
        page.see("Assumed OS sequoia: the only macOS that this cache has builds for.");
        page.type_keys(Key::Enter);
        page.see_query("?package=libxml2&host=darwin.sequoia.m2&runs=yes");
        page.back();
        page.see("No build matches");
        page.press("Correct it");
        page.type_into(WORDS, "ryzen 7950X");
        assert_eq!(field(&page, "machine-target"), "zen4");
        page.press("Show what runs");
        page.see_query("?package=libxml2&host=linux.fedora40.zen4.glibc@2.39&runs=yes");
        page.see_no("No build matches");
        // If the machine is not the reason, it is not mentioned.
        page.open("?q=nosuchpackage&host=linux.fedora40.x86_64");
        page.see("No build matches");
        page.see_no("The verdicts are for a machine with");
    }
}

#[test]
fn loses_nothing_that_was_typed_while_settings_are_read() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("");
        page.press("My machine: any");
        page.type_into(WORDS, "linux-debian13-zen3");
        page.type_into("libc", "2.41");
        page.press("Settings about reuse");
        page.type_into("Settings to read", "concretizer:\n  reuse: {exclude: ['~python']}");
        page.see("Read: the fields below show it");
        let fields = ["machine-os", "machine-target", "machine-own-libc"];
        assert_eq!(fields.map(|id| field(&page, id)), ["debian13", "zen3", "2.41"]);
        // The one button applies everything, including what has just been pasted.
        page.type_into("Settings to read", "concretizer:\n  reuse: {exclude: ['+python']}");
        page.press("Show what runs");
        page.see_query("?host=linux.debian13.zen3.glibc@2.41&reuse.exclude=%2Bpython&runs=yes");
        page.see_element(&[("button", "My machine: debian13 · zen3 · glibc 2.41 · own settings")]);
    }
}

#[test]
fn names_settings_that_are_not_applied() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=libxml2&host=linux.debian13.zen3.glibc@2.41");
    page.press("My machine: debian13 · zen3 · glibc 2.41");
    page.press("Settings about reuse");
    page.type_into(
        "Settings to read",
        "packages:\n  all:\n    require: '%gcc@12'\ninclude: [site.yaml]",
    );
    let required = "packages:all:require: %gcc@12 is not applied: builds that it excludes are shown as eligible.";
    page.see(required);
    page.see("site.yaml is included, but not read: builds that it excludes are shown as eligible.");
    page.see_no("Nothing in it changes");
    page.see_element(&[("link", "Show the builds that satisfy %gcc@12")]);
    page.screenshot("settings-not-applied");
    // A link says so, too.
    page.reload();
    page.press("My machine: debian13 · zen3 · glibc 2.41 · own settings, not all applied");
    page.see(required);
    // And so do the verdicts.
    page.open("?hash=4lws4tosmpx55gbfuw4j64pzrk6lskys&host=linux.debian13.zen3.glibc@2.41&reuse.unapplied=packages:all:require:+%25gcc@12");
    page.see("eligible");
    page.see(required);
    page.open("?package=libxml2&host=linux.debian13.zen3.glibc@2.41&reuse.unapplied=packages:all:require:+%25gcc@12");
    page.see("For your machine, the newest release with the newest dependencies:");
    page.see(required);
    page.fits();
}
