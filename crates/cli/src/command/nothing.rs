//! Why no build satisfies a spec: the same reasons as on the page.

use cache_advice::{RunsOn, WayOut, excluding_alone, matching_nothing_alone, ways_out, why};
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;
use cache_query::search::{Problem, Property, Search, Understood, without_target};
use cache_query::{Filter, Question};
use spack_spec::nearest;

/// The maximum number of names that a sentence lists.
const MOST_NAMES: usize = 3;

/// Returns the parts of a spec whose names do not occur in the cache, each with what may have been meant; or if all occur,
/// what exists instead, or how many builds there are without one part of the spec.
pub(super) fn reasons(index: &Index, spec: &str) -> Vec<String> {
    let search = Search::read(index, spec);
    // The page understands this word, but Spack takes it for the name of a package.
    if let ([], [word]) = (&search.problems[..], &search.understood[..])
        && !word.kind.is_empty()
    {
        let meant = search.spelled_out().unwrap_or_else(|| chosen(word));
        return vec![format!("no package `{}`: did you mean `{meant}`?", word.piece)];
    }
    // The page reads `HDF5` as `hdf5`.
    if search.problems.is_empty()
        && search.spec().is_some()
        && let Some(instead) = search.suggestion(index, spec.trim())
    {
        let spec = spec.trim();
        let is_name = search.spec().is_some_and(|asked| asked.root.name.as_ref() == Some(&instead));
        let unknown = if is_name { format!("no package `{spec}`: ") } else { String::new() };
        return vec![format!("{unknown}did you mean `{instead}`?")];
    }
    if search.problems.is_empty() && search.spec().is_none() && !spec.trim().is_empty() {
        return vec![unknown_package(index, spec.trim())];
    }
    let problems = search.problems;
    if problems.is_empty() {
        let question = Question::of_text(spec);
        let ways = ways_out(index, &question);
        return match why(index, &question, &ways) {
            Some(sentence) => vec![sentence],
            None => without_a_part(index, &question, &ways),
        };
    }
    problems.into_iter().map(|problem| unknown(index, spec, problem)).collect()
}

/// Returns what a word chooses, as `search` takes it: `stack=e4s`. More than one are joined for use in a sentence.
fn chosen(word: &Understood) -> String {
    let key = match word.kind {
        "OS" => "os=",
        "target" => "target=",
        "stack" => "stack=",
        "release" => "release=",
        // A variant is written with its own name.
        _ => "",
    };
    let values: Vec<String> = word.text.split(", ").map(|value| format!("{key}{value}")).collect();
    values.join("` or `")
}

/// Returns for each part that is in the way how many builds there are without it: on the page, these are buttons.
fn without_a_part(index: &Index, question: &Question, ways: &[WayOut]) -> Vec<String> {
    let filters = Filter::all(index, question);
    match &filters[..] {
        [Filter::Text(one)]
            if one.property == Property::Package && !has_binary(index, one.value()) =>
        {
            let only = "is listed only as what builds depend on, without a binary";
            return vec![format!("`{}` {only}", one.value())];
        }
        // Without its only part, the spec matches every build.
        [] | [_] => return Vec::new(),
        _ if let Some(sentence) = excluding_alone(index, question) => return vec![sentence],
        _ if ways.is_empty() => {
            let all = "no single part is the cause: only together do they exclude every build";
            let alone = matching_nothing_alone(index, question);
            return vec![alone.unwrap_or_else(|| all.to_owned())];
        }
        _ => {}
    }
    let sentence = |way: &WayOut| {
        let part = match &way.filter {
            Filter::Text(meaning) => meaning.text.trim().to_owned(),
            Filter::Included(facet, values) => {
                format!("{} {}", facet.label(), values.join(" or "))
            }
            Filter::Runs(_)
            | Filter::OnGpu(_)
            | Filter::Since(_)
            | Filter::Part(_)
            | Filter::Excluded(..) => return None,
        };
        Some(format!("without `{part}`, {}", counted(way.builds as usize, "build", "builds")))
    };
    ways.iter().filter_map(sentence).collect()
}

/// Returns `true` if the cache has a binary of a package.
fn has_binary(index: &Index, package: &str) -> bool {
    let package = index.dictionary(Facet::Package).code(package);
    package.is_some_and(|package| index.rows_of(package).any(|row| index.has_binary(row)))
}

/// Returns what is wrong with a word that the page reads as a part of names, or as the beginning of a hash.
fn unknown_package(index: &Index, name: &str) -> String {
    let names = index.dictionary(Facet::Package).values().iter();
    // The page finds these names at once; the shortest one is nearest to what was written.
    let word = name.to_ascii_lowercase();
    let mut around: Vec<&String> =
        names.clone().filter(|package| package.contains(&word)).collect();
    around.sort_by_key(|package| (package.len(), *package));
    if let Some(first) = around.first() {
        let others = around.len().min(MOST_NAMES);
        let listed = around[1..others].iter().map(|package| format!(", `{package}`"));
        let more = match around.len() - others {
            0 => String::new(),
            more => format!(" or {}", counted(more, "other", "others")),
        };
        return format!(
            "no package `{name}`: did you mean `{first}`{}{more}?",
            listed.collect::<String>()
        );
    }
    match nearest(name, names.map(String::as_str)) {
        Some(instead) => format!("no package `{name}`: did you mean `{instead}`?"),
        None => format!("no package `{name}` here"),
    }
}

fn unknown(index: &Index, spec: &str, problem: Problem) -> String {
    let runs_on = problem.target.and_then(|target| {
        let mut without = spec.to_owned();
        without.replace_range(problem.span.clone(), " ");
        let without = without_target(&without);
        RunsOn::of(index, &Question::of_text(without), target)
    });
    match runs_on {
        Some(RunsOn { target, others, .. }) if !others.is_empty() => {
            let others = others.iter().map(|(name, builds)| format!("{name} ({builds})"));
            let others: Vec<String> = others.collect();
            format!("{}; these run on {target}: {}", problem.message, others.join(", "))
        }
        _ => problem.message,
    }
}
