//! How the table of builds uses its width: which columns fit, how wide each is, and how high the rows must be.
//!
//! All rows have the same height, so that only the visible ones have to exist, and no text that people choose by is cut
//! off. So both are computed from the texts, with the widths that the styles give them.

use cache_index::facet::Facet;
use cache_index::index::{Index, RowId};
use cache_index::query::{Alike, Column};

use crate::view::parts::rows::NARROW;

/// The width of a character of the table's text, in CSS pixels, rounded up.
const CHARACTER: usize = 8;
/// The horizontal padding of a cell.
const PADDING: usize = 18;
/// The maximum number of characters in a column; longer values are cut off, and complete in their title.
const MOST: usize = 20;
/// The same for stacks, of which a build may have many.
const MOST_STACKS: usize = 16;
/// The width of everything besides these columns: the rail, the margins, the checkboxes and the buttons.
const BESIDES: usize = 264 + 72 + 30 + 76;
/// The width of the column of verdicts.
const VERDICTS: usize = 92;
/// The minimum width for variants, in a table that has any.
const LEAST: usize = 180;
/// The height of a line of variants.
const LINE: usize = 20;

/// The columns of a table and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Room {
    /// The columns that fit, without variants and providers, which are words in the last column.
    pub(crate) columns: Vec<Column>,
    /// Their widths in CSS pixels.
    pub(crate) widths: Vec<usize>,
    /// The height of each row in CSS pixels.
    pub(crate) row_height: usize,
}

impl Room {
    /// Fits columns for these rows into a window of this width.
    pub(crate) fn new(
        index: &Index,
        rows: &[RowId],
        mut columns: Vec<Column>,
        alike: &Alike,
        window: f64,
        has_verdicts: bool,
    ) -> Room {
        columns.retain(|column| *column != Column::Facet(Facet::Variant));
        let is_narrow = window < NARROW;
        let mut widths: Vec<usize> =
            columns.iter().map(|&column| width(index, rows, column)).collect();
        let words = rows.iter().map(|&row| {
            let words = alike.differing_words(index, row);
            words.iter().map(|word| word.chars().count() + 1).sum::<usize>()
        });
        let words = words.max().unwrap_or(0) * CHARACTER;
        let taken = BESIDES + if has_verdicts { VERDICTS } else { 0 };
        let rest = |widths: &[usize]| {
            (window as usize).saturating_sub(taken + widths.iter().sum::<usize>())
        };
        if words > 0
            && !is_narrow
            && rest(&widths) < LEAST
            && let Some(place) =
                columns.iter().position(|column| *column == Column::Facet(Facet::Stack))
        {
            columns.remove(place);
            widths.remove(place);
        }
        let (room, base) = match is_narrow {
            true => ((window as usize).saturating_sub(108), if has_verdicts { 86 } else { 60 }),
            false => (rest(&widths).max(LEAST) - PADDING, 32 - LINE),
        };
        let lines = words.div_ceil(room.max(CHARACTER)).min(8);
        let lines = lines.max(1);
        Room { columns, widths, row_height: base + lines * LINE }
    }
}

fn width(index: &Index, rows: &[RowId], column: Column) -> usize {
    let own = |row: &RowId| match column.facet() {
        None => 9,
        Some(facet) => {
            let dictionary = index.dictionary(facet);
            let values = index.values(*row, facet);
            let several = values.len() > 1;
            values
                .iter()
                .map(|&code| dictionary.text(code).chars().count() + usize::from(several))
                .sum()
        }
    };
    let most = if column == Column::Facet(Facet::Stack) { MOST_STACKS } else { MOST };
    // There is an arrow next to the heading.
    let heading = column.label().len() + 2;
    let characters = rows.iter().map(own).max().unwrap_or(0).min(most).max(heading);
    // The names in these columns are narrower than the widest characters, which variants use.
    characters * (CHARACTER * 2 - 1) / 2 + PADDING
}
