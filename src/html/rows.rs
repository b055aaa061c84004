//! Virtual tables: only the visible rows are in the page.
//!
//! All rows have the same height, so the visible ones follow from the scroll position; spacers stand in for the rest.
//! The page itself scrolls, not a box within it: wheels, touch, keyboards and the browser's own search work best that
//! way.
//!
//! While the page is printed, all rows exist, up to [`PRINTED`]: paper does not scroll.

use std::ops::Range;

use cache_index::number::grouped;
use leptos::html::Div;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser;
use crate::memo::memo;

/// The height of a row in a wide window, in CSS pixels; `--row` in the styles.
pub const WIDE_ROW: usize = 32;
/// The same in a narrow window, where a row has two lines.
pub const NARROW_ROW: usize = 60;
/// A window below this width is narrow, as in the styles.
pub const NARROW: f64 = 960.0;
/// How many additional rows exist above and below the visible ones.
const SPARE: usize = 8;
/// The minimum height of what is above a table when the page is at its top, in CSS pixels, unless the table's page states
/// more.
pub const ABOVE: f64 = 128.0;

/// The maximum number of rows that are printed, about 150 pages; a note after them says how many are missing.
const PRINTED: usize = 5_000;

/// The current size of the window and scroll position.
#[derive(Clone, Copy)]
pub struct Viewport {
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
    pub fn width(&self) -> f64 {
        self.width.get()
    }

    /// Returns the height of a row, unless its table sets another.
    fn row_height(&self) -> usize {
        if self.width.get() < NARROW { NARROW_ROW } else { WIDE_ROW }
    }
}

/// Which rows of a table exist.
#[derive(Clone, Copy)]
pub struct ExistingRows {
    /// The number of all rows.
    count: Signal<usize>,
    /// The existing ones.
    range: Memo<Range<usize>>,
    /// The height of each in CSS pixels.
    height: Signal<usize>,
    /// `true` if the height is not that of the styles.
    sets_height: bool,
    is_printing: RwSignal<bool>,
}

impl ExistingRows {
    /// Follows which rows of the table in an element are visible.
    pub fn of(
        element: NodeRef<Div>,
        count: Signal<usize>,
        height: Option<Signal<usize>>,
        above: f64,
    ) -> ExistingRows {
        let body = move || element.get()?.query_selector("tbody").ok()?;
        let viewport: Viewport = expect_context();
        // The position of the body in the window, and the number of additional rows. Reading it makes the browser lay out
        // the page at once, so it is only done when the page is scrolled, not when the items change.
        let placed = memo(move || {
            let top = viewport.top.get();
            match body() {
                Some(body) if top > 0.0 => (body.get_bounding_client_rect().top(), SPARE),
                _ => (above, 0),
            }
        });
        let sets_height = height.is_some();
        let height = height.unwrap_or_else(|| Signal::derive(move || viewport.row_height()));
        let range = memo(move || {
            let count = count.get();
            if viewport.is_printing.get() {
                return 0..count.min(PRINTED);
            }
            let height = height.get() as f64;
            let (start, spare) = placed.get();
            let first = (-start / height).max(0.0) as usize;
            let last = ((viewport.height.get() - start) / height).max(0.0) as usize + 1;
            first.saturating_sub(spare).min(count)..(last + spare).min(count)
        });
        ExistingRows { count, range, height, sets_height, is_printing: viewport.is_printing }
    }

    /// Writes the body of the table: the existing rows, which need keys, and spacers or a note for the others.
    pub fn write<T: Copy>(
        &self,
        items: &[T],
        columns: usize,
        write: impl Fn(T) -> Markup,
    ) -> Markup {
        let style = self.sets_height.then(|| format!("--row:{}px", self.height.get()));
        let spacer = |height: Option<String>| {
            html! {
                @if let Some(height) = height {
                    tr.spacer aria-hidden="true" {
                        td colspan=(columns) data-style=(format!("height:{height}")) {}
                    }
                }
            }
        };
        html! {
            tbody data-style=[style] {
                (spacer(self.above()))
                @for item in self.of_items(items) { (write(item)) }
                @match self.below() {
                    Below::Spacer(height) => (spacer(height)),
                    Below::Missing(note) => { tr { td colspan=(columns) { (note) } } },
                }
            }
        }
    }

    /// Returns the items that have a row.
    fn of_items<T: Copy>(&self, items: &[T]) -> Vec<T> {
        let Range { start, end } = self.range.get();
        items[start.min(items.len())..end.min(items.len())].to_vec()
    }

    /// Returns the height of the spacer for the rows above; `None` if there are no such rows.
    fn above(&self) -> Option<String> {
        self.spacer(self.range.get().start)
    }

    /// Returns what stands in for the rows below.
    fn below(&self) -> Below {
        let rows = self.count.get().saturating_sub(self.range.get().end);
        match self.is_printing.get() && rows > 0 {
            true => Below::Missing(format!("{} more rows are not printed", grouped(rows))),
            false => Below::Spacer(self.spacer(rows)),
        }
    }

    fn spacer(&self, rows: usize) -> Option<String> {
        (rows > 0).then(|| format!("{}px", rows * self.height.get()))
    }
}

/// What stands in for the rows below the existing ones.
enum Below {
    /// A spacer of this height, or nothing.
    Spacer(Option<String>),
    /// A note that they are not printed.
    Missing(String),
}
