//! Settings are read as Spack reads them.

use super::*;

#[track_caller]
fn read(text: &str) -> Settings {
    read_settings(text.as_bytes(), Settings::default()).expect("settings")
}

#[test]
fn reads_the_install_tree() {
    let tree = |text: &str| {
        let settings = read(text);
        (settings.install_tree, settings.unapplied)
    };
    let at = |root: &str, padded_length| InstallTree::new(root, padded_length);
    assert_eq!(
        tree("config:\n  install_tree:\n    root: /opt/spack\n"),
        (at("/opt/spack", 0), vec![])
    );
    assert_eq!(tree("spack:\n  config:\n    install_tree: /opt/spack/\n").0, at("/opt/spack", 0));
    let printed = "config:\n  install_tree:\n    root: /opt/spack\n    padded_length: 128\n    projections:\n      \
                   all: \"{architecture.platform}-{architecture.target}/{name}-{version}-{hash}\"\n";
    assert_eq!(tree(printed), (at("/opt/spack", 128), vec![]));
    let unapplied = |text: &str| (None, vec![text.to_owned()]);
    assert_eq!(
        tree("config:\n  install_tree:\n    root: $spack/opt/spack\n"),
        unapplied("config:install_tree:root: $spack/opt/spack")
    );
    assert_eq!(
        tree("config:\n  install_tree:\n    projections:\n      all: '{name}/{hash}'\n"),
        unapplied("config:install_tree:projections")
    );
    assert_eq!(tree("config:\n  build_jobs: 4\n"), (None, vec![]));
}

fn source(include: &[&str], exclude: &[&str]) -> ReuseSource {
    let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    ReuseSource { include: own(include), exclude: own(exclude) }
}

#[test]
fn reads_what_may_be_reused() {
    #[track_caller]
    fn check(text: &str, reuse: Reuse, caches: &[ReuseSource]) {
        let settings = read(text);
        assert_eq!((settings.reuse, settings.caches.as_slice()), (reuse, caches), "{text}");
    }
    let all = [ReuseSource::default()];
    check("", Reuse::Everything, &all);
    check("concretizer:\n  reuse: true\n", Reuse::Everything, &all);
    check("concretizer:\n  reuse: false\n", Reuse::Nothing, &all);
    check("spack:\n  concretizer:\n    reuse: dependencies\n", Reuse::Dependencies, &all);
    check("concretizer:\n  reuse::\n    roots: false\n", Reuse::Dependencies, &all);
    check(
        "reuse: {exclude: ['%gcc@11', '+mpi']}",
        Reuse::Everything,
        &[source(&[], &["%gcc@11", "+mpi"])],
    );
    check("spack: {specs: [hdf5], view: true}", Reuse::Everything, &all);
}

#[test]
fn reads_a_setting_on_one_line() {
    for line in [
        "packages:all:require:%gcc@12",
        "packages:all:require:\"%gcc@12\"",
        "packages: all: require: \"%gcc@12\"\n",
        "packages: all: require: %gcc@12",
        "spack:packages:all:require:: '%gcc@12'",
        "packages:all:require: [\"%gcc@12\"]",
    ] {
        assert_eq!(read(line).unapplied, ["packages:all:require: %gcc@12"], "{line}");
    }
    let excluding = "concretizer: reuse: {from: [{type: buildcache, exclude: [\"%gcc@13\"]}]}";
    assert_eq!(read(excluding).caches, [source(&[], &["%gcc@13"])]);
    assert_eq!(read("concretizer:reuse:false").reuse, Reuse::Nothing);
}

#[test]
fn prefers_the_lists_of_a_source_to_those_of_all_sources() {
    let from = |from: &str| {
        read(&format!("concretizer: {{reuse: {{include: [+shared], from: [{from}]}}}}")).caches
    };
    assert_eq!(from("{type: local}"), []);
    assert_eq!(from("{type: buildcache}, {type: external}"), [source(&["+shared"], &[])]);
    let own =
        "{type: buildcache, include: [~shared], exclude: [cmake]}, {type: environment, path: e}";
    assert_eq!(from(own), [source(&["~shared"], &["cmake"])]);
    assert_eq!(from("{type: buildcache, include: []}"), [source(&[], &[])]);
}

#[test]
fn reads_targets_oses_externals_and_repositories() {
    let settings = read(
        "concretizer:\n  targets: {granularity: generic, host_compatible: false}\n  \
         os_compatible: {monterey: [bigsur, catalina]}\npackages:\n  all: {require: '%gcc'}\n  \
         cray-mpich:\n    buildable: false\n    externals:\n    - spec: cray-mpich@8.1.30\n      \
         prefix: /opt/cray\n      modules: [cray-mpich/8.1.30]\nrepos:\n  corpus: /home/corpus\n",
    );
    assert!(settings.targets.only_generic && !settings.targets.host_compatible);
    assert_eq!(settings.os_compatible[0].0, "monterey");
    assert_eq!(settings.os_compatible[0].1, ["bigsur", "catalina"]);
    let external = External {
        spec: "cray-mpich@8.1.30".to_owned(),
        prefix: Some("/opt/cray".to_owned()),
        modules: vec!["cray-mpich/8.1.30".to_owned()],
    };
    assert_eq!(settings.externals, [external]);
    assert_eq!(settings.repositories, ["builtin", "corpus"]);
}

#[test]
fn names_what_is_not_applied() {
    let settings = read(
        "spack:\n  include: [site/packages.yaml, {path: /etc/more.yaml, when: 'True'}]\n  packages:\n    \
         all: {require: '%gcc@12'}\n    mpi:: {require: [{one_of: [mpich, openmpi], when: '@1:'}]}\n    \
         zlib: {conflict: ['@1.2'], version: ['1.3']}\n",
    );
    let unapplied = [
        "packages:all:require: %gcc@12",
        "packages:mpi:require: mpich or openmpi when @1:",
        "packages:zlib:conflict: @1.2",
        "include: site/packages.yaml",
        "include: /etc/more.yaml",
    ];
    assert_eq!(settings.unapplied, unapplied);
    let of_mirrors = "mirrors: {m: {url: x, exclude_binary: [cuda, gcc]}, n: y}";
    assert_eq!(read(of_mirrors).unapplied, ["mirrors:m:exclude_binary: cuda, gcc"]);
    assert_eq!(
        settings.notes()[0],
        "`packages:all:require: %gcc@12` is not applied: builds that it excludes are shown as eligible"
    );
    assert_eq!(
        settings.notes()[3],
        "`site/packages.yaml` is included, but not read: builds that it excludes are shown as eligible"
    );
}

/// The specs of a manifest only matter if reuse is limited to dependencies.
#[test]
fn reads_what_a_manifest_asks_for() {
    let settings = |reuse: &str| {
        let specs = "specs: [hdf5 +mpi, zlib, hdf5 +mpi, $mine, {matrix: [[a], ['%gcc']]}]";
        read(&format!("spack:\n  {specs}\n  concretizer: {{reuse: {reuse}}}\n"))
    };
    let dependencies = settings("dependencies");
    assert_eq!(dependencies.asked, ["hdf5 +mpi", "zlib"]);
    assert_eq!(dependencies.unapplied, ["specs: $mine", "specs: matrix"]);
    assert_eq!(settings("true"), Settings::default());
}

#[test]
fn names_what_is_preferred_to_reuse() {
    let settings = read("packages:\n  all:\n    prefer: ['%gcc@11']\n");
    assert_eq!(settings.unapplied, ["packages:all:prefer: %gcc@11"]);
    let note = "`packages:all:prefer: %gcc@11` is not applied: Spack may build anew rather than reuse what does not satisfy it";
    assert_eq!(settings.notes(), [note]);
}

#[test]
fn names_what_is_spliced_because_it_is_not_applied() {
    let unapplied = |text: &str| read(text).unapplied;
    let splice = "concretizer:\n  splice:\n    automatic: true\n    explicit:\n    - target: mpi\n      \
                  replacement: mpich/abcdef\n      transitive: true\n";
    assert_eq!(
        unapplied(splice),
        ["concretizer:splice:automatic: true", "concretizer:splice:explicit: mpi → mpich/abcdef"]
    );
    let off = "concretizer: {splice: {automatic: false, explicit: []}, unify: true, whatever: 3}";
    assert!(unapplied(off).is_empty());
}

#[test]
fn reports_what_is_wrong_and_where() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let problems = read_settings(text.as_bytes(), Settings::default()).expect_err(text);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, [expected]);
    }
    check(
        "concretizer: {reuse: 3}",
        "field concretizer.reuse: expected true, false, dependencies or an object, found 3",
    );
    check(
        "reuse: {from: [{type: mirror}]}",
        "field concretizer.reuse.from.type: expected local, buildcache, external or environment, \
         found \"mirror\"",
    );
    check(
        "concretizer: {targets: {host_compatible: maybe}}",
        "field concretizer.targets.host_compatible: expected true or false, found \"maybe\"",
    );
    check(
        "conretizer: {reuse: false}",
        "field conretizer: expected concretizer, found \"conretizer\"",
    );
    check(
        "concretizer: {reuse: {form: []}}",
        "field concretizer.reuse.form: expected from, found \"form\"",
    );
    check(
        "spack: {concretizer: {reus: true}}",
        "field concretizer.reus: expected reuse, found \"reus\"",
    );
    check(
        "packages: {hdf5: {requires: +mpi}}",
        "field packages.hdf5.requires: expected require, found \"requires\"",
    );
    check("unifi: true", "field unifi: expected unify, found \"unifi\"");
    let problems = read_settings(b"reuse: {include: ['@@']}", Settings::default());
    assert!(
        problems.expect_err("a spec")[0].to_string().starts_with("field concretizer.reuse.include")
    );
    assert!(read_settings(b"a: [", Settings::default()).is_err());
    assert!(read_settings(b"\xff", Settings::default()).is_err());
}
