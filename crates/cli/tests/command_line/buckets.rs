//! Mirrors in buckets, `s3://…`: moto on this machine, a server that behaves like Amazon's.
//!
//! `tools/setup python` installs it. Without it, these tests say so and pass.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use cache_index::build::Build;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::Mirror;

use crate::desk::{Desk, Outcome, data, root};

/// A server of buckets.
struct Buckets {
    child: Child,
    endpoint: String,
}

impl Drop for Buckets {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn python() -> Command {
    Command::new(root().join(".tools/python/bin/python"))
}

/// Puts a folder into two buckets: `public`, which everybody may read, and `private`.
const FILL: &str = "
import boto3, pathlib, sys
folder, endpoint = pathlib.Path(sys.argv[1]), sys.argv[2]
s3 = boto3.client('s3', endpoint_url=endpoint, region_name='us-east-1',
                  aws_access_key_id='us', aws_secret_access_key='secret')
for bucket, acl in ('public', 'public-read'), ('private', 'private'):
    s3.create_bucket(Bucket=bucket, ACL=acl)
    for file in folder.rglob('*'):
        if file.is_file():
            key = 'cache/all/' + file.relative_to(folder).as_posix()
            s3.put_object(Bucket=bucket, Key=key, Body=file.read_bytes(), ACL=acl)
";

impl Buckets {
    /// Starts a server on a free port, and puts a mirror with two views into its buckets. Returns `None` if moto is not
    /// installed.
    fn start() -> Option<Buckets> {
        Buckets::with(&data("mirror-1.3"))
    }

    /// Starts a server with this mirror.
    fn with(mirror: &str) -> Option<Buckets> {
        let mut command = python();
        command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: `tools/setup python` installs moto");
            return None;
        };
        // The server prints where it listens.
        let mut lines = BufReader::new(child.stderr.take().expect("its words")).lines();
        let endpoint = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once("Running on ")?;
            Some(address.trim().to_owned())
        });
        let mut buckets = Buckets { child, endpoint: String::new() };
        let Some(endpoint) = endpoint else {
            eprintln!("skipped: `tools/setup python` installs moto");
            return None;
        };
        std::thread::spawn(move || lines.for_each(drop));
        buckets.endpoint = endpoint;
        let filled = python().args(["-c", FILL, mirror, &buckets.endpoint]).output();
        let filled = filled.expect("Python runs");
        assert!(filled.status.success(), "{}", String::from_utf8_lossy(&filled.stderr));
        Some(buckets)
    }
}

/// Runs the command as a user who has no keys but these.
fn run(desk: &Desk, arguments: &[&str], environment: &[(&str, &str)]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") || name == "S3_ENDPOINT_URL" {
            command.env_remove(name);
        }
    }
    command.env("HOME", desk.path("")).args(arguments);
    desk.call(command.envs(environment.iter().copied()), "")
}

/// Returns the builds of an index, and the commands that add its mirrors.
fn content(desk: &Desk, name: &str) -> (BTreeMap<String, Build>, Vec<String>) {
    let index = Index::from_json(&desk.read(name)).expect("an index");
    let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    // Fields about binaries that an index leaves out.
    let bare = |build: Build| Build { size: None, digest: None, signature: None, ..build };
    let builds = builds.map(|build| (build.hash.to_string(), bare(build))).collect();
    let commands =
        index.all_places().map(|place| Mirror::of(&place, index.about()).add()).collect();
    (builds, commands)
}

const PUBLIC: &str = "s3://public/cache/all";
const PRIVATE: &str = "s3://private/cache/all";
const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "us"), ("AWS_SECRET_ACCESS_KEY", "secret")];

#[test]
fn a_public_bucket_is_read_without_keys_and_with_all_its_views() {
    let Some(buckets) = Buckets::start() else { return };
    let desk = Desk::new();
    let server = ["--endpoint", &buckets.endpoint];
    let folder = ["index", &data("mirror-1.3"), "--url", PUBLIC, "-o", "folder.json"];
    let folder = run(&desk, &[&folder, &server[..]].concat(), &[]);
    assert_eq!(folder.code, Some(0), "{}", folder.err);
    let outcome = run(&desk, &[&["index", PUBLIC, "-o", "bucket.json"], &server[..]].concat(), &[]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let (builds, commands) = content(&desk, "bucket.json");
    assert_eq!(
        (&builds, &commands),
        (&content(&desk, "folder.json").0, &content(&desk, "folder.json").1)
    );
    let endpoint = &buckets.endpoint;
    let io = format!("spack mirror add --name io --s3-endpoint-url {endpoint} io {PUBLIC}");
    assert!(commands.contains(&io), "{commands:?}");
    // An index keeps the address of its bucket, also when it is joined with others.
    for inputs in [vec!["bucket.json"], vec!["bucket.json", "folder.json"]] {
        let again = run(&desk, &[&["index"], &inputs[..], &["-o", "again.json"]].concat(), &[]);
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert_eq!(content(&desk, "again.json").1, commands, "{inputs:?}");
    }
    // Only one view of the mirror.
    let one = run(&desk, &[&["check", PUBLIC, "--view", "io"], &server[..]].concat(), &[]);
    assert_eq!((one.code, one.err.as_str()), (Some(0), ""));
    // The variable with which Spack itself names the server.
    let spacks = [("S3_ENDPOINT_URL", buckets.endpoint.as_str())];
    let outcome = run(&desk, &["index", PUBLIC, "-o", "variable.json"], &spacks);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert_eq!(content(&desk, "variable.json").1, commands);
}

#[test]
fn views_of_a_bucket_have_any_names() {
    let desk = Desk::new();
    desk.copy("mirror-1.3", "mirror");
    let index = desk.read("mirror/v3/manifests/index/io/index.manifest.json");
    let views = ["a?b#c d%25", "a&b+c'd=e:f", "rel/50% \"new\""];
    for view in views {
        desk.write(&format!("mirror/v3/manifests/index/{view}/index.manifest.json"), &index);
    }
    let Some(buckets) = Buckets::with(&desk.path("mirror").display().to_string()) else { return };
    let server = ["--endpoint", &buckets.endpoint];
    let outcome = run(&desk, &[&["index", PRIVATE, "-o", "all.json"], &server[..]].concat(), &KEYS);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let add = format!(
        "spack mirror add --name 'a?b#c d%25' --s3-endpoint-url {} 'a?b#c d%25' {PRIVATE}",
        buckets.endpoint
    );
    assert!(content(&desk, "all.json").1.contains(&add), "{add}");
    for view in views {
        let one = ["index", PRIVATE, "--view", view, "-o", "one.json"];
        let outcome = run(&desk, &[&one, &server[..]].concat(), &KEYS);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{view}");
        assert_eq!(content(&desk, "one.json").1.len(), 1, "{view}");
    }
}

#[test]
fn a_private_bucket_is_read_with_the_keys_that_spack_uses() {
    let Some(buckets) = Buckets::start() else { return };
    let desk = Desk::new();
    let endpoint = buckets.endpoint.as_str();
    let check = ["check", PRIVATE, "--endpoint", endpoint];
    let refused = run(&desk, &check, &[]);
    assert_eq!(refused.code, Some(1));
    let words = "error: s3://private/cache/all: could not be fetched: the server answers 403 Forbidden for the bucket \
                 private without keys, since none are in the environment (AWS_ACCESS_KEY_ID) or in ~/.aws\n";
    assert!(refused.err.starts_with(words), "{}", refused.err);
    let outcome = run(&desk, &check, &KEYS);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));

    desk.write(
        ".aws/credentials",
        "[site]\naws_access_key_id = us\naws_secret_access_key = secret\n",
    );
    desk.write(".aws/config", "[profile org]\nsso_session = org\n");
    let with = |profile: &str| run(&desk, &[&check[..], &["--profile", profile]].concat(), &[]);
    assert_eq!(with("site").code, Some(0));
    let index = ["index", PRIVATE, "--endpoint", endpoint, "--profile", "site", "-o", "site.json"];
    assert_eq!(run(&desk, &index, &[]).code, Some(0));
    let add = format!(
        "spack mirror add --name io --s3-endpoint-url {endpoint} --s3-profile site io {PRIVATE}"
    );
    assert!(content(&desk, "site.json").1.contains(&add), "{add}");
    // Neither keys nor passwords of a mirror are published.
    let secret = ["index", PRIVATE, "--endpoint", "https://us:secret@objects.example.org"];
    let outcome = run(&desk, &secret, &KEYS);
    assert!(outcome.code == Some(1) && !outcome.err.contains("secret"), "{}", outcome.err);
    assert_eq!(run(&desk, &check, &[("AWS_PROFILE", "site")]).code, Some(0));
    assert!(with("none").err.contains("there is no profile none in ~/.aws/credentials"));
    let org = with("org").err;
    assert!(
        org.contains("the profile org signs in with sso_session, which is not possible here"),
        "{org}"
    );
}

#[test]
fn mirrors_of_a_file_have_their_own_servers_keys_and_views() {
    let Some(buckets) = Buckets::start() else { return };
    let desk = Desk::new();
    let endpoint = &buckets.endpoint;
    desk.write(
        "mirrors.yaml",
        format!(
            "mirrors:\n  open: {{url: {PUBLIC}, endpoint_url: {endpoint}, view: io}}\n  closed:\n    url: {PRIVATE}\n    \
             endpoint_url: {endpoint}\n    access_pair: {{id: us, secret_variable: SITE_SECRET}}\n"
        ),
    );
    let index = ["index", "--mirrors", "mirrors.yaml", "-o", "both.json"];
    let outcome = run(&desk, &index, &[("SITE_SECRET", "secret")]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let (_, commands) = content(&desk, "both.json");
    assert!(
        commands.contains(&format!(
            "spack mirror add --name io --s3-endpoint-url {endpoint} open {PUBLIC}"
        )),
        "{commands:?}"
    );
    let closed = format!("spack mirror add --s3-endpoint-url {endpoint} closed {PRIVATE}");
    assert!(commands.contains(&closed), "{commands:?}");
    // A mirror's own server counts before others, as in Spack.
    let spacks = [("S3_ENDPOINT_URL", "http://127.0.0.1:9"), ("SITE_SECRET", "secret")];
    assert_eq!(run(&desk, &index, &spacks).code, Some(0));
    let outcome = run(&desk, &index, &[]);
    let left_out = "note: mirrors.yaml: left out closed: the variable SITE_SECRET is not set\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), left_out));
}

#[test]
fn binaries_in_a_bucket_are_looked_into() {
    let Some(buckets) = Buckets::start() else { return };
    let desk = Desk::new();
    let inspect = ["inspect", PRIVATE, "--endpoint", &buckets.endpoint, "-o", "bucket.json"];
    let bucket = run(&desk, &inspect, &KEYS);
    let folder = run(&desk, &["inspect", &data("mirror-1.3"), "-o", "folder.json"], &[]);
    assert_eq!(bucket.code, folder.code, "{}\n{}", bucket.err, folder.err);
    assert_eq!(desk.path("bucket.json").exists(), desk.path("folder.json").exists());
}

#[test]
fn a_bucket_says_which_builds_it_has() {
    for (mirror, check, missing) in [
        (
            "manifest-missing",
            "1 build of the index is without a manifest in the mirror, and so not in the cache: zlib-ng/",
            "zlib-ng/5ackrcoineuurp7ejov2nfzm2o7alpk5\n",
        ),
        ("not-in-index", "1 build is in the mirror but not in its index", ""),
    ] {
        let Some(buckets) = Buckets::with(&data(&format!("reported/{mirror}"))) else { return };
        let desk = Desk::new();
        let server = ["--endpoint", &buckets.endpoint];
        let checked = run(&desk, &[&["check", PRIVATE], &server[..]].concat(), &KEYS);
        assert!(checked.code == Some(0) && checked.err.contains(check), "{}", checked.err);
        let lock = data("reported/spack.lock");
        let environment = ["environment", &lock, "--missing", "--from"];
        for (bucket, keys) in [(PRIVATE, &KEYS[..]), (PUBLIC, &[])] {
            let asked = run(&desk, &[&environment, &[bucket][..], &server].concat(), keys);
            assert_eq!(asked.out, missing, "{mirror} {bucket}: {}", asked.err);
        }
    }
}
