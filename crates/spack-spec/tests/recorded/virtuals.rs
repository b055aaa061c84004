//! Which names are virtual packages.

use spack_spec::is_virtual;

use crate::cases;

const DATA: &str = include_str!("../data/virtuals.txt");

#[test]
fn knows_the_virtual_packages_of_spack() {
    for (line, fields) in cases(DATA) {
        assert_eq!(is_virtual(fields[1]), fields[0] == "virtual", "line {line}: {}", fields[1]);
    }
}
