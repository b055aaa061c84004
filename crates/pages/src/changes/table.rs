//! The table of packages that changed. A package expands to the builds that replaced others, and to those that came or
//! went alone.

use std::sync::Arc;

use cache_advice::changes::{Changes, PackageChange};
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::Change;
use cache_query::Class;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::opened::OpenedCache;
use crate::changes::causes::Explained;
use crate::changes::pairs;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::html::rows::{ABOVE, ExistingRows};
use site::memo::memo;

/// A line of the table. Packages and pairs are given by their indices.
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
    opened: Option<OpenedCache>,
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
    let element = NodeRef::new();
    let existing =
        ExistingRows::of(element, Signal::derive(move || lines.with(Vec::len)), None, ABOVE);
    let row = move |line: Line| match line {
        Line::Package(place) => row(explorer, &changes.packages[place], place, open),
        Line::Pair(place, at) => {
            pairs::pair(explorer, opened.as_ref(), &changes.packages[place].pairs[at])
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
    let write = move || {
        lines.with(|lines| {
            html! {
                table.changes aria-rowcount=(lines.len() + 1) {
                    caption.heard { "Packages that changed" }
                    thead {
                        tr {
                            th.c-package scope="col" { "Package" }
                            th.c-between scope="col" { "Versions" }
                            th.number scope="col" { "Came" }
                            th.number scope="col" { "Went" }
                            th.number scope="col" { "Stayed" }
                            th.c-class scope="col" { "Change" }
                        }
                    }
                    (existing.write(lines, 6, &row))
                }
            }
        })
    };
    let act = move |action, _: &_| {
        if let Action::UnfoldLine(place) = action {
            open.update(|open| match open.iter().position(|other| *other == place) {
                Some(at) => drop(open.remove(at)),
                None => open.push(place),
            });
        }
    };
    (!is_empty).then(|| list("changes", "", element, write, act))
}

/// Writes the row of a package.
fn row(
    explorer: Explorer,
    change: &PackageChange,
    place: usize,
    open: RwSignal<Vec<usize>>,
) -> Markup {
    let PackageChange { package, came, went, stayed, class, .. } = change;
    let is_open = open.with(|open| open.contains(&place));
    let all = match change.before == change.after {
        true => change.after.join(", "),
        false => format!("{} → {}", listed(&change.before), listed(&change.after)),
    };
    let versions = change.versions();
    let signed = |sign: &str, count: usize| match count {
        0 => String::new(),
        count => format!("{sign}{}", grouped(count)),
    };
    // An earlier publication may have had packages that are gone.
    let is_here = explorer.index.dictionary(Facet::Package).code(package).is_some();
    html! {
        tr.row data-key=(place) {
            th.c-package scope="row" {
                button.plain.fold
                    type="button"
                    aria-label={ "Builds of " (package) }
                    aria-expanded=(is_open)
                    data-do=(Action::UnfoldLine(place)) {}
                @if is_here {
                    a href=(explorer.address_after(Change::OpenPackage(package.clone()))) { bdi { (package) } }
                } @else {
                    bdi { (package) }
                }
            }
            td.c-between title=(all) { bdi { (versions) } }
            td.number.c-came { (signed("+", *came)) }
            td.number.c-went { (signed("−", *went)) }
            td.number.c-stayed { (grouped(*stayed)) }
            td.c-class { (class) }
        }
    }
}

fn listed(versions: &[String]) -> String {
    if versions.is_empty() { "none".to_owned() } else { versions.join(", ") }
}
