//! What the files of environments say.

use super::*;

#[test]
fn keeps_the_groups_of_specs() {
    let environment = read(&bytes("groups.yaml"));
    let roots: Vec<(&str, Option<&str>)> =
        environment.roots.iter().map(|root| (root.spec.as_str(), root.group.as_deref())).collect();
    let expected = [
        ("cmake", Some("tools")),
        ("zstd", Some("tools")),
        ("hdf5@1.14.5~mpi", Some("apps")),
        ("zfp", Some("apps")),
        ("lz4", Some("default")),
    ];
    assert_eq!(roots, expected);
}

#[test]
fn reads_what_included_files_say() {
    #[track_caller]
    fn check(yaml: &str, files: &[(&str, &str)]) -> Environment {
        let mut open = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map_or(IncludedFile::Absent, |(_, text)| {
                IncludedFile::Read(text.as_bytes().to_vec())
            })
        };
        let read = read_environment_with(yaml.as_bytes(), &mut open);
        read.unwrap_or_else(|problems| panic!("{yaml}: {}", problems[0]))
    }
    let requires = "packages:\n  all:\n    require: [target=x86_64_v4]\n";
    let environment = check(
        "spack:\n  include: [config/packages.yaml]\n  specs: [zlib-ng]\n",
        &[("config/packages.yaml", requires)],
    );
    assert_eq!(
        (&environment.requirements[..], &environment.unread[..]),
        (&["all".to_owned()][..], &[][..])
    );
    // A folder, a file that includes another, relative to itself, and one with a mark.
    let environment = check(
        "spack:\n  include::\n  - path: site\n  - {path: more.yaml, when: 'True'}\n  specs: [$here]\n",
        &[
            ("site/packages.yaml", "packages::\n  hdf5:\n    require:: [+mpi]\n"),
            ("site/include.yaml", "include: [deep/packages.yaml, ../site/packages.yaml]\n"),
            ("site/deep/packages.yaml", requires),
            ("more.yaml", "definitions:\n- here: [zlib, xz]\ndevelop: {xz: {spec: xz@5}}\n"),
        ],
    );
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["zlib", "xz"]);
    assert_eq!(environment.requirements, ["hdf5", "all"]);
    assert_eq!(environment.developed, ["xz"]);
    assert_eq!(environment.unread, ["site/../site/packages.yaml"]);
    // Spack's own names of the folder of the environment, also in a file that is elsewhere.
    let environment = check(
        "spack:\n  include: [$env/packages.yaml, '${SPACK_ENV}/site/include.yaml', ../other/spack.lock]\n  specs: [zlib]\n",
        &[
            ("packages.yaml", requires),
            ("site/include.yaml", "include: ['${env}/more.yaml']\n"),
            ("more.yaml", "packages:\n  zlib:\n    require: '@1.3'\n"),
        ],
    );
    assert_eq!(environment.requirements, ["all", "zlib"]);
    assert_eq!(environment.unread, [""; 0]);
    let other =
        "the specs of other environments are included, and were not read: ../other/spack.lock";
    assert_eq!(environment.undecided, [other]);
    // Files that may be absent, and are.
    let environment = check(
        "spack:\n  include:\n  - {path: local.yaml, optional: true}\n  - {path: local, optional: true}\n  \
         - {path: needed.yaml, optional: false}\n  - {path: $HOME/x.yaml, optional: true}\n  \
         - {path: there.yaml, optional: true}\n  specs: [zlib]\n",
        &[("there.yaml", requires)],
    );
    assert_eq!(environment.requirements, ["all"]);
    assert_eq!(environment.unread, ["needed.yaml", "$HOME/x.yaml"]);
    // Files that are not read are listed, and a file that includes itself is read once.
    let environment = check(
        "spack:\n  include:\n  - a.yaml\n  - https://example.org/packages.yaml\n  - $HOME/x.yaml\n  \
         - {path: b.yaml, when: os == \"windows\"}\n  - {git: 'https://example.org/r', paths: [x]}\n  \
         - broken.yaml\n  - {path: never.yaml, when: 'False'}\n  specs: [$elsewhere, zlib]\n",
        &[("a.yaml", "include: [a.yaml]\n"), ("b.yaml", requires), ("broken.yaml", "[")],
    );
    let unread = [
        "https://example.org/packages.yaml",
        "$HOME/x.yaml",
        "b.yaml",
        "https://example.org/r",
        "broken.yaml",
    ];
    assert_eq!(environment.unread, unread);
    assert_eq!(environment.undecided.len(), 1);
    let notes = environment.notes();
    assert!(notes[0].starts_with("Included, but not read: https://example.org/packages.yaml"));
}

#[test]
fn counts_each_group_and_its_requirements() {
    let environment = read(
        b"spack:\n  definitions:\n  - apps: [zlib-ng, hdf5+mpi]\n  specs:\n  - group: v3\n    specs: [$apps]\n    \
          override:\n      packages:\n        all:\n          require: [target=x86_64_v3]\n  - group: v4\n    \
          specs: [$apps, zlib-ng]\n",
    );
    let index = index("workstation/index.json");
    let assessment = Assessment::new(&index, &environment, &Question::default(), index.dialect());
    let written =
        AssessmentReport { index: &index, environment: &environment, assessment: &assessment };
    let specs = list(&written.json()["specs"]).to_vec();
    let specs: Vec<Value> = specs.iter().map(|spec| json!([spec["group"], spec["spec"]])).collect();
    let expected = [["v3", "zlib-ng"], ["v3", "hdf5+mpi"], ["v4", "zlib-ng"], ["v4", "hdf5+mpi"]]
        .map(|it| json!(it));
    assert_eq!(specs, expected);
    assert!(written.headline().contains(" of 4 specs are satisfied"), "{}", written.headline());
    assert_eq!(environment.requirements, ["all"]);
}

#[test]
fn passes_over_the_marks_of_names() {
    #[track_caller]
    fn check(yaml: &str, expected: &[&str]) {
        let environment = read(yaml.as_bytes());
        let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
        assert_eq!(specs, expected);
    }
    check("spack:\n  specs:: [zlib-ng]\n", &["zlib-ng"]);
    check("spack:\n  definitions::\n  - x: [zlib-ng, hdf5]\n  specs: [$x]\n", &["zlib-ng", "hdf5"]);
    check("spack::\n  specs: [zlib-ng]\n", &["zlib-ng"]);
    let requires = read(b"spack:\n  packages::\n    all::\n      require:: [x]\n  specs: [zlib]\n");
    assert_eq!(requires.requirements, ["all"]);
}

#[test]
fn reads_no_spec_that_nothing_uses() {
    let yaml = "spack:\n  definitions:\n  - packages: [nano@8.2, cmake@3.30.5]\n  - licensed:\n    \
                - matlab@R2021a key=$MATLAB_INSTALL_KEY mode=automated\n  specs:\n  - matrix:\n    - [$packages]\n    \
                - ['%gcc@14.2.0']\n    - [target=zen3, target=zen2]\n";
    let specs: Vec<String> =
        read(yaml.as_bytes()).roots.into_iter().map(|root| root.spec).collect();
    let expected = [
        "nano@8.2 target=zen3",
        "nano@8.2 target=zen2",
        "cmake@3.30.5 target=zen3",
        "cmake@3.30.5 target=zen2",
    ];
    assert_eq!(specs, expected.map(|spec| format!("{spec} %gcc@14.2.0")));
    let used = read_environment(yaml.replace("[$packages]", "[$licensed]").as_bytes());
    assert!(
        used.expect_err("a problem")[0]
            .to_string()
            .starts_with("field spack.definitions.licensed: expected a spec")
    );
}

#[test]
fn reads_environments_of_before_their_key_was_spack() {
    let specs = |yaml: &str| -> Vec<String> {
        read(yaml.as_bytes()).roots.into_iter().map(|root| root.spec).collect()
    };
    assert_eq!(specs("# mine\nenv:\n  view: true\n  specs:\n  - zlib\n"), ["zlib"]);
    assert_eq!(specs("env:\n  specs: [hdf5]\nspack:\n  specs: [zlib]\n"), ["zlib"]);
}

#[test]
fn replaces_toolchains() {
    let yaml = "spack:\n  toolchains:\n    mine:\n    - {spec: '%c=gcc@12', when: '%c'}\n  specs: [hdf5 %mine, 'zlib %minetoo']\n";
    let environment = read(yaml.as_bytes());
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["hdf5 %[when='%c'] c=gcc@12", "zlib %minetoo"]);
}

#[test]
fn names_the_packages_that_have_requirements() {
    let yaml = "spack:\n  packages:\n    all:\n      require: target=x86_64_v3\n    hdf5:\n      \
                require: [+mpi]\n    zlib:\n      buildable: false\n  specs: [hdf5]\n";
    let environment = read_environment(yaml.as_bytes()).expect("readable");
    assert_eq!(environment.requirements, ["all", "hdf5"]);
    let notes = environment.notes();
    assert!(notes[0].contains("for all, hdf5 are not applied"), "{notes:?}");
    let without = read_environment(b"spack:\n  packages: {}\n  specs: [hdf5]\n").expect("readable");
    assert_eq!(without.notes(), [""; 0]);
}

#[test]
fn says_that_settings_about_reuse_are_not_applied() {
    for (settings, restricts) in [
        ("reuse: true", false),
        ("reuse: false", true),
        ("reuse: dependencies", true),
        ("reuse: {roots: true, exclude: [hdf5]}", true),
        ("splice: {explicit: [{target: mpi, replacement: mpich/abcdef}]}", true),
        ("splice: {automatic: true}", true),
        ("splice: {automatic: false, explicit: []}", false),
    ] {
        let yaml = format!("spack:\n  concretizer:\n    {settings}\n  specs: [hdf5]\n");
        let environment = read(yaml.as_bytes());
        assert_eq!(environment.restricts_reuse, restricts, "{settings}");
        assert_eq!(environment.notes().len(), usize::from(restricts), "{settings}");
    }
}

#[test]
fn reads_what_spack_prints() {
    let environment = read(&bytes("find.json"));
    let names: Vec<&str> = environment.nodes.iter().map(|n| n.build.package.as_str()).collect();
    assert_eq!(names, ["hdf5", "cmake", "papi"]);
    let lock = json_of("zlib-only/spack.lock");
    let nodes: Vec<&Value> = lock["concrete_specs"].as_object().expect("nodes").values().collect();
    let spec = json!({"spec": {"_meta": {"version": 5}, "nodes": nodes}}).to_string();
    let twice = format!("{spec}\n{spec}");
    assert_eq!(read(twice.as_bytes()).nodes.len(), nodes.len());
    // `spack spec --yaml` has nothing between two specs, and `spack -e DIR find --json` may say where it looks.
    let yaml = format!("spec:\n  _meta:\n    version: 5\n  nodes: {}\n", json!(nodes));
    let once = read(yaml.as_bytes());
    assert_eq!(once, read(spec.as_bytes()));
    for twice in [format!("{yaml}{yaml}"), format!("---\n{yaml}\n---\n{yaml}")] {
        let twice = read(twice.as_bytes());
        assert_eq!((twice.nodes.len(), twice.roots.len()), (nodes.len(), 2));
    }
    assert_eq!(read(format!("==> In environment demo\n{spec}").as_bytes()), once);
    assert_eq!(read(twice.as_bytes()).roots.len(), 2);
}

/// Comparing each hash with all before it would take minutes.
#[test]
fn reads_a_hundred_thousand_pasted_hashes_each_once() {
    let digits = |number: usize| format!("{number:032b}").replace('0', "a").replace('1', "b");
    let hashes: String = (0..100_000).map(|number| format!("/{}\n", digits(number))).collect();
    assert_eq!(read(hashes.repeat(2).as_bytes()).roots.len(), 100_000);
    let found: String =
        (0..100_000).map(|number| format!("{} zlib@1.3\n", digits(number))).collect();
    assert_eq!(read(found.repeat(2).as_bytes()).roots.len(), 100_000);
}

#[test]
fn reads_a_list_of_specs() {
    let text = "# what we need\nhdf5+mpi  # for IO\n\n- zlib@1.3: %gcc@12\n";
    let environment = read(text.as_bytes());
    let specs: Vec<&str> = environment.roots.iter().map(|root| root.spec.as_str()).collect();
    assert_eq!(specs, ["hdf5+mpi", "zlib@1.3: %gcc@12"]);
}

#[test]
fn says_that_a_lock_file_is_newer_than_what_is_known() {
    let mut lock = json_of("workstation/spack.lock");
    let known = read(lock.to_string().as_bytes());
    lock["_meta"]["lockfile-version"] = json!(12);
    let newer = read(lock.to_string().as_bytes());
    assert_eq!((&newer.roots, &newer.nodes), (&known.roots, &known.nodes));
    let note = "The lock file is of version 12, newer than 8, which is the newest known here; it was read as one of \
                that version";
    assert_eq!((known.notes(), newer.notes()), (vec![], vec![note.to_owned()]));
    assert_eq!(
        EnvironmentTexts::new(&newer).expect("different hashes").read().expect("kept"),
        newer
    );
    let index = index("workstation/index.json");
    let assessment = Assessment::new(&index, &newer, &Question::default(), index.dialect());
    let written = AssessmentReport { index: &index, environment: &newer, assessment: &assessment };
    assert_eq!(written.json()["newer_lock"], json!(12));
    assert_eq!(written.notes(), [note]);
}

#[test]
fn counts_no_pasted_external_as_missing() {
    // The output of `spack find -l` has no column that shows what is external.
    let pasted = "-- linux-amzn2-icelake / %c,cxx=gcc@12.4.0 ---\nm7ryryo gmake@4.4.1\nwrkn4vl gcc@12.4.0\n\
                  aaaaaaa zlib@1.3\n";
    let index = index("workstation/index.json");
    let check = |pasted: &str, headline: &str, missing: &str, share: f64| {
        let environment = read(pasted.as_bytes());
        let assessment =
            Assessment::new(&index, &environment, &Question::default(), index.dialect());
        let written =
            AssessmentReport { index: &index, environment: &environment, assessment: &assessment };
        assert_eq!(written.headline(), headline);
        assert_eq!(written.missing(), missing);
        assert_eq!(assessment.share(&environment), Share::Of(share));
        written.json()["specs"]
            .as_array()
            .expect("specs")
            .iter()
            .map(|spec| spec["external"].clone())
            .collect::<Vec<_>>()
    };
    let headline = "1 of 2 specs are satisfied by a build in the cache; 1 external";
    let external = check(pasted, headline, "zlib/aaaaaaa\n", 0.5);
    assert_eq!(external, [Value::Null, json!(true), Value::Null]);
    // A list of hashes, which does not even name the packages.
    let hashes = "m7ryryon7sjfscukfr6vnecwvmzsil67\n/wrkn4vlghwszjc2n24cprvfmiaiqr2bz\n";
    check(hashes, "1 of 1 spec is satisfied by a build in the cache; 1 external", "", 1.0);
    // A spec that is asked for by name is wanted from the cache, even if the cache knows an external one.
    let headline = "0 of 1 spec is satisfied by a build in the cache";
    check("gcc@12.4.0\n", headline, "gcc@12.4.0\n", 0.0);
}
