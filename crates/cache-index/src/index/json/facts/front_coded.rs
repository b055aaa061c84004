//! Sorted texts, each without the beginning that it shares with the text before it.

use serde::{Deserialize, Serialize};

/// The limit for the total length of all texts when they are read, in bytes: a short list can claim any length.
const MOST_BYTES: usize = 1 << 26;

/// Sorted texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrontCoded {
    /// By text: how many bytes it shares with the text before it, in whole characters.
    shared: Vec<u32>,
    /// By text: what follows the shared bytes.
    rest: Vec<String>,
}

impl FrontCoded {
    /// Writes texts.
    pub(super) fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> FrontCoded {
        let mut coded = FrontCoded::default();
        let mut before = "";
        for text in texts {
            let alike = before.bytes().zip(text.bytes()).take_while(|(one, other)| one == other);
            let mut shared = alike.count();
            while !text.is_char_boundary(shared) {
                shared -= 1;
            }
            coded.shared.push(shared as u32);
            coded.rest.push(text[shared..].to_owned());
            before = text;
        }
        coded
    }

    /// The inverse of [`new`](FrontCoded::new); `None` if a text claims to share more than the text before it has, or if the
    /// texts are too long in total.
    pub(super) fn read(&self) -> Option<Vec<String>> {
        if self.shared.len() != self.rest.len() {
            return None;
        }
        let mut texts: Vec<String> = Vec::with_capacity(self.rest.len());
        let mut bytes = 0;
        for (&shared, rest) in self.shared.iter().zip(&self.rest) {
            let before = texts.last().map_or("", String::as_str);
            let start = before.get(..shared as usize)?;
            bytes += start.len() + rest.len();
            if bytes > MOST_BYTES {
                return None;
            }
            texts.push(start.to_owned() + rest);
        }
        Some(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_it_writes(texts in prop::collection::vec("[aäß/𝄞]{0,5}", 0..9)) {
            let coded = FrontCoded::new(texts.iter().map(String::as_str));
            prop_assert_eq!(coded.read(), Some(texts));
        }
    }

    #[test]
    fn rejects_texts_that_do_not_begin_in_the_one_before() {
        let read = |shared: &[u32], rest: &[&str]| {
            let rest = rest.iter().map(|text| (*text).to_owned()).collect();
            FrontCoded { shared: shared.into(), rest }.read()
        };
        assert_eq!(read(&[0, 1], &["ab", "c"]), Some(vec!["ab".to_owned(), "ac".to_owned()]));
        assert_eq!(read(&[1], &["a"]), None);
        assert_eq!(read(&[0, 1], &["ä", "b"]), None);
        assert_eq!(read(&[0], &[]), None);
        // A few bytes can encode any number of long texts.
        let long = "a".repeat(1 << 16);
        let shared: Vec<u32> = [0].into_iter().chain([1 << 16; 2000]).collect();
        let mut rest = vec![""; 2001];
        rest[0] = &long;
        assert_eq!(read(&shared, &rest), None);
    }
}
