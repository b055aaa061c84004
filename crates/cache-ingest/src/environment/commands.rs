//! The specs in lines that install or add them: `spack install hdf5+mpi zlib`, `spack -e dev add zlib`.
//!
//! People keep such lines in scripts and notes. They are split as a shell splits them. Options are skipped, and so are
//! all other lines, such as `cd` or `spack concretize`. As in Spack, a word that does not begin with a name or a hash
//! continues the spec before it: `spack install hdf5 +mpi ^mpich zlib` are two specs.

use std::mem;

/// The commands of Spack whose arguments are specs that a user wants, each with its options that are followed by a value. The
/// same letter may have a value in one and none in another: `-l` is `--list-name` of `add`, and `--long` of `spec`.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("add", &["-l", "--list-name"]),
    ("install", &INSTALL),
    ("solve", &["-c", "-g", "--cover", "--format", "--group", "--show"]),
    ("spec", &["-c", "-g", "--cover", "--format", "--group"]),
];

const INSTALL: [&str; 17] = [
    "-j",
    "-p",
    "-u",
    "--cdash-build",
    "--cdash-buildstamp",
    "--cdash-site",
    "--cdash-track",
    "--cdash-upload-url",
    "--concurrent-packages",
    "--file",
    "--jobs",
    "--log-file",
    "--log-format",
    "--only",
    "--test",
    "--until",
    "--use-buildcache",
];

/// The options of `spack` itself that are followed by a value.
const GLOBAL: [&str; 9] =
    ["-C", "-D", "-c", "-e", "--color", "--config", "--config-scope", "--env", "--env-dir"];

/// Returns the specs in the lines of a text, each with the number of its line; `None` if no line is a command of Spack.
pub(super) fn in_commands(text: &str) -> Option<Vec<(usize, String)>> {
    let mut specs = Vec::new();
    let mut has_any = false;
    let mut command = String::new();
    // The empty line completes a last line that ends with a backslash.
    for (number, line) in (1..).zip(text.lines().chain([""])) {
        let line = line.trim();
        match line.strip_suffix('\\') {
            Some(part) => command.extend([part, " "]),
            None => {
                command += line;
                for words in commands(&mem::take(&mut command)) {
                    if let Some(found) = arguments(&words) {
                        has_any = true;
                        specs.extend(found.into_iter().map(|spec| (number, spec)));
                    }
                }
            }
        }
    }
    has_any.then_some(specs)
}

/// Splits a line into its commands, and each into words. A word that is quoted as a whole loses its quotes.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let (mut word, mut quote) = (String::new(), None);
    for letter in line.chars().chain([' ']) {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            (' ' | '\t' | ';' | '&' | '|' | '#', None) if letter != '#' || word.is_empty() => {
                if !word.is_empty() {
                    let word = mem::take(&mut word);
                    let inner = ['\'', '"'].iter().find_map(|&quote| {
                        let inner = word.strip_prefix(quote)?.strip_suffix(quote)?;
                        (!inner.contains(quote)).then_some(inner)
                    });
                    let word = inner.unwrap_or(&word).to_owned();
                    commands.last_mut().expect("one command").push(word);
                }
                match letter {
                    '#' => break,
                    ' ' | '\t' => {}
                    _ => commands.push(Vec::new()),
                }
                continue;
            }
            _ => {}
        }
        word.push(letter);
    }
    commands
}

/// Returns the specs of a command; `None` if it is not one of Spack's.
fn arguments(words: &[String]) -> Option<Vec<String>> {
    let mut words = words.iter().map(String::as_str).skip_while(|word| *word == "$").peekable();
    words.next().filter(|word| *word == "spack" || word.ends_with("/bin/spack"))?;
    let is_of_spack = |word: &str| {
        word.starts_with('-') || word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    };
    words.peek().filter(|word| is_of_spack(word))?;
    let mut command = words.next();
    while let Some(option) = command.filter(|word| word.starts_with('-')) {
        if GLOBAL.contains(&option) {
            words.next();
        }
        command = words.next();
    }
    let mut specs: Vec<String> = Vec::new();
    let known = COMMANDS.iter().find(|(name, _)| command == Some(*name));
    let Some((name, valued)) = known else { return Some(specs) };
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            // `-f` of `install` is `--file`, or `--force` in newer versions of Spack.
            let may_be_file = *name == "install" && word == "-f";
            if valued.contains(&word) || (may_be_file && words.peek().is_some_and(is_spec_file)) {
                words.next();
            }
            continue;
        }
        match specs.last_mut() {
            Some(spec) if continues(spec, word) => spec.extend([" ", word]),
            _ => specs.push(word.to_owned()),
        }
    }
    Some(specs)
}

/// Returns `true` for the name of a file with a spec.
fn is_spec_file(word: &&str) -> bool {
    [".json", ".yaml", ".yml"].iter().any(|ending| word.ends_with(ending))
}

/// Returns `true` if a word belongs to the spec before it.
fn continues(spec: &str, word: &str) -> bool {
    let name = word.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)));
    let is_value = name.is_some_and(|end| word[end..].starts_with(['=', ':']));
    is_value || word.starts_with(['+', '~', '@', '%', '^']) || spec.ends_with(['^', '%', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_specs_that_lines_install() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            let found = in_commands(text).expect("commands");
            let specs: Vec<&str> = found.iter().map(|(_, spec)| spec.as_str()).collect();
            assert_eq!(specs, expected, "{text}");
        }
        check("spack install hdf5 zlib", &["hdf5", "zlib"]);
        check("$ spack install hdf5+mpi\n$ spack add zlib@1.3\n", &["hdf5+mpi", "zlib@1.3"]);
        check(
            "spack -e dev install -j 8 --fail-fast hdf5 +mpi ^mpich zlib",
            &["hdf5 +mpi ^mpich", "zlib"],
        );
        check("./spack/bin/spack --env=dev add --list-name=compilers gcc@13", &["gcc@13"]);
        check(
            "spack install 'hdf5 +mpi' cflags=\"-O3 -g\" \"zlib\"",
            &["hdf5 +mpi cflags=\"-O3 -g\"", "zlib"],
        );
        check("spack install \\\n  hdf5 \\\n  zlib # both\n", &["hdf5", "zlib"]);
        check("spack add hdf5\nspack add zlib \\", &["hdf5", "zlib"]);
        check("cd /opt && spack install zlib; echo done\nmodule load gcc\n", &["zlib"]);
        check("spack install ^ mpich", &["^ mpich"]);
        // The same letters mean something else in each command.
        check("spack add -l compilers gcc@13", &["gcc@13"]);
        check("spack --color always spec -Il -l -j hdf5 zlib", &["hdf5", "zlib"]);
        check("spack spec -c edges --format '{name}' hdf5", &["hdf5"]);
        check("spack solve -l --show asp,opt -j hdf5 +mpi", &["hdf5 +mpi"]);
        check("spack install -u build --use-buildcache only -j 8 zlib", &["zlib"]);
        check("spack install -f hdf5.json zlib", &["zlib"]);
        check("spack install -f hdf5 zlib", &["hdf5", "zlib"]);
        check("spack env activate .\nspack concretize -f\nspack install\n", &[]);
    }

    #[test]
    fn leaves_lists_of_specs_alone() {
        for text in ["", "hdf5\nzlib\n", "spack\n", "spack@0.22\n", "spack +x\n", "spack %gcc@13\n"]
        {
            assert_eq!(in_commands(text), None, "{text}");
        }
    }
}
