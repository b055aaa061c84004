//! The part of a setup that is not the machine, as an address states it.

mod pairs;

use std::sync::Arc;

use cache_index::settings::{InstallTree, ReuseSource, Settings};
use cache_index::spack::SpackVersion;

use crate::host::Host;
use crate::push_once;

/// A version of Spack, and its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Preference {
    /// The version of Spack.
    pub spack: SpackVersion,
    /// The settings that affect reuse.
    pub settings: Settings,
}

/// What a user has: a machine, a Spack and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The machine, with its libc if that is known.
    pub host: Host,
    /// Where the libc is installed.
    pub libc_path: String,
    /// The version of Spack.
    pub spack: SpackVersion,
    /// The settings that affect reuse.
    pub settings: Settings,
}

impl Preference {
    /// Returns the preference in the one form in which an address states it; `None` if it is the default one.
    ///
    /// Texts that are blank, or repeated in their list, are left out, and so are sources that others contain.
    #[inline(never)] // A first visit does without it, see `crates/split`.
    pub(crate) fn tidied(&self) -> Option<Arc<Preference>> {
        let mut preference = self.clone();
        let Settings {
            caches,
            asked,
            os_compatible,
            repositories,
            externals,
            install_tree,
            unapplied,
            ..
        } = &mut preference.settings;
        for ReuseSource { include, exclude } in caches.iter_mut() {
            *include = tidy(include);
            *exclude = tidy(exclude);
        }
        // A source without lists accepts every build.
        if caches.contains(&ReuseSource::default()) {
            *caches = vec![ReuseSource::default()];
        }
        let mut different: Vec<ReuseSource> = Vec::new();
        for source in caches.drain(..) {
            if !different.contains(&source) {
                different.push(source);
            }
        }
        *caches = different;
        *asked = tidy(asked);
        *unapplied = tidy(unapplied);
        os_compatible.iter_mut().for_each(|(_, others)| *others = tidy(others));
        let mut all = Settings::default().repositories;
        repositories.iter().for_each(|repository| push_once(&mut all, repository));
        *repositories = all;
        *install_tree = install_tree
            .take()
            .and_then(|InstallTree { root, padded_length }| InstallTree::new(&root, padded_length));
        externals.iter_mut().for_each(|external| external.modules = tidy(&external.modules));
        (preference != Preference::default()).then(|| Arc::new(preference))
    }

    /// Returns the setup on a machine.
    pub fn on(&self, host: Host) -> Setup {
        let Preference { spack, settings } = self.clone();
        Setup { spack, settings, ..Setup::on(host) }
    }
}

impl Setup {
    /// The path of the libc on almost every machine.
    pub const LIBC_PATH: &str = "/usr";

    /// Returns the setup of a machine with the current version of Spack and its default settings.
    pub fn on(host: Host) -> Setup {
        Setup {
            host,
            libc_path: Setup::LIBC_PATH.to_owned(),
            spack: SpackVersion::default(),
            settings: Settings::default(),
        }
    }
}

fn tidy(list: &[String]) -> Vec<String> {
    let mut tidy: Vec<String> = Vec::new();
    list.iter().for_each(|text| push_once(&mut tidy, text));
    tidy
}
