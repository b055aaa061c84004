//! The options that describe the inputs of a command.
//!
//! `cache_ingest::inputs` finds and reads them, on the [`Disk`].

#[cfg(feature = "fetch")]
use std::collections::BTreeSet;
#[cfg(feature = "fetch")]
use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use cache_index::index::BucketServer;
use cache_ingest::compression::SizeLimit;
use cache_ingest::inputs::{
    self, DamageLimit, GatherError, GatheredBuilds, Mapping, ReadOptions, Source,
};
#[cfg(feature = "fetch")]
use cache_ingest::oci::Address;
use clap::Args;

use crate::machine::Disk;
#[cfg(feature = "fetch")]
use crate::machine::{Buckets, Secret, SignIn, is_standard_input};
#[cfg(feature = "fetch")]
use crate::mirrors::BucketAccess;
use crate::mirrors::{MirrorFiles, MirrorInputs};
use crate::report::{Failure, Report};
use crate::sources::Sources;

/// The inputs that were found on the disk and elsewhere.
pub(crate) type Inputs = inputs::Inputs<Disk>;

/// The options of every command that reads inputs.
#[derive(Args, Clone, Debug)]
pub(crate) struct InputArguments {
    #[command(flatten)]
    sources: Sources,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// The options for how inputs are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArguments {
    /// The release of databases and mirrors; pages, manifests and indexes state it themselves. Given several times, each is
    /// for the input before it: `old/ --release v1 new/ --release v2`. By default, several mirrors in a folder that are
    /// at v1/tools, releases/v1/tools or develop/tools have it from there.
    #[arg(long)]
    release: Vec<String>,

    /// The stack of databases and mirrors; `root` is the union of all. Given several times, each is for the input before it.
    /// By default, each of several mirrors in a folder is a separate stack, named after its path.
    #[arg(long)]
    stack: Vec<String>,

    /// Read only this view of mirrors [default: the whole, and each view as a stack].
    #[arg(long, value_name = "NAME")]
    view: Option<String>,

    /// Treat what is new to this program, such as an unknown field, as an error: for people who develop Spack, and want to
    /// know what is not understood here.
    #[arg(long)]
    strict: bool,

    /// Read URLs in a manifest that start with FROM from TO instead: a folder, or another URL.
    #[arg(long = "map", value_name = "FROM=TO")]
    mappings: Vec<Mapping>,

    /// The maximum decompressed size of an input: 500kB, 4GB, or a number of bytes.
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = size)]
    max_size: SizeLimit,

    /// Let a manifest on a public host refer to this machine or a private network.
    #[arg(long)]
    allow_local: bool,

    /// The server of s3:// URLs, if it is not Amazon's; for mirrors of --mirrors, their own endpoint_url.
    #[cfg(feature = "fetch")]
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,

    /// The profile in ~/.aws with the keys for s3:// URLs [default: keys in the environment, or the default profile, or
    /// none, for public buckets].
    #[cfg(feature = "fetch")]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// Sign in to a registry with this name and the password on the standard input, instead of those that
    /// `docker login` has kept.
    #[cfg(feature = "fetch")]
    #[arg(long, value_name = "NAME")]
    username: Option<String>,

    /// The registry that the password is for, and the password, once it was read.
    #[cfg(feature = "fetch")]
    #[arg(skip)]
    password: std::cell::OnceCell<(String, Secret)>,
}

/// Reads a size as people write it.
fn size(text: &str) -> Result<SizeLimit, &'static str> {
    let size = text.parse().map(|size: ByteSize| size.as_u64());
    // A size that is too large is read as the largest.
    let size = size.ok().filter(|&size| size < u64::MAX);
    size.map(SizeLimit).ok_or("expected a size, such as 4GB")
}

impl InputArguments {
    /// Returns the paths of the inputs.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.mirrors.mirrors.iter().map(PathBuf::as_path);
        self.sources.0.iter().map(|source| source.path.as_path()).chain(files)
    }

    /// Returns how the inputs are read.
    pub(crate) fn reading(&self) -> &ReadingArguments {
        &self.reading
    }

    /// Finds the inputs.
    pub(crate) fn find(&self, report: &mut Report) -> Inputs {
        self.find_before(None, report)
    }

    /// Finds the inputs of a command that then reads what is at `later`, if anything.
    pub(crate) fn find_before(&self, later: Option<&Path>, report: &mut Report) -> Inputs {
        let mirrors = self.mirrors.read(report);
        let inputs = self.reading.find_sources(self.sources.0.clone(), &mirrors, later, report);
        self.reading.report_unused_place(&inputs, report);
        inputs
    }
}

impl ReadingArguments {
    /// Returns the maximum decompressed size of an input.
    pub(crate) fn size_limit(&self) -> SizeLimit {
        self.max_size
    }

    /// Returns `true` if a password is read from the standard input.
    pub(crate) fn asks_password(&self) -> bool {
        #[cfg(feature = "fetch")]
        return self.username.is_some();
        #[cfg(not(feature = "fetch"))]
        false
    }

    /// Returns the machine that inputs are read on.
    pub(crate) fn disk(&self) -> Disk {
        Disk::new(self.max_size, self.allow_local)
    }

    /// Returns how s3:// URLs without settings of their own are reached.
    #[cfg(feature = "fetch")]
    fn bucket_access(&self) -> BucketAccess {
        let (endpoint, profile) = (self.endpoint.clone(), self.profile.clone());
        BucketAccess { endpoint, profile, ..BucketAccess::default() }
    }

    /// Returns what Spack needs besides the URL to reach a bucket as these options say, if anything.
    #[cfg(feature = "fetch")]
    pub(crate) fn bucket(&self, url: &str) -> Option<BucketServer> {
        Buckets::new(self.bucket_access(), Vec::new()).server_of(url)
    }

    /// Returns `None`: buckets are not supported without `fetch`.
    #[cfg(not(feature = "fetch"))]
    pub(crate) fn bucket(&self, _url: &str) -> Option<BucketServer> {
        None
    }

    /// Returns `true` if a release is given for the inputs.
    pub(crate) fn names_release(&self) -> bool {
        !self.release.is_empty()
    }

    /// Reports a release or a stack that none of the inputs takes, because all state their own.
    pub(crate) fn report_unused_place(&self, inputs: &Inputs, report: &mut Report) {
        let given = match (&self.release[..], &self.stack[..]) {
            ([], []) => return,
            (_, []) => "--release is",
            ([], _) => "--stack is",
            _ => "--release and --stack are",
        };
        if !inputs.list.is_empty() && !inputs.list.iter().any(inputs::Input::takes_a_place) {
            let own =
                "cache pages, manifests and indexes state their releases and stacks themselves";
            report.error(&format!("{given} for databases and mirrors; {own}"));
        }
    }

    /// Finds the inputs at these paths and URLs, and these mirrors.
    pub(crate) fn find(
        &self,
        from: &[PathBuf],
        mirrors: &MirrorInputs,
        report: &mut Report,
    ) -> Inputs {
        for (name, given) in [("--release", &self.release), ("--stack", &self.stack)] {
            if given.len() > 1 {
                report.error(&format!(
                    "{name} is given twice, and is for all inputs of this command"
                ));
            }
        }
        let from = from.iter().cloned().map(Source::from).collect();
        self.find_sources(from, mirrors, None, report)
    }

    /// Finds the inputs at these sources, and these mirrors. The command then reads what is at `later`, if anything, with
    /// the same password.
    fn find_sources(
        &self,
        mut sources: Vec<Source>,
        mirrors: &MirrorInputs,
        later: Option<&Path>,
        report: &mut Report,
    ) -> Inputs {
        if self.strict {
            report.be_strict();
        }
        let mut disk = self.disk();
        #[cfg(not(feature = "fetch"))]
        let _ = later;
        #[cfg(feature = "fetch")]
        let sign_in = {
            let given = sources.iter().map(|source| source.path.as_path());
            self.sign_in(&given.chain(later).collect::<Vec<_>>(), mirrors)
        };
        sources.extend(mirrors.sources.iter().cloned());
        #[cfg(feature = "fetch")]
        match sign_in {
            Ok(sign_in) => disk.sign_in(sign_in),
            // The standard input may contain a password, which must not be taken for an input. Nothing is asked of any
            // registry.
            Err(problem) => {
                report.error(&problem);
                sources.clear();
            }
        }
        #[cfg(feature = "fetch")]
        disk.reach(Buckets::new(self.bucket_access(), mirrors.buckets.clone()));
        sources.retain_mut(|source| match disk.spool(&mut source.path) {
            Ok(()) => true,
            Err(error) => {
                report.problem(&source.path.display().to_string(), &error);
                false
            }
        });
        let ReadingArguments { release, stack, view, mappings, .. } = self.clone();
        // If more than one is given, each is for one input.
        let of_all = |given: Vec<String>| <[String; 1]>::try_from(given).ok().map(|[one]| one);
        let options =
            ReadOptions { release: of_all(release), stack: of_all(stack), view, mappings };
        Inputs::find(disk, &sources, &options, report)
    }

    /// Reads the password for two inputs that are found one after the other, if they are in a registry.
    ///
    /// # Errors
    ///
    /// If they are in two registries, or the password cannot be read.
    #[cfg(feature = "fetch")]
    pub(crate) fn sign_in_to_both(&self, inputs: [&Path; 2]) -> Result<(), Failure> {
        self.sign_in(&inputs, &MirrorInputs::default())?;
        Ok(())
    }

    /// Does nothing: registries are not supported without `fetch`.
    #[cfg(not(feature = "fetch"))]
    pub(crate) fn sign_in_to_both(&self, _: [&Path; 2]) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns how to sign in to registries. The password of `--username` is read once, for the first registry that needs
    /// it, and then neither shown nor kept elsewhere, nor used for another registry.
    #[cfg(feature = "fetch")]
    fn sign_in(&self, given: &[&Path], mirrors: &MirrorInputs) -> Result<SignIn, SignInError> {
        let mut sign_in = SignIn::of_mirrors(&mirrors.registries);
        let Some(username) = &self.username else { return Ok(sign_in) };
        if given.iter().any(|path| is_standard_input(path)) {
            return Err(SignInError::InputTaken);
        }
        let Some(host) = registry_of_password(given, mirrors)? else { return Ok(sign_in) };
        if self.password.get().is_none() {
            drop(self.password.set((host.clone(), Secret::read()?)));
        }
        match self.password.get() {
            Some((first, password)) if *first == host => sign_in.give(&host, username, password),
            _ => return Err(SignInError::SeveralRegistries),
        }
        Ok(sign_in)
    }
}

/// Returns the registry that the password of `--username` is for: that of the inputs and of those mirrors that have no
/// name and password of their own, or else that of the other mirrors. `None` if there is no registry.
#[cfg(feature = "fetch")]
fn registry_of_password(
    given: &[&Path],
    mirrors: &MirrorInputs,
) -> Result<Option<String>, SignInError> {
    let host = |path: &Path| Some(Address::parse(path.to_str()?).ok()?.host);
    let of_mirrors = mirrors.sources.iter().filter_map(|source| host(&source.path));
    let (own, others): (BTreeSet<String>, BTreeSet<String>) =
        of_mirrors.partition(|host| mirrors.registries.contains_key(host));
    let mut hosts: BTreeSet<String> = given.iter().filter_map(|path| host(path)).collect();
    hosts.extend(others);
    let mut hosts = if hosts.is_empty() { own } else { hosts };
    match hosts.len() {
        0 | 1 => Ok(hosts.pop_first()),
        _ => Err(SignInError::SeveralRegistries),
    }
}

/// The reason why nobody can sign in to a registry.
#[cfg(feature = "fetch")]
#[derive(Debug, thiserror::Error)]
enum SignInError {
    #[error("the standard input cannot have both an input and the password of --username")]
    InputTaken,
    #[error("--username is for one registry, and there are several")]
    SeveralRegistries,
    #[error("the password could not be read: {0}")]
    NoPassword(#[from] io::Error),
}

/// Reads the inputs of a command that publishes, or reports everything that is wrong with them. Damaged builds are left
/// out if that is allowed and their number is within the limit.
pub(crate) fn gather(
    inputs: &Inputs,
    leave_out: Option<DamageLimit>,
    report: &mut Report,
) -> Result<GatheredBuilds, Failure> {
    let not_written =
        |reason: GatherError| Failure::Reported(format!("nothing was written{reason}"));
    inputs.gather(leave_out, report).map_err(not_written)
}

/// Reads the inputs of a command that only queries them, without the builds that are damaged.
pub(crate) fn gather_to_ask(
    inputs: &Inputs,
    report: &mut Report,
) -> Result<GatheredBuilds, Failure> {
    let not_read = |reason: GatherError| Failure::Reported(format!("nothing was read{reason}"));
    inputs.gather(Some(DamageLimit::NONE), report).map_err(not_read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sizes_as_people_write_them() {
        #[track_caller]
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(size(text).ok().map(|SizeLimit(bytes)| bytes), expected);
        }
        check("0", Some(0));
        check("500kB", Some(500_000));
        check("4GB", Some(4_000_000_000));
        check("2T", Some(2_000_000_000_000));
        check("1.5 GB", Some(1_500_000_000));
        check("4GiB", Some(4 << 30));
        for text in ["", "GB", "-1", "4X", "99999999999T"] {
            check(text, None);
        }
    }

    #[cfg(feature = "fetch")]
    #[test]
    fn a_password_is_for_one_registry() {
        /// Checks for inputs, mirrors without a password of their own, and mirrors with one.
        #[track_caller]
        fn check(given: &[&str], others: &[&str], own: &[&str], expected: Result<&str, ()>) {
            let pair = |host: &&str| ((*host).to_owned(), ("us".to_owned(), "x".to_owned()));
            let url = |host: &&str| Source::from(PathBuf::from(format!("oci://{host}/cache")));
            let mut mirrors = MirrorInputs::default();
            mirrors.sources.extend(others.iter().chain(own).map(url));
            mirrors.registries.extend(own.iter().map(pair));
            let given: Vec<&Path> = given.iter().map(Path::new).collect();
            let found = registry_of_password(&given, &mirrors).map(Option::unwrap_or_default);
            assert_eq!(found.map_err(drop), expected.map(str::to_owned));
        }
        check(&["mirror", "https://a/oci", "-"], &[], &[], Ok(""));
        check(&["oci://a/x", "oci://a/y", "mirror"], &[], &[], Ok("a"));
        check(&["oci://a/x", "oci://b/x"], &[], &[], Err(()));
        // Mirrors of a file count too, unless they have a password of their own.
        check(&[], &["a", "a"], &[], Ok("a"));
        check(&["oci://a/x"], &["b"], &[], Err(()));
        check(&["oci://a/x"], &[], &["b", "c"], Ok("a"));
        check(&[], &["a"], &["b"], Ok("a"));
        check(&[], &[], &["b"], Ok("b"));
        check(&[], &[], &["b", "c"], Err(()));
        check(&["oci://a/x"], &["a"], &["a"], Ok("a"));
    }
}
