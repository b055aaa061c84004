//! Laws that hold for the changes between any two caches.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Changes, Part, Side};
use crate::build::{Build, Hash, Place};
use crate::index::{About, Index, pack};
use crate::query::{Question, run};
use crate::sample;

fn index(builds: &[Build], kept: &[bool]) -> Index {
    let kept = builds.iter().zip(kept).filter(|(_, kept)| **kept).map(|(build, _)| build.clone());
    pack(About::default(), kept).expect("different hashes")
}

fn with_binary(builds: &[Build], kept: &[bool]) -> BTreeSet<Hash> {
    let kept = builds.iter().zip(kept).filter(|(build, kept)| **kept && build.has_binary());
    kept.map(|(build, _)| build.hash).collect()
}

fn sides() -> impl Strategy<Value = (Vec<Build>, Vec<bool>, Vec<bool>)> {
    let some = || prop::collection::vec(any::<bool>(), 40);
    (sample::builds(), some(), some())
}

#[test]
fn says_what_came_or_went_if_nothing_was_replaced() {
    #[track_caller]
    fn check(old: &[usize], new: &[usize], expected: &str) {
        let builds: Vec<Build> = ["2.0", "2.0", "1.0", "1.0"]
            .iter()
            .enumerate()
            .map(|(number, version)| Build {
                hash: sample::hash(number),
                places: Place::whole_release("develop").into(),
                ..sample::one("hdf5", version)
            })
            .collect();
        let side = |kept: &[usize]| {
            index(&builds, &(0..builds.len()).map(|at| kept.contains(&at)).collect::<Vec<_>>())
        };
        let (old, new) = (side(old), side(new));
        let changes = Changes::between(&Side::all(&old), &Side::all(&new));
        let classes: Vec<String> =
            changes.packages.iter().map(|change| change.class.to_string()).collect();
        assert_eq!(classes, [expected]);
    }
    check(&[], &[0], "new package");
    check(&[0], &[], "gone");
    check(&[2], &[0, 2], "new version");
    check(&[2], &[0], "new version");
    check(&[0, 2], &[2], "version gone");
    check(&[0, 2], &[3], "version gone");
    check(&[0], &[0, 1], "more builds");
    check(&[0, 1], &[1], "fewer builds");
    check(&[0], &[1], "dependencies only");
}

proptest! {
    #[test]
    fn agrees_with_plain_sets((builds, old, new) in sides()) {
        let (before, after) = (with_binary(&builds, &old), with_binary(&builds, &new));
        let (old, new) = (index(&builds, &old), index(&builds, &new));
        let changes = Changes::between(&Side::all(&old), &Side::all(&new));
        let set = |hashes: &[Hash]| hashes.iter().copied().collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&changes.came), &after - &before);
        prop_assert_eq!(set(&changes.went), &before - &after);
        prop_assert_eq!(changes.stayed, before.intersection(&after).count());
        prop_assert!(changes.came.is_sorted() && changes.went.is_sorted());
        let came: usize = changes.packages.iter().map(|change| change.came).sum();
        let went: usize = changes.packages.iter().map(|change| change.went).sum();
        prop_assert_eq!((came, went), (changes.came.len(), changes.went.len()));
        for change in &changes.packages {
            let olds: BTreeSet<Hash> = change.pairs.iter().map(|pair| pair.old).collect();
            let news: BTreeSet<Hash> = change.pairs.iter().map(|pair| pair.new).collect();
            prop_assert_eq!((olds.len(), news.len()), (change.pairs.len(), change.pairs.len()));
            prop_assert!(olds.iter().all(|hash| changes.went.contains(hash)));
            prop_assert!(news.iter().all(|hash| changes.came.contains(hash)));
        }
    }

    #[test]
    fn narrows_both_sides_alike((builds, _, _) in sides(), word in "[a-c]?", releases in any::<[bool; 2]>()) {
        let index = index(&builds, &vec![true; builds.len()]);
        let answer = run(&index, &Question::of_text(word));
        let matching: BTreeSet<Hash> = answer.matching_builds(&index).filter_map(|build| index.hash(build)).collect();
        let parts = Part::all(&index);
        let part = |last: bool| if last { parts.last() } else { parts.first() };
        let (Some(old), Some(new)) = (part(releases[0]), part(releases[1])) else { return Ok(()) };
        let whole = Changes::between(&old.of(&index), &new.of(&index));
        let some = Changes::between(&old.of(&index).among(answer.matching_builds(&index)), &new.of(&index).among(answer.matching_builds(&index)));
        let among = |hashes: &[Hash]| hashes.iter().copied().filter(|hash| matching.contains(hash)).collect::<Vec<_>>();
        prop_assert_eq!((&some.came, &some.went), (&among(&whole.came), &among(&whole.went)));
        prop_assert_eq!(some.by_class().iter().map(|(_, count)| count).sum::<usize>(), some.packages.len());
        for change in &some.packages {
            let (went, came) = some.unpaired(&index, change);
            prop_assert_eq!(went.len() + change.pairs.len(), change.went);
            prop_assert_eq!(came.len() + change.pairs.len(), change.came);
        }
    }

    #[test]
    fn swaps_came_and_went_in_the_other_direction((builds, old, new) in sides()) {
        let (old, new) = (index(&builds, &old), index(&builds, &new));
        let there = Changes::between(&Side::all(&old), &Side::all(&new));
        let back = Changes::between(&Side::all(&new), &Side::all(&old));
        prop_assert_eq!((&there.came, &there.went, there.stayed), (&back.went, &back.came, back.stayed));
        prop_assert!(Changes::between(&Side::all(&old), &Side::all(&old)).is_empty());
        let names = |changes: &Changes| changes.packages.iter().map(|c| c.package.clone()).collect::<Vec<_>>();
        prop_assert_eq!(names(&there), names(&back));
    }
}
