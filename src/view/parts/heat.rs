//! Cells of a matrix that are darker the larger their count.

use cache_index::number::{counted, grouped};
use cache_query::Change;
use leptos::prelude::*;

use crate::view::parts::to::To;

/// Draws a cell of a matrix; an empty one for 0.
pub(crate) fn heat_cell(count: u32, largest: u32, what: String, change: Change) -> AnyView {
    if count == 0 {
        return view! { <td></td> }.into_any();
    }
    let label = format!("{} {what}", counted(count as usize, "build", "builds"));
    let class = ["heat heat-1", "heat heat-2", "heat heat-3", "heat heat-4", "heat heat-5"];
    let class = class[level(count, largest)];
    view! {
        <td>
            <To change class=class label=label>{grouped(count as usize)}</To>
        </td>
    }
    .into_any()
}

/// Returns one of five levels, by the square root, so that small counts differ visibly from none, and large ones from
/// most.
fn level(count: u32, largest: u32) -> usize {
    let share = (f64::from(count) / f64::from(largest.max(1))).sqrt();
    ((share * 5.0).ceil() as usize).clamp(1, 5) - 1
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn shows_the_largest_count_darkest() {
        assert_eq!([level(1, 1000), level(300, 1000), level(1000, 1000)], [0, 2, 4]);
        assert_eq!(level(1, 1), 4);
    }
}
