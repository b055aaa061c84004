//! Buckets: `s3://BUCKET/KEY`, at Amazon or at any server that speaks its protocol.
//!
//! Each URL becomes an HTTPS address that is signed for an hour, or not signed if there are no keys, as for public buckets.
//! Keys, servers and regions come from the same places as in Spack's client (boto3); the first that is set counts:
//!
//! | what | from |
//! | --- | --- |
//! | server | the mirror's `endpoint_url`, `--endpoint`, `$S3_ENDPOINT_URL`, `$AWS_ENDPOINT_URL_S3`, `$AWS_ENDPOINT_URL`, the profile, Amazon |
//! | keys | the mirror's `access_pair`, the profile that is named, `$AWS_ACCESS_KEY_ID` and `$AWS_SECRET_ACCESS_KEY`, the profile of `$AWS_PROFILE` or `default` |
//! | region | `$AWS_REGION`, `$AWS_DEFAULT_REGION`, the profile, the answer of the server, `us-east-1` |
//!
//! Profiles are in `~/.aws/credentials` and `~/.aws/config`. A profile that signs in by other means than keys is refused,
//! with its name in the message. Keys are never sent, and neither they nor signed addresses appear in a message.

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cache_index::index::BucketServer;
use cache_ingest::this_machine::is_this_machine;
use command_formats::listing::{BucketPage, FolderListing};
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use super::failure::Failure;
use super::range::only_first;
use crate::mirrors::{BUCKET, BucketAccess};

/// How long a signed address is valid: an hour.
const VALID: Duration = Duration::from_secs(3600);

/// The maximum number of pages of a list, of a thousand keys each.
const PAGES: usize = 1_000;

/// The region of Amazon's servers if nothing else is known.
const REGION: &str = "us-east-1";

/// How buckets are reached.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    given: BucketAccess,
    /// By the URL of a mirror, without a slash at its end.
    mirrors: HashMap<String, BucketAccess>,
    /// The regions that servers stated, by bucket.
    regions: Mutex<BTreeMap<String, String>>,
}

/// A bucket, and a key or the beginning of keys in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Address<'u> {
    bucket: &'u str,
    key: &'u str,
}

/// A bucket, with what it takes to send requests to it.
struct OpenBucket {
    bucket: Bucket,
    credentials: Option<Credentials>,
}

impl Buckets {
    /// Creates the settings from those for the buckets of mirrors, by URL, and those for all others.
    pub(crate) fn new(given: BucketAccess, mirrors: Vec<(String, BucketAccess)>) -> Buckets {
        let trimmed = |(url, access): (String, _)| (url.trim_end_matches('/').to_owned(), access);
        let mirrors = mirrors.into_iter().map(trimmed).collect();
        Buckets { given, mirrors, regions: Mutex::default() }
    }

    /// Requests a file, or only its first bytes if `first` is given.
    pub(super) fn get(
        &self,
        agent: &Agent,
        url: &str,
        first: Option<u64>,
    ) -> Result<Response<Body>, Failure> {
        let address = Address::of(url)?;
        if address.key.is_empty() {
            // The address of a bucket without a key is a list of its keys.
            return Err(Failure::Status(StatusCode::NOT_FOUND));
        }
        self.ask(agent, url, address, first, |OpenBucket { bucket, credentials }| {
            bucket.get_object(credentials.as_ref(), address.key).sign(VALID).to_string()
        })
    }

    /// Lists the keys that begin with the key in a URL, without this beginning.
    pub(super) fn list(
        &self,
        agent: &Agent,
        url: &str,
        read: impl Fn(Response<Body>) -> Result<String, Failure>,
    ) -> Result<FolderListing, Failure> {
        let address = Address::of(url)?;
        let mut keys = Vec::new();
        let mut next: Option<String> = None;
        for _ in 0..PAGES {
            let response = self.ask(agent, url, address, None, |reached| {
                let OpenBucket { bucket, credentials } = reached;
                let mut action = ListObjectsV2::new(bucket, credentials.as_ref());
                action.with_prefix(address.key);
                if let Some(next) = &next {
                    action.with_continuation_token(next.as_str());
                }
                action.sign(VALID).to_string()
            })?;
            let page = BucketPage::read(&read(response)?, address.key).ok_or_else(|| {
                Failure::Cannot("the server's list of a bucket is not one that S3 has".to_owned())
            })?;
            keys.extend(page.keys);
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        Ok(FolderListing { files: keys, is_complete: next.is_none() })
    }

    /// Sends a request to a bucket. If the server states another region, sends it again there.
    fn ask(
        &self,
        agent: &Agent,
        url: &str,
        address: Address<'_>,
        first: Option<u64>,
        request: impl Fn(&OpenBucket) -> String,
    ) -> Result<Response<Body>, Failure> {
        let access = self.access(url);
        let call = || -> Result<_, Failure> {
            let reached = self.reach(address.bucket, access)?;
            let asked = only_first(agent.get(request(&reached)), first);
            Ok((asked.call().map_err(Failure::of)?, reached))
        };
        let (response, reached) = call()?;
        match !response.status().is_success() && self.learn(address.bucket, &reached, &response) {
            true => Ok(call()?.0),
            false => Ok(response),
        }
    }

    /// Returns why the server refuses a file, and with which key; `None` if the status is not a refusal.
    pub(super) fn refusal(&self, url: &str, status: StatusCode) -> Option<Failure> {
        let is_refusal = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        let bucket = Address::of(url).ok().filter(|_| is_refusal)?.bucket;
        let reached = self.reach(bucket, self.access(url)).ok()?;
        let words = match &reached.credentials {
            Some(credentials) => {
                let key = credentials.key();
                format!("the server answers {status} for the bucket {bucket} with the key {key}")
            }
            None => format!(
                "the server answers {status} for the bucket {bucket} without keys, since none are in the environment \
                 (AWS_ACCESS_KEY_ID) or in ~/.aws"
            ),
        };
        Some(Failure::Refused(words))
    }

    /// Remembers the region that a server states; returns `false` if the request already went there.
    fn learn(&self, bucket: &str, reached: &OpenBucket, response: &Response<Body>) -> bool {
        let region = response.headers().get("x-amz-bucket-region");
        let Some(region) = region.and_then(|value| value.to_str().ok()) else { return false };
        let is_name = region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if region.is_empty() || !is_name || region == reached.bucket.region() {
            return false;
        }
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.insert(bucket.to_owned(), region.to_owned());
        true
    }

    /// Returns the settings for a URL: those of the mirror with the longest URL above it.
    fn access(&self, url: &str) -> &BucketAccess {
        let slashes = url.rmatch_indices('/').map(|(at, _)| &url[..at]);
        let access = std::iter::once(url).chain(slashes).find_map(|above| self.mirrors.get(above));
        access.unwrap_or(&self.given)
    }

    /// Returns what Spack needs besides the URL to reach a bucket as it is reached here; `None` if nothing, or if the URL is
    /// not that of a bucket.
    pub(crate) fn server_of(&self, url: &str) -> Option<BucketServer> {
        Address::of(url).ok()?;
        let access = self.access(url);
        let endpoint = self.endpoint(access, &self.profile(access).unwrap_or_default());
        let endpoint = endpoint.and_then(|endpoint| server(&endpoint).ok());
        let profile = access.profile.as_ref().or(self.given.profile.as_ref());
        let profile = profile.filter(|_| access.keys.is_none()).cloned();
        let server = BucketServer { url: url.trim_end_matches('/').to_owned(), endpoint, profile };
        (server.endpoint.is_some() || server.profile.is_some()).then_some(server)
    }

    /// Returns the server of a bucket; `None` if it is Amazon's.
    fn endpoint(&self, access: &BucketAccess, profile: &Profile) -> Option<String> {
        let given = || self.given.endpoint.clone();
        access
            .endpoint
            .clone()
            .or_else(given)
            .or_else(|| var("S3_ENDPOINT_URL"))
            .or_else(|| var("AWS_ENDPOINT_URL_S3"))
            .or_else(|| var("AWS_ENDPOINT_URL"))
            .or_else(|| profile.endpoint.clone())
    }

    fn reach(&self, bucket: &str, access: &BucketAccess) -> Result<OpenBucket, Failure> {
        let profile = self.profile(access).map_err(Failure::Cannot)?;
        let learned = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        let region = learned
            .get(bucket)
            .cloned()
            .or_else(|| var("AWS_REGION"))
            .or_else(|| var("AWS_DEFAULT_REGION"))
            .or_else(|| profile.region.clone())
            .unwrap_or_else(|| REGION.to_owned());
        let endpoint = self.endpoint(access, &profile);
        // Like boto3: by path for other servers, and for names with a dot, which would not fit the certificate.
        let style = match endpoint.is_some() || bucket.contains('.') {
            true => UrlStyle::Path,
            false => UrlStyle::VirtualHost,
        };
        let endpoint = match endpoint {
            Some(endpoint) => server(&endpoint)?,
            None => format!("https://s3.{region}.amazonaws.com"),
        };
        let invalid = |_| Failure::Cannot(format!("{endpoint} is not the address of a server"));
        let url = endpoint.parse().map_err(invalid)?;
        let bucket = Bucket::new(url, style, bucket.to_owned(), region)
            .map_err(|_| Failure::Cannot(format!("{bucket} is not a bucket of {endpoint}")))?;
        let credentials = profile.keys.map(|(id, secret)| match profile.token {
            Some(token) => Credentials::new_with_token(id, secret, token),
            None => Credentials::new(id, secret),
        });
        Ok(OpenBucket { bucket, credentials })
    }

    /// Returns the keys for a bucket, with the region and the server that come with them.
    fn profile(&self, access: &BucketAccess) -> Result<Profile, String> {
        let named = access.profile.as_ref().or(self.given.profile.as_ref());
        let by_default = || var("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
        let name = named.cloned().unwrap_or_else(by_default);
        let of_environment = || {
            let keys = (var("AWS_ACCESS_KEY_ID")?, var("AWS_SECRET_ACCESS_KEY")?);
            Some((keys, var("AWS_SESSION_TOKEN")))
        };
        let keys = match &access.keys {
            Some(keys) => Some((keys.clone(), access.token.clone())),
            None if named.is_none() => of_environment(),
            None => None,
        };
        let is_required = named.is_some() || var("AWS_PROFILE").is_some();
        let [credentials, config] =
            [("AWS_SHARED_CREDENTIALS_FILE", "credentials"), ("AWS_CONFIG_FILE", "config")]
                .map(|(variable, file)| text_of(var(variable).map(PathBuf::from), file));
        let profile = Profile::read(&credentials?, &config?, &name);
        let mut profile = match (profile, &keys) {
            (Some(profile), _) => profile,
            (None, None) if is_required => {
                return Err(format!(
                    "there is no profile {name} in ~/.aws/credentials and ~/.aws/config"
                ));
            }
            (None, _) => Profile::default(),
        };
        match (keys, &profile.other) {
            (Some((keys, token)), _) => (profile.keys, profile.token) = (Some(keys), token),
            (None, Some(other)) if profile.keys.is_none() => {
                return Err(format!(
                    "the profile {name} signs in with {other}, which is not possible here; \
                     `aws configure export-credentials --format env` prints keys for the environment"
                ));
            }
            (None, _) => {}
        }
        Ok(profile)
    }
}

/// Returns a variable of the environment, unless it is empty.
fn var(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

impl<'u> Address<'u> {
    fn of(url: &'u str) -> Result<Address<'u>, Failure> {
        let rest = url.strip_prefix(BUCKET).unwrap_or_default();
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        // Servers and clients would resolve `.` and `..` as in paths of folders.
        let is_plain = !key.split('/').any(|part| matches!(part, "." | ".."));
        match !bucket.is_empty() && is_plain {
            true => Ok(Address { bucket, key }),
            false => Err(Failure::Cannot(format!("expected {BUCKET}BUCKET/PREFIX, found {url}"))),
        }
    }
}

/// Returns the address of a server, which must be encrypted unless the server is on this machine.
fn server(endpoint: &str) -> Result<String, Failure> {
    let endpoint = match endpoint.contains("://") {
        true => endpoint.to_owned(),
        false => format!("https://{endpoint}"),
    };
    let is_plain = endpoint.strip_prefix("http://");
    let host = is_plain.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    if endpoint.contains('@') {
        // Not shown, because it may have a password in it.
        let words = "expected the address of a server without a name and a password in it";
        return Err(Failure::Cannot(words.to_owned()));
    }
    match host.is_none_or(is_this_machine) {
        true => Ok(endpoint),
        false => Err(Failure::Cannot(format!("{endpoint:?} is not encrypted; expected https://"))),
    }
}

/// Returns the text of a file of `~/.aws`; an empty text if the file does not exist.
fn text_of(file: Option<PathBuf>, name: &str) -> Result<String, String> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".aws").join(name));
    let Some(path) = file.or_else(home) else { return Ok(String::new()) };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("{} could not be read: {error}", path.display())),
    }
}

/// A profile in the files of `~/.aws`.
#[derive(Clone, Default, PartialEq, Eq)]
struct Profile {
    keys: Option<(String, String)>,
    token: Option<String>,
    region: Option<String>,
    endpoint: Option<String>,
    /// Another way to sign in.
    other: Option<&'static str>,
}

/// The fields of a profile that signs in by other means than keys.
const OTHERS: [&str; 5] =
    ["sso_session", "sso_start_url", "credential_process", "role_arn", "web_identity_token_file"];

impl Profile {
    /// Finds a profile in `credentials`, which has the keys, and `config`; `None` if it is in neither.
    fn read(credentials: &str, config: &str, name: &str) -> Option<Profile> {
        let in_config = if name == "default" { name.to_owned() } else { format!("profile {name}") };
        let sections = [section(credentials, name), section(config, &in_config)];
        let exists = sections.iter().any(Option::is_some);
        let all: Vec<_> = sections.into_iter().flatten().flatten().collect();
        let find = |field: &str| {
            let value = all.iter().find(|(name, _)| *name == field).map(|(_, value)| *value);
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let keys = find("aws_access_key_id").zip(find("aws_secret_access_key"));
        let other = OTHERS.into_iter().find(|field| find(field).is_some());
        let (token, region) = (find("aws_session_token"), find("region"));
        exists.then(|| Profile { keys, token, region, endpoint: find("endpoint_url"), other })
    }
}

/// Returns the fields of a section, without the indented ones below them; `None` if the section does not exist.
fn section<'t>(text: &'t str, name: &str) -> Option<Vec<(&'t str, &'t str)>> {
    let mut fields = None;
    let mut is_in = false;
    for line in text.lines() {
        if line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(header) = line.trim().strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            is_in = header.split_whitespace().eq(name.split_whitespace());
            if is_in {
                fields.get_or_insert_with(Vec::new);
            }
        } else if is_in
            && !line.starts_with(char::is_whitespace)
            && let Some((field, value)) = line.split_once('=')
            && let Some(fields) = &mut fields
        {
            fields.push((field.trim(), value.trim()));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_profiles_as_amazons_tools_do() {
        let credentials = "[default]\naws_access_key_id = A\naws_secret_access_key=S=/+\n# c\n[site]\n\
            aws_access_key_id = B\naws_secret_access_key = T\naws_session_token = K\n";
        let config = "[default]\nregion = eu-central-1\n[profile  site]\nregion=us-west-2\ns3 =\n  \
            region = nested\nendpoint_url = https://objects.example.org\n[profile org]\nsso_session = x\n";
        let text = |text: &str| Some(text.to_owned());
        let found = Profile::read(credentials, config, "default").expect("a profile");
        assert!(found.keys == text("A").zip(text("S=/+")) && found.region == text("eu-central-1"));
        let found = Profile::read(credentials, config, "site").expect("a profile");
        assert!(found.keys == text("B").zip(text("T")) && found.token == text("K"));
        assert_eq!(found.region, text("us-west-2"));
        assert_eq!(found.endpoint, text("https://objects.example.org"));
        let found = Profile::read(credentials, config, "org").expect("a profile");
        assert!(found.keys.is_none() && found.other == Some("sso_session"));
        assert!(Profile::read(credentials, config, "none").is_none());
        assert!(Profile::read("[", "]=\n[]\n=", "x").is_none());
    }

    #[test]
    fn takes_each_mirrors_own_keys() {
        let access = |profile: &str| BucketAccess {
            profile: Some(profile.to_owned()),
            ..BucketAccess::default()
        };
        let mirror = |url: &str, profile: &str| (url.to_owned(), access(profile));
        let mirrors = vec![mirror("s3://b/all/", "one"), mirror("s3://b/all/e4s", "two")];
        let buckets = Buckets::new(access("given"), mirrors);
        for (url, expected) in [
            ("s3://b/all/v3/layout.json", "one"),
            ("s3://b/all/e4s/v3/layout.json", "two"),
            ("s3://b/all", "one"),
            ("s3://b/all/", "one"),
            ("s3://b/all/e4s", "two"),
            ("s3://b/allthere", "given"),
        ] {
            assert_eq!(buckets.access(url).profile.as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn finds_the_keys_of_fifty_thousand_urls_and_mirrors_in_a_moment() {
        let access =
            |at: usize| BucketAccess { profile: Some(at.to_string()), ..BucketAccess::default() };
        let mirrors = (0..50_000).map(|at| (format!("s3://b/{at}"), access(at))).collect();
        let buckets = Buckets::new(BucketAccess::default(), mirrors);
        for at in 0..50_000 {
            let found = buckets.access(&format!("s3://b/{at}/build_cache/index.json"));
            assert_eq!(found.profile, Some(at.to_string()));
        }
    }

    #[test]
    fn asks_only_encrypted_servers_and_plain_keys() {
        assert_eq!(server("objects.example.org"), Ok("https://objects.example.org".to_owned()));
        assert_eq!(server("http://127.0.0.1:9000"), Ok("http://127.0.0.1:9000".to_owned()));
        assert!(server("http://objects.example.org").is_err());
        assert_eq!(Address::of("s3://b/p/x"), Ok(Address { bucket: "b", key: "p/x" }));
        assert_eq!(Address::of("s3://b"), Ok(Address { bucket: "b", key: "" }));
        for url in ["s3://", "s3:///x", "s3://b/../c", "s3://b/a/./c"] {
            assert!(Address::of(url).is_err(), "{url}");
        }
    }
}
