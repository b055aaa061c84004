//! The parts of the index in the page, each read as soon as it arrives, or when it is first needed.
//!
//! [`Part`] lists them with their ids. They are in data scripts, the most urgent first, and the app starts while the
//! rest of the page is still arriving. A script is complete if something follows it, or once the page has been parsed.
//! Most visits never need the dependencies, so these stay in the page until one does.
//!
//! In a folder, the large parts are files beside the page, which `loader.js` fetches: the dependencies when they are
//! needed, the others after the first answer.
//!
//! The head of a published page has a [`Statement`] of the parts that must follow. A part that is missing or has another
//! length was cut off in transit, and the page says so; without this statement, such a page would look like one without an
//! index.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use cache_index::build::Hash;
use cache_index::index::{
    DependenciesReader, HashReader, Index, LoadError, Part, StatedPart, Statement,
};
use cache_query::search;
use gloo::events::EventListener;
use gloo::utils::document;
use js_sys::{JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, MutationObserver, MutationObserverInit};

use super::text::{Bytes, Text};
use super::{rest, soon};

#[wasm_bindgen]
extern "C" {
    /// Returns a promise of the bytes of a file, which must have this digest. The length is for those who wait.
    #[wasm_bindgen(js_namespace = spackCache, js_name = fetchPart)]
    fn fetch_part(file: &str, digest: &str, length: usize) -> Promise;

    /// Returns the text of a file, at once.
    #[wasm_bindgen(js_namespace = spackCache, js_name = takePart, catch)]
    fn take_part(file: &str) -> Result<JsString, JsValue>;
}

/// What is wrong with a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartError {
    /// It did not arrive.
    Missing,
    /// It is a file that could not be fetched.
    NotFetched,
    /// It does not have the length that the page states.
    CutOff { stated: u32, found: u32 },
    /// It cannot be read.
    Unreadable(LoadError),
}

impl From<LoadError> for PartError {
    fn from(error: LoadError) -> PartError {
        PartError::Unreadable(error)
    }
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartError::Missing => write!(f, "the page was cut off before this part of the index"),
            PartError::NotFetched => write!(f, "this part of the index could not be fetched"),
            PartError::CutOff { stated, found } => {
                write!(
                    f,
                    "this part of the index was cut off: {found} of {stated} characters arrived"
                )
            }
            PartError::Unreadable(error) => error.fmt(f),
        }
    }
}

/// Returns what the page states about a part; `None` if it does not state it.
pub(super) fn stated(part: Part) -> Option<StatedPart> {
    let json = document().get_element_by_id(Statement::ID)?.text_content()?;
    Statement::from_json(&json).ok()?.part(part).cloned()
}

/// Returns `true` if a part is a separate file.
fn is_file(part: Part) -> bool {
    stated(part).is_some_and(|stated| stated.file.is_some())
}

/// Compares the part that arrived with the statement. Of a file, `loader.js` has compared the digest.
fn verify(part: Part, found: Option<&Text>) -> Result<(), PartError> {
    if let Some(Text::Bytes(_)) = found {
        return Ok(());
    }
    let stated = stated(part).map(|stated| stated.length as u32);
    match (stated, found.map(Text::length)) {
        (Some(_), None) => Err(PartError::Missing),
        (Some(stated), Some(found)) if stated != found => Err(PartError::CutOff { stated, found }),
        _ => Ok(()),
    }
}

/// Called when a part has been read, with the problem if there was one.
type Done = Box<dyn FnOnce(Result<(), PartError>)>;

/// Passes the text of a part to an index.
type Take = fn(&'static Index, Text, Done);

/// The parts that are read immediately after the columns, in order.
const LATER: [(Part, Take, Stage); 2] =
    [(Part::Hashes, take_hashes, Stage::Hashes), (Part::Details, take_details, Stage::Details)];

/// How many characters of the hashes are read in one task: those of about 65,000 builds, which take 15 milliseconds on
/// a slow machine.
const SLICE: u32 = (Hash::CHARACTERS as u32) << 16;

/// How many dependencies are read in one task.
const EDGES: usize = 1 << 18;

/// How many of the parts have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// The columns.
    Columns,
    /// Also the hashes.
    Hashes,
    /// Also the details.
    Details,
    /// Everything; of the dependencies at least the text.
    All,
}

/// Calls back with the text of the columns once it has arrived; with `None` if the page has no index.
pub(crate) fn when_columns_arrive(run: impl FnOnce(Result<Option<JsString>, PartError>) + 'static) {
    when_text_arrives(Part::Columns, |text| run(text.map(|text| text.map(Text::into_characters))));
}

/// Reads all other parts as they arrive, and calls back after each with the stage, and with the problem if there was
/// one; after a problem, no further part is read.
pub(crate) fn take_later(
    index: &'static Index,
    taken: impl Fn(Stage, Result<(), PartError>) + 'static,
) {
    take_from(0, index, Rc::new(taken));
}

fn take_from(place: usize, index: &'static Index, taken: Rc<dyn Fn(Stage, Result<(), PartError>)>) {
    let Some((part, take, stage)) = LATER.get(place) else {
        if is_file(Part::Dependencies) {
            return taken(Stage::All, Ok(()));
        }
        when_arrived(Part::Dependencies, move |element| {
            let text = element.map(|element| text_of(&element));
            taken(Stage::All, verify(Part::Dependencies, text.as_ref()));
        });
        return;
    };
    when_text_arrives(*part, move |text| {
        let done: Done = Box::new(move |result| {
            let goes_on = result.is_ok();
            taken(*stage, result);
            if goes_on {
                take_from(place + 1, index, taken);
            }
        });
        // Each in a separate task, so that a click never waits for more than one.
        soon(move || match text {
            Err(error) => done(Err(error)),
            Ok(Some(text)) => take(index, text, done),
            // Hashes that are not a separate part must have come with the columns.
            Ok(None) if !index.has_hashes() => done(index.set_hashes("\"\"").map_err(Into::into)),
            Ok(None) => done(Ok(())),
        });
    });
}

fn take_hashes(index: &'static Index, text: Text, done: Done) {
    let text = text.trimmed();
    let length = text.length();
    let is_quote = |place: u32| text.slice(place, place + 1) == "\"";
    let reader = match length > 1 && is_quote(0) && is_quote(length - 1) {
        true => index.hash_reader(length as usize - 2),
        false => Err(LoadError::HashesNotQuoted),
    };
    match reader {
        Ok(reader) => take_slice(index, text, 1, reader, done),
        Err(error) => done(Err(error.into())),
    }
}

/// Reads hashes from a position on, slice by slice, so that a click need not wait for all of them.
fn take_slice(index: &'static Index, text: Text, from: u32, mut reader: HashReader, done: Done) {
    let end = text.length() - 1;
    let to = end.min(from + SLICE);
    if let Err(error) = reader.read(&text.slice(from, to)) {
        done(Err(error.into()));
    } else if to == end {
        done(index.take_hashes(reader).map_err(Into::into));
    } else {
        soon(move || take_slice(index, text, to, reader, done));
    }
}

/// Reads the details once the rest of the app has arrived, which has the code for it. Without it, the page says that it
/// is missing.
fn take_details(index: &'static Index, text: Text, done: Done) {
    rest::load(move |is_here| {
        done(match is_here {
            true => index.set_details(&text.copied()).map_err(Into::into),
            false => Ok(()),
        });
    });
}

/// Fetches and decodes the dependencies, unless this has been done, in tasks between which the page answers.
pub(crate) fn load_dependencies(
    index: &'static Index,
    done: impl FnOnce(Result<(), PartError>) + 'static,
) {
    let take = move |text: Result<Option<Text>, PartError>| match text {
        Err(error) => done(Err(error)),
        Ok(Some(text)) if !index.has_dependencies() => {
            match index.dependencies_reader(&text.copied()) {
                Ok(reader) => soon(move || take_edges(index, reader, Box::new(done))),
                Err(error) => done(Err(error.into())),
            }
        }
        Ok(_) => done(Ok(())),
    };
    if index.has_dependencies() {
        return take(Ok(None));
    }
    if is_file(Part::Dependencies) {
        return when_text_arrives(Part::Dependencies, take);
    }
    // The text stays in the page until it has been read: a script may need it at once.
    when_arrived(Part::Dependencies, move |element| {
        let text = element.map(|element| text_of(&element));
        take(verify(Part::Dependencies, text.as_ref()).map(|()| text));
    });
}

/// Reads some of the dependencies, then the others, and then prepares for searches among them.
fn take_edges(index: &'static Index, mut reader: DependenciesReader<'static>, done: Done) {
    match reader.read(EDGES) {
        Err(error) => done(Err(error.into())),
        Ok(false) => soon(move || take_edges(index, reader, done)),
        Ok(true) => {
            index.take_dependencies(reader);
            remove_dependencies();
            soon(move || {
                search::prepare(index);
                soon(move || done(Ok(())));
            });
        }
    }
}

/// Removes the text of the dependencies from the page, so that it is not kept twice.
fn remove_dependencies() {
    if let Arrival::Whole(element) = arrival(Part::Dependencies) {
        element.remove();
    }
}

/// Decodes the dependencies at once, if they have arrived or are a file, and have not been decoded.
pub(crate) fn take_dependencies(index: &Index) -> Result<(), PartError> {
    if index.has_dependencies() {
        return Ok(());
    }
    if let Some(file) = stated(Part::Dependencies).and_then(|stated| stated.file) {
        let text = take_part(&file).map_err(|_| PartError::NotFetched)?;
        let text = Text::Characters(text);
        verify(Part::Dependencies, Some(&text))?;
        index.set_dependencies(&text.copied())?;
    } else if let Arrival::Whole(element) = arrival(Part::Dependencies) {
        let text = text_of(&element);
        verify(Part::Dependencies, Some(&text))?;
        index.set_dependencies(&text.copied())?;
        remove_dependencies();
    }
    Ok(())
}

/// An element of a page that is still arriving.
enum Arrival {
    NotYet,
    Never,
    Whole(Element),
}

fn arrival(part: Part) -> Arrival {
    let is_parsed = document().ready_state() != "loading";
    match document().get_element_by_id(part.id()) {
        Some(element) if is_parsed || element.next_sibling().is_some() => Arrival::Whole(element),
        None if is_parsed => Arrival::Never,
        _ => Arrival::NotYet,
    }
}

/// Removes an element and returns its text, so that it is not kept twice.
fn taken_out(element: &Element) -> Text {
    element.remove();
    text_of(element)
}

fn text_of(element: &Element) -> Text {
    let text = Reflect::get(element, &"textContent".into()).unwrap_or_default();
    Text::Characters(text.unchecked_into())
}

/// Calls back with the text of a part once it is complete, from its file or from the page, where it is removed; with
/// `None` if there is no such part.
pub(super) fn when_text_arrives(
    part: Part,
    run: impl FnOnce(Result<Option<Text>, PartError>) + 'static,
) {
    let Some(StatedPart { file: Some(file), digest, length, .. }) = stated(part) else {
        return when_arrived(part, move |element| {
            let text = element.map(|element| taken_out(&element));
            run(verify(part, text.as_ref()).map(|()| text));
        });
    };
    let promise = fetch_part(&file, &digest, length);
    wasm_bindgen_futures::spawn_local(async move {
        let bytes = JsFuture::from(promise).await.map_err(|_| PartError::NotFetched);
        run(bytes.map(|bytes| Some(Text::Bytes(Bytes(bytes.unchecked_into())))));
    });
}

/// Calls back with an element once it is complete, or with `None` once the page has been parsed and has no such
/// element.
fn when_arrived(part: Part, run: impl FnOnce(Option<Element>) + 'static) {
    let Err(run) = run_if_arrived(part, Box::new(run)) else { return };
    let waiting = Rc::new(RefCell::new(Some(run)));
    let observer = Rc::new(RefCell::new(None::<MutationObserver>));
    let look = {
        let observer = observer.clone();
        move || {
            let Some(run) = waiting.take() else { return };
            match run_if_arrived(part, run) {
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
    // Until then, try again whenever something is added to the page.
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

type Run = Box<dyn FnOnce(Option<Element>)>;

/// Returns the callback if it is too early for it.
fn run_if_arrived(part: Part, run: Run) -> Result<(), Run> {
    match arrival(part) {
        Arrival::NotYet => return Err(run),
        Arrival::Never => run(None),
        Arrival::Whole(element) => run(Some(element)),
    }
    Ok(())
}
