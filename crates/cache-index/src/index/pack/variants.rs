//! The variants of builds, and which of them are lists.
//!
//! Spack knows from the recipe whether `precision=double` is a single value or a list that happens to have one value.
//! Two recipes may differ in that, so it is part of a set of variants. A cache page does not show it: there, a value
//! belongs to a list if any build of the same package has a list.

use foldhash::{HashMap, HashSet};

use super::intern::{Interner, sort_sets, sort_values};
use crate::build::{Variant, VariantValue};
use crate::index::Sets;

/// A variant's value in a set, and what is known about the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Member {
    code: u32,
    is: Is,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Is {
    /// A boolean variant, or one with a single value.
    Single,
    /// One of a list.
    OfList,
    /// Unknown: a page shows only the value.
    Unknown,
}

/// The lists of variants of builds as they arrive, from pages and from sources that say more. Few lists are new, so
/// what they consist of is not looked at before [`finish`](Lists::finish).
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: [Interner<Vec<Variant>>; 2],
}

/// The variant sets of builds.
#[derive(Debug, Default)]
pub(super) struct Variants {
    sets: Interner<Vec<Member>>,
    /// By list: its set.
    set_of_list: [Vec<u32>; 2],
}

/// The variant sets of an index.
pub(super) struct VariantSets {
    pub(super) sets: Sets,
    /// By code: `true` if it belongs to a list in any set.
    pub(super) multi_valued: Vec<bool>,
    /// Sets and codes that are multi-valued in other sets but not in this one; sorted.
    pub(super) single_valued: Vec<(u32, u32)>,
}

impl Lists {
    /// Returns the code of a list of variants.
    pub(super) fn code(&mut self, variants: &[Variant], is_from_page: bool) -> u32 {
        self.lists[usize::from(is_from_page)].code(variants) << 1 | u32::from(is_from_page)
    }

    /// Returns the list with a code.
    pub(super) fn list(&self, code: u32) -> &[Variant] {
        self.lists[(code & 1) as usize].value(code >> 1)
    }

    /// Converts the lists to sets of codes of the facet's values.
    pub(super) fn finish(self, values: &mut Interner<String>) -> Variants {
        let mut sets = Interner::default();
        let mut is_from_page = false;
        let set_of_list = self.lists.map(|lists| {
            let lists = lists.into_values();
            let of_list =
                |list: &Vec<Variant>| sets.code(set(list, is_from_page, values).as_slice());
            let of_lists = lists.iter().map(of_list).collect();
            is_from_page = true;
            of_lists
        });
        Variants { sets, set_of_list }
    }
}

fn set(variants: &[Variant], is_from_page: bool, values: &mut Interner<String>) -> Vec<Member> {
    let mut set = Vec::with_capacity(variants.len());
    for variant in variants {
        let mut add = |text: &str, is| set.push(Member { code: values.code(text), is });
        match &variant.value {
            VariantValue::Multi(list) => {
                for value in list {
                    add(&format!("{}={value}", variant.name), Is::OfList);
                }
            }
            VariantValue::Single(_) if is_from_page => add(&variant.to_string(), Is::Unknown),
            _ => add(&variant.to_string(), Is::Single),
        }
    }
    set.sort_unstable();
    set.dedup();
    set
}

impl Variants {
    /// Returns the set of a list, for [`finish`](Variants::finish).
    pub(super) fn set_of(&self, list: u32) -> u32 {
        self.set_of_list[(list & 1) as usize][(list >> 1) as usize]
    }

    /// Sorts the sets, and gives each build its own. `builds` has the package and the set of each, `new_code` the new
    /// code of each value in the facet's dictionary.
    pub(super) fn finish(self, builds: &mut [(u32, u32)], new_code: &[u32]) -> VariantSets {
        let sets = self.sets.into_values();
        let used: HashSet<(u32, u32)> = builds.iter().copied().collect();
        let of_lists: HashSet<(u32, u32)> = used
            .iter()
            .flat_map(|&(package, set)| sets[set as usize].iter().map(move |m| (package, m)))
            .filter(|(_, member)| member.is == Is::OfList)
            .map(|(package, member)| (package, member.code))
            .collect();

        // With everything unknown decided, as codes of the dictionary: all members of a set, and those that belong to
        // lists.
        let resolved = |package: u32, set: u32| {
            let mut all = Vec::new();
            let mut of_list = Vec::new();
            for member in &sets[set as usize] {
                let code = new_code[member.code as usize];
                all.push(code);
                let is_of_list = match member.is {
                    Is::Single => false,
                    Is::OfList => true,
                    Is::Unknown => of_lists.contains(&(package, member.code)),
                };
                if is_of_list {
                    of_list.push(code);
                }
            }
            for codes in [&mut all, &mut of_list] {
                codes.sort_unstable();
                codes.dedup();
            }
            (all, of_list)
        };
        let mut resolved_sets: Interner<(Vec<u32>, Vec<u32>)> = Interner::default();
        let new_set: HashMap<(u32, u32), u32> = used
            .into_iter()
            .map(|(package, set)| ((package, set), resolved_sets.code(&resolved(package, set))))
            .collect();
        // Sets may agree in all their values; this makes their order definite.
        let (resolved_sets, sorted) = sort_values(resolved_sets.into_values());
        for (package, set) in builds.iter_mut() {
            *set = sorted[new_set[&(*package, *set)] as usize];
        }
        let unchanged: Vec<u32> = (0..new_code.len() as u32).collect();
        let all = resolved_sets.iter().map(|(all, _)| all.clone()).collect();
        let (sets, place) = sort_sets(all, &unchanged, builds.iter().copied());
        for (_, set) in builds.iter_mut() {
            *set = place[*set as usize];
        }

        let mut multi_valued = vec![false; new_code.len()];
        for &code in resolved_sets.iter().flat_map(|(_, of_list)| of_list) {
            multi_valued[code as usize] = true;
        }
        let mut single_valued = Vec::new();
        for ((all, of_list), &place) in resolved_sets.iter().zip(&place) {
            let single = |code: &&u32| multi_valued[**code as usize] && !of_list.contains(code);
            single_valued.extend(all.iter().filter(single).map(|&code| (place, code)));
        }
        single_valued.sort_unstable();
        VariantSets { sets, multi_valued, single_valued }
    }
}
