//! The files of a publication besides the page of the site: many small ones, for programs and for readers who do not run the
//! page.
//!
//! [`PublishedCache`] is a cache in the form that all of them are made from, with the answer to a query without filters.
//! Each module returns the [`Tree`](crate::output::Tree) of its files; `embed` writes it together with the site.

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
    /// The address at which the site will be published, if the publisher states it.
    site_url: Option<String>,
    /// The inline scripts and styles of the site's page, which the page of a package must allow too: the site can take its
    /// place.
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

    /// Returns the index of the cache.
    pub(crate) fn index(&self) -> &'static Index {
        self.index
    }

    /// Returns the packages that have builds, each with the name of its files, if its name can be a file name.
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

    /// Returns the build of a package to install if the user has not said for which machine, with the commands.
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

/// A line in a file that points its readers to another file of the site.
pub(crate) struct Pointer {
    pub(crate) line: String,
    /// The address in the line.
    pub(crate) address: String,
}

/// A build and the commands that install it.
pub(crate) struct ToInstall {
    build: BuildId,
    hash: Hash,
    pub(crate) commands: Vec<String>,
    /// The mirror that the commands add.
    pub(crate) mirror: Mirror,
}
