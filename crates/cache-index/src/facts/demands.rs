//! What a binary demands of the machine that runs it: the few texts that decide whether it runs, whatever its labels say.

use serde::{Deserialize, Serialize};

use super::{Facts, numbers};

/// What the programs and libraries of a binary demand of a machine. Labels name the machine that a build was made on;
/// demands are the least that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Demands {
    /// The highest version of glibc whose symbols they need: `2.34`. `None` if they need none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glibc: Option<String>,
    /// The oldest macOS that they say they run on: `13.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub macos: Option<String>,
    /// The highest level of x86-64 that their notes say they need: `x86-64-v3`. Most have no such note, which proves
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
}

impl Demands {
    /// Returns the demands of a binary; `None` if only its beginning was read.
    pub fn of(facts: &Facts) -> Option<Demands> {
        if facts.is_partial {
            return None;
        }
        let required = facts.requires();
        let version = |family| required.get(family).map(|version: &&str| (*version).to_owned());
        let levels = facts.objects.iter().flat_map(|object| &object.isa);
        // `x86-64-baseline`, `x86-64-v2`, …: their names are in the order of the levels.
        Some(Demands {
            glibc: version("GLIBC"),
            macos: version("macOS"),
            level: levels.max().cloned(),
        })
    }

    /// Returns the name of the target with the demanded level of x86-64: `x86_64_v3`.
    pub fn target(&self) -> Option<String> {
        Some(match self.level.as_deref()? {
            "x86-64-baseline" => "x86_64".to_owned(),
            level => level.replace('-', "_"),
        })
    }

    /// Returns `true` if a version of glibc has the symbols that they need.
    pub fn are_met_by_glibc(&self, version: &str) -> bool {
        self.glibc.as_deref().is_none_or(|needed| numbers(version) >= numbers(needed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Object;

    #[test]
    fn are_the_highest_of_all_objects() {
        let object = |glibc: &str, isa: &[&str]| Object {
            requires: [("GLIBC".to_owned(), glibc.to_owned())].into(),
            isa: isa.iter().map(|level| (*level).to_owned()).collect(),
            ..Object::default()
        };
        let objects = vec![
            object("2.4", &["x86-64-baseline", "x86-64-v3"]),
            object("2.34", &["x86-64-v2"]),
            object("2.17", &[]),
        ];
        let facts = Facts { objects, ..Facts::default() };
        let demands = Demands::of(&facts).expect("whole facts");
        assert_eq!(demands.glibc.as_deref(), Some("2.34"));
        assert_eq!(demands.target().as_deref(), Some("x86_64_v3"));
        assert!(demands.are_met_by_glibc("2.34") && demands.are_met_by_glibc("2.100"));
        assert!(!demands.are_met_by_glibc("2.4"));
        assert_eq!(Demands::of(&Facts { is_partial: true, ..facts }), None);
        assert_eq!(Demands::of(&Facts::default()), Some(Demands::default()));
    }
}
