//! Builds side by side, with the differences first.

use cache_advice::compare::{Comparison, Kind, Line, Word};
use cache_index::build::Hash;
use cache_index::mirror::Mirror;
use cache_index::number::{counted, grouped};
use cache_query::{AskedHash, Change};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::parts::copy::Copy;
use crate::view::parts::icon::Icon;
use crate::view::parts::spec::{ShortSpec, variant_class};
use crate::view::parts::to::To;
use crate::view::parts::verdict;

/// How many dependencies have a line at first.
const MOST_DEPENDENCIES: usize = 40;
/// How many fields have a line, of those that differ and of those in common, so that no page grows without bounds.
const MOST_FIELDS: usize = 150;

/// The builds with these hashes, compared.
#[component]
pub(crate) fn Compare(
    /// The hashes in the address.
    hashes: Vec<AskedHash>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let mut missing = Vec::new();
    // A hash and its beginning are one build.
    let mut found = Vec::new();
    for asked in hashes {
        match asked.find(explorer.index) {
            Some(id) if found.contains(&id) => {}
            Some(id) => found.push(id),
            None => missing.push(asked.to_string()),
        }
    }
    let builds: Vec<_> =
        found.into_iter().filter_map(|id| explorer.index.build_alone(id)).collect();
    // The link back, if all are builds of one package.
    let package = builds.first().map(|build| build.package.clone());
    let package = package.filter(|package| builds.iter().all(|build| build.package == *package));
    let notice = (!missing.is_empty()).then(|| {
        view! {
            <p class="notice" role="status">
                "This cache has no build, or more than one, with the hash " <code><bdi>{missing.join(", ")}</bdi></code> "."
            </p>
        }
    });
    let content = if builds.len() < 2 {
        view! {
            <section class="empty" data-testid="empty">
                <h2>"Select at least two builds to compare"</h2>
                <p>"Tick builds in a package's table, then choose Compare."</p>
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
        }
        .into_any()
    } else {
        let comparison = Comparison::of(builds).with_dependencies(explorer.index);
        view! { <SideBySide comparison/> }.into_any()
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <To change=Change::OpenPackages>"All packages"</To>
                {package.map(|package| {
                    let name = package.clone();
                    view! { " / "<To change=Change::OpenPackage(package)><bdi>{name}</bdi></To> }
                })}
            </nav>
            <h1>"Compare"</h1>
        </div>
        {notice}
        {content}
    }
}

#[component]
fn SideBySide(
    /// The comparison.
    comparison: Comparison,
) -> impl IntoView {
    let markdown = comparison.markdown();
    let hashes: Vec<Hash> = comparison.builds.iter().map(|build| build.hash).collect();
    let heads = comparison.builds.iter().cloned().enumerate().map(|(place, build)| {
        let mut others = hashes.clone();
        let hash = others.remove(place);
        let label = format!("Remove {}", build.short_hash());
        let out = (others.len() > 1).then(|| {
            view! {
                <To change=Change::Compare(others) class="plain" label=label>
                    {Icon::Cross.draw()}
                </To>
            }
        });
        view! {
            <th scope="col">
                <To change=Change::OpenBuild(hash)><ShortSpec spec=build/></To>
                {out}
            </th>
        }
    });
    let explorer = Explorer::here();
    let rows: Vec<_> = comparison
        .builds
        .iter()
        .filter_map(|build| Some(explorer.index.row_of(explorer.index.find(build.hash)?)))
        .collect();
    let installs = comparison.builds.iter().map(|build| {
        let place = build.places.iter().min_by_key(|place| place.is_whole_release());
        let about = explorer.index.about();
        let spec = format!("/{}", build.hash);
        let steps = place.map(|place| Mirror::of(place, about).steps(&spec));
        let copy = steps.map(|steps| {
            let steps = Callback::new(move |()| steps.clone());
            view! { <Copy text=steps label="Copy install commands"/> }
        });
        view! { <td>{copy}</td> }
    });
    let installs = installs.collect_view();
    let verdicts = move || {
        explorer.host().map(|_| {
            let cell = |row: &_| {
                let verdict = explorer.verdict(*row).map(verdict::draw);
                view! { <td class="c-runs">{verdict}</td> }
            };
            let cells = rows.iter().map(cell).collect_view();
            view! { <tr><th scope="row">"Runs here"</th>{cells}</tr> }
        })
    };
    let fields = counted(comparison.differing.len(), "field", "fields");
    let packages = counted(comparison.dependencies.len(), "dependency", "dependencies");
    let summary = match (comparison.differing.len(), comparison.dependencies.len()) {
        (0, 0) if explorer.index.lists_any_dependencies() => {
            "Same in every listed field, and in the specs of their dependencies.".to_owned()
        }
        (0, 0) => {
            "Same in every listed field; they differ in dependencies, which this cache does not list.".to_owned()
        }
        (_, 0) => format!("They differ in {fields}."),
        (0, _) => format!("They differ in {packages} only."),
        (_, _) => format!("They differ in {fields} and {packages}."),
    };
    let columns = comparison.builds.len() + 1;
    let more = |all: usize, shown: usize| {
        (all > shown).then(|| {
            let text = format!("{} more; Copy as Markdown has them all", grouped(all - shown));
            view! { <tr><td colspan=columns class="nothing">{text}</td></tr> }
        })
    };
    let dependencies = (!comparison.dependencies.is_empty()).then(|| {
        let is_whole = RwSignal::new(false);
        let (first, others) =
            comparison.dependencies.split_at(comparison.dependencies.len().min(MOST_DEPENDENCIES));
        let first = first.iter().map(line).collect_view();
        let others = others.to_vec();
        let others = move || match others.len() {
            0 => None,
            _ if is_whole.get() => Some(others.iter().map(line).collect_view().into_any()),
            number => {
                let text = format!("Show {} more", grouped(number));
                let press = move |_| is_whole.set(true);
                let button = view! {
                    <tr>
                        <td colspan=columns>
                            <button type="button" class="button" on:click=press>{text}</button>
                        </td>
                    </tr>
                };
                Some(button.into_any())
            }
        };
        view! {
            <tr class="part"><th colspan=columns scope="rowgroup">"Dependencies"</th></tr>
            {first}
            {others}
        }
    });
    let following = (!comparison.following.is_empty()).then(|| {
        let names =
            counted(comparison.following.len(), "dependency differs", "dependencies differ");
        view! {
            <details class="in-common">
                <summary>{format!("{names} only in their own dependencies")}</summary>
                <p><bdi>{comparison.following.join(", ")}</bdi></p>
            </details>
        }
    });
    let common: Vec<String> = comparison.common.iter().map(Line::first).collect();
    let others = common.len().saturating_sub(MOST_FIELDS);
    let others = (others > 0).then(|| {
        view! { <li>{format!("{} more; Raw JSON on the page of a build has them all", grouped(others))}</li> }
    });
    let in_common = format!("{} in common", counted(common.len(), "field", "fields"));
    view! {
        <div class="headline">
            <p class="total" data-testid="total">{summary}</p>
            <span class="actions">
                <Copy text=Callback::new(move |()| markdown.clone()) label="Copy as Markdown"/>
            </span>
        </div>
        <div class="side-by-side" role="region" aria-label="Comparison" tabindex="0">
            <table>
                <caption class="heard">"What differs, a column for each build"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-field"><span class="heard">"Field"</span></th>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {verdicts}
                    <tr><th scope="row">"Install"</th>{installs}</tr>
                    {comparison.differing.iter().take(MOST_FIELDS).map(line).collect_view()}
                    {more(comparison.differing.len(), MOST_FIELDS)}
                    {dependencies}
                </tbody>
            </table>
        </div>
        {following}
        <details class="in-common">
            <summary>{in_common}</summary>
            <ul>
                {common.into_iter().take(MOST_FIELDS).map(|text| view! { <li><bdi>{text}</bdi></li> }).collect_view()}
                {others}
            </ul>
        </details>
    }
}

fn line(line: &Line) -> impl IntoView + use<> {
    let name = line.name.clone();
    let is_word = line.kind != Kind::Field;
    let cells = line.cells.iter().map(|words| match words.is_empty() {
        true => view! { <td class="nothing">"absent"</td> }.into_any(),
        false => view! { <td>{words.iter().map(word).collect_view()}</td> }.into_any(),
    });
    view! {
        <tr>
            <th scope="row" class:variant=is_word><bdi>{name}</bdi></th>
            {cells.collect_view()}
        </tr>
    }
}

/// Draws a word, marked if not every build has it; screen readers get the mark, too.
fn word(word: &Word) -> AnyView {
    let class = variant_class(&word.text);
    let text = word.text.clone();
    match word.is_common {
        true => view! { <bdi class=class>{text}</bdi> " " }.into_any(),
        false => view! { <mark class=class><bdi>{text}</bdi></mark> " " }.into_any(),
    }
}
