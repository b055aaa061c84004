//! Which stacks the specs of both sides are in: what is new because a stack was added is not compared with other stacks.
//!
//! A stack is made for one system and one purpose. So where two sides have stacks in common, a spec only replaces one
//! that shares a stack with it. If two different stacks are compared, they have none in common, and this rule does not
//! apply.
//!
//! A spec in no known stack only replaces one for another operating system if one of the systems came and the other
//! went: a cache that gets builds for one more system replaces nothing with them.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::index::{BuildId, Index};

use super::graph::{Graph, Spec};
use crate::changes::SideStacks;
use crate::differences::likeness::Codebook;

/// Specs that are new because something that they belong to is: a stack, or an operating system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedWith {
    /// The number of specs.
    pub specs: usize,
    /// The names of the new stacks or operating systems, sorted.
    pub names: Vec<String>,
}

/// The stacks of both sides, by their numbers in a book.
pub(super) struct BothStacks {
    of_old: Vec<u32>,
    of_new: Vec<u32>,
    /// The operating systems that both sides have builds for.
    lasting: BTreeSet<u32>,
    /// The operating systems that only the new side has builds for.
    added_systems: BTreeSet<u32>,
}

fn all(stacks: &SideStacks, book: &mut Codebook) -> Vec<u32> {
    let mut all: Vec<u32> =
        stacks.by_place().iter().flatten().map(|name| book.text(name)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Sets the stacks of the specs of this side's graph.
fn state(side: &SideStacks, index: &Index, graph: &mut Graph, book: &mut Codebook) {
    let names: Vec<Option<u32>> =
        side.by_place().iter().map(|name| Some(book.text(name.as_ref()?))).collect();
    let mut by_set: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for spec in &mut graph.specs {
        let set = index.columns().place_set[index.row_of(BuildId(spec.at)).at()];
        let stacks = by_set.entry(set).or_insert_with(|| {
            let places = index.place_sets().get(set).iter();
            let mut stacks: Vec<u32> =
                places.filter_map(|&place| *names.get(place as usize)?).collect();
            stacks.sort_unstable();
            stacks.dedup();
            stacks
        });
        spec.stacks.clone_from(stacks);
    }
}

impl BothStacks {
    /// Sets the stacks of the specs of both sides, if the sides have a stack in common; otherwise returns `None`.
    pub(super) fn state(
        [(old_index, old, old_stacks), (new_index, new, new_stacks)]: [(&Index, &mut Graph, &SideStacks);
            2],
        book: &mut Codebook,
    ) -> Option<BothStacks> {
        let (of_old, of_new) = (all(old_stacks, book), all(new_stacks, book));
        if !of_old.iter().any(|stack| of_new.binary_search(stack).is_ok()) {
            return None;
        }
        state(old_stacks, old_index, old, book);
        state(new_stacks, new_index, new, book);
        let lasting = old_stacks.systems().intersection(new_stacks.systems());
        let lasting = lasting.map(|os| book.text(os)).collect();
        let added = new_stacks.systems().difference(old_stacks.systems());
        let added_systems = added.map(|os| book.text(os)).collect();
        Some(BothStacks { of_old, of_new, lasting, added_systems })
    }

    /// Returns the operating systems that both sides have builds for.
    pub(super) fn lasting(&self) -> &BTreeSet<u32> {
        &self.lasting
    }

    /// Returns the stacks of a spec of the new side if the old side has none of them; empty otherwise.
    pub(super) fn added<'s>(&self, spec: &'s Spec) -> &'s [u32] {
        let is_new = |stack: &u32| {
            self.of_new.binary_search(stack).is_ok() && self.of_old.binary_search(stack).is_err()
        };
        if spec.stacks.iter().all(is_new) { &spec.stacks } else { &[] }
    }

    /// Returns the operating system of a spec of the new side if the old side has no builds for it; empty otherwise.
    pub(super) fn added_system<'s>(&self, spec: &'s Spec) -> &'s [u32] {
        if self.added_systems.contains(&spec.os) { std::slice::from_ref(&spec.os) } else { &[] }
    }
}

/// Returns `true` if their stacks allow two specs to be counterparts. `lasting` are the operating systems that both
/// sides have.
pub(super) fn may_be_counterparts(old: &Spec, new: &Spec, lasting: &BTreeSet<u32>) -> bool {
    if old.stacks.is_empty() || new.stacks.is_empty() {
        return old.os == new.os || ![old.os, new.os].iter().any(|os| lasting.contains(os));
    }
    old.stacks.iter().any(|stack| new.stacks.binary_search(stack).is_ok())
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Hash, Place};
    use cache_index::index::{About, Index, pack};
    use cache_index::sample;

    use crate::causes::{Causes, CausesInWords, Occasion};
    use crate::changes::Side;

    fn build(number: usize, version: &str, os: &str, places: &[(&str, &str)]) -> Build {
        let place = |&(release, stack): &(&str, &str)| Place {
            release: release.to_owned(),
            stack: stack.to_owned(),
        };
        Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            dependencies: Some(Vec::new()),
            places: places.iter().map(place).collect(),
            ..sample::one("hdf5", version)
        }
    }

    fn cache(builds: Vec<Build>) -> Index {
        pack(About::default(), builds).expect("an index")
    }

    #[track_caller]
    fn check(old: &Side<'_>, new: &Side<'_>, causes: &[&str], said: &[&str]) {
        let found = Causes::between_sides(old, new);
        let words: Vec<String> = found.shown().map(|(_, cause)| cause.words()).collect();
        assert_eq!(words, causes);
        let hashes = |side: &Side<'_>| -> Vec<Option<Hash>> {
            side.builds().iter().map(|build| side.index().hash(*build)).collect()
        };
        let before = hashes(old);
        let came = hashes(new).iter().filter(|hash| !before.contains(hash)).count();
        let came = Occasion::Came { builds: came };
        let words = CausesInWords { causes: &found, occasion: came };
        let sentences: Vec<String> = words.added().into_iter().chain(words.rest()).collect();
        assert_eq!(sentences, said);
    }

    const E4S: (&str, &str) = ("v1", "e4s");

    #[test]
    fn compares_no_build_of_a_stack_that_was_added() {
        let in_stack = "1 new build is in a stack that was added: e4s-rhel8";
        let rhel8 = "1 new build is for an OS that was added: rhel8; it is in an added stack, too";
        let of = |release: &'static str, stack: &'static str| [(release, stack)];
        let old = cache(vec![build(1, "1.12", "ubuntu22.04", &[E4S])]);
        let rhel = |number| build(number, "1.12", "rhel8", &of("v2", "e4s-rhel8"));
        let new = cache(vec![
            build(2, "1.14", "ubuntu22.04", &of("v2", "e4s")),
            rhel(3),
            build(4, "1.14", "rhel8", &of("v2", "tools-rhel8")),
        ]);
        check(
            &Side::all(&old),
            &Side::all(&new),
            &["version: 1.12 → 1.14 of hdf5"],
            &[
                "2 new builds are in stacks that were added: e4s-rhel8, tools-rhel8",
                "2 new builds are for an OS that was added: rhel8; all of them are in added stacks, too",
            ],
        );
        // It is like the old one in all but its system.
        let new = cache(vec![rhel(3), build(2, "1.14", "ubuntu22.04", &of("v2", "e4s"))]);
        check(
            &Side::all(&old),
            &Side::all(&new),
            &["version: 1.12 → 1.14 of hdf5"],
            &[in_stack, rhel8],
        );
        // In the same cache, too, where a build that stayed is also in the stack that was added.
        let both = [E4S, ("v2", "e4s"), ("v2", "e4s-rhel8")];
        let one = cache(vec![
            build(1, "1.12", "ubuntu22.04", &[E4S]),
            build(2, "1.10", "ubuntu22.04", &both),
            rhel(3),
        ]);
        let (old, new) = (Side::part(&one, "v1", None), Side::part(&one, "v2", None));
        check(&old, &new, &[], &[in_stack, rhel8]);
        // Everything is in the place of the whole release, so sharing that says nothing.
        let old = cache(vec![build(1, "1.12", "ubuntu22.04", &[E4S, ("v1", "root")])]);
        let new = cache(vec![
            build(2, "1.12", "rhel8", &[("v2", "e4s-rhel8"), ("v2", "root")]),
            build(3, "1.14", "ubuntu22.04", &[("v2", "e4s"), ("v2", "root")]),
        ]);
        check(
            &Side::all(&old),
            &Side::all(&new),
            &["version: 1.12 → 1.14 of hdf5"],
            &[in_stack, rhel8],
        );
        // A new system may be in no stack at all.
        let old = cache(vec![build(1, "1.12", "ubuntu22.04", &[E4S])]);
        let new = cache(vec![
            build(1, "1.12", "ubuntu22.04", &[E4S]),
            build(2, "1.12", "rhel8", &[("v1", "root")]),
        ]);
        check(
            &Side::all(&old),
            &Side::all(&new),
            &[],
            &["1 new build is for an OS that was added: rhel8"],
        );
        let old = cache(vec![build(1, "1.12", "ubuntu22.04", &[E4S, ("v1", "root")])]);
        let new = cache(vec![
            build(2, "1.12", "rhel8", &[("v2", "e4s-rhel8"), ("v2", "root")]),
            build(3, "1.14", "ubuntu22.04", &[("v2", "e4s"), ("v2", "root")]),
        ]);
        // It is the same whether the releases are compared or their places.
        check(
            &Side::part(&old, "v1", Some("root")),
            &Side::part(&new, "v2", Some("root")),
            &["version: 1.12 → 1.14 of hdf5"],
            &[in_stack, rhel8],
        );
    }

    #[test]
    fn compares_what_shares_a_stack_or_has_none() {
        let moved = [("v2", "e4s"), ("v2", "e4s-rhel8")];
        let old = cache(vec![build(1, "1.12", "ubuntu22.04", &[E4S])]);
        let new = cache(vec![build(2, "1.12", "rhel8", &moved)]);
        let os = "OS: ubuntu22.04 → rhel8 of hdf5";
        check(&Side::all(&old), &Side::all(&new), &[os], &[]);
        // Two stacks that are compared, a cache whose stacks have other names, and one without stacks.
        let one = cache(vec![
            build(1, "1.12", "ubuntu22.04", &[E4S]),
            build(2, "1.12", "rhel8", &[("v1", "e4s-rhel8")]),
        ]);
        let stack = |name| Side::part(&one, "v1", Some(name));
        check(&stack("e4s"), &stack("e4s-rhel8"), &[os], &[]);
        let renamed = cache(vec![build(2, "1.12", "rhel8", &[("v1", "mine")])]);
        check(&Side::all(&old), &Side::all(&renamed), &[os], &[]);
        let bare = cache(vec![build(2, "1.12", "rhel8", &[("v1", "")])]);
        check(&Side::all(&old), &Side::all(&bare), &[os], &[]);
    }
}
