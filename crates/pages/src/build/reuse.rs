//! The rules by which Spack would consider a build for reuse on the user's machine, one by one.

use cache_advice::reuse::Check;
use cache_index::index::BuildId;
use leptos::prelude::*;

use crate::data::fits;
use crate::parts::sentence::with_code;
use crate::parts::verdict::{class, icon, of_rule, runs};
use site::explorer::Explorer;
use site::view::frame::machine::ask_for_machine;

/// Shows whether Spack would consider the build, what decides it and what would change that, and on demand every rule.
/// Without a machine, it asks for one.
#[component]
pub(crate) fn WouldReuse(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let Some(checklist) = fits::checklist(explorer, id) else {
            return view! {
                <p class="muted on-screen">
                    "Would Spack reuse it? "
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>"Say what your machine is"</button>
                    ", and each rule is checked."
                </p>
            }
            .into_any();
        };
        let reason = checklist.decides().map(|check| view! { ": "{with_code(&check.fact)} });
        let changes = checklist.changes();
        let change = match changes.as_slice() {
            [] => None,
            [one] => Some(format!("This would change it: {one}")),
            all => Some(format!("Only all of this would change it: {}", all.join("; and "))),
        };
        let verdict = runs(checklist.outcome.is_eligible());
        let word = checklist.outcome.word();
        let change = change.map(|change| view! { {with_code(&change)}"." });
        let rules: Vec<AnyView> = checklist.checks.into_iter().map(line).collect();
        view! {
            <section class="would-reuse" aria-labelledby="would-reuse" data-testid="would-reuse">
                <h2 id="would-reuse">"Would Spack reuse it on your machine?"</h2>
                <p><span class=class(verdict)>{icon(verdict).draw()}<b>{word}</b></span><bdi>{reason}</bdi></p>
                <p class="muted"><bdi>{change}</bdi></p>
                <details class="raw">
                    <summary>"All rules"</summary>
                    <ul class="similar">{rules}</ul>
                    <p class="muted">
                        "An eligible build is one that Spack considers. Which it chooses is for its solver to say."
                    </p>
                </details>
            </section>
        }
        .into_any()
    }
}

/// Draws a rule: how the build meets it, what was found, and where that is written.
fn line(check: Check) -> AnyView {
    let Check { rule, status, fact, source, change } = check;
    let verdict = of_rule(status);
    let name = format!("{} {rule}", status.key());
    let change = change.map(|change| view! { "; would change it: "{with_code(&change)} });
    view! {
        <li>
            <span class=class(verdict)>{icon(verdict).draw()}<b>{name}</b></span>
            " "
            <bdi>{with_code(&fact)}</bdi>
            " "
            <bdi class="muted">"("{source}{change}")"</bdi>
        </li>
    }
    .into_any()
}
