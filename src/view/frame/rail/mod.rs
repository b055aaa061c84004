//! The facets, next to the results or, in a narrow window, in a sheet.

mod facets;
pub mod value;

use cache_index::facet::Facet;
use cache_index::number::counted;
use cache_query::View;
use leptos::prelude::*;

use crate::browser;
use crate::door::{Piece, with_rest};
use crate::explorer::Explorer;
use crate::html::later::after_first_view;
use crate::memo::memo;
use crate::view::frame::rail::facets::Facets;
use crate::view::parts::icon::Icon;

/// The state of the sheet of a narrow window: open or closed.
#[derive(Clone, Copy)]
pub(crate) struct Sheet(RwSignal<bool>);

impl Sheet {
    /// Creates a closed sheet, which `Esc` closes too.
    pub(crate) fn new() -> Sheet {
        let sheet = Sheet(RwSignal::new(false));
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

    fn open(&self) {
        self.0.set(true);
        // After the sheet has been drawn.
        request_animation_frame(|| {
            browser::focus("rail");
        });
    }

    fn close(&self) {
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

/// All facets.
#[component]
pub(crate) fn Rail() -> impl IntoView {
    let explorer = Explorer::here();
    let sheet: Sheet = expect_context();
    // Builds given by hash cannot be filtered.
    let has_facets = memo(move || {
        explorer.view().with(|view| {
            matches!(view, View::Packages | View::Package(_) | View::Environment | View::Changes)
        })
    });
    let show =
        move || format!("Show {}", counted(explorer.answer().builds as usize, "build", "builds"));
    view! {
        <Show when=move || has_facets.get()>
            <div
                class="curtain"
                class:open=move || sheet.is_open()
                on:click=move |_| sheet.close()
            ></div>
            <aside
                id="rail"
                class="rail"
                class:open=move || sheet.is_open()
                role=move || sheet.is_open().then_some("dialog")
                aria-modal=move || sheet.is_open().then_some("true")
                aria-label="Filters"
                tabindex="-1"
            >
                <div class="facets">
                    {after_first_view(|| with_rest(Piece::Verdicts))}
                    <Facets/>
                    {after_first_view(|| with_rest(Piece::MoreFilters))}
                </div>
                <div class="sheet-end narrow-only">
                    <button type="button" class="button main" on:click=move |_| sheet.close()>
                        {after_first_view(move || show)}
                    </button>
                </div>
            </aside>
        </Show>
    }
}
