//! Bounds how deep YAML nests, before the YAML library sees it.
//!
//! The library takes time that grows with the square of the depth: a minute for 400 kB of brackets.
//! So brackets are counted here, in one pass. Where a closing bracket or the end of a quoted text is
//! certain, it counts; after anything doubtful (a quoted text over several lines, a quote within a
//! word), only opening brackets do, and there may be [`MAX_DOUBTFUL`] of them. So nothing that nests
//! deeply gets past, and nothing that people or Spack write is refused.
//!
//! Nesting by indentation needs no bound: each level takes a line that is longer than the last.

/// How many collections may stand within each other.
const MAX_DEPTH: usize = 100;

/// How many may begin after the end of one is not certain any more.
const MAX_DOUBTFUL: usize = 2_000;

/// What is wrong with YAML that nests deeper.
pub(crate) const TOO_DEEP: &str = "it nests more than a hundred deep";

/// Returns whether collections in brackets may stand more than a hundred deep within each other.
pub(crate) fn is_too_deep(yaml: &str) -> bool {
    let mut scan = Scan::default();
    yaml.split('\n').any(|line| scan.line(line.as_bytes()))
}

#[derive(Default)]
struct Scan {
    depth: usize,
    /// How many collections began since an end is no longer certain; 0 while it is.
    doubtful: usize,
    is_in_doubt: bool,
}

impl Scan {
    /// Reads a line; returns `true` if it nests too deeply.
    fn line(&mut self, line: &[u8]) -> bool {
        let is_blank =
            |at: usize| line.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        // Where a token may start, a bracket or a quote means something; within a word in a block, not.
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
                // After a quoted text in brackets no blank is needed.
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
                        // In a block, the next line is read as if it were none of the text: it may
                        // count what does not nest, never the other way round.
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

/// Returns where a quoted text ends in its line.
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
    fn real_inputs_are_not_too_deep() {
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
        /// What passes is read by the library in a moment, whatever it is.
        #[test]
        fn any_text_is_scanned(yaml in "[\\[\\]{}'\":,?!&#a \n-]{0,300}") {
            is_too_deep(&yaml);
        }
    }
}
