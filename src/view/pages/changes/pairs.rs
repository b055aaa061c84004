//! The builds of a package that changed: those that replaced others, with what differs, and those that came or went
//! alone.

use cache_index::build::{Build, Hash};
use cache_index::changes::Pair;
use cache_index::compare::{Comparison, Line, Word};
use cache_index::index::Index;
use cache_index::likeness::Differs;
use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::parts::spec::{ShortSpec, variant_class};
use crate::view::parts::to::To;

/// How many differing fields have their words in a line; the comparison has all of them.
const MOST_FIELDS: usize = 6;

/// Draws a build that went, the one that replaced it, and what differs.
pub(super) fn pair(explorer: Explorer, other: Option<&Index>, pair: &Pair) -> AnyView {
    let found = [pair.old, pair.new].map(|hash| find(explorer, other, hash));
    let [Some((old, old_is_here)), Some((new, new_is_here))] = found else {
        return ().into_any();
    };
    let comparison = Comparison::of(vec![old.clone(), new.clone()]);
    let fields = comparison.differing.iter().take(MOST_FIELDS).map(field).collect_view();
    // What a comparison of fields does not show.
    let hidden = [Differs::Recipe, Differs::Dependencies, Differs::DependencyHashes];
    let hidden = pair.differs.iter().filter(|differs| hidden.contains(differs));
    let hidden = hidden.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let compare = (old_is_here && new_is_here).then(|| {
        view! { <To change=Change::Compare(vec![pair.old, pair.new])>"Compare"</To> }
    });
    let (old, new) = (spec(old, old_is_here), spec(new, new_is_here));
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

/// Returns a build and `true` if the cache has it, otherwise as the one that it is compared with has it; of an earlier
/// publication, it has only what the index says of the builds that went.
fn find(explorer: Explorer, other: Option<&Index>, hash: Hash) -> Option<(Build, bool)> {
    let find = |index: &Index| index.build_alone(index.find(hash)?);
    find(explorer.index).map(|build| (build, true)).or_else(|| {
        let other = other.or_else(|| Some(explorer.index.earlier()?.went()))?;
        Some((find(other)?, false))
    })
}

/// Draws a build, as a link to its page if it has one.
fn spec(spec: Build, is_here: bool) -> AnyView {
    let hash = spec.hash;
    match is_here {
        true => view! { <To change=Change::OpenBuild(hash)><ShortSpec spec/></To> }.into_any(),
        false => view! { <ShortSpec spec/> }.into_any(),
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
    other: Option<&Index>,
    hash: Hash,
    word: &'static str,
) -> AnyView {
    let Some((build, is_here)) = find(explorer, other, hash) else { return ().into_any() };
    let machine = format!("{}-{}", build.os, build.target);
    view! {
        <tr class="row member">
            <td colspan=6>
                {spec(build, is_here)}
                " " <b>{word}</b> " " <span class="muted"><bdi>{machine}</bdi></span>
            </td>
        </tr>
    }
    .into_any()
}
