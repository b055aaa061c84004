//! The builds of a package that changed: those that replaced others, with what differs, and those that came or went
//! alone.

use cache_advice::changes::Pair;
use cache_advice::compare::{Comparison, Line, Word};
use cache_advice::differences::Aspect;
use cache_index::build::{Build, Hash};
use cache_index::index::Index;
use cache_query::Change;
use leptos::prelude::*;

use crate::browser::opened::Opened;
use crate::explorer::Explorer;
use crate::view::parts::spec::{ShortSpec, variant_class};
use crate::view::parts::to::To;

/// How many differing fields have their words in a line; the comparison has all of them.
const MOST_FIELDS: usize = 6;

/// Draws a build that went, the one that replaced it, and what differs.
pub(super) fn pair(explorer: Explorer, opened: Option<&Opened>, pair: &Pair) -> AnyView {
    let found = [pair.old, pair.new].map(|hash| find(explorer, opened, hash));
    let [Some(old), Some(new)] = found else { return ().into_any() };
    let comparison = Comparison::of(vec![old.build.clone(), new.build.clone()]);
    let fields = comparison.differing.iter().take(MOST_FIELDS).map(field).collect_view();
    // What a comparison of fields does not show.
    let hidden = [Aspect::Recipe, Aspect::Dependencies, Aspect::DependencyHashes];
    let hidden = pair.differs.iter().filter(|differs| hidden.contains(differs));
    let hidden = hidden.map(|aspect| aspect.to_string()).collect::<Vec<_>>().join(", ");
    let are_here = [&old, &new].into_iter().all(|found| matches!(found.place, Place::Here));
    let compare = are_here.then(|| {
        view! { <To change=Change::Compare(vec![pair.old, pair.new])>"Compare"</To> }
    });
    let (old, new) = (spec(explorer, old), spec(explorer, new));
    view! {
        <tr class="row member">
            <td colspan=6>
                {old} " → " {new} " " {fields} <span class="muted">{hidden}</span> " "
                {compare}
            </td>
        </tr>
    }
    .into_any()
}

/// A build, and where it was found.
struct Found {
    build: Build,
    place: Place,
}

/// Where a build is.
enum Place {
    /// In the cache that is shown.
    Here,
    /// In the opened cache with this id and name, which the device keeps.
    Opened { id: String, name: String },
    /// In an earlier publication, of which the index has only what it says of the builds that went; or in a cache that is
    /// gone when the person leaves the page.
    Past,
}

fn find(explorer: Explorer, opened: Option<&Opened>, hash: Hash) -> Option<Found> {
    let find = |index: &Index| index.build_alone(index.find(hash)?);
    if let Some(build) = find(explorer.index) {
        return Some(Found { build, place: Place::Here });
    }
    let Some(Opened { id, name, index, stays }) = opened else {
        let build = find(explorer.index.earlier()?.went())?;
        return Some(Found { build, place: Place::Past });
    };
    let place = match stays {
        true => Place::Opened { id: id.clone(), name: name.clone() },
        false => Place::Past,
    };
    Some(Found { build: find(index)?, place })
}

/// Draws a build, as a link to its page if it has one.
fn spec(explorer: Explorer, Found { build: spec, place }: Found) -> AnyView {
    let hash = spec.hash;
    match place {
        Place::Here => {
            view! { <To change=Change::OpenBuild(hash)><ShortSpec spec/></To> }.into_any()
        }
        Place::Opened { id, name } => {
            let address = explorer.address_in(&id, Change::OpenBuild(hash));
            view! { <a href=address title=format!("In {name}")><ShortSpec spec/></a> }.into_any()
        }
        Place::Past => view! { <ShortSpec spec/> }.into_any(),
    }
}

fn field(line: &Line) -> AnyView {
    let name = line.name.clone();
    let mut cells = line.cells.iter().map(|cell| words(cell));
    let (old, new) = (cells.next(), cells.next());
    view! { <span class="field"><span class="muted">{name}</span>" "{old}" → "{new}</span>" " }
        .into_any()
}

/// Draws the words that the other build does not have, marked.
fn words(words: &[Word]) -> AnyView {
    let differing = words.iter().filter(|word| !word.is_common);
    let mut marked: Vec<AnyView> = differing
        .map(|word| {
            let class = variant_class(&word.text);
            view! { <mark class=class><bdi>{word.text.clone()}</bdi></mark> }.into_any()
        })
        .collect();
    if marked.is_empty() {
        marked.push(view! { <span class="muted">"absent"</span> }.into_any());
    }
    marked.into_any()
}

/// Draws a build that came or went, and no other replaced it or was replaced by it.
pub(super) fn alone(
    explorer: Explorer,
    opened: Option<&Opened>,
    hash: Hash,
    word: &'static str,
) -> AnyView {
    let Some(found) = find(explorer, opened, hash) else { return ().into_any() };
    let machine = format!("{}-{}", found.build.os, found.build.target);
    view! {
        <tr class="row member">
            <td colspan=6>
                {spec(explorer, found)}
                " " <b>{word}</b> " " <span class="muted"><bdi>{machine}</bdi></span>
            </td>
        </tr>
    }
    .into_any()
}
