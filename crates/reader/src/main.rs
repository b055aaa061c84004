//! The part of the reader that is compiled for the browser: it offers the worker one function, `read`.
//!
//! ```text
//! reader.read({ paths, lengths, made, leavesOutDamaged, isEnvironment, isSettings, known, looksInside })
//!   → { id, builds, notes, damaged: [{ package, hash }], leftOut: words or undefined, parts, inside: { binaries, bytes } or undefined } or { environment: { id, specs, head, nodes, address } } or { settings }
//!     or { problems, mayLeaveOut, unusable: [path] }
//! reader.bytes(number, from, to) → Uint8Array           implemented by the worker
//! reader.progress(bytes, all, records, input or null, binaries or null)
//!                                                       implemented by the worker
//! reader.loadPart(number)                               implemented by the worker
//! ```
//!
//! All are properties of one object in the worker's global scope, which `reader-worker.js` creates before the module
//! starts. Parts are UTF-8 bytes, which are transferred to the page without a copy.

use std::io;

use cache_ingest::mirror::Amount;
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use reader_core::{
    Bytes, ChosenFiles, DamagedBuild, OpenOptions, OpenedEnvironment, OpenedIndex, Progress,
    Refusal, open, open_environment, open_settings,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Joins the parts of this module that the page has sent, if `missing` is 0. Otherwise code of the part with this
    /// number was called without being there: then this does not return, and the page reads everything again with that
    /// part. `crates/split` finds this import by its name, and makes missing functions call it.
    #[wasm_bindgen(js_namespace = reader, js_name = loadPart)]
    fn load_part(missing: u32);
}

fn main() {
    let read = Closure::<dyn Fn(JsValue) -> JsValue>::new(|request: JsValue| read(&request));
    // Without that object, nothing calls the function.
    let _ = Reflect::set(&reader(), &"read".into(), &read.into_js_value());
}

/// Returns the object that the worker and the module share.
fn reader() -> JsValue {
    Reflect::get(&js_sys::global(), &"reader".into()).unwrap_or_default()
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

fn read(request: &JsValue) -> JsValue {
    load_part(0);
    let paths = Array::from(&get(request, "paths"));
    let paths: Vec<String> = paths.iter().filter_map(|path| path.as_string()).collect();
    let lengths = Array::from(&get(request, "lengths"));
    let lengths = lengths.iter().map(|length| length.as_f64().unwrap_or_default() as u64);
    let chosen = ChosenFiles::new(paths.iter().map(String::as_str).zip(lengths), Worker);
    let wanted = OpenOptions {
        made: get(request, "made").as_string().unwrap_or_default(),
        leaves_out_damaged: get(request, "leavesOutDamaged").is_truthy(),
        is_environment: get(request, "isEnvironment").is_truthy(),
        looks_inside: get(request, "looksInside").is_truthy(),
    };
    if get(request, "isSettings").is_truthy() {
        return match open_settings(&chosen, &get(request, "known").as_string().unwrap_or_default())
        {
            Ok(settings) => {
                let answer = Object::new();
                set(&answer, "settings", &settings.into());
                answer.into()
            }
            Err(refused) => what_is_wrong(refused),
        };
    }
    let opened = match open_environment(&chosen, &wanted) {
        Some(Ok(environment)) => return given(environment),
        Some(Err(refused)) => Err(refused),
        None => open(chosen, &wanted),
    };
    let answer = match opened {
        Ok(opened) => {
            let texts = Object::new();
            for (id, text) in opened.scripts() {
                set(&texts, &id, &Uint8Array::from(text.as_bytes()));
            }
            let OpenedIndex { id, builds, notes, damaged, left_out, inside, .. } = opened;
            let answer = Object::new();
            set(&answer, "id", &id.into());
            set(&answer, "builds", &(builds as f64).into());
            set(&answer, "notes", &notes.into());
            let damaged = damaged.into_iter().map(|DamagedBuild { package, hash }| {
                let build = Object::new();
                set(&build, "package", &package.into());
                set(&build, "hash", &hash.to_string().into());
                build
            });
            set(&answer, "damaged", &damaged.collect::<Array>());
            set(&answer, "leftOut", &left_out.map_or(JsValue::UNDEFINED, JsValue::from));
            set(&answer, "parts", &texts);
            if let Some(Amount { binaries, bytes }) = inside {
                let inside = Object::new();
                set(&inside, "binaries", &(binaries as f64).into());
                set(&inside, "bytes", &(bytes as f64).into());
                set(&answer, "inside", &inside);
            }
            answer
        }
        Err(refused) => return what_is_wrong(refused),
    };
    answer.into()
}

fn what_is_wrong(refused: Refusal) -> JsValue {
    let Refusal { problems, may_leave_out, unusable } = refused;
    let answer = Object::new();
    set(&answer, "problems", &problems.into());
    set(&answer, "mayLeaveOut", &may_leave_out.into());
    let unusable = unusable.into_iter().map(JsValue::from);
    set(&answer, "unusable", &unusable.collect::<Array>());
    answer.into()
}

/// Returns an environment in the form that the page expects.
fn given(environment: OpenedEnvironment) -> JsValue {
    let OpenedEnvironment { kept, id, specs, address } = environment;
    let given = Object::new();
    set(&given, "id", &id.into());
    set(&given, "specs", &(specs as f64).into());
    set(&given, "head", &kept.head.into());
    if let Some(nodes) = kept.nodes {
        set(&given, "nodes", &nodes.into());
    }
    if let Some(specs) = address {
        let specs: Array = specs.into_iter().map(JsValue::from).collect();
        set(&given, "address", &specs);
    }
    let answer = Object::new();
    set(&answer, "environment", &given);
    answer.into()
}

/// Sets a field of a new object, which cannot fail.
fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// The worker, which has the files.
struct Worker;

impl Bytes for Worker {
    fn read(&self, file: usize, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let ask: Function = get(&reader(), "bytes").unchecked_into();
        let answer = ask.call3(
            &JsValue::NULL,
            &(file as f64).into(),
            &(from as f64).into(),
            &(to as f64).into(),
        );
        match answer {
            Ok(bytes) => Ok(bytes.unchecked_into::<Uint8Array>().to_vec()),
            Err(error) => {
                let message = get(&error, "message").as_string();
                Err(io::Error::other(message.unwrap_or_else(|| "the browser refuses".to_owned())))
            }
        }
    }

    fn progress(&self, progress: &Progress<'_>) {
        let report: Function = get(&reader(), "progress").unchecked_into();
        let numbers = [progress.bytes, progress.all, progress.records];
        let arguments: Array =
            numbers.into_iter().map(|number| JsValue::from(number as f64)).collect();
        arguments.push(&progress.input.map_or(JsValue::NULL, JsValue::from));
        arguments.push(&progress.binaries.map_or(JsValue::NULL, |all| (all as f64).into()));
        // Reading continues even if progress cannot be reported.
        let _ = report.apply(&JsValue::NULL, &arguments);
    }
}
