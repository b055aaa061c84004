//! What Spack prints about specs for people, and lists of hashes.
//!
//! ```text
//! ==> 3 installed packages
//! -- linux-amzn2-icelake / %c,cxx=gcc@12.4.0 ----------------------
//! y4ovklt zlib-ng@2.3.2+compat
//! wmafzah     compiler-wrapper@1.0
//! [e]  q5byyxm      ^glibc@2.26 build_system=autotools
//! [+] /opt/spack/linux-zen4/zlib-1.3.1-y4ovkltwfqn4ygpbmbmwxtbunhlbktij
//! ```
//!
//! This is what `spack find -l`, `spack buildcache list -l` and `spack spec -Il` print. `spack find -p`, `spack
//! install` and lists of files name folders instead. A hash may be cut short, and a line may have more than one spec.
//! Each spec with a hash counts as asked for, whatever depends on it; external ones (`[e]`) are on the machine already.
//! Without hashes, the output says too little about each spec.
//!
//! A list of hashes, one per line with or without `/`, is what `spack buildcache prune --keeplist` takes. Hashes that
//! are cut short look like names, so a list with such hashes must not contain the name of a package, and needs at least
//! three of them, or one with a digit before its last character.

use std::collections::HashSet;

use cache_index::build::Hash;
use cache_index::environment::{Environment, Root};

use crate::problem::Finding;

/// The number of letters of a hash that `-l` shows.
const SHORT: usize = 7;

/// The packages of Spack's own repository whose names look like hashes that are cut short: what
/// `ls repos/spack_repo/builtin/packages | grep -xE '[a-z2-7]{7}'` prints in spack-packages of 1 July 2026.
const NAMES: &str = include_str!("names_like_hashes.txt");

/// Reads the output of Spack, or a list of hashes; `None` if a text is neither.
pub(super) fn read_pasted(text: &str) -> Option<Result<Environment, Finding>> {
    let mut output = Output::default();
    text.lines().for_each(|line| output.add(&without_colours(line)));
    let is_list = output.is_list_of_hashes();
    let Output { roots, hashes, headings, others, prose, has_external, cut, .. } = output;
    let has_any = has_external || !roots.is_empty();
    // Prose has lines of dashes and words with a slash between them, too.
    if prose > headings + roots.len() {
        return None;
    }
    let found = if is_list {
        hashes
    } else if !roots.is_empty() && headings > 0 || has_any && others + cut == 0 {
        let hashes = hashes.into_iter().filter(|_| cut == 0);
        roots.into_iter().chain(hashes).collect()
    } else if headings > 0 {
        return Some(Err(Finding::OutputWithoutHashes));
    } else {
        return None;
    };
    Some(Ok(Environment { roots: found, ..Environment::default() }))
}

/// What was found in the lines of an output.
#[derive(Default)]
struct Output {
    /// The specs with a hash, each once.
    roots: Vec<Root>,
    /// The lines that consist of a hash.
    hashes: Vec<Root>,
    /// The specs of both lists, to recognize repetitions.
    met: HashSet<String>,
    /// The number of lines that only Spack writes.
    headings: usize,
    /// The number of hashes without a slash that are cut short, and of those among them that do not look like a name.
    cut: usize,
    unlike_names: usize,
    has_name: bool,
    /// The number of lines without a hash.
    others: usize,
    /// The number of those among them that are sentences rather than specs.
    prose: usize,
    has_external: bool,
}

impl Output {
    fn add(&mut self, line: &str) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("# ") || trimmed.starts_with("$ ") {
            return;
        }
        if is_heading(trimmed) {
            self.headings += 1;
            self.add_folder(trimmed);
            return;
        }
        if let Some(spec) = in_graph(trimmed) {
            self.headings += 1;
            if let Some((name, hash)) = spec.split_once('/').filter(|(_, hash)| is_hash(hash)) {
                let root = self.root(name, hash);
                self.roots.extend(root);
            }
            return;
        }
        let hash = trimmed.trim_start_matches('/');
        if is_hash(hash) {
            if hash == trimmed && hash.len() == SHORT {
                let inner = &hash.as_bytes()[..SHORT - 1];
                self.cut += 1;
                self.unlike_names += usize::from(inner.iter().any(u8::is_ascii_digit));
                self.has_name |= NAMES.lines().any(|name| name == hash);
            }
            let root = self.root("", hash);
            self.hashes.extend(root);
            return;
        }
        let (status, rest) = status(trimmed);
        // Lists copied from YAML have dashes too.
        self.headings += usize::from(status.is_some_and(|status| status != '-'));
        let specs = specs(rest);
        if specs.is_empty() && self.add_folder(rest) {
            return;
        }
        self.others += usize::from(specs.is_empty());
        self.prose += usize::from(specs.is_empty() && is_prose(rest));
        if status == Some('e') && !specs.is_empty() {
            self.has_external = true;
        } else {
            for (hash, name) in specs {
                let root = self.root(name, hash);
                self.roots.extend(root);
            }
        }
    }

    /// Returns `true` if every line is a hash, and those that are cut short are unlikely to be names.
    fn is_list_of_hashes(&self) -> bool {
        let Output { cut, unlike_names, has_name, .. } = *self;
        let are_hashes = cut == 0 || (!has_name && (cut > 2 || unlike_names > 0));
        let has_others = self.others + self.headings > 0 || !self.roots.is_empty();
        !self.hashes.is_empty() && !has_others && are_hashes
    }

    /// Adds the build whose folder or file a line names; `false` if it names none.
    fn add_folder(&mut self, line: &str) -> bool {
        let Some(hash) = line.split_whitespace().find_map(hash_of_folder) else { return false };
        match line.contains("(external ") {
            true => self.has_external = true,
            false => {
                let root = self.root("", hash);
                self.roots.extend(root);
            }
        }
        true
    }

    /// Returns a spec with a hash, unless there was one already.
    fn root(&mut self, name: &str, hash: &str) -> Option<Root> {
        let spec = format!("{name}/{hash}");
        let is_new = self.met.insert(spec.clone());
        is_new.then(|| Root { spec, group: None, hash: hash.parse().ok() })
    }
}

/// Returns `true` for a line that looks like a sentence: it has more than three words, and no character that only specs have.
fn is_prose(line: &str) -> bool {
    line.split(' ').filter(|word| !word.is_empty()).count() > 3
        && !line.contains(['@', '=', '%', '^'])
        && !line.contains("  ")
}

/// Returns `true` for a line between the specs: `==> 3 installed packages`, `-- linux-rhel9-zen4 / gcc@13.2.0 ----`, and
/// what older versions print above and below the specs of `spack spec`.
fn is_heading(line: &str) -> bool {
    line.starts_with("==> ")
        || line.starts_with("-- ")
        || ["Input spec", "Normalized", "Concretized"].contains(&line)
        || (line.len() > 3 && line.bytes().all(|byte| byte == b'-' || byte == b'.'))
}

/// Returns the spec on a line of `spack graph`, which draws the edges in front of it: `| o zlib@1.3/y4ovklt`; an empty text
/// if there are only edges. `None` for other lines.
fn in_graph(line: &str) -> Option<&str> {
    let edge = |c: char| "|\\/*".contains(c);
    let spec = line.trim_start_matches(|c: char| c == ' ' || edge(c) || "-._".contains(c));
    let is_drawn = spec.len() < line.len() && line.starts_with(edge);
    match spec.strip_prefix("o ").map(|spec| spec.trim_start_matches([' ', '|'])) {
        Some(spec) => (!spec.contains(' ') && spec.contains('/')).then_some(spec),
        None => (is_drawn && spec.is_empty()).then_some(spec),
    }
}

/// Returns the hash at the end of the name of a build's folder, or in that of its file in a mirror:
/// `/opt/spack/zlib-1.3.1-y4ovkltwfqn4ygpbmbmwxtbunhlbktij`.
fn hash_of_folder(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c| "()[]:,;'\"`".contains(c)).trim_end_matches('/');
    let (name, end) = word.rsplit('/').next()?.rsplit_once('-')?;
    let hash = end.split('.').next()?;
    (name.contains('-') && hash.len() == Hash::CHARACTERS && is_hash(hash)).then_some(hash)
}

/// Splits off what `-I` shows of a spec: `[+]` for an installed one, `[^]` upstream, `[e]` external, `-` for none.
fn status(line: &str) -> (Option<char>, &str) {
    let mut letters = line.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some('['), Some(status @ ('+' | '^' | 'e' | '-' | 'b' | ' ')), Some(']')) => {
            (Some(status), letters.as_str().trim_start())
        }
        // A list copied from YAML has one space there.
        (Some('-'), Some(' '), Some(' ')) => (Some('-'), letters.as_str().trim_start()),
        _ => (None, line),
    }
}

/// Returns the specs of a line, each as its hash and its name. Two spaces separate specs on one line.
fn specs(line: &str) -> Vec<(&str, &str)> {
    let mut specs = Vec::new();
    let mut pieces = line.split("  ").map(str::trim).filter(|piece| !piece.is_empty());
    while let Some(piece) = pieces.next() {
        let (hash, rest) = piece.split_once(' ').unwrap_or((piece, ""));
        if !is_hash(hash) {
            continue;
        }
        // The name is further to the right if the spec is a dependency.
        // With `-t`, the purposes of a dependency come before it: `[bl  ]`.
        let is_purpose = |piece: &&str| piece.starts_with('[') || *piece == "]";
        let spec = match rest {
            "" => pieces.find(|piece| !is_purpose(piece)).unwrap_or_default(),
            rest => rest,
        };
        let is_dependency = rest.is_empty();
        let spec = spec.strip_prefix('^').filter(|_| is_dependency).unwrap_or(spec);
        let end = spec.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c)));
        let name = &spec[..end.unwrap_or(spec.len())];
        // `openmpi fabrics=ucx` is a spec whose name looks like a hash.
        if !name.is_empty() && !spec[name.len()..].starts_with(['=', ':']) {
            specs.push((hash, name));
        }
    }
    specs
}

/// Returns `true` for a hash, complete or cut short as `-l` does.
fn is_hash(text: &str) -> bool {
    let is_letter = |byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7');
    [SHORT, Hash::CHARACTERS].contains(&text.len()) && text.bytes().all(is_letter)
}

/// Removes the codes by which terminals show colours.
fn without_colours(line: &str) -> String {
    let mut pieces = line.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.find(|c: char| c.is_ascii_alphabetic()).map_or(piece.len(), |at| at + 1);
        plain.push_str(&piece[code..]);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[&str]>) {
        let read = read_pasted(text).map(|read| read.expect("hashes"));
        let specs = read.map(|it| it.roots.into_iter().map(|root| root.spec).collect::<Vec<_>>());
        assert_eq!(specs, expected.map(|specs| specs.iter().map(|it| (*it).to_owned()).collect()));
    }

    #[test]
    fn reads_the_hashes_of_what_spack_prints() {
        check(
            "==> 2 installed packages\n-- linux-rhel9-zen4 / gcc@13 ---------\ny4ovklt zlib-ng@2.3.2+compat\n\
             wmafzah     compiler-wrapper@1.0\n",
            Some(&["zlib-ng/y4ovklt", "compiler-wrapper/wmafzah"]),
        );
        // Several on a line.
        check(
            "y4ovklt zlib-ng@2.3.2  m7ryryo gmake@4.4.1\nwmafzah compiler-wrapper@1.0\n",
            Some(&["zlib-ng/y4ovklt", "gmake/m7ryryo", "compiler-wrapper/wmafzah"]),
        );
        check(
            "ehunw7x  [    ]  hdf5@1.14.5\ny4ovklt  [bl  ]      ^zlib-ng@2.3.2\n",
            Some(&["hdf5/ehunw7x", "zlib-ng/y4ovklt"]),
        );
        // With paths, and with colours.
        check(
            "\u{1b}[0;90my4ovklt\u{1b}[0m zlib-ng\u{1b}[0;36m@2.3.2\u{1b}[0m  /opt/spack/zlib-ng\n",
            Some(&["zlib-ng/y4ovklt"]),
        );
        check(
            " -   ehunw7x  hdf5@1.14.5+mpi\n[+]  wmafzah      ^compiler-wrapper@1.0\n[e]  q5byyxm      ^glibc@2.26\n\
             [^]  wmafzah      ^compiler-wrapper@1.0\n",
            Some(&["hdf5/ehunw7x", "compiler-wrapper/wmafzah"]),
        );
        check(
            "Input spec\n--------------------------------\n -   hdf5\n\nConcretized\n--------------------------------\n\
             ehunw7x hdf5@1.10.7\n",
            Some(&["hdf5/ehunw7x"]),
        );
        check("[e]  q5byyxm  glibc@2.26\n", Some(&[]));
        // As a graph.
        check(
            "o hdf5@1.14.5/ehunw7x\n|\\\n| o zlib-ng@2.3.2/y4ovklt\n|/\no | gmake@4.4.1/m7ryryo\n o openmpi@5.0/wmafzah\n",
            Some(&[
                "hdf5@1.14.5/ehunw7x",
                "zlib-ng@2.3.2/y4ovklt",
                "gmake@4.4.1/m7ryryo",
                "openmpi@5.0/wmafzah",
            ]),
        );
    }

    #[test]
    fn reads_the_folders_of_builds() {
        let [one, two, three] = [
            "wmafzahbhcfrvx6srpwkhdhflca327sb",
            "fiyf7nn4uuni343ownju6p7botk4euar",
            "q5byyxmw2arn5tpi6oplgudwnnu4kj4e",
        ];
        let expected = [format!("/{one}"), format!("/{two}")];
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        for text in [
            format!(
                "[+] /usr (external glibc-2.39-{three})\n[+] /opt/spack/linux-zen4/compiler-wrapper-1.0-{one}\n\
                 ==> Installing gcc-runtime-13.2.0-{two} [3/4]\n\
                 ==> No binary for gcc-runtime-13.2.0-{two} found: installing from source\n"
            ),
            format!(
                "-- linux-rhel9-zen4 / gcc@13 ----\ncompiler-wrapper@1.0  /opt/compiler-wrapper-1.0-{one}\n\
                 gcc-runtime@13.2.0    /opt/gcc-runtime-13.2.0-{two}\n"
            ),
            format!("compiler-wrapper-1.0-{one}\ngcc-runtime-13.2.0-{two}/\n"),
            format!(
                "compiler-wrapper-1.0-{one}.spec.manifest.json\n\
                 linux-rhel9-zen4-gcc-13.2.0-gcc-runtime-13.2.0-{two}.spec.json.sig\n"
            ),
        ] {
            check(&text, Some(&expected));
        }
    }

    #[test]
    fn reads_a_list_of_hashes() {
        let hash = "wmafzahbhcfrvx6srpwkhdhflca327sb";
        let read = read_pasted(&format!("# kept\n{hash}\n\n  /{hash} \n")).expect("a list");
        let roots = read.expect("hashes").roots;
        assert_eq!(roots.len(), 1);
        assert_eq!(roots[0].hash, hash.parse().ok());
        assert_eq!(roots[0].spec, format!("/{hash}"));
        check(
            &format!("{hash}      ^compiler-wrapper@=1.0\n"),
            Some(&[&format!("compiler-wrapper/{hash}")]),
        );
    }

    #[test]
    fn reads_a_list_of_hashes_that_are_cut_short() {
        check("y4ovklt\nm7ryryo\nwmafzah\n", Some(&["/y4ovklt", "/m7ryryo", "/wmafzah"]));
        // Nothing shows that these are not names.
        check("ehunwxx\nwmafzah\n", None);
        check("y4ovklt\nm7ryryo\nopenmpi\n", None);
        check("/wmafzah\n/ehunwxx\n", Some(&["/wmafzah", "/ehunwxx"]));
    }

    #[test]
    fn leaves_lists_of_specs_alone() {
        for text in [
            "openmpi\nopenssl\nncurses\nlibxml2\n",
            "h5utils\nh5bench\n",
            "p3dfft3\n",
            "hdf5+mpi\nzlib\n",
            "- hdf5\n- openmpi fabrics=ucx\n",
            "openmpi ^hwloc@2\n",
            "openmpi\n",
            "",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn leaves_prose_alone() {
        let text = "# Cache\n\nWhat is in the cache of this site, and how it is used.\n\n\
                    | folder | what it has |\n| --- | --- |\n| spec | one of/recipes, or of/folders |\n\n\
                    A build that came/visitor or another one asks for is kept there.\n\
                    Nothing else is written anywhere near it.\n";
        check(text, None);
    }

    #[test]
    fn says_that_an_output_has_no_hashes() {
        let output =
            "-- linux-rhel9-zen4 / gcc@13 ----\nhdf5@1.14.5  zlib@1.3\n==> 2 installed packages\n";
        assert_eq!(read_pasted(output), Some(Err(Finding::OutputWithoutHashes)));
        let output = "==> No package matches the query: foo\n";
        assert_eq!(read_pasted(output), Some(Err(Finding::OutputWithoutHashes)));
        let output = "[+]  hdf5@1.14.5\n[+]      ^zlib@1.3\n";
        assert_eq!(read_pasted(output), Some(Err(Finding::OutputWithoutHashes)));
    }
}
