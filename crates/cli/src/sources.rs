//! The inputs of a command line, each with its options: `site-a/ --url https://…/a site-b/ --url …`.
//!
//! A `--release` or `--stack` applies to all inputs if it is given once, and otherwise to the input before it.
//!
//! A `--url` or `--name` belongs to the input before it, so the order of the arguments matters, which
//! clap's derived types do not keep. Hence this type reads its arguments itself.

use std::path::PathBuf;

use cache_ingest::inputs::Source;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

/// All inputs, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

const INPUTS: &str = "inputs";
const URL: &str = "url";
const NAME: &str = "name";
/// Arguments of [`ReadingArguments`](crate::inputs::ReadingArguments), which are read here if they are given more than once.
const RELEASE: &str = "release";
const STACK: &str = "stack";

impl Args for Sources {
    fn augment_args(command: Command) -> Command {
        let of_input = |id: &'static str| Arg::new(id).long(id).action(ArgAction::Append);
        command
            .arg(
                Arg::new(INPUTS)
                    .required_unless_present("mirrors")
                    .num_args(1..)
                    .action(ArgAction::Append)
                    .value_name("INPUT")
                    .value_parser(value_parser!(PathBuf))
                    .help(
                        "Cache pages, databases, mirrors, manifests, indexes, pages with an index in \
                         them, or folders of these; the https:// URL of a mirror, a manifest or a database; a \
                         registry's repository as oci://HOST/REPOSITORY; or `-` for the standard \
                         input. In folders, names that start with a dot are skipped",
                    ),
            )
            .arg(of_input(URL).value_name("URL").value_parser(mirror_url).help(
                "The URL that `spack mirror add` takes for the preceding mirror or database: \
                 `site-a/ --url https://mirrors.example.org/a site-b/ --url …`. For a folder of \
                 mirrors, it is the URL of that folder",
            ))
            .arg(of_input(NAME).value_name("NAME").help(
                "The name of the preceding mirror or database in commands; with several inputs, \
                 also its stack",
            ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Sources::augment_args(command)
    }
}

impl FromArgMatches for Sources {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Sources, Error> {
        let paths = matches.get_many::<PathBuf>(INPUTS).into_iter().flatten();
        let mut sources: Vec<Source> = paths.cloned().map(Source::from).collect();
        let places: Vec<usize> = matches.indices_of(INPUTS).into_iter().flatten().collect();
        for (id, field) in [
            (URL, (|source| &mut source.url) as fn(&mut Source) -> &mut Option<String>),
            (NAME, |source| &mut source.name),
            (RELEASE, |source| &mut source.release),
            (STACK, |source| &mut source.stack),
        ] {
            // Not every command has this option.
            let Ok(values) = matches.try_get_many::<String>(id) else { continue };
            let values: Vec<&String> = values.into_iter().flatten().collect();
            let indices = matches.indices_of(id).into_iter().flatten();
            if matches!(id, RELEASE | STACK) && values.len() < 2 {
                continue;
            }
            for (at, value) in indices.zip(values) {
                let before = places.iter().filter(|place| **place < at).count();
                let Some(source) = before.checked_sub(1).and_then(|last| sources.get_mut(last))
                else {
                    return Err(refused(format!("--{id} belongs after its input\n")));
                };
                if field(source).replace(value.clone()).is_some() {
                    let path = source.path.display();
                    return Err(refused(format!("--{id} is given twice for {path}\n")));
                }
            }
        }
        Ok(Sources(sources))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Sources::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads a location that `spack mirror add` accepts: a URL, or an absolute path.
pub(crate) fn mirror_url(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && !text.contains(char::is_whitespace);
    let is_place = text.starts_with('/')
        || text.split_once("://").is_some_and(|(scheme, rest)| {
            !scheme.is_empty()
                && !rest.is_empty()
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        });
    match is_word && is_place {
        true => Ok(text.to_owned()),
        false => {
            Err("expected a URL such as https://…, s3://… or oci://…, or an absolute path"
                .to_owned())
        }
    }
}

fn refused(message: String) -> Error {
    Error::raw(ErrorKind::ArgumentConflict, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirrors::MirrorFiles;

    fn read(arguments: &[&str]) -> Result<Vec<Source>, String> {
        let command = MirrorFiles::augment_args(Command::new("x").no_binary_name(true));
        let command = Sources::augment_args(command);
        let several = |id: &'static str| Arg::new(id).long(id).action(ArgAction::Append);
        let command = command.arg(several(RELEASE)).arg(several(STACK));
        let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
        let Sources(sources) =
            Sources::from_arg_matches(&matches).map_err(|error| error.to_string())?;
        Ok(sources)
    }

    #[test]
    fn gives_options_to_the_input_before_them() {
        let some = |text: &str| Some(text.to_owned());
        let source = |path: &str| Source::from(PathBuf::from(path));
        assert_eq!(
            read(&["a", "--url", "/A", "b", "c", "--name=C", "--url=https://c"]),
            Ok(vec![
                Source { url: some("/A"), ..source("a") },
                source("b"),
                Source { url: some("https://c"), name: some("C"), ..source("c") },
            ])
        );
    }

    #[test]
    fn gives_each_of_several_releases_to_the_input_before_it() {
        let some = |text: &str| Some(text.to_owned());
        let source = |path: &str| Source::from(PathBuf::from(path));
        assert_eq!(
            read(&["a", "--release", "v1", "b", "--stack", "tools", "--release=develop", "c.json"]),
            Ok(vec![
                Source { release: some("v1"), ..source("a") },
                Source { release: some("develop"), ..source("b") },
                source("c.json"),
            ])
        );
        // An option that is given once is for all inputs, wherever it is.
        assert_eq!(read(&["a", "b", "--release", "v1"]), Ok(vec![source("a"), source("b")]));
    }

    #[test]
    fn rejects_options_without_an_input_and_repeated_ones() {
        #[track_caller]
        fn check(arguments: &[&str], expected: &str) {
            let error = read(arguments).expect_err("refused");
            assert!(error.contains(expected), "{error}");
        }
        check(&["--url", "/A", "a"], "--url belongs after its input");
        check(&["a", "--name", "A", "--name", "B"], "--name is given twice for a");
        check(&["--release", "A", "a", "--release", "B"], "--release belongs after its input");
        check(&["a", "--stack", "A", "--stack", "B"], "--stack is given twice for a");
        check(&[], "required");
    }
}
