//! The order of versions, the versions in a range, and how ranges print.

use spack_spec::{Version, VersionConstraint};

use crate::cases;

const DATA: &str = include_str!("../data/versions.txt");

#[test]
fn sorts_versions_as_spack_does() {
    let groups: Vec<(usize, Vec<Version>)> = cases(DATA)
        .filter(|(_, fields)| fields[0] == "order")
        .map(|(line, fields)| {
            (line, fields[1..].iter().map(|text| text.parse().unwrap()).collect())
        })
        .collect();
    assert!(groups.len() > 400);
    for (index, (line, group)) in groups.iter().enumerate() {
        for version in group {
            assert!(group.iter().all(|other| other == version), "line {line}: {version}");
            for (later, above) in &groups[index + 1..] {
                assert!(
                    above
                        .iter()
                        .all(|higher| version.cmp(higher).is_lt() && higher.cmp(version).is_gt()),
                    "line {line} against line {later}: {version}"
                );
            }
        }
    }
}

#[test]
fn rejects_the_versions_that_spack_rejects() {
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "rejected") {
        assert!(fields[1].parse::<Version>().is_err(), "line {line}");
    }
}

#[test]
fn finds_versions_in_ranges_as_spack_does() {
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "satisfies") {
        let version: Version = fields[1].parse().unwrap();
        let answer = match fields[2].parse::<VersionConstraint>() {
            Ok(range) if range.matches(&version) => "yes",
            Ok(_) => "no",
            Err(_) => "error",
        };
        assert_eq!(answer, fields[3], "line {line}: {} in {}", fields[1], fields[2]);
    }
}

#[test]
fn prints_ranges_as_spack_does() {
    for (line, fields) in cases(DATA).filter(|(_, fields)| fields[0] == "prints") {
        let printed = match fields[1].parse::<VersionConstraint>() {
            Ok(range) => range.to_string(),
            Err(_) => "error".to_owned(),
        };
        assert_eq!(printed, fields[2], "line {line}");
    }
}
