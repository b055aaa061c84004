//! What the panel about a machine holds: its fields, and what was assumed for them.
//!
//! The form follows the address as long as nothing was typed into it; from then on it keeps what was typed until it is
//! submitted, whatever else changes in the address.

use cache_advice::machine_words::{
    DescribedMachine, Gpu, lacks_version, libc_of_distribution, version_of_macos,
};
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::settings::InstallTree;
use cache_index::spack::SpackVersion;
use cache_query::host::{Host, libc_of_os};
use leptos::prelude::*;
use spack_spec::Target;

use crate::frame::panel::has_libcs;
use crate::parts::sentence::capitalized;
use site::explorer::Explorer;
use site::memo::memo;

/// The fields of the form.
#[derive(Clone, Copy)]
pub(super) struct Form {
    index: &'static Index,
    pub(super) platform: RwSignal<String>,
    pub(super) os: RwSignal<String>,
    pub(super) target: RwSignal<String>,
    pub(super) libc: RwSignal<String>,
    pub(super) gpu: RwSignal<String>,
    pub(super) tree: RwSignal<String>,
    /// The version of Spack that a description states, until the form is sent or another is chosen.
    pub(super) spack: RwSignal<Option<SpackVersion>>,
    /// The libc that was put into the field because the OS ships it.
    assumed_libc: RwSignal<Option<String>>,
    /// The libc that an OS ships according to the version in a description: Spack's names leave out the service pack of
    /// SLES.
    described_libc: RwSignal<Option<(String, String)>>,
    /// The fields that were typed into, and so do not follow a description that leaves them out.
    by_hand: RwSignal<Vec<RwSignal<String>>>,
    /// What was assumed when words were read, and what was not understood.
    pub(super) heard: RwSignal<Heard>,
    /// `true` if the form holds something that the address does not.
    is_edited: RwSignal<bool>,
}

/// What to report after reading a description.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// What was assumed, a sentence for each part.
    pub(super) assumed: Vec<String>,
    /// What was not understood.
    pub(super) unread: Option<String>,
}

impl Form {
    /// Follows the address.
    pub(super) fn of(explorer: Explorer) -> Form {
        let empty = || RwSignal::new(String::new());
        let form = Form {
            index: explorer.index,
            platform: empty(),
            os: empty(),
            target: empty(),
            libc: empty(),
            gpu: empty(),
            tree: empty(),
            spack: RwSignal::new(None),
            assumed_libc: RwSignal::new(None),
            described_libc: RwSignal::new(None),
            by_hand: RwSignal::new(Vec::new()),
            heard: RwSignal::new(Heard::default()),
            is_edited: RwSignal::new(false),
        };
        let stated = memo(move || {
            explorer.with_question(|question| (question.host.clone(), question.gpus.clone()))
        });
        Effect::new(move || {
            stated.with(|(host, gpus)| {
                if !form.is_edited.get_untracked() {
                    form.fill(host.as_ref(), gpus);
                }
            });
        });
        // Pasted settings state the install tree, too, whatever else was typed.
        let tree = memo(move || {
            explorer.with_question(|question| question.preference().settings.install_tree.clone())
        });
        Effect::new(move || {
            form.tree.set(tree.get().map_or(String::new(), |tree| tree.root));
        });
        form
    }

    fn fill(self, host: Option<&Host>, gpus: &[String]) {
        self.platform.set(host.map_or("linux", Host::platform).to_owned());
        self.os.set(host.map_or("", Host::os).to_owned());
        self.target.set(host.map_or("", Host::target).to_owned());
        self.gpu.set(gpus.join(", "));
        let libc = host.and_then(Host::libc).unwrap_or("");
        // A libc that was typed here still counts as typed. One that an address states may have been assumed, if the OS
        // ships it.
        if self.libc.with_untracked(|there| there != libc) {
            self.libc.set(libc.to_owned());
            self.assumed_libc.set(untrack(|| self.ships()).filter(|ships| ships == libc));
        }
        self.assume_libc();
    }

    /// Puts what was typed into a field.
    pub(super) fn put(self, field: RwSignal<String>, text: String) {
        self.is_edited.set(true);
        field.set(text);
        self.by_hand.update(|fields| fields.push(field));
        if field == self.libc {
            self.assumed_libc.set(None);
        }
    }

    /// Forgets what was typed: from now on, the form follows the address again.
    pub(super) fn forget(self) {
        self.is_edited.set(false);
        self.by_hand.set(Vec::new());
        self.spack.set(None);
        self.heard.set(Heard::default());
    }

    /// Reads a description or the output of a command. What it does not mention stays as it is; but a text that names the OS
    /// also resets the libc, and one that names OS and target also resets the GPUs, unless they were typed by hand.
    pub(super) fn read(self, text: &str) {
        self.is_edited.set(true);
        self.spack.set(None);
        if text.trim().is_empty() {
            return self.heard.set(Heard::default());
        }
        // The exact output of `spack arch` may have names that nobody knows.
        if let Ok(host) = Host::from_arch(text, "") {
            self.platform.set(host.platform().to_owned());
            self.os.set(host.os().to_owned());
            self.target.set(host.target().to_owned());
            // A line before it may state the version.
            self.spack.set(DescribedMachine::read(text).spack);
            self.assume_libc();
            return self.heard.set(Heard::default());
        }
        let mut machine = DescribedMachine::read(text);
        let names_os = machine.os.value().is_some();
        let is_new = |field: RwSignal<String>, part: Option<&str>| {
            part.into_iter().for_each(|value| field.set(value.to_owned()));
        };
        is_new(self.platform, machine.platform.value());
        is_new(self.target, machine.target.value());
        let follows = |field: RwSignal<String>| {
            self.by_hand.with_untracked(|fields| !fields.contains(&field))
        };
        let has_macos = self.os.with_untracked(|os| version_of_macos(os.trim()).is_some());
        if follows(self.os) && !has_macos {
            machine.assume_macos(self.index);
        }
        is_new(self.os, machine.os.value());
        let stated = machine.libc.known().filter(|libc| libc.assumption.is_none());
        is_new(self.libc, stated.map(|libc| libc.value.as_str()));
        if stated.is_some() {
            self.assumed_libc.set(None);
        } else if names_os && follows(self.libc) {
            self.libc.set(String::new());
        }
        let names_all = names_os && machine.target.value().is_some();
        if !machine.gpus.is_empty() || names_all && follows(self.gpu) {
            self.gpu.set(texts(&machine.gpus).join(", "));
        }
        is_new(self.tree, machine.install_tree.as_deref());
        self.spack.set(machine.spack);
        let shipped = machine.libc.known().filter(|libc| libc.assumption.is_some());
        if let (Some(os), Some(libc)) = (machine.os.value(), shipped) {
            self.described_libc.set(Some((os.to_owned(), libc.value.clone())));
        }
        self.assume_libc();
        // The libc has a note of its own.
        let mut assumed = machine.assumptions();
        assumed.retain(|assumption| !assumption.starts_with("libc "));
        let is_empty = machine
            == DescribedMachine { unread: machine.unread.clone(), ..DescribedMachine::default() };
        let unread = match machine.unread.as_slice() {
            [] if is_empty => Some("Nothing in it says what the machine is".to_owned()),
            [] => None,
            words => match words.iter().find(|word| lacks_version(word)) {
                Some(name) => Some(format!("Say which version of {name} it is")),
                None => Some(format!("Not understood: {}", words.join(", "))),
            },
        };
        self.heard.set(Heard { assumed, unread });
    }

    /// Reads words that describe a part of a machine, together with the system in the filters.
    pub(super) fn read_beside_filters(self, explorer: Explorer, words: &str) {
        let filtered = |facet| {
            untrack(|| explorer.with_question(|asked| asked.choice(facet).included().to_vec()))
        };
        let (platforms, oses) = (filtered(Facet::Platform), filtered(Facet::Os));
        let system = match (&platforms[..], &oses[..]) {
            (_, [os]) => os.as_str(),
            ([platform], _) if platform == "darwin" => "macOS",
            _ => "",
        };
        self.read(format!("{system} {words}").trim());
        // Fills in names that reading a description does not recognize.
        let fill = |field: RwSignal<String>, text: &str| {
            if field.with_untracked(String::is_empty) {
                self.put(field, text.to_owned());
            }
        };
        for word in words.split_whitespace() {
            if Target::named(word).is_some() {
                fill(self.target, word);
            } else if self.index.dictionary(Facet::Os).code(word).is_some() {
                fill(self.os, word);
            }
        }
        if let [os] = &oses[..] {
            fill(self.os, os);
            self.assume_libc();
        }
    }

    /// Rewrites the OS in Spack's words, once it has been typed: `Ubuntu 22.04` is `ubuntu22.04`.
    pub(super) fn settle_os(self) {
        let typed = self.os.get_untracked();
        let typed = typed.trim();
        if self.index.dictionary(Facet::Os).code(typed).is_none() {
            let machine = DescribedMachine::read(typed);
            if let Some(os) = machine.os.value() {
                self.os.set(os.to_owned());
                machine
                    .platform
                    .value()
                    .into_iter()
                    .for_each(|is| self.platform.set(is.to_owned()));
                if self.target.with_untracked(String::is_empty) {
                    machine
                        .target
                        .value()
                        .into_iter()
                        .for_each(|is| self.target.set(is.to_owned()));
                }
            }
        }
        // No other platform has macOS.
        if self.os.with_untracked(|os| version_of_macos(os.trim()).is_some()) {
            self.platform.set("darwin".to_owned());
        }
        self.assume_libc();
    }

    /// Offers the libc that the OS ships, unless another one was stated or the cache says which one it is.
    pub(super) fn assume_libc(self) {
        let assumed = self.assumed_libc.get_untracked();
        let is_free = self
            .libc
            .with_untracked(|libc| libc.trim().is_empty() || assumed.as_ref() == Some(libc));
        if !is_free {
            return;
        }
        let ships = untrack(|| self.ships().filter(|_| self.known_libc().is_none()));
        let ships = ships.filter(|_| has_libcs(self.index));
        self.libc.set(ships.clone().unwrap_or_default());
        self.assumed_libc.set(ships);
    }

    /// Returns the libc that the distribution ships.
    fn ships(self) -> Option<String> {
        if !self.is_linux() {
            return None;
        }
        let os = self.os.get();
        let described = self.described_libc.get().filter(|(of, _)| *of == os.trim());
        let by_name = || libc_of_distribution(os.trim()).map(str::to_owned);
        described.map(|(_, libc)| libc).or_else(by_name)
    }

    /// Returns the libc that all builds of the cache for the OS need.
    pub(super) fn known_libc(self) -> Option<&'static str> {
        self.platform
            .with(|platform| self.os.with(|os| libc_of_os(self.index, platform, os.trim())))
    }

    /// Returns `true` for the platform on which the libc decides.
    pub(super) fn is_linux(self) -> bool {
        self.platform.with(|platform| platform == "linux")
    }

    /// Returns the note about the libc.
    pub(super) fn libc_note(self) -> Option<String> {
        let (libc, os) = (self.libc.get(), self.os.get());
        let os = os.trim();
        if !libc.is_empty() {
            let is_assumed = self.assumed_libc.get().as_ref() == Some(&libc);
            return is_assumed
                .then(|| format!("Assumed: {os} ships it. Correct it if yours has another."));
        }
        match self.known_libc() {
            Some(libc) => Some(format!(
                "{libc}, which all builds for {os} in this cache need. Correct it if yours has another."
            )),
            None => (!os.is_empty() && has_libcs(self.index)).then(|| {
                "It decides what runs here. The first line of `ldd --version` ends with it."
                    .to_owned()
            }),
        }
    }

    /// Returns the machine, its GPUs and its install tree as the form states them.
    pub(super) fn machine(
        self,
        known: Option<&InstallTree>,
    ) -> Result<(Host, Vec<String>, Option<InstallTree>), Wrong> {
        self.settle_os();
        let [platform, os, target, libc, gpu] =
            [self.platform, self.os, self.target, self.libc, self.gpu]
                .map(|field| field.get_untracked());
        let libc = if platform == "linux" { libc } else { String::new() };
        if target.is_empty() {
            return Err(Wrong::NoTarget);
        }
        if os.trim().is_empty() {
            return Err(Wrong::NoOs);
        }
        let host = Host::from_arch(&format!("{platform}-{}-{target}", os.trim()), &libc)
            .map_err(|error| Wrong::Host(capitalized(&error.to_string())))?;
        if host.unknown_target(self.index).is_some() {
            return Err(Wrong::Target);
        }
        let gpus = gpus(&gpu).ok_or(Wrong::Gpu)?;
        let tree = self.tree.get_untracked();
        if tree.trim().is_empty() {
            return Ok((host, gpus, None));
        }
        let mut tree = InstallTree::new(&tree, 0).ok_or(Wrong::InstallTree)?;
        // The padding stays as it is as long as the path does.
        if let Some(known) = known.filter(|known| known.root == tree.root) {
            tree = known.clone();
        }
        Ok((host, gpus, Some(tree)))
    }
}

/// The part of a form that cannot be used.
pub(super) enum Wrong {
    /// The machine, for this reason.
    Host(String),
    /// No target was chosen.
    NoTarget,
    /// No OS was stated.
    NoOs,
    /// The target; the reason is shown next to it.
    Target,
    /// The GPU, likewise.
    Gpu,
    /// The install tree, likewise.
    InstallTree,
}

/// Reads what was typed as GPUs; `None` if any of it is not a GPU.
pub(super) fn gpus(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") {
        return Some(Vec::new());
    }
    let DescribedMachine { gpus, unread, .. } = DescribedMachine::read(text);
    let is_read = unread.is_empty() && (!gpus.is_empty() || text.is_empty());
    is_read.then(|| texts(&gpus))
}

fn texts(gpus: &[Gpu]) -> Vec<String> {
    gpus.iter().map(Gpu::text).collect()
}
