//! `mcp`: an assistant's questions about a cache. The official Python client asks too, if `tools/setup python` has installed
//! it.

use cache_index::index::Index;
use serde_json::{Value, json};

use crate::desk::{Desk, HASH, OTHER, data, page};
use crate::python::{self, Python};

/// Sends messages, one per line, and returns the answers.
#[track_caller]
fn talk(desk: &Desk, arguments: &[&str], lines: &str) -> Vec<Value> {
    let outcome = desk.run_with(&[&["mcp"], arguments].concat(), lines);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    outcome.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Calls a tool, and returns its result.
#[track_caller]
fn call(desk: &Desk, arguments: &[&str], tool: &str, given: &Value) -> Value {
    let params = json!({"name": tool, "arguments": given});
    let line = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let answers = talk(desk, arguments, &format!("{line}\n"));
    assert_eq!((answers.len(), &answers[0]["id"]), (1, &json!(7)));
    answers[0]["result"].clone()
}

/// Calls a tool, and returns what it says.
#[track_caller]
pub(crate) fn ask(desk: &Desk, arguments: &[&str], tool: &str, given: &Value) -> Value {
    let result = call(desk, arguments, tool, given);
    assert!(result["isError"].is_null(), "{result}");
    let said = &result["structuredContent"];
    assert_eq!(result["content"][0]["text"], said.to_string());
    said.clone()
}

/// Calls a tool that cannot answer, and returns why.
#[track_caller]
pub(crate) fn fails(desk: &Desk, arguments: &[&str], tool: &str, given: &Value) -> String {
    let result = call(desk, arguments, tool, given);
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().expect("a text").to_owned()
}

const ZSTD: &str = "sjijntoe2e26ie4cquahc4oocub4yj5h";

#[test]
fn answers_each_request_in_a_line_and_nothing_else() {
    let desk = Desk::new();
    let lines = r#"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
nonsense

{"jsonrpc": "2.0", "id": "two", "method": "tools/list"}
{"jsonrpc": "2.0", "id": 3, "method": "ping"}"#;
    let answers = talk(&desk, &[&data("mirror-v3")], lines);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(0), &Value::Null, &json!("two"), &json!(3)]);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    let instructions = answers[0]["result"]["instructions"].as_str().expect("a text");
    assert!(instructions.contains("4 prebuilt binaries, as of 2025-11-21"), "{instructions}");
    assert_eq!(answers[1]["error"]["code"], -32700);
    let tools = answers[2]["result"]["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["search", "build", "why", "environment", "compare", "changes"]);
    assert_eq!(answers[3]["result"], json!({}));
}

#[test]
fn keeps_the_standard_input_for_questions() {
    let words = "error: the standard input has the assistant's questions, so it cannot have a cache or a \
                 password\n";
    Desk::new().fails(&["mcp", "-"], words);
    #[cfg(feature = "fetch")]
    Desk::new().fails(&["mcp", "oci://localhost:1/cache", "--username", "me"], words);
}

#[test]
fn says_what_the_command_prints_as_json() {
    let desk = Desk::new();
    let cache = data("mirror-v3");
    let printed = |call: &[&str]| -> Value {
        serde_json::from_str(&desk.run(&[call, &["--from", &cache, "--json"]].concat()).out)
            .expect("JSON")
    };
    let found = ask(&desk, &[&cache], "search", &json!({"spec": "zstd"}));
    assert_eq!(found["builds"], printed(&["search", "zstd"]));

    let machine = ["--host", "linux.debian12.x86_64_v4", "--libc", "2.36"];
    let given = json!({"build": "sjijnto", "host": machine[1], "libc": machine[3]});
    let judged = ask(&desk, &[&cache], "why", &given);
    assert_eq!(judged["builds"][0], printed(&[&["why", ZSTD], &machine[..]].concat()));

    // If a spec has more than one build, those that Spack would reuse come first.
    let given = json!({"build": "platform=linux", "host": "linux.debian12.zen2", "libc": "2.36"});
    let judged = ask(&desk, &[&cache], "why", &given);
    let eligible: Vec<&Value> =
        judged["builds"].as_array().expect("a list").iter().map(|it| &it["eligible"]).collect();
    assert!(eligible.len() > 1, "{judged}");
    assert!(eligible.is_sorted_by_key(|eligible| **eligible != true), "{eligible:?}");
    assert!(judged["notes"].to_string().contains(" builds eligible"), "{}", judged["notes"]);

    let lock = data("environment/zlib-only/spack.lock");
    let content = std::fs::read_to_string(&lock).expect("a lock file");
    let mut said =
        ask(&desk, &[&cache], "environment", &json!({"content": content, "causes": true}));
    let mut printed = printed(&["environment", &lock, "--causes"]);
    for field in ["nodes", "cached", "missing", "causes"] {
        assert!(!printed[field].is_null(), "{field}");
        assert_eq!(said[field].take(), printed[field].take(), "{field}");
    }
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("later/a.md", page("zlib", OTHER, "rhel8"));
    let said = ask(&desk, &["later", "--since", "cache"], "changes", &json!({}));
    let printed: Value =
        serde_json::from_str(&desk.run(&["changes", "cache", "later", "--json"]).out)
            .expect("JSON");
    assert_eq!((&said["came"], &said["went"]), (&printed["came"], &printed["went"]));
    assert_eq!(said["notes"][0], "1 build came, 1 went, 0 stayed");
}

#[test]
fn says_what_changes_are_counted_from() {
    let desk = Desk::new();
    let published = |name: &str, day: u32| {
        desk.run(&["index", name, "-o", &format!("{name}.json")]);
        let mut index = Index::from_json(&desk.read(&format!("{name}.json"))).expect("an index");
        index.about_mut().made = Some(format!("2025-11-{day:02}T10:10:00Z"));
        desk.write(&format!("{name}.json"), index.to_json());
    };
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("later/a.md", page("zlib", OTHER, "rhel8"));
    published("cache", 1);
    published("later", 2);
    let changes = |arguments: &[&str], given: Value| ask(&desk, arguments, "changes", &given);
    let said = changes(&["later.json", "--since", "cache.json"], json!({}));
    let words = "the snapshot of 2025-11-01T10:10:00Z that this server was started with";
    assert_eq!((&said["since"], &said["all"]["came"]), (&json!(words), &json!(1)));
    // That nothing changed is an answer too.
    let said = changes(&["later.json", "--since", "later.json"], json!({}));
    assert_eq!(said["notes"][0], "0 builds came, 0 went, 1 stayed");
    desk.run(&["index", "later.json", "--since", "cache.json", "-o", "both.json"]);
    let said = changes(&["both.json"], json!({}));
    assert_eq!(said["since"], "the publication before of 2025-11-01T10:10:00Z");
    // Two stacks are not earlier and later.
    let said = changes(&["cache"], json!({"between": "develop..develop/root"}));
    assert_eq!((&said["between"], said.get("since")), (&json!("develop..develop/root"), None));
}

#[test]
fn knows_everything_about_a_build_and_how_builds_differ() {
    let desk = Desk::new();
    let cache = data("mirror-v3");
    let said = ask(&desk, &[&cache], "build", &json!({"build": format!("/{ZSTD}")}));
    assert_eq!(said["build"]["hash"], ZSTD);
    assert_eq!(said["build"]["dependencies"].as_array().map(Vec::is_empty), Some(false));
    assert!(said["commands"].to_string().contains("spack install --cache-only /sjijnto"), "{said}");

    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("cache/b.md", page("zlib", OTHER, "rhel9"));
    let said = ask(&desk, &["cache"], "compare", &json!({"builds": [HASH, OTHER]}));
    let os = json!({"name": "OS", "only_to_build": false, "values": [["rhel8"], ["rhel9"]]});
    assert!(said["differing"].as_array().expect("a list").contains(&os), "{said}");
    let words = fails(&desk, &["cache"], "compare", &json!({"builds": [HASH]}));
    assert_eq!(words, "expected two to four builds, found 1 build");
    let words = fails(&desk, &["cache"], "compare", &json!({"builds": [HASH, OTHER, "/3rseveu"]}));
    let expected = "are the same build; expected different ones";
    assert_eq!(words, format!("\"{OTHER}\" and \"/3rseveu\" {expected}"));
}

#[test]
fn returns_long_lists_in_parts() {
    let desk = Desk::new();
    desk.run(&["generate", "--builds", "3000", "-o", "large.json"]);
    let mut hashes = Vec::new();
    let mut given = json!({"spec": "target=x86_64:", "limit": 100});
    let all = ask(&desk, &["large.json"], "search", &given)["all"]["builds"].clone();
    loop {
        let said = ask(&desk, &["large.json"], "search", &given);
        let builds = said["builds"].as_array().expect("a list");
        assert!(builds.len() <= 100 && said.to_string().len() < 200_000);
        hashes.extend(builds.iter().map(|build| build["hash"].to_string()));
        assert_eq!(said["all"]["builds"], all);
        match said.get("next_offset") {
            // Three pages are enough to show that no build is lost.
            Some(next) if hashes.len() < 300 => given["offset"] = next.clone(),
            _ => break,
        }
    }
    let distinct: std::collections::BTreeSet<&String> = hashes.iter().collect();
    assert_eq!((hashes.len(), distinct.len()), (300, 300));
    assert!(all.as_u64().is_some_and(|all| all > 300), "{all}");
}

#[test]
fn says_what_is_wrong_with_a_question_so_that_it_can_be_asked_again() {
    let desk = Desk::new();
    let cache = data("mirror-v3");
    let fails = |tool: &str, given: Value| fails(&desk, &[&cache], tool, &given);
    // Errors about arguments come with an example.
    let spec = ": A spec such as `hdf5@1.14: +mpi ";
    let missing = fails("search", json!({}));
    assert!(missing.starts_with(&format!("expected the argument spec{spec}")), "{missing}");
    let wrong = fails("search", json!({"spec": 1}));
    assert!(wrong.starts_with(&format!("spec: expected a text, found 1{spec}")), "{wrong}");
    assert_eq!(
        fails("search", json!({"spec": "zstd", "os": "rhel8"})),
        "no argument \"os\"; there are spec, offset, limit"
    );
    assert_eq!(
        fails("search", json!({"spec": "zstd", "offset": -1})),
        "offset: expected a whole number, found -1"
    );
    for limit in [-1, 0, 101] {
        assert_eq!(
            fails("search", json!({"spec": "zstd", "limit": limit})),
            format!("limit: expected a whole number from 1 to 100, found {limit}")
        );
    }
    let words = fails("search", json!({"spec": "zstd@@"}));
    assert!(words.contains("expected a version after `@`") && words.contains('^'), "{words}");
    assert_eq!(
        fails("build", json!({"build": "zstd@1"})),
        "expected a hash or its beginning, found \"zstd@1\""
    );
    let none = "no build of this cache has a hash that begins with \"zzzz\"";
    assert_eq!(fails("build", json!({"build": "/zzzz"})), none);
    let words = fails("why", json!({"build": "zstd", "host": "a toaster"}));
    assert!(words.starts_with("host a toaster: expected"), "{words}");
    let words = fails("why", json!({"build": "zstd", "host": "linux.a.zen4", "gpu": "toaster"}));
    assert!(words.starts_with("gpu toaster: expected"), "{words}");
    let said = ask(&desk, &[&cache], "why", &json!({"build": "zstd", "host": "Rocky 9 zen4"}));
    assert!(said["notes"].to_string().contains("read host as linux-"), "{said}");
    assert!(!said.to_string().contains("--"), "{said}");
    let words = fails("environment", json!({"content": "{\"roots\": 1}"}));
    assert!(!words.is_empty());
    assert!(fails("changes", json!({})).ends_with("an earlier snapshot of it: --since EARLIER"));
    let none = "no release or stack \"a\": this cache has none";
    assert_eq!(fails("changes", json!({"between": "a..b"})), none);
    // If nothing is found, the answer gives the reason.
    let said = ask(&desk, &[&cache], "search", &json!({"spec": "zsdt"}));
    assert_eq!(said["notes"], json!(["no package `zsdt`: did you mean `zstd`?"]));
}

/// Asks like an assistant, in each version of the protocol that the client knows.
const CLIENT: &str = "
import asyncio, sys
from mcp import Client, StdioServerParameters
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

async def ask(mode):
    server = StdioServerParameters(command=sys.argv[1], args=['mcp', sys.argv[2]])
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        tools = await client.list_tools()
        found = await client.call_tool('search', {'spec': 'zstd'})
        assert not found.is_error and found.structured_content['builds'][0]['package'] == 'zstd', found
        wrong = await client.call_tool('search', {'spec': '@@'})
        assert wrong.is_error, wrong
        return client.protocol_version, client.server_info.name, [tool.name for tool in tools.tools]

for mode in ('auto', 'legacy'):
    version, name, tools = asyncio.run(ask(mode))
    assert version in KNOWN_PROTOCOL_VERSIONS, version
    print(version, name, *tools)
";

#[test]
fn talks_with_the_official_client() {
    let Some(Python) = python::with("mcp") else { return };
    let desk = Desk::new();
    let command = env!("CARGO_BIN_EXE_cache-explorer");
    let outcome =
        desk.call(python::command().args(["-c", CLIENT, command, &data("mirror-v3")]), "");
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let rest = "cache-explorer search build why environment compare changes\n";
    assert_eq!(outcome.out, format!("2026-07-28 {rest}2025-11-25 {rest}"));
}
