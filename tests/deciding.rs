//! What people base a decision on: what differs, what is alike, and the commands for the right build.

use cache_index::build::{Dependency, Deptypes, Place, Variant, VariantValue};

use crate::harness::{Cache, Page, Site, Width};

/// Returns the headings that are wider than their columns, the targets that are cut off, and the cells of variants that do not
/// show all their text.
const CUT: &str = "
    const narrow = (element) => element.scrollWidth > element.clientWidth + 1;
    const low = (element) => element.scrollHeight > element.clientHeight + 1;
    const isCut = (element) => element.scrollWidth > element.clientWidth;
    const targets = [...document.querySelectorAll('.builds .row .c-target')].filter(isCut);
    const heads = [...document.querySelectorAll('.builds thead th')].filter(narrow);
    const words = [...document.querySelectorAll('.builds .row .c-variant')].filter(low);
    return [...heads, ...targets, ...words].map((element) => element.className + ': ' + element.textContent)";

#[test]
fn shows_every_column_and_every_word_that_differs() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    for machine in ["", "&host=linux.ubuntu24.04.zen3"] {
        for package in ["py-ml-dtypes", "py-safetensors"] {
            page.open(&format!("?package={package}{machine}"));
            page.see("Same in all");
            for width in Width::ALL {
                page.resize(width);
                assert_eq!(page.ask(CUT), serde_json::json!([]), "{package}{machine} {width:?}");
                page.fits();
            }
        }
    }
}

#[test]
fn opens_the_differences_for_which_a_row_has_no_room() {
    let cache = Cache::changed(8, |number, build| {
        let variant = |place: usize| {
            let sign = if number >> (place % 3) & 1 == 1 { '+' } else { '~' };
            format!("{sign}variant_{place:02}").parse().expect("a variant")
        };
        build.package = "varied".to_owned();
        build.version = "1.0".to_owned();
        build.variants = (0..30).map(variant).collect();
    });
    Page::at_widths(&cache.site, &Width::ALL, |page| {
        page.open("?package=varied");
        page.see_builds(8);
        let height = "document.querySelector('.builds tbody .row').getBoundingClientRect().height";
        let height = page.ask(&format!("return {height}")).as_f64();
        assert!(height.is_some_and(|height| height <= 130.0), "{height:?}");
        assert_eq!(page.ask(CUT), serde_json::json!([]));
        page.fits();
        page.ask("document.querySelector('.c-variant .fold').click()");
        page.see("less");
        // Rows below the window are only drawn once the page is scrolled.
        page.ask(
            "scrollBy(0, 40); for (const _ of [1, 2]) await new Promise(requestAnimationFrame)",
        );
        // Together, the first row and the rows that were opened below it show every word.
        let words = page.ask(
            "const rows = [...document.querySelectorAll('.builds tbody .row')]; \
             const opened = rows.filter((row, at) => at === 0 || row.innerText.trim().startsWith('less')); \
             return opened.flatMap((row) => [...row.querySelectorAll('.spec span')]).map((it) => it.innerText)",
        );
        let mut words: Vec<&str> =
            words.as_array().into_iter().flatten().filter_map(|word| word.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 30, "{words:?}");
        assert_eq!(page.ask(CUT), serde_json::json!([]));
        page.fits();
        page.ask("document.querySelector('.c-hash .plain').click()");
        page.see_no("less");
    });
}

#[test]
fn shows_what_tells_neighbouring_rows_apart() {
    let cache = Cache::changed(8, |number, build| {
        let variant = |place: usize| {
            let sign = if (number / 2) >> (place % 2) & 1 == 1 { '+' } else { '~' };
            format!("{sign}variant_{place:02}").parse().expect("a variant")
        };
        build.package = "varied".to_owned();
        build.version = format!("1.{}", number / 2);
        build.variants = (0..30).map(variant).collect();
        (build.os, build.target) = ("ubuntu22.04".to_owned(), "x86_64_v3".to_owned());
        build.compiler = Some("gcc@11.4.0".to_owned());
        build.places = [Place::whole_release("develop")].into();
        // The two builds of each version differ only in what provides MPI.
        build.dependencies = Some(vec![Dependency {
            package: ["mpich", "openmpi"][number % 2].to_owned(),
            hash: "a".repeat(32).parse().expect("a hash"),
            deptypes: Deptypes::LINK,
            virtuals: vec!["mpi".to_owned()],
        }]);
    });
    Page::at_widths(&cache.site, &Width::ALL, |page| {
        page.open("?package=varied&host=linux.ubuntu22.04.zen3");
        page.see_builds(8);
        let rows = page.ask(
            "return [...document.querySelectorAll('.builds .row .c-variant')].map((cell) => cell.innerText)",
        );
        let rows: Vec<&str> =
            rows.as_array().into_iter().flatten().filter_map(|it| it.as_str()).collect();
        assert!(rows.len() >= 4, "{rows:?}");
        assert!(rows.iter().all(|row| row.contains("mpi=")), "{rows:?}");
        assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "{rows:?}");
        assert_eq!(page.ask(CUT), serde_json::json!([]));
        page.fits();
    });
}

#[test]
fn folds_builds_that_look_alike() {
    Page::at_widths(&Site::release(), &Width::ALL, |page| {
        page.open("?package=py-ml-dtypes&host=linux.ubuntu24.04.zen3");
        page.see("differ only in dependencies");
        assert_eq!(page.ask(CUT), serde_json::json!([]));
        page.fits();
        page.open("?package=py-ml-dtypes&version=0.3.1");
        page.see_builds(11);
        page.see("differ only in dependencies");
        page.see_no_element(&[("checkbox", "Select gjx3lie")]);
        page.ask("document.querySelectorAll('.fold').forEach((fold) => fold.click())");
        page.see("which this cache does not list");
        page.see_element(&[("checkbox", "Select gjx3lie")]);
        page.fits();
    });
}

#[test]
fn copies_the_same_commands_everywhere() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    let build = "gjx3lieose6je6ajipuwsz4fzmqh66gy";
    let commands = format!(
        "spack mirror add develop-e4s https://binaries.spack.io/develop/e4s\n\
         spack buildcache keys --install --trust\n\
         spack install --cache-only /{build}\n"
    );
    page.open(&format!("?hash={build}"));
    page.press("Copy all");
    page.see_copied(&commands);
    page.open("?package=py-ml-dtypes&version=0.3.1&sort=hash");
    page.click(&[("row", "gjx3lie"), ("button", "Copy install commands")]);
    page.see_copied(&commands);
    page.open(&format!("?compare={build}&compare=azfxomx47zgirohxluy2b4dqocroud4c"));
    page.see_element(&[("rowheader", "Install")]);
    assert_eq!(page.number(&[("row", "Install"), ("button", "Copy install commands")]), 2);
}

#[test]
fn copies_the_commands_for_the_stack_that_is_chosen() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    // This build is in another stack, too, which comes first by name.
    page.open("?package=py-ml-dtypes&stack=ml-linux-x86_64-cuda&sort=hash");
    page.click(&[("row", "azfxomx"), ("button", "Copy install commands")]);
    page.see_copied(
        "spack mirror add develop-ml-linux-x86_64-cuda https://binaries.spack.io/develop/ml-linux-x86_64-cuda\n\
         spack buildcache keys --install --trust\n\
         spack install --cache-only /azfxomx47zgirohxluy2b4dqocroud4c\n",
    );
}

#[test]
fn puts_the_commands_directly_under_the_title_on_a_phone() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    page.open("?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy");
    page.see_element(&[("heading", "Get this build")]);
    let order = page.ask(
        "const top = (selector) => document.querySelector(selector).getBoundingClientRect().top; \
         return [top('.title'), top('.get'), top('.known')]",
    );
    let order: Vec<f64> =
        order.as_array().into_iter().flatten().filter_map(|y| y.as_f64()).collect();
    assert!(order.len() == 3 && order.is_sorted(), "{order:?}");
    page.see("does not list dependencies");
}

#[test]
fn leads_to_similar_builds_and_back_from_a_comparison() {
    Page::at_each_width(|page| {
        page.open("?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy");
        page.see_element(&[("heading", "Similar builds")]);
        // Nothing is nearer than another build of the same spec.
        page.see("the same spec; this cache does not list dependencies");
        page.fits();
        page.open(
            "?compare=gjx3lieose6je6ajipuwsz4fzmqh66gy&compare=azfxomx47zgirohxluy2b4dqocroud4c",
        );
        page.follow("py-ml-dtypes");
        page.see_builds(129);
    });
}

#[test]
fn recommends_one_build_above_the_list() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&host=linux.ubuntu24.04.zen3");
        page.see("For your machine, the newest release:");
        page.fits();
        page.open("?package=py-ml-dtypes");
        page.see("The newest release for the system that most builds are for:");
        page.open("?package=py-ml-dtypes&host=linux.rhel6.zen3");
        page.see("Nothing here works on your machine; the nearest:");
        page.see("made on ubuntu24.04; yours is rhel6");
        page.fits();
        // A filter may leave out the builds that work.
        page.open("?package=py-ml-dtypes&host=linux.ubuntu24.04.zen3&runs=no");
        page.see("Of those that do not work on your machine, the nearest:");
        page.see_no("Nothing here works");
        // Nobody on a Mac can use the nearest build for Linux.
        page.open("?package=py-ml-dtypes&os=ubuntu24.04&host=darwin.sequoia.m2");
        page.see("Nothing that matches is for machines like yours; the nearest that works:");
        page.see("sequoia instead of ubuntu24.04");
        page.fits();
    });
}

#[test]
fn recommends_no_code_for_gpus_unless_one_is_stated() {
    let cache = Cache::changed(2, |number, build| {
        let variant = |name: &str, value| Variant { name: name.to_owned(), value };
        let gpu = VariantValue::Multi(vec!["gfx942".to_owned()]);
        build.package = "kokkos".to_owned();
        build.version = ["4.5", "4.7"][number].to_owned();
        (build.os, build.target) = ("ubuntu24.04".to_owned(), "x86_64_v3".to_owned());
        build.dependencies = Some(Vec::new());
        build.variants = match number {
            0 => Vec::new(),
            _ => vec![variant("amdgpu_target", gpu), variant("rocm", VariantValue::Bool(true))],
        };
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?package=kokkos");
        page.see(
            "The newest release without code for GPUs, for the system that most builds are for:",
        );
        page.see("kokkos@4.5");
        page.fits();
        page.open("?package=kokkos&variant=rocm&tab=install");
        page.see("It has code for GPUs: amdgpu_target=gfx942 +rocm.");
        page.fits();
        page.press("Say which GPU your machine has");
        page.see("Which builds run on your machine?");
    });
}

#[test]
fn names_the_newest_release_rather_than_a_branch() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes");
    page.see("newest release 0.4.0");
    page.see_no("0 stacks");
}
