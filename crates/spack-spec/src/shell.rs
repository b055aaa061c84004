//! Specs on a command line.
//!
//! The maker of a cache chooses its names, versions and values, and users paste commands into shells. So all text that
//! becomes part of a command must pass through here, one argument at a time.

use std::borrow::Cow;

/// Returns a text as one argument for a POSIX shell, quoted only if necessary, so that ordinary specs stay as they are.
///
/// The shell expands, splits and runs nothing in the result, neither in a script nor at a prompt; this includes bash
/// and zsh. Quoting cannot help in two cases: a command reads an argument that starts with `-` as an option, and no
/// argument can contain the character U+0000.
///
/// ```
/// use spack_spec::shell_word;
///
/// assert_eq!(shell_word("hdf5@1.14.5+mpi~shared%gcc@13"), "hdf5@1.14.5+mpi~shared%gcc@13");
/// assert_eq!(shell_word("hdf5 ^mpich@4:"), "'hdf5 ^mpich@4:'");
/// assert_eq!(shell_word("$(touch x)"), "'$(touch x)'");
/// assert_eq!(shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

/// Returns `true` if every shell passes the text on unchanged.
fn is_plain(text: &str) -> bool {
    let mut previous = None;
    let is_safe = |byte: u8| {
        let before = previous.replace(byte);
        match byte {
            // At the start and after `=` or `:`, `~` means a home directory.
            b'~' => before.is_some_and(|byte| byte.is_ascii_alphanumeric()),
            // At the start of a word, zsh replaces `=name` with the path of that command.
            b'=' => before.is_some(),
            _ => byte.is_ascii_alphanumeric() || b"-_./:@+,%".contains(&byte),
        }
    };
    !text.is_empty() && text.bytes().all(is_safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_ordinary_specs_bare() {
        for text in [
            "hdf5@1.14.5/2dqr6c6",
            "hdf5@=1.14.5+mpi~shared",
            "build_type=Release",
            "languages:=c,c++",
            "arch=linux-ubuntu24.04-x86_64_v3",
            "%c,cxx=gcc@13.2.0",
            "/rusemfbegqdqpg2s7dh6xzcv4mg4ysrb",
            "https://binaries.spack.io/develop/e4s",
        ] {
            assert_eq!(shell_word(text), text);
        }
    }

    #[test]
    fn quotes_what_a_shell_would_change() {
        for text in [
            "", "~", "~root", "k=~", "k:~", "a~~b", "=ls", "a b", "a\nb", "$x", "`x`", "a;b",
            "a&b", "a|b", "a<b", "a>b", "*", "a?", "[a]", "{a,b}", "!x", "#x", "a\\b", "\"", "^x",
            "é", "(",
        ] {
            assert_eq!(shell_word(text), format!("'{text}'"));
        }
    }
}
