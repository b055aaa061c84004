//! The install tree that a build is moved into.

use cache_index::settings::InstallTree;
use cache_index::spack::SpackVersion;
use cache_query::Setup;

/// What Spack pads the roots of install trees with.
const PADDING: &str = "__spack_path_placeholder__";

/// An install tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// Its root, with its padding.
    pub root: String,
    /// Its root without the padding, where Spack has `bin/sbang`.
    pub unpadded: String,
    /// `true` if patchelf is available there, `None` if that is not known. Spack builds it if it may bootstrap.
    pub patchelf: Option<bool>,
    /// The Spack that installs there. Where builds are below the root follows from it, unless its settings say otherwise.
    pub spack: SpackVersion,
}

impl Destination {
    /// Returns the install tree of a setup, if it is known.
    pub fn of(setup: &Setup) -> Option<Destination> {
        let InstallTree { root, padded_length } = setup.settings.install_tree.as_ref()?;
        let root = Destination::new(root);
        let padded = match padded_length {
            0 => root,
            &length => root.padded(length),
        };
        Some(Destination { spack: setup.spack, ..padded })
    }

    /// Returns the install tree with this root, as `config:install_tree:root` has it, or with its padding.
    pub fn new(root: &str) -> Destination {
        let root = match root.trim_end_matches('/') {
            "" => "/",
            root => root,
        };
        let unpadded = root.split_once(&format!("/{PADDING}")).map_or(root, |(start, _)| start);
        let (root, unpadded) = (root.to_owned(), unpadded.to_owned());
        Destination { root, unpadded, patchelf: None, spack: SpackVersion::TODAY }
    }

    /// Returns the same install tree with a `config:install_tree:padded_length`.
    pub fn padded(self, length: usize) -> Destination {
        let Some(missing @ 1..) = length.checked_sub(self.unpadded.len() + 1) else {
            return Destination { root: self.unpadded.clone(), ..self };
        };
        let mut root = self.unpadded.clone();
        root.push('/');
        root.extend(format!("{PADDING}/").chars().cycle().take(missing));
        if root.ends_with('/') {
            root.pop();
            root.push('_');
        }
        Destination { root, ..self }
    }

    /// Returns the prefix of a build there.
    pub fn prefix(&self, relative: &str) -> String {
        format!("{}/{relative}", self.root.trim_end_matches('/'))
    }
}
