//! Numbers for people.

/// Returns a number with its noun: `1 build`, `2 builds`, `144,664 builds`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Returns a number with its digits in groups of three.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns how long ago something was, in the largest unit that fits: `2 hours ago`.
pub fn ago(seconds: u64) -> String {
    const UNITS: [(u64, &str, &str); 5] = [
        (365 * 86_400, "year", "years"),
        (30 * 86_400, "month", "months"),
        (86_400, "day", "days"),
        (3_600, "hour", "hours"),
        (60, "minute", "minutes"),
    ];
    match UNITS.into_iter().find(|(unit, ..)| seconds >= *unit) {
        Some((unit, one, many)) => format!("{} ago", counted((seconds / unit) as usize, one, many)),
        None => "just now".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn says_how_long_ago_in_the_largest_unit() {
        let (hour, day) = (3_600, 86_400);
        let cases = [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (2 * hour + 1, "2 hours ago"),
            (day - 1, "23 hours ago"),
            (29 * day, "29 days ago"),
            (59 * day, "1 month ago"),
            (400 * day, "1 year ago"),
            (u64::MAX, "584,942,417,355 years ago"),
        ];
        for (seconds, text) in cases {
            assert_eq!(ago(seconds), text);
        }
    }

    #[test]
    fn uses_the_singular_for_one() {
        assert_eq!(counted(0, "build", "builds"), "0 builds");
        assert_eq!(counted(1, "build", "builds"), "1 build");
        assert_eq!(counted(2178, "build", "builds"), "2,178 builds");
    }
}
