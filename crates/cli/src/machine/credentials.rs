//! Names and passwords for registries: from the file that `docker login` writes and the helpers that it names, or from the
//! command line and the standard input.
//!
//! | in `config.json` | means |
//! | --- | --- |
//! | `credHelpers: {HOST: NAME}` | `docker-credential-NAME get` returns those of this host |
//! | `credsStore: NAME` | the same for every host |
//! | `auths: {HOST: {auth}}` | name and password, joined by `:`, in base64 |
//! | `auths: {HOST: {identitytoken}}` | a token to be exchanged for others |
//!
//! The file is `$DOCKER_CONFIG/config.json`, or else `~/.docker/config.json`. A host may be written with
//! `https://` before it and a path after it. Neither `Debug` nor any message shows a secret.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fmt, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// Returns the text, for the header of a request and nothing else.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Reads a password: the first line of the standard input.
    pub(crate) fn read() -> io::Result<Secret> {
        let mut line = String::new();
        io::stdin().lock().take(64 << 10).read_to_string(&mut line)?;
        Ok(Secret(line.lines().next().unwrap_or_default().to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// What a user signs in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Credentials {
    Password { name: String, password: Secret },
    Token(Secret),
}

impl Credentials {
    /// Returns the header that contains a name and a password.
    pub(super) fn basic(&self) -> Option<String> {
        match self {
            Credentials::Password { name, password } => {
                Some(format!("Basic {}", STANDARD.encode(format!("{name}:{}", password.0))))
            }
            Credentials::Token(_) => None,
        }
    }
}

/// Names and passwords for registries. Each is for one host, and sent to no other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignIn {
    by_host: BTreeMap<String, (String, Secret)>,
}

impl SignIn {
    /// Returns the names and passwords that the settings of mirrors specify, by host.
    pub(crate) fn of_mirrors(by_host: &BTreeMap<String, (String, String)>) -> SignIn {
        let secret = |(name, password): &(String, String)| (name.clone(), Secret(password.clone()));
        let by_host = by_host.iter().map(|(host, pair)| (host.clone(), secret(pair)));
        SignIn { by_host: by_host.collect() }
    }

    /// Adds what the user specified for a host, which replaces what the settings of mirrors specify for it.
    pub(crate) fn give(&mut self, host: &str, name: &str, password: &Secret) {
        self.by_host.insert(host.to_owned(), (name.to_owned(), password.clone()));
    }

    /// Returns the credentials for a host, if there are any. The error is a message for people.
    pub(super) fn of(&self, host: &str) -> Result<Option<Credentials>, String> {
        if let Some((name, password)) = self.by_host.get(host) {
            let (name, password) = (name.clone(), password.clone());
            return Ok(Some(Credentials::Password { name, password }));
        }
        let Some(path) = file() else { return Ok(None) };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} could not be read: {error}", path.display())),
        };
        // The parser's message could quote the file, which contains secrets.
        let config: Value = serde_json::from_str(&text)
            .map_err(|_| format!("{} is not valid JSON", path.display()))?;
        of_config(&config, host)
    }
}

fn file() -> Option<PathBuf> {
    let folder = env::var_os("DOCKER_CONFIG").map(PathBuf::from);
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".docker"));
    Some(folder.or_else(home)?.join("config.json"))
}

fn of_config(config: &Value, host: &str) -> Result<Option<Credentials>, String> {
    let is_host = |name: &str| {
        let name = name.split_once("://").map_or(name, |(_, rest)| rest);
        name.split('/').next() == Some(host)
    };
    let entry = |field: &str| {
        let entries = config[field].as_object().into_iter().flatten();
        entries.filter(|(name, _)| is_host(name)).map(|(name, value)| (name.clone(), value)).next()
    };
    let helper = entry("credHelpers").and_then(|(name, value)| Some((name, value.as_str()?)));
    if let Some((name, helper)) = helper {
        return ask(helper, &name);
    }
    if let Some(store) = config["credsStore"].as_str() {
        let name = entry("auths").map_or(host.to_owned(), |(name, _)| name);
        if let Some(credentials) = ask(store, &name)? {
            return Ok(Some(credentials));
        }
    }
    let Some((_, entry)) = entry("auths") else { return Ok(None) };
    if let Some(token) = entry["identitytoken"].as_str().filter(|token| !token.is_empty()) {
        return Ok(Some(Credentials::Token(Secret(token.to_owned()))));
    }
    let Some(auth) = entry["auth"].as_str().filter(|auth| !auth.is_empty()) else {
        return Ok(None);
    };
    let decoded = STANDARD.decode(auth).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let (name, password) = pair.ok_or_else(|| {
        format!("the credentials of {host} in Docker's config.json are not a name and a password")
    })?;
    // Docker pads what it encodes with zero bytes.
    let password = Secret(password.trim_end_matches('\0').to_owned());
    Ok(Some(Credentials::Password { name: name.to_owned(), password }))
}

/// Asks a helper, which is a separate program.
fn ask(helper: &str, host: &str) -> Result<Option<Credentials>, String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let program = format!("docker-credential-{helper}");
    if helper.is_empty() || !helper.bytes().all(is_plain) {
        return Err("Docker's config.json has an invalid name of a credential helper".to_owned());
    }
    let failed = |error: &dyn fmt::Display| format!("{program} could not be asked: {error}");
    let mut child = Command::new(&program)
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A helper may ignore its input.
        let _ = stdin.write_all(host.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        // This is how a helper reports that it has no credentials.
        return Ok(None);
    }
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{program} answers something that is not JSON"))?;
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    let (name, secret) = (text("Username"), Secret(text("Secret")));
    Ok(match name.as_str() {
        "" => None,
        "<token>" => Some(Credentials::Token(secret)),
        _ => Some(Credentials::Password { name, password: secret }),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(config: &Value, host: &str, expected: Option<Credentials>) {
        assert_eq!(of_config(config, host), Ok(expected));
    }

    fn password(name: &str, password: &str) -> Option<Credentials> {
        Some(Credentials::Password { name: name.to_owned(), password: Secret(password.to_owned()) })
    }

    #[test]
    fn reads_what_docker_login_writes() {
        let config = json!({"auths": {
            "ghcr.io": {"auth": STANDARD.encode("me:pass:word")},
            "https://registry.example.org/v1/": {"auth": STANDARD.encode("you:x")},
            "azure.example.org": {"auth": STANDARD.encode("000:"), "identitytoken": "abc"},
            "empty.example.org": {},
        }});
        check(&config, "ghcr.io", password("me", "pass:word"));
        check(&config, "registry.example.org", password("you", "x"));
        check(&config, "azure.example.org", Some(Credentials::Token(Secret("abc".to_owned()))));
        check(&config, "empty.example.org", None);
        check(&config, "other.example.org", None);
        check(&json!({}), "ghcr.io", None);
        check(&json!([]), "ghcr.io", None);
    }

    #[test]
    fn gives_a_password_to_one_host_only() {
        let pair = |name: &str| (name.to_owned(), "theirs".to_owned());
        let by_host = BTreeMap::from([
            ("a.example.org".to_owned(), pair("them")),
            ("b.example.org".to_owned(), pair("others")),
        ]);
        let mut sign_in = SignIn::of_mirrors(&by_host);
        assert_eq!(sign_in.of("a.example.org"), Ok(password("them", "theirs")));
        sign_in.give("a.example.org", "me", &Secret("mine".to_owned()));
        assert_eq!(sign_in.of("a.example.org"), Ok(password("me", "mine")));
        assert_eq!(sign_in.of("b.example.org"), Ok(password("others", "theirs")));
    }

    #[test]
    fn a_message_repeats_no_secret() {
        let config = json!({"auths": {"x": {"auth": "hunter2!"}}});
        let error = of_config(&config, "x").expect_err("not base64");
        assert!(!error.contains("hunter2"), "{error}");
        let shown = format!("{:?}", password("me", "hunter2"));
        assert!(!shown.contains("hunter2") && shown.contains("me"), "{shown}");
    }

    #[test]
    fn rejects_a_helper_that_is_a_path() {
        for helper in ["", "../evil", "a b"] {
            assert!(ask(helper, "x").is_err());
        }
    }
}
