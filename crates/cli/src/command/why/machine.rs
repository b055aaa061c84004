//! The machine that `why` judges for: in Spack's terms or in words, with its GPUs, its Spack and its install tree.

use std::fs;
use std::path::PathBuf;

use cache_advice::machine_words::{DescribedMachine, Gpu, libc_of_distribution};
use cache_advice::relocation::Destination;
use cache_advice::without_machine;
use cache_index::index::Index;
use cache_index::settings::{InstallTree, MIRRORS, Settings};
use cache_index::spack::SpackVersion;
use cache_ingest::read_settings;
use cache_query::Setup;
use cache_query::host::{Host, HostError};
use cache_query::search::Search;
use clap::Args;

use super::Why;
use crate::mirrors::{MirrorInputs, read_file, user_mirror};
use crate::report::{Failure, Report};
use crate::terminal::Lines;

/// A machine and its Spack.
#[derive(Args, Debug)]
pub(in crate::command) struct MachineArguments {
    /// The machine: platform, OS and target, such as linux.ubuntu22.04.zen3, or the output of `spack arch`;
    /// or in words, such as "Rocky 9 sapphire rapids", or the output of lscpu, uname -a and the like. A path among the words
    /// is the install tree.
    #[arg(long)]
    pub(in crate::command) host: String,

    /// A GPU of the machine: H100, sm_90, MI250X, gfx90a, or the output of nvidia-smi or rocminfo. The GPU
    /// code of a build and of what it needs to run is judged by the rules of its vendor.
    #[arg(long, value_name = "GPU")]
    pub(in crate::command) gpu: Option<String>,

    /// The machine's libc, on Linux: a name and version, or just the version of glibc.
    #[arg(long, value_name = "LIBC")]
    pub(in crate::command) libc: Option<String>,

    /// Where that libc is installed.
    #[arg(long, value_name = "PREFIX", default_value = Setup::LIBC_PATH)]
    pub(in crate::command) libc_path: String,

    /// The version of Spack on the machine [default: what --host says of it, or else the current version].
    #[arg(long, value_name = "VERSION")]
    pub(in crate::command) spack: Option<SpackVersion>,

    /// A file with settings: concretizer.yaml, packages.yaml, repos.yaml, mirrors.yaml or spack.yaml. May be repeated;
    /// later files override earlier ones [default: Spack's defaults]. Of mirrors, it says what Spack fetches from them.
    #[arg(long, value_name = "FILE")]
    pub(in crate::command) config: Vec<PathBuf>,

    /// A requested spec, which matters if the settings only reuse dependencies. May be repeated.
    #[arg(long, value_name = "SPEC")]
    pub(in crate::command) root: Vec<String>,

    /// The namespace of another package repository that the machine has. May be repeated.
    #[arg(long, value_name = "NAMESPACE")]
    pub(in crate::command) repository: Vec<String>,

    /// What the names of the arguments begin with in messages.
    #[arg(skip = OPTION)]
    dashes: &'static str,
}

/// The prefix of the names of options.
const OPTION: &str = "--";

impl Why {
    /// Returns the machine's install tree, if it is known: from the option, or else from the settings.
    pub(super) fn destination(&self, setup: &Setup) -> Option<Destination> {
        let stated = self.install_tree.as_deref().map(|root| match self.padded_length {
            Some(length) => Destination::new(root).padded(length),
            None => Destination::new(root),
        });
        let to = stated.or_else(|| Destination::of(setup))?;
        let patchelf = self.no_patchelf.then_some(false);
        Some(Destination { patchelf, spack: setup.spack, ..to })
    }
}

impl MachineArguments {
    /// Returns the machine of a command that has no other options about it, with today's Spack and its defaults.
    pub(in crate::command) fn of_option(host: &str) -> MachineArguments {
        MachineArguments { dashes: OPTION, ..MachineArguments::of(host) }
    }

    /// Returns a machine with nothing else known about it, with today's Spack and its defaults. Messages call the arguments
    /// by their names, not as options: they are for assistants.
    pub(in crate::command) fn of(host: &str) -> MachineArguments {
        MachineArguments {
            host: host.to_owned(),
            gpu: None,
            libc: None,
            libc_path: Setup::LIBC_PATH.to_owned(),
            spack: None,
            config: Vec::new(),
            root: Vec::new(),
            repository: Vec::new(),
            dashes: "",
        }
    }

    /// Returns the machine with its Spack and these settings. A part that the user does not name may follow from the cache.
    pub(in crate::command) fn setup(
        &self,
        settings: Settings,
        index: &Index,
        report: &mut Report,
    ) -> Result<Setup, Failure> {
        let libc = self.libc.as_deref().unwrap_or_default();
        let read = |host: &str| match host.parse::<Host>() {
            // A machine written with dots, possibly with its libc.
            Ok(host) if libc.is_empty() => Ok(host),
            Ok(host) => Host::from_arch(&host.arch(), libc),
            Err(_) => Host::from_arch(host, libc),
        };
        let host = match read(self.host.trim()) {
            Ok(host) => host,
            Err(error @ HostError::ExpectedNameAndVersion) if !libc.is_empty() => {
                return Err(format!("{}libc {libc}: {error}", self.dashes).into());
            }
            Err(error) => self.described_host(error, index, report)?,
        };
        if let Some(error) = host.unknown_target(index) {
            return Err(format!("{}host {}: {error}", self.dashes, self.host).into());
        }
        let libc_path = self.libc_path.clone();
        Ok(Setup { host, libc_path, spack: self.spack(), settings })
    }

    fn spack(&self) -> SpackVersion {
        let described = || DescribedMachine::read(&self.host).spack;
        self.spack.or_else(described).unwrap_or(SpackVersion::TODAY)
    }

    /// Returns the user's settings; `None` if a file could not be read, which has been reported.
    ///
    /// What Spack fetches from the mirrors of these files is added to `mirrors`.
    pub(in crate::command) fn settings(
        &self,
        mirrors: &mut MirrorInputs,
        report: &mut Report,
    ) -> Result<Option<Settings>, Failure> {
        let mut settings = Settings::default();
        let described = DescribedMachine::read(&self.host).install_tree;
        settings.install_tree = described.and_then(|root| InstallTree::new(&root, 0));
        for file in &self.config {
            let label = file.display().to_string();
            match fs::read(file) {
                Err(error) => report.problem(&label, &error),
                Ok(bytes) => match read_settings(&bytes, settings.clone()) {
                    Ok(read) => {
                        settings = read;
                        let configured = read_file(file, report);
                        mirrors.users.extend(configured.iter().filter_map(user_mirror));
                    }
                    Err(problems) => {
                        problems.iter().for_each(|problem| report.problem(&label, problem));
                    }
                },
            }
        }
        for spec in &self.root {
            Search::parse(spec, self.spack().dialect())
                .map_err(|error| Lines(error.in_text(spec).to_string()))?;
        }
        if !self.root.is_empty() {
            settings.asked.clone_from(&self.root);
        }
        settings.repositories.extend(self.repository.iter().cloned());
        // `MirrorRule` applies these.
        settings.unapplied.retain(|setting| !setting.starts_with(MIRRORS));
        settings.notes().iter().for_each(|note| report.note(note));
        Ok((!report.has_problems()).then_some(settings))
    }

    /// Notes which libc the machine's distribution ships, if neither the user nor the cache says which one it has.
    pub(super) fn note_libc(&self, setup: &Setup, index: &Index, report: &mut Report) {
        if let Some((_, version)) = shipped_libc(setup, index).and_then(|it| it.split_once('@')) {
            let (os, dashes) = (setup.host.os(), self.dashes);
            report.note(&format!(
                "the libc is not known; {os} ships {version}: {dashes}libc {version}"
            ));
        }
    }

    /// Reads a machine that is described in words, and reports what is assumed of it.
    fn described_host(
        &self,
        error: HostError,
        index: &Index,
        report: &mut Report,
    ) -> Result<Host, Failure> {
        let mut machine = DescribedMachine::read(&self.host);
        machine.assume_macos(index);
        let shown = format!("{}host {}", self.dashes, self.host.lines().next().unwrap_or_default());
        let missing = machine.missing();
        let Some(arch) = machine.arch() else {
            if machine.os.value().is_none() && machine.target.value().is_none() {
                return Err(format!("{shown}: {error}").into());
            }
            let unread = match machine.unread.as_slice() {
                [] => String::new(),
                words => format!("; not understood: {}", words.join(", ")),
            };
            let first = self.host.lines().next().unwrap_or_default();
            let (_, given) = without_machine(first, &machine);
            let given = given.trim_end_matches(',');
            let example = match (machine.os.value(), machine.platform.value()) {
                (Some(_), _) => format!("{given}, zen4"),
                (None, Some("darwin")) => format!("macOS 15, {given}"),
                (None, _) => format!("Ubuntu 24.04, {given}"),
            };
            let missing = missing.join(" and ");
            return Err(
                format!("{shown}: expected {missing} too, as in `{example}`{unread}").into()
            );
        };
        let libc = self.libc.as_deref().or(machine.libc.value()).unwrap_or_default();
        let host = Host::from_arch(&arch, libc)
            .map_err(|error| Failure::from(format!("{shown}: {error}")))?;
        let gpus: Vec<String> = machine.gpus.iter().map(Gpu::to_string).collect();
        let with = match self.gpu.is_some() || gpus.is_empty() {
            true => String::new(),
            false => format!(" with {}", gpus.join(", ")),
        };
        let spack = machine.spack.filter(|_| self.spack.is_none());
        let spack = spack.map_or(String::new(), |spack| format!(", with Spack {spack}"));
        report.note(&format!("read {}host as {arch}{with}{spack}", self.dashes));
        for assumption in machine.assumptions() {
            if self.libc.is_none() || !assumption.starts_with("libc ") {
                report.note(&format!("assumed: {assumption}"));
            }
        }
        if !machine.unread.is_empty() {
            report.note(&format!("not understood: {}", machine.unread.join(", ")));
        }
        Ok(host)
    }

    /// Reads the machine's GPUs, which its description may name too.
    pub(in crate::command) fn gpus(&self, report: &mut Report) -> Result<Vec<Gpu>, Failure> {
        let Some(text) = &self.gpu else { return Ok(DescribedMachine::read(&self.host).gpus) };
        let machine = DescribedMachine::read(text);
        if machine.gpus.is_empty() {
            let shown = text.lines().next().unwrap_or_default();
            let expected = "expected a GPU such as H100, sm_90, MI250X or gfx90a";
            return Err(format!("{}gpu {shown}: {expected}", self.dashes).into());
        }
        if !machine.unread.is_empty() {
            report.note(&format!("not understood: {}", machine.unread.join(", ")));
        }
        Ok(machine.gpus)
    }
}

/// Returns the libc that the machine's distribution ships, if neither the user nor the cache says which one it has.
pub(in crate::command) fn shipped_libc(setup: &Setup, index: &Index) -> Option<&'static str> {
    let host = &setup.host;
    let is_unknown =
        host.libc().is_none() && host.platform() == "linux" && host.libc_of_os(index).is_none();
    libc_of_distribution(host.os()).filter(|_| is_unknown)
}
