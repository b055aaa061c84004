//! A preference as pairs of keys and values, which addresses consist of.

use cache_index::settings::{External, InstallTree, Reuse, ReuseSource, Settings, Targets};

use super::Preference;
use crate::push_once;

/// The values of `reuse.from`: a build cache, or no build cache.
const FROM_CACHE: &str = "buildcache";
const FROM_NO_CACHE: &str = "none";
/// The values of `reuse.targets`.
const GENERIC: &str = "generic";
const FAMILY: &str = "family";

impl Preference {
    /// All keys.
    pub(crate) const KEYS: [&str; 16] = [
        "spack",
        "reuse",
        "reuse.from",
        "reuse.include",
        "reuse.exclude",
        "reuse.root",
        "reuse.targets",
        "reuse.os",
        "reuse.compatible",
        "reuse.repository",
        "reuse.external",
        "reuse.prefix",
        "reuse.module",
        "reuse.unapplied",
        "tree",
        "tree.padded",
    ];

    /// Writes what differs from the default, pair by pair.
    #[inline(never)] // A first visit does without it, see `crates/split`.
    pub(crate) fn write_pairs(&self, pair: &mut dyn FnMut(&str, &str)) {
        let default = Preference::default();
        let Preference { spack, settings } = self;
        if *spack != default.spack {
            pair("spack", &spack.to_string());
        }
        let Settings {
            reuse,
            caches,
            asked,
            targets,
            os_compatible,
            repositories,
            externals,
            install_tree,
            unapplied,
        } = settings;
        if *reuse != default.settings.reuse {
            pair("reuse", reuse.key());
        }
        if caches.is_empty() {
            pair("reuse.from", FROM_NO_CACHE);
        }
        for ReuseSource { include, exclude } in caches {
            if caches.len() > 1 {
                pair("reuse.from", FROM_CACHE);
            }
            include.iter().for_each(|spec| pair("reuse.include", spec));
            exclude.iter().for_each(|spec| pair("reuse.exclude", spec));
        }
        asked.iter().for_each(|spec| pair("reuse.root", spec));
        if targets.only_generic {
            pair("reuse.targets", GENERIC);
        }
        if !targets.host_compatible {
            pair("reuse.targets", FAMILY);
        }
        for (os, others) in os_compatible {
            pair("reuse.os", os);
            others.iter().for_each(|other| pair("reuse.compatible", other));
        }
        let known = &default.settings.repositories;
        let added = repositories.iter().filter(|repository| !known.contains(repository));
        added.for_each(|repository| pair("reuse.repository", repository));
        for External { spec, prefix, modules } in externals {
            pair("reuse.external", spec);
            prefix.iter().for_each(|prefix| pair("reuse.prefix", prefix));
            modules.iter().for_each(|module| pair("reuse.module", module));
        }
        unapplied.iter().for_each(|unapplied| pair("reuse.unapplied", unapplied));
        if let Some(InstallTree { root, padded_length }) = install_tree {
            pair("tree", root);
            if *padded_length > 0 {
                pair("tree.padded", &padded_length.to_string());
            }
        }
    }

    /// Reads one pair; returns `None` if it was not understood.
    #[inline(never)] // A first visit does without it, see `crates/split`.
    pub(crate) fn read_pair(&mut self, key: &str, value: &str) -> Option<()> {
        let Preference { spack, settings } = self;
        let Settings {
            reuse,
            caches,
            asked,
            targets,
            os_compatible,
            repositories,
            externals,
            install_tree,
            unapplied,
        } = settings;
        match key {
            "spack" => *spack = value.parse().ok()?,
            "reuse" => *reuse = Reuse::from_key(value)?,
            "reuse.from" => match value {
                FROM_NO_CACHE => caches.clear(),
                // The first one names the source that is there by default.
                FROM_CACHE if *caches == [ReuseSource::default()] => {}
                FROM_CACHE => caches.push(ReuseSource::default()),
                _ => return None,
            },
            "reuse.include" => push_spec(&mut caches.last_mut()?.include, value),
            "reuse.exclude" => push_spec(&mut caches.last_mut()?.exclude, value),
            "reuse.root" => push_spec(asked, value),
            "reuse.targets" => match value {
                GENERIC => *targets = Targets { only_generic: true, ..*targets },
                FAMILY => *targets = Targets { host_compatible: false, ..*targets },
                _ => return None,
            },
            "reuse.os" => os_compatible.push((value.to_owned(), Vec::new())),
            "reuse.compatible" => push_once(&mut os_compatible.last_mut()?.1, value),
            "reuse.repository" => push_once(repositories, value),
            "reuse.external" => {
                externals.push(External { spec: value.to_owned(), ..External::default() });
            }
            "reuse.prefix" => externals.last_mut()?.prefix = Some(value.to_owned()),
            "reuse.unapplied" => push_once(unapplied, value),
            "tree" => *install_tree = Some(InstallTree::new(value, 0)?),
            "tree.padded" => {
                let root = &install_tree.as_ref()?.root;
                *install_tree = Some(InstallTree::new(root, value.parse().ok()?)?);
            }
            "reuse.module" => push_once(&mut externals.last_mut()?.modules, value),
            _ => return None,
        }
        Some(())
    }
}

/// Adds a spec. A program may have turned its leading `+` into a space.
fn push_spec(list: &mut Vec<String>, value: &str) {
    match value.strip_prefix(' ') {
        Some(variant) => push_once(list, &format!("+{variant}")),
        None => push_once(list, value),
    }
}
