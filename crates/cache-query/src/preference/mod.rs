//! The part of a setup that is not the machine, as an address states it.

mod pairs;

use std::sync::Arc;

use cache_index::settings::{InstallTree, ReuseSource, Settings};
use cache_index::spack::SpackVersion;
use spack_spec::Spec;

use crate::host::Host;
use crate::{keep_once, texts_once};

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
    /// Returns the preference in the canonical form, which an address states; `None` if it is the default one.
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
            *include = texts_once(&*include);
            *exclude = texts_once(&*exclude);
        }
        // A source without lists accepts every build.
        if caches.contains(&ReuseSource::default()) {
            *caches = vec![ReuseSource::default()];
        }
        keep_once(caches);
        *asked = texts_once(&*asked);
        *unapplied = texts_once(&*unapplied);
        os_compatible.iter_mut().for_each(|(_, others)| *others = texts_once(&*others));
        *repositories = texts_once(Settings::default().repositories.iter().chain(&*repositories));
        *install_tree = install_tree
            .take()
            .and_then(|InstallTree { root, padded_length }| InstallTree::new(&root, padded_length));
        externals.iter_mut().for_each(|external| external.modules = texts_once(&external.modules));
        (preference != Preference::default()).then(|| Arc::new(preference))
    }

    /// Returns the setup on a machine, leaving out texts in the settings that should be specs but are not.
    #[inline(never)] // A first visit does without it, see `crates/split`.
    pub fn on(&self, host: Host) -> Setup {
        let Preference { spack, mut settings } = self.clone();
        let is_spec = |text: &String| Spec::parse(text, spack.dialect()).is_ok();
        for ReuseSource { include, exclude } in &mut settings.caches {
            include.retain(is_spec);
            exclude.retain(is_spec);
        }
        settings.asked.retain(is_spec);
        settings.externals.retain(|external| is_spec(&external.spec));
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
