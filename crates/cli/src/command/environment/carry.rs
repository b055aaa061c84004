//! `--carry`: the files of a mirror that environments are installed from.
//!
//! A lock file says which specs these are. A list of hashes only has those that were asked for; what these need to run is
//! known from the cache. Specs without a hash stand for no builds in particular, so none of their files are listed, and the
//! list says so.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cache_advice::environment::{Coverage, carried_hashes, carry_list, hash_part};
use cache_index::build::Hash;
use cache_index::environment::{CarryList, Environment, Node, Root};
use cache_index::index::{BuildId, EdgeTarget, Index};
use cache_index::number::counted;
use cache_ingest::inputs::WantedBuild;

use crate::inputs::Inputs;
use crate::report::Failure;

/// What several environments are installed from.
pub(super) struct CarriedFiles<'i> {
    index: &'i Index,
    hashes: BTreeSet<Hash>,
    wanted: BTreeSet<WantedBuild>,
    /// What the index says of the files.
    known: CarryList,
    /// The specs whose files are not listed, in words.
    unlisted: Vec<String>,
}

impl<'i> CarriedFiles<'i> {
    pub(super) fn new(index: &'i Index) -> CarriedFiles<'i> {
        CarriedFiles {
            index,
            hashes: BTreeSet::new(),
            wanted: BTreeSet::new(),
            known: CarryList::default(),
            unlisted: Vec::new(),
        }
    }

    /// Adds an environment, which messages call by a name. Returns what is not in the list because of it, in words.
    pub(super) fn add(&mut self, name: &str, environment: &Environment) -> Option<String> {
        let index = self.index;
        let (concrete, without) = concrete(environment, index);
        let has_binary = |build: BuildId| index.has_binary(index.row_of(build));
        let coverage = Coverage::new(index, &concrete, has_binary);
        self.hashes.extend(carried_hashes(&concrete, &coverage));
        self.wanted.extend(wanted([&*concrete]));
        self.known.merge(carry_list(index, &concrete, &coverage));
        let unlisted = (without > 0).then(|| {
            let specs = counted(without, "spec", "specs");
            let said = "only a lock file, or the hash of a build that is in the cache, says what is installed";
            format!("the files of {specs} of {name}: {said}")
        });
        self.unlisted.extend(unlisted.clone());
        unlisted
    }

    /// Lists the files: all of them, if the cache is a single mirror whose files are on this machine, or that can be asked
    /// for them.
    pub(super) fn list(self, inputs: &Inputs) -> Result<CarryList, Failure> {
        let CarriedFiles { hashes, wanted, known, unlisted, .. } = self;
        let is_carried = |build: &WantedBuild| hashes.contains(&build.hash());
        let wanted: Vec<WantedBuild> = wanted.into_iter().filter(is_carried).collect();
        let listed = inputs.carried(&hashes).or_else(|| inputs.carried_from_afar(&wanted));
        let listed = listed.transpose().map_err(|error| Failure::from(error.to_string()))?;
        let mut list = listed.unwrap_or(known);
        list.unknown.extend(unlisted);
        Ok(list)
    }
}

/// Returns the builds of lock files that a mirror may have.
pub(super) fn wanted<'e>(
    environments: impl IntoIterator<Item = &'e Environment>,
) -> Vec<WantedBuild> {
    let nodes = environments.into_iter().flat_map(|environment| &environment.nodes);
    let wanted = nodes.filter(|node| !node.build.external).map(|node| WantedBuild::of(&node.build));
    wanted.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns an environment with concrete specs: its own, or the builds of the index whose hashes it lists, and what they
/// need to run. Also returns the number of its specs that are none of these builds.
fn concrete<'e>(environment: &'e Environment, index: &Index) -> (Cow<'e, Environment>, usize) {
    if environment.is_concrete() {
        return (Cow::Borrowed(environment), 0);
    }
    let hashes: Vec<Hash> = environment.roots.iter().filter_map(|root| root.hash).collect();
    let mut by_hash = index.find_all(&hashes).into_iter();
    let find = |root: &Root| match root.hash {
        Some(_) => by_hash.next().flatten(),
        None => by_beginning(root, index),
    };
    let found: Vec<Option<BuildId>> = environment.roots.iter().map(find).collect();
    let without = found.iter().filter(|build| build.is_none()).count();
    let mut open: Vec<BuildId> = found.iter().flatten().copied().collect();
    let mut needed: BTreeSet<BuildId> = BTreeSet::new();
    while let Some(build) = open.pop() {
        if needed.insert(build) {
            let edges = index.dependencies(build).into_iter().flatten();
            let edges = edges.filter(|edge| edge.is_needed_to_run());
            open.extend(edges.filter_map(|edge| match edge.target {
                EdgeTarget::Build(below) => Some(below),
                EdgeTarget::Unknown { .. } => None,
            }));
        }
    }
    let roots = environment.roots.iter().zip(found).filter_map(|(root, build)| {
        let hash = index.hash(build?)?;
        Some(Root { hash: Some(hash), ..root.clone() })
    });
    let nodes = needed.into_iter().filter_map(|build| index.build(build));
    let nodes = nodes.map(|build| Node { spliced_from: build.spliced_from, build });
    let concrete =
        Environment { roots: roots.collect(), nodes: nodes.collect(), ..Environment::default() };
    (Cow::Owned(concrete), without)
}

/// Returns the only build whose hash begins as a spec says: `zlib/y4ovklt`. A hash may also be that of a dependency.
fn by_beginning(root: &Root, index: &Index) -> Option<BuildId> {
    let part = hash_part(root).filter(|_| !root.spec.contains(['^', '%']))?;
    match index.find_prefix(part, 2)[..] {
        [build] => Some(build),
        _ => None,
    }
}
