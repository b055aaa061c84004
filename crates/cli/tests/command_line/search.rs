//! Querying an index for builds.

use std::fs;

use serde_json::{Value, json};

use crate::desk::{Desk, data, seeds};

#[test]
fn finds_builds_in_every_input() {
    let desk = Desk::new();
    let table = desk.run(&["search", "py-ml-dtypes@0.3.1", "--from", &seeds()]);
    assert_eq!((table.code, table.err.as_str()), (Some(0), "note: 11 builds\n"));
    assert_eq!(table.out.lines().count(), 11);
    assert!(table.out.lines().all(|line| line.contains("  py-ml-dtypes@0.3.1  ")));

    desk.run(&["index", &seeds()]);
    let json = desk.run(&["search", "py-ml-dtypes@0.3.1", "--from", "index.json", "--json"]);
    assert_eq!((json.code, json.err.as_str()), (Some(0), ""));
    let builds: Value = serde_json::from_str(&json.out).expect("JSON");
    let builds = builds.as_array().expect("an array");
    assert_eq!(builds.len(), 11);
    for build in builds {
        assert_eq!(
            (&build["package"], &build["version"]),
            (&json!("py-ml-dtypes"), &json!("0.3.1"))
        );
        let hash = build["hash"].as_str().expect("a hash");
        assert!(table.out.contains(&format!("/{hash}  ")));
    }
}

#[test]
fn is_found_by_the_names_that_others_give_it() {
    let desk = Desk::new();
    let from = ["py-ml-dtypes@0.3.1", "--from", &seeds()];
    let [search, find, query] =
        ["search", "find", "query"].map(|name| desk.run(&[&[name], &from[..]].concat()).out);
    assert_eq!((&search, &search), (&find, &query));
    assert_eq!(search.lines().count(), 11);
}

#[test]
fn says_how_the_cache_is_given() {
    let desk = Desk::new();
    for wrong in [["search", "index.json", "hdf5"], ["search", "hdf5", "index.json"]] {
        let outcome = desk.run(&wrong);
        assert_eq!(outcome.code, Some(2));
        assert!(
            outcome.err.contains("\n  tip: the cache is given with '--from <INPUT>'\n"),
            "{}",
            outcome.err
        );
    }
    let outcome = desk.run(&["search", "hdf5", "--form", "index.json"]);
    assert!(outcome.err.contains("similar argument exists: '--from'"), "{}", outcome.err);
}

/// What clap rejects is described further, which must not depend on its being text.
#[cfg(unix)]
#[test]
fn rejects_arguments_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::process::Command;

    let unreadable = OsStr::from_bytes(b"\xff");
    for arguments in [&[unreadable][..], &[OsStr::new("search"), unreadable, unreadable]] {
        let call = Command::new(env!("CARGO_BIN_EXE_cache-explorer")).args(arguments).output();
        let call = call.expect("the command runs");
        let said = String::from_utf8_lossy(&call.stderr);
        assert_eq!(call.status.code(), Some(2), "{said}");
        assert!(said.starts_with("error: "), "{said}");
    }
}

#[test]
fn says_what_an_index_was_made_without() {
    let desk = Desk::new();
    let database = fs::read_to_string(data("database/v8.json")).expect("a database");
    desk.write("damaged.json", database.replacen("\"name\":\"hdf5\"", "\"naem\":\"hdf5\"", 1));
    desk.run(&["index", "damaged.json", "--leave-out-damaged"]);
    let found = desk.run(&["search", "hdf5", "--from", "index.json"]);
    assert!(
        found.err.contains("note: 1 damaged build was left out of this index\n"),
        "{}",
        found.err
    );
}

#[test]
fn reports_where_a_spec_is_wrong() {
    let desk = Desk::new();
    desk.fails(
        &["search", "py-ml-dtypes@", "--from", &seeds()],
        "error: expected a version after `@`\npy-ml-dtypes@\n            ^\n",
    );
    assert_eq!(desk.run(&["search", "--from", &seeds()]).code, Some(2));
    desk.write("notes.md", "# Not a cache\n");
    let outcome = desk.run(&["search", "zlib", "--from", "notes.md"]);
    assert!(outcome.err.ends_with("\n1 problem; nothing was read\n"), "{}", outcome.err);
}

#[test]
fn lists_what_a_stack_has() {
    let desk = Desk::new();
    let [one, other] = ["reuse/index.json", "reuse/windows-index.json"].map(data);
    let both = desk
        .run(&["index", &one, "--stack", "mine", &other, "--stack", "theirs", "-o", "two.json"]);
    assert_eq!(both.code, Some(0), "{}", both.err);
    let search = |spec: &str| desk.run(&["search", spec, "--from", "two.json"]);
    let all = search("kokkos").err;
    assert_eq!(search("kokkos stack=mine").err, all);
    let elsewhere = search("kokkos stack=theirs").err;
    let builds = all.trim_start_matches("note: ");
    assert_eq!(elsewhere, format!("note: 0 builds\nnote: without `stack=theirs`, {builds}"));
    assert_eq!(search("kokkos not.stack=theirs").err, all);
    assert!(search("kokkos not.stack=mine").err.starts_with("note: 0 builds\n"));
    let meant = search("kokkos not in theirs").err;
    assert!(meant.ends_with("did you mean `kokkos not.stack=theirs`?\n"), "{meant}");
    let count = |spec: &str| search(spec).out.lines().count();
    assert_eq!(count("stack=mine"), 83);
    let wrong = "error: no stack `mime` here: did you mean `stack=mine`?\n\
                 kokkos stack=mime\n       ^^^^^^^^^^\n";
    assert_eq!(search("kokkos stack=mime").err, wrong);
    let line = desk.run_with(&["search", "--stdin", "--from", "two.json"], "kokkos stack=mime\n");
    assert!(line.out.contains("\"error\":\"no stack `mime` here"), "{}", line.out);
    // Nothing is missing from what is not there.
    let builds = all.trim_end();
    let note = "note: no stack `elsewhere` here";
    assert_eq!(search("kokkos not.stack=elsewhere").err, format!("{builds}\n{note}\n"));
}

#[test]
fn suggests_what_was_meant() {
    let desk = Desk::new();
    desk.run(&["index", &seeds()]);
    let check = |spec: &str, err: &str| {
        let outcome = desk.run(&["search", spec, "--from", "index.json"]);
        assert_eq!(outcome.err, err, "{spec}");
    };
    check(
        "py-toknizers",
        "note: 0 builds\nnote: no package `py-toknizers`: did you mean `py-tokenizers`?\n",
    );
    check(
        "Py-Ml-Dtypes@99",
        "note: 0 builds\nnote: no package `Py-Ml-Dtypes`: did you mean `py-ml-dtypes`?\n",
    );
    check(
        "PY-ML-DTYPES",
        "note: 0 builds\nnote: no package `PY-ML-DTYPES`: did you mean `py-ml-dtypes`?\n",
    );
    check(
        "py-ml-dtypes target=zen3",
        "note: 0 builds\nnote: no build is made for zen3; these run on zen3: x86_64_v3 (82)\n",
    );
    check(
        "py-ml-dtypes os=ubunut24.04",
        "note: 0 builds\nnote: no os `ubunut24.04`: did you mean `ubuntu24.04`?\n",
    );
    check(
        "py-ml-dtypes@1.99",
        "note: 0 builds\nnote: py-ml-dtypes exists only as version 0.4.0, 0.3.1\n",
    );
    // The page would find these words as parts of names.
    check(
        "tokenizers",
        "note: 0 builds\nnote: no package `tokenizers`: did you mean `py-tokenizers`?\n",
    );
    check("nosuch", "note: 0 builds\nnote: no package `nosuch` here\n");
    // Words that the page understands, but Spack does not.
    let oses = "`os=ubuntu22.04` or `os=ubuntu24.04`";
    for (word, meant) in
        [("sequoia", "`os=sequoia`"), ("arm", "`target=aarch64:`"), ("ubuntu", oses)]
    {
        let meant = format!("note: 0 builds\nnote: no package `{word}`: did you mean {meant}?\n");
        check(word, &meant);
    }
    let database = data("reuse/index.json");
    let from = ["--from", &database];
    for (spec, reasons) in [
        ("hdf5^zlib-ng@99", "note: without `^zlib-ng@99`, 1 build\n"),
        ("gcc", "note: `gcc` is listed only as what builds depend on, without a binary\n"),
        (
            "hdf5^gmake@99^zlib-ng@99",
            "note: ^gmake@99 alone matches no build, and neither does ^zlib-ng@99\n",
        ),
    ] {
        let outcome = desk.run(&[&["search", spec][..], &from].concat());
        assert_eq!(outcome.err, format!("note: 0 builds\n{reasons}"), "{spec}");
    }
    check(
        "@99 nosuch=1",
        "note: 0 builds\nnote: @99 alone matches no build, and neither does nosuch=1\n",
    );
    let meant = |text: &str, spec: &str| {
        let error = desk.run(&["search", text, "--from", "index.json"]).err;
        assert!(error.ends_with(&format!("did you mean `{spec}`?\n")), "{error}");
    };
    meant("py-ml-dtypes sequoia 0.3.1", "py-ml-dtypes@0.3.1 os=sequoia");
    meant("py-ml-dtypes>=0.3", "py-ml-dtypes@0.3:");
    meant("py-ml-dtypes frobnicated", "py-ml-dtypes");
    meant("py-ml-dtypes==0.3.1", "py-ml-dtypes@0.3.1");
    meant("(py-ml-dtypes), sequoia", "py-ml-dtypes os=sequoia");
}

#[test]
fn answers_each_line_with_a_line() {
    let desk = Desk::new();
    let lines = "py-ml-dtypes@0.3.1 target=neoverse_v1\nnosuch\nzlib@\n^zlib\n\n";
    let outcome = desk.run_with(&["search", "--stdin", "--from", &seeds()], lines);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let answers: Vec<Value> =
        outcome.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let hashes = |answer: &Value| answer["hashes"].as_array().map(Vec::len);
    assert_eq!(
        answers.iter().map(hashes).collect::<Vec<_>>(),
        [Some(3), Some(0), None, None, Some(390)]
    );
    let expected =
        json!({"query": "zlib@", "error": "expected a version after `@`", "position": 4});
    assert_eq!(answers[2], expected);
    let error = "cannot tell: the data does not list dependencies";
    let expected = json!({"query": "^zlib", "error": error, "position": 0, "certain": []});
    assert_eq!(answers[3], expected);
}

#[test]
fn guesses_nothing() {
    let desk = Desk::new();
    desk.fails(
        &["search", "py-ml-dtypes ^zlib", "--from", &seeds(), "--json"],
        "error: cannot tell: the data does not list dependencies\npy-ml-dtypes ^zlib\n             ^\n",
    );
    let database = data("database/v8.json");
    let from = ["--from", &database, "--release", "develop", "--stack", "mine"];
    let outcome =
        desk.run_with(&[&["search", "--stdin"][..], &from].concat(), "fortran-rt\n^mpi\n");
    let answers: Vec<Value> =
        outcome.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let error = "cannot tell: the data does not say which packages provide a virtual package";
    assert_eq!((&answers[0]["error"], &answers[0]["position"]), (&json!(error), &json!(0)));
    assert!(answers[0]["certain"].as_array().is_some_and(|certain| certain.len() == 1));
    // One build matches for certain; for others, the dependencies are not listed.
    let error = "cannot tell: the data does not list dependencies";
    assert_eq!((&answers[1]["error"], &answers[1]["position"]), (&json!(error), &json!(0)));
    assert!(answers[1]["certain"].as_array().is_some_and(|certain| certain.len() == 1));
}

#[test]
fn says_that_a_release_of_several_inputs_chooses_none() {
    let desk = Desk::new();
    for name in ["v1/tools", "develop/tools"] {
        desk.copy("mirror-v3", &format!("all/{name}"));
    }
    let search = ["search", "zlib-ng", "--from", "all"];
    let outcome = desk.run(&[&search[..], &["--release", "v1"]].concat());
    let note = "note: --release is what all inputs are taken for: none is left out\n";
    assert!(outcome.err.contains(note), "{}", outcome.err);
    assert!(!desk.run(&search).err.contains("none is left out"));
}

#[test]
fn searches_in_both_dialects() {
    let desk = Desk::new();
    let find = |database: &str, dialect: &[&str]| {
        let database = data(database);
        let from = ["--from", &database, "--release", "develop", "--stack", "mine", "--json"];
        let outcome =
            desk.run(&[&["search", "%gcc target=x86_64_v3"][..], &from, dialect].concat());
        let builds: Value = serde_json::from_str(&outcome.out).expect("JSON");
        builds.as_array().expect("an array").len()
    };
    // In Spack 1.x the target applies to the compiler: in the older file the compiler is only a name and a version, and in
    // the newer one it is built for another machine in one build.
    for (database, [old, new], own) in
        [("database/v7.json", [1, 0], 1), ("database/v8.json", [3, 4], 4)]
    {
        assert_eq!(find(database, &["--dialect", "0.x"]), old);
        assert_eq!(find(database, &["--dialect", "1.x"]), new);
        assert_eq!(find(database, &[]), own);
    }
}

/// Any text gets an answer of reasonable length, and nothing in it moves the cursor.
#[test]
fn searches_for_any_text() {
    let desk = Desk::new();
    desk.run(&["index", &seeds()]);
    let long = 1 << 20;
    let mut texts: Vec<String> = [
        "k='",
        "k=\"a",
        "k='\\'",
        "hdf5@",
        "hdf5 +",
        "hdf5 ~",
        "hdf5 ^",
        "hdf5 %",
        "hdf5 /",
        "^[",
        "%[a",
        "]",
        "=",
        "@:",
        "\u{1b}[2J",
        "a\u{0}b",
        "\u{202e}a",
        "\u{7f}",
        "hdf5\u{85}+mpi",
        "é",
        "^^^%%%",
    ]
    .map(str::to_owned)
    .into();
    texts.extend(
        ["a", "a ", "@", "+a", "^a ", "%", "^[", "k='", "1,", "a=b ", "\u{1}", "é", "/", "-"]
            .map(|piece| piece.repeat(long / piece.len())),
    );
    let lines = texts.join("\n");
    let outcome = desk.run_with(&["search", "--stdin", "--from", "index.json"], &lines);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let mut answers = outcome.out.lines();
    for text in &texts {
        let answer: Value = serde_json::from_str(answers.next().expect("an answer")).expect("JSON");
        assert_eq!(answer["query"].as_str(), Some(text.as_str()));
        let shown: String = text.chars().take(20).collect();
        match answer["error"].as_str() {
            None => assert!(answer["hashes"].is_array(), "{shown}"),
            Some(error) => {
                assert!(!error.contains(char::is_control) && error.len() < 400, "{shown}: {error}");
                let position = answer["position"].as_u64().expect("a number") as usize;
                assert!(text.is_char_boundary(position), "{shown}");
            }
        }
    }
    assert_eq!(answers.next(), None);

    for text in texts.iter().filter(|text| text.len() < 100 && !text.contains('\0')) {
        let outcome = desk.run(&["search", text, "--from", "index.json"]);
        assert!(matches!(outcome.code, Some(0 | 1)), "{text:?}: {}", outcome.err);
        assert!(!outcome.err.is_empty(), "{text:?}");
        assert!(!outcome.err.contains(|c: char| c.is_control() && c != '\n'), "{:?}", outcome.err);
    }
}

#[test]
fn finds_packages_that_look_virtual_exactly() {
    let desk = Desk::new();
    let from = data("reuse/glx-index.json");
    let check = |spec: &str, err: &str| {
        let outcome = desk.run(&["search", spec, "--from", &from]);
        assert_eq!(outcome.err.lines().next(), Some(err), "{spec}");
    };
    check("glx", "note: 1 build");
    check("glx@:1.4", "note: 1 build");
    check("egl", "note: 0 builds");
}

#[test]
fn reads_a_spec_without_what_nobody_sees() {
    let desk = Desk::new();
    let from = data("reuse/glx-index.json");
    let outcome = desk.run(&["search", "glx\u{200b}@1.4\u{200b}", "--from", &from]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), "note: 1 build\n"));
}

#[test]
fn finds_signed_and_unsigned_builds() {
    let desk = Desk::new();
    let mirror = data("signed/mirror");
    let packages = |spec: &str| {
        let outcome = desk.run(&["search", spec, "--from", &mirror, "--json"]);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{spec}");
        let builds: Value = serde_json::from_str(&outcome.out).expect("JSON");
        let builds = builds.as_array().expect("an array").iter();
        let mut names: Vec<String> =
            builds.map(|build| build["package"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(packages("signed"), ["compiler-wrapper", "gcc-runtime", "zstd"]);
    assert_eq!(packages("which builds are not signed?"), ["gmake"]);
    assert_eq!(packages("zstd signed"), ["zstd"]);
    let none = desk.run(&["search", "zstd unsigned", "--from", &mirror]);
    assert_eq!(none.code, Some(0));
    assert!(none.err.starts_with("note: 0 builds\n"), "{}", none.err);
    let seeds = desk.run(&["search", "unsigned", "--from", &seeds()]);
    assert_eq!(seeds.code, Some(1));
    let doubt = "error: the cache does not say of all builds whether they are signed\n";
    assert!(seeds.err.starts_with(doubt), "{}", seeds.err);
    let line = "{\"query\":\"signed zstd\",\"hashes\":[";
    let lines = desk.run_with(&["search", "--stdin", "--from", &mirror], "signed zstd\n");
    assert!(lines.out.starts_with(line), "{}", lines.out);
}

#[test]
fn says_that_nothing_is_for_the_family_itself() {
    let desk = Desk::new();
    let found = desk.run(&["search", "py-ml-dtypes target=x86_64:", "--from", &seeds()]);
    let note = "note: None is for plain x86_64: these are for x86_64_v3\n";
    assert!(found.err.ends_with(note), "{}", found.err);
}
