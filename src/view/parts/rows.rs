//! Long lists of which only the visible rows exist.
//!
//! All rows have the same height, so the visible ones follow from the scroll position; spacers stand in for the rest.
//! The page itself scrolls, not a box within it: wheels, touch, keyboards and the browser's own search work best that
//! way.
//!
//! While the page is printed, all rows exist, up to [`PRINTED`]: paper does not scroll.

use std::hash::Hash;
use std::ops::Range;

use cache_index::number::grouped;
use leptos::either::Either;
use leptos::html::Tbody;
use leptos::prelude::*;

use crate::browser;
use crate::memo::memo;

/// The height of a row in a wide window, in CSS pixels; `--row` in the styles.
pub(crate) const WIDE_ROW: usize = 32;
/// The same in a narrow window, where a row has two lines.
pub(crate) const NARROW_ROW: usize = 60;
/// A window below this width is narrow, as in the styles.
pub(crate) const NARROW: f64 = 960.0;
/// How many additional rows exist above and below the visible ones.
const SPARE: usize = 8;
/// The minimum height of what is above any table at the top of the page, in CSS pixels, unless its page says more.
const ABOVE: f64 = 128.0;

/// The maximum number of rows that are printed, about 150 pages; a note after them says how many are missing.
const PRINTED: usize = 5_000;

/// The current size of the window and scroll position.
#[derive(Clone, Copy)]
pub(crate) struct Viewport {
    width: RwSignal<f64>,
    height: RwSignal<f64>,
    top: RwSignal<f64>,
    is_printing: RwSignal<bool>,
}

impl Viewport {
    /// Follows the window from now on.
    pub(crate) fn new() -> Viewport {
        let viewport = Viewport {
            width: RwSignal::new(0.0),
            height: RwSignal::new(0.0),
            top: RwSignal::new(0.0),
            is_printing: RwSignal::new(false),
        };
        viewport.look();
        browser::on_viewport_change(move || viewport.look());
        browser::on_print(move |is_printing| viewport.is_printing.set(is_printing));
        viewport
    }

    fn look(&self) {
        let seen = browser::viewport();
        self.height.set(seen.height);
        self.top.set(seen.top);
        if self.width.get_untracked() != seen.width {
            self.width.set(seen.width);
        }
    }

    /// Returns the width of the window.
    pub(crate) fn width(&self) -> f64 {
        self.width.get()
    }

    /// Returns the height of a row, unless its table sets another.
    fn row_height(&self) -> usize {
        if self.width.get() < NARROW { NARROW_ROW } else { WIDE_ROW }
    }
}

/// The body of a table with a row for each item, of which only the visible ones exist.
#[component]
pub(crate) fn Rows<T, V>(
    /// The items, in order; each is its own key.
    #[prop(into)]
    items: Signal<Vec<T>>,
    /// The number of columns of the table.
    #[prop(into)]
    columns: Signal<usize>,
    /// The height of each row in CSS pixels; by default that of the styles.
    #[prop(optional)]
    height: Option<Signal<usize>>,
    /// The minimum height of what is above the body at the top of the page, in CSS pixels.
    #[prop(default = ABOVE)]
    above: f64,
    /// Draws an item.
    row: impl Fn(T) -> V + Clone + Send + Sync + 'static,
) -> impl IntoView
where
    T: Copy + Eq + Hash + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let viewport: Viewport = expect_context();
    let body = NodeRef::<Tbody>::new();
    // The position of the body in the window, and the number of additional rows. Reading it makes the browser lay out
    // the page at once, so it is only done when the page is scrolled, not when the items change.
    let placed = memo(move || {
        let top = viewport.top.get();
        match body.get() {
            Some(body) if top > 0.0 => (body.get_bounding_client_rect().top(), SPARE),
            _ => (above, 0),
        }
    });
    let row_height = move || height.map_or_else(|| viewport.row_height(), |height| height.get());
    let visible = memo(move || {
        let height = row_height() as f64;
        let count = items.with(Vec::len);
        if viewport.is_printing.get() {
            return 0..count.min(PRINTED);
        }
        let (start, spare) = placed.get();
        let first = (-start / height).max(0.0) as usize;
        let last = ((viewport.height.get() - start) / height).max(0.0) as usize + 1;
        first.saturating_sub(spare).min(count)..(last + spare).min(count)
    });
    let there = move || {
        let Range { start, end } = visible.get();
        items.with(|items| items[start.min(items.len())..end.min(items.len())].to_vec())
    };
    let spacer = move |rows: usize| {
        (rows > 0).then(|| {
            let height = format!("{}px", rows * row_height());
            view! {
                <tr class="spacer" aria-hidden="true">
                    <td colspan=move || columns.get() style:height=height></td>
                </tr>
            }
        })
    };
    view! {
        <tbody node_ref=body style=("--row", move || height.map(|height| format!("{}px", height.get())))>
            {move || spacer(visible.get().start)}
            <For each=there key=|item| *item children=row/>
            {move || {
                let after = items.with(Vec::len).saturating_sub(visible.get().end);
                match viewport.is_printing.get() && after > 0 {
                    true => Either::Left(view! {
                        <tr>
                            <td colspan=move || columns.get()>
                                {format!("{} more rows are not printed", grouped(after))}
                            </td>
                        </tr>
                    }),
                    false => Either::Right(spacer(after)),
                }
            }}
        </tbody>
    }
}
