//! The field that adds a spec to the environment.

use cache_index::query::Change;
use leptos::prelude::*;
use spack_spec::Spec;

use crate::explorer::Explorer;
use crate::view::parts::sentence::sentence;

/// A field for a spec, and what is wrong with it.
#[component]
pub(crate) fn AddSpec() -> impl IntoView {
    let explorer = Explorer::here();
    let text = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let written = text.get_untracked();
        if written.trim().is_empty() {
            return;
        }
        match Spec::parse(written.trim(), explorer.index.dialect()) {
            Ok(spec) => {
                text.set(String::new());
                problem.set(None);
                explorer.go(with_spec(explorer, spec.to_string()));
            }
            Err(error) => problem.set(Some(error.to_string())),
        }
    };
    view! {
        <form class="line" on:submit=add>
            <label class="line">
                "Add a spec"
                <input
                    type="text"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder="hdf5+mpi"
                    prop:value=move || text.get()
                    aria-invalid=move || problem.with(Option::is_some).to_string()
                    on:input:target=move |event| text.set(event.target().value())
                />
            </label>
            <button type="submit" class="button">"Add"</button>
            <span role="alert">
                {move || problem.get().map(|problem| sentence(&problem))}
            </span>
        </form>
    }
}

/// Returns the change that adds a spec to the environment in the address.
fn with_spec(explorer: Explorer, spec: String) -> Change {
    untrack(|| {
        explorer.with_question(|question| {
            let mut specs = question.specs.clone();
            specs.push(spec);
            Change::OpenEnvironment(question.environment.clone().unwrap_or_default(), specs)
        })
    })
}
