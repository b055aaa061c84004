//! Why no build satisfies a spec: the same reasons as on the page.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::query::{Question, RunsOn, ways_out, why};
use cache_index::search::{Problem, Search};
use spack_spec::nearest;

/// Returns the parts of a spec that nothing in the cache is called, each with what may have been meant; or if there are
/// none, what exists instead.
pub(super) fn reasons(index: &Index, spec: &str) -> Vec<String> {
    let search = Search::read(index, spec);
    if search.problems.is_empty() && search.spec().is_none() && !spec.trim().is_empty() {
        return vec![unknown_package(index, spec.trim())];
    }
    let problems = search.problems;
    if problems.is_empty() {
        let question = Question::of_text(spec);
        return why(index, &question, &ways_out(index, &question)).into_iter().collect();
    }
    problems.into_iter().map(|problem| unknown(index, spec, problem)).collect()
}

/// Returns the problem of a word: a part of names on the page, or the beginning of a hash.
fn unknown_package(index: &Index, name: &str) -> String {
    let names = index.dictionary(Facet::Package).values().iter();
    match nearest(name, names.map(String::as_str)) {
        Some(instead) => format!("no package `{name}`: did you mean `{instead}`?"),
        None => format!("no package `{name}` here"),
    }
}

fn unknown(index: &Index, spec: &str, problem: Problem) -> String {
    let runs_on = problem.target.and_then(|target| {
        let mut without = spec.to_owned();
        without.replace_range(problem.span.clone(), " ");
        RunsOn::of(index, &Question::of_text(without), target)
    });
    match runs_on {
        Some(RunsOn { target, others }) if !others.is_empty() => {
            let others = others.iter().map(|(name, builds)| format!("{name} ({builds})"));
            let others: Vec<String> = others.collect();
            format!("{}; these run on {target}: {}", problem.message, others.join(", "))
        }
        _ => problem.message,
    }
}
