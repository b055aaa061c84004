//! The part of a setup that is not the machine, as an address states it.

use super::{Reuse, Settings, Setup, Source, SpackVersion};
use crate::host::Host;

/// A version of Spack, and the settings that people change most often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Preference {
    /// The version of Spack.
    pub spack: SpackVersion,
    /// What may be reused.
    pub reuse: Reuse,
    /// Specs of which a build must satisfy one, unless the list is empty.
    pub include: Vec<String>,
    /// Specs of which a build must not satisfy any.
    pub exclude: Vec<String>,
    /// The requested specs, which matter if only dependencies are reused.
    pub asked: Vec<String>,
}

impl Preference {
    /// Returns the preference without specs that are blank, or repeated in their list.
    pub(crate) fn tidied(mut self) -> Preference {
        for list in [&mut self.include, &mut self.exclude, &mut self.asked] {
            let mut tidy: Vec<String> = Vec::new();
            for spec in list.iter() {
                push_once(&mut tidy, spec);
            }
            *list = tidy;
        }
        self
    }

    /// Returns the setup on a machine.
    pub fn on(&self, host: Host) -> Setup {
        let Preference { spack, reuse, include, exclude, asked } = self.clone();
        let caches = vec![Source { include, exclude }];
        let settings = Settings { reuse, caches, asked, ..Settings::default() };
        Setup { spack, settings, ..Setup::on(host) }
    }
}

/// Adds a spec to a list, unless it is blank or already there.
pub(crate) fn push_once(list: &mut Vec<String>, spec: &str) {
    let spec = spec.trim();
    if !spec.is_empty() && !list.iter().any(|other| other == spec) {
        list.push(spec.to_owned());
    }
}
