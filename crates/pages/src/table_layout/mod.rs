//! How the table of builds uses its width: which columns fit, how wide each is, and how high the rows must be.
//!
//! All rows have the same height, so that only the visible ones have to exist, and no text that people choose by is cut
//! off. So the widths and the height are computed from the texts, with the widths that the styles give them.
//! [`WordRoom`] is the room in the last column.

mod words;

use cache_advice::Alike;
use cache_index::facet::Facet;
use cache_index::index::{Index, RowId};
use cache_query::Column;

pub(crate) use self::words::{RowWords, WHY, WordRoom, shortened};
use site::html::rows::NARROW;

/// The width of a character of the table's text, in CSS pixels, rounded up.
const CHARACTER: usize = 8;
/// The horizontal padding of a cell.
const PADDING: usize = 18;
/// The maximum number of characters in a column; longer values are cut off, and complete in their title.
const MOST: usize = 20;
/// The same if variants would otherwise have no room.
const MOST_IF_TIGHT: usize = 14;
/// The same for stacks; a build may have many.
const MOST_STACKS: usize = 16;
/// The column of stacks.
const STACKS: Column = Column::Facet(Facet::Stack);
/// The width of everything besides these columns: the rail, the margins, the checkboxes and the buttons.
const BESIDES: usize = 264 + 72 + 30 + 76;
/// The width of the column of verdicts.
const VERDICTS: usize = 128;
/// The minimum and maximum width of a reason next to each verdict.
const REASON: [usize; 2] = [110, 340];
/// The minimum width for variants, in a table that has any.
const LEAST: usize = 180;
/// The width of a character of other text, which is not monospaced, rounded up.
const TEXT_CHARACTER: usize = 7;
/// The height of a line of variants.
const LINE: usize = 20;
/// The columns of a table and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableLayout {
    /// The columns that fit, without variants and providers, which are words in the last column.
    pub(crate) columns: Vec<Column>,
    /// Their widths in CSS pixels.
    pub(crate) widths: Vec<usize>,
    /// The width of the column of verdicts.
    pub(crate) verdicts: usize,
    /// `true` if it has room for the reasons.
    pub(crate) has_reasons: bool,
    /// The room for variants and providers.
    pub(crate) words: WordRoom,
    /// The height of each row in CSS pixels.
    pub(crate) row_height: usize,
}

impl TableLayout {
    /// Fits columns for these rows into a window of this width. If `has_alikes`, rows of builds that are alike also
    /// have room to say so next to the variants.
    pub(crate) fn new(
        index: &Index,
        rows: &[RowId],
        mut columns: Vec<Column>,
        alike: &Alike,
        window: f64,
        has_verdicts: bool,
        has_alikes: bool,
    ) -> TableLayout {
        columns.retain(|column| *column != Column::Facet(Facet::Variant));
        let is_narrow = window < NARROW;
        let mut widths: Vec<usize> =
            columns.iter().map(|&column| width(index, rows, column)).collect();
        let kinds = alike.differing_kinds(index, rows);
        let words = kinds.iter().map(|words| {
            words.iter().map(|word| shortened(word).chars().count() + 1).sum::<usize>()
        });
        let why = if has_alikes { WHY[0].len() * TEXT_CHARACTER } else { 0 };
        let words = words.max().unwrap_or(0) * CHARACTER + why;
        let taken = BESIDES + if has_verdicts { VERDICTS } else { 0 };
        let rest = |widths: &[usize]| {
            (window as usize).saturating_sub(taken + widths.iter().sum::<usize>())
        };
        if words > 0
            && !is_narrow
            && rest(&widths) < LEAST
            && let Some(place) = columns.iter().position(|column| *column == STACKS)
        {
            columns.remove(place);
            widths.remove(place);
        }
        if words > 0 && !is_narrow && rest(&widths) < LEAST {
            for (column, width) in columns.iter().zip(&mut widths) {
                *width = (*width).min(pixels(MOST_IF_TIGHT.max(heading(*column))));
            }
        }
        let (room, base) = match is_narrow {
            true => ((window as usize).saturating_sub(108), if has_verdicts { 86 } else { 60 }),
            false => (rest(&widths).max(LEAST) - PADDING, 32 - LINE),
        };
        // Below a row, the first column has what closes the line again.
        let others = widths.iter().skip(1).sum::<usize>();
        let whole = if is_narrow { room } else { room + others };
        let word_room = WordRoom::new(&kinds, room, whole, has_alikes);
        // The room that the last column does not need goes to the stacks.
        if !is_narrow && let Some(place) = columns.iter().position(|column| *column == STACKS) {
            let unused = rest(&widths).saturating_sub(words.max(LEAST) + PADDING);
            let needed = pixels(longest(index, rows, STACKS)).max(widths[place]);
            widths[place] = needed.min(widths[place] + unused);
        }
        let needed = if words > 0 { words.max(LEAST) } else { 0 };
        let unused = rest(&widths).saturating_sub(needed + PADDING);
        let has_reasons = has_verdicts && !is_narrow && unused >= REASON[0];
        let verdicts = VERDICTS + if has_reasons { unused.min(REASON[1]) } else { 0 };
        let row_height = base + word_room.height();
        TableLayout { columns, widths, verdicts, has_reasons, words: word_room, row_height }
    }
}

fn width(index: &Index, rows: &[RowId], column: Column) -> usize {
    let most = if column == STACKS { MOST_STACKS } else { MOST };
    pixels(longest(index, rows, column).min(most).max(heading(column)))
}

/// Returns the number of characters of the longest cell of a column.
fn longest(index: &Index, rows: &[RowId], column: Column) -> usize {
    let Some(facet) = column.facet() else { return 9 };
    let dictionary = index.dictionary(facet);
    let own = |row: RowId| -> usize {
        let values = index.values(row, facet);
        let several = values.len() > 1;
        let len = |&code| dictionary.text(code).chars().count() + usize::from(several);
        values.iter().map(len).sum()
    };
    index.representatives(rows, facet).into_iter().map(own).max().unwrap_or(0)
}

/// Returns how many characters a heading needs, with the arrow next to it.
fn heading(column: Column) -> usize {
    column.label().len() + 2
}

/// Returns the width of a column of this many characters. The names in these columns are narrower than the widest
/// characters, those of variants.
fn pixels(characters: usize) -> usize {
    (characters * (CHARACTER * 2 - 1)).div_ceil(2) + PADDING
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, BuildId, pack};

    use super::*;

    fn build(number: usize, os: &str, stack: &str, variants: &[&str]) -> Build {
        let digits = format!("{number:031b}").replace('0', "a").replace('1', "7");
        let hash = format!("{digits}b").parse().expect("32 characters of base32");
        Build {
            platform: "linux".to_owned(),
            os: os.to_owned(),
            target: "x86_64_v3".to_owned(),
            compiler: Some("gcc@13.2.0".to_owned()),
            variants: variants.iter().map(|text| text.parse().expect("a variant")).collect(),
            places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
            ..Build::new(hash, "hdf5", "1.14.5")
        }
    }

    /// The layout of a table of these builds with all columns.
    fn layout(
        builds: Vec<Build>,
        window: f64,
        has_verdicts: bool,
        has_alikes: bool,
    ) -> TableLayout {
        let index = pack(About::default(), builds).expect("different hashes");
        let ids: Vec<BuildId> = (0..index.specs()).map(BuildId).collect();
        let mut rows: Vec<RowId> = ids.iter().map(|&id| index.row_of(id)).collect();
        rows.dedup();
        let alike = Alike::of(&index, &ids);
        let columns = [Column::Hash, Column::Facet(Facet::Os), Column::Facet(Facet::Stack)]
            .into_iter()
            .chain([Column::Facet(Facet::Variant)])
            .collect();
        TableLayout::new(&index, &rows, columns, &alike, window, has_verdicts, has_alikes)
    }

    fn few() -> Vec<Build> {
        vec![build(0, "rhel8", "e4s", &["+mpi"]), build(1, "ubuntu24.04", "cuda", &["~mpi"])]
    }

    /// Two builds that differ in this many variants.
    fn many(variants: usize) -> Vec<Build> {
        let names = |sign: char| -> Vec<String> {
            (0..variants).map(|number| format!("{sign}variant_{number:02}")).collect()
        };
        let of = |number: usize, sign: char| {
            let names = names(sign);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            build(number, "rhel8", "ml-linux-x86_64-cuda", &names)
        };
        vec![of(0, '+'), of(1, '~')]
    }

    #[test]
    fn gives_each_column_room_for_its_values_and_its_heading() {
        let layout = layout(few(), 1440.0, false, false);
        assert_eq!(layout.columns.len(), 3);
        assert!(!layout.columns.contains(&Column::Facet(Facet::Variant)));
        for (column, width) in layout.columns.iter().zip(&layout.widths) {
            // At least six pixels a character, those of the heading included.
            assert!(*width >= column.label().len() * 6 + PADDING, "{column:?}: {width}");
        }
        let os = layout.widths[1];
        assert!(os >= "ubuntu24.04".len() * 7, "{os}");
        assert_eq!(layout.row_height, 32);
    }

    #[test]
    fn makes_rows_higher_as_the_window_gets_narrower() {
        let heights: Vec<usize> = [2560.0, 1440.0, 1280.0, 1024.0]
            .map(|window| layout(many(12), window, true, false).row_height)
            .into();
        assert!(heights.is_sorted() && heights[0] < heights[3], "{heights:?}");
        // Whatever the variants are, a row does not fill the page.
        assert_eq!(layout(many(200), 1024.0, true, false).row_height, 32 + 2 * LINE);
    }

    #[test]
    fn leaves_room_to_say_that_builds_are_alike() {
        let alone = layout(many(3), 1280.0, true, false).row_height;
        assert!(layout(many(3), 1280.0, true, true).row_height > alone);
        assert_eq!(layout(few(), 1440.0, false, true).row_height, 32);
    }

    #[test]
    fn drops_the_stacks_before_variants_have_no_room() {
        let stacks = Column::Facet(Facet::Stack);
        assert!(layout(many(4), 1440.0, false, false).columns.contains(&stacks));
        assert!(!layout(many(4), 960.0, true, false).columns.contains(&stacks));
        // On a phone there are no columns, and the styles decide.
        assert!(layout(many(4), 390.0, true, false).columns.contains(&stacks));
    }

    #[test]
    fn shows_more_of_the_stacks_where_there_is_room() {
        let builds = || {
            let stack = "ml-linux-x86_64-cuda-and-more";
            vec![build(0, "rhel8", stack, &["+mpi"]), build(1, "rhel8", stack, &["~mpi"])]
        };
        let stacks = |window: f64| layout(builds(), window, false, false).widths[2];
        assert_eq!(stacks(1920.0), pixels(29));
        assert!((pixels(MOST_STACKS)..pixels(29)).contains(&stacks(980.0)));
    }

    #[test]
    fn makes_columns_narrower_before_variants_have_no_room() {
        let builds = || {
            let os = "a-rather-long-operating-system";
            vec![build(0, os, "e4s", &["+mpi"]), build(1, "rhel8", "cuda", &["~mpi"])]
        };
        let os = |window: f64| layout(builds(), window, true, false).widths[1];
        assert_eq!(os(1440.0), pixels(MOST));
        assert_eq!(os(960.0), pixels(MOST_IF_TIGHT));
    }

    #[test]
    fn needs_no_room_without_builds() {
        assert_eq!(layout(Vec::new(), 1440.0, false, false).row_height, 32);
        assert_eq!(layout(Vec::new(), 390.0, true, false).row_height, 86 + LINE);
    }
}
