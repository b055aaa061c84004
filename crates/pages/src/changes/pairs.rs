//! The builds of a package that changed: those that replaced others, with what differs, and those that came or went
//! alone.

use cache_advice::changes::Pair;
use cache_advice::differences::Aspect;
use cache_advice::differences::compare::{ComparedLine, Comparison, Word};
use cache_index::build::{Build, Hash};
use cache_index::index::Index;
use cache_query::Change;
use maud::{Markup, html};

use crate::browser::kept::Keeper;
use crate::browser::opened::OpenedCache;
use crate::parts::spec::{short_spec, variant_class};
use site::explorer::Explorer;

/// How many differing fields are written out on a line; the comparison has all of them.
const MOST_FIELDS: usize = 6;

/// Writes a build that went, the one that replaced it, and what differs.
pub(super) fn pair(explorer: Explorer, opened: Option<&OpenedCache>, pair: &Pair) -> Markup {
    let found = [pair.old, pair.new].map(|hash| find(explorer, opened, hash));
    let [Some(old), Some(new)] = found else { return html! {} };
    let comparison = Comparison::of(vec![old.build.clone(), new.build.clone()]);
    // What a comparison of fields does not show.
    let hidden = [Aspect::Recipe, Aspect::Dependencies, Aspect::DependencyHashes];
    let hidden = pair.differs.iter().filter(|differs| hidden.contains(differs));
    let hidden = hidden.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let are_here = [&old, &new].into_iter().all(|found| matches!(found.place, Place::Here));
    let compare = || explorer.address_after(Change::Compare(vec![pair.old, pair.new]));
    html! {
        tr.row.member data-key=(format!("{} {}", pair.old, pair.new)) {
            td colspan="6" {
                (spec(explorer, &old)) " → " (spec(explorer, &new)) " "
                @for line in comparison.differing.iter().take(MOST_FIELDS) { (field(line)) }
                " " span.muted { (hidden) } " "
                @if are_here { a href=(compare()) { "Compare" } }
            }
        }
    }
}

/// A build, and where it was found.
struct PairedBuild {
    build: Build,
    place: Place,
}

/// Where a build is.
enum Place {
    /// In the cache that is shown.
    Here,
    /// In the opened cache with this id and name, which the device keeps.
    Opened { id: String, name: String },
    /// In an earlier publication: the index describes only those of its builds that went. Or in a cache that is gone when the
    /// user leaves the page.
    Past,
}

fn find(explorer: Explorer, opened: Option<&OpenedCache>, hash: Hash) -> Option<PairedBuild> {
    let find = |index: &Index| index.build_alone(index.find(hash)?);
    if let Some(build) = find(explorer.index) {
        return Some(PairedBuild { build, place: Place::Here });
    }
    let Some(OpenedCache { id, name, index, keeper }) = opened else {
        let build = find(explorer.index.earlier()?.went())?;
        return Some(PairedBuild { build, place: Place::Past });
    };
    let place = match keeper {
        Keeper::Device => Place::Opened { id: id.clone(), name: name.clone() },
        Keeper::Page | Keeper::Nobody => Place::Past,
    };
    Some(PairedBuild { build: find(index)?, place })
}

/// Writes a build, as a link to its page if it has one.
fn spec(explorer: Explorer, PairedBuild { build, place }: &PairedBuild) -> Markup {
    let open = Change::OpenBuild(build.hash);
    let spec = short_spec(build);
    match place {
        Place::Here => html! { a href=(explorer.address_after(open)) { (spec) } },
        Place::Opened { id, name } => {
            html! { a title={ "In " (name) } href=(explorer.address_in(id, open)) { (spec) } }
        }
        Place::Past => spec,
    }
}

fn field(line: &ComparedLine) -> Markup {
    let mut cells = line.cells.iter().map(|cell| words(cell));
    let (old, new) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
    html! { span.field { span.muted { (line.name) } " " (old) " → " (new) } " " }
}

/// Writes the words that the other build does not have, marked.
fn words(words: &[Word]) -> Markup {
    let differing: Vec<&Word> = words.iter().filter(|word| !word.is_common).collect();
    html! {
        @for word in &differing { mark class=(variant_class(&word.text)) { bdi { (word.text) } } }
        @if differing.is_empty() { span.muted { "absent" } }
    }
}

/// Writes a build that came without replacing another, or went without being replaced.
pub(super) fn alone(
    explorer: Explorer,
    opened: Option<&OpenedCache>,
    hash: Hash,
    word: &'static str,
) -> Markup {
    let Some(found) = find(explorer, opened, hash) else { return html! {} };
    html! {
        tr.row.member data-key={ (word) " " (hash) } {
            td colspan="6" {
                (spec(explorer, &found)) " " b { (word) } " "
                span.muted { bdi { (found.build.os) "-" (found.build.target) } }
            }
        }
    }
}
