//! Texts that outsiders chose, in the formats that people copy and download: each format has one writer.
//!
//! | format | function | a text cannot |
//! | --- | --- | --- |
//! | CSV (RFC 4180) | [`csv_line`] | end its cell, or be a formula |
//! | Markdown | [`markdown_cell`], [`markdown_code`] | end its cell of a table, or be markup |
//! | HTML and XML | [`escaped`] | end its element or attribute, or be markup |
//!
//! Texts in links and in files of others reach all of them: a spec in an address, a package in a lock file. JSON is
//! written by `serde_json`, and the app's own HTML by maud and Leptos. [`wording`] is for the sentences of this crate.

pub(crate) mod wording;

/// Returns cells as a line of a CSV file.
pub fn csv_line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| csv_cell(cell.as_ref())).collect();
    cells.join(",") + "\r\n"
}

/// Spreadsheets calculate a cell that starts with one of these, whose wide forms some of them also accept. Variants do
/// start with them (`+mpi`).
const STARTS_A_FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// In many countries, spreadsheets split lines here instead of at commas, and do not recognize the quotes of a cell that
/// is not the first.
const OTHER_SEPARATOR: char = ';';

/// Returns a text as a cell, on one line.
fn csv_cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len() + 2);
    let mut is_start = true;
    for letter in text.chars() {
        let letter = if letter.is_control() { ' ' } else { letter };
        if is_start && STARTS_A_FORMULA.contains(&letter) {
            // The smallest change that keeps it text.
            cell.push(' ');
        }
        // A quote at the start of a cell may be taken for that of the cell itself.
        is_start = letter == OTHER_SEPARATOR || (is_start && letter == '"');
        cell.push(letter);
    }
    match cell.contains([',', OTHER_SEPARATOR, '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

/// Escapes a text for a cell of a table in Markdown, or for a line of other text.
pub fn markdown_cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | ']' | '~' | '&' => {
                escaped.extend(['\\', letter]);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Writes a text as code for a cell of a table in Markdown.
pub fn markdown_code(text: &str) -> String {
    // Code ends only at a fence with more backticks than it has in a row, and even there `|` would end the cell.
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    format!("{fence}{space}{text}{space}{fence}")
}

/// Escapes a text for elements and attributes, in HTML and in XML, and leaves out characters that XML does not allow.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if is_in_xml(letter) => escaped.push(letter),
            _ => {}
        }
    }
    escaped
}

/// Returns a text without control characters and the other characters that XML does not allow.
pub fn plain(text: &str) -> String {
    text.chars().filter(|&letter| is_in_xml(letter)).collect()
}

fn is_in_xml(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests;
