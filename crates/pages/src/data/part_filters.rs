//! Finds which builds pass the filters on other parts of the index: on files, signatures and licences.

use std::collections::BTreeSet;

use cache_advice::recipes::Licenses;
use cache_index::build::Signature;
use cache_index::facet::Facet;
use cache_index::facts::FileTerm;
use cache_index::index::{BuildId, Index};
use cache_query::{ByBuild, PartFilter};
use leptos::prelude::*;

use crate::browser::facts::{self, FileLists};
use crate::browser::recipes;
use site::browser::parts::PartError;
use site::browser::tasks::{Latest, wait};
use site::explorer::Explorer;
use site::explorer::PassingBuilds;
use site::memo::memo;

/// How many bytes of lists are fetched without asking.
const MOST_UNASKED: usize = 8 << 20;

/// How long nothing must have been typed before lists are fetched, in milliseconds.
const PAUSE: i32 = 200;

/// What the page says while it looks for builds that pass, and afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartSearchState {
    /// No such filter is on.
    NotAsked,
    /// Lists are being read: how many have been, of how many.
    Reads(usize, usize),
    /// The lists have this many bytes, so the user is asked before they are fetched.
    Asks(usize),
    /// Something was not fetched, or is not readable.
    Failed(String),
    /// The cache was published or opened without what the filters ask for.
    Lacks(MissingPart),
    /// The result is known, except that nobody has looked into this many builds.
    Known(usize),
    /// The result is known, except that the cache does not say whether this many builds are signed.
    Unstated(usize),
}

/// What a cache may be published or opened without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingPart {
    Files,
    Signatures,
    Licenses,
}

impl MissingPart {
    /// Returns what is missing, in words that follow *without*.
    pub(crate) fn words(self) -> &'static str {
        match self {
            MissingPart::Files => "lists of the files in its binaries",
            MissingPart::Signatures => "the signatures of its binaries",
            MissingPart::Licenses => "recipes, which name licences",
        }
    }
}

/// The search for builds that pass, and its state.
#[derive(Clone, Copy)]
pub(crate) struct PartSearch {
    looking: RwSignal<PartSearchState>,
    /// How often the search was begun again; 0 if the user has not confirmed that long lists are wanted.
    again: RwSignal<usize>,
}

impl PartSearch {
    /// Begins a search that follows the question.
    pub(crate) fn follow(explorer: Explorer) -> PartSearch {
        let search = PartSearch {
            looking: RwSignal::new(PartSearchState::NotAsked),
            again: RwSignal::new(0),
        };
        let filters =
            memo(move || explorer.with_question(|question| question.part_filters.clone()));
        let latest = Latest::default();
        Effect::new(move |before: Option<Vec<PartFilter>>| {
            let filters = filters.get();
            // Signatures are among the details, which may still be arriving.
            let is_here = !asks_signed(&filters) || explorer.details().is_some();
            let is_confirmed = search.again.get() > 0 && before.as_ref() == Some(&filters);
            match is_here {
                true => latest.begin(search.answer(explorer, filters.clone(), is_confirmed)),
                false => {
                    latest.give_up();
                    search.looking.set(PartSearchState::Reads(0, 0));
                }
            }
            filters
        });
        search
    }

    /// Returns the state of the search.
    pub(crate) fn looking(self) -> PartSearchState {
        self.looking.get()
    }

    /// Begins again, however long the lists are.
    pub(crate) fn begin_again(self) {
        self.again.update(|again| *again += 1);
    }

    async fn answer(self, explorer: Explorer, filters: Vec<PartFilter>, is_confirmed: bool) {
        explorer.wait_for_user(false);
        if filters.is_empty() {
            return self.looking.set(PartSearchState::NotAsked);
        }
        self.looking.set(PartSearchState::Reads(0, 0));
        if untrack(|| explorer.typing()).is_some() {
            wait(PAUSE).await;
        }
        let after = match self.passing(explorer.index, &filters, is_confirmed).await {
            Ok((passed, after)) => {
                explorer.hand_in(passed);
                after
            }
            Err(problem) => PartSearchState::Failed(problem.to_string()),
        };
        explorer
            .wait_for_user(matches!(after, PartSearchState::Asks(_) | PartSearchState::Failed(_)));
        self.looking.set(after);
    }

    /// Returns which builds pass, unless the user has to be asked first.
    async fn passing(
        self,
        index: &'static Index,
        filters: &[PartFilter],
        is_confirmed: bool,
    ) -> Result<(Option<PassingBuilds>, PartSearchState), PartError> {
        let (mut files, mut licenses, mut signed) = (Vec::new(), Vec::new(), None);
        for filter in filters {
            match filter {
                PartFilter::File(term) => files.push(term),
                PartFilter::License(name) => licenses.push(name.as_str()),
                PartFilter::Signed(is_signed) => signed = Some(*is_signed),
            }
        }
        let mut after = PartSearchState::Known(0);
        let mut passing = vec![true; index.specs() as usize];
        if !files.is_empty() {
            let lists = facts::file_lists().await?;
            let bytes = lists.as_ref().map_or(0, |lists| lists.bytes_about(&files));
            if bytes > MOST_UNASKED && !is_confirmed {
                return Ok((None, PartSearchState::Asks(bytes)));
            }
            match lists {
                Some(lists) => {
                    self.keep_with_files(index, &lists, &files, &mut passing).await?;
                    after = PartSearchState::Known(facts::builds_without_files(index).await?);
                }
                None => {
                    passing.fill(false);
                    after = PartSearchState::Lacks(MissingPart::Files);
                }
            }
        }
        if let Some(signed) = signed {
            let unstated = keep_signed(index, signed, &mut passing);
            after = match after {
                PartSearchState::Known(0) if !index.has_signatures() => {
                    PartSearchState::Lacks(MissingPart::Signatures)
                }
                PartSearchState::Known(0) => PartSearchState::Unstated(unstated),
                other => other,
            };
        }
        let but_for_licenses = passing.clone();
        if !licenses.is_empty() {
            recipes::load_details(index).await?;
            let found = Licenses::of(index)?;
            if found.is_none() {
                after = PartSearchState::Lacks(MissingPart::Licenses);
            }
            keep_with_licenses(index, &found.unwrap_or_default(), &licenses, &mut passing);
        }
        let by_build = |passing: Vec<bool>| ByBuild::new(passing.into());
        let but_for_licenses = match files.is_empty() && signed.is_none() {
            true => ByBuild::default(),
            false => by_build(but_for_licenses),
        };
        let filters = filters.to_vec();
        let passed = PassingBuilds { filters, passing: by_build(passing), but_for_licenses };
        Ok((Some(passed), after))
    }

    /// Reads the shards about each file, and keeps the builds that have all of these files.
    async fn keep_with_files(
        self,
        index: &'static Index,
        lists: &FileLists,
        files: &[&FileTerm],
        passing: &mut [bool],
    ) -> Result<(), PartError> {
        let of = files.iter().map(|term| lists.about(term).len()).sum();
        let mut read = 0;
        for term in files {
            let mut builds = BTreeSet::new();
            for shard in lists.about(term) {
                self.looking.set(PartSearchState::Reads(read, of));
                builds.extend(lists.builds_with(index, shard, term).await?);
                read += 1;
            }
            for (build, passes) in (0u32..).zip(&mut *passing) {
                *passes &= builds.contains(&BuildId(build));
            }
        }
        Ok(())
    }
}

fn asks_signed(filters: &[PartFilter]) -> bool {
    filters.iter().any(|filter| matches!(filter, PartFilter::Signed(_)))
}

/// Keeps the builds that are signed, or those that are not. Returns for how many builds with a binary this is not known.
fn keep_signed(index: &Index, signed: bool, passing: &mut [bool]) -> usize {
    let mut unstated = 0;
    for build in index.builds_with_binary() {
        let signature = index.signature(build);
        unstated += usize::from(signature.is_none());
        passing[build.at()] &= signature.is_some_and(|it| (it != Signature::Unsigned) == signed);
    }
    unstated
}

/// Keeps the builds of packages with one of these licences.
fn keep_with_licenses(index: &Index, licenses: &Licenses, names: &[&str], passing: &mut [bool]) {
    let packages: BTreeSet<_> =
        names.iter().flat_map(|name| licenses.packages(name)).map(|package| package.at()).collect();
    for (package, _) in index.dictionary(Facet::Package).iter() {
        if !packages.contains(&package.at()) {
            let builds = index.rows_of(package).flat_map(|row| index.builds_of(row));
            builds.for_each(|build| passing[build.at()] = false);
        }
    }
}
