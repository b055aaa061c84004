//! The builds of a package that changed: those that replaced others, with what differs, and those that came or went
//! alone.

use cache_index::build::Hash;
use cache_index::changes::Pair;
use cache_index::compare::{Comparison, Line, Word};
use cache_index::likeness::Differs;
use cache_index::query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::parts::spec::{ShortSpec, variant_class};
use crate::view::parts::to::To;

/// How many differing fields have their words in a line; the comparison has all of them.
const MOST_FIELDS: usize = 6;

/// Draws a build that went, the one that replaced it, and what differs.
pub(super) fn pair(explorer: Explorer, pair: &Pair) -> AnyView {
    let builds =
        [pair.old, pair.new].map(|hash| explorer.index.build_alone(explorer.index.find(hash)?));
    let comparison = match builds {
        [Some(old), Some(new)] => Comparison::of(vec![old, new]),
        _ => return ().into_any(),
    };
    let fields = comparison.differing.iter().take(MOST_FIELDS).map(field).collect_view();
    // What a comparison of fields does not show.
    let hidden = [Differs::Recipe, Differs::Dependencies, Differs::DependencyHashes];
    let hidden = pair.differs.iter().filter(|differs| hidden.contains(differs));
    let hidden = hidden.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let specs = comparison.builds.iter().map(|build| {
        let (hash, spec) = (build.hash, build.clone());
        view! { <To change=Change::OpenBuild(hash)><ShortSpec spec/></To> }
    });
    let mut specs: Vec<_> = specs.collect();
    let (new, old) = (specs.pop(), specs.pop());
    view! {
        <tr class="row member">
            <td colspan=6>
                {old} " → " {new} " " {fields} <span class="muted">{hidden}</span> " "
                <To change=Change::Compare(vec![pair.old, pair.new])>"Compare"</To>
            </td>
        </tr>
    }
    .into_any()
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
pub(super) fn alone(explorer: Explorer, hash: Hash, word: &'static str) -> AnyView {
    let index = explorer.index;
    let Some(build) = index.find(hash).and_then(|build| index.build_alone(build)) else {
        return ().into_any();
    };
    let machine = format!("{}-{}", build.os, build.target);
    view! {
        <tr class="row member">
            <td colspan=6>
                <To change=Change::OpenBuild(hash)><ShortSpec spec=build/></To>
                " " <b>{word}</b> " " <span class="muted"><bdi>{machine}</bdi></span>
            </td>
        </tr>
    }
    .into_any()
}
