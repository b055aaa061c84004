//! Saving and copying the answer.

use cache_advice::environment::{AssessmentReport, carry_list};
use leptos::prelude::*;

use crate::environment::state::JudgedEnvironment;
use site::browser;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::copy::Copy;

/// A form of the answer: its name in the menu, the name of the file, and its text.
type Form = (&'static str, &'static str, fn(&AssessmentReport<'_>) -> String);

/// The name of the list of files to carry to a machine without a network. An index cannot name all of them.
const CARRIED: &str = "carry.txt";
/// The hint about that list.
const WITHOUT_BLOBS: &str =
    "; the blobs, which only the mirror itself names, are listed by the command that it shows";

const FORMS: [Form; 6] = [
    ("Markdown", "environment.md", |written| written.markdown()),
    ("Table (CSV)", "environment.csv", |written| written.csv()),
    ("JSON", "environment.json", |written| format!("{:#}\n", written.json())),
    ("What is cached (spack.yaml)", "spack.yaml", |written| written.manifest()),
    ("Manifests of the mirror (rsync)", CARRIED, |written| {
        let AssessmentReport { index, environment, assessment } = *written;
        carry_list(index, environment, &assessment.coverage).text()
    }),
    ("What is missing, for spack install", "missing.txt", |written| written.missing()),
];

/// The menu of forms, and a button that copies the report.
#[component]
pub(super) fn ExportEnvironment(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let said = RwSignal::new(String::new());
    let is_whole = memo(move || judged.with(|judged| judged.left == 0));
    let write = move |text: fn(&AssessmentReport<'_>) -> String| {
        judged.with_untracked(|JudgedEnvironment { environment, assessment, .. }| {
            text(&AssessmentReport { index, environment, assessment })
        })
    };
    // Readers of the report do not see the machine that is stated.
    let copied = move || {
        judged.with_untracked(|JudgedEnvironment { environment, assessment, .. }| {
            let written = AssessmentReport { index, environment, assessment };
            let on_machine = untrack(|| {
                let host = explorer.host()?;
                explorer.with_question(|question| written.on_machine(question, &host.arch()))
            });
            let on_machine = on_machine.map(|said| format!("\n{said}\n"));
            format!("{}{}", written.markdown(), on_machine.unwrap_or_default())
        })
    };
    let save = move |name: &'static str, text: fn(&AssessmentReport<'_>) -> String| {
        said.set(if browser::save(name, &write(text)) {
            format!("Saved as {name}{}", if name == CARRIED { WITHOUT_BLOBS } else { "" })
        } else {
            "The browser does not allow saving".to_owned()
        });
        browser::close_menus();
    };
    let buttons = FORMS.map(|(label, name, text)| {
        view! {
            <li>
                <button type="button" disabled=move || !is_whole.get() on:click=move |_| save(name, text)>
                    {label}
                </button>
            </li>
        }
    });
    view! {
        <span class="muted" role="status">{said}</span>
        {move || is_whole.get().then(|| view! {
            <Copy text=Callback::new(move |()| copied()) label="Copy as Markdown"/>
        })}
        <details class="menu" name="menu">
            <summary class="button">"Export"</summary>
            <ul>{buttons.collect_view()}</ul>
        </details>
    }
}
