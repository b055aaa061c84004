//! How much room a binary has for another install tree: the few numbers that decide where Spack can move it.
//!
//! A page that judges all builds of a cache cannot hold the paths in all their binaries. But whether these can be replaced
//! depends only on the length of the new root, with two exceptions that need the text of the old root: a string that ends
//! with it, and a new root that contains it. `cache_advice::relocation` has the rule, and explains it.

use serde::{Deserialize, Serialize};

use super::{Facts, Object, SAFE_SUFFIX};
use crate::build::Hash;
use crate::spack::TreeLayout;

/// How much room a binary has for another install tree. Lengths are in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Room {
    /// The root of the install tree that the build was in, with its padding.
    pub root: String,
    /// By [`TreeLayout`]: the length of the longest root that the paths in its programs and libraries have room for; `None`
    /// if they have no such path.
    #[serde(skip_serializing_if = "is_nothing")]
    pub longest: [Option<u32>; 2],
    /// By [`TreeLayout`]: the length of the longest root that its run paths and interpreters have room for without patchelf;
    /// `None` if they have no such path.
    #[serde(skip_serializing_if = "is_nothing")]
    pub unpatched: [Option<u32>; 2],
    /// How many bytes at the end of the root have to stay, unless it becomes shorter by more than [`SAFE_SUFFIX`].
    #[serde(skip_serializing_if = "is_zero")]
    pub kept: u32,
    /// How many programs and libraries could not be looked at in full.
    #[serde(skip_serializing_if = "is_zero")]
    pub unclear: u32,
}

/// A path that is replaced: its length, and the length of what follows the new root in each layout.
#[derive(Clone, Copy)]
struct Replaced {
    old: usize,
    below_root: [usize; 2],
}

impl Room {
    /// Returns the room that a binary has; `None` if its facts do not say where it was made. `path_in_tree` returns where
    /// other builds are below the root; `None` for those that are not installed with this one.
    pub fn of(
        facts: &Facts,
        path_in_tree: impl Fn(Hash, TreeLayout) -> Option<String>,
    ) -> Option<Room> {
        let root = facts.relocation.root.as_str();
        if root.is_empty() {
            return None;
        }
        let mut room = Room { root: root.to_owned(), ..Room::default() };
        let whole = Replaced { old: root.len(), below_root: [0; 2] };
        let replaced = |hash: Hash| {
            let old = facts.relocation.prefixes.get(&hash)?;
            let [by_target, by_compiler] = TreeLayout::ALL.map(|layout| path_in_tree(hash, layout));
            let below_root = [by_target?.len() + 1, by_compiler?.len() + 1];
            Some((old.as_str(), Replaced { old: old.len(), below_root }))
        };
        let moved = &facts.relocation.binaries;
        let objects = facts.objects.iter().filter(|it| moved.binary_search(&it.path).is_ok());
        for object in objects {
            let mut is_unclear = object.is_unclear;
            for place in &object.strings {
                let of_build = place.build.and_then(|hash| Some((hash, replaced(hash)?)));
                let path = of_build.map_or(whole, |(_, (_, path))| path);
                path.leaves(&mut room.longest, 1);
                let kept = place.suffix.map_or(0, |suffix| SAFE_SUFFIX.saturating_sub(suffix));
                match of_build {
                    // A build's path ends with its hash in every tree, unless a user configured another layout.
                    Some((hash, (old, _))) => {
                        is_unclear |= kept > 0 && !old.ends_with(&hash.to_string())
                    }
                    None => room.kept = room.kept.max(kept.into()),
                }
            }
            room.unclear += u32::from(is_unclear);
            for value in run_paths(object) {
                let of_path = |path: &str| {
                    let mut builds =
                        facts.relocation.prefixes.keys().filter_map(|&hash| replaced(hash));
                    let build = builds.find(|(old, _)| path.starts_with(old)).map(|(_, path)| path);
                    build.or_else(|| path.starts_with(root).then_some(whole))
                };
                let paths: Vec<Replaced> = value.split(':').filter_map(of_path).collect();
                if let Some(all) = paths.iter().copied().reduce(Replaced::and) {
                    all.leaves(&mut room.unpatched, paths.len());
                }
            }
        }
        Some(room)
    }

    /// Returns the length of the longest root that the paths in its programs and libraries have room for; `None` if that
    /// does not matter.
    pub fn longest(&self, layout: TreeLayout) -> Option<usize> {
        self.longest[layout as usize].map(|length| length as usize)
    }

    /// Returns the length of the longest root that needs no patchelf; `None` if no root needs it.
    pub fn longest_unpatched(&self, layout: TreeLayout) -> Option<usize> {
        self.unpatched[layout as usize].map(|length| length as usize)
    }
}

impl Replaced {
    fn and(self, other: Replaced) -> Replaced {
        let below_root = [0, 1].map(|layout| self.below_root[layout] + other.below_root[layout]);
        Replaced { old: self.old + other.old, below_root }
    }

    /// Lowers limits to the longest root with which this many paths together do not grow.
    fn leaves(self, limits: &mut [Option<u32>; 2], paths: usize) {
        for (limit, below) in limits.iter_mut().zip(self.below_root) {
            let left = self.old.saturating_sub(below) / paths;
            let left = u32::try_from(left).unwrap_or(u32::MAX);
            *limit = Some(limit.map_or(left, |limit| limit.min(left)));
        }
    }
}

/// Returns the paths that Spack rewrites in an object, with patchelf if necessary: its run paths and its interpreter. Empty
/// for formats other than ELF: patchelf only exists on Linux.
fn run_paths(object: &Object) -> impl Iterator<Item = &String> {
    let is_elf = object.format == "elf";
    object.rpath.iter().chain(&object.interpreter).filter(move |_| is_elf)
}

fn is_nothing(limits: &[Option<u32>; 2]) -> bool {
    *limits == [None; 2]
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
