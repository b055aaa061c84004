//! The virtual packages of Spack's own repository.
//!
//! A virtual package is a name to depend on that several packages provide. Recipes declare which ones do; builds do
//! not, since an edge only records what the dependency was used for. The names are kept here so that a question for
//! builds of `mpi` is not answered with "there are none".

/// Sorted.
const KNOWN: [&str; 56] = [
    "D",
    "armci",
    "awk",
    "blas",
    "c",
    "cuda-lang",
    "cxx",
    "daal",
    "egl",
    "elf",
    "fftw-api",
    "flame",
    "fortran",
    "fortran-rt",
    "fuse",
    "gl",
    "glu",
    "glx",
    "go-or-gccgo-bootstrap",
    "golang",
    "hip-lang",
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
    "osmesa",
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
    "xkbdata-api",
    "xxd",
    "yacc",
    "zlib-api",
];

/// Returns `true` if Spack's own repository has a virtual package of that name.
///
/// ```
/// use spack_spec::satisfy::index::is_known_virtual;
///
/// assert!(is_known_virtual("mpi") && !is_known_virtual("mpich"));
/// ```
pub fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok()
}

#[test]
fn keeps_the_names_sorted() {
    assert!(KNOWN.is_sorted());
}
