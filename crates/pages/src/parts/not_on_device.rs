//! A link to something that only another device has.

use leptos::prelude::*;

/// Says that what the address names is not here, and offers to open it.
#[component]
pub(crate) fn NotOnDevice(
    /// What is not here, as a heading.
    heading: &'static str,
    /// What the link is about, as the start of a paragraph.
    about: &'static str,
    /// What is wrong with it, if this device has it but cannot read it.
    problem: Option<String>,
    /// The dialog that opens it, as `open.js` names it.
    opens: &'static str,
) -> impl IntoView {
    view! {
        <section class="empty" data-testid="empty">
            <h2>{heading}</h2>
            <p>
                {about} " that somebody has opened from a file. Open the same file here, and the link shows what it showed "
                "them."
            </p>
            {problem.map(|problem| view! { <p class="notice"><bdi>{problem}</bdi></p> })}
            <button type="button" class="button main" data-open=opens>"Open a file…"</button>
        </section>
    }
}
