//! The functions of `spackCache`, the page's interface for scripts and tests. They return what the page at the same address
//! shows, using the same code.

use cache_advice::export::PlainBuild;
use cache_advice::fit;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::sorting;
use cache_query::address;
use cache_query::search::Search;
use cache_query::{Answer, AskedChanges, Change, Query, Question, apply, builds, run};
use gloo::utils::window;
use js_sys::{Array, Error, Object, TypeError, encode_uri_component};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::*;
use web_sys::UrlSearchParams;

use super::facts::{InIndex, in_index};
use site::browser::scripting::Scripting;
use site::browser::{history, now, parts};

/// The functions of the interface.
pub(crate) const SCRIPTING: Scripting =
    Scripting { query: count_builds, builds: list_builds, address_of };

fn count_builds(index: &'static Index, link: &JsValue) -> Result<JsValue, JsValue> {
    Ok(plain(&query(index, &asked(index, link)?)))
}

fn list_builds(
    index: &'static Index,
    link: &JsValue,
    [offset, limit]: [&JsValue; 2],
) -> Result<JsValue, JsValue> {
    // `as` converts NaN and negative numbers to 0, and numbers that are too large to the maximum.
    let offset = count(offset, "offset")?.map_or(0, |offset| offset as usize);
    let limit = count(limit, "limit")?.map_or(usize::MAX, |limit| limit as usize);
    Ok(plain(&list(index, &asked(index, link)?, offset, limit)))
}

/// Returns the address of an environment or a comparison that `open.js` has opened, with the machine and the filters that
/// are shown. `opened` is the query of an address that has nothing else.
fn address_of(opened: &str) -> String {
    let shown = address::decode(&history::query_string()).0;
    let opened = address::decode(opened).0.question;
    let change = match opened.changes {
        // A link may already name the opened cache as a side, and say which one; then the address stays the same.
        Some(changes) if has_opened_side(&shown.question, &changes) => {
            return window().location().search().unwrap_or_default();
        }
        Some(changes) => Change::OpenChanges(changes),
        None => Change::OpenEnvironment(opened.environment.unwrap_or_default()),
    };
    history::address(&apply(&shown, change))
}

/// Returns `true` if a question compares with the cache that was opened, the old side of `opened`.
fn has_opened_side(question: &Question, opened: &AskedChanges) -> bool {
    match (&question.changes, opened) {
        (Some(AskedChanges::Between { old, new }), AskedChanges::Between { old: opened, .. }) => {
            [old, new].contains(&opened)
        }
        _ => false,
    }
}

fn plain(value: &impl Serialize) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or_else(|error| error.into())
}

/// The result of a query.
#[derive(Serialize)]
struct Totals {
    builds: usize,
    packages: u32,
    facets: Facets,
    milliseconds: f64,
}

/// By facet key and value: the number of builds if only that value were chosen in its facet, or in addition to the
/// others if all of them are required.
struct Facets(Vec<(Facet, Counts)>);

struct Counts(Vec<(String, u32)>);

impl Serialize for Facets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (facet, counts) in &self.0 {
            map.serialize_entry(facet.key(), counts)?;
        }
        map.end()
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (value, count) in &self.0 {
            map.serialize_entry(value, count)?;
        }
        map.end()
    }
}

/// Returns the query of an address, after loading everything that its answer needs.
fn asked(index: &Index, link: &JsValue) -> Result<Query, JsValue> {
    let link = given(link).ok_or_else(|| {
        TypeError::new("expected the query of an address: a text, URLSearchParams, or an object of texts and lists")
    })?;
    let query = address::decode(&link).0.normalized(index);
    if query.question.awaits_parts() {
        let message = "files and licences are looked up by the page, not by this interface";
        return Err(Error::new(message).into());
    }
    if query.question.host.is_some() && matches!(in_index(), InIndex::Awaited) {
        let message = "what is in binaries decides what runs on a machine, and is loaded when the page shows one: \
                       open an address with a host first";
        return Err(Error::new(message).into());
    }
    // Verdicts for a machine depend on what a build needs.
    let is_judged = query.question.host.is_some() && index.lists_any_dependencies();
    if is_judged || Search::read(index, &query.question.text).needs_dependencies(index) {
        parts::take_dependencies(index).map_err(|error| Error::new(&error.to_string()))?;
    }
    Ok(query)
}

/// Reads a number from JavaScript; `None` if there is none.
fn count(value: &JsValue, name: &str) -> Result<Option<f64>, JsValue> {
    match value.as_f64() {
        None if value.is_undefined() || value.is_null() => Ok(None),
        None => Err(TypeError::new(&format!("expected a number as the {name}")).into()),
        count => Ok(count),
    }
}

/// Returns the query string for what a script may pass: nothing, a text, `URLSearchParams`, or an object with a text, a
/// number or a list of them for each key. `None` for anything else.
fn given(value: &JsValue) -> Option<String> {
    if value.is_undefined() || value.is_null() {
        return Some(String::new());
    }
    if let Some(text) = value.as_string() {
        return Some(text);
    }
    // An object without a prototype is not an instance of `Object`.
    let object: &Object = value.is_object().then(|| value.unchecked_ref())?;
    if value.is_instance_of::<UrlSearchParams>() {
        return object.to_string().as_string();
    }
    // Only plain objects: others have no keys of their own, and would ask for nothing.
    let parent = Object::get_prototype_of(object);
    if !parent.is_null() && !Object::get_prototype_of(&parent).is_null() {
        return None;
    }
    let mut given = String::new();
    for entry in Object::entries(object) {
        let entry: Array = entry.unchecked_into();
        let (key, value) = (entry.get(0), entry.get(1));
        let values =
            if Array::is_array(&value) { value.unchecked_into() } else { Array::of1(&value) };
        for value in values {
            let text = value.as_string().or_else(|| Some(value.as_f64()?.to_string()))?;
            let [key, text] = [key.as_string()?, text].map(|text| encode_uri_component(&text));
            given.push_str(&format!("&{key}={text}"));
        }
    }
    Some(given)
}

fn query(index: &Index, query: &Query) -> Totals {
    let start = now();
    let answer = answer(index, query);
    let milliseconds = now() - start;
    let facets = Facet::ALL.into_iter().map(|facet| {
        let counts = index
            .dictionary(facet)
            .iter()
            .map(|(code, value)| (value.to_owned(), answer.count(facet, code)));
        (facet, Counts(counts.collect()))
    });
    let (builds, packages) = if query.view().has_filters() {
        (answer.builds as usize, answer.packages)
    } else {
        let shown = builds(index, query, &answer);
        let mut packages: Vec<_> =
            shown.iter().map(|&id| index.package_of(index.row_of(id))).collect();
        sorting::sort_and_dedup(&mut packages);
        (shown.len(), packages.len() as u32)
    };
    Totals { builds, packages, facets: Facets(facets.collect()), milliseconds }
}

/// Answers a query as the page does.
fn answer(index: &Index, query: &Query) -> Answer {
    let mut question = query.question.clone();
    let binaries = match in_index() {
        InIndex::Here(binaries) => Some(binaries),
        InIndex::Awaited | InIndex::NoFacts => None,
    };
    fit::judge(index, &mut question, binaries);
    run(index, &question)
}

fn list(index: &Index, query: &Query, offset: usize, limit: usize) -> Vec<PlainBuild> {
    let answer = answer(index, query);
    let ids: Vec<BuildId> = builds(index, query, &answer);
    let shown = ids.into_iter().skip(offset).take(limit);
    shown.filter_map(|id| index.build_alone(id)).map(|build| PlainBuild::from(&build)).collect()
}
