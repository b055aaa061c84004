//! Properties of the readers of what this program has written: indexes and their shards, pages with an index in them, and
//! facts.

use cache_advice::changes::Changes;
use cache_advice::differences::compare::Comparison;
use cache_advice::recipes::OutdatedReport;
use cache_advice::{complete, nearest, ways_out, why};
use cache_index::facet::Facet;
use cache_index::facts::{KnownFacts, Line};
use cache_index::index::{BuildId, FactsByBuild, Index, Part, ShardOfBuilds, ShardOfNames};
use cache_ingest::site::extract;
use cache_query::search::{Search, meanings};
use cache_query::{Query, Question, builds, run};

use crate::assert_is_message;

/// The searches that a loaded index must answer, at least one of each kind.
const TEXTS: [&str; 8] =
    ["", "a", "@1.2: +mpi", "++shared", "^zlib@1: %gcc", "/ab", "mpi", "os=* target=x86_64:"];

/// A text is rejected with a message, or it is an index that answers queries, and writing that index and reading it
/// again changes nothing.
pub fn index(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let index = match Index::from_json(&text) {
        Ok(index) => index,
        Err(error) => return assert_is_message(&error.to_string()),
    };
    let written = index.to_json();
    let again = Index::from_json(&written).expect("an index that was written");
    assert_eq!(again.to_json(), written);
    // Parts are read separately, too; here each is given to an index that it may not fit.
    for set in [
        Index::set_hashes,
        Index::set_details,
        Index::set_dependencies,
        Index::set_changes,
        Index::set_recipes,
        Index::set_recipe_details,
        Index::set_other_packages,
    ] {
        if let Err(error) = set(&again, &text) {
            assert_is_message(&error.to_string());
        }
    }
    answers(&index);
}

/// A page is rejected with a message, or each part of its index is in it or next to it.
pub fn site(bytes: &[u8]) {
    const BESIDE: &str = "{}";
    let html = String::from_utf8_lossy(bytes);
    match extract(&html, |_| Ok(BESIDE.to_owned())) {
        Err(error) => assert_is_message(&error.to_string()),
        Ok(parts) => {
            for text in Part::ALL.into_iter().filter_map(|part| parts.text(part)) {
                assert!(html.contains(text) || text == BESIDE);
            }
            if let Err(error) = Index::from_json(&parts.columns) {
                assert_is_message(&error.to_string());
            }
        }
    }
}

/// Each line of a file of facts is rejected with a message, or is written as it was read.
pub fn facts(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (mut known, mut again) = (KnownFacts::default(), KnownFacts::default());
    for line in text.lines() {
        if let Err(error) = known.add(line, true) {
            assert_is_message(&error.to_string());
            continue;
        }
        let line = Line::read(line).expect("it was read before");
        let written = serde_json::to_string(&line).expect("JSON");
        assert_eq!(Line::read(&written), Ok(line));
        again.add(&written, true).expect("a line that was written");
    }
    assert_eq!(again, known);
}

/// An index of a few builds.
const SMALL: &str = include_str!("../../cache-index/tests/golden/format-2/external.json");

/// A shard of the lists of files is rejected with a message, or every build and name in it can be looked up.
pub fn shard(bytes: &[u8]) {
    /// A damaged shard can claim millions of builds.
    const ASKED: usize = 20;
    let text = String::from_utf8_lossy(bytes);
    let index = Index::from_json(SMALL).expect("an index");
    match ShardOfBuilds::read(&text) {
        Err(error) => assert_is_message(&error.to_string()),
        Ok(shard) => {
            for build in shard.builds().take(ASKED) {
                match shard.of(build) {
                    Err(error) => assert_is_message(&error.to_string()),
                    Ok(files) => drop(files.expect("a build of the shard")),
                }
            }
        }
    }
    match ShardOfNames::read(&text, &index) {
        Err(error) => assert_is_message(&error.to_string()),
        Ok(shard) => {
            for (_, builds) in shard.with("") {
                assert!(builds.iter().all(|build| build.0 < index.specs()));
            }
        }
    }
    if let Err(error) = FactsByBuild::read(&text, &index) {
        assert_is_message(&error.to_string());
    }
    let mut whole = index;
    if let Err(error) = whole.take_facts(&text) {
        assert_is_message(&error.to_string());
    }
}

fn answers(index: &Index) {
    for text in TEXTS {
        let query = Query { question: Question::of_text(text), ..Query::default() };
        let answer = run(index, &query.question);
        assert_eq!(answer.builds as usize, builds(index, &query, &answer).len(), "{text}");
        for problem in Search::read(index, text).problems {
            assert!(text.get(problem.span).is_some());
        }
        meanings(index, text);
        complete(index, &Query::default(), text, text.len());
        why(index, &query.question, &ways_out(index, &query.question));
        nearest(index, &query.question, 3);
    }
    if let Err(error) = OutdatedReport::of(index, |_| true) {
        assert_is_message(&error.to_string());
    }
    if let Some(earlier) = index.earlier() {
        Changes::published(index, earlier).markdown();
    }
    // A damaged index can claim millions of builds.
    let some: Vec<BuildId> = (0..index.specs()).take(20).map(BuildId).collect();
    for &id in &some {
        index.build(id);
        index.closure(id);
        index.dependents(id).map(Iterator::count);
        for facet in Facet::ALL {
            index.values(index.row_of(id), facet);
        }
    }
    let compared = some.iter().take(4).filter_map(|&id| index.build(id)).collect();
    Comparison::of(compared).markdown();
}
