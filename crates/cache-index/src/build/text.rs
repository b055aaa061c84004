//! Specs of builds as text, to read and to paste into commands.
//!
//! Both dialects of Spack can read the long form. That decides its order: since 1.0, everything after `%gcc@13.2.0`
//! applies to the compiler, so the compiler comes last.

pub use spack_spec::SHORT_HASH_LENGTH as SHORT_HASH;
use spack_spec::{shell_word, short_hash};

use crate::build::{Build, VariantValue};

impl Build {
    /// Returns package, version and the first characters of the hash, as one argument for a shell:
    /// `hdf5@1.14.5/2dqr6c6`.
    pub fn short_spec(&self) -> String {
        let spec = format!("{}@{}/{}", self.package, self.version, self.short_hash());
        shell_word(&spec).into_owned()
    }

    /// Returns the first characters of the hash, as people write it. For a spliced build, returns the complete hash, because
    /// its first characters are those of the build that it was spliced from.
    pub fn short_hash(&self) -> String {
        let hash = self.hash.to_string();
        if self.spliced_from.is_some() { hash } else { short_hash(&hash).to_owned() }
    }

    /// Returns everything but the hash, as arguments for a shell: `hdf5@1.14.5+mpi build_type=Release
    /// arch=linux-rhel8-zen3 %gcc@13.2.0`.
    pub fn long_spec(&self) -> String {
        // As in Spack, `+x` and `~x` follow the version without a space.
        let (switches, settings): (Vec<_>, Vec<_>) = self
            .variants
            .iter()
            .partition(|variant| matches!(variant.value, VariantValue::Bool(_)));
        let mut first = format!("{}@{}", self.package, self.version);
        for variant in switches {
            first.push_str(&variant.to_string());
        }
        let mut text = shell_word(&first).into_owned();
        for variant in settings {
            text.push_str(&format!(" {}", shell_word(&variant.to_string())));
        }
        for flags in self.flag_words() {
            text.push_str(&format!(" {flags}"));
        }
        let architecture = format!("arch={}-{}-{}", self.platform, self.os, self.target);
        text.push_str(&format!(" {}", shell_word(&architecture)));
        if let Some(compiler) = &self.compiler {
            text.push_str(&format!(" {}", shell_word(&format!("%{compiler}"))));
        }
        text
    }

    /// Returns the compiler flags of each name as an argument for a shell: `cflags='-O2 -g'`.
    pub fn flag_words(&self) -> Vec<String> {
        let word = |(name, flags): &(String, Vec<String>)| {
            format!("{}={}", shell_word(name), shell_word(&flags.join(" ")))
        };
        self.flags.iter().map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Variant;
    use crate::sample;

    #[test]
    fn writes_specs_that_spack_reads() {
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
        let spliced = Build { spliced_from: Some(sample::hash(1)), ..build };
        assert_eq!(spliced.short_spec(), format!("hdf5@1.14.5/{}", spliced.hash));
    }

    /// Returns how a shell parses a command's arguments, with a space after each.
    #[cfg(unix)]
    fn read_by_a_shell(arguments: &str) -> String {
        let printed = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s ' {arguments}")])
            .output()
            .expect("a POSIX shell");
        assert!(printed.status.success() && printed.stderr.is_empty(), "{arguments}: {printed:?}");
        String::from_utf8(printed.stdout).expect("UTF-8")
    }

    #[cfg(unix)]
    #[test]
    fn writes_nothing_that_a_shell_would_run() {
        for hostile in [
            "$(touch x)",
            "`touch x`",
            "a b",
            "a\nb",
            "it's",
            "\"",
            ";id",
            "&",
            "|cat",
            "> x",
            "*",
            "~",
            "!x",
            "#",
            "\\",
            "$HOME",
            "(",
            "{a,b}",
            "--help",
            "^x",
            "=ls",
            "\u{e9}",
        ] {
            let text = || hostile.to_owned();
            let build = Build {
                package: text(),
                version: text(),
                platform: text(),
                os: text(),
                target: text(),
                compiler: Some(text()),
                variants: vec![
                    Variant { name: text(), value: VariantValue::Bool(false) },
                    Variant { name: text(), value: VariantValue::Single(text()) },
                    Variant { name: text(), value: VariantValue::Multi(vec![text(), text()]) },
                ],
                flags: vec![(text(), vec![text(), text()])],
                ..sample::one("hdf5", "1.14.5")
            };
            let h = hostile;
            let short = format!("{h}@{h}/aaaaaaa ");
            assert_eq!(read_by_a_shell(&build.short_spec()), short);
            let long =
                format!("{h}@{h}~{h} {h}={h} {h}={h},{h} {h}={h} {h} arch={h}-{h}-{h} %{h} ");
            assert_eq!(read_by_a_shell(&build.long_spec()), long);
        }
    }
}
