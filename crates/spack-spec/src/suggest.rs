//! Did you mean: the known name nearest to what was typed.

/// Nobody means a name by typing a longer word.
const LONGEST: usize = 64;

/// Returns the name that differs by the fewest letters added, omitted, replaced or swapped with a neighbour; `None` if
/// even that is too many to be a typo. Of equally near names, the alphabetically first wins.
///
/// This looks at the length of each name, and at a few letters of the names that could be meant.
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
    let typed: Vec<char> = lower(typed).take(LONGEST + 1).collect();
    if typed.is_empty() || typed.len() > LONGEST {
        return None;
    }
    let mut limit = match typed.len() {
        1..=2 => 0,
        3..=4 => 1,
        5..=9 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        // A character has at most four bytes, so this never skips a near name.
        if name.len() > 4 * (typed.len() + limit) || name.len() + limit < typed.len() {
            continue;
        }
        if let Some(distance) = distance(&typed, name, limit)
            && best.is_none_or(|best| (distance, name) < best)
        {
            best = Some((distance, name));
            limit = distance;
        }
    }
    best.map(|(_, name)| name)
}

/// Lower-cases ASCII only, because names are ASCII.
fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(|character| character.to_ascii_lowercase())
}

/// Returns the number of edits between the two, if it is within the limit.
fn distance(typed: &[char], name: &str, limit: usize) -> Option<usize> {
    let name: Vec<char> = lower(name).collect();
    if name.len().abs_diff(typed.len()) > limit {
        return None;
    }
    // Three rows of the usual table; the row before the last is needed for swapped neighbours.
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=name.len()).collect();
    for (row, letter) in typed.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in name.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut least = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && typed[row - 1] == *other && *letter == name[column - 1] {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        if current.iter().all(|least| *least > limit) {
            return None;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|distance| *distance <= limit)
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
