//! Files that users bring but that are not read: what each is, and what to bring instead.
//!
//! They are recognized by their first bytes, like files that are read. The texts only mention what both the command and
//! the page have, since both show them.

use std::fmt;

use crate::kind::START;

/// A file that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// A file compressed in a format that is not read, with the name of the format.
    Compressed(&'static str),
    /// An archive, with the name of its format.
    Archive(&'static str),
    /// The pointer that Git has in place of a large file.
    Pointer,
    /// XML, such as the answer of a bucket's server.
    Xml,
    /// Text in UTF-16 or UTF-32.
    WideText,
    /// The spec of a build as Spack up to 0.16 wrote it.
    SpecInYaml,
    /// An environment where a cache is expected.
    Environment,
    /// A cache where an environment is expected.
    Cache,
    /// Settings of Spack where an environment is expected.
    Settings,
    /// Settings of Spack where a cache is expected, with what to do with them.
    SettingsAsCache(&'static str),
    /// Commands of Spack without specs where an environment is expected.
    Commands,
    /// A mirror of sources.
    Sources,
    /// The database of an installation.
    Installation,
}

/// The beginnings of files in formats that are not read.
const BEGINNINGS: [(&[u8], ForeignFile); 15] = [
    (b"version https://git-lfs", ForeignFile::Pointer),
    (b"<?xml", ForeignFile::Xml),
    (b"\xfd7zXZ\0", ForeignFile::Compressed("xz")),
    (b"BZh", ForeignFile::Compressed("bzip2")),
    (b"LZIP", ForeignFile::Compressed("lzip")),
    (b"\x04\x22\x4d\x18", ForeignFile::Compressed("lz4")),
    (b"\x5d\0\0", ForeignFile::Compressed("lzma")),
    (b"\x1f\x9d", ForeignFile::Compressed("compress")),
    (b"PK\x03\x04", ForeignFile::Archive("zip")),
    (b"PK\x05\x06", ForeignFile::Archive("zip")),
    (b"7z\xbc\xaf\x27\x1c", ForeignFile::Archive("7z")),
    (b"Rar!\x1a\x07", ForeignFile::Archive("rar")),
    (b"\xff\xfe", ForeignFile::WideText),
    (b"\xfe\xff", ForeignFile::WideText),
    (b"\0\0\xfe\xff", ForeignFile::WideText),
];

/// The position of the mark in a tar archive, and the mark.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Returns which of these files starts with these bytes; `None` if none of them does.
pub(crate) fn foreign_file(start: &[u8]) -> Option<ForeignFile> {
    let (at, mark) = TAR;
    if start.get(at..).is_some_and(|rest| rest.starts_with(mark)) {
        return Some(ForeignFile::Archive("tar"));
    }
    if let Some((_, file)) = BEGINNINGS.iter().find(|(beginning, _)| start.starts_with(beginning)) {
        return Some(*file);
    }
    let start = &start[..start.len().min(START)];
    is_spec_in_yaml(&String::from_utf8_lossy(start)).then_some(ForeignFile::SpecInYaml)
}

/// Returns `true` for a list of specs with their fields, under the key `spec`.
fn is_spec_in_yaml(text: &str) -> bool {
    let mut lines =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty() && *line != "---");
    lines.next() == Some("spec:")
        && lines
            .next()
            .is_some_and(|line| line.trim_start().starts_with("- ") && line.ends_with(':'))
        && lines.next().is_some_and(|line| line.trim_start().starts_with("version:"))
}

/// The sections of Spack's settings.
const SECTIONS: [&str; 14] = [
    "bootstrap",
    "ci",
    "compilers",
    "concretizer",
    "config",
    "definitions",
    "env_vars",
    "include",
    "mirrors",
    "modules",
    "packages",
    "repos",
    "toolchains",
    "upstreams",
];

/// Returns `true` if a text begins with a section of Spack's settings, as packages.yaml does.
pub(crate) fn is_settings(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.find(|line| !(line.is_empty() || line.starts_with('#') || *line == "---"));
    let key = first.and_then(|line| line.split_once(':')).map(|(key, _)| key);
    key.is_some_and(|key| SECTIONS.contains(&key))
}

impl fmt::Display for ForeignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForeignFile::Compressed(format) => {
                return write!(
                    f,
                    "this is compressed with {format}, which is not read here; decompress it first (gzip and zstd are read)"
                );
            }
            ForeignFile::Archive(format) => {
                return write!(f, "this is an archive ({format}); unpack it, and bring what is in it");
            }
            ForeignFile::SettingsAsCache(instead) => {
                return write!(
                    f,
                    "these are settings of Spack, which say how to install and not what a cache has; {instead}"
                );
            }
            ForeignFile::Pointer => {
                "this is what Git has in place of the file; fetch the file itself (`git lfs pull`)"
            }
            ForeignFile::Xml => "this is XML, perhaps the answer of a server in place of the file",
            ForeignFile::WideText => "this is text in UTF-16 or UTF-32; save it as UTF-8",
            ForeignFile::SpecInYaml => {
                "this is the spec of a build in YAML, as Spack up to 0.16 wrote it, whose hash no cache of a later Spack \
                 has; bring a spack.lock or a list of specs"
            }
            ForeignFile::Environment => {
                "this is an environment, which says what to install; expected a cache, which has it: a mirror, its \
                 database or a manifest of mirrors"
            }
            ForeignFile::Cache => {
                "this says what a cache or an installation has; expected an environment, which says what is wanted: a \
                 spack.lock, a spack.yaml or a list of specs"
            }
            ForeignFile::Settings => {
                "these are settings of Spack, which say how to install; expected an environment, which says what: a \
                 spack.lock, a spack.yaml or a list of specs"
            }
            ForeignFile::Commands => {
                "these commands of Spack name no specs; bring the spack.lock or spack.yaml of their environment, or lines \
                 with `spack install` or `spack add`"
            }
            ForeignFile::Sources => {
                "this is a mirror of sources, which has no binaries; expected the mirror of a build cache, which has \
                 build_cache or v3 in it"
            }
            ForeignFile::Installation => {
                "this is the database of an installation, not of a cache; `spack buildcache push` puts what is installed \
                 into a cache, and `spack buildcache update-index` makes its database"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_what_is_not_read() {
        #[track_caller]
        fn check(start: &[u8], expected: Option<ForeignFile>) {
            assert_eq!(foreign_file(start), expected);
        }
        check(b"\xfd7zXZ\0\0\x04", Some(ForeignFile::Compressed("xz")));
        check(b"PK\x03\x04\x14", Some(ForeignFile::Archive("zip")));
        check(b"\xff\xfe{\0", Some(ForeignFile::WideText));
        check(b"version https://git-lfs.github.com/spec/v1\n", Some(ForeignFile::Pointer));
        check(b"<?xml version=\"1.0\"?>\n<Error>", Some(ForeignFile::Xml));
        let tar = [&b"mirror/"[..], &[0; 250], b"ustar\x0000"].concat();
        check(&tar, Some(ForeignFile::Archive("tar")));
        let spec = "spec:\n- mpileaks:\n    version: 1.0\n    arch:\n";
        check(spec.as_bytes(), Some(ForeignFile::SpecInYaml));
        check(b"spec:\n- mpileaks\n", None);
        check(b"{\"database\": {", None);
        check(b"", None);
    }
}
