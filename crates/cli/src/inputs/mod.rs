//! The inputs of an index: the options that describe them, and the machine they are on.
//!
//! `cache_ingest::inputs` finds and reads them; this module has the files, the network and the threads.

#[cfg(feature = "fetch")]
mod addresses;
#[cfg(feature = "fetch")]
mod authorities;
#[cfg(feature = "fetch")]
mod credentials;
mod disk;
#[cfg(feature = "fetch")]
mod failure;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
#[cfg(feature = "fetch")]
mod registry;
mod source;
mod spool;
#[cfg(feature = "fetch")]
mod web;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use bytesize::ByteSize;
use cache_index::build::Hash;
use cache_index::environment::CarryList;
use cache_index::index::Index;
use cache_ingest::compression::limit_size;
use cache_ingest::inputs::{
    self, Gathered, Input, Limit, Location, Machine, Mapping, Source, Undone,
};
#[cfg(feature = "fetch")]
use cache_ingest::oci::Address;
use clap::Args;

pub(crate) use self::disk::Disk;
use self::source::Sources;
use self::spool::{Spooled, can_be_read_once};
#[cfg(feature = "fetch")]
pub(crate) use self::{registry::Remote, web::Web};
use crate::report::{Failed, Report};

/// The options of every command that reads inputs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Inputs {
    #[command(flatten)]
    sources: Sources,

    #[command(flatten)]
    reading: Reading,
}

/// How to read inputs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// The release of databases and mirrors; pages, manifests and indexes state it themselves.
    #[arg(long)]
    release: Option<String>,

    /// The stack of databases and mirrors; `root` is the union of all. By default, each of several mirrors in a folder
    /// is a separate stack, named after its path.
    #[arg(long)]
    stack: Option<String>,

    /// Read only this view of mirrors [default: the whole, and each view as a stack].
    #[arg(long, value_name = "NAME")]
    view: Option<String>,

    /// Treat notes as errors: for people who develop Spack, and want to know what is not understood here.
    #[arg(long)]
    strict: bool,

    /// Read URLs in a manifest that start with FROM from TO instead: a folder, or another URL.
    #[arg(long = "map", value_name = "FROM=TO")]
    mappings: Vec<Mapping>,

    /// The maximum decompressed size of an input: 500kB, 4GB, or a number of bytes.
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = size)]
    max_size: u64,

    /// Let a manifest on a public host refer to this machine or a private network.
    #[arg(long)]
    allow_local: bool,

    /// Sign in to a registry with this name and the password on the standard input, instead of those that
    /// `docker login` has kept.
    #[cfg(feature = "fetch")]
    #[arg(long, value_name = "NAME")]
    username: Option<String>,

    /// The password, once it was read.
    #[cfg(feature = "fetch")]
    #[arg(skip)]
    password: std::cell::OnceCell<credentials::Secret>,
}

/// Reads a size as people write it.
fn size(text: &str) -> Result<u64, &'static str> {
    let size = text.parse().map(|size: ByteSize| size.as_u64());
    // A size that is too large is read as the largest.
    size.ok().filter(|&size| size < u64::MAX).ok_or("expected a size, such as 4GB")
}

/// The inputs that were found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) found: inputs::Found,
    pub(crate) machine: Disk,
    /// Inputs that can only be read once, copied to files.
    _spooled: Vec<Spooled>,
}

impl Inputs {
    /// Returns the paths of the inputs.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sources.0.iter().map(|source| source.path.as_path())
    }

    /// Returns how they are read.
    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Finds the inputs.
    pub(crate) fn find(&self, report: &mut Report) -> Found {
        let found = self.reading.find(&self.sources.0, report);
        self.reading.report_unused_place(&found, report);
        found
    }
}

impl Reading {
    /// Bounds every input that is read from now on by `--max-size`.
    pub(crate) fn limit_size(&self) {
        limit_size(self.max_size);
    }

    /// Returns who asks registries. The password is read once, and then neither shown nor kept elsewhere.
    #[cfg(feature = "fetch")]
    fn sign_in(&self, sources: &[Source]) -> Result<credentials::SignIn, String> {
        let Some(username) = &self.username else { return Ok(credentials::SignIn::default()) };
        if sources.iter().any(|source| spool::is_standard_input(&source.path)) {
            let words =
                "the standard input cannot have both an input and the password of --username";
            return Err(words.to_owned());
        }
        let hosts = sources.iter().filter_map(|source| Address::parse(source.path.to_str()?).ok());
        if hosts.map(|address| address.host).collect::<BTreeSet<_>>().len() > 1 {
            return Err("--username is for one registry, and there are several".to_owned());
        }
        if self.password.get().is_none() {
            let password = credentials::Secret::read();
            let password =
                password.map_err(|error| format!("the password could not be read: {error}"))?;
            drop(self.password.set(password));
        }
        let password = self.password.get().cloned();
        Ok(credentials::SignIn { given: password.map(|password| (username.clone(), password)) })
    }

    /// Reports a release or a stack that none of the inputs takes, because all state their own.
    pub(crate) fn report_unused_place(&self, found: &Found, report: &mut Report) {
        let inputs = &found.found.inputs;
        let given = match (&self.release, &self.stack) {
            (None, None) => return,
            (Some(_), None) => "--release is",
            (None, Some(_)) => "--stack is",
            (Some(_), Some(_)) => "--release and --stack are",
        };
        if !inputs.is_empty() && !inputs.iter().any(Input::takes_a_place) {
            let own =
                "cache pages, manifests and indexes state their releases and stacks themselves";
            report.error(&format!("{given} for databases and mirrors; {own}"));
        }
    }

    /// Finds the inputs at these sources.
    pub(crate) fn find(&self, sources: &[Source], report: &mut Report) -> Found {
        if self.strict {
            report.be_strict();
        }
        self.limit_size();
        #[cfg(not(feature = "fetch"))]
        let machine = Disk::default();
        #[cfg(feature = "fetch")]
        let (sources, sign_in) = match self.sign_in(sources) {
            Ok(sign_in) => (sources, sign_in),
            // The standard input may be a password, which must not be taken for an input.
            Err(problem) => {
                report.error(&problem);
                (&[][..], credentials::SignIn::default())
            }
        };
        #[cfg(feature = "fetch")]
        let machine = Disk::asking_as(sign_in, self.allow_local);
        let mut spooled = Vec::new();
        let mut regular = Vec::with_capacity(sources.len());
        for source in sources {
            if !can_be_read_once(&source.path) {
                regular.push(source.clone());
                continue;
            }
            match Spooled::read(&source.path) {
                Ok(copy) => {
                    regular.push(Source { path: copy.path().to_owned(), ..source.clone() });
                    spooled.push(copy);
                }
                Err(error) => report.problem(&source.path.display().to_string(), &error),
            }
        }
        let Reading { release, stack, view, mappings, .. } = self.clone();
        let reading = inputs::Reading { release, stack, view, mappings };
        let mut found = inputs::find(&machine, &regular, &reading, report);
        if self.allow_local {
            found.guarded.clear();
        }
        Found { found, machine, _spooled: spooled }
    }
}

impl Found {
    /// Loads an index from its location.
    pub(crate) fn load_index(&self, location: &Location) -> Result<Index, String> {
        let label = match location {
            Location::Path(path) => self.machine.shown(path),
            Location::Url(url) => url.clone(),
        };
        inputs::load_index(&self.machine, location).map_err(|problem| format!("{label}: {problem}"))
    }
}

impl Found {
    /// Lists the files of the only mirror that these builds are installed from; `None` if the inputs are something else.
    pub(crate) fn carried(&self, hashes: &BTreeSet<Hash>) -> Option<io::Result<CarryList>> {
        inputs::carried(&self.machine, &self.found, hashes)
    }
}

/// Reads the inputs, or reports everything that is wrong with them. Damaged builds are left out if that is allowed and
/// their number is within the limit.
pub(crate) fn gather(
    found: Found,
    leave_out: Option<Limit>,
    report: &mut Report,
) -> Result<Gathered, Failed> {
    inputs::gather(&found.machine, &found.found, leave_out, report)
        .map_err(|undone| Failed::Reported(undone.to_string()))
}

/// Reads the inputs of a command that only asks, without the builds that are damaged.
pub(crate) fn gather_to_ask(found: Found, report: &mut Report) -> Result<Gathered, Failed> {
    inputs::gather(&found.machine, &found.found, Some(Limit::NONE), report).map_err(|undone| {
        // Such a command would write no file.
        let undone = match undone {
            Undone::NoneLeft => "nothing was read: no build is left",
            _ => "nothing was read",
        };
        Failed::Reported(undone.to_owned())
    })
}

/// Reads all inputs, as far as possible.
pub(crate) fn read_all(found: &Found, report: &mut Report) -> Gathered {
    inputs::read_all(&found.machine, &found.found, report)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn reads_sizes_as_people_write_them() {
        #[track_caller]
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(size(text).ok(), expected);
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
}
