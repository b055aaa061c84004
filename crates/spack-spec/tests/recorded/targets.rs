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

#[test]
fn has_the_microarchitectures_of_archspec() {
    let mut count = 0;
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "target") {
        let target = Target::named(fields[1]).unwrap();
        assert_eq!(target.family().name(), fields[2], "line {line}");
        let parents: Vec<_> = target.parents().map(Target::name).collect();
        assert_eq!(parents, listed(fields[3]), "line {line}");
        assert_eq!(sorted(target.ancestors()), listed(fields[4]), "line {line}");
        assert_eq!(target.features(), listed(fields[5]), "line {line}");
        count += 1;
    }
    assert_eq!(count, Target::all().count());
}

#[test]
fn finds_the_targets_of_a_range_as_spack_does() {
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "range") {
        let range = TargetConstraint::new(fields[1]);
        let found = sorted(Target::all().filter(|t| range.matches(t.name(), Dialect::V1)));
        assert_eq!(found, listed(fields[2]), "line {line}: {range}");
    }
}
