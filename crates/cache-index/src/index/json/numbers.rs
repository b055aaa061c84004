//! Lists of numbers, which are nearly all of the text apart from the hashes.
//!
//! `serde` visits each number separately, through several functions. When a page reads its dependencies, or the reader an
//! index that a user opens, the browser has not optimized any of that code yet, and calls take most of the time. So a list
//! is taken as raw text, whose syntax `serde_json` has checked, and read in one loop. The columns of a published page are
//! [parsed by the browser](super::parsed).

use std::mem;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Reads a list of numbers.
pub(super) fn list<'de, D, N>(from: D) -> Result<Vec<N>, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<i64>,
{
    let text = <&RawValue>::deserialize(from)?.get();
    let mut all = Vec::new();
    match read(text, 1, &mut |list| all = list) {
        true => Ok(all),
        false => Err(D::Error::custom("expected a list of whole numbers")),
    }
}

/// Reads a list of lists of numbers.
pub(super) fn lists<'de, D, L>(from: D) -> Result<L, D::Error>
where
    D: Deserializer<'de>,
    L: FromIterator<Vec<u32>>,
{
    let text = <&RawValue>::deserialize(from)?.get();
    let mut all = Vec::new();
    match read(text, 2, &mut |list| all.push(list)) {
        true => Ok(L::from_iter(all)),
        false => Err(D::Error::custom("expected lists of whole numbers")),
    }
}

/// Reads the lists at this depth of a JSON value; the value itself is at depth 1. Returns `false` if the value contains
/// anything but these lists, or a number that is not an integer or not in the range of `N`, which must be within that of
/// `u32` or `i32`.
fn read<N: TryFrom<i64>>(json: &str, depth: usize, take: &mut dyn FnMut(Vec<N>)) -> bool {
    let mut at = 0;
    let mut list = Vec::new();
    let mut number: Option<i64> = None;
    let mut is_negative = false;
    for byte in json.bytes() {
        match byte {
            b'0'..=b'9' if at == depth => {
                let longer = number.unwrap_or(0) * 10 + i64::from(byte - b'0');
                // Also keeps a number of any length from exceeding an `i64`.
                if longer > i64::from(u32::MAX) {
                    return false;
                }
                number = Some(longer);
            }
            b',' | b']' => {
                if let Some(number) = number.take() {
                    match N::try_from(if is_negative { -number } else { number }) {
                        Ok(number) => list.push(number),
                        Err(_) => return false,
                    }
                    is_negative = false;
                }
                if byte == b']' {
                    if at == depth {
                        take(mem::take(&mut list));
                    }
                    at -= 1;
                }
            }
            b'-' if at == depth => is_negative = true,
            b'[' if at < depth => at += 1,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::lists::Lists;

    #[derive(Debug, PartialEq, Deserialize)]
    struct One<N: TryFrom<i64>>(#[serde(deserialize_with = "list")] Vec<N>);

    #[derive(Debug, PartialEq, Deserialize)]
    struct Several(#[serde(deserialize_with = "lists")] Lists);

    #[test]
    fn rejects_what_is_not_a_list_of_numbers_of_the_type() {
        #[track_caller]
        fn check<'j, T: Deserialize<'j> + std::fmt::Debug>(json: &'j str) {
            let read: Result<T, _> = serde_json::from_str(json);
            assert!(read.is_err(), "{json} is read as {read:?}");
        }
        for json in [
            "1", "{}", "null", "\"1\"", "[1.5]", "[1e2]", "[\"1\"]", "[null]", "[[1]]", "[1,]",
            "[1", "[01]",
        ] {
            check::<One<u32>>(json);
            check::<One<i32>>(json);
        }
        for json in ["[-1]", "[4294967296]", "[123456789012345678901234567890]"] {
            check::<One<u32>>(json);
        }
        check::<One<i32>>("[2147483648]");
        check::<One<i32>>("[-2147483649]");
        for json in ["1", "[1]", "[[1],2]", "[[[1]]]", "[[-1]]", "[{}]", "[[1],null]"] {
            check::<Several>(json);
        }
    }

    #[test]
    fn allows_white_space() {
        let read: One<u32> = serde_json::from_str("[ 1 ,\n2 ]").expect("a list");
        assert_eq!(read, One(vec![1, 2]));
        let read: Several = serde_json::from_str(" [ [ ] , [ 3 ] ] ").expect("lists");
        assert_eq!(read, Several(Lists::from_iter([vec![], vec![3]])));
    }

    proptest! {
        #[test]
        fn reads_what_serde_writes(
            natural: Vec<u32>,
            whole: Vec<i32>,
            several: Vec<Vec<u32>>,
        ) {
            let json = serde_json::to_string(&natural).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<One<u32>>(&json).expect("a list").0, natural);
            let json = serde_json::to_string(&whole).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<One<i32>>(&json).expect("a list").0, whole);
            let json = serde_json::to_string(&several).expect("JSON");
            prop_assert_eq!(
                serde_json::from_str::<Several>(&json).expect("lists").0,
                Lists::from_iter(several)
            );
        }

        /// What both read, they read alike; whole numbers out of range, and `-0`, are the only difference that matters.
        #[test]
        fn reads_what_serde_reads(json in "\\[[-0-9, ]{0,12}\\]") {
            if let Ok(serde) = serde_json::from_str::<Vec<i32>>(&json) {
                prop_assert_eq!(serde_json::from_str::<One<i32>>(&json).expect("a list").0, serde);
            }
        }
    }
}
