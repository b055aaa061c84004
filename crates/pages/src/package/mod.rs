//! One package: its builds, which versions and machines they cover, and how to install it.

mod builds;
mod coverage;
mod in_common;
mod install;
mod lines;
mod recipe;
mod recommended;
mod sizes;
mod uses;
mod works;

use cache_advice::changes::{Between, releases_of};
use cache_advice::why_listed;
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::grouped;
use cache_query::search::similar_package;
use cache_query::{Change, PackageRow, Tab, apply};
use leptos::prelude::*;
use maud::html;

use crate::package::builds::Builds;
use crate::package::coverage::Coverage;
use crate::package::install::Install;
use crate::package::recipe::AboutPackage;
use crate::package::recommended::Recommended;
use crate::package::uses::Uses;
use crate::parts::beyond::CanBeBuilt;
use crate::parts::columns::ColumnChoice;
use crate::parts::empty::Empty;
use crate::parts::left_out;
use site::browser::history;
use site::explorer::Explorer;
use site::html::list::list;
use site::memo::memo;
use site::view::parts::export::Export;
use site::view::parts::headline::Headline;
use site::view::parts::query_link::QueryLink;
use site::view::parts::tabs::{Tabs, shown};

const PARTS: [(Tab, &str); 4] = [
    (Tab::List, "Builds"),
    (Tab::Coverage, "Coverage"),
    (Tab::Install, "Install"),
    (Tab::Uses, "Used by"),
];

/// The parts of the page of a package without binaries.
const WITHOUT_BINARY: [(Tab, &str); 2] = [(Tab::List, "Builds"), (Tab::Uses, "Used by")];

/// A package and its builds.
#[component]
pub(crate) fn Package(
    /// Its name.
    name: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let known = explorer.index.dictionary(Facet::Package).code(&name);
    let content = match known {
        Some(package) => view! { <Known package/> }.into_any(),
        None => {
            let meant = similar_package(explorer.index, &name).map(|meant| {
                let change = Change::OpenPackage(meant.clone());
                view! { <p>"Did you mean "<QueryLink change><bdi>{meant}</bdi></QueryLink>"?"</p> }
            });
            view! {
            <section class="empty" data-testid="empty">
                <h2>"No such package in this cache"</h2>
                {meant}
                {left_out::draw(explorer.index)}
                <CanBeBuilt package=name.clone()/>
                <QueryLink change=Change::OpenPackages class="button">"All packages"</QueryLink>
            </section>
            }
            .into_any()
        }
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <QueryLink change=Change::OpenPackages>"All packages"</QueryLink>
            </nav>
            <h1><bdi>{name}</bdi></h1>
        </div>
        {move || explorer.host().map(|host| view! {
            <p class="on-paper">"Machine: "{format!("{} {} {}", host.platform(), host.os(), host.target())}</p>
        })}
        {content}
    }
}

#[component]
fn Known(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let lacks_binaries = !index.rows_of(package).any(|row| index.has_binary(row));
    let parts = match (lacks_binaries, index.lists_any_dependencies()) {
        (true, _) => &WITHOUT_BINARY[..],
        (false, true) => &PARTS[..],
        (false, false) => &PARTS[..3],
    };
    let tab = shown(explorer, parts);
    let is_empty = memo(move || explorer.answer().builds == 0);
    let part = move || match tab.get() {
        Tab::Coverage => view! { <Coverage package/> }.into_any(),
        Tab::Install => view! { <Install package/> }.into_any(),
        Tab::Uses => view! { <Uses package/> }.into_any(),
        _ if lacks_binaries => view! { <NoBinary package/> }.into_any(),
        _ => view! { <Recommended package/><Builds/> }.into_any(),
    };
    view! {
        <AboutPackage package/>
        {(!lacks_binaries).then(|| view! { <Facts package/> })}
        <div class="parts">
            <Tabs parts/>
            {(!lacks_binaries).then(|| view! {
                <span class="actions">
                    <Show when=move || tab.get() == Tab::List>
                        <ColumnChoice/>
                    </Show>
                    <Export/>
                </span>
            })}
        </div>
        {(!lacks_binaries).then(|| view! { <Headline/> })}
        <Show when=move || lacks_binaries || !is_empty.get() fallback=|| view! { <Empty/> }>
            {part}
        </Show>
    }
}

/// A package that the cache has no binary of, and why it is listed: other builds use it, or its binaries are missing.
#[component]
fn NoBinary(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let mut externals: Vec<&str> = index
        .rows_of(package)
        .filter(|&row| index.origin(row).external)
        .map(|row| index.text(row, Facet::Version))
        .collect();
    externals.dedup();
    if externals.is_empty() {
        Effect::new(move || explorer.want_dependencies());
    }
    let said = move || match externals.is_empty() {
        true => Some(format!("{}.", why_listed(explorer.dependencies()?, package)?)),
        false => {
            let versions = externals.join(", ");
            Some(format!("Builds here use it as an external, of version {versions}."))
        }
    };
    view! {
        <section class="empty" data-testid="empty">
            <h2>"No binary of it is in this cache"</h2>
            {move || said().map(|said| view! { <p>{said}</p> })}
            <CanBeBuilt package=index.dictionary(Facet::Package).text(package).to_owned()/>
            <QueryLink change=Change::OpenPackages class="button">"All packages"</QueryLink>
        </section>
    }
}

/// Returns the address of what changed for a package.
fn changes_of(explorer: Explorer, between: &Between, package: ValueCode) -> String {
    let name = explorer.index.dictionary(Facet::Package).text(package).to_owned();
    explorer.with_query(|query| {
        let changes = apply(query, Change::OpenChanges(between.into()));
        history::address(&apply(&changes, Change::Only(Facet::Package, name)))
    })
}

/// Facts about a package, independent of the filters except for the newest version that matches.
#[component]
fn Facts(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let write = move || {
        let row = PackageRow::new(index, &explorer.baseline(), package);
        let stacks = index.dictionary(Facet::Stack);
        let is_stack = |code| !index.is_whole_release(code) && !stacks.text(code).is_empty();
        let in_stacks = row.stacks.iter().filter(|code| is_stack(**code)).count();
        let version = |code| index.dictionary(Facet::Version).text(code);
        let (release, branch) = row.newest(index);
        let newest = release.or(branch).map(version);
        let what = if release.is_some() { "newest release " } else { "newest " };
        let also = release.and(branch).map(version);
        // The versions that a filter leaves may be older.
        let matching = PackageRow::new(index, &explorer.answer(), package);
        let (release_there, branch_there) = matching.newest(index);
        let newest_there = release_there.or(branch_there).map(version);
        let newest_there = newest_there.filter(|_| matching.builds > 0);
        let facts = [
            (row.builds as usize, "build", "builds"),
            (row.versions.len(), "version", "versions"),
            (in_stacks, "stack", "stacks"),
            (row.oses.len(), "operating system", "operating systems"),
            (row.targets.len(), "target", "targets"),
        ];
        let (releases, has_others) = releases_of(index, package);
        html! {
            ul.facts {
                // A cache without stacks has none to count.
                @for (number, one, many) in facts.into_iter().filter(|(number, ..)| *number > 0) {
                    li { b { (grouped(number)) } " " (if number == 1 { one } else { many }) }
                }
                @if let Some(newest) = newest {
                    li {
                        (what) b.spec-version { bdi { (newest) } }
                        @if let Some(also) = also { " (also " (also) ")" }
                        @if let Some(there) = newest_there.filter(|there| *there != newest) {
                            "; of those that match, " b.spec-version { bdi { (there) } }
                        }
                    }
                }
                @if has_others && !releases.is_empty() {
                    li { "only in " b { bdi { (releases.join(", ")) } } }
                }
                @if let Some(between) = Between::latest(index) {
                    li {
                        a href=(changes_of(explorer, &between, package)) {
                            "what changed since " bdi { (between.old.to_string()) }
                        }
                    }
                }
            }
        }
    };
    list("facts", "", NodeRef::new(), write, |_, _| ())
}
