//! Where the page shows two things side by side: versions, packages, stacks, releases.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Across, Change, Query, Tab, apply};

use super::Elsewhere;
use crate::changes::{Between, Part};

/// Returns the builds of a package, of the versions that are named: any of them can be compared there.
pub(super) fn to_compare(index: &Index, base: &Query, package: &str, words: &[&str]) -> Elsewhere {
    let mut query = apply(base, Change::Only(Facet::Package, package.to_owned()));
    let versions =
        words.iter().filter(|word| index.dictionary(Facet::Version).code(word).is_some());
    for version in versions {
        query = apply(&query, Change::Include(Facet::Version, (*version).to_owned()));
    }
    Elsewhere::at(format!("the builds of {package}, and choose those to compare"), query)
}

/// Returns the builds of two packages: nothing here compares packages themselves.
pub(super) fn side_by_side(base: &Query, one: &str, other: &str) -> Elsewhere {
    let query = apply(base, Change::Only(Facet::Package, one.to_owned()));
    let query = apply(&query, Change::Include(Facet::Package, other.to_owned()));
    Elsewhere::at(format!("{one} and {other}, one below the other"), query)
}

/// Returns the versions of a package in each stack.
pub(super) fn in_each_stack(base: &Query, package: &str) -> Elsewhere {
    let query = across_stacks(base, package);
    Elsewhere::at(format!("the versions of {package} in each stack"), query)
}

/// Returns the query for the versions of a package, a column for each stack.
pub(super) fn across_stacks(base: &Query, package: &str) -> Query {
    let mut query = apply(base, Change::Only(Facet::Package, package.to_owned()));
    query = apply(&query, Change::Tab(Tab::Coverage));
    apply(&query, Change::Across(Across::Stack))
}

/// Returns the comparison of two named releases, or of one named release with the newest other one; of a stack in both,
/// if one is named. `None` for any other number of releases, or for more than one stack.
pub(super) fn between(index: &Index, releases: &[&str], stacks: &[&str]) -> Option<Between> {
    let stack = match stacks {
        [] => None,
        [stack] => Some((*stack).to_owned()),
        _ => return None,
    };
    let latest = Between::latest(index)?;
    let (old, new) = match *releases {
        [one] if one == latest.new.release => (latest.old.release, latest.new.release),
        [one] => (one.to_owned(), latest.new.release),
        [one, other] if one == latest.new.release => (other.to_owned(), one.to_owned()),
        [one, other] => (one.to_owned(), other.to_owned()),
        _ => return None,
    };
    let part = |release| Part { release, stack: stack.clone() };
    Some(Between { old: part(old), new: part(new) })
}
