//! One package: its builds.

use cache_index::facet::Facet;
use cache_index::query::{Change, PackageRow};
use leptos::prelude::*;

use super::builds::{Builds, ColumnChoice};
use super::counted;
use super::empty::Empty;
use super::headline::Headline;
use super::to::To;
use crate::explorer::Explorer;

/// A package and its builds.
#[component]
pub(crate) fn Package(
    /// Its name.
    name: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let known = explorer.index.dictionary(Facet::Package).code(&name);
    let facts = move || {
        let package = known?;
        let row = PackageRow::new(explorer.index, &explorer.baseline(), package);
        let name = |code: &_| explorer.index.dictionary(Facet::Stack).text(*code);
        let stacks = row.stacks.iter().filter(|code| name(code) != "root").count();
        let newest = explorer.index.dictionary(Facet::Version).text(*row.versions.first()?);
        Some(format!(
            "{} · {} · newest {newest} · {}",
            counted(row.builds as usize, "build", "builds"),
            counted(row.versions.len(), "version", "versions"),
            counted(stacks, "stack", "stacks"),
        ))
    };
    let is_empty = Memo::new(move |_| explorer.answer().builds == 0);
    let content = move || match known {
        None => view! {
            <section class="empty" data-testid="empty">
                <h2>"No such package in this cache"</h2>
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
        }
        .into_any(),
        Some(_) => view! {
            <Headline/>
            <Show when=move || !is_empty.get() fallback=|| view! { <Empty/> }>
                <Builds/>
            </Show>
        }
        .into_any(),
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <To change=Change::OpenPackages>"All packages"</To>
            </nav>
            <h1><bdi>{name}</bdi></h1>
            <p class="muted">{facts}</p>
            <ColumnChoice/>
        </div>
        {content}
    }
}
