//! Error messages of programs and of Spack that people paste into the search.

/// Parts of messages, in lower case, each with its cause and a remedy.
const MESSAGES: [(&str, &str); 6] = [
    ("glibc_2.", NEWER_LIBC),
    (
        "glibcxx_3.",
        "A C++ library older than that of the build was found first: load gcc-runtime from this cache, or a newer gcc",
    ),
    (
        "illegal instruction",
        "A build for a newer processor than this one ends so: state your machine in “My machine”, and see which builds run on it",
    ),
    (
        "no kernel image is available",
        "A build without code for this GPU says so: state your GPU in “My machine”, and see which builds have code for it",
    ),
    ("path too long", LONG_PATH),
    ("relocate binary", LONG_PATH),
];

const NEWER_LIBC: &str = "A build for a newer glibc than that of this machine says so: state your machine in “My machine”, and see which builds run on it";
const LONG_PATH: &str = "Spack cannot move a binary to a path that is longer than the one it was built for: a shorter root of your install tree helps";

/// Returns the cause of a message in lower case and a remedy, as a sentence without a full stop; `None` if it is unknown.
pub(super) fn said_of(message: &str) -> Option<&'static str> {
    MESSAGES.iter().find(|(part, _)| message.contains(part)).map(|(_, said)| *said)
}
