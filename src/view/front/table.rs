//! The table of the front page: one row for each matching package.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::grouped;
use cache_query::host::Runs;
use cache_query::{Change, Column, PackageRow, packages};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::list;
use crate::html::rows::{ABOVE, ExistingRows};
use crate::memo::memo;
use crate::view::parts::columns::{heading, sort_by};
use crate::view::parts::cut::cut;

/// The facets in which the packages of a cache differ. The table has no columns for others.
#[derive(Clone, Copy)]
struct Differs {
    stacks: bool,
    oses: bool,
    targets: bool,
    /// `true` if recipes describe the packages.
    descriptions: bool,
}

impl Differs {
    fn of(explorer: Explorer) -> Differs {
        let index = explorer.index;
        let several = |facet: Facet| index.dictionary(facet).len() > 1;
        Differs {
            stacks: several(Facet::Stack),
            oses: several(Facet::Os),
            targets: several(Facet::Target),
            descriptions: explorer.has_recipes(),
        }
    }

    /// Returns the number of columns for these facets.
    fn columns(self) -> usize {
        [self.stacks, self.oses, self.targets, self.descriptions].into_iter().map(usize::from).sum()
    }
}

/// The table of packages.
#[component]
pub(crate) fn Packages() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let list = memo(move || {
        let answer = explorer.answer();
        explorer.with_query(|query| packages(index, query, &answer))
    });
    let differs = Differs::of(explorer);
    let element = NodeRef::new();
    let existing =
        ExistingRows::of(element, Signal::derive(move || list.with(Vec::len)), None, ABOVE);
    let write = move || {
        let has_machine = explorer.host().is_some();
        let columns = 4 + differs.columns() + usize::from(has_machine);
        let heading = |column| heading(explorer, column, None);
        list.with(|list| {
            html! {
                table.packages aria-rowcount=(list.len() + 1) {
                    caption.heard { "Packages" }
                    thead {
                        tr {
                            (heading(Column::Facet(Facet::Package)))
                            @if differs.descriptions { th.c-about scope="col" { "Description" } }
                            (heading(Column::Newest))
                            (heading(Column::Builds))
                            @if has_machine { th.c-runs.number scope="col" { "Work here" } }
                            (heading(Column::Versions))
                            @if differs.stacks { th.c-strip scope="col" { "Stacks" } }
                            @if differs.oses { th.c-small.number scope="col" { "OS" } }
                            @if differs.targets { th.c-small.number scope="col" { "Targets" } }
                        }
                    }
                    (existing.write(list, columns, |package| row(explorer, package, differs)))
                }
            }
        })
    };
    let act = move |action, _: &_| {
        if let Action::Sort(column) = action {
            sort_by(explorer, column);
        }
    };
    list::list("packages", "", element, write, act)
}

/// Writes the row of a package.
fn row(explorer: Explorer, package: ValueCode, differs: Differs) -> Markup {
    let index = explorer.index;
    let name = index.dictionary(Facet::Package).text(package);
    let found = PackageRow::new(index, &explorer.answer(), package);
    let (release, branch) = found.newest(index);
    let newest = release.or(branch).map(|code| index.dictionary(Facet::Version).text(code));
    let small = |number: usize| html! { td.number.c-small { (grouped(number)) } };
    html! {
        // A click anywhere on a row opens its package.
        tr.row data-key=(name) data-do=(Action::Follow) {
            th.c-name scope="row" {
                a href=(explorer.address_after(Change::OpenPackage(name.to_owned()))) aria-label=(name) {
                    (cut(name))
                }
            }
            @if differs.descriptions { (description(explorer, package)) }
            td.c-version.spec-version { bdi { (newest.unwrap_or_default()) } }
            td.number.c-builds data-unit=(if found.builds == 1 { " build" } else { " builds" }) {
                (grouped(found.builds as usize))
            }
            @if let Some(count) = run_here(explorer, package) {
                td.c-runs.number { (count) }
            }
            td.number.c-versions { (grouped(found.versions.len())) }
            @if differs.stacks { td.c-strip { (strip(index, &found)) } }
            @if differs.oses { (small(found.oses.len())) }
            @if differs.targets { (small(found.targets.len())) }
        }
    }
}

/// Writes what a package is, in one line, once recipes have arrived.
fn description(explorer: Explorer, package: ValueCode) -> Markup {
    let Some(list) = explorer.recipe_list() else { return html! { td.c-about {} } };
    let text = list.of(package).map_or("", |listed| listed.description);
    html! { td.c-about.muted title=(text) { bdi { (text) } } }
}

/// Returns how many builds of a package match and work on the user's machine: `?` if that is not known for any of them.
fn run_here(explorer: Explorer, package: ValueCode) -> Option<String> {
    explorer.host()?;
    let (index, answer) = (explorer.index, explorer.answer());
    let of = |runs: Runs| -> u32 {
        let rows = answer.matching_rows(index, package);
        rows.map(|row| answer.working_in(index, row)[runs as usize]).sum()
    };
    Some(match of(Runs::Yes) {
        0 if of(Runs::Unknown) > 0 => "?".to_owned(),
        builds => grouped(builds as usize),
    })
}

/// Writes one box for each stack of the cache, filled if the package has a matching build there.
fn strip(index: &Index, row: &PackageRow) -> Markup {
    let stacks = index.dictionary(Facet::Stack);
    let mut names = String::new();
    // One path with many small boxes: fifty elements per row would be too many.
    let mut covered = String::new();
    let (mut has, mut all) = (0, 0);
    for (code, name) in stacks.iter().filter(|(code, _)| !index.is_whole_release(*code)) {
        if row.stacks.contains(&code) {
            has += 1;
            names.push_str(name);
            names.push('\n');
            covered.push_str(&format!("M{} 2h5v12h-5z", all * 7));
        }
        all += 1;
    }
    // The styles dash one line to draw all boxes; the covered ones lie on top.
    html! {
        span.strip role="img" aria-label=(format!("in {has} of {all} stacks")) title=(names) {
            svg width=(all * 7) height="16" aria-hidden="true" {
                path.uncovered d=(format!("M0 8h{}", all * 7 - 2)) {}
                path.covered d=(covered) {}
            }
        }
    }
}
