//! Texts with several lines, for a terminal.

use std::fmt;
use std::io::{self, Write};

use cache_ingest::visible;

/// A message with several lines, which are escaped one by one.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) String);

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.split('\n').map(visible).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Lines {}

/// The maximum width of a column of a table, in characters; longer cells push the rest of their row to the right.
const WIDEST: usize = 60;

/// Writes rows with aligned columns. Each cell is escaped, and the last one of a row is not padded.
pub(crate) fn write_table<const N: usize>(
    out: &mut impl Write,
    rows: impl IntoIterator<Item = [String; N]>,
) -> io::Result<()> {
    let rows = rows.into_iter().map(|row| row.map(|cell| visible(&cell)));
    let rows: Vec<[String; N]> = rows.collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().min(WIDEST).max(*width);
        }
    }
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_is_invisible_in_each_line() {
        assert_eq!(Lines("a\x07\n  ^".into()).to_string(), "a\\u{7}\n  ^");
    }

    #[test]
    fn aligns_columns_whatever_is_in_them() {
        #[track_caller]
        fn check(rows: &[[&str; 2]], written: &str) {
            let mut out = Vec::new();
            let rows = rows.iter().map(|row| row.map(str::to_owned));
            write_table(&mut out, rows).expect("memory can be written");
            assert_eq!(String::from_utf8(out).expect("a text"), written);
        }
        check(&[["a", "b"], ["ccc", ""]], "a    b\nccc\n");
        check(&[["é", "b"], ["a\x1b[2J", "c"]], "é           b\na\\u{1b}[2J  c\n");
        // Formatting panics above 65,535 characters.
        let long = "x".repeat(70_000);
        check(&[["a", "b"], [&long, "c"]], &format!("a{}b\n{long}  c\n", " ".repeat(61)));
    }
}
