//! Other names of a package: in distributions of Linux and of Python, in imports of code, and the names of its
//! programs.

use cache_index::index::Index;

use super::is_package;

/// Names that do not resemble those of packages, each with the packages that may be meant. The first one in the index
/// is suggested.
const OTHER_NAMES: [(&str, &[&str]); 41] = [
    // What Python imports.
    ("bs4", &["py-beautifulsoup4"]),
    ("cv2", &["py-opencv-python", "opencv"]),
    ("opencv-python", &["py-opencv-python", "opencv"]),
    ("opencv-python-headless", &["py-opencv-python-headless", "opencv"]),
    ("pil", &["py-pillow"]),
    ("skimage", &["py-scikit-image"]),
    ("sklearn", &["py-scikit-learn"]),
    ("yaml", &["py-pyyaml", "libyaml"]),
    // Programs.
    ("c++", &["gcc"]),
    ("g++", &["gcc"]),
    ("gfortran", &["gcc"]),
    ("clang", &["llvm"]),
    ("clang++", &["llvm"]),
    ("flang", &["llvm"]),
    ("lld", &["llvm"]),
    ("h5dump", &["hdf5"]),
    ("h5ls", &["hdf5"]),
    ("h5pcc", &["hdf5"]),
    ("hipcc", &["hip"]),
    ("icpx", &["intel-oneapi-compilers"]),
    ("icx", &["intel-oneapi-compilers"]),
    ("ifx", &["intel-oneapi-compilers"]),
    ("lmp", &["lammps"]),
    ("mpicc", &["openmpi", "mpich"]),
    ("mpicxx", &["openmpi", "mpich"]),
    ("mpif90", &["openmpi", "mpich"]),
    ("mpiexec", &["openmpi", "mpich"]),
    ("mpirun", &["openmpi", "mpich"]),
    ("nc-config", &["netcdf-c"]),
    ("ncdump", &["netcdf-c"]),
    ("nf-config", &["netcdf-fortran"]),
    ("nvcc", &["cuda"]),
    ("pvbatch", &["paraview"]),
    ("pvpython", &["paraview"]),
    ("pvserver", &["paraview"]),
    // Libraries.
    ("cudatoolkit", &["cuda"]),
    ("eigen3", &["eigen"]),
    ("mkl", &["intel-oneapi-mkl"]),
    ("netcdf", &["netcdf-c"]),
    ("netcdff", &["netcdf-fortran"]),
    ("pnetcdf", &["parallel-netcdf"]),
];

/// The prefixes that distributions add to the names of libraries.
const BEFORE: [&str; 2] = ["lib", "nvidia-"];

/// The shortest beginning of a name that may be meant: `r` is a package, and begins the names of thousands.
const SHORTEST: usize = 3;

/// Returns the package that others call by this name.
pub(super) fn called(index: &Index, name: &str) -> Option<String> {
    let (_, packages) = OTHER_NAMES.iter().find(|(other, _)| *other == name)?;
    packages.iter().find(|package| is_package(index, package)).map(ToString::to_string)
}

/// Returns the package of a distribution's package: `hdf5` for `libhdf5-dev`, `py-numpy` for `python3-numpy`.
pub(super) fn of_distribution(index: &Index, name: &str) -> Option<String> {
    let core = ["-devel", "-dev"].into_iter().find_map(|end| name.strip_suffix(end));
    let core = core.unwrap_or(name);
    let python = ["python3-", "python-"].into_iter().find_map(|start| core.strip_prefix(start));
    let python = python.map(|rest| format!("py-{rest}"));
    let mut names = python.into_iter().chain([core.to_owned(), without_start(core).to_owned()]);
    let is_it = |found: &String| is_package(index, found);
    names.find(is_it).or_else(|| called(index, without_start(core)))
}

/// Returns the package whose name, perhaps with the number of a version, begins another: `boost` for `libboost-all-dev`,
/// `openblas` for `libopenblas64-pthread`, `slepc` for `slepc-complex`.
pub(super) fn begins(index: &Index, name: &str) -> Option<String> {
    let whole = without_start(name);
    let ends = whole.match_indices('-').map(|(at, _)| at).chain([whole.len()]);
    let mut names: Vec<&str> = ends.map(|end| &whole[..end]).collect();
    names.reverse();
    let without_number =
        |name: &&'_ str| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let all = names.into_iter().flat_map(|name| [name, &name[..without_number(&name)]]);
    let mut long = all.filter(|name| name.len() >= SHORTEST && *name != "lib");
    long.find_map(|name| {
        let found = is_package(index, name).then(|| name.to_owned());
        found.or_else(|| called(index, name))
    })
}

fn without_start(name: &str) -> &str {
    BEFORE.into_iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name)
}
