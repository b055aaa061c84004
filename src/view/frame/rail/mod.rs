//! The facets, next to the results or, in a narrow window, in a sheet.

mod facets;
pub mod value;

use cache_index::number::counted;
use cache_query::View;
use leptos::prelude::*;

use crate::door::{Piece, with_rest};
use crate::explorer::Explorer;
use crate::html::later::after_first_view;
use crate::memo::memo;
use crate::view::frame::rail::facets::Facets;
use crate::view::parts::sheet::Sheet;

/// All facets.
#[component]
pub(crate) fn Rail() -> impl IntoView {
    let explorer = Explorer::here();
    let sheet: Sheet = expect_context();
    let has_facets = memo(move || explorer.view().with(View::has_filters));
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
