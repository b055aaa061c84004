//! What Spack can build from source where a cache has no binary.

use std::fmt;

use cache_index::facet::Facet;
use cache_index::index::{Index, OtherPackages};
use cache_query::search::{Asked, Search, letters};

/// A package that Spack can build, and that a cache has no binary of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSource {
    /// Its name.
    pub package: String,
    /// Its newest release that is not deprecated; `None` if it has none.
    pub newest: Option<String>,
}

impl FromSource {
    /// Returns what Spack can build of a package; `None` if the cache has a binary of it, or no recipe is known.
    pub fn of(index: &Index, package: &str) -> Option<FromSource> {
        let newest = match index.dictionary(Facet::Package).code(package) {
            None => index.other_packages()?.newest_of(package)?,
            Some(code) if index.rows_of(code).any(|row| index.has_binary(row)) => return None,
            Some(code) => index.recipe_list()?.of(code)?.newest.unwrap_or_default(),
        };
        let newest = Some(newest.to_owned()).filter(|newest| !newest.is_empty());
        Some(FromSource { package: package.to_owned(), newest })
    }

    /// Returns what Spack can build of the package that a typed text names: a spec, or a word that differs from the name
    /// only in capitals and separators.
    pub fn named(index: &Index, others: &OtherPackages, text: &str) -> Option<FromSource> {
        let name = match Search::read(index, text).asked {
            Asked::Words(words) => match &words[..] {
                [word] => word.clone(),
                _ => return None,
            },
            Asked::Spec(spec) => spec.root.name.clone()?.to_string(),
            Asked::Anything | Asked::Hash(_) => return None,
        };
        FromSource::of(index, &name).or_else(|| {
            let plain: Vec<u8> = letters(&name).filter(|letter| *letter != b'.').collect();
            let mut names = others.names.iter();
            let same = names.find(|other| letters(other).eq(plain.iter().copied()))?;
            FromSource::of(index, same)
        })
    }

    /// Returns the command that builds it.
    pub fn command(&self) -> String {
        match &self.newest {
            Some(newest) => format!("spack install {}@{newest}", self.package),
            None => format!("spack install {}", self.package),
        }
    }
}

impl fmt::Display for FromSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FromSource { package, newest } = self;
        let version = newest.as_ref().map(|newest| format!(" {newest}")).unwrap_or_default();
        write!(f, "Spack can build {package}{version} from source; this cache has no binary of it")
    }
}
