//! Mirrors on web servers that list their folders, whatever the folders are called: every server writes the links of such a
//! page in its own way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use cache_index::build::Hash;
use cache_index::index::Index;
use cache_index::mirror::Mirror;
use spack_spec::shell_word;
use walkdir::WalkDir;

use crate::caches::serve_with;
use crate::desk::{Desk, data};

/// How a kind of server writes the link to a name.
#[derive(Clone, Copy)]
struct Server {
    name: &'static str,
    before: &'static str,
    /// The characters besides letters, digits and `-._~` that it does not encode.
    plain: &'static str,
    /// The characters that it writes as references in HTML, after encoding.
    references: &'static [(&'static str, &'static str)],
}

/// Python's `http.server` and nginx encode everything. Apache writes `./` before a name with a colon, and Caddy escapes
/// everything that may be harmful anywhere in HTML.
const SERVERS: [Server; 3] = [
    Server { name: "Python", before: "", plain: "", references: &[] },
    Server { name: "Apache", before: "./", plain: "$+!*'(),:@&=", references: &[("&", "&amp;")] },
    Server {
        name: "Caddy",
        before: "./",
        plain: "$+:@&=",
        references: &[("&", "&amp;"), ("+", "&#43;")],
    },
];

/// The folder that contains the mirror, and its views. A view may be inside the folder of another.
const FOLDER: &str = "a?b#c d%25";
const FOLDER_ADDRESS: &str = "a%3Fb%23c%20d%2525";
const VIEWS: [&str; 4] = ["a&b+c'd=e:f", FOLDER, "rel/50% \"new\"", "\u{e9}t\u{e9}"];

/// A build of the mirror with views.
const GMAKE: &str = "k3ohispxt46v2v6qkl77tbzwpxka7ubq";

/// Encodes a path except for letters, digits and these characters.
fn encode(path: &str, plain: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || "-._~".contains(char::from(byte));
    let encoded =
        path.bytes().map(|byte| match is_plain(byte) || plain.as_bytes().contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        });
    encoded.collect()
}

impl Server {
    fn link(&self, name: &str) -> String {
        let address = format!("{}{}", self.before, encode(name, &format!("/{}", self.plain)));
        self.references
            .iter()
            .fold(address, |address, (text, written)| address.replace(text, written))
    }

    /// Returns the page of a folder: links that sort the page, a link to the folder above, and one link for each name.
    fn page(&self, names: &BTreeSet<String>) -> String {
        let links =
            names.iter().map(|name| format!("<li><a href=\"{}\">x</a></li>\n", self.link(name)));
        format!(
            "<!DOCTYPE HTML>\n<html><head><title>Index</title></head><body>\n\
             <a href=\"?C=N&amp;O=D\">Name</a> <a href=\"../\">..</a>\n<ul>\n{}</ul></body></html>",
            links.collect::<String>()
        )
    }
}

/// Returns all files of a mirror, and an index for each of these views, by path.
fn files(mirror: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = data(mirror);
    let entries = WalkDir::new(&folder).into_iter().map(|entry| entry.expect("a file"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    let mut files: BTreeMap<String, Vec<u8>> = files
        .map(|entry| {
            let path = entry.path().strip_prefix(&folder).expect("below it");
            (path.display().to_string(), std::fs::read(entry.path()).expect("a file"))
        })
        .collect();
    let index = files["v3/manifests/index/index.manifest.json"].clone();
    for view in VIEWS {
        files.insert(format!("v3/manifests/index/{view}/index.manifest.json"), index.clone());
    }
    files
}

/// Serves a mirror below a folder like this server. Returns its URL, and a list of the requested paths that do not exist.
fn serve(server: Server, mirror: &str) -> (String, Arc<Mutex<Vec<String>>>) {
    let files = files(mirror);
    let absent: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&absent);
    let there: BTreeMap<String, Vec<u8>> = files
        .iter()
        .map(|(path, content)| (format!("{FOLDER_ADDRESS}/{}", encode(path, "/")), content.clone()))
        .collect();
    let url = serve_with(move |asked| {
        let folder = asked.ends_with('/').then(|| {
            let below = files.keys().filter_map(|path| {
                let address = format!("{FOLDER_ADDRESS}/{}", encode(path, "/"));
                address.starts_with(asked).then(|| {
                    // Skips the folders of the path that are in the address.
                    let depth = asked.matches('/').count() - 1;
                    let rest = path.splitn(depth + 1, '/').last().unwrap_or_default();
                    rest.split_inclusive('/').next().unwrap_or_default().to_owned()
                })
            });
            below.collect::<BTreeSet<String>>()
        });
        let found = match folder.filter(|names| !names.is_empty()) {
            Some(names) => Some(server.page(&names).into_bytes()),
            None => there.get(asked).cloned(),
        };
        if found.is_none() {
            noted.lock().expect("a lock").push(asked.to_owned());
        }
        found
    });
    (format!("{url}/{FOLDER_ADDRESS}"), absent)
}

#[test]
fn reads_folders_of_any_name_as_any_server_lists_them() {
    for server in SERVERS {
        let desk = Desk::new();
        let (url, absent) = serve(server, "mirror-1.3");
        let outcome = desk.run(&["index", &url]);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{}", server.name);
        let index = Index::from_json(&desk.read("index.json")).expect("an index");
        // The only missing paths are those of the older layout, and a test for a database at the URL itself.
        let absent: BTreeSet<String> = absent.lock().expect("a lock").drain(..).collect();
        let expected =
            ["", "/build_cache/index.json"].map(|path| format!("{FOLDER_ADDRESS}{path}"));
        assert_eq!(absent, BTreeSet::from(expected), "{}", server.name);

        let places: Vec<_> = index.all_places().collect();
        let expected: BTreeSet<String> =
            VIEWS.into_iter().chain(["compression", "io"]).map(str::to_owned).collect();
        let views: BTreeSet<String> =
            places.iter().filter_map(|place| Mirror::of(place, index.about()).view).collect();
        assert_eq!(views, expected, "{}", server.name);
        assert_eq!(places.len(), expected.len() + 1);

        let hash: Hash = GMAKE.parse().expect("a hash");
        let build = index.find(hash).expect("a build");
        let add = format!("spack mirror add --name 'a?b#c d%25' 'a?b#c d%25' {url}");
        assert!(places.iter().any(|place| Mirror::of(place, index.about()).add() == add), "{add}");
        for (place, view, name) in places.iter().filter_map(|place| {
            let view = Mirror::of(place, index.about()).view?;
            Some((place, view.clone(), view.replace('/', "-")))
        }) {
            let mirror = Mirror::for_build(&index, place, build);
            let add = format!(
                "spack mirror add --name {} {} {url}",
                shell_word(&view),
                shell_word(&name)
            );
            let trust = "spack buildcache keys --install --trust".to_owned();
            let install = format!("spack install --cache-only /{GMAKE}");
            let commands = mirror.commands(&format!("/{GMAKE}"));
            let commands: Vec<String> = commands.into_iter().map(|(_, command)| command).collect();
            assert_eq!(commands, [add, trust, install]);
        }
    }
}

#[test]
fn reads_a_mirror_whose_url_answers_with_a_list_of_files() {
    let desk = Desk::new();
    let (url, _) = serve(SERVERS[0], "mirror-1.3");
    let outcome = desk.run(&["index", &format!("{url}/"), "-o", "with.json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert_eq!(desk.run(&["index", &url, "-o", "without.json"]).code, Some(0));
    assert_eq!(desk.read("with.json"), desk.read("without.json"));
}

#[test]
fn says_why_a_mirror_at_a_url_cannot_be_read() {
    let desk = Desk::new();
    let (url, _) = serve(SERVERS[0], "mirror-1.3");
    let outcome = desk.run(&["index", &url, "--view", "oi"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("oi") && outcome.err.contains("compression"), "{}", outcome.err);
    assert!(!outcome.err.contains("404"), "{}", outcome.err);
}

/// Reads the index, the manifests and the binaries; one binary is missing.
#[test]
fn looks_into_the_binaries_of_a_view_of_any_name() {
    const ABSENT: &str =
        "blobs/sha256/c8/c8ecd11775aac1efd9009dc84bc025cb826c4065765cca846d79b166862b3410";
    let desk = Desk::new();
    let folder = data("binaries/v3-pad128");
    assert_eq!(desk.run(&["inspect", &folder, "-o", "folder.json"]).code, Some(1));
    for view in VIEWS {
        let (url, absent) = serve(SERVERS[0], "binaries/v3-pad128");
        let outcome = desk.run(&["inspect", &url, "--view", view, "-o", "view.json"]);
        assert_eq!(outcome.code, Some(1), "{view}");
        let problem = format!(
            "{ABSENT}: build qtlr7cqilkpymu3yioy6qu32qgyyfeqd: the binary could not be read: there is no such file"
        );
        assert!(outcome.err.contains(&problem), "{view}: {}", outcome.err);
        assert_eq!(desk.read("view.json"), desk.read("folder.json"), "{view}");
        // A missing file is not requested again.
        let absent = absent.lock().expect("a lock");
        let expected = format!("{FOLDER_ADDRESS}/{ABSENT}");
        assert_eq!(absent.iter().filter(|asked| **asked == expected).count(), 1, "{absent:?}");
    }
}
