//! What is drawn. Components here read the [`Explorer`](crate::explorer::Explorer) and hand it the
//! changes that a person makes; they decide nothing about what matches.
//!
//! Views: [`packages`], [`package`], [`build`]. Frame: [`masthead`], [`rail`], [`headline`]. The
//! rest are parts that several of them use.

mod about;
mod alike;
mod build;
mod builds;
mod columns;
mod commands;
mod compare;
mod copy;
mod coverage;
mod cut;
mod dependencies;
mod empty;
mod export;
mod facet;
mod front;
mod get;
mod headline;
mod heat;
mod heat_table;
mod icon;
mod install;
mod keys;
mod machine;
mod masthead;
mod notice;
mod package;
mod packages;
mod picks;
pub(crate) mod problem;
mod rail;
mod rows;
mod runs;
mod search;
mod spec;
mod tabs;
mod to;
mod verdict;

pub(crate) use build::Build;
pub(crate) use compare::Compare;
pub(crate) use front::Front;
pub(crate) use keys::{Keys, listen_for_keys};
pub(crate) use machine::recall_machine;
pub(crate) use masthead::Masthead;
pub(crate) use notice::Ignored;
pub(crate) use package::Package;
pub(crate) use picks::{Picks, PicksBar};
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
