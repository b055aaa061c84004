//! Hostile texts in each format.

use proptest::prelude::*;

use super::*;

/// Reads a line as a spreadsheet does, splitting it at this separator: a cell is quoted if it starts with a quote.
fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut is_start = true;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().expect("there is one");
        match letter {
            '"' if is_start => (is_quoted, is_start) = (true, false),
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                cell.extend(letters.next());
            }
            '"' if is_quoted => is_quoted = false,
            letter if !is_quoted && (letter == separator || "\r\n".contains(letter)) => {
                cells.push(String::new());
                is_start = true;
            }
            letter => {
                cell.push(letter);
                is_start = false;
            }
        }
    }
    cells
}

#[test]
fn writes_lines_of_csv() {
    #[track_caller]
    fn check(cell: &str, expected: &str) {
        assert_eq!(csv_line(["a", cell]), format!("a,{expected}\r\n"));
    }
    check("hdf5", "hdf5");
    check("", "");
    check("a,b", "\"a,b\"");
    check("say \"hi\"", "\"say \"\"hi\"\"\"");
    check("+mpi", " +mpi");
    check("=HYPERLINK(\"https://x\")", "\" =HYPERLINK(\"\"https://x\"\")\"");
    check("＝1", " ＝1");
    check("a;=1", "\"a; =1\"");
    check("a\n@x\t", "a @x ");
    check("a;\"=1", "\"a;\"\" =1\"");
    check("1-2", "1-2");
}

#[test]
fn writes_no_markup_of_markdown() {
    #[track_caller]
    fn check(text: &str, expected: &str, code: &str) {
        assert_eq!((markdown_cell(text).as_str(), markdown_code(text).as_str()), (expected, code));
    }
    check("a|b\nc", r"a\|b c", r"`a\|b c`");
    check("py_x@1", r"py\_x@1", "`py_x@1`");
    check("[x](y)<b>&lt;", r"\[x\](y)\<b>\&lt;", "`[x](y)<b>&lt;`");
    check("`a``", r"\`a\`\`", "``` `a`` ```");
}

#[test]
fn writes_no_markup_of_html() {
    assert_eq!(
        escaped("<a href='x' id=\"y\">&\u{1}\u{ffff}"),
        "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;"
    );
    assert_eq!(plain("a\u{1b}\n<b"), "a<b");
}

proptest! {
    #[test]
    fn is_no_formula_however_a_spreadsheet_splits_lines(
        texts in prop::collection::vec("[=+@＝;,\"\t\r\n ax-]{0,9}", 1..4),
    ) {
        let line = csv_line(&texts);
        for separator in [',', ';', '\t'] {
            for cell in cells(&line, separator) {
                prop_assert!(!cell.starts_with(STARTS_A_FORMULA), "{cell:?} in {line:?}");
            }
        }
        // Without white space, each cell is as it was.
        let read = cells(line.trim_end_matches("\r\n"), ',');
        let without = |text: &str| text.replace([' ', '\t', '\r', '\n'], "");
        let texts: Vec<String> = texts.iter().map(|text| without(text)).collect();
        prop_assert_eq!(read.iter().map(|cell| without(cell)).collect::<Vec<_>>(), texts);
    }
}
