//! The parts of the index that the page brings, each taken as soon as it has arrived.
//!
//! They stand in scripts that are only data, in the order of their urgency, and the app starts while
//! the rest of the page is still on its way. A script is whole when something follows it, or when
//! the page is parsed.
//!
//! | id | part |
//! | --- | --- |
//! | `index` | the columns, which answer every query; or all parts as one |
//! | `index-hashes` | the hashes |
//! | `index-details` | what only the page of one build shows |
//! | `index-dependencies` | who depends on whom |

use std::cell::RefCell;
use std::rc::Rc;

use cache_index::build::Hash;
use cache_index::index::{HashReader, Index, LoadError};
use gloo::events::EventListener;
use gloo::utils::document;
use js_sys::{JsString, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{MutationObserver, MutationObserverInit};

use crate::browser::soon;

/// Runs when a part has been taken, with what is wrong with it, if anything is.
type Done = Box<dyn FnOnce(Result<(), LoadError>)>;

/// Gives an index the text of one of its parts, which stays the browser's until it is read: a large
/// one is never there twice.
type Take = fn(&'static Index, JsString, Done);

/// What follows the columns, in order.
const LATER: [(&str, Take); 3] = [
    ("index-hashes", take_hashes),
    ("index-details", |index, text, done| done(index.set_details(&String::from(text)))),
    ("index-dependencies", |index, text, done| done(index.set_dependencies(&String::from(text)))),
];

/// How much of the hashes is read in one task, in characters: of some 65,000 builds, which takes 15
/// milliseconds on a slow machine.
const SLICE: u32 = (Hash::CHARACTERS as u32) << 16;

/// Runs with the text of the columns once it is there; with none if the page brings no index.
pub(crate) fn when_columns_arrive(run: impl FnOnce(Option<String>) + 'static) {
    when_arrived("index", |text| run(text.map(String::from)));
}

/// Takes all other parts as they arrive, and runs after each: with what is wrong with it, if
/// anything is, and with whether it was the last.
pub(crate) fn take_later(
    index: &'static Index,
    taken: impl Fn(Result<(), LoadError>, bool) + 'static,
) {
    take_from(0, index, Rc::new(taken));
}

fn take_from(place: usize, index: &'static Index, taken: Rc<dyn Fn(Result<(), LoadError>, bool)>) {
    let Some((id, take)) = LATER.get(place) else { return };
    when_arrived(id, move |text| {
        let done: Done = Box::new(move |result| {
            let is_last = result.is_err() || place + 1 == LATER.len();
            taken(result, is_last);
            if !is_last {
                take_from(place + 1, index, taken);
            }
        });
        // Each in a task of its own, so that a click never waits for more than one.
        soon(move || match text {
            Some(text) => take(index, text, done),
            // Hashes that come in no part of their own must have come with the columns.
            None if !index.has_hashes() => done(index.set_hashes("\"\"")),
            None => done(Ok(())),
        });
    });
}

fn take_hashes(index: &'static Index, text: JsString, done: Done) {
    let text = text.trim();
    let length = text.length();
    let is_quoted = length > 1 && text.starts_with("\"", 0) && text.ends_with("\"", length as i32);
    let reader = match is_quoted {
        true => index.hash_reader(length as usize - 2),
        false => Err(LoadError::HashesNotQuoted),
    };
    match reader {
        Ok(reader) => take_slice(index, text, 1, reader, done),
        Err(error) => done(Err(error)),
    }
}

/// Reads hashes from a place on, slice by slice, so that a click need not wait for all of them.
fn take_slice(
    index: &'static Index,
    text: JsString,
    from: u32,
    mut reader: HashReader,
    done: Done,
) {
    let end = text.length() - 1;
    let to = end.min(from + SLICE);
    if let Err(error) = reader.read(&String::from(text.substring(from, to))) {
        done(Err(error));
    } else if to == end {
        done(index.take_hashes(reader));
    } else {
        soon(move || take_slice(index, text, to, reader, done));
    }
}

/// Runs with the text of an element once it is there whole, or with none when the page is parsed and
/// has no such element. The element is removed, so that the text is not kept twice.
fn when_arrived(id: &'static str, run: impl FnOnce(Option<JsString>) + 'static) {
    let Err(run) = run_if_arrived(id, run) else { return };
    let waiting = Rc::new(RefCell::new(Some(run)));
    let observer = Rc::new(RefCell::new(None::<MutationObserver>));
    let look = {
        let observer = observer.clone();
        move || {
            let Some(run) = waiting.take() else { return };
            match run_if_arrived(id, run) {
                Err(run) => *waiting.borrow_mut() = Some(run),
                Ok(()) => {
                    if let Some(observer) = observer.take() {
                        observer.disconnect();
                    }
                }
            }
        }
    };
    EventListener::once(&document(), "DOMContentLoaded", {
        let look = look.clone();
        move |_| look()
    })
    .forget();
    // Until then, whenever something is added to the page.
    let watch = Closure::<dyn Fn()>::new(look).into_js_value();
    let init = MutationObserverInit::new();
    init.set_child_list(true);
    if let (Ok(watching), Some(body)) =
        (MutationObserver::new(watch.unchecked_ref()), document().body())
        && watching.observe_with_options(&body, &init).is_ok()
    {
        *observer.borrow_mut() = Some(watching);
    }
}

/// Gives back what was to run if it is too early for it.
fn run_if_arrived<F: FnOnce(Option<JsString>)>(id: &str, run: F) -> Result<(), F> {
    let is_parsed = document().ready_state() != "loading";
    let Some(element) = document().get_element_by_id(id) else {
        if !is_parsed {
            return Err(run);
        }
        run(None);
        return Ok(());
    };
    if !is_parsed && element.next_sibling().is_none() {
        return Err(run);
    }
    let text = Reflect::get(&element, &"textContent".into()).unwrap_or_default();
    element.remove();
    run(Some(text.unchecked_into()));
    Ok(())
}
