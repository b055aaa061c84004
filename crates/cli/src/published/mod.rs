//! What a publication consists of beside the page of the site: many small files, for programs and for readers who do not
//! run the page.
//!
//! [`PublishedCache`] is a cache as all of them see it, with the answer to a query without filters. Each module returns the
//! [`Tree`](crate::output::Tree) of its files; `embed` writes it together with the site.

pub(crate) mod api;
mod badge;
mod names;
pub(crate) mod pages;
pub(crate) mod watch;

use std::collections::BTreeMap;

use cache_advice::recommended;
use cache_index::build::{Hash, Place};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};
use cache_index::mirror::Mirror;
use cache_query::{Answer, Question, run};

pub(crate) use self::names::is_file_name;
use self::names::{PackageFiles, files_by_package};
use crate::page_html::Inline;

/// A cache that is published.
pub(crate) struct PublishedCache {
    index: &'static Index,
    /// The answer to a query without filters: all builds.
    answer: Answer,
    /// The address at which the site will be, if its publisher says so.
    site_url: Option<String>,
    /// What is in the page of the site itself, which a page that it replaces must allow.
    in_page: Inline,
}

/// How many builds there are for each kind of machine: platform, operating system and target.
type Systems = BTreeMap<[ValueCode; 3], u32>;

/// The facets of a kind of machine.
const SYSTEM: [Facet; 3] = [Facet::Platform, Facet::Os, Facet::Target];

impl PublishedCache {
    pub(crate) fn new(
        index: &'static Index,
        site_url: Option<&str>,
        in_page: Inline,
    ) -> PublishedCache {
        let answer = run(index, &Question::default());
        PublishedCache { index, answer, site_url: site_url.map(str::to_owned), in_page }
    }

    /// Returns its index.
    pub(crate) fn index(&self) -> &'static Index {
        self.index
    }

    /// Returns the packages that have builds, each with the name of its files, if it can have any.
    fn packages(&self) -> impl Iterator<Item = PackageFiles> {
        files_by_package(self.index, self.answer.matching_packages())
    }

    /// Returns the packages that cannot have files of their own.
    pub(crate) fn unnamed(&self) -> impl Iterator<Item = &'static str> {
        let unnamed = self.packages().filter(|named| named.file.is_none());
        unnamed.map(|named| self.name(Facet::Package, named.package))
    }

    fn name(&self, facet: Facet, code: ValueCode) -> &'static str {
        self.index.dictionary(facet).text(code)
    }

    /// Counts the builds of rows for each kind of machine.
    fn systems(&self, rows: impl Iterator<Item = RowId>) -> Systems {
        let mut counts = Systems::new();
        for row in rows {
            *counts.entry(SYSTEM.map(|facet| self.index.value(row, facet))).or_default() +=
                self.answer.count_in(self.index, row);
        }
        counts
    }

    /// Returns what to install of a package, for somebody who has not said which machine it is for.
    fn recommended(&self, package: ValueCode) -> Option<ToInstall> {
        let PublishedCache { index, answer, .. } = self;
        to_install(index, recommended(index, &Question::default(), answer, package)?)
    }
}

/// Returns the commands that install a build.
pub(crate) fn to_install(index: &Index, build: BuildId) -> Option<ToInstall> {
    let hash = index.hash(build)?;
    // The smaller the mirror, the faster it is added.
    let place = index.places_of(index.row_of(build)).min_by_key(Place::is_whole_release)?;
    let mirror = Mirror::for_build(index, &place, build);
    let commands = mirror.commands(&format!("/{hash}")).into_iter();
    let commands = commands.map(|(_, command)| command).collect();
    Some(ToInstall { build, hash, commands, mirror })
}

/// A line that leads those who read a file to something of the site.
pub(crate) struct Pointer {
    pub(crate) line: String,
    /// The address in it.
    pub(crate) address: String,
}

/// A build and the commands that install it.
pub(crate) struct ToInstall {
    build: BuildId,
    hash: Hash,
    pub(crate) commands: Vec<String>,
    /// The mirror that they add.
    pub(crate) mirror: Mirror,
}
