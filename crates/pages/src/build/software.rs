//! The build and what it needs to run as a list of software (SBOM), for other tools.

use cache_advice::export::sbom::{Sbom, SbomFormat};
use cache_index::index::BuildId;
use leptos::prelude::*;

use site::browser;
use site::explorer::Explorer;

/// Buttons that save the list, once it is known what the build depends on.
#[component]
pub(crate) fn SaveSoftware(
    /// The build.
    id: BuildId,
    /// Its name and hash, which become the name of the list.
    name: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let said = RwSignal::new(String::new());
    let name = StoredValue::new(name);
    move || {
        explorer.dependencies()?;
        let buttons = SbomFormat::ALL.map(|format| {
            let save = move |_| said.set(save(explorer, id, &name.get_value(), format));
            view! { <button type="button" class="copy" on:click=save>{format!("Save {}", format.name())}</button> }
        });
        let buttons = buttons.collect_view();
        Some(view! {
            <div class="line">
                "List of software (SBOM): the build and what it needs to run"
                <span class="actions">{buttons}</span>
                <span class="muted" role="status">{said}</span>
            </div>
        })
    }
}

/// Saves the list, and returns a message about the result.
fn save(explorer: Explorer, id: BuildId, name: &str, format: SbomFormat) -> String {
    let Some(sbom) = Sbom::of_build(name, id, explorer.index, browser::time()) else {
        return "The hashes of the cache have not arrived yet".to_owned();
    };
    let file = format!("{}.{}", name.replace('/', "-"), format.extension());
    match browser::save(&file, &format!("{:#}\n", sbom.write(format))) {
        true => format!("saved as {file}"),
        false => "The browser does not allow saving".to_owned(),
    }
}
