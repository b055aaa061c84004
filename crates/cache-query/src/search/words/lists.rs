//! Words that say how those around them are meant.

/// Words that ask for a dependency.
#[rustfmt::skip]
pub(super) const USES: [&str; 19] = [
    "depends", "depend", "depending", "dependent", "uses", "use", "using", "needs", "needing", "required", "requires", "require",
    "requiring", "linked", "links", "linking", "against", "pull", "pulls",
];

/// Words after which *need* asks for a dependency: not in `I need hdf5`.
pub(super) const NEEDING: [&str; 8] =
    ["that", "which", "who", "what", "builds", "packages", "anything", "anyone"];

/// Words that ask for the providers of a virtual package.
pub(super) const PROVIDES: [&str; 4] = ["provide", "provides", "providing", "implements"];

/// Words for the providers of a virtual package: `mpi implementations`, `providers of mpi`.
pub(super) const PROVIDERS: [&str; 4] =
    ["provider", "providers", "implementation", "implementations"];

/// Words that switch a variant off, or exclude a stack, a release or a machine.
#[rustfmt::skip]
pub(super) const WITHOUT: [&str; 11] = [
    "without", "no", "not", "neither", "nor", "minus", "disable", "except", "exclude", "excluding", "outside",
];

/// Words that make a dependency a direct one.
pub(super) const DIRECTLY: [&str; 2] = ["directly", "direct"];

/// Words that exclude what stands before them, at the end of a text.
pub(super) const LACKING: [&str; 4] = ["lacks", "lack", "lacking", "disabled"];

/// Words after *not* that exclude nothing: `why is hdf5 not available for rhel8`.
pub(super) const THERE: [&str; 4] = ["available", "there", "here", "supported"];

/// Words after *not* that ask what a machine does: `what does not run on rhel8`.
pub(super) const RUNNING: [&str; 5] = ["run", "runs", "running", "work", "works"];

/// Words that say nothing.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "with", "for", "on", "upon", "and", "but", "in", "of", "the", "a", "an", "any", "to", "by", "from", "that", "which", "is",
    "are", "there", "do", "does", "i", "we", "you", "have", "has", "need", "want", "looking", "find", "search", "get",
    "build", "builds", "built", "compiled", "library", "libraries", "backend", "made", "package", "packages", "binary", "binaries", "prebuilt", "version",
    "versions", "support", "supported", "enabled", "enable", "variant", "compiler", "compilers", "os", "arch", "architecture", "cpu",
    "please", "how", "install", "latest", "newest", "many", "number", "count", "code", "as", "my", "machine", "run", "runs", "running", "works", "spack", "only", "gpu",
    "dependencies", "our", "nodes", "cluster", "gpus", "stack", "what", "everything", "anything", "all", "can", "at", "least", "most", "who", "where", "me", "us", "show", "list", "give", "it", "some", "available",
    "used", "stacks", "releases", "software", "things", "oldest", "both", "either", "why", "contain", "contains", "include",
    "includes", "per", "each", "every", "this", "here", "cache", "exist", "exists", "best",
    "recommended", "good", "still", "right", "suitable", "often", "common", "commonly", "frequently", "popular",
];

/// Words after *which* that make a text a question. There is also a package `which`.
#[rustfmt::skip]
pub(super) const ASKED: &[&str] = &[
    "build", "builds", "package", "packages", "binary", "binaries", "version", "versions", "stack", "stacks", "release", "releases", "compiler", "compilers",
    "target", "targets", "is", "are", "do",
    "does", "can", "have", "has", "run", "runs", "works",
];

/// Words that ask for a compiler if one of the words below follows.
pub(super) const BUILT: [&str; 5] = ["built", "build", "builds", "compiled", "made"];
pub(super) const BUILT_WITH: [&str; 3] = ["with", "by", "using"];

/// Words after *and* that begin something else, to which an exclusion before them does not apply: `not in e4s and for zen3`.
#[rustfmt::skip]
pub(super) const BEGINNING: [&str; 23] = [
    "with", "for", "on", "in", "are", "is", "have", "has", "use", "uses", "using", "need", "needs", "link", "links", "depend",
    "depends", "support", "supports", "built", "compiled", "made", "run",
];

/// Words before a variant that builds have: `packages that support mpi`.
pub(super) const HAVING: [&str; 6] = ["have", "has", "having", "support", "supports", "supporting"];
