//! The rules by which Spack considers builds for reuse, and the outcome of a build under them.

use std::fmt;

/// A rule. They are in the order in which Spack applies them: what the cache offers, what Spack drops
/// before solving, and what its solver cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rule {
    /// The cache has a binary.
    Offered,
    /// The user's Spack can read specs of this format, and reuses them.
    Format,
    /// The settings allow reuse from caches at all.
    Reuse,
    /// It was not built from a user's own sources.
    DevPath,
    /// It is not Spack's compiler wrapper, which each machine creates for itself.
    CompilerWrapper,
    /// It is not an external, or the user's machine has the same one.
    External,
    /// It has the runtime libraries of its compiler among its dependencies.
    Runtime,
    /// It satisfies one of the specs that the settings include.
    Include,
    /// It satisfies none of the specs that the settings exclude.
    Exclude,
    /// It contains none of the requested specs, if the settings only reuse dependencies.
    Roots,
    /// It was built for the machine's platform.
    Platform,
    /// It was built for the machine's target or an ancestor of it.
    Target,
    /// It was built on a compatible OS.
    Os,
    /// The machine's libc can replace the one that it is linked with.
    Libc,
    /// Its recipe is in one of the user's repositories.
    Package,
    /// Everything that it is linked with, runs or tests with can be reused too.
    Dependencies,
    /// The machine has what its programs and libraries need, by the [facts](cache_index::facts) of its binary.
    Binary,
    /// Spack can move it into the machine's install tree, by these facts.
    Relocation,
    /// Spack lists what is in its mirror, and one of the user's mirrors fetches it.
    Mirror,
}

impl Rule {
    /// All rules, in order. Two of the last three take facts, and the last takes the user's mirrors.
    pub const ALL: [Rule; 19] = [
        Rule::Offered,
        Rule::Format,
        Rule::Reuse,
        Rule::DevPath,
        Rule::CompilerWrapper,
        Rule::External,
        Rule::Runtime,
        Rule::Include,
        Rule::Exclude,
        Rule::Roots,
        Rule::Platform,
        Rule::Target,
        Rule::Os,
        Rule::Libc,
        Rule::Package,
        Rule::Dependencies,
        Rule::Binary,
        Rule::Relocation,
        Rule::Mirror,
    ];

    /// The rules that take nothing but an index, in order.
    pub const OF_LABELS: &[Rule] = Rule::ALL.split_at(16).0;

    /// Returns the name in JSON, addresses and the terminal.
    pub fn key(self) -> &'static str {
        match self {
            Rule::Offered => "offered",
            Rule::Format => "format",
            Rule::Reuse => "reuse",
            Rule::DevPath => "dev_path",
            Rule::CompilerWrapper => "compiler-wrapper",
            Rule::External => "external",
            Rule::Runtime => "runtime",
            Rule::Include => "include",
            Rule::Exclude => "exclude",
            Rule::Roots => "roots",
            Rule::Platform => "platform",
            Rule::Target => "target",
            Rule::Os => "os",
            Rule::Libc => "libc",
            Rule::Package => "unknown package",
            Rule::Dependencies => "dependencies",
            Rule::Binary => "binary",
            Rule::Relocation => "relocation",
            Rule::Mirror => "mirror",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The status of a build under one rule. A worse status is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleStatus {
    /// The build fails the rule.
    Failed,
    /// The data, or what is known about the machine, does not say.
    Unknown,
    /// The build passes the rule, or the rule does not apply to it.
    Passed,
}

impl RuleStatus {
    /// Returns the name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            RuleStatus::Failed => "failed",
            RuleStatus::Unknown => "unknown",
            RuleStatus::Passed => "passed",
        }
    }
}

impl From<bool> for RuleStatus {
    fn from(passes: bool) -> RuleStatus {
        if passes { RuleStatus::Passed } else { RuleStatus::Failed }
    }
}

/// The answer to whether Spack would consider a build for reuse, with the rule that decides it. It is a
/// single byte, because there is one for each build.
///
/// The deciding rule is the first that fails, in Spack's order. If none fails but some are unknown, the
/// libc decides before the dependencies, and both before all others: cache pages leave out these two,
/// and the rest follows from them.
///
/// Better outcomes are greater, so the outcome under two sets of rules is the smaller of the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(u8);

/// The first number of the outcomes in which a rule is unknown.
const UNKNOWN: u8 = 0x40;

impl Outcome {
    /// All rules pass.
    pub const ELIGIBLE: Outcome = Outcome(u8::MAX);

    /// Returns the outcome under one rule.
    pub const fn of(rule: Rule, status: RuleStatus) -> Outcome {
        match (status, rule) {
            (RuleStatus::Passed, _) => Outcome::ELIGIBLE,
            (RuleStatus::Failed, _) => Outcome(rule as u8),
            (RuleStatus::Unknown, Rule::Libc) => Outcome(UNKNOWN),
            (RuleStatus::Unknown, Rule::Dependencies) => Outcome(UNKNOWN + 1),
            (RuleStatus::Unknown, _) => Outcome(UNKNOWN + 2 + rule as u8),
        }
    }

    /// Returns whether the build is eligible; `None` if that is unknown.
    pub fn is_eligible(self) -> Option<bool> {
        match self.0 {
            u8::MAX => Some(true),
            UNKNOWN.. => None,
            _ => Some(false),
        }
    }

    /// Returns `true` if a rule fails.
    #[inline]
    pub(crate) fn fails(self) -> bool {
        self.0 < UNKNOWN
    }

    /// Returns the rule that decides it: the first that fails, or else the first that is unknown. `None`
    /// for an eligible build.
    pub fn rule(self) -> Option<Rule> {
        Rule::ALL.into_iter().find(|&rule| {
            [RuleStatus::Failed, RuleStatus::Unknown].map(|s| Outcome::of(rule, s)).contains(&self)
        })
    }

    /// Returns the outcome that follows for a build that needs this one.
    #[inline]
    pub(crate) fn seen_from_above(self) -> Outcome {
        const FAILED: Outcome = Outcome::of(Rule::Dependencies, RuleStatus::Failed);
        const UNKNOWN_BELOW: Outcome = Outcome::of(Rule::Dependencies, RuleStatus::Unknown);
        match self.0 {
            u8::MAX => Outcome::ELIGIBLE,
            UNKNOWN.. => UNKNOWN_BELOW,
            _ => FAILED,
        }
    }

    /// The number of different outcomes, for [`at`](Outcome::at).
    pub(crate) const COUNT: usize = 256;

    /// Returns a number below [`COUNT`](Outcome::COUNT) that no other outcome has.
    pub(crate) fn at(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the answer in words: `eligible`, `not eligible` or `cannot tell`.
    pub fn word(self) -> &'static str {
        match self.is_eligible() {
            Some(true) => "eligible",
            Some(false) => "not eligible",
            None => "cannot tell",
        }
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        self.rule().map_or(Ok(()), |rule| write!(f, ": {rule}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_rules_in_their_order() {
        assert!(Rule::ALL.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Rule::ALL.map(|rule| rule as usize), std::array::from_fn(|at| at));
    }

    #[test]
    fn names_the_rule_that_decides() {
        for rule in Rule::ALL {
            for (status, eligible) in
                [(RuleStatus::Failed, Some(false)), (RuleStatus::Unknown, None)]
            {
                let outcome = Outcome::of(rule, status);
                assert_eq!((outcome.is_eligible(), outcome.rule()), (eligible, Some(rule)));
                assert_eq!(outcome.seen_from_above().is_eligible(), eligible);
                assert_eq!(outcome.min(Outcome::ELIGIBLE), outcome);
            }
        }
        assert_eq!((Outcome::ELIGIBLE.is_eligible(), Outcome::ELIGIBLE.rule()), (Some(true), None));
    }

    #[test]
    fn puts_failures_before_what_is_unknown_and_the_libc_first() {
        #[track_caller]
        fn check(one: (Rule, RuleStatus), two: (Rule, RuleStatus), decides: Rule) {
            let least = Outcome::of(one.0, one.1).min(Outcome::of(two.0, two.1));
            assert_eq!(least.rule(), Some(decides));
        }
        use RuleStatus::{Failed, Unknown};
        check((Rule::Libc, Failed), (Rule::Target, Failed), Rule::Target);
        check((Rule::Format, Unknown), (Rule::Package, Failed), Rule::Package);
        check((Rule::Format, Unknown), (Rule::Libc, Unknown), Rule::Libc);
        check((Rule::Format, Unknown), (Rule::Dependencies, Unknown), Rule::Dependencies);
        check((Rule::Package, Unknown), (Rule::Roots, Unknown), Rule::Roots);
    }
}
