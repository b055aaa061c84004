//! Saves the builds that are shown as files.

use cache_index::build::Build;
use cache_index::export::Format;
use cache_index::query::builds;
use leptos::prelude::*;

use crate::browser;
use crate::explorer::Explorer;
use crate::view::parts::number::counted;

/// A menu of formats.
#[component]
pub(crate) fn Export() -> impl IntoView {
    let explorer = Explorer::here();
    let said = RwSignal::new(String::new());
    let save = move |format: Format| {
        let ids = untrack(|| {
            let answer = explorer.answer();
            explorer.with_query(|query| builds(explorer.index, query, &answer))
        });
        let builds: Vec<Build> =
            ids.iter().filter_map(|&id| explorer.index.build_alone(id)).collect();
        let text = format.write(&builds, explorer.index.about().mirror_url());
        let name = format.file_name();
        said.set(if browser::save(name, &text) {
            format!("{} saved as {name}", counted(builds.len(), "build", "builds"))
        } else {
            "The browser does not allow saving".to_owned()
        });
        browser::close_menus();
    };
    let formats = Format::ALL.map(|format| {
        let name = match format {
            Format::Csv => "Table (CSV)",
            Format::Json => "JSON",
            Format::Hashes => "Hashes, one per line",
            Format::Commands => "spack install commands",
            Format::Environment => "Environment (spack.yaml)",
        };
        view! {
            <li>
                <button type="button" on:click=move |_| save(format)>{name}</button>
            </li>
        }
    });
    view! {
        <span class="muted" role="status">{said}</span>
        <details class="menu" name="menu">
            <summary class="button">"Export"</summary>
            <ul>{formats.collect_view()}</ul>
        </details>
    }
}
