//! Reads files that a user has chosen in the page as the command would: a cache into the same index, an environment
//! into the one that the command would compare with a cache, or settings into those that the command would use.
//!
//! Files are known by their names and lengths, and their bytes are requested in pieces ([`Bytes`]), so that a large
//! file need not be entirely in memory. Names start at what was chosen: `index.json`, or `mirror/v3/layout.json` for
//! the folder `mirror`. `cache_ingest` finds and reads the files and words all messages; `main.rs` is compiled only for
//! the browser.

mod chosen;
mod environment;
mod inside;
mod settings;
mod tree;

use std::borrow::Cow;
use std::path::PathBuf;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{Index, Part, Parts};
use cache_ingest::inputs::{DamageLimit, GatherError, Input, Inputs, ReadOptions, Source};
use cache_ingest::mirror::{Amount, WITHOUT_BINARIES};
use cache_ingest::report::Report;
use sha2::{Digest as _, Sha256};

pub use self::chosen::{Bytes, ChosenFiles, Progress};
pub use self::environment::{OpenedEnvironment, open_environment};
use self::inside::{look_inside, scripts};
pub use self::settings::open_settings;
pub use self::tree::File;

/// Options for reading.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The time at which the index was made, which it records.
    pub made: String,
    /// `true` to leave out damaged builds and continue.
    pub leaves_out_damaged: bool,
    /// `true` if an environment is expected, so that any text may be a list of specs.
    pub is_environment: bool,
    /// `true` to look into the binaries, too.
    pub looks_inside: bool,
}

/// The note about a mirror without binaries, in which there is nothing to look into.
pub const SPECS_NOT_READ: &str =
    "only the list of builds was read: a damaged spec is found by `cache-explorer check`";

/// The index of what was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedIndex {
    /// The parts, as the command writes them.
    pub parts: Parts,
    /// Identifies the cache: the same files have the same id, whenever and wherever they are read.
    pub id: String,
    /// The number of builds.
    pub builds: usize,
    /// Notes, which are not problems, in the command's words.
    pub notes: String,
    /// The builds that were found to be damaged by looking into them.
    pub damaged: Vec<DamagedBuild>,
    /// How many damaged builds were left out, in words.
    pub left_out: Option<String>,
    /// The binaries that could be looked into, if that was not asked for.
    pub inside: Option<Amount>,
}

impl OpenedIndex {
    /// Returns the scripts of a page with this index, each with its id.
    pub fn scripts(&self) -> Vec<(String, Cow<'_, str>)> {
        let parts = Part::ALL.into_iter().filter(|part| !Part::ON_DEMAND.contains(part));
        let text = |part: Part| Some((part.id().to_owned(), self.parts.text(part)?.into()));
        let facts = self.parts.facts.as_deref().map(scripts).into_iter().flatten();
        parts.filter_map(text).chain(facts.map(|(id, text)| (id, text.into()))).collect()
    }
}

/// A build whose binary or spec is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedBuild {
    /// Its package.
    pub package: String,
    /// Its hash.
    pub hash: Hash,
}

impl DamagedBuild {
    /// Returns the build of an index with a hash; `None` if there is none.
    fn of(index: &Index, hash: Hash) -> Option<DamagedBuild> {
        let package = index.package_of(index.row_of(index.find(hash)?));
        let package = index.dictionary(Facet::Package).text(package).to_owned();
        Some(DamagedBuild { package, hash })
    }
}

/// Why nothing could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Everything that is wrong, in the command's words.
    pub problems: String,
    /// `true` if the rest can be read when damaged builds are left out.
    pub may_leave_out: bool,
    /// The files or folders that cannot be used, by their paths.
    pub unusable: Vec<String>,
}

impl Refusal {
    fn of(report: &Report) -> Refusal {
        let unusable = report.unusable_inputs().into_iter().map(str::to_owned).collect();
        Refusal { problems: words(report), may_leave_out: false, unusable }
    }
}

/// Reads what was chosen.
#[inline(never)] // Not needed for an environment, see `crates/split`.
pub fn open<B: Bytes>(
    chosen: ChosenFiles<B>,
    wanted: &OpenOptions,
) -> Result<OpenedIndex, Refusal> {
    let mut report = Report::default();
    let sources: Vec<Source> = chosen.inputs().map(PathBuf::from).map(Source::from).collect();
    let inputs = Inputs::find(chosen, &sources, &ReadOptions::default(), &mut report);
    match index(&inputs, wanted, &mut report) {
        Some(PackedIndex { mut index, builds, present }) => {
            let damaged = match wanted.looks_inside {
                true => look_inside(&inputs, &mut index, &mut report),
                false => Vec::new(),
            };
            let is_mirror = inputs.list.iter().any(|input| matches!(input, Input::Mirror(_)));
            if is_mirror && present.binaries == 0 {
                report.note(&WITHOUT_BINARIES);
                report.note(&SPECS_NOT_READ);
            }
            let inside = Some(present).filter(|it| !wanted.looks_inside && it.binaries > 0);
            let parts = index.to_parts_with_facts();
            let made = index.about().made.as_deref().unwrap_or_default();
            let id = id(&parts, made);
            let (notes, left_out) = (words(&report), report.left_out().map(str::to_owned));
            Ok(OpenedIndex { parts, id, builds, notes, damaged, left_out, inside })
        }
        None => {
            let may_leave_out = !wanted.leaves_out_damaged && !report.has_errors();
            Err(Refusal { may_leave_out, ..Refusal::of(&report) })
        }
    }
}

/// An index that was put together.
struct PackedIndex {
    index: Index,
    builds: usize,
    /// The binaries that were chosen too.
    present: Amount,
}

/// Returns the index of the inputs, or reports why there is none.
fn index<B: Bytes>(
    inputs: &Inputs<ChosenFiles<B>>,
    wanted: &OpenOptions,
    report: &mut Report,
) -> Option<PackedIndex> {
    match inputs.only_index(report) {
        Some(Ok(index)) => {
            let builds = index.builds_with_binary().count();
            return Some(PackedIndex { index, builds, present: Amount::default() });
        }
        Some(Err(error)) => {
            report.error(&error);
            return None;
        }
        None => {}
    }
    let leave_out = wanted.leaves_out_damaged.then_some(DamageLimit::NONE);
    let gathered = match inputs.gather(leave_out, report) {
        Ok(gathered) => gathered,
        Err(reason) => {
            // The page has a button where the command has an option.
            report.give_up(match reason {
                GatherError::NoneLeft => "nothing was opened: no build is left",
                GatherError::DamagedIndex => {
                    "nothing was opened: an index is read as a whole or not at all; `spack buildcache update-index` writes it anew"
                }
                _ => "nothing was opened",
            });
            return None;
        }
    };
    let present = gathered.present;
    match gathered.pack(None, wanted.made.clone()) {
        Ok((_, 0)) => report.error(&"there is no build with a binary in what was chosen"),
        Ok((index, builds)) => return Some(PackedIndex { index, builds, present }),
        Err(error) => report.error(&error),
    }
    None
}

/// Returns the start of the digest of all parts, not counting the time when they were made.
fn id(parts: &Parts, made: &str) -> String {
    let columns = parts.columns.replacen(made, "", 1);
    let parts = [&parts.hashes, &parts.details, &parts.dependencies, &parts.changes];
    let marked = parts.into_iter().flat_map(|part| match part {
        Some(part) => ["\u{1}", part.as_str()],
        None => ["\0", ""],
    });
    digest(std::iter::once(columns.as_str()).chain(marked))
}

/// Returns the start of the digest of texts.
fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    /// The number of digits: enough to distinguish the files that one user opens.
    const DIGITS: usize = 16;
    let mut digest = Sha256::new();
    texts.into_iter().for_each(|text| digest.update(text));
    let mut digits = format!("{:x}", digest.finalize());
    digits.truncate(DIGITS);
    digits
}

fn words(report: &Report) -> String {
    let mut out = Vec::new();
    // Writing into memory does not fail.
    let _ = report.write_for_people(&mut out, Some(""));
    String::from_utf8_lossy(&out).trim_end().to_owned()
}
