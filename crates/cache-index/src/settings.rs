//! The settings that affect reuse.
//!
//! These are the settings of Spack's `concretizer:` section, with those parts of `packages:` that
//! decide which externals a machine has. `cache-ingest` reads them from files; [`Settings::default`]
//! is what Spack uses without any.

/// The prefix of the name of an included file in [`Settings::unapplied`].
pub const INCLUDE: &str = "include: ";

/// The prefix of what Spack splices in [`Settings::unapplied`].
pub const SPLICE: &str = "concretizer:splice:";

/// What precedes the specs that are preferred to reuse in [`Settings::unapplied`].
const PREFER: &str = ":prefer: ";

/// The prefix of a requested spec in [`Settings::unapplied`].
pub const ASKED: &str = "specs: ";

/// The prefix of the name of a mirror in [`Settings::unapplied`].
pub const MIRRORS: &str = "mirrors:";

/// The settings that affect reuse.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// What may be reused.
    pub reuse: Reuse,
    /// The entries of `reuse:from` of type `buildcache`. A build is considered if one of them accepts
    /// it; if there is no entry, no build is.
    pub caches: Vec<ReuseSource>,
    /// The requested specs, which matter under [`Reuse::Dependencies`].
    pub asked: Vec<String>,
    /// Which targets the solver may use.
    pub targets: Targets,
    /// Which OS runs what was built on which others, except on Linux: `concretizer:os_compatible`.
    pub os_compatible: Vec<(String, Vec<String>)>,
    /// The namespaces of the user's package repositories.
    pub repositories: Vec<String>,
    /// The externals of `packages.yaml`.
    pub externals: Vec<External>,
    /// Where Spack installs builds: `config:install_tree`. Whether Spack can move a build there is only checked if this
    /// is known.
    pub install_tree: Option<InstallTree>,
    /// The settings that were read but are not applied, as they were written: `packages:all:require: %gcc@12`,
    /// `include: site/packages.yaml`.
    pub unapplied: Vec<String>,
}

/// What may be reused: `concretizer:reuse`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// `true`: everything.
    #[default]
    Everything,
    /// `dependencies`, or a mapping with `roots: false`: nothing that contains a requested spec.
    Dependencies,
    /// `false`: nothing from caches.
    Nothing,
}

impl Reuse {
    /// Returns the name in addresses and on the command line, which is Spack's value.
    pub fn key(self) -> &'static str {
        match self {
            Reuse::Everything => "true",
            Reuse::Dependencies => "dependencies",
            Reuse::Nothing => "false",
        }
    }

    /// Returns the setting with this name.
    pub fn from_key(key: &str) -> Option<Reuse> {
        let all = [Reuse::Everything, Reuse::Dependencies, Reuse::Nothing];
        all.into_iter().find(|reuse| reuse.key() == key)
    }
}

/// Which builds of caches are considered. Both lists contain specs in Spack's language.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReuseSource {
    /// A build must satisfy one of these, unless the list is empty.
    pub include: Vec<String>,
    /// A build must not satisfy any of these.
    pub exclude: Vec<String>,
}

/// Which targets the solver may use: `concretizer:targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Targets {
    /// `true` for the targets that run on the machine; `false` for all of its family.
    pub host_compatible: bool,
    /// `true` for only the targets that belong to no vendor, such as `x86_64_v3`.
    pub only_generic: bool,
}

/// An external of `packages.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct External {
    /// Its spec, such as `cray-mpich@8.1.30`.
    pub spec: String,
    /// The path under which it is installed.
    pub prefix: Option<String>,
    /// The modules to load for it.
    pub modules: Vec<String>,
}

/// An install tree: `config:install_tree`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InstallTree {
    /// Its root, an absolute path.
    pub root: String,
    /// The length that roots are padded to; 0 for no padding.
    pub padded_length: usize,
}

impl InstallTree {
    /// The greatest length that a path can have.
    const LONGEST: usize = 4096;

    /// Returns the install tree with this root; `None` if the root is not an absolute path, or the root or its padding
    /// is too long.
    pub fn new(root: &str, padded_length: usize) -> Option<InstallTree> {
        let root = match root.trim_start().trim_end_matches(|c: char| c == '/' || c.is_whitespace())
        {
            "" => "/",
            root => root,
        };
        let is_path = root.starts_with('/') && root.len().max(padded_length) <= Self::LONGEST;
        is_path.then(|| InstallTree { root: root.to_owned(), padded_length })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            reuse: Reuse::default(),
            caches: vec![ReuseSource::default()],
            asked: Vec::new(),
            targets: Targets { host_compatible: true, only_generic: false },
            os_compatible: Vec::new(),
            repositories: vec!["builtin".to_owned()],
            externals: Vec::new(),
            install_tree: None,
            unapplied: Vec::new(),
        }
    }
}

impl Settings {
    /// Returns what users should know of settings that are not applied, a sentence for each without a full stop.
    pub fn notes(&self) -> Vec<String> {
        let note = |unapplied: &String| match unapplied.strip_prefix(INCLUDE) {
            Some(file) => format!(
                "`{file}` is included, but not read: builds that it excludes are shown as eligible"
            ),
            None if unapplied.starts_with(SPLICE) => format!(
                "`{unapplied}` is not applied: builds that are reused only by splicing are shown as not eligible"
            ),
            None if unapplied.contains(PREFER) => format!(
                "`{unapplied}` is not applied: Spack may build anew rather than reuse what does not satisfy it"
            ),
            None => {
                format!(
                    "`{unapplied}` is not applied: builds that it excludes are shown as eligible"
                )
            }
        };
        self.unapplied.iter().map(note).collect()
    }

    /// Returns the externals on a platform: the user's, and those that Spack's own defaults declare for
    /// every Mac.
    pub fn externals_on(&self, platform: &str) -> Vec<External> {
        let mut externals = self.externals.clone();
        if platform == "darwin" {
            let sdk = "/Library/Developer/CommandLineTools/SDKs/MacOSX.sdk";
            for (spec, prefix) in [
                ("apple-gl@4.1.0", sdk),
                ("apple-glu@1.3.0", sdk),
                ("apple-libunwind@35.3", "/usr"),
                ("apple-libuuid@1353.100.2", sdk),
            ] {
                let (spec, prefix) = (spec.to_owned(), Some(prefix.to_owned()));
                externals.push(External { spec, prefix, modules: Vec::new() });
            }
        }
        externals
    }
}
