//! Names, versions and variants of real packages, for caches that look real.
//!
//! Each line of `catalogue.txt` has a package's name, its build system, its newest versions, oldest first, and the
//! names of its boolean variants. The data is from Spack's package repository in July 2026. Packages that most others
//! depend on come first, because a generated package mostly depends on early ones.

/// A real package.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) system: &'static str,
    pub(crate) versions: Vec<&'static str>,
    pub(crate) variants: Vec<&'static str>,
}

/// Returns all packages.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    include_str!("catalogue.txt").lines().filter_map(|line| {
        let mut fields = line.split(' ');
        let (name, system) = (fields.next()?, fields.next()?);
        let mut list = || fields.next().map_or_else(Vec::new, |list| list.split(',').collect());
        Some(Entry { name, system, versions: list(), variants: list() })
    })
}
