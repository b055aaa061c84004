//! A build as Spack writes it, to be read and to be typed.
//!
//! The long form can be given back to either dialect of Spack. That decides its order: since 1.0
//! whatever follows `%gcc@13.2.0` is asked of the compiler, so the compiler comes last.

use std::borrow::Cow;

use crate::build::{Build, VariantValue};

/// How many characters of a hash tell builds apart for people, as Spack shows them.
pub const SHORT_HASH: usize = 7;

impl Build {
    /// Package, version and the first characters of the hash: `hdf5@1.14.5/2dqr6c6`.
    pub fn short_spec(&self) -> String {
        format!("{}@{}/{}", self.package, self.version, self.short_hash())
    }

    /// The characters of the hash that people use.
    pub fn short_hash(&self) -> String {
        self.hash.to_string()[..SHORT_HASH].to_owned()
    }

    /// Everything but the hash: `hdf5@1.14.5+mpi build_type=Release arch=linux-rhel8-zen3 %gcc@13.2.0`.
    pub fn long_spec(&self) -> String {
        let mut text = format!("{}@{}", self.package, self.version);
        // `+x` and `~x` first and without a space, as Spack has them: ` ~x` is a folder to a shell.
        let (flags, settings): (Vec<_>, Vec<_>) = self
            .variants
            .iter()
            .partition(|variant| matches!(variant.value, VariantValue::Bool(_)));
        for variant in flags {
            text.push_str(&variant.to_string());
        }
        for variant in settings {
            text.push_str(&format!(" {}", shell_word(&variant.to_string())));
        }
        for (name, flags) in &self.flags {
            text.push_str(&format!(" {name}={}", shell_word(&flags.join(" "))));
        }
        text.push_str(&format!(" arch={}-{}-{}", self.platform, self.os, self.target));
        if let Some(compiler) = &self.compiler {
            text.push_str(&format!(" %{compiler}"));
        }
        text
    }
}

/// A text as one word for a POSIX shell, in quotes only where it needs them. Names come from whoever
/// made the cache, and commands are pasted.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@=+,%".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Variant;
    use crate::sample;

    #[test]
    fn specs_are_written_as_spack_reads_them() {
        let variant = |name: &str, value| Variant { name: name.to_owned(), value };
        let build = Build {
            variants: vec![
                variant("build_type", VariantValue::Single("Release".into())),
                variant("languages", VariantValue::Multi(vec!["c".into(), "c++".into()])),
                variant("mpi", VariantValue::Bool(true)),
                variant("shared", VariantValue::Bool(false)),
            ],
            flags: vec![("cflags".into(), vec!["-O2".into(), "-g".into()])],
            ..sample::one("hdf5", "1.14.5")
        };
        assert_eq!(
            build.long_spec(),
            "hdf5@1.14.5+mpi~shared build_type=Release languages=c,c++ cflags='-O2 -g' \
             arch=linux-ubuntu24.04-x86_64_v3 %gcc@13.2.0"
        );
        assert_eq!(build.short_spec(), "hdf5@1.14.5/aaaaaaa");
    }

    #[test]
    fn a_shell_takes_a_word_as_one() {
        for (text, word) in [
            ("ml-linux-x86_64", "ml-linux-x86_64"),
            ("", "''"),
            ("a b", "'a b'"),
            ("x; rm -rf $HOME", "'x; rm -rf $HOME'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
