//! Punctuation, quotes and contractions of plain English, which no spec contains: `hdf5, netcdf?`, `isn't`, `g++`. They
//! are overwritten, so that positions stay the same.

use std::borrow::Cow;

use super::{Understood, words};

/// Names that no spec can have, each with the name of the same length that recipes or compilers use for it.
const CALLED: [(&str, &str); 2] = [("g++", "gcc"), ("c++", "cxx")];

/// Punctuation that ends a sentence or a part of one.
const MARKS: [char; 4] = ['?', '!', ',', ';'];

/// Returns a text without the punctuation between its words, and without quotes around all of it or one of its words:
/// `hdf5, netcdf`, `(parallel) hdf5`, `No module named 'h5py'`; and with *not* in place of `isn't`. No spec contains these
/// except in the value of a flag, where they are kept.
pub(in crate::search) fn without_punctuation(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = without_contractions(without_quotes(text));
    if text.contains("='") || text.contains("=\"") {
        return text;
    }
    let mut plain = None;
    for span in words(&text) {
        let word = &text[span.clone()];
        let called = CALLED.iter().find(|(called, _)| word.eq_ignore_ascii_case(called));
        if let Some((_, name)) = called {
            plain.get_or_insert_with(|| text.to_string()).replace_range(span, name);
            continue;
        }
        // A mark at the end of the text is kept here, so that it can be reported.
        let is_last = span.end == text.trim_end().len();
        let word = if is_last { word.trim_end_matches(MARKS) } else { word };
        let inner = bare(word);
        if inner.len() < word.len() && !inner.is_empty() {
            let start = inner.as_ptr() as usize - word.as_ptr() as usize;
            let (before, after) = (" ".repeat(start), " ".repeat(word.len() - start - inner.len()));
            let plain = plain.get_or_insert_with(|| text.to_string());
            let end = span.start + word.len();
            plain.replace_range(span.start..end, &format!("{before}{inner}{after}"));
        }
    }
    plain.map_or(text, Cow::Owned)
}

/// Returns a word without the punctuation around it.
fn bare(word: &str) -> &str {
    let inner = word.trim_end_matches(MARKS).trim_start_matches('(').trim_end_matches(')');
    let inner = inner.trim_end_matches(MARKS);
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        inner.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote))
    });
    let inner = quoted.unwrap_or(inner);
    // `hdf5@1.14:` is a range, and `error:` is not.
    let named =
        inner.strip_suffix(':').filter(|name| name.bytes().all(|c| c.is_ascii_alphabetic()));
    named.unwrap_or(inner)
}

/// Returns a text in which quotes around all of it are overwritten by spaces, as a shell removes them. No spec starts with
/// a quote.
fn without_quotes(text: Cow<'_, str>) -> Cow<'_, str> {
    let inner = text.trim();
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        let inner = inner.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    });
    let Some(inner) = quoted else { return text };
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (" ".repeat(start), " ".repeat(text.len() - start - inner.len()));
    Cow::Owned(format!("{before}{inner}{after}"))
}

/// Returns a text with *not* in place of `isn't`, `doesn't` and the like, at the same length. No spec has an apostrophe
/// there.
fn without_contractions(text: Cow<'_, str>) -> Cow<'_, str> {
    const CONTRACTED: [&str; 8] =
        ["isn't", "aren't", "doesn't", "don't", "hasn't", "haven't", "can't", "won't"];
    let lower = text.to_ascii_lowercase();
    let mut plain = None;
    // Keyboards of phones write `’`.
    for word in CONTRACTED.iter().flat_map(|word| [(*word).to_owned(), word.replace('\'', "’")]) {
        for (at, _) in lower.match_indices(&word) {
            let plain = plain.get_or_insert_with(|| text.to_string());
            plain.replace_range(at..at + word.len(), &format!("{:1$}", "not", word.len()));
        }
    }
    plain.map_or(text, Cow::Owned)
}

/// Returns a text without the punctuation at its end, and that punctuation. No spec ends with it.
pub(in crate::search) fn without_mark(text: &str) -> (&str, Option<Understood>) {
    let rest = text.trim_end().trim_end_matches(MARKS);
    let mark = text[rest.len()..].trim();
    match mark {
        "" => (text, None),
        mark => (rest, Some(Understood::left_out(mark))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_specs_have() {
        let check = |text: &str, expected: &str| {
            let plain = without_punctuation(Cow::Borrowed(text));
            assert_eq!(plain.len(), text.len(), "{text}");
            assert_eq!(plain.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
        };
        for same in [
            "hdf5@1.14: +mpi",
            "hdf5 cflags='-O3, -g' +mpi",
            "hdf5 cuda_arch=80,90 %c,cxx=gcc",
            "hdf5 ^[virtuals=blas] openblas",
            "hdf5?",
        ] {
            check(same, same);
        }
        check("mpich, openmpi or hdf5, please", "mpich openmpi or hdf5 please");
        check("V100 still there? sm_70", "V100 still there sm_70");
        check("spec: 'hdf5' (parallel) there", "spec hdf5 parallel there");
        check("is it (hdf5)?", "is it hdf5 ?");
        check("built with g++ 14", "built with gcc 14");
    }
}
