//! The packages that only one stack has, if a question asks for one stack; those that a stack does not have, if it
//! excludes one; those that each of several stacks has, if it asks for all of them; and what only one release has.
//!
//! Filters choose builds. A package with one build in the stack and another in an excluded one still has a matching build, so
//! the list of packages does not answer which packages are in that stack alone. And a package that two stacks have need not
//! have a build that is in both: each may have a build of its own.

use std::collections::BTreeSet;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::grouped;
use cache_query::{Choice, Filter, Match, Question, run};

use crate::coverage::InEachStack;

/// How many packages only one stack has, compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyIn {
    /// The stack.
    pub stack: String,
    /// The only release that is compared, if a question asks for one.
    pub release: Option<String>,
    /// The stacks that it is compared with; empty for all.
    pub others: Vec<String>,
    /// The number of packages.
    pub packages: usize,
    /// How many of these also have builds whose only stack is that of a whole release, if that is not one of the others.
    pub beside: usize,
}

impl OnlyIn {
    /// Returns what may be surprising about packages that no other stack has, as a sentence without a full stop; `None`
    /// if nothing is.
    pub fn sentence_beside(beside: usize) -> Option<String> {
        let have = if beside == 1 { "has" } else { "have" };
        (beside > 0).then(|| {
            format!(
                "{} of them also {have} builds in no stack but root, which has all",
                grouped(beside)
            )
        })
    }

    /// Compares the one stack that a question includes with those that it excludes, by its other filters. `None` if it does not
    /// include exactly one and exclude another.
    pub fn asked(index: &Index, question: &Question) -> Option<OnlyIn> {
        let choice = question.choice(Facet::Stack);
        let ([stack], others @ [_, ..]) = (choice.included(), choice.excluded()) else {
            return None;
        };
        let mut both = question.clone();
        for other in others {
            both.choice_mut(Facet::Stack).include(other.clone());
        }
        let cells = InEachStack::new(index, &both, &run(index, &both));
        let code = index.dictionary(Facet::Stack).code(stack)?;
        let only = cells.only_in().into_iter().find(|(of, _)| *of == code)?.1;
        let others = others.to_vec();
        let (stack, release) = (stack.clone(), None);
        Some(OnlyIn { stack, release, others, packages: only.len(), beside: 0 })
    }
}

impl OnlyIn {
    /// Compares the one stack that a question includes with all others except those of whole releases; only in the one
    /// release that it includes, if there is one. `None` if it includes more stacks or none, if it has other filters,
    /// or if it is the stack of a whole release.
    pub fn of_one(index: &Index, question: &Question) -> Option<OnlyIn> {
        let choice = question.choice(Facet::Stack);
        let ([stack], []) = (choice.included(), choice.excluded()) else { return None };
        let code = index.dictionary(Facet::Stack).code(stack)?;
        let releases = question.choice(Facet::Release);
        let release = match (releases.included(), releases.excluded()) {
            ([release], []) => Some(release.clone()),
            _ => None,
        };
        let filters = 1 + usize::from(release.is_some());
        if Filter::all(index, question).len() > filters || index.is_whole_release(code) {
            return None;
        }
        let mut all = question.clone();
        *all.choice_mut(Facet::Stack) = Choice::default();
        let cells = InEachStack::new(index, &all, &run(index, &all));
        let only = cells.only_in().into_iter().find(|(of, _)| *of == code)?.1;
        let beside = cells.with_builds_beside(code, &only);
        let (stack, others) = (stack.clone(), Vec::new());
        Some(OnlyIn { stack, release, others, packages: only.len(), beside })
    }
}

/// What one release has, and others do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyInRelease {
    /// The release; `None` if several are not excluded.
    pub release: Option<String>,
    /// The others.
    pub others: Vec<String>,
    /// How many builds only it has.
    pub builds: u32,
    /// How many packages only it has.
    pub packages: usize,
}

impl OnlyInRelease {
    /// Compares the one release that a question includes, or all that it does not exclude, with those that it excludes,
    /// by its other filters. `None` if it includes several, or excludes none.
    pub fn asked(index: &Index, question: &Question) -> Option<OnlyInRelease> {
        let choice = question.choice(Facet::Release);
        let others = choice.excluded().to_vec();
        if others.is_empty() || choice.included().len() > 1 {
            return None;
        }
        OnlyInRelease::compared(index, question, others)
    }

    /// Compares the one release that a question includes with all others, by its other filters. `None` if it includes more or none,
    /// if it excludes one, or if there is no other.
    pub fn of_one(index: &Index, question: &Question) -> Option<OnlyInRelease> {
        let choice = question.choice(Facet::Release);
        let ([release], []) = (choice.included(), choice.excluded()) else { return None };
        let others = index.dictionary(Facet::Release).values().iter();
        let others: Vec<String> = others.filter(|other| *other != release).cloned().collect();
        if others.is_empty() { None } else { OnlyInRelease::compared(index, question, others) }
    }

    fn compared(index: &Index, question: &Question, others: Vec<String>) -> Option<OnlyInRelease> {
        let mut alone = question.clone();
        let mut elsewhere = question.clone();
        *elsewhere.choice_mut(Facet::Release) = Choice::default();
        for other in &others {
            alone.choice_mut(Facet::Release).exclude(other.clone());
            elsewhere.choice_mut(Facet::Release).include(other.clone());
        }
        let here = run(index, &alone);
        let elsewhere: BTreeSet<ValueCode> = run(index, &elsewhere).matching_packages().collect();
        let only = here.matching_packages().filter(|package| !elsewhere.contains(package));
        let all = index.dictionary(Facet::Release).values().iter();
        let mut left = all.filter(|release| !others.contains(release));
        let release = match (question.choice(Facet::Release).included().first(), left.next()) {
            (Some(included), _) => Some(included.clone()),
            (None, only) => only.filter(|_| left.next().is_none()).cloned(),
        };
        Some(OnlyInRelease { release, others, builds: here.builds, packages: only.count() })
    }
}

/// How many packages a stack does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotIn {
    /// The stack.
    pub stack: String,
    /// The number of packages.
    pub packages: usize,
}

impl NotIn {
    /// Looks for packages without a build in the one stack that a question excludes. `None` if it excludes more, none, or one that
    /// the cache does not have; if it has other filters, by which a package may be in the stack and match no build there; or if
    /// each package has a build there.
    pub fn asked(index: &Index, question: &Question) -> Option<NotIn> {
        let choice = question.choice(Facet::Stack);
        let ([], [stack]) = (choice.included(), choice.excluded()) else { return None };
        if Filter::all(index, question).len() > 1 {
            return None;
        }
        index.dictionary(Facet::Stack).code(stack)?;
        let mut there = question.clone();
        there.choice_mut(Facet::Stack).include(stack.clone());
        let cells = InEachStack::new(index, &there, &run(index, &there));
        let packages = cells.with_gaps().len();
        (packages > 0).then(|| NotIn { stack: stack.clone(), packages })
    }
}

/// How many packages each of several stacks has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InEach {
    /// The stacks.
    pub stacks: Vec<String>,
    /// The number of packages.
    pub packages: usize,
}

impl InEach {
    /// Compares the stacks that a question requires together, by its other filters. `None` if it does not require several.
    pub fn asked(index: &Index, question: &Question) -> Option<InEach> {
        let choice = question.choice(Facet::Stack);
        let stacks @ [_, _, ..] = choice.included() else { return None };
        if choice.matching() != Match::All {
            return None;
        }
        let mut any = question.clone();
        any.choice_mut(Facet::Stack).set_matching(Match::Any);
        let cells = InEachStack::new(index, &any, &run(index, &any));
        Some(InEach { stacks: stacks.to_vec(), packages: cells.in_each().len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    #[test]
    fn counts_what_only_one_release_has() {
        let build = |number: usize, package: &str, releases: &[&str]| {
            let place = |release: &&str| Place { release: (*release).into(), stack: "e4s".into() };
            let places = releases.iter().map(place).collect();
            Build { hash: sample::hash(number), places, ..sample::one(package, "1.0") }
        };
        let builds = [
            build(1, "hdf5", &["develop", "v1.0"]),
            build(2, "hdf5", &["develop"]),
            build(3, "zlib", &["develop"]),
            build(4, "cuda", &["v1.0"]),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let of = |asked: &str| {
            let question = address::decode(asked).0.question;
            let found = OnlyInRelease::asked(&index, &question);
            let found = found.or_else(|| OnlyInRelease::of_one(&index, &question));
            found.map(|found| (found.others.join(" "), found.builds, found.packages))
        };
        assert_eq!(of("release=develop"), Some(("v1.0".to_owned(), 2, 1)));
        assert_eq!(of("release=v1.0"), Some(("develop".to_owned(), 1, 1)));
        assert_eq!(of("release=develop&package=hdf5"), Some(("v1.0".to_owned(), 1, 0)));
        let develop = Some(("v1.0".to_owned(), 2, 1));
        assert_eq!(of("release=develop&not.release=v1.0"), develop);
        assert_eq!(of("not.release=v1.0"), develop);
        assert_eq!(of("release=develop&not.release=v1.0&stack=e4s"), develop);
        assert_eq!(of(""), None);
    }

    #[test]
    fn counts_the_packages_that_no_excluded_stack_has() {
        let build = |number: usize, package: &str, stacks: &[&str]| {
            let place =
                |stack: &&str| Place { release: "develop".into(), stack: (*stack).to_owned() };
            let places = stacks.iter().map(place).collect();
            Build { hash: sample::hash(number), places, ..sample::one(package, "1.0") }
        };
        // Each stack has a build of hdf5 of its own.
        let builds = [
            build(1, "hdf5", &["e4s"]),
            build(2, "hdf5", &["e4s-oneapi"]),
            build(3, "zlib", &["e4s", "e4s-oneapi"]),
            build(4, "cuda", &["e4s"]),
            build(5, "tau", &["e4s", "radiuss"]),
            build(6, "mkl", &["e4s-oneapi"]),
            build(7, "gmsh", &["tools", "root"]),
            build(8, "gcc", &["root"]),
            build(9, "cuda", &["root"]),
            build(10, "cuda", &["root"]),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |asked: &str, expected: Option<(usize, &[&str])>| {
            let question = address::decode(asked).0.question;
            let found = OnlyIn::asked(&index, &question);
            let found = found.as_ref().map(|found| {
                (found.packages, found.others.iter().map(String::as_str).collect::<Vec<_>>())
            });
            assert_eq!(found, expected.map(|(count, others)| (count, others.to_vec())), "{asked}");
        };
        check("stack=e4s&not.stack=e4s-oneapi", Some((2, &["e4s-oneapi"])));
        check(
            "stack=e4s&not.stack=e4s-oneapi&not.stack=radiuss",
            Some((1, &["e4s-oneapi", "radiuss"])),
        );
        check("stack=e4s-oneapi&not.stack=e4s", Some((1, &["e4s"])));
        check("stack=e4s&not.stack=e4s-oneapi&package=hdf5", Some((0, &["e4s-oneapi"])));
        // The stack of a whole release, which has all that its stacks have.
        check("stack=tools&not.stack=e4s", Some((1, &["e4s"])));
        check("stack=tools&not.stack=root", Some((0, &["root"])));
        check("stack=root&not.stack=tools", Some((2, &["tools"])));
        check("stack=e4s", None);
        let of_one = |asked: &str| {
            let question = address::decode(asked).0.question;
            OnlyIn::of_one(&index, &question).map(|found| (found.packages, found.beside))
        };
        assert_eq!(of_one("stack=e4s"), Some((1, 1)), "cuda");
        assert_eq!(of_one("stack=e4s&release=develop"), Some((1, 1)), "cuda");
        assert_eq!(of_one("stack=tools"), Some((1, 0)), "gmsh");
        assert_eq!(of_one("stack=root"), None);
        assert_eq!(of_one("stack=e4s&platform=linux"), None);
        let not_in = |asked: &str| {
            let question = address::decode(asked).0.question;
            NotIn::asked(&index, &question).map(|found| found.packages)
        };
        assert_eq!(not_in("not.stack=e4s"), Some(3));
        assert_eq!(not_in("not.stack=root"), Some(4));
        assert_eq!(not_in("not.stack=e4s&platform=linux"), None);
        assert_eq!(not_in("not.stack=e4s&not.stack=root"), None);
        assert_eq!(not_in("not.stack=none"), None);
        assert_eq!(not_in("stack=tools&not.stack=root"), None);
        let in_each = |asked: &str| {
            let question = address::decode(asked).0.question;
            InEach::asked(&index, &question).map(|found| found.packages)
        };
        assert_eq!(in_each("stack=e4s&stack=e4s-oneapi&all=stack"), Some(2));
        assert_eq!(in_each("stack=e4s&stack=e4s-oneapi&all=stack&package=zlib"), Some(1));
        assert_eq!(in_each("stack=e4s&stack=e4s-oneapi&stack=radiuss&all=stack"), Some(0));
        assert_eq!(in_each("stack=e4s&stack=e4s-oneapi"), None);
        check("not.stack=e4s", None);
        check("stack=e4s&stack=radiuss&not.stack=e4s-oneapi", None);
    }
}
