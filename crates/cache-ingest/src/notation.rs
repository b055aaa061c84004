//! How Spack prints the compiler of a build as text. [`spack_spec`] reads variants.
//!
//! A compiler is `gcc@13.2.0`, `gcc@=13.2.0` (the same), `gcc@13.2.0/<hash>` (Spack 1.x, with the hash of the
//! compiler's own build) or `none`; all of them occur in real pages.

use spack_spec::is_hash_part;

/// Reads the name and version of a compiler; `None` for `none`.
///
/// Any other text is kept as it is, because Spack decides which compilers there are.
pub(crate) fn compiler(text: &str) -> Option<String> {
    if text == "none" {
        return None;
    }
    let text = match text.rsplit_once('/') {
        Some((compiler, suffix)) if is_hash_part(suffix) => compiler,
        _ => text,
    };
    Some(text.replacen("@=", "@", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling_of_a_compiler() {
        #[track_caller]
        fn check(text: &str, expected: Option<&str>) {
            assert_eq!(compiler(text).as_deref(), expected);
        }
        check("gcc@13.2.0", Some("gcc@13.2.0"));
        check("gcc@=13.2.0", Some("gcc@13.2.0"));
        check("gcc@13.2.0/3xvdegzhhlfqhgdipdqyjhyp2kyu6dqa", Some("gcc@13.2.0"));
        check("gcc@=13.2.0/3xvdegz", Some("gcc@13.2.0"));
        check("intel-oneapi-compilers@2024.2.1", Some("intel-oneapi-compilers@2024.2.1"));
        check("none", None);
        check("gcc", Some("gcc"));
        check("<b>@1</b>", Some("<b>@1</b>"));
    }
}
