//! The rule for one build.

use std::collections::BTreeMap;
use std::fmt;

use cache_index::build::Hash;
use cache_index::facts::{Facts, Object, PathUse, Room, SAFE_SUFFIX};
use cache_index::number::counted;

use super::Destination;

/// The maximum length of the path in the first line of a script, as Spack assumes it.
const SHEBANG_LIMIT: usize = 127;

/// Where Spack has the program that runs scripts with longer first lines.
const SBANG: &str = "/bin/sbang";

/// The maximum length of a root without its padding: with a longer one, the path of `sbang` exceeds the limit.
const LONGEST_ROOT: usize = SHEBANG_LIMIT - SBANG.len();

/// The answer to whether a build can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relocation {
    /// It can. `true` if Spack needs patchelf for it.
    Yes {
        /// There are run paths that become longer.
        needs_patchelf: bool,
    },
    /// The facts do not say enough.
    Unknown(Obstacle),
    /// It cannot.
    No(Obstacle),
}

/// What is in the way of moving a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The root is so long that nothing can be installed in it.
    RootTooLong {
        /// The length of the path of `sbang` in it.
        length: usize,
        /// `true` if the root has padding, which does not count.
        is_padded: bool,
    },
    /// A path becomes longer, and has no room for that.
    CannotGrow {
        /// The length of the path that becomes longer.
        old: usize,
        /// The length that it would have.
        new: usize,
        /// How many files have such a path.
        files: usize,
        /// One of them.
        example: String,
    },
    /// A string that ends right after a path cannot become shorter by so little.
    CannotShrink {
        /// The length of the path.
        old: usize,
        /// The length that it would have.
        new: usize,
        /// How many files have such a string.
        files: usize,
        /// One of them.
        example: String,
    },
    /// The paths in it have no room for a root as long as this.
    NoRoom {
        /// The length of the longest root that they have room for.
        longest: usize,
        /// The length of the root.
        new: usize,
    },
    /// A string that ends right after the old root cannot become shorter by so little.
    EndsDiffer {
        /// The length of the old root.
        old: usize,
        /// The length of the root.
        new: usize,
    },
    /// Run paths become longer, and there is no patchelf.
    NoPatchelf {
        /// How many files have such run paths; `None` if that is not known.
        files: Option<usize>,
    },
    /// Programs or libraries could not be looked at in full.
    Unclear {
        /// How many.
        files: usize,
    },
    /// Its binary was not looked into, or could not be read.
    NoFacts,
    /// The cache does not have its binary.
    NotInCache,
    /// Something that it is linked with or runs cannot be moved.
    Dependency {
        /// Its package.
        package: String,
        /// Its hash.
        hash: Option<Hash>,
        /// What is in the way of moving it.
        obstacle: Box<Obstacle>,
    },
    /// What it is linked with or runs is not known.
    UnknownDependencies,
}

/// Decides whether a build can be moved to an install tree, regardless of what it depends on. `new_prefix` returns the
/// prefix that another build has there; `None` for one that is not installed with this one.
pub fn relocate(
    facts: &Facts,
    to: &Destination,
    new_prefix: impl Fn(Hash) -> Option<String>,
) -> Relocation {
    if let Some(obstacle) = root_too_long(to) {
        return Relocation::No(obstacle);
    }
    let moves = Moves::new(facts, to, new_prefix);
    if moves.by_build.is_empty() && moves.root.is_none() {
        return Relocation::Yes { needs_patchelf: false };
    }
    let relocated = &facts.relocation.binaries;
    let objects =
        facts.objects.iter().filter(|object| relocated.binary_search(&object.path).is_ok());
    let (mut grown, mut shrunk, mut unclear, mut patched) = (vec![], vec![], 0, 0);
    for object in objects {
        let uses = object.strings.iter().filter_map(|it| moves.of(it).map(|of| (it, of)));
        let mut fits = true;
        for (it, (old, new)) in uses {
            if new.len() > old.len() {
                grown.push((old.len(), new.len(), object));
                fits = false;
            } else if !can_shrink(old, new, it.suffix) {
                shrunk.push((old.len(), new.len(), object));
                fits = false;
            }
        }
        let rewritten = moves.rewritten(object);
        if rewritten.has_old_root {
            // Spack writes the new run paths first, and then takes them for old ones.
            grown.push((facts.relocation.root.len(), to.root.len(), object));
            fits = false;
        }
        patched += usize::from(rewritten.is_longer);
        unclear += usize::from(fits && object.is_unclear);
    }
    if let Some(&(old, new, object)) = grown.first() {
        let (files, example) = (count(&grown), object.path.clone());
        return Relocation::No(Obstacle::CannotGrow { old, new, files, example });
    }
    if let Some(&(old, new, object)) = shrunk.first() {
        let (files, example) = (count(&shrunk), object.path.clone());
        return Relocation::No(Obstacle::CannotShrink { old, new, files, example });
    }
    match (unclear, patched) {
        (_, files @ 1..) if to.patchelf == Some(false) => {
            Relocation::No(Obstacle::NoPatchelf { files: Some(files) })
        }
        (0, files) => Relocation::Yes { needs_patchelf: files > 0 },
        (files, _) => Relocation::Unknown(Obstacle::Unclear { files }),
    }
}

/// Decides the same by the room in its binary, for pages, which do not have the facts of all builds.
pub fn relocate_by_room(room: &Room, to: &Destination) -> Relocation {
    let (old, new) = (room.root.len(), to.root.len());
    let layout = to.spack.tree_layout();
    if let Some(obstacle) = root_too_long(to) {
        return Relocation::No(obstacle);
    }
    if let Some(longest) = room.longest(layout).filter(|longest| new > *longest) {
        return Relocation::No(Obstacle::NoRoom { longest, new });
    }
    let unpatched = room.longest_unpatched(layout);
    let is_below_old = room.root != to.root && to.root.contains(&room.root);
    if unpatched.is_some() && is_below_old {
        return Relocation::No(Obstacle::NoRoom { longest: old, new });
    }
    let kept = SAFE_SUFFIX.saturating_sub(room.kept as u8);
    if room.kept > 0 && room.root != to.root && !can_shrink(&room.root, &to.root, Some(kept)) {
        return Relocation::No(Obstacle::EndsDiffer { old, new });
    }
    let needs_patchelf = unpatched.is_some_and(|longest| new > longest);
    match room.unclear {
        _ if needs_patchelf && to.patchelf == Some(false) => {
            Relocation::No(Obstacle::NoPatchelf { files: None })
        }
        0 => Relocation::Yes { needs_patchelf },
        // If the root stays the same, nothing is replaced.
        _ if room.root == to.root => Relocation::Yes { needs_patchelf },
        files => Relocation::Unknown(Obstacle::Unclear { files: files as usize }),
    }
}

/// Returns an obstacle if nothing can be installed in a root.
fn root_too_long(to: &Destination) -> Option<Obstacle> {
    let length = to.unpadded.len() + SBANG.len();
    let is_padded = to.root != to.unpadded;
    (length > SHEBANG_LIMIT).then_some(Obstacle::RootTooLong { length, is_padded })
}

/// Returns how many files there are in a list that is sorted by them.
fn count(found: &[(usize, usize, &Object)]) -> usize {
    found.chunk_by(|(.., one), (.., other)| one.path == other.path).count()
}

/// Returns `true` if a path that does not become longer can be replaced in place. `suffix` is how many bytes follow it
/// before its string ends, if they are few.
fn can_shrink(old: &str, new: &str, suffix: Option<u8>) -> bool {
    let Some(suffix) = suffix else { return true };
    let kept = usize::from(SAFE_SUFFIX.saturating_sub(suffix));
    let end = |path: &str| path.as_bytes()[path.len().saturating_sub(kept)..].to_vec();
    end(old) == end(new) || old.len() - new.len() > usize::from(SAFE_SUFFIX)
}

/// The paths that are replaced, and by what.
struct Moves<'f> {
    /// Without paths that stay the same.
    by_build: BTreeMap<Hash, (&'f str, String)>,
    root: Option<(&'f str, &'f str)>,
}

/// How the paths that Spack writes anew change.
struct Rewritten {
    is_longer: bool,
    has_old_root: bool,
}

impl<'f> Moves<'f> {
    fn new(
        facts: &'f Facts,
        to: &'f Destination,
        new_prefix: impl Fn(Hash) -> Option<String>,
    ) -> Moves<'f> {
        let prefixes = facts.relocation.prefixes.iter();
        let moved = prefixes.filter_map(|(&hash, old)| {
            let new = new_prefix(hash)?;
            (*old != new).then_some((hash, (old.as_str(), new)))
        });
        let root = facts.relocation.root.as_str();
        let root = (root != to.root).then_some((root, to.root.as_str()));
        Moves { by_build: moved.collect(), root }
    }

    /// Returns the path that is used and what replaces it; `None` if it stays.
    fn of(&self, path: &PathUse) -> Option<(&str, &str)> {
        match path.build.and_then(|hash| self.by_build.get(&hash)) {
            Some((old, new)) => Some((old, new)),
            // The prefix of a build that is not installed with this one is a path below the root.
            None => self.root,
        }
    }

    /// Returns the beginning of a path that is replaced, and by what.
    fn at_start(&self, path: &str) -> Option<(&str, &str)> {
        let pairs = self.by_build.values().map(|(old, new)| (*old, new.as_str()));
        pairs.chain(self.root).find(|(old, _)| path.starts_with(old))
    }

    /// Returns how the run paths and the interpreter of an object change.
    fn rewritten(&self, object: &Object) -> Rewritten {
        let mut rewritten = Rewritten { is_longer: false, has_old_root: false };
        // patchelf only works on ELF files.
        if object.format != "elf" {
            return rewritten;
        }
        for value in object.rpath.iter().chain(&object.interpreter) {
            let mut change = 0;
            for (old, new) in value.split(':').filter_map(|path| self.at_start(path)) {
                change += new.len() as i64 - old.len() as i64;
                rewritten.has_old_root |= self.root.is_some_and(|(root, _)| new.contains(root));
            }
            rewritten.is_longer |= change > 0;
        }
        rewritten
    }
}

impl Obstacle {
    /// Returns what would show whether the build can be moved, if this obstacle leaves that unknown.
    pub(crate) fn would_show(&self) -> &'static str {
        match self {
            Obstacle::Dependency { obstacle, .. } => obstacle.would_show(),
            Obstacle::NotInCache => "a cache that has this binary too",
            _ => "look into its binary with `cache-explorer inspect`",
        }
    }

    /// Returns what would allow the build to be moved, if this obstacle prevents it.
    pub(crate) fn would_allow(&self) -> String {
        match self {
            Obstacle::Dependency { obstacle, .. } => obstacle.would_allow(),
            // No build can be moved there, however it was made.
            Obstacle::RootTooLong { is_padded, .. } => {
                let padding = if *is_padded { " without its padding" } else { "" };
                format!(
                    "a shorter install tree, whose root has at most {LONGEST_ROOT} characters{padding}"
                )
            }
            _ => "a shorter install tree, or a build with a greater padded_length".to_owned(),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cannot = |files| counted(files, "file cannot be changed", "files cannot be changed");
        match self {
            Obstacle::RootTooLong { length, .. } => write!(
                f,
                "nothing can be installed there: bin/sbang in it would have a path of {length} characters, and \
                 {SHEBANG_LIMIT} are possible"
            ),
            Obstacle::CannotGrow { old, new, files, example } => write!(
                f,
                "made with a path of {old} characters, which would have {new}; {}, such as {example}",
                cannot(*files)
            ),
            Obstacle::CannotShrink { old, new, files, example } => write!(
                f,
                "made with a path of {old} characters, which would have {new}: too little less for a string that ends \
                 with it; {}, such as {example}",
                cannot(*files)
            ),
            Obstacle::NoRoom { longest, new } => write!(
                f,
                "its paths have room for an install tree whose root has at most {longest} characters; yours has {new}"
            ),
            Obstacle::EndsDiffer { old, new } => write!(
                f,
                "made in an install tree whose root has {old} characters; yours has {new}: too little less for a string \
                 that ends with it"
            ),
            Obstacle::NoPatchelf { files } => {
                let files =
                    files.map_or("files".to_owned(), |files| counted(files, "file", "files"));
                write!(f, "the run paths of {files} become longer, which needs patchelf")
            }
            Obstacle::Unclear { files } => {
                let files = counted(*files, "program or library", "programs or libraries");
                write!(f, "{files} could not be looked at in full")
            }
            Obstacle::NoFacts => {
                f.write_str("its binary was not looked into, or could not be read")
            }
            Obstacle::NotInCache => f.write_str("its binary is not in the cache"),
            Obstacle::Dependency { package, hash, obstacle } => {
                let hash =
                    hash.map_or(String::new(), |hash| format!("/{}", &hash.to_string()[..7]));
                write!(f, "needs {package}{hash}: {obstacle}")
            }
            Obstacle::UnknownDependencies => {
                f.write_str("the cache does not say what it is linked with or runs")
            }
        }
    }
}
