//! The virtual packages of Spack's own repository.
//!
//! A virtual package is a name that recipes depend on and that several packages provide. Recipes declare which ones do;
//! builds do not, since an edge only records what the dependency was used for. The names are kept here so that a
//! question for builds of `mpi` is not answered with "there are none".

/// The names in the `provides` directives of spack-packages of July 2026. Sorted.
const KNOWN: [&str; 52] = [
    "armci",
    "awk",
    "blas",
    "c",
    "cxx",
    "daal",
    "elf",
    "fftw-api",
    "flame",
    "fortran",
    "fortran-rt",
    "fuse",
    "gl",
    "glu",
    "go-or-gccgo-bootstrap",
    "golang",
    "iconv",
    "ipp",
    "java",
    "jpeg",
    "lapack",
    "libc",
    "libgfortran",
    "libglx",
    "libifcore",
    "libllvm",
    "lua-lang",
    "luajit",
    "mariadb-client",
    "mkl",
    "mpe",
    "mpi",
    "mysql-client",
    "onedal",
    "opencl",
    "pbs",
    "pil",
    "pkgconfig",
    "qmake",
    "rpc",
    "scalapack",
    "sycl",
    "szip",
    "tbb",
    "unwind",
    "uuid",
    "wasi-sdk",
    "xkbdata-api",
    "xxd",
    "yacc",
    "ziglang",
    "zlib-api",
];

/// The virtual packages that compilers provide on an edge: the languages.
pub const LANGUAGES: [&str; 3] = ["c", "cxx", "fortran"];

/// Returns `true` if Spack's own repository has a virtual package of that name.
///
/// ```
/// use spack_spec::is_virtual;
///
/// assert!(is_virtual("mpi") && !is_virtual("mpich"));
/// ```
pub fn is_virtual(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok()
}
