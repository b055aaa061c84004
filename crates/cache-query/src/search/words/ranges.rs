//! Ranges of versions in words, which are put into Spack's syntax before anything else is read: `1.12 to 1.14` is
//! `1.12:1.14`.

use std::borrow::Cow;
use std::ops::Range;

use spack_spec::{Version, VersionConstraint};

use super::phrases::{above, below};
use super::words;

/// Words after *or* that leave a range open.
pub(super) const NEWER: [&str; 5] = ["newer", "later", "above", "higher", "greater"];
pub(super) const OLDER: [&str; 5] = ["older", "earlier", "below", "lower", "less"];

/// Words between the ends of a range.
const TO: [&str; 6] = ["to", "through", "until", "till", "-", "–"];

/// Returns a text with Spack's ranges in place of `1.12 to 1.14`, `between 1.12 and 1.14`, `>= 1.14`, `1.14.x` and
/// `1.12 or 1.14`, each at the same length.
pub(in crate::search) fn with_ranges(text: Cow<'_, str>) -> Cow<'_, str> {
    let without_mark = |span: Range<usize>| {
        span.start..span.start + text[span.clone()].trim_end_matches(['?', '!']).len()
    };
    let spans: Vec<Range<usize>> = words(&text).map(without_mark).collect();
    let word = |at: usize| spans.get(at).map_or("", |span| &text[span.clone()]);
    let is = |at: usize, list: &[&str]| list.iter().any(|one| word(at).eq_ignore_ascii_case(one));
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    while at < spans.len() {
        let is_between = is(at, &["between"]) && is(at + 2, &["and"]);
        let is_from = is(at, &["from"]) && is(at + 2, &TO);
        let first = if is_between || is_from { at + 1 } else { at };
        let is_range = is_between || is(first + 1, &TO);
        // `llvm@18 to 20`.
        let named = word(first).split_once('@').map(|(name, version)| (name, is_version(version)));
        if let (true, Some((name, true))) = (is_range, named)
            && is_version(word(first + 2))
            && is_name(name)
        {
            changes.push((
                spans[first].start..spans[first + 2].end,
                format!("{}:{}", word(first), word(first + 2)),
            ));
            at = first + 3;
            continue;
        }
        // `python@3.12 or newer`.
        let is_open = is(at + 1, &["or", "and"]) && is(at + 2, &[NEWER, OLDER].concat());
        if let (true, Some((name, version))) = (is_open, word(at).split_once('@'))
            && is_version(version)
            && is_name(name)
        {
            let range = match is(at + 2, &NEWER) {
                true => format!("{name}@{version}:"),
                false => format!("{name}@:{version}"),
            };
            changes.push((spans[at].start..spans[at + 2].end, range));
            at += 3;
            continue;
        }
        // `boost>=1.85`.
        let attached =
            [(">=", "", ":"), ("<=", ":", "")].into_iter().find_map(|(sign, before, after)| {
                let (name, version) = word(at).split_once(sign)?;
                (is_name(name) && is_version(version))
                    .then(|| format!("{name}@{before}{version}{after}"))
            });
        if let Some(range) = attached {
            changes.push((spans[at].clone(), range));
            at += 1;
            continue;
        }
        if is_range && is_version(word(first)) && is_version(word(first + 2)) {
            let range = format!("{}:{}", word(first), word(first + 2));
            changes.push((spans[at].start..spans[first + 2].end, range));
            at = first + 3;
            continue;
        }
        // `+cuda or +rocm` is read like words.
        if is(at + 1, &["or"]) && (is_switch(word(at)) || is_switch(word(at + 2))) {
            for place in [at, at + 2].into_iter().filter(|place| is_switch(word(*place))) {
                changes.push((spans[place].clone(), format!(" {}", &word(place)[1..])));
            }
            at += 3;
            continue;
        }
        // `gcc 12 or gcc 13`.
        let is_same = is_name(word(at)) && word(at).eq_ignore_ascii_case(word(at + 3));
        if is_same && is(at + 2, &["or"]) && [at + 1, at + 4].iter().all(|at| is_version(word(*at)))
        {
            let both = format!("{},{}", word(at + 1), word(at + 4));
            changes.push((spans[at + 1].start..spans[at + 4].end, both));
            at += 5;
            continue;
        }
        // `1.12 or 1.14`, `hdf5@1.12 or 1.14`, `hdf5@1.12 or hdf5@1.14`.
        let name = word(at).split_once('@').map(|(name, _)| name).filter(|name| is_name(name));
        let version = |place: usize| {
            let after = |name| word(place).strip_prefix(name)?.strip_prefix('@');
            name.and_then(after).unwrap_or(word(place))
        };
        let mut last = at;
        while is_version(version(last)) && is(last + 1, &["or"]) && is_version(version(last + 2)) {
            last += 2;
        }
        if last > at {
            let list: Vec<&str> = (at..=last).step_by(2).map(version).collect();
            let before = name.map_or(String::new(), |name| format!("{name}@"));
            changes.push((spans[at].start..spans[last].end, before + &list.join(",")));
            at = last + 1;
            continue;
        }
        // `not older than 1.14`.
        if is(at, &["not", "no"]) && is(at + 2, &["than"]) && is_version(word(at + 3)) {
            let range = match (is(at + 1, &OLDER), is(at + 1, &NEWER)) {
                (true, _) => Some(format!("{}:", word(at + 3))),
                (_, true) => Some(format!(":{}", word(at + 3))),
                _ => None,
            };
            if let Some(range) = range {
                changes.push((spans[at].start..spans[at + 3].end, range));
                at += 4;
                continue;
            }
        }
        let number = word(at + 1);
        let signed = match word(at) {
            ">=" | "=>" => Some(format!("{number}:")),
            "<=" | "=<" => Some(format!(":{number}")),
            ">" => Some(above(number)),
            "<" => Some(below(number)),
            _ => None,
        };
        if let Some(range) = signed.filter(|_| at > 0 && is_version(number)) {
            changes.push((spans[at].start..spans[at + 1].end, range));
            at += 2;
            continue;
        }
        // `1.14.x`, `1.14.*`, `1.14+`.
        let series =
            [".x", ".*"].iter().find_map(|end| word(at).strip_suffix(end)).map(str::to_owned);
        let open = || word(at).strip_suffix('+').map(|version| format!("{version}:"));
        let is_of_version = |range: &String| is_version(range.trim_end_matches(':'));
        if let Some(range) = series.or_else(open).filter(is_of_version) {
            changes.push((spans[at].clone(), range));
        }
        at += 1;
    }
    if changes.is_empty() {
        return text;
    }
    let mut plain = text.to_string();
    for (span, range) in changes {
        plain.replace_range(span.clone(), &format!("{range:0$}", span.len()));
    }
    Cow::Owned(plain)
}

/// Returns `true` for a text that may be the name of a package.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Returns versions as one constraint: any of them, or what a range without an end and one without a beginning have in
/// common.
pub(super) fn joined(versions: &[&str]) -> String {
    let (low, high) = match *versions {
        [one, other] if one.ends_with(':') => (one, other),
        [one, other] => (other, one),
        _ => return versions.join(","),
    };
    let ends = low.strip_suffix(':').zip(high.strip_prefix(':'));
    // `3.28:3` is a range, because its end includes its beginning.
    let is_range = |(low, high): &(&str, &str)| {
        let up_to = format!(":{high}").parse::<VersionConstraint>().ok();
        low.parse::<Version>().ok().zip(up_to).is_some_and(|(low, up_to)| up_to.matches(&low))
    };
    match ends.filter(is_range) {
        Some((low, high)) => format!("{low}:{high}"),
        None => versions.join(","),
    }
}

/// Returns `true` for a range of versions that are numbers, `1.12:1.14`, with one end or both, and for a list, `1.12,1.14`.
pub(super) fn is_range(word: &str) -> bool {
    word.len() > 1
        && match word.split_once(':') {
            Some(ends) => [ends.0, ends.1].iter().all(|end| end.is_empty() || is_version(end)),
            None => word.contains(',') && word.split(',').all(is_version),
        }
}

/// Returns `true` for a variant that is switched on: `+cuda`.
fn is_switch(word: &str) -> bool {
    word.strip_prefix('+').is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Returns `true` for numbers with dots between them.
pub(super) fn is_version(word: &str) -> bool {
    word.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_the_ends_of_a_range() {
        let check = |versions: &[&str], expected: &str| assert_eq!(joined(versions), expected);
        check(&["3.28:", ":3"], "3.28:3");
        check(&[":3", "3.28:"], "3.28:3");
        check(&["5:", ":3"], "5:,:3");
        check(&["1.12", "1.14:"], "1.12,1.14:");
        check(&["1.12"], "1.12");
    }

    #[test]
    fn puts_ranges_in_words_into_spacks_syntax() {
        let check = |text: &str, expected: &str| {
            assert_eq!(with_ranges(Cow::Borrowed(text)), expected);
        };
        check("hdf5 1.12 to 1.14 mpi", "hdf5 1.12:1.14    mpi");
        check("hdf5 between 1.12 and 1.14", "hdf5 1.12:1.14            ");
        check("from 3.11 until 3.12 python", "3.11:3.12            python");
        check("cmake 3.26 – 3.31", "cmake 3.26:3.31    ");
        check("hdf5 1.14.x", "hdf5 1.14  ");
        check("hdf5 1.14+", "hdf5 1.14:");
        check("hdf5 1.14.*", "hdf5 1.14  ");
        check("hdf5 not older than 1.14", "hdf5 1.14:              ");
        check("hdf5 no newer than 1.14 mpi", "hdf5 :1.14              mpi");
        check("is there a python <= 3.12?", "is there a python :3.12  ?");
        check("hdf5 1.10 or 1.12 or 1.14 mpi", "hdf5 1.10,1.12,1.14       mpi");
        check("hdf5@1.12 or 1.14 mpi", "hdf5@1.12,1.14    mpi");
        check("hdf5@1.12 or hdf5@1.14", "hdf5@1.12,1.14        ");
        check("hdf5@1.12 or zlib@1.3", "hdf5@1.12 or zlib@1.3");
        check("hdf5 1.12 or newer", "hdf5 1.12 or newer");
        check("built with gcc 12 or gcc 13", "built with gcc 12,13       ");
        check("python >= 3.12", "python 3.12:  ");
        check("gromacs < 2024 mpi", "gromacs :2023  mpi");
        check("hdf5 > 1.14.4", "hdf5 1.14.5: ");
        check("hypre +cuda or +rocm", "hypre  cuda or  rocm");
        for same in
            ["hdf5 1.12 and 1.14", "hdf5@1.14.x", "from develop to v1", "1.12 to", "x.x", ".x"]
        {
            check(same, same);
        }
    }
}
