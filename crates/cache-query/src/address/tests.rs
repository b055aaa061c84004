//! Addresses: reading, writing, and what is ignored.

use std::sync::Arc;

use cache_index::sample;
use cache_index::settings::{External, InstallTree, Reuse, ReuseSource, Settings, Targets};
use proptest::prelude::*;

use super::*;
use crate::search::SplitText;
use crate::{
    Across, AskedEnvironment, Change, Class, Column, MatrixRows, NodeStatus, ShownNodes, Sort, Tab,
    View, apply,
};

#[test]
fn reports_days_that_no_calendar_has() {
    for day in ["2026-11-14", "2024-02-29", "2026-11-14T23:59:59Z"] {
        assert_eq!(decode(&format!("since={day}")).1, [], "{day}");
    }
    for day in ["2026-13-01", "2026-11-31", "2026-02-29", "2026-00-10", "2026-11-14T24:00:00Z"] {
        let address = format!("since={day}");
        assert_eq!(decode(&address).1.len(), 1, "{day}");
        assert_eq!(decode(&address).0.question.since, None, "{day}");
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    // Arbitrary text, and text that has a meaning for some key.
    let text = prop_oneof![
        any::<String>(),
        "[a-z+~=:,%&#<>\"' @/.é\u{202e}-]{0,6}",
        "[+~-][a-z]{1,3}",
        "[a-z]{1,3}:?=[a-z+]{0,3}",
    ];
    let facet = prop::sample::select(Facet::ALL.to_vec());
    let column = prop::sample::select(Column::ALL.to_vec());
    let matching = prop::sample::select(vec![Match::Any, Match::All]);
    let change = (0..25, facet, text, column, matching, any::<bool>()).prop_map(
        |(kind, facet, text, column, matching, descending)| match kind {
            0 => Change::Type(SplitText {
                looks_for: Some(text.clone()),
                text,
                ..SplitText::default()
            }),
            22 => {
                let key = ["file", "import", "license", "signed"][text.len() % 4];
                let filter = PartFilter::read(key, &text);
                Change::TogglePart(filter.unwrap_or(PartFilter::Signed(text.len() % 8 < 4)))
            }
            23 => Change::ToggleOnGpu,
            24 => Change::ShowMirror(text),
            1 | 2 => Change::Toggle(facet, text),
            3 => Change::ToggleExcluded(facet, text),
            4 => Change::Only(facet, text),
            5 => Change::Include(facet, text),
            6 => Change::Match(facet, matching),
            7 => Change::OpenPackage(text),
            8 => Change::OpenBuild(sample::hash(text.len())),
            9 => Change::Tab(if descending { Tab::Coverage } else { Tab::Install }),
            10 => Change::Across(if descending { Across::Stack } else { Across::Compiler }),
            11 => Change::Host(text.parse().or("linux.a.zen4.glibc@2.3".parse()).ok()),
            12 => Change::ToggleRuns(if descending { Runs::Yes } else { Runs::Unknown }),
            13 => Change::Sort(Sort { column, descending }),
            14 => Change::Prefer(Arc::new(preference(text, column, descending))),
            15 if descending => Change::ShowRows(MatrixRows::OnlyIn(text)),
            15 if text.len() % 2 == 0 => Change::ShowRows(MatrixRows::InEach),
            15 => Change::ShowRows(MatrixRows::Gaps),
            16 => Change::OpenEnvironment(AskedEnvironment {
                file: (!descending).then(|| "0f".to_owned()),
                specs: vec![
                    "hdf5+mpi cflags=\"-O2 -g\" ^mpich@4: build_type=Release".to_owned(),
                    text,
                ],
            }),
            17 => Change::ShowNodes(ShownNodes {
                status: descending.then_some(NodeStatus::Cached),
                only_to_run: descending,
                name: text,
            }),
            18 => Change::OpenChanges(text.as_str().into()),
            20 => Change::Gpus(vec![text.clone(), "H100".to_owned(), text]),
            19 => Change::ShowClass(descending.then_some(Class::RecipeOnly)),
            _ => Change::Columns(Some(vec![column, Column::Hash])),
        },
    );
    prop::collection::vec(change, 0..8)
}

/// Returns settings of each kind with a text in them.
fn preference(text: String, column: Column, yes: bool) -> Preference {
    let both = vec![text.clone(), text.clone()];
    let source =
        |include: &str| ReuseSource { include: vec![include.to_owned()], exclude: both.clone() };
    let caches = match column {
        Column::Hash => Vec::new(),
        Column::Builds => vec![source("zlib")],
        Column::Newest => vec![source("zlib"), ReuseSource::default()],
        _ => vec![source("zlib"), source("+mpi"), source("zlib")],
    };
    let settings = Settings {
        reuse: if yes { Reuse::Nothing } else { Reuse::Dependencies },
        caches,
        asked: vec![text.clone(), "zlib".to_owned()],
        targets: Targets { host_compatible: yes, only_generic: yes },
        os_compatible: vec![(text.clone(), both.clone()), ("a".to_owned(), Vec::new())],
        repositories: vec!["mine".to_owned(), text.clone()],
        externals: vec![External {
            spec: text.clone(),
            prefix: yes.then(|| text.clone()),
            modules: both.clone(),
        }],
        install_tree: Some(InstallTree { root: format!("/{text}/"), padded_length: text.len() }),
        unapplied: both.clone(),
    };
    let spack = if yes { "0.23" } else { "1.2" }.parse().expect("a version");
    let settings = if column == Column::Versions { Settings::default() } else { settings };
    Preference { spack, settings }
}

#[test]
fn reads_a_limited_number_of_pairs() {
    let pairs: Vec<String> = (0..20_000).map(|number| format!("os=x{number}")).collect();
    let (query, ignored) = decode(&pairs.join("&"));
    assert_eq!(query.question.choice(Facet::Os).included().len(), MOST_PAIRS);
    assert_eq!(ignored, [IgnoredPart::Rest(19_000)]);
    assert_eq!(ignored[0].to_string(), "19,000 after the first 1000");
    assert_eq!(decode(&pairs[..MOST_PAIRS].join("&")).1, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn decodes_what_it_encodes(changes in changes()) {
        let query = changes.into_iter().fold(Query::default(), |q, change| apply(&q, change));
        let address = encode(&query);
        prop_assert_eq!(decode(&address), (query.clone(), vec![]), "{}", address);
        // Programs along the way may escape more than necessary, or unescape what they can.
        prop_assert!(address.is_ascii());
        prop_assert!(!address.contains([' ', '"', '<', '>', '#', '\'', '+']));
    }

    #[test]
    fn writes_any_address_in_canonical_form(text in ".*") {
        let (query, _) = decode(&text);
        let written = encode(&query);
        prop_assert_eq!(decode(&written), (query, vec![]));
    }
}

#[test]
fn reads_addresses_as_people_write_them() {
    #[track_caller]
    fn check(address: &str, canonical: &str) {
        let (query, ignored) = decode(address);
        assert_eq!(ignored, []);
        assert_eq!(encode(&query), canonical);
    }
    check("", "");
    check("?", "");
    check("?os=ubuntu22.04&os=rhel8&q=hdf5", "q=hdf5&os=ubuntu22.04&os=rhel8");
    check("variant=mpi", "variant=mpi");
    check("variant=+mpi", "variant=mpi");
    check("variant=%2Bmpi", "variant=mpi");
    check("variant=%20mpi", "variant=mpi");
    check("variant=~mpi", "variant=~mpi");
    check("variant=build_type=Release", "variant=build_type=Release");
    check("variant=languages%3Dc%2B%2B", "variant=languages=c%2B%2B");
    check("compiler=gcc@=13.2.0", "compiler=gcc@13.2.0");
    check("os=a&os=a", "os=a");
    check("sort=-version&columns=version,hash", "sort=-version&columns=hash,version");
    check("spec=hdf5+mpi&spec=zlib", "spec=hdf5%2Bmpi&spec=zlib");
    check("spec=hdf5+mpi%25gcc", "spec=hdf5%2Bmpi%25gcc");
    let spaced = "spec=hdf5%20build_type=Release%20~mpi%20%5Empich";
    check("spec=hdf5+build_type=Release+~mpi+%5Empich", spaced);
    check("environment", "environment=");
    check("environment=0f&spec=zlib", "environment=0f&spec=zlib");
    check("q=100%&&os=%zz", "q=100%25&os=%25zz");
    check("package=hdf5&all=stack&stack=b&stack=a", "package=hdf5&stack=b&stack=a&all=stack");
    check(
        "spack=v1.1.0&host=linux.ubuntu22.04.zen3&reuse=dependencies&reuse.root=hdf5&reuse.root=hdf5&reuse.exclude=+mpi",
        "host=linux.ubuntu22.04.zen3&spack=1.1&reuse=dependencies&reuse.exclude=%2Bmpi&reuse.root=hdf5",
    );
    check("reuse.from=buildcache&reuse.include=+mpi", "reuse.include=%2Bmpi");
    let two = "reuse.from=buildcache&reuse.include=zlib&reuse.from=buildcache&reuse.exclude=~mpi";
    check(two, two);
    check("reuse.from=none", "reuse.from=none");
    check(
        "reuse.targets=family&reuse.targets=generic&reuse=true",
        "reuse.targets=generic&reuse.targets=family",
    );
    let external =
        "reuse.external=cray-mpich@8.1&reuse.prefix=/opt/cray&reuse.module=cray-mpich/8.1";
    check(external, external);
    check("reuse.repository=builtin&reuse.repository=mine", "reuse.repository=mine");
    check("changes=a/s..b/s&class=gone", "changes=a/s..b/s&class=gone");
    check("changes", "changes=");
}

#[test]
fn knows_which_addresses_no_first_visit_has() {
    for address in ["?spack=1.0", "os=a&reuse.from=none", "reuse", "os=a&runs=yes", "?spec=zlib"] {
        assert!(is_beyond_first_visits(address), "{address}");
    }
    for address in ["", "?os=a&q=spack=1.0", "stack=a&stack=b&all=stack&sort=hash", "?unknown=1"] {
        assert!(!is_beyond_first_visits(address), "{address}");
    }
}

#[test]
fn reports_what_it_does_not_understand() {
    #[track_caller]
    fn check(address: &str, canonical: &str, reported: &[&str]) {
        let (query, ignored) = decode(address);
        assert_eq!(encode(&query), canonical);
        let ignored: Vec<String> = ignored.iter().map(IgnoredPart::to_string).collect();
        assert_eq!(ignored, reported);
    }
    check("utm_source=x&os=a", "os=a", &["utm_source"]);
    check("sort=colour", "", &["sort=colour"]);
    check("tab=colour&across=os", "", &["tab=colour", "across=os"]);
    check("gaps=few&tab=uses", "tab=uses", &["gaps=few"]);
    check("host=zen4&runs=maybe&runs=no", "runs=no", &["host=zen4", "runs=maybe"]);
    check("spack=new&reuse=maybe", "", &["spack=new", "reuse=maybe"]);
    check(
        "reuse.from=none&reuse.include=zlib&reuse.prefix=/x&reuse.targets=all&reuse.from=all",
        "reuse.from=none",
        &["reuse.include=zlib", "reuse.prefix=/x", "reuse.targets=all", "reuse.from=all"],
    );
    check("status=all&needed=no&class=new", "", &["status=all", "needed=no", "class=new"]);
    check("all=os", "", &["all=os"]);
    check("columns=hash,nothing", "", &["columns=hash,nothing"]);
    check("not.colour=red&=x", "", &["not.colour", ""]);
    // What a link says twice in different ways.
    check("q=hdf5&q=cmake", "q=hdf5", &["q=cmake"]);
    check("libc=2.28", "libc=glibc@2.28", &[]);
    check("host=linux.a.b&host=linux.c.d", "host=linux.a.b", &["host=linux.c.d"]);
    check("os=a&not.os=a", "os=a", &["not.os=a"]);
    check("not.os=a&os=a", "not.os=a", &["os=a"]);
}

#[test]
fn opens_the_view_that_an_address_asks_for() {
    #[track_caller]
    fn check(address: &str, view: View) {
        assert_eq!(decode(address).0.view(), view);
    }
    let (one, two) = (sample::hash(1), sample::hash(2));
    check("os=a", View::Packages);
    check("package=hdf5&os=a", View::Package("hdf5".to_owned()));
    check("package=hdf5&package=zlib", View::Packages);
    check(&format!("package=hdf5&hash={one}"), View::Build(one));
    check("package=hdf5&hash=abc", View::MalformedHash("abc".to_owned()));
    let both = View::Compare(vec![two.into(), one.into()]);
    check(&format!("hash={two}&hash={one}"), both.clone());
    check(&format!("hash={two}&hash={one}&compare={one}&hash={two}"), both.clone());
    check(&format!("compare={two}&hash={one}"), both);
    check("package=hdf5&spec=zlib", View::Environment);
    check("environment=", View::Environment);
    check("changes=a..b&package=hdf5", View::Changes);
    let compared = View::Compare(vec![one.into(), "b".into(), two.into()]);
    check(&format!("compare={one}&compare=b&compare={two}&compare=b"), compared.clone());
    check(&format!("compare={one},b,{two}"), compared);
    let named = View::Compare(vec![one.into(), "ukl4xmx".into()]);
    check(&format!("compare=zlib@1.3/{one}&compare=curl/ukl4xmx"), named);
}
