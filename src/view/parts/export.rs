//! Saving builds as files: those that are shown, or those that are selected.

use cache_index::build::Build;
use cache_index::export::Format;
use cache_index::index::BuildId;
use cache_index::number::counted;
use cache_index::query::builds;
use leptos::prelude::*;

use crate::browser;
use crate::explorer::Explorer;

/// More builds than this make a file so large that people should know before saving it.
const LARGE: usize = 10_000;
/// How many builds are used to estimate the size of a file of all of them.
const SAMPLE: usize = 100;

/// The menu of formats.
#[component]
pub(crate) fn Export(
    /// The builds; those that are shown if none are given.
    #[prop(optional)]
    ids: Option<Callback<(), Vec<BuildId>>>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let said = RwSignal::new(String::new());
    let asked = StoredValue::new(None::<Format>);
    let save = move |format: Format| {
        let ids = untrack(|| match ids {
            Some(ids) => ids.run(()),
            None => {
                let answer = explorer.answer();
                explorer.with_query(|query| builds(explorer.index, query, &answer))
            }
        });
        let spell = |ids: &[BuildId]| -> Vec<Build> {
            ids.iter().filter_map(|&id| explorer.index.build_alone(id)).collect()
        };
        let write = |builds: &[Build]| format.write(builds, explorer.index.about());
        let count = counted(ids.len(), "build", "builds");
        // A large file is only created after the person confirms it.
        if ids.len() > LARGE && asked.get_value() != Some(format) {
            asked.set_value(Some(format));
            let size = write(&spell(&ids[..SAMPLE])).len() * (ids.len() / SAMPLE) / 1_000_000;
            said.set(format!("{count}, about {size} MB: choose it again to save them"));
            return;
        }
        let builds = spell(&ids);
        let name = format.file_name();
        said.set(if browser::save(name, &write(&builds)) {
            format!("{count} saved as {name}")
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
