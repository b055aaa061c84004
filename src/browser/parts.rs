//! The parts of the index in the page, each read as soon as it arrives, or when it is first needed.
//!
//! [`Part`] lists them with their ids. They are in data scripts, the most urgent first, and the app starts while the
//! rest of the page is still arriving. A script is complete if something follows it, or once the page has been parsed.
//! Most visits never need the dependencies, so these stay in the page until one does.
//!
//! In a folder, the large parts are files next to the page, which `loader.js` fetches: the dependencies when they are
//! needed, the others after the first answer.
//!
//! The head of a published page has a [`Statement`] of the parts that must follow. A part that is missing or has another
//! length was cut off in transit, and the page says so; without this statement, such a page would look like one without an
//! index.

use std::fmt;

use cache_index::build::Hash;
use cache_index::index::{Index, LoadError, Part, StatedPart, Statement};
use cache_query::search;
use gloo::utils::document;
use js_sys::{JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, MutationObserver, MutationObserverInit};

use super::tasks::{pause, slices};
use super::text::{PartBytes, Text};
use super::{IS_HERE, rest};

#[wasm_bindgen]
extern "C" {
    /// Returns a promise of the bytes of a file, which must have this digest. The length is only used to show progress.
    #[wasm_bindgen(js_namespace = spackCache, js_name = fetchPart)]
    fn fetch_part(file: &str, digest: &str, length: usize) -> Promise;

    /// Returns the text of a file, synchronously.
    #[wasm_bindgen(js_namespace = spackCache, js_name = takePart, catch)]
    fn take_part(file: &str) -> Result<JsString, JsValue>;
}

/// What is wrong with a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartError {
    /// It did not arrive.
    Missing,
    /// It is a file that could not be fetched.
    NotFetched,
    /// It does not have the length that the page states.
    CutOff {
        /// In bytes.
        stated: u32,
        /// In bytes.
        found: u32,
    },
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
pub fn stated(part: Part) -> Option<StatedPart> {
    let json = document().get_element_by_id(Statement::ID)?.text_content()?;
    Statement::from_json(&json).ok()?.part(part).cloned()
}

/// Returns `true` if the page states a part; natively there is no page.
pub fn is_stated(part: Part) -> bool {
    IS_HERE && stated(part).is_some()
}

/// Returns `true` if a part is a separate file.
fn is_file(part: Part) -> bool {
    stated(part).is_some_and(|stated| stated.file.is_some())
}

/// Compares a part that arrived with the statement. If it is a file, `loader.js` has already compared the digest.
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
    /// Everything, but perhaps only the text of the dependencies.
    All,
}

/// Waits for the text of the columns; `None` if the page has no index.
pub(crate) async fn columns() -> Result<Option<JsString>, PartError> {
    Ok(text_of_part(Part::Columns).await?.map(Text::into_characters))
}

/// Reads all other parts as they arrive, and reports each stage. After a problem, no further part is read.
pub(crate) async fn take_later(
    index: &'static Index,
    taken: impl Fn(Stage),
) -> Result<(), PartError> {
    let hashes = text_of_part(Part::Hashes).await?;
    // Each part is read in a task of its own, so that a click never waits for more than one.
    pause().await;
    match hashes {
        Some(text) => take_hashes(index, &text.trimmed()).await?,
        // Hashes that are not a separate part must have come with the columns.
        None if !index.has_hashes() => index.set_hashes("\"\"")?,
        None => {}
    }
    taken(Stage::Hashes);
    let details = text_of_part(Part::Details).await?;
    pause().await;
    // The rest of the app has the code for the details. Without it, the page says that it is missing.
    if let Some(text) = details
        && rest::load().await
    {
        index.set_details(&text.copied())?;
    }
    taken(Stage::Details);
    if !is_file(Part::Dependencies) {
        verify(
            Part::Dependencies,
            element_of(Part::Dependencies.id()).await.as_ref().map(text_of).as_ref(),
        )?;
    }
    taken(Stage::All);
    Ok(())
}

async fn take_hashes(index: &'static Index, text: &Text) -> Result<(), PartError> {
    let length = text.length();
    let is_quote = |place: u32| text.slice(place, place + 1) == "\"";
    if !(length > 1 && is_quote(0) && is_quote(length - 1)) {
        return Err(LoadError::HashesNotQuoted.into());
    }
    let mut reader = index.hash_reader(length as usize - 2)?;
    let (mut from, end) = (1, length - 1);
    let mut read = Ok(());
    slices(|| {
        let to = end.min(from + SLICE);
        read = reader.read(&text.slice(from, to));
        from = to;
        read.is_ok() && to < end
    })
    .await;
    read?;
    Ok(index.take_hashes(reader)?)
}

/// Fetches and decodes the dependencies, unless this has been done. The work is split into tasks, so that the page stays
/// responsive.
pub(crate) async fn load_dependencies(index: &'static Index) -> Result<(), PartError> {
    if index.has_dependencies() {
        return Ok(());
    }
    let text = match is_file(Part::Dependencies) {
        true => text_of_part(Part::Dependencies).await?,
        // The text stays in the page until it has been read: a script may need it at once.
        false => {
            let text = element_of(Part::Dependencies.id()).await.as_ref().map(text_of);
            verify(Part::Dependencies, text.as_ref())?;
            text
        }
    };
    let Some(text) = text.filter(|_| !index.has_dependencies()) else { return Ok(()) };
    let mut reader = index.dependencies_reader(&text.copied())?;
    drop(text);
    pause().await;
    let mut read = Ok(false);
    slices(|| {
        read = reader.read(EDGES);
        matches!(read, Ok(false))
    })
    .await;
    read?;
    index.take_dependencies(reader);
    remove_dependencies();
    // Prepares for searches among them.
    pause().await;
    search::prepare(index);
    pause().await;
    Ok(())
}

/// Removes the text of the dependencies from the page, so that it is not kept twice.
fn remove_dependencies() {
    if let Arrival::Whole(element) = arrival(Part::Dependencies.id()) {
        element.remove();
    }
}

/// Decodes the dependencies at once, if they have arrived or are a file, and have not been decoded.
pub fn take_dependencies(index: &Index) -> Result<(), PartError> {
    if index.has_dependencies() {
        return Ok(());
    }
    if let Some(file) = stated(Part::Dependencies).and_then(|stated| stated.file) {
        let text = take_part(&file).map_err(|_| PartError::NotFetched)?;
        let text = Text::Characters(text);
        verify(Part::Dependencies, Some(&text))?;
        index.set_dependencies(&text.copied())?;
    } else if let Arrival::Whole(element) = arrival(Part::Dependencies.id()) {
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

fn arrival(id: &str) -> Arrival {
    let is_parsed = document().ready_state() != "loading";
    match document().get_element_by_id(id) {
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

/// Waits until a part is complete, and returns its text from its file or from the page, from which it is then removed;
/// `None` if there is no such part.
pub async fn text_of_part(part: Part) -> Result<Option<Text>, PartError> {
    let Some(StatedPart { file: Some(file), digest, length, .. }) = stated(part) else {
        let text = element_of(part.id()).await.as_ref().map(taken_out);
        return verify(part, text.as_ref()).map(|()| text);
    };
    fetched(&file, &digest, length).await.map(Some)
}

async fn fetched(file: &str, digest: &str, length: usize) -> Result<Text, PartError> {
    match JsFuture::from(fetch_part(file, digest, length)).await {
        Ok(bytes) => Ok(Text::Bytes(PartBytes(bytes.unchecked_into()))),
        Err(_) => Err(PartError::NotFetched),
    }
}

/// Returns a text that the page states: fetches its file, or waits for the element with this id, which stays in the page.
pub async fn text_that_stays(id: &str, stated: &StatedPart) -> Result<String, PartError> {
    if let Some(file) = &stated.file {
        return Ok(fetched(file, &stated.digest, stated.length).await?.copied());
    }
    let text = element_of(id).await.as_ref().map(text_of).ok_or(PartError::Missing)?;
    let (stated, found) = (stated.length as u32, text.length());
    match stated == found {
        true => Ok(text.copied()),
        false => Err(PartError::CutOff { stated, found }),
    }
}

/// Waits until the element with an id is complete; `None` once the page has been parsed and has no such element.
async fn element_of(id: &str) -> Option<Element> {
    loop {
        match arrival(id) {
            Arrival::Whole(element) => return Some(element),
            Arrival::Never => return None,
            Arrival::NotYet => more_of_the_page().await,
        }
    }
}

/// Waits until something is added to the page, or all of it has been parsed.
async fn more_of_the_page() {
    let mut observer = None;
    let more = Promise::new(&mut |resolve, _| {
        let parsed = document().add_event_listener_with_callback("DOMContentLoaded", &resolve);
        let init = MutationObserverInit::new();
        init.set_child_list(true);
        // If either the listener or the observer is missing, the other still reports the end of the page.
        drop(parsed);
        if let (Ok(watching), Some(body)) = (MutationObserver::new(&resolve), document().body())
            && watching.observe_with_options(&body, &init).is_ok()
        {
            observer = Some(watching);
        }
    });
    let _ = JsFuture::from(more).await;
    if let Some(observer) = observer {
        observer.disconnect();
    }
}
