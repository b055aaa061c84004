//! Cells of a matrix that are darker the larger their count.

use cache_index::number::{counted, grouped};
use maud::{Markup, html};

/// Writes a cell of a matrix, a link to an address; an empty one for 0.
pub(crate) fn heat_cell(
    count: u32,
    largest: u32,
    what: &str,
    address: impl Fn() -> String,
) -> Markup {
    if count == 0 {
        return html! { td {} };
    }
    let builds = counted(count as usize, "build", "builds");
    let class = ["heat heat-1", "heat heat-2", "heat heat-3", "heat heat-4", "heat heat-5"];
    let class = class[level(count, largest)];
    html! {
        td {
            a class=(class) aria-label=(format!("{builds} {what}")) href=(address()) { (grouped(count as usize)) }
        }
    }
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
