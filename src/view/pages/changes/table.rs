//! The table of packages that changed. A package expands to the builds that replaced others, and to those that came or
//! went alone.

use std::sync::Arc;

use cache_advice::changes::{Changes, PackageChange};
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::Change;
use cache_query::Class;
use leptos::prelude::*;

use crate::browser::opened::Opened;
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::pages::changes::causes::Explained;
use crate::view::pages::changes::pairs;
use crate::view::parts::rows::Rows;
use crate::view::parts::to::To;

/// A line of the table. Packages and pairs are given by their places.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Line {
    /// A package.
    Package(usize),
    /// A pair of builds of the package above.
    Pair(usize, usize),
    /// A build of the package above that went, and nothing replaced it.
    Went(usize, usize),
    /// A build of the package above that came and replaced nothing.
    Came(usize, usize),
}

/// The packages of the chosen class.
#[component]
pub(super) fn ChangedPackages(
    /// The changes.
    changes: Arc<Changes>,
    /// The cache that was opened on this device, if it is one of the sides.
    opened: Option<Opened>,
    /// The class that is shown; `None` for all.
    class: Memo<Option<Class>>,
    /// The new builds that are shown; `None` for all.
    explained: Explained,
) -> impl IntoView {
    let explorer = Explorer::here();
    let open = RwSignal::new(Vec::<usize>::new());
    let lines = {
        let changes = changes.clone();
        memo(move || {
            let (asked, open, explained) = (class.get(), open.get(), explained.get());
            let is_explained = |hash| explained.as_ref().is_none_or(|all| all.contains(hash));
            let mut lines = Vec::new();
            for (place, package) in changes.packages.iter().enumerate() {
                if asked.is_some_and(|class| class != package.class) {
                    continue;
                }
                let pairs = package.pairs.iter().enumerate();
                let pairs = pairs.filter(|(_, pair)| is_explained(&pair.new));
                let pairs: Vec<Line> = pairs.map(|(pair, _)| Line::Pair(place, pair)).collect();
                let came = package.came_alone.iter().enumerate();
                let came = came.filter(|(_, alone)| is_explained(&alone.hash));
                let came: Vec<Line> = came.map(|(at, _)| Line::Came(place, at)).collect();
                if explained.is_some() && pairs.is_empty() && came.is_empty() {
                    continue;
                }
                lines.push(Line::Package(place));
                if open.contains(&place) {
                    let went = 0..if explained.is_some() { 0 } else { package.went_alone.len() };
                    lines.extend(pairs);
                    lines.extend(went.map(|at| Line::Went(place, at)));
                    lines.extend(came);
                }
            }
            lines
        })
    };
    let is_empty = changes.packages.is_empty();
    let row = move |line: Line| match line {
        Line::Package(place) => draw(explorer, &changes.packages[place], place, open),
        Line::Pair(place, pair) => {
            pairs::pair(explorer, opened.as_ref(), &changes.packages[place].pairs[pair])
        }
        Line::Went(place, at) => {
            let hash = changes.packages[place].went_alone[at].hash;
            pairs::alone(explorer, opened.as_ref(), hash, "went")
        }
        Line::Came(place, at) => {
            let hash = changes.packages[place].came_alone[at].hash;
            pairs::alone(explorer, opened.as_ref(), hash, "came")
        }
    };
    (!is_empty).then(|| {
        view! {
            <table class="changes" aria-rowcount=move || lines.with(Vec::len) + 1>
                <caption class="heard">"Packages that changed"</caption>
                <thead>
                    <tr>
                        <th scope="col" class="c-package">"Package"</th>
                        <th scope="col" class="c-between">"Versions"</th>
                        <th scope="col" class="number">"Came"</th>
                        <th scope="col" class="number">"Went"</th>
                        <th scope="col" class="number">"Stayed"</th>
                        <th scope="col" class="c-class">"Change"</th>
                    </tr>
                </thead>
                <Rows items=lines columns=6 row/>
            </table>
        }
    })
}

fn draw(
    explorer: Explorer,
    change: &PackageChange,
    place: usize,
    open: RwSignal<Vec<usize>>,
) -> AnyView {
    let &PackageChange { came, went, stayed, class, .. } = change;
    let package = change.package.clone();
    let is_open = move || open.with(|open| open.contains(&place));
    let toggle = move |_| {
        open.update(|open| match open.iter().position(|other| *other == place) {
            Some(at) => drop(open.remove(at)),
            None => open.push(place),
        });
    };
    let label = format!("Builds of {package}");
    let versions = match change.before == change.after {
        true => change.after.join(", "),
        false => format!("{} → {}", listed(&change.before), listed(&change.after)),
    };
    let title = versions.clone();
    let signed = |sign: &str, count: usize| match count {
        0 => String::new(),
        count => format!("{sign}{}", grouped(count)),
    };
    // An earlier publication may have had packages that are gone.
    let name = match explorer.index.dictionary(Facet::Package).code(&package) {
        Some(_) => {
            let name = package.clone();
            view! { <To change=Change::OpenPackage(package)><bdi>{name}</bdi></To> }.into_any()
        }
        None => view! { <bdi>{package}</bdi> }.into_any(),
    };
    view! {
        <tr class="row">
            <th scope="row" class="c-package">
                <button
                    type="button"
                    class="plain fold"
                    aria-label=label
                    aria-expanded=move || is_open().to_string()
                    on:click=toggle
                ></button>
                {name}
            </th>
            <td class="c-between" title=title><bdi>{versions}</bdi></td>
            <td class="number c-came">{signed("+", came)}</td>
            <td class="number c-went">{signed("−", went)}</td>
            <td class="number c-stayed">{grouped(stayed)}</td>
            <td class="c-class">{class.to_string()}</td>
        </tr>
    }
    .into_any()
}

fn listed(versions: &[String]) -> String {
    if versions.is_empty() { "none".to_owned() } else { versions.join(", ") }
}
