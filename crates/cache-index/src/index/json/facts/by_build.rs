//! The numbers that are known about each build's binary.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `sizes` | of all builds in order: bytes of the binary | numbers |
//! | `unpacked` | of all builds in order: bytes of all files in it | numbers |
//! | `files` | of all builds in order: the number of files and links in it | numbers |
//! | `prefixes` | of all builds in order: the length of the prefix that it was installed in, in bytes | numbers |
//! | `rooms` | the distinct rooms that binaries have for other install trees | [`Room`]s |
//! | `room` | of all builds in order: the place of its room in `rooms` | numbers |
//! | `demands` | what different binaries demand of a machine | [`Demands`] |
//! | `demand` | of all builds in order: the place of its demands in `demands` | numbers |
//!
//! A number is null if it is not known. `rooms` and `room` are left out if no room is known, and `demands` and
//! `demand` if no demands are known.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::facts::{Demands, EntryKind, Facts, Room};
use crate::index::json::LoadError;
use crate::index::{BuildId, Index};

/// The numbers that are known about a build's binary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildFacts {
    /// The size of the binary in bytes.
    pub size: Option<u64>,
    /// The size of all files in it, in bytes.
    pub unpacked: Option<u64>,
    /// The number of files and links in it.
    pub files: Option<u32>,
    /// The length of the prefix that the build was installed in, in bytes.
    pub prefix: Option<u32>,
}

impl BuildFacts {
    pub(super) fn new(facts: &Facts) -> BuildFacts {
        let prefix = Some(facts.prefix.len() as u32);
        if facts.is_partial {
            return BuildFacts { prefix, ..BuildFacts::default() };
        }
        let files = facts.files.iter().filter(|entry| entry.kind != EntryKind::Dir);
        BuildFacts {
            size: Some(facts.size),
            unpacked: Some(facts.unpacked),
            files: Some(files.count() as u32),
            prefix,
        }
    }
}

/// The numbers of all builds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsByBuild {
    sizes: Vec<Option<u64>>,
    unpacked: Vec<Option<u64>>,
    files: Vec<Option<u32>>,
    prefixes: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rooms: Vec<Room>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    room: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    demands: Vec<Demands>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    demand: Vec<Option<u32>>,
}

/// The total sizes of several builds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TotalSize {
    /// The sum of the sizes of binaries, in bytes.
    pub size: u64,
    /// The sum of the sizes of all files in them, in bytes.
    pub unpacked: u64,
    /// The number of builds whose sizes are not known; the sums do not include them.
    pub unknown: usize,
}

impl FactsByBuild {
    pub(super) fn new<'r>(
        builds: u32,
        known: impl IntoIterator<Item = (u32, BuildFacts, Option<&'r Room>, Option<&'r Demands>)>,
    ) -> FactsByBuild {
        let none = vec![None; builds as usize];
        let mut all = FactsByBuild {
            sizes: none.clone(),
            unpacked: none,
            files: vec![None; builds as usize],
            prefixes: vec![None; builds as usize],
            ..FactsByBuild::default()
        };
        let (mut rooms, mut all_demands) = (HashMap::new(), HashMap::new());
        for (build, BuildFacts { size, unpacked, files, prefix }, room, demands) in known {
            let at = build as usize;
            all.sizes[at] = size;
            all.unpacked[at] = unpacked;
            all.files[at] = files;
            all.prefixes[at] = prefix;
            if let Some(room) = room {
                all.room.resize(builds as usize, None);
                all.room[at] = Some(code_of(room, &mut rooms, &mut all.rooms));
            }
            if let Some(demands) = demands {
                all.demand.resize(builds as usize, None);
                all.demand[at] = Some(code_of(demands, &mut all_demands, &mut all.demands));
            }
        }
        all
    }

    /// Reads the text of [`Part::Facts`](crate::index::Part::Facts).
    ///
    /// # Errors
    ///
    /// If it is not JSON of this shape, or belongs to another index.
    pub fn read(json: &str, index: &Index) -> Result<FactsByBuild, LoadError> {
        let read: FactsByBuild = serde_json::from_str(json)?;
        let builds = index.specs() as usize;
        let lengths =
            [read.sizes.len(), read.unpacked.len(), read.files.len(), read.prefixes.len()];
        let may_lack = [read.room.len(), read.demand.len()];
        match lengths == [builds; 4] && may_lack.iter().all(|of| [0, builds].contains(of)) {
            true => Ok(read),
            false => Err(LoadError::UnequalColumns("facts")),
        }
    }

    /// Returns the numbers that are known about a build.
    pub fn of(&self, build: BuildId) -> BuildFacts {
        let at = build.at();
        BuildFacts {
            size: self.sizes.get(at).copied().flatten(),
            unpacked: self.unpacked.get(at).copied().flatten(),
            files: self.files.get(at).copied().flatten(),
            prefix: self.prefixes.get(at).copied().flatten(),
        }
    }

    /// Returns how much room the binary of a build has for another install tree; `None` if that is not known.
    pub fn room(&self, build: BuildId) -> Option<&Room> {
        let code = self.room.get(build.at()).copied().flatten()?;
        self.rooms.get(code as usize)
    }

    /// Returns what the binary of a build demands of a machine; `None` if that is not known.
    pub fn demands(&self, build: BuildId) -> Option<&Demands> {
        self.demands.get(self.demands_code(build)? as usize)
    }

    /// Returns a code that is the same for all builds whose binaries demand the same; `None` if that is not known.
    pub fn demands_code(&self, build: BuildId) -> Option<u32> {
        self.demand.get(build.at()).copied().flatten()
    }

    /// Returns the total sizes of builds.
    pub fn total(&self, builds: impl IntoIterator<Item = BuildId>) -> TotalSize {
        let mut total = TotalSize::default();
        for build in builds {
            match self.of(build) {
                BuildFacts { size: Some(size), unpacked: Some(unpacked), .. } => {
                    total.size = total.size.saturating_add(size);
                    total.unpacked = total.unpacked.saturating_add(unpacked);
                }
                _ => total.unknown += 1,
            }
        }
        total
    }
}

/// Returns the code of a value; a new value gets the next code.
fn code_of<'v, T: Clone + Eq + Hash>(
    value: &'v T,
    codes: &mut HashMap<&'v T, u32>,
    values: &mut Vec<T>,
) -> u32 {
    *codes.entry(value).or_insert_with(|| {
        values.push(value.clone());
        values.len() as u32 - 1
    })
}
