//! The table of the front page: one row for each matching package.

use cache_index::facet::Facet;
use cache_index::host::Runs;
use cache_index::index::{Index, ValueCode};
use cache_index::number::grouped;
use cache_index::query::{Change, Column, PackageRow, packages};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::columns::Heading;
use crate::view::parts::package_name::PackageName;
use crate::view::parts::rows::Rows;

/// The facets in which the packages of a cache differ. The table has no columns for others.
#[derive(Clone, Copy)]
struct Differs {
    stacks: bool,
    oses: bool,
    targets: bool,
}

impl Differs {
    fn of(index: &Index) -> Differs {
        let several = |facet: Facet| index.dictionary(facet).len() > 1;
        Differs {
            stacks: several(Facet::Stack),
            oses: several(Facet::Os),
            targets: several(Facet::Target),
        }
    }

    /// Returns the number of columns for these facets.
    fn columns(self) -> usize {
        [self.stacks, self.oses, self.targets].into_iter().map(usize::from).sum()
    }
}

/// The table of packages.
#[component]
pub(crate) fn Packages() -> impl IntoView {
    let explorer = Explorer::here();
    let list = memo(move || {
        let answer = explorer.answer();
        explorer.with_query(|query| packages(explorer.index, query, &answer))
    });
    let has_machine = memo(move || explorer.host().is_some());
    let differs = Differs::of(explorer.index);
    let columns = memo(move || 4 + differs.columns() + usize::from(has_machine.get()));
    let row = move |package: ValueCode| view! { <Row package differs/> };
    view! {
        <table class="packages" aria-rowcount=move || list.with(Vec::len) + 1>
            <caption class="heard">"Packages"</caption>
            <thead>
                <tr>
                    <Heading column=Column::Facet(Facet::Package)/>
                    <Heading column=Column::Newest/>
                    <Heading column=Column::Builds number=true/>
                    {move || has_machine.get().then(|| view! {
                        <th scope="col" class="c-runs number">"Run here"</th>
                    })}
                    <Heading column=Column::Versions number=true/>
                    {differs.stacks.then(|| view! {
                        <th scope="col" class="c-strip">"Stacks"</th>
                    })}
                    {differs.oses.then(|| view! {
                        <th scope="col" class="c-small number">"OS"</th>
                    })}
                    {differs.targets.then(|| view! {
                        <th scope="col" class="c-small number">"Targets"</th>
                    })}
                </tr>
            </thead>
            <Rows items=list columns row/>
        </table>
    }
}

#[component]
fn Row(
    /// The package.
    package: ValueCode,
    /// Which columns there are.
    differs: Differs,
) -> impl IntoView {
    let explorer = Explorer::here();
    let name = explorer.index.dictionary(Facet::Package).text(package);
    let row = memo(move || PackageRow::new(explorer.index, &explorer.answer(), package));
    // All cells together: a page has hundreds of cells, and each separate signal has a cost.
    let cells = move || {
        let row = row.get();
        let (release, branch) = row.newest(explorer.index);
        let newest = release.or(branch);
        let newest = newest.map(|code| explorer.index.dictionary(Facet::Version).text(code));
        let unit = if row.builds == 1 { " build" } else { " builds" };
        view! {
            <td class="c-version spec-version"><bdi>{newest}</bdi></td>
            <td class="number c-builds" data-unit=unit>{grouped(row.builds as usize)}</td>
            {run_here(explorer, package).map(|count| view! {
                <td class="c-runs number">{grouped(count as usize)}</td>
            })}
            <td class="number c-versions">{grouped(row.versions.len())}</td>
            {differs.stacks.then(|| view! { <td class="c-strip">{strip(explorer, &row)}</td> })}
            {differs.oses.then(|| small(row.oses.len()))}
            {differs.targets.then(|| small(row.targets.len()))}
        }
    };
    let open = move |_| explorer.go(Change::OpenPackage(name.to_owned()));
    view! {
        <tr class="row" on:click=open>
            <PackageName name class="c-name"/>
            {cells}
        </tr>
    }
}

fn small(number: usize) -> AnyView {
    view! { <td class="number c-small">{grouped(number)}</td> }.into_any()
}

/// Returns how many builds of a package match and run on the person's machine.
fn run_here(explorer: Explorer, package: ValueCode) -> Option<u32> {
    explorer.host()?;
    let answer = explorer.answer();
    let rows = answer.matching_rows(explorer.index, package);
    let here = rows.filter(|&row| explorer.verdict(row).is_some_and(|v| v.runs == Runs::Yes));
    Some(here.map(|row| answer.count_in(explorer.index, row)).sum())
}

/// Draws one box for each stack of the cache, filled if the package has a matching build there.
fn strip(explorer: Explorer, row: &PackageRow) -> AnyView {
    let stacks = explorer.index.dictionary(Facet::Stack);
    let mut names = String::new();
    // One path with many small boxes: fifty elements per row would be too many.
    let mut covered = String::new();
    let (mut has, mut all) = (0, 0);
    for (code, name) in stacks.iter().filter(|(code, _)| !explorer.index.is_whole_release(*code)) {
        if row.stacks.contains(&code) {
            has += 1;
            names.push_str(name);
            names.push('\n');
            covered.push_str(&format!("M{} 2h5v12h-5z", all * 7));
        }
        all += 1;
    }
    let label = format!("in {has} of {all} stacks");
    // A dashed line has all boxes, as the styles dash it; the covered ones lie on top.
    let every = format!("M0 8h{}", all * 7 - 2);
    view! {
        <span class="strip" role="img" aria-label=label title=names>
            <svg width=all * 7 height="16" aria-hidden="true">
                <path class="uncovered" d=every/>
                <path class="covered" d=covered/>
            </svg>
        </span>
    }
    .into_any()
}
