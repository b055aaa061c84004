//! Filters on parts of the index other than its columns: on the files of builds, on licences, and on signatures.
//!
//! These parts are fetched when a user asks for them, and other crates read them. So a question states the filters, and
//! carries which builds [pass](crate::Question::passing) all of them, once that is known. Until then the filters narrow
//! nothing.

use cache_index::facts::FileTerm;

/// A filter on what another part of the index says about builds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartFilter {
    /// To have a file. If there are several of these filters, a build must have all of the files.
    File(FileTerm),
    /// To be of a package with this licence, as [its recipe](cache_index::recipes::Recipe::licenses) names it. If there
    /// are several of these filters, any of the licences is enough.
    License(String),
    /// To be signed or not, as its [manifest](cache_index::build::Build::signature) states it. One replaces the other.
    Signed(bool),
}

impl PartFilter {
    /// The keys of these filters in addresses.
    pub(crate) const KEYS: [&str; 4] =
        [FileTerm::FILE, FileTerm::IMPORT, PartFilter::LICENSE, PartFilter::SIGNED];

    const LICENSE: &str = "license";
    const SIGNED: &str = "signed";

    /// Reads a filter of an address or a text; `None` if it asks for nothing.
    pub fn read(key: &str, value: &str) -> Option<PartFilter> {
        match key {
            PartFilter::LICENSE => {
                let name = value.trim();
                (!name.is_empty()).then(|| PartFilter::License(name.to_owned()))
            }
            PartFilter::SIGNED => match value {
                "yes" => Some(PartFilter::Signed(true)),
                "no" => Some(PartFilter::Signed(false)),
                _ => None,
            },
            _ => FileTerm::read(key, value).map(PartFilter::File),
        }
    }

    /// Returns what it is about, in words.
    pub fn label(&self) -> &'static str {
        match self {
            PartFilter::File(term) => term.words().0,
            PartFilter::License(_) => "licence",
            PartFilter::Signed(_) => PartFilter::SIGNED,
        }
    }

    /// Returns its key, and its value.
    pub fn words(&self) -> (&'static str, String) {
        match self {
            PartFilter::File(term) => term.words(),
            PartFilter::License(name) => (PartFilter::LICENSE, name.clone()),
            PartFilter::Signed(signed) => {
                (PartFilter::SIGNED, if *signed { "yes" } else { "no" }.to_owned())
            }
        }
    }
}
