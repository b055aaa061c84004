//! Where a build is available, and the commands that install it from there.
//!
//! Installing takes three commands. Spack has had all of them under these names since at least 0.20:
//!
//! 1. `spack mirror add NAME URL` makes Spack search the mirror, or with `--name VIEW` one view of it. For a bucket at
//!    another server than Amazon's, it needs `--s3-endpoint-url`, and `--s3-profile` if a profile has the keys.
//! 2. `spack buildcache keys --install --trust` trusts the keys that the binaries are signed with.
//! 3. `spack install --cache-only /HASH` looks up the hash in the indexes of the mirrors. It installs exactly this
//!    build with everything it needs at run time, or fails; it never builds from source.
//!
//! Unsigned binaries have no keys, and Spack takes them only from a mirror that was added with `--unsigned`, an option
//! since 0.22. That is decided here too, from the signatures of builds, and the URL of their mirror.
//!
//! This is the only place where the commands are written; every table, page and file uses it. If the URL of a mirror is
//! unknown, its command has a [blank](UNKNOWN_URL) to fill in.

use spack_spec::shell_word;

use crate::build::{Build, CompilerSource, Place, Signature};
use crate::index::{About, BucketServer, BuildId, EdgeTarget, Index};
use crate::number::counted;

/// Step 2, which is the same for every mirror.
pub const TRUST_KEYS: &str = "spack buildcache keys --install --trust";

/// The placeholder in a command for the URL of an unknown mirror.
pub const UNKNOWN_URL: &str = "MIRROR_URL";

/// What commands call the mirror of a cache that has neither releases nor stacks nor a name.
const ONLY_MIRROR: &str = "cache";

/// A place as a mirror that Spack can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// Its name, such as `develop-e4s`, unless its publisher gave it another one.
    pub name: String,
    /// The URL that its publisher gave, or else where Spack's layout puts it, such as
    /// `https://binaries.spack.io/develop/e4s`; a whole release is one level above its stacks. `None` if the
    /// location of the binaries is unknown.
    pub url: Option<String>,
    /// The view of the mirror that Spack is to search. Without its name, Spack would search all of the mirror, or find no
    /// index.
    pub view: Option<String>,
    /// The server of its bucket, if it is not Amazon's.
    pub endpoint: Option<String>,
    /// The profile that has the keys of its bucket.
    pub profile: Option<String>,
    /// Why Spack has to take its binaries without a signature; `None` if they are signed, or that is not known.
    pub unsigned: Option<UnsignedReason>,
}

/// Why Spack has to take binaries without a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsignedReason {
    /// They are not signed.
    Binaries,
    /// They are in a registry of container images, where Spack keeps no signatures.
    Registry,
}

impl UnsignedReason {
    /// Returns the reason in a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            UnsignedReason::Binaries => {
                "The binaries are not signed, which Spack rejects unless its mirror is added with --unsigned. There are \
                 no keys to trust."
            }
            UnsignedReason::Registry => {
                "Spack keeps no signatures in a registry of container images, and rejects what is there unless its \
                 mirror is added with --unsigned. There are no keys to trust."
            }
        }
    }
}

impl Mirror {
    /// Returns the mirror of a place from which a build is installed, with all that it needs to run.
    pub fn for_build(index: &Index, place: &Place, build: BuildId) -> Mirror {
        let below = index.fetched_with(build).unwrap_or_default().into_iter();
        let below = below.filter_map(|target| match target {
            EdgeTarget::Build(build) => Some(build),
            EdgeTarget::Unknown { .. } => None,
        });
        let mut signatures = [build].into_iter().chain(below).map(|build| index.signature(build));
        let is_unsigned = signatures.any(|signature| signature == Some(Signature::Unsigned));
        Mirror::of(place, index.about()).with_unsigned(is_unsigned)
    }

    /// Returns the mirror of a place of an index: an unsigned one if no build there is known to be signed, and some are
    /// known to be unsigned.
    pub fn for_place(index: &Index, place: &Place) -> Mirror {
        let SignedBuilds { signed, unsigned, .. } = SignedBuilds::of(index, place);
        Mirror::of(place, index.about()).with_unsigned(unsigned > 0 && signed == 0)
    }

    /// Returns a sentence about the builds of a mirror's place that are not signed, if only some of them are: Spack would
    /// check the others.
    pub fn some_unsigned(&self, index: &Index, place: &Place) -> Option<String> {
        let SignedBuilds { unsigned, all, .. } = SignedBuilds::of(index, place);
        let Mirror { name, .. } = self;
        let (are, these) = if unsigned == 1 { ("is", "it") } else { ("are", "them") };
        let all = counted(all, "build", "builds");
        (self.unsigned.is_none() && unsigned > 0).then(|| {
            format!("{unsigned} of the {all} of {name} {are} not signed: Spack takes {these} only if the mirror is added with --unsigned, and then checks no signature of it.")
        })
    }

    /// Returns the mirror, marked as one with unsigned binaries if there are any.
    pub fn with_unsigned(self, are_any: bool) -> Mirror {
        let of_binaries = are_any.then_some(UnsignedReason::Binaries);
        Mirror { unsigned: self.unsigned.or(of_binaries), ..self }
    }

    /// Returns the mirror of a place of a cache.
    pub fn of(place: &Place, about: &About) -> Mirror {
        let stack = if place.is_whole_release() { "" } else { place.stack.as_str() };
        let joined = |stack: &str, between: &str| {
            let names = [place.release.as_str(), stack].into_iter();
            names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(between)
        };
        let known = about.known_mirror(place).cloned().unwrap_or_default();
        let name = known.name.unwrap_or_else(|| match joined(stack, "-").replace('/', "-") {
            // A cache that is one mirror.
            name if name.is_empty() => ONLY_MIRROR.to_owned(),
            name => name,
        });
        let url = known.url.or_else(|| {
            // A view is inside its mirror, whose stack is what precedes the name of the view.
            let view = known.view.as_deref().unwrap_or_default();
            let stack = stack.strip_suffix(view).map_or(stack, |rest| rest.trim_end_matches('/'));
            let parts = [about.mirror_url()?.to_owned(), joined(stack, "/")];
            Some(parts.join("/").trim_end_matches('/').to_owned())
        });
        let is_registry = url
            .as_ref()
            .is_some_and(|url| url.starts_with("oci://") || url.starts_with("oci+http://"));
        let bucket = url.as_deref().and_then(|url| about.bucket(url)).cloned().unwrap_or_default();
        let BucketServer { endpoint, profile, .. } = bucket;
        let unsigned = is_registry.then_some(UnsignedReason::Registry);
        Mirror { name, url, view: known.view, endpoint, profile, unsigned }
    }

    /// Returns step 1.
    pub fn add(&self) -> String {
        let url = self.url.as_deref().unwrap_or(UNKNOWN_URL);
        let unsigned = if self.unsigned.is_some() { "--unsigned " } else { "" };
        let options = [
            ("--name", &self.view),
            ("--s3-endpoint-url", &self.endpoint),
            ("--s3-profile", &self.profile),
        ];
        let options = options.into_iter().filter_map(|(option, value)| {
            value.as_deref().map(|value| format!("{option} {} ", shell_word(value)))
        });
        let options: String = options.collect();
        format!(
            "spack mirror add {unsigned}{options}{} {}",
            shell_word(&self.name),
            shell_word(url)
        )
    }

    /// Returns its line below `mirrors:` in `spack.yaml` or `mirrors.yaml`, without indentation.
    pub fn line(&self) -> String {
        // Every JSON string is also a YAML string.
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let url = quoted(self.url.as_deref().unwrap_or(UNKNOWN_URL));
        let fields =
            [("view", &self.view), ("endpoint_url", &self.endpoint), ("profile", &self.profile)];
        let fields = fields.into_iter().filter_map(|(field, value)| {
            value.as_deref().map(|value| format!(", {field}: {}", quoted(value)))
        });
        let signed = self.unsigned.map(|_| ", signed: false".to_owned());
        let more: String = fields.chain(signed).collect();
        match more.as_str() {
            "" => format!("{}: {url}", quoted(&self.name)),
            more => format!("{}: {{url: {url}{more}}}", quoted(&self.name)),
        }
    }

    /// Returns the commands for a spec, which may be `/` and a hash, each with what it does in a few words.
    pub fn commands(&self, spec: &str) -> Vec<(&'static str, String)> {
        let keys = self.unsigned.is_none().then(|| ("Trust its keys", TRUST_KEYS.to_owned()));
        let mut commands = vec![("Add the mirror", self.add())];
        commands.extend(keys);
        commands.push(("Install exactly this build", install(spec)));
        commands
    }

    /// Returns the steps for a spec, which may be `/` and a hash, one per line, after a comment on the blanks to fill
    /// in.
    pub fn steps(&self, spec: &str) -> String {
        let blank = blanks(std::slice::from_ref(self));
        let lines = self.commands(spec).into_iter().map(|(_, command)| command + "\n");
        blank + &lines.collect::<String>()
    }
}

/// How many builds of a place are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignedBuilds {
    /// Those that are.
    pub signed: usize,
    /// Those that are not.
    pub unsigned: usize,
    /// All builds, including those that are neither known to be signed nor known to be unsigned.
    pub all: usize,
}

impl SignedBuilds {
    /// Counts the builds of a place. All counts are 0 if the index does not know of any build whether it is signed.
    pub fn of(index: &Index, place: &Place) -> SignedBuilds {
        let mut counts = SignedBuilds::default();
        if !index.has_signatures() {
            return counts;
        }
        let is_there = |build: &BuildId| {
            let row = index.row_of(*build);
            index.places_of(row).any(|other| other == *place)
        };
        for build in index.builds_with_binary().filter(is_there) {
            counts.all += 1;
            match index.signature(build) {
                Some(Signature::Unsigned) => counts.unsigned += 1,
                Some(_) => counts.signed += 1,
                None => {}
            }
        }
        counts
    }
}

/// Returns what to know before the commands for mirrors are run, each as a sentence or two.
pub fn notices(mirrors: &[Mirror]) -> Vec<&'static str> {
    const ONE: &str = "This cache does not say where its mirrors are. Put the URL of this one in place of MIRROR_URL.";
    const SEVERAL: &str = "This cache does not say where all of its mirrors are. Put the URL of each in place of its MIRROR_URL.";
    let blank = if mirrors.len() == 1 { ONE } else { SEVERAL };
    let blank = mirrors.iter().any(|mirror| mirror.url.is_none()).then_some(blank);
    let mut notices: Vec<&str> = blank.into_iter().collect();
    for reason in mirrors.iter().filter_map(|mirror| mirror.unsigned).map(UnsignedReason::reason) {
        if !notices.contains(&reason) {
            notices.push(reason);
        }
    }
    notices
}

/// Returns a comment for commands and environments that asks to fill in the blanks; empty if there are none.
pub fn blanks(mirrors: &[Mirror]) -> String {
    match mirrors {
        _ if mirrors.iter().all(|mirror| mirror.url.is_some()) => String::new(),
        [_] => format!("# Replace {UNKNOWN_URL}: this cache does not say where its mirror is.\n"),
        _ => format!(
            "# Replace {UNKNOWN_URL}: this cache does not say where all of its mirrors are.\n"
        ),
    }
}

/// Returns step 3 for a spec, which may be `/` and a hash.
pub fn install(spec: &str) -> String {
    format!("spack install --cache-only {}", shell_word(spec))
}

/// Returns the oldest Spack that can read a build, and the reason if the name of its release does not show it; `None`
/// if there is no indication.
///
/// | reason | needs |
/// | --- | --- |
/// | its spec is of format 6 | 1.3 |
/// | its compiler is a dependency, or its spec is of format 5 | 1.0 |
/// | a release named after a year (`v2025.07.0`): since 1.0, recipes have their own releases | 1.0 |
/// | a release named after a version of Spack (`v0.23.1`) | that version |
pub fn needed_spack(build: &Build) -> Option<(String, Option<&'static str>)> {
    if build.spec_format.is_some_and(|format| format >= 6) {
        return Some(("1.3".to_owned(), Some("its spec is of format 6")));
    }
    if build.compiler_source == CompilerSource::Dependency {
        return Some(("1.0".to_owned(), Some("its compilers are dependencies")));
    }
    if build.spec_format.is_some_and(|format| format >= 5) {
        return Some(("1.0".to_owned(), Some("its spec is of format 5")));
    }
    // Any of its releases can provide it, so the oldest one is enough.
    let needs = build.places.iter().map(|place| needed_for_release(&place.release));
    let oldest = needs.collect::<Option<Vec<_>>>()?.into_iter().min()?;
    let [major, minor] = oldest;
    Some((format!("{major}.{minor}"), None))
}

/// Returns the Spack that a release was published with, or for; `None` for names like `develop`.
fn needed_for_release(release: &str) -> Option<[u32; 2]> {
    let mut numbers = release.strip_prefix('v')?.split('.').map(str::parse::<u32>);
    match (numbers.next()?.ok()?, numbers.next()?.ok()?) {
        (year, _) if year >= 2000 => Some([1, 0]),
        (major, minor) => Some([major, minor]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::KnownMirror;
    use crate::sample;

    fn place(release: &str, stack: &str) -> Place {
        Place { release: release.into(), stack: stack.into() }
    }

    #[test]
    fn names_the_mirror_of_each_place() {
        #[track_caller]
        fn check(place: Place, command: &str) {
            let mirror_url = Some("https://example.org/cache/".to_owned());
            let about = About { mirror_url, ..About::default() };
            assert_eq!(Mirror::of(&place, &about).add(), command);
        }
        check(
            place("develop", "root"),
            "spack mirror add develop https://example.org/cache/develop",
        );
        check(place("v1", "e4s"), "spack mirror add v1-e4s https://example.org/cache/v1/e4s");
        check(place("v1", "a;b"), "spack mirror add 'v1-a;b' 'https://example.org/cache/v1/a;b'");
    }

    #[test]
    fn uses_the_name_and_the_url_that_a_publisher_gave() {
        #[track_caller]
        fn check(place: Place, known: KnownMirror, command: &str) {
            let mirror_url = Some("https://example.org".to_owned());
            let about = About { mirror_url, mirrors: vec![known], ..About::default() };
            assert_eq!(Mirror::of(&place, &about).add(), command);
        }
        let ours = KnownMirror {
            name: Some("ours".to_owned()),
            url: Some("oci://ghcr.io/us/cache".to_owned()),
            ..KnownMirror::default()
        };
        check(
            place("", ""),
            ours.clone(),
            "spack mirror add --unsigned ours oci://ghcr.io/us/cache",
        );
        let of_stack = |stack: &str| KnownMirror { stack: stack.to_owned(), ..ours.clone() };
        check(place("", "a/b"), of_stack("a"), "spack mirror add a-b https://example.org/a/b");
        check(
            place("", "a"),
            of_stack("a"),
            "spack mirror add --unsigned ours oci://ghcr.io/us/cache",
        );
        check(place("v1", "a"), of_stack("a"), "spack mirror add v1-a https://example.org/v1/a");
        check(place("", "root"), of_stack("a"), "spack mirror add cache https://example.org");
        let unnamed = KnownMirror { name: None, ..ours.clone() };
        check(place("", ""), unnamed, "spack mirror add --unsigned cache oci://ghcr.io/us/cache");
    }

    #[test]
    fn names_the_view_of_a_mirror() {
        #[track_caller]
        fn check(mirror_url: Option<&str>, known: KnownMirror, command: &str) {
            let place = place(&known.release, &known.stack);
            let mirror_url = mirror_url.map(str::to_owned);
            let about = About { mirror_url, mirrors: vec![known], ..About::default() };
            assert_eq!(Mirror::of(&place, &about).add(), command);
        }
        let view = |stack: &str, view: &str| KnownMirror {
            stack: stack.to_owned(),
            view: Some(view.to_owned()),
            ..KnownMirror::default()
        };
        let base = Some("https://example.org/m");
        check(
            base,
            view("texts", "texts"),
            "spack mirror add --name texts texts https://example.org/m",
        );
        check(
            base,
            view("a/texts", "texts"),
            "spack mirror add --name texts a-texts https://example.org/m/a",
        );
        check(
            base,
            view("rel/2026", "rel/2026"),
            "spack mirror add --name rel/2026 rel-2026 https://example.org/m",
        );
        check(None, view("texts", "texts"), "spack mirror add --name texts texts MIRROR_URL");
        let ours = KnownMirror {
            name: Some("ours-texts".to_owned()),
            url: Some("s3://bucket/m".to_owned()),
            ..view("with space", "with space")
        };
        check(base, ours, "spack mirror add --name 'with space' ours-texts s3://bucket/m");
    }

    #[test]
    fn names_the_server_and_the_profile_of_a_bucket() {
        let server = |url: &str, endpoint: Option<&str>, profile: Option<&str>| BucketServer {
            url: url.to_owned(),
            endpoint: endpoint.map(str::to_owned),
            profile: profile.map(str::to_owned),
        };
        let about = About {
            mirror_url: Some("s3://bucket/all".to_owned()),
            mirrors: vec![KnownMirror {
                stack: "texts".to_owned(),
                view: Some("texts".to_owned()),
                ..KnownMirror::default()
            }],
            buckets: vec![
                server("s3://bucket/all", Some("https://objects.example.org"), Some("our site")),
                server("s3://bucket/all/private/", None, Some("own")),
            ],
            ..About::default()
        };
        let of = |stack: &str| Mirror::of(&place("", stack), &about);
        assert_eq!(
            of("texts").add(),
            "spack mirror add --name texts --s3-endpoint-url https://objects.example.org --s3-profile 'our site' \
             texts s3://bucket/all"
        );
        assert_eq!(
            of("texts").line(),
            r#""texts": {url: "s3://bucket/all", view: "texts", endpoint_url: "https://objects.example.org", profile: "our site"}"#
        );
        let private = "spack mirror add --s3-profile own private s3://bucket/all/private";
        assert_eq!(of("private").add(), private);
        // A URL that merely begins with the same letters is not below it.
        let about = About { mirror_url: Some("s3://bucket/allthere".to_owned()), ..about };
        let other = Mirror::of(&place("", "e4s"), &about);
        assert_eq!(other.add(), "spack mirror add e4s s3://bucket/allthere/e4s");
    }

    #[test]
    fn leaves_a_blank_for_an_unknown_mirror() {
        let mirror = Mirror::of(&place("v1", "tools"), &About::default());
        assert_eq!(
            mirror.steps("/abc"),
            "# Replace MIRROR_URL: this cache does not say where its mirror is.\n\
             spack mirror add v1-tools MIRROR_URL\n\
             spack buildcache keys --install --trust\n\
             spack install --cache-only /abc\n"
        );
    }

    #[test]
    fn takes_binaries_that_are_not_signed() {
        let of = |signature: Option<Signature>| {
            let build = Build { signature, ..sample::one("zlib", "1.3") };
            let place = build.places[0].clone();
            let about =
                About { mirror_url: Some("https://example.org".to_owned()), ..About::default() };
            let index = crate::index::pack(about, [build]).expect("an index");
            let mirror = Mirror::for_build(&index, &place, BuildId(0));
            assert_eq!(Mirror::for_place(&index, &place), mirror);
            mirror.steps("/abc")
        };
        let unsigned = of(Some(Signature::Unsigned));
        assert!(unsigned.starts_with("spack mirror add --unsigned "), "{unsigned}");
        assert!(!unsigned.contains("keys"), "{unsigned}");
        for signature in [None, Some(Signature::Signed { key: None })] {
            let signed = of(signature);
            assert!(signed.contains(TRUST_KEYS) && !signed.contains("--unsigned"), "{signed}");
        }
    }

    #[test]
    fn says_that_only_some_binaries_are_signed() {
        let of = |number: usize, signature: Signature| Build {
            hash: sample::hash(number),
            signature: Some(signature),
            ..sample::one("zlib", "1.3")
        };
        let builds = [of(1, Signature::Unsigned), of(2, Signature::Signed { key: None })];
        let place = builds[0].places[0].clone();
        let index = crate::index::pack(About::default(), builds).expect("an index");
        let mirror = Mirror::for_place(&index, &place);
        assert_eq!(mirror.unsigned, None);
        let said = mirror.some_unsigned(&index, &place).expect("a sentence");
        assert!(said.starts_with("1 of the 2 builds of ") && said.contains(" is not signed: "));
    }

    #[test]
    fn infers_the_oldest_spack_that_reads_a_build() {
        #[track_caller]
        fn check(releases: &[&str], source: CompilerSource, needed: Option<&str>) {
            let places = releases.iter().map(|release| place(release, "root")).collect();
            let build = Build { places, compiler_source: source, ..sample::one("zlib", "1.3") };
            assert_eq!(needed_spack(&build).map(|(version, _)| version).as_deref(), needed);
        }
        let newest = Build { spec_format: Some(6), ..sample::one("zlib", "1.3") };
        let needed = needed_spack(&newest);
        assert_eq!(needed, Some(("1.3".to_owned(), Some("its spec is of format 6"))));
        check(&["develop"], CompilerSource::Field, None);
        check(&["develop"], CompilerSource::Dependency, Some("1.0"));
        check(&["v2026.03.0"], CompilerSource::Field, Some("1.0"));
        check(&["v0.23.1", "v0.22.0"], CompilerSource::Field, Some("0.22"));
        check(&["v0.23.1", "develop"], CompilerSource::Field, None);
    }
}
