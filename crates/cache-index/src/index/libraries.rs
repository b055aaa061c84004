//! The libraries that a build needs but that nothing provides: neither the build, nor what it is linked with or runs, nor
//! the libc.

use std::collections::BTreeSet;

use super::{BuildId, EdgeTarget, Index};
use crate::facet::Facet;
use crate::facts::{EntryKind, Facts, FactsOf};

/// The libraries that a libc and the kernel provide, as beginnings of names.
const LIBC: [&str; 20] = [
    "ld-linux",
    "ld64.so",
    "ld-musl",
    "linux-vdso",
    "libc.so",
    "libc.musl",
    "libm.so",
    "libmvec.so",
    "libdl.so",
    "libpthread.so",
    "librt.so",
    "libutil.so",
    "libresolv.so",
    "libanl.so",
    "libnsl.so",
    "libnss_",
    "libcrypt.so.1",
    "libthread_db.so",
    "libBrokenLocale.so",
    "libSegFault.so",
];

/// The libraries of drivers, which are on the machine.
const DRIVERS: [&str; 5] = ["libcuda.so", "libnvidia-", "libnvcuvid.so", "libdrm", "libze_"];

/// The libraries of a compiler, if its runtime is not a package of its own, as in Spack before 0.22.
const RUNTIME: [&str; 7] = [
    "libgcc_s.so",
    "libstdc++.so",
    "libgomp.so",
    "libgfortran.so",
    "libquadmath.so",
    "libatomic.so",
    "libasan.so",
];

/// A library that is missing, and a file that needs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingLibrary {
    /// The library.
    pub library: String,
    /// A file that needs it.
    pub file: String,
}

/// Returns the libraries that nothing provides. `None` if that is not known: binaries have not been inspected, or the
/// build needs parts of the machine other than its libc.
pub fn missing_libraries(
    index: &Index,
    facts: &FactsOf<'_>,
    build: BuildId,
) -> Option<BTreeSet<MissingLibrary>> {
    let of = |build: BuildId| facts(index.hash(build)?).filter(|facts| !facts.is_partial);
    let own = of(build)?;
    let mut provided: BTreeSet<&str> = names(own).collect();
    let mut has_runtime = false;
    for target in index.closure(build)? {
        let EdgeTarget::Build(lower) = target else { return None };
        let row = index.row_of(lower);
        let package = index.text(row, Facet::Package);
        if index.origin(row).external {
            match package {
                "glibc" | "musl" => continue,
                _ => return None,
            }
        }
        has_runtime |= package.ends_with("-runtime");
        provided.extend(names(of(lower)?));
    }
    let begins = |library: &str, all: &[&str]| all.iter().any(|start| library.starts_with(start));
    let is_there = |library: &str| {
        provided.contains(library)
            || begins(library, &LIBC)
            || begins(library, &DRIVERS)
            || (!has_runtime && begins(library, &RUNTIME))
    };
    let mut missing = BTreeSet::new();
    for object in own.objects.iter().filter(|object| object.format == "elf") {
        // Run paths that point elsewhere may find anything.
        let root = own.relocation.root.as_str();
        let leads_elsewhere = |path: &str| path.starts_with('/') && !path.starts_with(root);
        if object.rpath.iter().flat_map(|paths| paths.split(':')).any(leads_elsewhere) {
            continue;
        }
        for library in object.needed.iter().filter(|library| !is_there(library)) {
            missing.insert(MissingLibrary { library: library.clone(), file: object.path.clone() });
        }
    }
    Some(missing)
}

/// Returns the names by which the libraries of a build can be needed: their own, and those of files and links.
fn names(facts: &Facts) -> impl Iterator<Item = &str> {
    let own = facts.objects.iter().filter_map(|object| object.soname.as_deref());
    let files = facts.files.iter().filter(|entry| entry.kind != EntryKind::Dir);
    let files = files.filter_map(|entry| entry.path.rsplit('/').next());
    own.chain(files.filter(|name| name.contains(".so")))
}
