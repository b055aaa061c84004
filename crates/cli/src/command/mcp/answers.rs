//! What the tools say: the objects that the other commands print with `--json`, as part of one object.

use cache_advice::causes::{Causes, CausesInWords, Occasion};
use cache_advice::changes::{Between, Changes, NOT_TWO_SIDES, Part};
use cache_advice::differences::compare::{ComparedLine, Comparison, LineKind, Word};
use cache_advice::environment::{Assessment, AssessmentReport};
use cache_index::build::Hash;
use cache_index::facts::FileTerm;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::notices;
use cache_index::number::counted;
use cache_ingest::problem::quote;
use cache_ingest::read_environment;
use cache_query::search::Visible;
use cache_query::{AskedChanges, Question};
use serde_json::{Map, Value, json};
use spack_spec::is_hash_part;

use super::given::{Snapshot, ToolInput};
use crate::command::environment::causes_of;
use crate::command::nothing;
use crate::command::search::{Hits, as_json, find, with_files_as_json};
use crate::command::search_files::WithFiles;
use crate::command::why::{MachineArguments, judge};
use crate::published::{api, to_install};
use crate::report::{Failure, Report};

type Said = Result<Value, String>;

/// How many builds are compared at once, as in the page.
const COMPARED: std::ops::RangeInclusive<usize> = 2..=4;

/// How many builds are judged unless the model asks for another number: the answer has every rule of Spack for each.
const JUDGED: usize = 5;

pub(super) fn search(index: &Index, given: &ToolInput<'_>) -> Said {
    let page = given.page();
    let spec = Visible::of(given.text("spec"));
    let (terms, rest) = FileTerm::take(&spec.text);
    if !terms.is_empty() {
        return search_files(index, given, &terms, &rest);
    }
    let hits = find(index, &spec.text, index.dialect()).map_err(|error| error.to_string())?;
    let mut notes: Vec<String> = hits.note().into_iter().collect();
    let builds = hits.builds;
    let shown = builds[page.of(builds.len())].iter().filter_map(|&id| index.build(id));
    let mut object = Map::new();
    object.insert("builds".to_owned(), shown.map(|build| as_json(&build)).collect());
    if builds.is_empty() {
        notes.extend(nothing::reasons(index, &spec.text));
    }
    note(&mut object, notes);
    Ok(page.said(object, &[("builds", builds.len())]))
}

fn search_files(index: &Index, given: &ToolInput<'_>, terms: &[FileTerm], spec: &str) -> Said {
    let page = given.page();
    if index.facts().is_none() {
        return Err(
            "nobody has looked into the binaries of this cache, so no file is known".to_owned()
        );
    }
    let hits = Hits::of_rest(spec, index.dialect(), index);
    let hits = hits.map_err(|error| error.in_text(spec).to_string())?.decided(spec)?;
    let found = WithFiles::find(index, None, terms, &hits.builds)?;
    let shown = &found.builds[page.of(found.builds.len())];
    let mut object = Map::new();
    object.insert("builds".to_owned(), with_files_as_json(index, shown).into());
    note(&mut object, [hits.note(), found.doubt()].into_iter().flatten().collect());
    Ok(page.said(object, &[("builds", found.builds.len())]))
}

pub(super) fn build(index: &Index, given: &ToolInput<'_>) -> Said {
    let id = one(index, given.text("build"))?;
    let mut object = Map::new();
    object.insert("build".to_owned(), api::build(index, id));
    if let Some(to_install) = to_install(index, id) {
        object.insert("commands".to_owned(), json!(to_install.commands));
        let notices =
            notices(std::slice::from_ref(&to_install.mirror)).into_iter().map(str::to_owned);
        note(&mut object, notices.collect());
    }
    Ok(given.page().cut(object, &[]))
}

pub(super) fn why(index: &Index, given: &ToolInput<'_>) -> Said {
    let page = given.page_of(JUDGED);
    let mut machine = MachineArguments::of(given.text("host"));
    machine.libc = given.optional("libc").map(str::to_owned);
    machine.gpu = given.optional("gpu").map(str::to_owned);
    if let Some(spack) = given.optional("spack") {
        machine.spack = Some(spack.parse().map_err(|error| format!("spack: {error}"))?);
    }
    let mut report = Report::default();
    let part = |length| page.of(length);
    let judged = judge(index, &machine, given.text("build"), part, &mut report);
    let (builds, all) = judged.map_err(|failed| match failed {
        Failure::Because(error) => error.to_string(),
        Failure::Reported(words) => words,
    })?;
    let mut object = Map::new();
    object.insert("builds".to_owned(), builds.into());
    note(&mut object, report.notes());
    Ok(page.said(object, &[("builds", all)]))
}

pub(super) fn environment(index: &Index, given: &ToolInput<'_>) -> Said {
    let read = read_environment(given.text("content").as_bytes());
    let environment = read.map_err(|problems| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    })?;
    let question = Question::default();
    let assessment = Assessment::new(index, &environment, &question, index.dialect());
    let written = AssessmentReport { index, environment: &environment, assessment: &assessment };
    let mut object = object_of(written.json());
    if given.is_on("causes") {
        object.extend(causes_of(written));
    }
    note(&mut object, [written.headline()].into_iter().chain(written.notes()).collect());
    Ok(given.page().cut(object, &["missing", "specs", "causes", "additions", "unexplained"]))
}

pub(super) fn compare(index: &Index, given: &ToolInput<'_>) -> Said {
    let names = given.texts("builds");
    if !COMPARED.contains(&names.len()) {
        let found = counted(names.len(), "build", "builds");
        return Err(format!("expected two to four builds, found {found}"));
    }
    let mut ids: Vec<BuildId> = Vec::new();
    for name in &names {
        let id = one(index, name)?;
        if let Some(at) = ids.iter().position(|&other| other == id) {
            let [one, other] = [names[at], name].map(quote);
            return Err(format!("{one} and {other} are the same build; expected different ones"));
        }
        ids.push(id);
    }
    let builds = ids.iter().filter_map(|&id| index.build(id)).collect();
    let comparison = Comparison::of(builds).with_dependencies(index);
    let lines = |lines: &[ComparedLine]| {
        let line = |line: &ComparedLine| {
            let cell =
                |cell: &Vec<Word>| cell.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
            json!({
                "name": line.name,
                "only_to_build": line.kind == LineKind::BuildDependency,
                "values": line.cells.iter().map(cell).collect::<Vec<_>>(),
            })
        };
        lines.iter().map(line).collect::<Vec<_>>()
    };
    let hashes = comparison.builds.iter().map(|build| build.hash.to_string());
    let common: Vec<String> = comparison.common.iter().map(ComparedLine::first).collect();
    let mut object = object_of(json!({
        "hashes": hashes.collect::<Vec<_>>(),
        "differing": lines(&comparison.differing),
        "dependencies": lines(&comparison.dependencies),
        "following": comparison.following,
        "common": common,
        "same_to_run": comparison.is_same_to_run(),
    }));
    if let [old, new] = ids[..] {
        let causes = Causes::between((index, &[old]), (index, &[new]));
        object.extend(CausesInWords { causes: &causes, occasion: Occasion::TwoBuilds }.json());
    }
    Ok(given
        .page()
        .cut(object, &["differing", "dependencies", "following", "common", "causes", "additions"]))
}

pub(super) fn changes(index: &Index, given: &ToolInput<'_>) -> Said {
    let of = |made: Option<&str>| made.map_or(String::new(), |made| format!(" of {made}"));
    let between = match (given.optional("between"), given.snapshot, index.earlier()) {
        (Some(text), ..) => match AskedChanges::from(text) {
            AskedChanges::Between { old, new } => {
                let [old, new] = [old, new].map(|side| Part::from(side.to_string().as_str()));
                Between { old, new }
            }
            _ => return Err(NOT_TWO_SIDES.to_owned()),
        },
        (None, Some(Snapshot { made, changes }), _) => {
            let of = of(made.as_deref());
            let since = format!("the snapshot{of} that this server was started with");
            return Ok(said(given, changes, ("since", since)));
        }
        (None, None, Some(earlier)) => {
            let changes = Changes::published(index, earlier);
            let since = format!("the publication before{}", of(earlier.made.as_deref()));
            return Ok(said(given, &changes, ("since", since)));
        }
        (None, None, None) => Between::latest(index).ok_or(
            "this cache has only one release, and does not say what was published before; the user can start this \
             server with an earlier snapshot of it: --since EARLIER",
        )?,
    };
    let [old, new] = [between.old, between.new].map(|part| part.meant_in(index));
    if let Some(part) = [&old, &new].into_iter().find(|part| !part.is_in(index)) {
        return Err(part.why_not_in(index));
    }
    let changes = Changes::between(&old.of(index), &new.of(index));
    Ok(said(given, &changes, ("between", Between { old, new }.to_string())))
}

/// Returns changes, with a field that says what is compared.
fn said(given: &ToolInput<'_>, changes: &Changes, (field, compared): (&str, String)) -> Value {
    let mut object = object_of(changes.json());
    object.insert(field.to_owned(), compared.into());
    note(&mut object, vec![changes.headline()]);
    given.page().cut(object, &["packages", "came", "went", "overwritten"])
}

/// Returns the build whose hash is, or begins with, this text.
fn one(index: &Index, text: &str) -> Result<BuildId, String> {
    let text = Visible::of(text);
    let text = text.text.trim().trim_start_matches('/');
    let none = || format!("no build of this cache has a hash that begins with {}", quote(text));
    if let Ok(hash) = text.parse::<Hash>() {
        return index.find(hash).ok_or_else(none);
    }
    if text.is_empty() || !is_hash_part(text) {
        return Err(format!("expected a hash or its beginning, found {}", quote(text)));
    }
    let hits = Hits::of(&format!("/{text}"), index.dialect(), index);
    match hits.map_err(|error| error.to_string())?.builds[..] {
        [] => Err(none()),
        [build] => Ok(build),
        _ => Err(format!("several builds have a hash that begins with {text}")),
    }
}

fn object_of(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Adds sentences to an answer, if there are any.
fn note(object: &mut Map<String, Value>, notes: Vec<String>) {
    if !notes.is_empty() {
        object.insert("notes".to_owned(), notes.into());
    }
}
