//! The specs in lines that install or add them: `spack install hdf5+mpi zlib`, `spack -e dev add zlib`.
//!
//! People keep such lines in scripts and notes. They are split as a shell splits them. Options are skipped, and so are
//! all other lines, such as `cd` or `spack concretize`. As in Spack, a word that does not begin with a name or a hash
//! continues the spec before it: `spack install hdf5 +mpi ^mpich zlib` are two specs.

use std::mem;

/// The commands of Spack whose arguments are specs that a user wants.
const COMMANDS: [&str; 4] = ["add", "install", "solve", "spec"];

/// The options of `spack` itself that are followed by a value.
const GLOBAL: [&str; 8] =
    ["-C", "-D", "-c", "-e", "--config", "--config-scope", "--env", "--env-dir"];

/// The options of the commands that are followed by a value.
const VALUED: [&str; 16] = [
    "-c",
    "-f",
    "-j",
    "-l",
    "-p",
    "-u",
    "--concurrent-packages",
    "--cover",
    "--file",
    "--format",
    "--jobs",
    "--list-name",
    "--log-file",
    "--only",
    "--test",
    "--until",
];

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
    if !command.is_some_and(|command| COMMANDS.contains(&command)) {
        return Some(specs);
    }
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            if VALUED.contains(&word) {
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
