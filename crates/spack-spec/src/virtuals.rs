//! The virtual packages of Spack's own repository.
//!
//! A virtual package is a name to depend on that several packages provide. Which do is written in
//! recipes, and not in what is built from them: a build's edges tell only what it stood for where
//! it was used. So that a question for builds of `mpi` is not answered "there are none", the names
//! themselves are kept here.

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

/// Whether Spack's own repository has a virtual package of that name.
pub fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok()
}

#[test]
fn the_names_are_sorted() {
    assert!(KNOWN.is_sorted());
}
