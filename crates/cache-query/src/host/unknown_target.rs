//! A machine's target that neither Spack nor the cache knows, so that no verdict is possible.

use std::fmt;

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::{Target, nearest};

use super::Host;

/// A target that neither Spack nor a cache has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTarget {
    /// Its name.
    pub name: String,
    /// The known target that was perhaps meant.
    pub instead: Option<String>,
}

impl UnknownTarget {
    /// Returns the problem with the name of a target, unless Spack or the cache has a target of this name.
    pub fn find(index: &Index, name: &str) -> Option<UnknownTarget> {
        let of_cache = index.dictionary(Facet::Target);
        if Target::named(name).is_some() || of_cache.code(name).is_some() {
            return None;
        }
        let of_cache = of_cache.values().iter().map(String::as_str);
        let of_spack = Target::all().map(|target| target.name());
        let instead = nearest(name, of_spack.chain(of_cache));
        Some(UnknownTarget { name: name.to_owned(), instead: instead.map(str::to_owned) })
    }
}

impl Host {
    /// Returns the problem with the machine's target, if it makes a verdict on any build impossible.
    pub fn unknown_target(&self, index: &Index) -> Option<UnknownTarget> {
        UnknownTarget::find(index, &self.target)
    }
}

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownTarget { name, instead } = self;
        match instead {
            Some(instead) => write!(f, "unknown target `{name}`: did you mean `{instead}`?"),
            None => write!(f, "unknown target `{name}`: expected one such as zen4"),
        }
    }
}

impl std::error::Error for UnknownTarget {}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    #[test]
    fn suggests_targets_of_spack_and_of_the_cache() {
        let build = Build { target: "nextgen1".to_owned(), ..sample::one("zlib", "1.3") };
        let index = pack(About::default(), [build]).expect("an index");
        let check = |name: &str, expected: Option<&str>| {
            let problem = UnknownTarget::find(&index, name).map(|problem| problem.to_string());
            assert_eq!(problem.as_deref(), expected);
        };
        check("zen3", None);
        check("nextgen1", None);
        check("zen33", Some("unknown target `zen33`: did you mean `zen3`?"));
        check("nextgen2", Some("unknown target `nextgen2`: did you mean `nextgen1`?"));
        check("alien", Some("unknown target `alien`: expected one such as zen4"));
    }
}
