//! The messages of the Model Context Protocol, as far as a server that only has tools needs them:
//! <https://modelcontextprotocol.io/specification>.
//!
//! A message is a line of JSON (JSON-RPC 2.0). Up to the version of 2025, a client begins with `initialize`; since that of
//! 2026, each request names its version itself. Nothing here depends on what was said before, so both are served alike.
//!
//! | request | answer |
//! | --- | --- |
//! | `initialize` | the version that the client proposes, or the newest that begins like this |
//! | `server/discover` | all versions |
//! | `ping` | an empty object |
//! | `tools/list`, `tools/call` | the tools; what one of them says |
//! | any other request | an error |
//! | a notification, or an answer | none |
//!
//! Every line gets at most one answer, whatever is in it.

use cache_ingest::problem::quote;
use serde_json::{Map, Value, json};

use crate::terminal::Lines;

/// The versions that begin with `initialize`, oldest first.
const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The versions that each request names.
const IN_REQUESTS: [&str; 1] = ["2026-07-28"];

/// The field of `_meta` in which a request names its version.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// How long clients may keep what does not change while the server runs: an hour, in milliseconds.
const KEPT: u32 = 3_600_000;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const UNSUPPORTED_VERSION: i32 = -32022;

/// The arguments of a tool.
pub(super) type Arguments = Map<String, Value>;

/// What a server offers.
pub(super) trait Tools {
    /// Says what the server is for.
    fn instructions(&self) -> String;

    /// Returns the descriptions of all tools.
    fn list(&self) -> Value;

    /// Returns what a tool says, or what is wrong with the arguments; `None` if no tool has this name.
    fn call(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, String>>;
}

/// An error that belongs to a request, not to a tool.
struct Refusal {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Refusal {
    fn new(code: i32, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), data: None }
    }
}

/// Returns the answer to a message, if the message gets one.
pub(super) fn answer(tools: &impl Tools, line: &[u8]) -> Option<Value> {
    let refused = |code, message: &str| answer_of(&Value::Null, Err(Refusal::new(code, message)));
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return Some(refused(PARSE_ERROR, &error.to_string())),
    };
    let has = |field: &str| message.get(field).is_some();
    match (message.get("method"), message.get("id")) {
        (Some(Value::String(method)), Some(id @ (Value::String(_) | Value::Number(_)))) => {
            Some(answer_of(id, result(tools, method, message.get("params"))))
        }
        // A notification.
        (Some(Value::String(_)), None) => None,
        // An answer, although nothing was asked.
        (None, Some(_)) if has("result") || has("error") => None,
        _ => Some(refused(
            INVALID_REQUEST,
            "expected one object with a method, and an id that is a text or a number",
        )),
    }
}

fn answer_of(id: &Value, outcome: Result<Value, Refusal>) -> Value {
    match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Refusal { code, message, data: None }) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
        }
        Err(Refusal { code, message, data }) => {
            let error = json!({"code": code, "message": message, "data": data});
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    }
}

fn result(tools: &impl Tools, method: &str, params: Option<&Value>) -> Result<Value, Refusal> {
    let none = Arguments::new();
    let params = match params {
        None => &none,
        Some(Value::Object(params)) => params,
        Some(_) => return Err(Refusal::new(INVALID_PARAMS, "expected params to be an object")),
    };
    let version = params.get("_meta").and_then(|meta| meta.get(VERSION));
    if let Some(version) = version
        && !IN_REQUESTS.iter().any(|known| version == known)
    {
        // The versions of the handshake cannot be named in requests.
        let data = Some(json!({"supported": IN_REQUESTS, "requested": version}));
        let message = "a version of the protocol that is not known here".to_owned();
        return Err(Refusal { code: UNSUPPORTED_VERSION, message, data });
    }
    let mut result = match method {
        "initialize" => initialize(tools, params),
        "server/discover" => json!({
            "supportedVersions": IN_REQUESTS,
            "capabilities": {"tools": {}},
            "instructions": tools.instructions(),
        }),
        "ping" => json!({}),
        "tools/list" if params.contains_key("cursor") => {
            return Err(Refusal::new(INVALID_PARAMS, "all tools are on the first page"));
        }
        "tools/list" => json!({"tools": tools.list()}),
        "tools/call" => call(tools, params)?,
        _ => return Err(Refusal::new(METHOD_NOT_FOUND, format!("no method {}", quote(method)))),
    };
    if version.is_some() {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": about()});
        if method != "tools/call" {
            result["ttlMs"] = KEPT.into();
            result["cacheScope"] = "private".into();
        }
    }
    Ok(result)
}

fn initialize(tools: &impl Tools, params: &Arguments) -> Value {
    let newest = HANDSHAKE[HANDSHAKE.len() - 1];
    let proposed = params.get("protocolVersion").and_then(Value::as_str);
    let version = HANDSHAKE.into_iter().find(|&known| proposed == Some(known));
    json!({
        "protocolVersion": version.unwrap_or(newest),
        "capabilities": {"tools": {}},
        "serverInfo": about(),
        "instructions": tools.instructions(),
    })
}

fn about() -> Value {
    json!({
        "name": "cache-explorer",
        "title": "Spack Build Cache Explorer",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Calls a tool. What is wrong with its arguments is an answer too, which a model can read and correct.
fn call(tools: &impl Tools, params: &Arguments) -> Result<Value, Refusal> {
    let Some(Value::String(name)) = params.get("name") else {
        return Err(Refusal::new(INVALID_PARAMS, "expected the name of a tool"));
    };
    let none = Arguments::new();
    let arguments = match params.get("arguments") {
        None => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(Refusal::new(INVALID_PARAMS, "expected arguments to be an object")),
    };
    let said = tools.call(name, arguments);
    let said =
        said.ok_or_else(|| Refusal::new(INVALID_PARAMS, format!("no tool {}", quote(name))))?;
    let content = |text: String| json!([{"type": "text", "text": text}]);
    Ok(match said {
        // Also as text, for clients that read nothing else.
        Ok(answer) => json!({"content": content(answer.to_string()), "structuredContent": answer}),
        Err(problem) => json!({"content": content(Lines(problem).to_string()), "isError": true}),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A tool that returns its arguments, and one that fails.
    struct Echo;

    impl Tools for Echo {
        fn instructions(&self) -> String {
            "Say something.".to_owned()
        }

        fn list(&self) -> Value {
            json!([{"name": "echo", "inputSchema": {"type": "object"}}])
        }

        fn call(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, String>> {
            match name {
                "echo" => Some(Ok(Value::Object(arguments.clone()))),
                "fail" => Some(Err("no\u{1b}".to_owned())),
                _ => None,
            }
        }
    }

    fn ask(message: &Value) -> Value {
        answer(&Echo, message.to_string().as_bytes()).unwrap_or_default()
    }

    fn request(method: &str, params: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    }

    #[test]
    fn agrees_on_a_version() {
        for (proposed, expected) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-06-18", "2025-06-18"),
            ("1999-01-01", "2025-11-25"),
        ] {
            let answer = ask(&request("initialize", json!({"protocolVersion": proposed})));
            assert_eq!(answer["result"]["protocolVersion"], expected);
            assert_eq!(answer["result"]["serverInfo"]["name"], "cache-explorer");
        }
        let in_request = |version: &str, method: &str| {
            ask(&request(method, json!({"_meta": {VERSION: version}})))
        };
        let found = in_request("2026-07-28", "server/discover");
        assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
        let listed = in_request("2026-07-28", "tools/list");
        assert_eq!(listed["result"]["resultType"], "complete");
        assert_eq!(ask(&request("tools/list", json!({})))["result"]["resultType"], Value::Null);
        // A version of the handshake is not one that a request may name.
        for version in ["2099-01-01", "2025-11-25"] {
            let refused = in_request(version, "tools/list");
            assert_eq!(refused["error"]["code"], UNSUPPORTED_VERSION);
            let data = json!({"supported": ["2026-07-28"], "requested": version});
            assert_eq!(refused["error"]["data"], data);
        }
    }

    #[test]
    fn says_what_a_tool_says_and_what_is_wrong_with_its_arguments() {
        let called = ask(&request("tools/call", json!({"name": "echo", "arguments": {"a": 1}})));
        let expected = json!({"content": [{"type": "text", "text": "{\"a\":1}"}], "structuredContent": {"a": 1}});
        assert_eq!(called["result"], expected);
        let failed = ask(&request("tools/call", json!({"name": "fail"})));
        let expected = json!({"content": [{"type": "text", "text": "no\\u{1b}"}], "isError": true});
        assert_eq!(failed["result"], expected);
    }

    #[test]
    fn refuses_what_is_not_a_request() {
        #[track_caller]
        fn check(line: &str, code: i32) {
            let refused = answer(&Echo, line.as_bytes()).expect("an answer");
            assert_eq!(refused["error"]["code"], code, "{line}: {refused}");
        }
        check("", PARSE_ERROR);
        check("{", PARSE_ERROR);
        check(&"[".repeat(10_000), PARSE_ERROR);
        check("[]", INVALID_REQUEST);
        check("{}", INVALID_REQUEST);
        check(r#"{"id": null, "method": "ping"}"#, INVALID_REQUEST);
        check(r#"{"id": 1, "method": 2}"#, INVALID_REQUEST);
        check(r#"{"id": 1, "method": "resources/list"}"#, METHOD_NOT_FOUND);
        check(r#"{"id": 1, "method": "ping", "params": []}"#, INVALID_PARAMS);
        check(r#"{"id": 1, "method": "tools/list", "params": {"cursor": "2"}}"#, INVALID_PARAMS);
        check(r#"{"id": 1, "method": "tools/call"}"#, INVALID_PARAMS);
        check(r#"{"id": 1, "method": "tools/call", "params": {"name": "none"}}"#, INVALID_PARAMS);
        for line in [
            r#"{"method": "notifications/initialized"}"#,
            r#"{"id": 1, "result": {}}"#,
            r#"{"id": 1, "error": {}}"#,
        ] {
            assert_eq!(answer(&Echo, line.as_bytes()), None, "{line}");
        }
    }

    /// Returns messages with anything in any part.
    fn any_message() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
            proptest::sample::select(vec![
                "ping",
                "initialize",
                "tools/list",
                "tools/call",
                "echo",
                "2026-07-28"
            ])
            .prop_map(Value::from),
        ];
        let names = vec!["id", "method", "params", "name", "arguments", "_meta", "result", VERSION];
        leaf.prop_recursive(4, 32, 6, move |inner| {
            let name = proptest::sample::select(names.clone()).prop_map(str::to_owned);
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(name, inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// An answer is a result or an error, in one line, and has the id of the request.
        #[test]
        fn answers_any_message_once(message in any_message(), cut in 0usize..200, byte in any::<u8>()) {
            let mut line = message.to_string().into_bytes();
            if let Some(at) = line.get_mut(cut) {
                *at = byte;
            }
            for line in [message.to_string().into_bytes(), line] {
                let Some(answer) = answer(&Echo, &line) else { continue };
                prop_assert!(answer["result"].is_object() != answer["error"].is_object(), "{}", answer);
                prop_assert!(!answer.to_string().contains('\n'));
                if answer["result"].is_object() {
                    let asked: Value = serde_json::from_slice(&line).expect("it was read");
                    prop_assert_eq!(&answer["id"], &asked["id"]);
                }
            }
        }
    }
}
