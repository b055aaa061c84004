//! Lines about builds that Spack prints, pasted into the search: `lk4h7eu gromacs@2024.3`, as in the output of
//! `spack find -l` and `spack spec -Il`. Everything in them that is not a hash or a spec is overwritten by spaces, so that
//! positions stay the same.

use std::borrow::Cow;
use std::ops::Range;

use cache_index::index::Index;

use super::{Understood, words};
use crate::search::names::build_in;
use crate::search::{is_hash_part, is_package};

/// The marks before a spec that show whether it is installed.
const MARKS: [&str; 6] = ["[+]", "[^]", "[e]", "[b]", "[-]", "-"];

/// The lengths of the hashes that Spack prints: short and complete.
const LENGTHS: [usize; 2] = [7, 32];

/// The least number of dashes that end a heading: `-- linux-rocky9-zen3 / gcc@13.2.0 ------`.
const FEWEST_DASHES: usize = 3;

/// What precedes the name of a package in messages of Spack and of Python.
const BEFORE_NAMES: [&str; 2] = ["Failed to install ", "No module named "];

/// Finds the package that a message names: `==> Error: Failed to install zlib due to …`, `No module named 'h5py'`.
fn named_in_message(text: &str) -> Option<Range<usize>> {
    let before = BEFORE_NAMES.iter().find_map(|before| Some(text.find(before)? + before.len()))?;
    let rest = text[before..].trim_start_matches(['\'', '"', ' ']);
    let start = text.len() - rest.len();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name = rest.split(|c| !is_of_name(c)).next().filter(|name| !name.is_empty())?;
    Some(start..start + name.len())
}

/// Returns a text in which each build that its lines name is reduced to its hash, if builds here have such hashes, and
/// without what Spack prints around specs.
pub(in crate::search) fn without_output<'t>(
    index: &Index,
    text: &'t str,
) -> (Cow<'t, str>, Vec<Understood>) {
    if let Some(name) = named_in_message(text) {
        let (before, after) = (&text[..name.start], &text[name.end..]);
        let around = [before.trim_end_matches(['\'', '"', ' ']), after.trim()];
        let says = |part: &&str| part.contains(|c: char| c.is_alphanumeric());
        let around = around.into_iter().map(str::trim).filter(says);
        let plain = [&" ".repeat(before.len()), &text[name], &" ".repeat(after.len())].concat();
        return (Cow::Owned(plain), around.map(Understood::left_out).collect());
    }
    let spans: Vec<Range<usize>> = words(text).collect();
    let word = |at: usize| spans.get(at).map_or("", |span| &text[span.clone()]);
    let has_version = |at: usize| word(at).contains('@');
    let is_build = |at: usize| {
        is_printed_hash(index, word(at))
            && has_version(at + 1)
            && text[spans[at].end..spans[at + 1].start].is_ascii()
    };
    // The build is from another cache, or was replaced.
    let is_gone = |at: usize| is_unknown_hash(index, word(at)) && has_version(at + 1);
    let begins_spec = |at: usize| is_build(at) || is_gone(at) || has_version(at);
    let is_mark = |at: usize| MARKS.contains(&word(at)) && begins_spec(at + 1);
    let is_heading = |at: usize| word(at) == "--" || word(at) == "==>";
    let ends =
        |at: &usize| word(*at).len() >= FEWEST_DASHES && word(*at).bytes().all(|byte| byte == b'-');
    let last_end = (0..spans.len()).rev().find(ends);
    let mut plain = text.to_owned();
    let mut blank =
        |range: Range<usize>| plain.replace_range(range.clone(), &" ".repeat(range.len()));
    let mut read = Vec::new();
    let mut hashes = Vec::new();
    let mut specs: Vec<(Range<usize>, String)> = Vec::new();
    let mut is_of_build = false;
    let mut at = 0;
    while at < spans.len() {
        if is_heading(at) {
            let begins = |at: &usize| is_build(*at) || has_version(*at) || word(*at) == "--";
            let all = at + 1..spans.len();
            let end = match word(at) {
                // If there is no end, the text is not searched for one at each `--`.
                "--" if last_end.is_none_or(|last| last <= at) => None,
                "--" => all.clone().find(ends).map(|last| last + 1),
                _ => Some(all.clone().find(begins).unwrap_or(spans.len())),
            };
            if let Some(end) = end {
                let heading = spans[at].start..spans[end - 1].end;
                let named = (at + 1..end).find_map(|at| Some((at, build_in(index, word(at))?)));
                // `==> Installing hdf5-1.14.5-… [3/12]`.
                if let Some((named, spec)) = named {
                    let (before, name) = (heading.start..spans[named].start, word(named));
                    read.push(Understood::left_out(text[before].trim()));
                    let kind = if spec.starts_with('/') { "hash" } else { "spec" };
                    read.push(Understood { piece: name.to_owned(), kind, text: spec.clone() });
                    blank(heading);
                    specs.push((spans[named].clone(), spec));
                    (is_of_build, at) = (false, end);
                    continue;
                }
                read.push(Understood::left_out(&text[heading.clone()]));
                blank(heading);
                (is_of_build, at) = (false, end);
                continue;
            }
        }
        if is_build(at) {
            let (hash, spec) = (word(at), word(at + 1));
            is_of_build = true;
            let text = format!("/{hash}");
            hashes.push((spans[at].clone(), text.clone()));
            read.push(Understood { piece: format!("{hash} {spec}"), kind: "hash", text });
        } else if is_mark(at) || is_gone(at) {
            read.push(Understood::left_out(word(at)));
            blank(spans[at].clone());
            is_of_build = false;
        } else if is_of_build {
            blank(spans[at].clone());
        }
        at += 1;
    }
    for (span, spec) in specs.into_iter().filter(|(span, spec)| spec.len() <= span.len()) {
        plain.replace_range(span.start..span.start + spec.len(), &spec);
    }
    // At least one space follows each hash; the slash takes its place.
    for (span, hash) in hashes {
        plain.replace_range(span.start..span.end + 1, &hash);
    }
    if read.is_empty() { (Cow::Borrowed(text), read) } else { (Cow::Owned(plain), read) }
}

/// Returns `true` for a hash as Spack prints it that no build here has.
fn is_unknown_hash(index: &Index, word: &str) -> bool {
    LENGTHS.contains(&word.len())
        && is_hash_part(word)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && !is_package(index, word)
        && index.has_hashes()
        && index.find_prefix(word, 1).is_empty()
}

/// Returns `true` for a hash as Spack prints it. If the hashes have been loaded, a build must have it.
fn is_printed_hash(index: &Index, word: &str) -> bool {
    let has_digit = || word.bytes().any(|byte| byte.is_ascii_digit());
    LENGTHS.contains(&word.len())
        && is_hash_part(word)
        && !is_package(index, word)
        && match index.has_hashes() {
            true => !index.find_prefix(word, 1).is_empty(),
            false => has_digit(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;
    use crate::search::tests::index;

    #[test]
    fn takes_builds_from_what_spack_prints() {
        let index = index();
        let build = index.builds_with_binary().next().expect("a build");
        let hash = index.hash(build).expect("its hash").to_string();
        let short = &hash[..7];
        let check = |text: &str, expected: &str| {
            let (plain, _) = without_output(&index, text);
            assert_eq!(plain.len(), text.len(), "{text}");
            assert_eq!(plain.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
            assert_eq!(Search::read(&index, text).problems, [], "{text}");
        };
        let of_build = format!("/{short}");
        check(&format!("{short} hdf5@1.14.5"), &of_build);
        check(
            &format!("[+]  {short}  hdf5@1.14.5+mpi build_system=cmake %c,cxx=gcc@13.2.0"),
            &of_build,
        );
        check(
            &format!(
                "-- linux-rhel8-x86_64_v3 / gcc@13.2.0 -----\n{hash} hdf5@1.14.5\n==> 1 installed package"
            ),
            &format!("/{hash}"),
        );
        check(
            "==> 1 installed package\n-- linux-rhel8-zen3 / no compilers ---\nhdf5@1.14.5",
            "hdf5@1.14.5",
        );
        check("[+] hdf5@1.14.5", "hdf5@1.14.5");
        // If the build is not here, its spec is searched for.
        check("-   2222222  hdf5@1.14.5+mpi", "hdf5@1.14.5+mpi");
        check(&format!("==> Installing hdf5-1.14.5-{hash} [3/12]"), &format!("/{hash}"));
        let gone = "2".repeat(32);
        check(
            &format!("==> No binary for hdf5-1.14.5-{gone} found: installing from source"),
            &format!("hdf5@1.14.5/{gone}"),
        );
        check("==> Error: Failed to install hdf5 due to InstallError: No binary found", "hdf5");
        check("ModuleNotFoundError: No module named 'hdf5'", "hdf5");
        for same in
            ["hdf5 @1.14.5", "hdf5", "hdf5 +mpi", "version hdf5@1.14.5", "hdf5 ^ hdf5@1.14.5"]
        {
            check(same, same);
        }
    }
}
