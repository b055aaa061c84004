//! The field that adds specs to the environment.

use cache_query::Change;
use leptos::prelude::*;
use spack_spec::Spec;

use crate::parts::sentence::sentence;
use site::browser;
use site::explorer::Explorer;

/// Draws a field for a spec, and the problem with what was typed. Of several pasted lines, each is a spec.
#[component]
pub(crate) fn AddSpec() -> impl IntoView {
    let explorer = Explorer::here();
    let text = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    // Returns `true` if it could.
    let add = move |written: &[String]| match specs(explorer, written) {
        Ok(specs) => {
            problem.set(None);
            if !specs.is_empty() {
                explorer.go(with_specs(explorer, specs));
            }
            true
        }
        Err(error) => {
            problem.set(Some(error));
            false
        }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if add(&[text.get_untracked()]) {
            text.set(String::new());
        }
    };
    let paste = move |event: leptos::ev::ClipboardEvent| {
        // A field of one line would join them.
        let lines = browser::pasted_lines(&event);
        if lines.len() > 1 {
            event.prevent_default();
            add(&lines);
        }
    };
    view! {
        <form class="line" on:submit=submit>
            <label class="line">
                "Add a spec"
                <input
                    type="text"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder="hdf5+mpi"
                    prop:value=move || text.get()
                    aria-invalid=move || problem.with(Option::is_some).to_string()
                    on:paste=paste
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

/// Reads the specs of these lines, which may be those of a YAML list. The error is the first problem, in words.
fn specs(explorer: Explorer, written: &[String]) -> Result<Vec<String>, String> {
    let lines = written.iter().map(|line| {
        let line = line.trim();
        line.strip_prefix("- ").unwrap_or(line).trim_start()
    });
    let spec = |line: &str| match Spec::parse(line, explorer.index.dialect()) {
        Ok(spec) => Ok(spec.to_string()),
        Err(error) if written.len() == 1 => Err(error.to_string()),
        Err(error) => Err(format!("`{line}`: {error}")),
    };
    let is_spec = |line: &&str| !line.is_empty() && !line.starts_with('#');
    lines.filter(is_spec).map(spec).collect()
}

/// Returns the change that adds specs to the environment in the address.
fn with_specs(explorer: Explorer, added: Vec<String>) -> Change {
    untrack(|| {
        explorer.with_question(|question| {
            let mut environment = question.environment.clone().unwrap_or_default();
            environment.specs.extend(added);
            Change::OpenEnvironment(environment)
        })
    })
}
