//! The commands of other tools, with which people ask for the same software: `module load hdf5/1.14.5`,
//! `conda install -c conda-forge hdf5=1.14`, `pip install mpi4py==4.0`.

use std::ops::Range;

use super::Understood;

/// A tool.
struct Tool {
    names: &'static [&'static str],
    /// What stands between the name of the tool and those of packages.
    subcommands: &'static [&'static str],
    /// The options whose value is the next word.
    with_value: &'static [&'static str],
    /// What stands between a package and its version.
    before_version: &'static [&'static str],
}

const TOOLS: [Tool; 4] = [
    Tool {
        names: &["module", "ml"],
        subcommands: &["load", "add", "avail", "av", "spider", "whatis", "show", "keyword"],
        with_value: &[],
        before_version: &["/"],
    },
    Tool {
        names: &["pip", "pip3"],
        subcommands: &["install", "download"],
        with_value: &[
            "-r",
            "-c",
            "-i",
            "-f",
            "-t",
            "--index-url",
            "--extra-index-url",
            "--find-links",
        ],
        before_version: &["==", "="],
    },
    Tool {
        names: &["conda", "mamba", "micromamba"],
        subcommands: &["install", "search", "create"],
        with_value: &["-c", "--channel", "-n", "--name", "-p", "--prefix"],
        before_version: &["==", "="],
    },
    Tool {
        names: &["brew", "apt", "apt-get", "dnf", "yum", "zypper", "guix"],
        subcommands: &["install", "search", "info", "show"],
        with_value: &[],
        before_version: &["="],
    },
];

/// Returns a text with spaces in the place of another tool's command and its options, with versions as Spack writes them;
/// and what is left out.
pub(super) fn of_other_tool(
    text: &str,
    mut words: impl Iterator<Item = Range<usize>>,
) -> Option<(String, Understood)> {
    let first = words.next()?;
    let second = words.next()?;
    let (name, subcommand) = (&text[first.clone()], &text[second.clone()]);
    let is_of = |tool: &&Tool| tool.names.contains(&name) && tool.subcommands.contains(&subcommand);
    let tool = TOOLS.iter().find(is_of)?;
    let mut left_out = vec![first, second];
    let mut plain = text.to_owned();
    while let Some(word) = words.next() {
        let written = &text[word.clone()];
        if written.starts_with('-') {
            let has_value = tool.with_value.contains(&written);
            left_out.push(word);
            left_out.extend(has_value.then(|| words.next()).flatten());
            continue;
        }
        // `@=` is an exact version, as `==` is.
        let version = tool.before_version.iter().find_map(|sign| {
            let (package, version) = written.split_once(sign)?;
            let is_version = version.starts_with(|first: char| first.is_ascii_digit());
            let at = word.start + package.len();
            let is_name = package.ends_with(|last: char| last.is_ascii_alphanumeric());
            (is_version && is_name).then_some((at..at + sign.len(), &"@="[..sign.len()]))
        });
        if let Some((sign, written)) = version {
            plain.replace_range(sign, written);
        }
    }
    let command: Vec<&str> = left_out.iter().map(|span| &text[span.clone()]).collect();
    let understood = Understood::left_out(&command.join(" "));
    for span in left_out {
        plain.replace_range(span.clone(), &" ".repeat(span.len()));
    }
    Some((plain, understood))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::words::words;

    #[test]
    fn leaves_out_commands_and_writes_versions_as_spack_does() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let read = of_other_tool(text, words(text));
            assert!(read.iter().all(|(plain, _)| plain.len() == text.len()), "{text}");
            let found = read.map(|(plain, left_out)| {
                (plain.split_whitespace().collect::<Vec<_>>().join(" "), left_out.piece)
            });
            let expected = expected.map(|(plain, piece)| (plain.to_owned(), piece.to_owned()));
            assert_eq!(found, expected, "{text}");
        };
        check("module load hdf5/1.14.5", Some(("hdf5@1.14.5", "module load")));
        check("ml spider lammps", Some(("lammps", "ml spider")));
        check(
            "conda install -c conda-forge esmf=8.6 hdf5",
            Some(("esmf@8.6 hdf5", "conda install -c conda-forge")),
        );
        check(
            "pip install h5py==3.11 --no-binary=h5py",
            Some(("h5py@=3.11", "pip install --no-binary=h5py")),
        );
        check("brew install gcc@14", Some(("gcc@14", "brew install")));
        check("apt install -y libhdf5-dev", Some(("libhdf5-dev", "apt install -y")));
        check("hdf5 +mpi", None);
        check("pip", None);
        check("ml cuda", None);
        check("conda forge", None);
    }
}
