//! The names of files that belong to packages.
//!
//! The names of packages come from outside, and not every name can be that of a file. Spack's own names consist of letters,
//! digits, `-` and `_`, which every file system and every address supports.

use std::collections::BTreeSet;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};

/// The longest name, in bytes, so that an ending still fits.
const LONGEST: usize = 200;

/// A package, and the name of its files without their ending.
pub(super) struct PackageFiles {
    pub(super) package: ValueCode,
    /// `None` if the name of the package cannot be that of a file.
    pub(super) file: Option<String>,
}

/// Returns packages with the names of their files.
pub(super) fn files_by_package(
    index: &Index,
    packages: impl Iterator<Item = ValueCode>,
) -> impl Iterator<Item = PackageFiles> {
    // Some file systems do not distinguish `R` from `r`.
    let mut taken = BTreeSet::new();
    packages.map(move |package| {
        let name = index.dictionary(Facet::Package).text(package);
        let is_free = is_file_name(name) && taken.insert(name.to_ascii_lowercase());
        PackageFiles { package, file: is_free.then(|| name.to_owned()) }
    })
}

/// Returns `true` if a file can have this name on every system.
pub(crate) fn is_file_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=LONGEST).contains(&name.len())
        && name.bytes().all(is_plain)
        && !name.starts_with('-')
        && !is_device(name)
}

/// Returns `true` if Windows reserves this name, with any ending.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_numbered = |device: &str| {
        name.strip_prefix(device)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    ["con", "prn", "aux", "nul"].contains(&name.as_str())
        || is_numbered("com")
        || is_numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::is_file_name;

    #[test]
    fn takes_only_names_that_a_file_can_have_everywhere() {
        for name in ["hdf5", "py-torch", "R", "libx11_1", "7zip", "com10", "console"] {
            assert!(is_file_name(name), "{name}");
        }
        let long = "a".repeat(201);
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "a b",
            "-rf",
            "zlib.json",
            "ä",
            "nul",
            "COM1",
            &long,
        ] {
            assert!(!is_file_name(name), "{name}");
        }
    }
}
