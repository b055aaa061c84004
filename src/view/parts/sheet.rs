//! The sheet that has the facets in a narrow window, and the button that opens it.

use cache_index::facet::Facet;
use cache_query::View;
use leptos::prelude::*;

use crate::browser;
use crate::explorer::Explorer;
use crate::html::rows::{NARROW, Viewport};
use crate::memo::memo;
use crate::view::parts::icon::Icon;

/// The state of the sheet of a narrow window: open or closed.
#[derive(Clone, Copy)]
pub(crate) struct Sheet(RwSignal<bool>);

impl Sheet {
    /// Creates a closed sheet, which `Esc` closes too. It also closes when there is nothing to filter any more, or the window
    /// is wide.
    pub(crate) fn new(explorer: Explorer, viewport: Viewport) -> Sheet {
        let sheet = Sheet(RwSignal::new(false));
        Effect::new(move || {
            if viewport.width() >= NARROW || !explorer.view().with(View::has_filters) {
                sheet.0.set(false);
            }
        });
        browser::on_key(move |event| {
            if event.key() == "Escape" && sheet.0.get_untracked() {
                sheet.close();
            }
            false
        });
        Effect::new(move || browser::hold_page(sheet.0.get()));
        sheet
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.get()
    }

    /// Opens it, with the focus inside.
    fn open(&self) {
        self.0.set(true);
        // After the sheet has been drawn.
        request_animation_frame(|| {
            browser::focus("rail");
        });
    }

    /// Closes it, and returns the focus to its button.
    pub(crate) fn close(&self) {
        self.0.set(false);
        request_animation_frame(|| {
            browser::focus("filters");
        });
    }
}

/// The button that opens the sheet, in a narrow window.
#[component]
pub(crate) fn SheetButton() -> impl IntoView {
    let explorer = Explorer::here();
    let sheet: Sheet = expect_context();
    let chosen = memo(move || {
        explorer.with_question(|question| {
            let facets = Facet::in_rail().map(|facet| question.choice(facet));
            facets.map(|choice| choice.included().len() + choice.excluded().len()).sum::<usize>()
        })
    });
    view! {
        <button
            id="filters"
            type="button"
            class="button narrow-only"
            aria-expanded=move || sheet.is_open().to_string()
            aria-controls="rail"
            on:click=move |_| sheet.open()
        >
            {Icon::Filters.draw()}
            "Filters"
            {move || (chosen.get() > 0).then(|| format!(" ({})", chosen.get()))}
        </button>
    }
}
