//! The table of microarchitectures, and the targets in a range.

use spack_spec::{Dialect, Target, TargetConstraint};

use crate::cases;

const DATA: &str = include_str!("../data/targets.txt");

fn listed(field: &str) -> Vec<&str> {
    field.split(',').filter(|name| *name != "-").collect()
}

fn sorted(targets: impl Iterator<Item = Target>) -> Vec<&'static str> {
    let mut names: Vec<_> = targets.map(Target::name).collect();
    names.sort_unstable();
    names
}

/// Targets that archspec has, but not the version of Spack that recorded the answers.
const LATER: [&str; 3] = ["ampere1", "ampere1a", "x60"];

#[test]
fn has_the_microarchitectures_of_spack() {
    let mut count = LATER.len();
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "target") {
        let target = Target::named(fields[1]).unwrap();
        assert_eq!(target.family().name(), fields[2], "line {line}");
        let parents: Vec<_> = target.parents().map(Target::name).collect();
        assert_eq!(parents, listed(fields[3]), "line {line}");
        assert_eq!(sorted(target.ancestors()), listed(fields[4]), "line {line}");
        // Later versions of archspec do not list this feature for zen5.
        let features: Vec<_> =
            listed(fields[5]).into_iter().filter(|name| *name != "ibrs_enhanced").collect();
        assert_eq!(target.features(), features, "line {line}");
        count += 1;
    }
    assert_eq!(count, Target::all().count());
}

#[test]
fn finds_the_targets_of_a_range_as_spack_does() {
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "range") {
        let range = TargetConstraint::new(fields[1]);
        let found = sorted(Target::all().filter(|target| {
            range.matches(target.name(), Dialect::V1) && !LATER.contains(&target.name())
        }));
        assert_eq!(found, listed(fields[2]), "line {line}: {range}");
    }
}
