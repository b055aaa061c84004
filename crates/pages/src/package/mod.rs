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

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::grouped;
use cache_query::search::similar_package;
use cache_query::{Change, PackageRow, Tab};
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
use site::explorer::Explorer;
use site::html::list::list;
use site::memo::memo;
use site::view::parts::export::Export;
use site::view::parts::headline::Headline;
use site::view::parts::tabs::{Tabs, shown};
use site::view::parts::to::To;

const PARTS: [(Tab, &str); 4] = [
    (Tab::List, "Builds"),
    (Tab::Coverage, "Coverage"),
    (Tab::Install, "Install"),
    (Tab::Uses, "Used by"),
];

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
                view! { <p>"Did you mean "<To change><bdi>{meant}</bdi></To>"?"</p> }
            });
            view! {
            <section class="empty" data-testid="empty">
                <h2>"No such package in this cache"</h2>
                {meant}
                <CanBeBuilt package=name.clone()/>
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
            }
            .into_any()
        }
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <To change=Change::OpenPackages>"All packages"</To>
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
    let lists_dependencies = explorer.index.lists_any_dependencies();
    let parts = if lists_dependencies { &PARTS[..] } else { &PARTS[..3] };
    let tab = shown(explorer, parts);
    let is_empty = memo(move || explorer.answer().builds == 0);
    let part = move || match tab.get() {
        Tab::Coverage => view! { <Coverage package/> }.into_any(),
        Tab::Install => view! { <Install package/> }.into_any(),
        Tab::Uses => view! { <Uses package/> }.into_any(),
        _ => view! { <Recommended package/><Builds/> }.into_any(),
    };
    view! {
        <AboutPackage package/>
        <Facts package/>
        <div class="parts">
            <Tabs parts/>
            <span class="actions">
                <Show when=move || tab.get() == Tab::List>
                    <ColumnChoice/>
                </Show>
                <Export/>
            </span>
        </div>
        <Headline/>
        <Show when=move || !is_empty.get() fallback=|| view! { <Empty/> }>
            {part}
        </Show>
    }
}

/// Facts about a package, independent of the filters.
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
        let facts = [
            (row.builds as usize, "build", "builds"),
            (row.versions.len(), "version", "versions"),
            (in_stacks, "stack", "stacks"),
            (row.oses.len(), "operating system", "operating systems"),
            (row.targets.len(), "target", "targets"),
        ];
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
                    }
                }
            }
        }
    };
    list("facts", "", NodeRef::new(), write, |_, _| ())
}
