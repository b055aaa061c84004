//! What is drawn. Components here read the [`Explorer`](crate::explorer::Explorer) and hand it the
//! changes that a person makes; they decide nothing about what matches.
//!
//! Views: [`packages`], [`package`], [`build`]. Frame: [`masthead`], [`rail`], [`headline`]. The
//! rest are parts that several of them use.

mod build;
mod builds;
mod copy;
mod cut;
mod empty;
mod facet;
mod headline;
mod icon;
mod masthead;
mod notice;
mod package;
mod packages;
pub(crate) mod problem;
mod rail;
mod rows;
mod search;
mod spec;
mod to;

pub(crate) use build::Build;
pub(crate) use empty::Empty;
pub(crate) use headline::Headline;
pub(crate) use masthead::Masthead;
pub(crate) use notice::Ignored;
pub(crate) use package::Package;
pub(crate) use packages::Packages;
pub(crate) use problem::PartProblem;
pub(crate) use rail::{Rail, Sheet};
pub(crate) use rows::Viewport;
pub(crate) use search::SearchProblems;

/// `1 build`, `2 builds`, `144,664 builds`.
fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number with its digits in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
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
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "build", "builds"), "1 build");
    }
}
