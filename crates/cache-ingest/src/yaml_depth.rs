//! Limits how deep YAML nests, before the YAML library sees it.
//!
//! The library takes time that is quadratic in the depth: a minute for 400 kB of brackets. So brackets are counted
//! here, in one pass. A closing bracket or the end of a quoted text counts if it is certain; after anything doubtful (a
//! quoted text over several lines, a quote within a word), only opening brackets count, and there may be at most
//! [`MAX_DOUBTFUL`] of them. So no deep nesting gets through, and nothing that people or Spack write is rejected.
//!
//! Nesting by indentation needs no limit: each level takes a line that is longer than the one before.

/// The maximum depth of nested collections.
const MAX_DEPTH: usize = 100;

/// The maximum number of opening brackets after an end is no longer certain.
const MAX_DOUBTFUL: usize = 2_000;

/// The message for YAML that is nested too deeply.
pub(crate) const TOO_DEEP: &str = "it nests more than a hundred deep";

/// Returns `true` if collections in brackets may be nested too deeply.
pub(crate) fn is_too_deep(yaml: &str) -> bool {
    let mut scan = Scan::default();
    yaml.split('\n').any(|line| scan.line(line.as_bytes()))
}

#[derive(Default)]
struct Scan {
    depth: usize,
    /// The number of opening brackets since an end is no longer certain; 0 before that.
    doubtful: usize,
    is_in_doubt: bool,
}

impl Scan {
    /// Reads a line; returns `true` if it nests too deeply.
    fn line(&mut self, line: &[u8]) -> bool {
        let is_blank =
            |at: usize| line.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        // Brackets and quotes have a meaning where a token may start, but not within a word in a block.
        let mut may_start = true;
        let mut dashes = 0;
        let mut at = 0;
        while at < line.len() {
            let is_in_flow = self.depth > 0 || self.is_in_doubt;
            match line[at] {
                b' ' | b'\t' | b'\r' => {}
                b'#' if !self.is_in_doubt && (at == 0 || is_blank(at - 1)) => return false,
                b'[' | b'{' if may_start || is_in_flow => {
                    may_start = true;
                    if self.open() {
                        return true;
                    }
                }
                b']' | b'}' if is_in_flow => {
                    may_start = true;
                    if !self.is_in_doubt {
                        self.depth -= 1;
                    }
                }
                b',' if is_in_flow => may_start = true,
                b':' if is_blank(at + 1) => may_start = true,
                // After a quoted text in brackets, no space is needed.
                b':' if is_in_flow && at > 0 && matches!(line[at - 1], b'"' | b'\'') => {
                    may_start = true
                }
                b'-' | b'?' if may_start && is_blank(at + 1) => {
                    dashes += 1;
                    if dashes > MAX_DEPTH {
                        return true;
                    }
                }
                b'-' if at == 0 && line.starts_with(b"---") && is_blank(3) => at += 2,
                quote @ (b'"' | b'\'') if may_start && !self.is_in_doubt => {
                    may_start = false;
                    match end_of_quoted(line, at + 1, quote) {
                        Some(end) => at = end,
                        // In a block, the next line is read as if it were not part of the text: this may count what
                        // does not nest, but never the reverse.
                        None if !is_in_flow => return false,
                        None => self.is_in_doubt = true,
                    }
                }
                b'"' | b'\'' | b'?' if is_in_flow => self.is_in_doubt = true,
                // A tag or an anchor, after which a collection may start.
                b'!' | b'&' if may_start => {
                    while !is_blank(at + 1)
                        && !matches!(line[at + 1], b'[' | b'{' | b',' | b']' | b'}')
                    {
                        at += 1;
                    }
                }
                _ => may_start = false,
            }
            at += 1;
        }
        false
    }

    fn open(&mut self) -> bool {
        self.depth += 1;
        self.doubtful += usize::from(self.is_in_doubt);
        self.doubtful > MAX_DOUBTFUL || (!self.is_in_doubt && self.depth > MAX_DEPTH)
    }
}

/// Returns where a quoted text ends within its line.
fn end_of_quoted(line: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    while at < line.len() {
        match line[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\'' if quote == b'\'' && line.get(at + 1) == Some(&b'\'') => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: bool) {
        assert_eq!(is_too_deep(yaml), expected, "{}", &yaml[..yaml.len().min(80)]);
    }

    #[test]
    fn accepts_real_inputs() {
        check("", false);
        check("title: a\nspec_details: [{\"variants\": [\"+mpi\", \"x=[[\"]}]\n", false);
        let record = "{\"a\": \"[[[{\\\"\", 'b': ['it''s [', x], c: [gcc@12, d]}, ";
        check(&format!("spec_details: [{}]", record.repeat(5_000)), false);
        check(&"- [^mpich, ^openmpi]\n- {name: it's}\n".repeat(900), false);
        check("text: |\n  (see [1]\n  'and [2]\nkey: [a, b]\n", false);
        check(&format!("a: {}1{}", "[".repeat(100), "]".repeat(100)), false);
    }

    #[test]
    fn rejects_deep_nesting_however_it_is_hidden() {
        let deep = "[".repeat(3_000);
        let keys = "{a: ".repeat(3_000);
        for start in [
            "",
            "a: ",
            "- ",
            "--- ",
            "? ",
            "a: it's\nb: ",
            "a: 'b' \nc: ",
            "a: |\n  [ '\nb: ",
            "a: foo\n  'bar\nb: ",
            "a: !t ",
            "a: &b ",
            "a: !!seq",
            "[\"\n]\n\", ",
            "[it's, ",
            "[a?', ",
            "{'a': ",
            "{\"a\":",
            "# '\n",
            "a: \"b\n  c\"\nd: ",
            "a: 'x\n  y: [\n",
        ] {
            check(&format!("{start}{deep}"), true);
            check(&format!("{start}{keys}"), true);
        }
        check(&"[x?']', ".repeat(3_000), true);
        check(&"[\"\n]\", ".repeat(3_000), true);
        check(&"[\n".repeat(3_000), true);
        check(&"- ".repeat(3_000), true);
    }

    proptest! {
        /// The library quickly reads whatever is accepted.
        #[test]
        fn scans_any_text(yaml in "[\\[\\]{}'\":,?!&#a \n-]{0,300}") {
            is_too_deep(&yaml);
        }
    }
}
