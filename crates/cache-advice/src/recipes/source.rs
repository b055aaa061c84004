//! What Spack can build from source where a cache has no binary.

use std::fmt;

use crate::choosing::AskedSpec;
use cache_index::facet::Facet;
use cache_index::index::{Index, OtherPackages};
use cache_query::Question;
use cache_query::search::{Search, TextMeaning, asks_nothing, letters, similar_package};
use spack_spec::{Version, VersionConstraint, is_one_slip, nearest, shell_word};

/// A package that Spack can build, and that a cache has no binary of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSource {
    /// Its name.
    pub package: String,
    /// Its newest release that is not deprecated; `None` if it has none.
    pub newest: Option<String>,
    /// `true` unless another version was asked for: which others Spack has is not known here.
    pub is_asked_for: bool,
    /// `true` if all that the cache has of it was found on the machines that it was built on.
    pub is_external: bool,
    /// The spec that was asked for, if it asks for more than the package.
    pub spec: Option<String>,
}

/// The minimum length of a name that may be a typo: a shorter one is as likely another name.
const SHORTEST: usize = 5;

impl FromSource {
    /// Returns what Spack can build of a package; `None` if the cache has a binary of it, or no recipe is known.
    pub fn of(index: &Index, package: &str) -> Option<FromSource> {
        let code = index.dictionary(Facet::Package).code(package);
        let newest = match code {
            None => index.other_packages()?.newest_of(package)?,
            Some(code) if index.rows_of(code).any(|row| index.has_binary(row)) => return None,
            Some(code) => index.recipe_list()?.of(code)?.newest.unwrap_or_default(),
        };
        let newest = Some(newest.to_owned()).filter(|newest| !newest.is_empty());
        let is_external =
            code.is_some_and(|code| index.rows_of(code).all(|row| index.origin(row).external));
        let package = package.to_owned();
        Some(FromSource { package, newest, is_asked_for: true, is_external, spec: None })
    }

    /// Returns the same with the spec that a question asks for, if this asks for more than the package.
    #[must_use]
    pub fn asked_in(self, index: &Index, question: &Question) -> FromSource {
        let asked = AskedSpec::of_any(index, question);
        let asks_more =
            |(name, asked): &(String, AskedSpec)| *name == self.package && asked.spec != *name;
        let spec = asked.filter(asks_more).map(|(_, asked)| asked.spec);
        let spec = spec.or_else(|| with_variants(index, &self.package, &question.text));
        FromSource { spec, ..self }
    }

    /// Returns the same for a user who asked for one of these versions.
    #[must_use]
    pub fn asked_as(self, versions: &[VersionConstraint]) -> FromSource {
        let newest = self.newest.as_ref().and_then(|newest| newest.parse::<Version>().ok());
        let is_asked_for = match &newest {
            Some(newest) => versions.iter().any(|versions| versions.matches(newest)),
            None => versions.iter().any(VersionConstraint::is_any),
        };
        FromSource { is_asked_for, ..self }
    }

    /// Returns what Spack can build of the package that a typed text names: a spec, or a word that differs from the name
    /// only in capitals and separators.
    pub fn named(index: &Index, others: &OtherPackages, text: &str) -> Option<FromSource> {
        let (name, versions) = asked_for(index, text)?;
        let found = FromSource::of(index, &name).or_else(|| {
            let plain: Vec<u8> = letters(&name).filter(|letter| *letter != b'.').collect();
            let mut names = others.names.iter();
            let same = names.find(|other| letters(other).eq(plain.iter().copied()));
            // A typo in the name of a package that the cache does not have either, if the text asks for nothing else.
            let meant = || {
                let is_all = text.trim().eq_ignore_ascii_case(&name) && name.len() >= SHORTEST;
                let is_like_cached = || similar_package(index, &name).is_some();
                let names = others.names.iter().map(String::as_str);
                let is_meant =
                    |other: &&str| is_all && is_one_slip(&name, other) && !is_like_cached();
                nearest(&name, names).filter(is_meant)
            };
            FromSource::of(index, same.map(String::as_str).or_else(meant)?)
        });
        Some(found?.asked_as(&[versions]))
    }

    /// Returns what Spack can build of the package with exactly the typed name, if another package was opened because
    /// its name contains it: `vtk`, if only vtk-m is here.
    pub fn instead_of(index: &Index, opened: &str, text: &str) -> Option<FromSource> {
        let (name, versions) = asked_for(index, text).filter(|(name, _)| name != opened)?;
        Some(FromSource::of(index, &name)?.asked_as(&[versions]))
    }

    /// Returns the command that builds it, and what the command does. If another version was asked for, the command
    /// shows which versions Spack has.
    pub fn command(&self) -> (&'static str, String) {
        let package = &self.package;
        match &self.newest {
            _ if self.is_external => {
                ("Spack looks for it on your machine", format!("spack external find {package}"))
            }
            _ if !self.is_asked_for => {
                ("Spack shows its versions", format!("spack info {package}"))
            }
            newest => {
                let newest = newest.iter().map(|newest| format!("{package}@{newest}")).next();
                let spec = self.spec.clone().or(newest);
                let spec = shell_word(spec.as_deref().unwrap_or(package));
                ("Spack builds it", format!("spack install {spec}"))
            }
        }
    }
}

/// The packages that provide a virtual one in Spack, and that a cache has no build of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherProviders<'i> {
    /// The name of the virtual package.
    pub provided: String,
    /// Their names, sorted; at least one.
    pub packages: Vec<&'i str>,
}

impl OtherProviders<'_> {
    /// Returns the other providers of the virtual package that a typed text asks for; `None` if there are none.
    pub fn named<'i>(
        index: &Index,
        others: &'i OtherPackages,
        text: &str,
    ) -> Option<OtherProviders<'i>> {
        let (provided, _) = asked_for(index, text)?;
        let packages = others.providers_of(&provided);
        (!packages.is_empty()).then_some(OtherProviders { provided, packages })
    }
}

/// Returns the spec of a package with the variants that a text names next to it as words: `mfem rocm`. `None` if the
/// text names no variant, or something else as well.
fn with_variants(index: &Index, package: &str, text: &str) -> Option<String> {
    let TextMeaning::Words(words) = Search::read(index, text).asked else { return None };
    let (names, others): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word == package);
    let is_variant = |word: &String| {
        let is_one = index.dictionary(Facet::Variant).code(&format!("+{word}")).is_some();
        // `geant4 python` asks for two packages.
        is_one && (word == "cuda" || index.dictionary(Facet::Package).code(word).is_none())
    };
    let is_asked = !names.is_empty() && !others.is_empty() && others.iter().all(is_variant);
    is_asked.then(|| format!("{package}+{}", others.join("+")))
}

/// Returns the package that a typed text asks for, and its versions: by a spec, or by a single word.
fn asked_for(index: &Index, text: &str) -> Option<(String, VersionConstraint)> {
    match Search::read(index, text).asked {
        TextMeaning::Words(words) => match <[String; 1]>::try_from(words) {
            Ok([word]) => Some((word, VersionConstraint::any())),
            // The package may be named among other words: `cp2k rhel8`. `netcdf parallel` asks for netcdf.
            Err(words) => {
                let first = words.first().cloned();
                let is_foreign =
                    |word: &String| !asks_nothing(word) && FromSource::of(index, word).is_some();
                let names = index.dictionary(Facet::Package).values();
                let is_in_a_name = |word: &String| names.iter().any(|name| name.contains(word));
                let (mut foreign, others): (Vec<_>, Vec<_>) =
                    words.into_iter().partition(is_foreign);
                let is_subject = foreign.len() == 1
                    && (foreign.first() == first.as_ref() || !others.iter().any(is_in_a_name));
                Some((foreign.pop().filter(|_| is_subject)?, VersionConstraint::any()))
            }
        },
        TextMeaning::Spec(spec) => Some((spec.root.name?, spec.root.versions)),
        // A name may have the letters of a hash: `openfoam`.
        TextMeaning::Hash(word) => Some((word, VersionConstraint::any())),
        TextMeaning::Anything | TextMeaning::Hashes(_) => None,
    }
}

impl fmt::Display for FromSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FromSource { package, newest, is_asked_for, is_external, .. } = self;
        if *is_external {
            return write!(
                f,
                "This cache has no binary of {package}: its builds use it as an external, as it was on the machines that they were made on"
            );
        }
        match newest {
            Some(newest) if *is_asked_for => {
                write!(f, "Spack can build {package} {newest} from source")?
            }
            Some(newest) => {
                write!(f, "Spack has a recipe for {package}, whose newest release is {newest}")?;
            }
            None if *is_asked_for => write!(f, "Spack can build {package} from source")?,
            None => write!(f, "Spack has a recipe for {package}, without releases")?,
        }
        write!(f, "; this cache has no binary of it")
    }
}
