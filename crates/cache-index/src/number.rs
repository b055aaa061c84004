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
    fn uses_the_singular_for_one() {
        assert_eq!(counted(0, "build", "builds"), "0 builds");
        assert_eq!(counted(1, "build", "builds"), "1 build");
        assert_eq!(counted(2178, "build", "builds"), "2,178 builds");
    }
}
