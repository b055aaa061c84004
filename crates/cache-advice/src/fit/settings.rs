//! What a user's settings about reuse change, beside the defaults of Spack on the same machine.

use cache_index::index::Index;
use cache_index::number::{counted, grouped};
use cache_index::settings::Settings;
use cache_query::host::Runs;
use cache_query::{ByBuild, Setup};

/// How many builds work on a machine with and without the settings of its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingsEffect {
    /// The builds that work with Spack's defaults.
    pub without: usize,
    /// The builds that work with the settings.
    pub with: usize,
    /// `true` if the verdict on any build differs. As many may work, and not the same ones.
    pub differs: bool,
}

impl SettingsEffect {
    /// Returns the same machine and Spack with the defaults, to compare with; `None` if the settings are these. The install tree
    /// is a part of the machine, and what is not applied changes nothing.
    pub fn base(setup: &Setup) -> Option<Setup> {
        let defaults = Settings {
            install_tree: setup.settings.install_tree.clone(),
            unapplied: setup.settings.unapplied.clone(),
            ..Settings::default()
        };
        (setup.settings != defaults).then(|| Setup { settings: defaults, ..setup.clone() })
    }

    /// Compares the verdicts on all builds.
    pub fn between(index: &Index, without: &ByBuild<Runs>, with: &ByBuild<Runs>) -> SettingsEffect {
        let mut effect = SettingsEffect { without: 0, with: 0, differs: false };
        for build in index.builds_with_binary() {
            let (without, with) = (without.of(build), with.of(build));
            effect.without += usize::from(without == Some(Runs::Yes));
            effect.with += usize::from(with == Some(Runs::Yes));
            effect.differs |= without != with;
        }
        effect
    }

    /// Says it in a sentence without a full stop: `1,389 builds could be reused without these settings, 790 with them`.
    pub fn sentence(self) -> String {
        let SettingsEffect { without, with, differs } = self;
        let builds = counted(without, "build", "builds");
        match differs {
            true => {
                format!(
                    "{builds} could be reused without these settings, {} with them",
                    grouped(with)
                )
            }
            false => {
                format!(
                    "These settings change nothing here: {builds} could be reused without them, too"
                )
            }
        }
    }
}
