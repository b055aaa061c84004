//! Did you mean: the known name nearest to what was typed.

/// The longest word that can be a mistyped name.
const LONGEST: usize = 64;

/// Returns the name that differs by the fewest letters added, omitted, replaced or swapped with a neighbour; `None` if
/// even that is too many to be a typo. Of equally near names, the alphabetically first wins.
///
/// Only names of a similar length are compared letter by letter.
///
/// ```
/// use spack_spec::nearest;
///
/// let known = ["py-torch", "py-tornado", "hdf5"];
/// assert_eq!(nearest("py-tourch", known), Some("py-torch"));
/// assert_eq!(nearest("hfd5", known), Some("hdf5"));
/// assert_eq!(nearest("openmpi", known), None);
/// ```
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = typed.chars().count();
    if typed.is_empty() || length > LONGEST {
        return None;
    }
    let mut limit = match length {
        1..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    let typed = typed.to_ascii_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        if name.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = strsim::osa_distance(&typed, &name.to_ascii_lowercase());
        if distance <= limit && best.is_none_or(|best| (distance, name) < best) {
            best = Some((distance, name));
            limit = distance;
        }
    }
    best.map(|(_, name)| name)
}

/// Returns `true` if two names differ by at most one letter added, omitted, replaced or swapped with a neighbour.
///
/// ```
/// use spack_spec::is_one_slip;
///
/// assert!(is_one_slip("pytroch", "pytorch"));
/// assert!(!is_one_slip("pytroch", "pyrich"));
/// ```
pub fn is_one_slip(typed: &str, meant: &str) -> bool {
    let may_be = [typed, meant].iter().all(|name| name.len() <= LONGEST);
    may_be && strsim::osa_distance(typed, meant) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: Option<&str>) {
        let known = ["zlib", "zlib-ng", "hdf5", "openmpi", "py-numpy", "py-numba", "a"];
        assert_eq!(nearest(typed, known), expected);
    }

    #[test]
    fn forgives_more_slips_in_longer_names() {
        check("zlbi", Some("zlib"));
        check("HDF5", Some("hdf5"));
        check("opnempi", Some("openmpi"));
        check("py-numpi", Some("py-numpy"));
        check("b", None);
        check("", None);
        check("netcdf", None);
        check(&"x".repeat(100_000), None);
    }
}
