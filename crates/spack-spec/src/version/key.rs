//! The keys by which versions are compared: a list of parts and a release stage.
//!
//! The text of a version is split into runs of digits and runs of letters; whatever is between them only separates, so
//! `1.2`, `1-2`, `1_2` and `01.2` have equal keys. If the last run, or the one before a final number, is `alpha`,
//! `beta` or `rc`, it is the stage rather than a part: `1.2-rc1` is the release `1.2` in the stage rc 1. A stage needs
//! a release before it, so a version `rc1` on its own has two ordinary parts.
//!
//! Surprises:
//!
//! - Keys compare by all parts first and by stage last. `1.2-rc1` is before `1.2`, but `1.2.0-rc1`
//!   is after it, because `1.2.0` is.
//! - `1.2` and `1.2.0` are different; the shorter comes first.
//! - Letters sort before numbers, except for seven words that mean "the newest there is".
//! - Numbers are unbounded: a date, a build number and forty digits of a commit are all compared as numbers.

/// The words that sort above every number, lowest first. Spack's order.
const INFINITY: [&str; 7] = ["stable", "nightly", "trunk", "head", "master", "main", "develop"];

/// A key that sorts after every version that can be written.
const BEYOND_ALL: u8 = u8::MAX;

/// The key of a version. Keys compare as Spack compares versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    release: Vec<Part>,
    stage: Stage,
}

/// A run of digits or of letters. The order of the kinds is the order of the variants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    Text(Box<str>),
    Number(Number),
    /// By its index in [`INFINITY`].
    Infinity(u8),
}

/// An unbounded natural number; [`Large`](Number::Large) only for what `u64` cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Number {
    Small(u64),
    Large { length: usize, digits: Box<str> },
}

/// The stage of a release; a stage without a number comes before the same stage with one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stage {
    kind: StageKind,
    number: Option<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum StageKind {
    Alpha,
    Beta,
    Rc,
    /// The usual case; `1.2final` is the same as `1.2`.
    Final,
}

/// A run of digits or letters, with the separators after it.
struct Segment<'a> {
    run: &'a str,
    separator: &'a str,
}

impl Key {
    /// Returns the key of a version's text, which must contain only characters that are valid in a version.
    pub(crate) fn of(text: &str) -> Key {
        let runs: Vec<&str> = segments(text).map(|segment| segment.run).collect();
        let stage_at = |index: usize| runs.get(index).and_then(|run| StageKind::of(run));
        let last = runs.len().wrapping_sub(1);
        let number = runs.last().filter(|run| is_digits(run));
        let (parts, stage) = match (number, stage_at(last), stage_at(last.wrapping_sub(1))) {
            (Some(number), _, Some(kind)) if runs.len() >= 3 => {
                (last - 1, Stage { kind, number: Some(Number::of(number)) })
            }
            (_, Some(kind), _) if runs.len() >= 2 => (last, Stage { kind, number: None }),
            _ => (runs.len(), Stage { kind: StageKind::Final, number: None }),
        };
        Key { release: runs[..parts].iter().map(|run| Part::of(run)).collect(), stage }
    }

    /// Returns the key of a version about which nothing is known; it sorts last.
    pub(crate) fn unknown() -> Key {
        Key {
            release: vec![Part::Infinity(BEYOND_ALL)],
            stage: Stage { kind: StageKind::Final, number: None },
        }
    }

    /// Returns the lowest key outside the range that this version names on its own: for `1.2` that is `1.3`, so the
    /// range `1.2` contains every `1.2.x`.
    pub(crate) fn next(&self) -> Key {
        let mut next = self.clone();
        if next.stage.kind != StageKind::Final {
            next.stage.number = Some(match next.stage.number {
                None => Number::Small(0),
                Some(number) => number.next(),
            });
        } else if let Some(part) = next.release.last_mut() {
            *part = part.next();
        } else {
            next.release.push(Part::Text("A".into()));
        }
        next
    }

    /// Returns `true` if it contains one of the words that sort above every number.
    pub(crate) fn has_infinity(&self) -> bool {
        self.release.iter().any(|part| matches!(part, Part::Infinity(_)))
    }
}

/// Returns a version's text as Spack writes it when only the key and the separators are left: without leading zeros,
/// and without anything before the first run.
pub(crate) fn normalized(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for Segment { run, separator } in segments(text) {
        let run = if is_digits(run) { significant(run) } else { run };
        normal.push_str(run);
        normal.push_str(separator);
    }
    normal
}

impl Part {
    fn of(run: &str) -> Part {
        if is_digits(run) {
            return Part::Number(Number::of(run));
        }
        match INFINITY.iter().position(|word| *word == run) {
            Some(place) => Part::Infinity(place as u8),
            None => Part::Text(run.into()),
        }
    }

    fn next(&self) -> Part {
        match self {
            Part::Number(number) => Part::Number(number.next()),
            Part::Infinity(place) => Part::Infinity(place.saturating_add(1)),
            Part::Text(text) => {
                let mut next = next_text(text);
                while INFINITY.contains(&next.as_str()) {
                    next = next_text(&next);
                }
                Part::Text(next.into())
            }
        }
    }
}

/// Increments the last letter, in the order `A` to `Z`, `a` to `z`; after a final `z`, appends `A`.
fn next_text(text: &str) -> String {
    let mut next = text.to_owned();
    match next.pop() {
        None => next.push('A'),
        Some('z') => next.push_str("zA"),
        Some('Z') => next.push('a'),
        Some(letter) => next.push(char::from(letter as u8 + 1)),
    }
    next
}

impl Number {
    fn of(digits: &str) -> Number {
        let digits = significant(digits);
        match digits.parse() {
            Ok(number) => Number::Small(number),
            Err(_) => Number::Large { length: digits.len(), digits: digits.into() },
        }
    }

    fn next(&self) -> Number {
        match self {
            Number::Small(number) if *number < u64::MAX => Number::Small(number + 1),
            Number::Small(number) => Number::of(&next_digits(&number.to_string())),
            Number::Large { digits, .. } => Number::of(&next_digits(digits)),
        }
    }
}

/// Adds one to a decimal number of any length.
fn next_digits(digits: &str) -> String {
    let kept = digits.trim_end_matches('9');
    let nines = digits.len() - kept.len();
    let mut next = kept.to_owned();
    let last = next.pop().unwrap_or('0');
    next.push(char::from(last as u8 + 1));
    next.extend(std::iter::repeat_n('0', nines));
    next
}

impl StageKind {
    fn of(run: &str) -> Option<StageKind> {
        Some(match run {
            "alpha" => StageKind::Alpha,
            "beta" => StageKind::Beta,
            "rc" => StageKind::Rc,
            "final" => StageKind::Final,
            _ => return None,
        })
    }
}

/// Splits a version into its runs; like Spack, it drops anything before the first one.
fn segments(text: &str) -> impl Iterator<Item = Segment<'_>> {
    let is_run = |byte: &u8| byte.is_ascii_alphanumeric();
    let bytes = text.as_bytes();
    let mut at = bytes.iter().position(is_run).unwrap_or(bytes.len());
    std::iter::from_fn(move || {
        let start = at;
        let digits = bytes.get(start)?.is_ascii_digit();
        let length = |from: usize, wanted: &dyn Fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|byte| wanted(byte)).count()
        };
        let end = start + length(start, &|byte| is_run(byte) && byte.is_ascii_digit() == digits);
        at = end + length(end, &|byte| !is_run(byte));
        Some(Segment { run: &text[start..end], separator: &text[end..at] })
    })
}

fn is_digits(run: &str) -> bool {
    run.starts_with(|character: char| character.is_ascii_digit())
}

/// Returns the digits without leading zeros, but at least one.
fn significant(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_next(text: &str, expected: &str) {
        assert_eq!(Key::of(text).next(), Key::of(expected), "after {text}");
    }

    #[test]
    fn ends_a_range_at_the_next_version() {
        check_next("1.2", "1.3");
        check_next("1.9", "1.10");
        check_next("1.2-rc1", "1.2-rc2");
        check_next("1.2-rc", "1.2-rc0");
        check_next("1.2a", "1.2b");
        check_next("1.2Z", "1.2a");
        check_next("z", "zA");
        check_next("stable", "nightly");
        check_next("maim", "maio");
        check_next("18446744073709551615", "18446744073709551616");
        check_next("99999999999999999999999", "100000000000000000000000");
        check_next("_", "A");
    }

    #[test]
    fn compares_numbers_of_any_length() {
        assert!(Key::of("99999999999999999999") < Key::of("100000000000000000000"));
        assert!(Key::of("18446744073709551615") < Key::of("18446744073709551616"));
        assert_eq!(Key::of("000000000000000000000000007"), Key::of("7"));
    }

    #[test]
    fn normalizes_zeros_and_keeps_separators() {
        assert_eq!(normalized("4.06.00-rc_01"), "4.6.0-rc_1");
        assert_eq!(normalized("_1.2_"), "1.2_");
    }
}
