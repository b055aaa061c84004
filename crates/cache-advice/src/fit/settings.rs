//! What a user's settings about reuse change, compared with the defaults of Spack on the same machine.

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
    /// The builds whose verdict is known without the settings, and unknown with them.
    pub unknown: usize,
    /// `true` if the verdict on any build differs, even if equally many builds work.
    pub differs: bool,
    /// How many of the settings are not applied.
    pub unapplied: usize,
}

impl SettingsEffect {
    /// Returns the same machine and Spack with the default settings, for comparison; `None` if the settings are the
    /// defaults. The install tree counts as a part of the machine, and settings that are not applied change nothing.
    pub fn base(setup: &Setup) -> Option<Setup> {
        let defaults = Settings {
            install_tree: setup.settings.install_tree.clone(),
            unapplied: setup.settings.unapplied.clone(),
            ..Settings::default()
        };
        (setup.settings != defaults).then(|| Setup { settings: defaults, ..setup.clone() })
    }

    /// Compares the verdicts on all builds with the settings to those with the defaults, which `base` has.
    pub fn between(
        index: &Index,
        base: &Setup,
        without: &ByBuild<Runs>,
        with: &ByBuild<Runs>,
    ) -> SettingsEffect {
        let unapplied = base.settings.unapplied.len();
        let mut effect =
            SettingsEffect { without: 0, with: 0, unknown: 0, differs: false, unapplied };
        for build in index.builds_with_binary() {
            let (without, with) = (without.of(build), with.of(build));
            effect.without += usize::from(without == Some(Runs::Yes));
            effect.with += usize::from(with == Some(Runs::Yes));
            let is_known = without != Some(Runs::Unknown);
            effect.unknown += usize::from(is_known && with == Some(Runs::Unknown));
            effect.differs |= without != with;
        }
        effect
    }

    /// Returns the effect as a sentence without a full stop: `1,389 builds work here without these settings, 790 with
    /// them`.
    pub fn sentence(self) -> String {
        let SettingsEffect { without, with, unknown, differs, unapplied } = self;
        let builds = counted(without, "build works here", "builds work here");
        let not_applied = match unapplied {
            0 => String::new(),
            1 => "; 1 setting is not applied".to_owned(),
            more => format!("; {} settings are not applied", grouped(more)),
        };
        match (differs, unapplied) {
            (true, _) => {
                let with = grouped(with);
                let unknown = match unknown {
                    0 => String::new(),
                    unknown => format!(", and of {} it is not known", grouped(unknown)),
                };
                format!("{builds} without these settings, {with} with them{unknown}{not_applied}")
            }
            (false, 0) => {
                format!("These settings change nothing: {builds} without them, too")
            }
            (false, _) => {
                format!(
                    "What is applied of these settings changes nothing: {builds} without them, too{not_applied}"
                )
            }
        }
    }
}
