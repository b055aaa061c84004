//! Laws that hold for the changes between any two caches.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use cache_index::build::{Build, Hash, Place};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::sample;
use cache_query::search::Search;
use cache_query::{Question, matching_went, run, run_with};
use proptest::prelude::*;

use super::classes::class_of;
use super::{Changes, Comparer, Part, Side, publish};
use crate::differences::likeness::Aspects;

fn index(builds: &[Build], kept: &[bool]) -> Index {
    let kept = builds.iter().zip(kept).filter(|(_, kept)| **kept);
    let kept = kept.map(|(build, _)| Build { first_seen: None, ..build.clone() });
    pack(About::default(), kept).expect("different hashes")
}

/// Publishes some of the builds on a day of a month, given the publication before.
fn published(builds: &[Build], kept: &[bool], day: usize, before: Option<&Index>) -> Index {
    let mut index = index(builds, kept);
    index.about_mut().made = Some(format!("2026-11-{day:02}T09:50:00Z"));
    if let Some(before) = before {
        publish(&mut index, before);
    }
    // As it is read from a page.
    let parts = index.to_parts();
    let read = Index::from_json(&parts.columns).expect("columns");
    parts.hashes.iter().for_each(|part| read.set_hashes(part).expect("hashes"));
    parts.details.iter().for_each(|part| read.set_details(part).expect("details"));
    parts.dependencies.iter().for_each(|part| read.set_dependencies(part).expect("dependencies"));
    parts.changes.iter().for_each(|part| read.set_changes(part).expect("changes"));
    assert_eq!(read.to_json(), index.to_json());
    assert_eq!(Index::from_json(&index.to_json()).expect("an index").to_json(), index.to_json());
    read
}

/// Returns changes whose lists are sorted by hash.
fn sorted(mut changes: Changes) -> Changes {
    for package in &mut changes.packages {
        package.pairs.sort_by_key(|pair| pair.old);
        package.went_alone.sort_by_key(|alone| alone.hash);
        package.came_alone.sort_by_key(|alone| alone.hash);
    }
    changes
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
    check(&[2], &[0, 2], "newer version");
    check(&[2], &[0], "newer version");
    check(&[0], &[0, 2], "another version");
    check(&[0], &[2], "another version");
    check(&[0, 2], &[2], "version gone");
    check(&[0, 2], &[3], "version gone");
    check(&[0], &[0, 1], "more builds");
    check(&[0, 1], &[1], "fewer builds");
    check(&[0], &[1], "dependencies only");
}

#[test]
fn groups_the_digits_of_its_numbers() {
    let hashes = |count| vec![sample::hash(0); count];
    let changes = |came, went, stayed| Changes {
        came: hashes(came),
        went: hashes(went),
        stayed,
        packages: Vec::new(),
        overwritten: Vec::new(),
        moved: Vec::new(),
    };
    let headline = changes(28_585, 23_963, 24_053).headline();
    assert_eq!(headline, "28,585 builds came, 23,963 went, 24,053 stayed");
    assert_eq!(changes(1, 0, 4).headline(), "1 build came, 0 went, 4 stayed");
}

#[test]
fn says_which_places_builds_that_stayed_left() {
    let of = |stacks: &[(usize, &[&str])]| {
        let build = |(number, stacks): &(usize, &[&str])| Build {
            hash: sample::hash(*number),
            places: stacks
                .iter()
                .map(|stack| Place { release: "develop".into(), stack: (*stack).into() })
                .collect(),
            ..sample::one("zlib", "1.3")
        };
        pack(About::default(), stacks.iter().map(build)).expect("an index")
    };
    let old = of(&[(1, &["e4s", "tools"]), (2, &["tools"]), (3, &["tools"])]);
    let mut new = of(&[(1, &["e4s"]), (2, &["e4s", "tools"]), (4, &["e4s", "ml"])]);
    let changes = Changes::between(&Side::all(&old), &Side::all(&new));
    let moved: Vec<String> = changes.moved.iter().map(ToString::to_string).collect();
    assert_eq!(moved, ["develop/e4s: 1 came", "develop/tools: 1 left"]);
    // A whole stack that is gone, and one that goes by another name.
    let without = of(&[(1, &["e4s"]), (2, &["e4s"]), (3, &["e4s"])]);
    let gone = Changes::between(&Side::all(&old), &Side::all(&without)).moved;
    let gone: Vec<String> = gone.iter().map(ToString::to_string).collect();
    assert_eq!(gone, ["develop/e4s: 2 came", "develop/tools: 3 left"]);
    let renamed = of(&[(1, &["ml"]), (2, &["ml"]), (3, &["ml"])]);
    assert_eq!(Changes::between(&Side::all(&old), &Side::all(&renamed)).moved, []);
    let same = Changes::between(&Side::all(&old), &Side::all(&old));
    assert!(same.is_empty());
    // Its publication says so, too.
    publish(&mut new, &old);
    let read = Index::from_json(&new.to_json()).expect("an index");
    let earlier = read.earlier().expect("what changed");
    assert_eq!(Changes::published(&read, earlier).moved, changes.moved);
    // Stacks of two releases, in two indexes or in one, are the same if their names are.
    let release = |release: &str, stacks: &[(usize, &[&str])]| -> Vec<Build> {
        let place = |stack: &&str| Place { release: release.into(), stack: (*stack).into() };
        let build = |(number, stacks): &(usize, &[&str])| Build {
            hash: sample::hash(*number),
            places: stacks.iter().map(place).collect(),
            ..sample::one("zlib", "1.3")
        };
        stacks.iter().map(build).collect()
    };
    let before = release("v1", &[(1, &["e4s", "tools"]), (2, &["tools"])]);
    let after = release("v2", &[(1, &["e4s"]), (2, &["e4s", "tools"]), (3, &["tools"])]);
    let both: Vec<Build> = release("v1", &[(1, &["e4s", "tools"]), (2, &["tools"])])
        .into_iter()
        .zip(&after)
        .map(|(mut old, new)| {
            old.places.extend(new.places.iter().cloned());
            old
        })
        .collect();
    let [before, after, both] =
        [before, after, both].map(|builds| pack(About::default(), builds).expect("an index"));
    let expected = ["v2/e4s: 1 came", "v2/tools: 1 left"];
    let two = Changes::between(&Side::all(&before), &Side::all(&after)).moved;
    assert_eq!(two.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    let part = |name| Side::part(&both, name, None);
    let one = Changes::between(&part("v1"), &part("v2")).moved;
    assert_eq!(one.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    // Two stacks of one cache are not an earlier and a later state.
    let side = |stack| Side::part(&new, "develop", Some(stack));
    assert_eq!(Changes::between(&side("e4s"), &side("tools")).moved, []);
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
    fn compares_builds_that_stay_alone_with_each_row_of_the_other_side((builds, old, new) in sides()) {
        let (old, new) = (index(&builds, &old), index(&builds, &new));
        let changes = Changes::between(&Side::all(&old), &Side::all(&new));
        for change in &changes.packages {
            for (alone, index, other) in [(&change.went_alone, &old, &new), (&change.came_alone, &new, &old)] {
                let code = other.dictionary(Facet::Package).code(&change.package);
                let rows = code.into_iter().flat_map(|code| other.rows_of(code)).filter(|&row| other.has_binary(row));
                let others: Vec<Aspects> = rows.filter_map(|row| Aspects::of(other, other.builds_of(row).next()?)).collect();
                for one in alone {
                    let own = Aspects::of(index, index.find(one.hash).expect("a build")).expect("hashes");
                    let differences = others.iter().map(|other| other.differences(&own));
                    let least = differences.map(|differs| (differs.len(), Reverse(class_of(&differs)))).min();
                    prop_assert_eq!(one.class, least.map(|(_, Reverse(class))| class));
                }
            }
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
            prop_assert_eq!(change.went_alone.len() + change.pairs.len(), change.went);
            prop_assert_eq!(change.came_alone.len() + change.pairs.len(), change.came);
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

    #[test]
    fn compares_alike_whatever_was_compared_before((builds, old, new) in sides(), parts in prop::collection::vec(0usize..40, 0..6)) {
        let indexes = [index(&builds, &old), index(&builds, &new)];
        let mut comparer = Comparer::default();
        for (old, new) in [(0, 1), (1, 0), (0, 0), (0, 1)] {
            let (old, new) = (&indexes[old], &indexes[new]);
            let some = |index: &Index| (0..index.specs()).filter(|at| !parts.contains(&(*at as usize))).map(BuildId).collect::<Vec<_>>();
            let sides = [Side::all(old).among(some(old)), Side::all(new)];
            prop_assert_eq!(comparer.between(&sides[0], &sides[1]), Changes::between(&sides[0], &sides[1]));
            // Another index in the place of this one.
            let other = index(&builds, &vec![true; builds.len()]);
            let (one, other) = (Side::all(new), Side::all(&other));
            prop_assert_eq!(comparer.between(&one, &other), Changes::between(&one, &other));
        }
    }

    #[test]
    fn publishes_what_the_two_snapshots_say((builds, old, new) in sides()) {
        let old = published(&builds, &old, 20, None);
        let new = published(&builds, &new, 21, Some(&old));
        let between = Changes::between(&Side::all(&old), &Side::all(&new));
        match new.earlier() {
            None => prop_assert!(between.is_empty()),
            Some(earlier) => {
                let summary = earlier.summary();
                prop_assert_eq!((summary.came, summary.went), (between.came.len(), between.went.len()));
                prop_assert_eq!(&summary.made, &old.about().made);
                prop_assert_eq!(sorted(Changes::published(&new, earlier)), sorted(between));
            }
        }
    }

    #[test]
    fn narrows_published_changes_as_those_of_two_snapshots(
        (builds, old, new) in sides(), word in "(platform=linux|target=zen4|@1.2|\\+mpi|)", release in any::<bool>(),
    ) {
        let old = published(&builds, &old, 20, None);
        let new = published(&builds, &new, 21, Some(&old));
        let Some(earlier) = new.earlier() else { return Ok(()) };
        let mut question = Question::of_text(word);
        if release {
            question.choose(vec![(Facet::Release, vec!["v1".to_owned()])], Vec::new(), &[]);
        }
        let matching = |index: &Index| {
            let found = Arc::new(Search::read(&new, &question.text).select(index));
            run_with(index, &question, found).matching_builds(index).collect::<Vec<_>>()
        };
        let went = matching_went(&new, earlier, &question);
        let went: Vec<BuildId> = went.matching_builds(earlier.went()).collect();
        prop_assert_eq!(&matching(earlier.went()), &went);
        let [before, after] = [&old, &new].map(|index| Side::all(index).among(matching(index)));
        let between = Changes::between(&before, &after);
        let narrowed =
            Changes::published_among(&new, earlier, matching(&new), matching(earlier.went()));
        prop_assert_eq!((&narrowed.came, &narrowed.went), (&between.came, &between.went));
        prop_assert_eq!(narrowed.stayed, between.stayed);
        for (one, other) in narrowed.packages.iter().zip(&between.packages) {
            let counts = |change: &super::PackageChange| {
                (change.package.clone(), change.before.clone(), change.after.clone(), change.came, change.went, change.stayed)
            };
            prop_assert_eq!(counts(one), counts(other));
            prop_assert_eq!(one.pairs.len() + one.went_alone.len(), one.went);
            prop_assert_eq!(one.pairs.len() + one.came_alone.len(), one.came);
        }
    }

    #[test]
    fn never_moves_the_first_publication_of_a_build_to_a_later_day(
        builds in sample::builds(),
        days in prop::collection::vec(prop::collection::vec(any::<bool>(), 40), 1..6),
    ) {
        let first_seen = |index: &Index, hash: Hash| {
            let build = index.find(hash).expect("a build that is there");
            index.first_seen(build).map(str::to_owned)
        };
        let mut before: Option<Index> = None;
        for (day, kept) in (1..).zip(&days) {
            let index = published(&builds, kept, day, before.as_ref());
            for build in (0..index.specs()).map(BuildId) {
                let hash = index.hash(build).expect("hashes");
                let own = first_seen(&index, hash);
                let has_binary = index.has_binary(index.row_of(build));
                let earlier = before.as_ref().filter(|before| before.find(hash).is_some());
                match (&before, earlier) {
                    (None, _) => prop_assert_eq!(own, None),
                    (_, Some(earlier)) => prop_assert_eq!(own, first_seen(earlier, hash)),
                    (_, None) => prop_assert_eq!(own, index.about().made.clone().filter(|_| has_binary)),
                }
            }
            // The same again changes nothing, and hides nothing.
            let again = published(&builds, kept, day + 1, Some(&index));
            for build in (0..index.specs()).map(BuildId) {
                prop_assert_eq!(again.first_seen(build), index.first_seen(build));
            }
            let said = |index: &Index| index.earlier().map(|earlier| (earlier.summary(), sorted(Changes::published(index, earlier))));
            prop_assert_eq!(said(&again), said(&index));
            before = Some(index);
        }
    }
}
