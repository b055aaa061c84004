//! The names that Spack gives to the files of a build in a mirror.

use crate::build::Hash;

/// The folder with the manifests of all builds, in layout v3.
pub const SPECS: &str = "v3/manifests/spec";

/// The end of the name of such a manifest.
pub const SPEC_ENDING: &str = ".spec.manifest.json";

/// Returns the path of the manifest of a build in a mirror of layout v3.
pub fn manifest_path(package: &str, version: &str, hash: Hash) -> String {
    let version = in_file_name(version);
    format!("{SPECS}/{package}/{package}-{version}-{hash}{SPEC_ENDING}")
}

/// Returns a text as it is written in the name of a file: anything but ASCII letters, digits and `_+.-` becomes `_`. So does
/// the `=` of `git.develop=1.3.1`.
pub fn in_file_name(text: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "_+.-".contains(c);
    text.chars().map(|c| if is_kept(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_manifest_as_spack_does() {
        let hash: Hash = "4r2oaaaaaaaaaaaaaaaaaaaaaaaaaaaa".parse().expect("a hash");
        let name = |version: &str| {
            let path = manifest_path("zlib", version, hash);
            path.rsplit_once('/').expect("a path").1.to_owned()
        };
        assert_eq!(name("1.3.1"), format!("zlib-1.3.1-{hash}.spec.manifest.json"));
        assert_eq!(
            name("git.develop=1.3.1"),
            format!("zlib-git.develop_1.3.1-{hash}.spec.manifest.json")
        );
        assert_eq!(
            name("git.releases/v1=1.3"),
            format!("zlib-git.releases_v1_1.3-{hash}.spec.manifest.json")
        );
    }
}
