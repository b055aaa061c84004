//! The field that adds specs to the environment.

use cache_index::number::counted;
use cache_query::Change;
use leptos::prelude::*;
use spack_spec::Spec;

use crate::browser::environments;
use crate::parts::sentence::sentence;
use site::browser;
use site::explorer::Explorer;

/// How many problems of pasted lines are shown.
const MOST_PROBLEMS: usize = 5;

/// Draws a field for a spec, and the problem with what was typed. If more than one line is pasted, each is a spec; the text
/// of a `spack.yaml` or a `spack.lock` is opened like the file.
#[component]
pub(crate) fn AddSpec() -> impl IntoView {
    let explorer = Explorer::here();
    let text = RwSignal::new(String::new());
    let problems = RwSignal::new(Vec::<String>::new());
    // Adds the lines that can be read. The others stay in the field.
    let add = move |written: &str| {
        if is_file(written) {
            environments::open_text(written);
            problems.set(Vec::new());
            return text.set(String::new());
        }
        let (specs, wrong) = specs(explorer, written);
        if !specs.is_empty() {
            explorer.go(with_specs(explorer, specs));
        }
        let mut said: Vec<String> =
            wrong.iter().take(MOST_PROBLEMS).map(|(_, problem)| problem.clone()).collect();
        if let more @ 1.. = wrong.len().saturating_sub(MOST_PROBLEMS) {
            said.push(format!(
                "{} cannot be read either",
                counted(more, "more line", "more lines")
            ));
        }
        problems.set(said);
        text.set(wrong.into_iter().next().map_or_else(String::new, |(line, _)| line));
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        add(&text.get_untracked());
    };
    // Elsewhere on the page, what is pasted can only be meant for the environment.
    let listener = window_event_listener(leptos::ev::paste, move |event| {
        if !browser::is_typing() {
            add(&browser::pasted(&event));
        }
    });
    on_cleanup(move || listener.remove());
    let paste = move |event: leptos::ev::ClipboardEvent| {
        let pasted = browser::pasted(&event);
        // A single-line field would join the lines.
        if pasted.trim().contains('\n') || is_file(&pasted) {
            event.prevent_default();
            add(&pasted);
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
                    placeholder="hdf5+mpi, or paste a list or a file"
                    prop:value=move || text.get()
                    aria-invalid=move || problems.with(|all| !all.is_empty()).to_string()
                    on:paste=paste
                    on:input:target=move |event| text.set(event.target().value())
                />
            </label>
            <button type="submit" class="button">"Add"</button>
            <span role="alert">{move || sentence(&problems.get().join("; "))}</span>
        </form>
    }
}

/// Returns `true` for the text of an environment's file, and `false` for specs.
fn is_file(text: &str) -> bool {
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_said).unwrap_or_default();
    ["{", "spack:", "specs:"].iter().any(|start| first.starts_with(start))
}

/// Returns the specs on these lines, which may be those of a YAML list, and the lines that cannot be read, each with its
/// problem.
fn specs(explorer: Explorer, written: &str) -> (Vec<String>, Vec<(String, String)>) {
    let dialect = explorer.index.dialect();
    let is_alone = !written.trim().contains('\n');
    let (mut specs, mut wrong) = (Vec::new(), Vec::new());
    for line in written.lines().map(str::trim) {
        let line = line.strip_prefix("- ").unwrap_or(line).trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Spec::parse(line, dialect) {
            Ok(spec) => specs.push(spec.to_string()),
            Err(error) if is_alone => wrong.push((line.to_owned(), error.to_string())),
            Err(error) => wrong.push((line.to_owned(), format!("`{line}`: {error}"))),
        }
    }
    (specs, wrong)
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

#[cfg(test)]
mod tests {
    use super::is_file;

    #[test]
    fn distinguishes_files_from_specs() {
        for file in [
            "{\"_meta\": {}}",
            "# mine\nspack:\n  specs: [zlib]",
            "\n  specs:\n  - zlib",
            "spack: {}",
        ] {
            assert!(is_file(file), "{file}");
        }
        for specs in ["", "hdf5+mpi", "# spack:\n- zlib", "spack", "- spack:zlib"] {
            assert!(!is_file(specs), "{specs}");
        }
    }
}
