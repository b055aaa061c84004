//! A second cache, with which the shown one is compared: one that a person has opened, and `open.js` keeps on the device.

use std::sync::Arc;

use cache_index::index::{Index, Part};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::environments::{ask, text_of};
use super::soon;

/// A cache that the device keeps, with the name of its files; or why there is none, if it is known.
pub(crate) type Found = Result<(String, Arc<Index>), Option<String>>;

/// Returns the cache with an id, with all its parts. Each is read in a task of its own.
pub(crate) async fn find(id: &str) -> Found {
    let kept = ask("cache", &id.into()).await.ok().filter(JsValue::is_object).ok_or(None)?;
    let part = |part: Part| text_of(&kept, part.id());
    let columns = part(Part::Columns).ok_or(None)?;
    let unreadable = |error: cache_index::index::LoadError| Some(error.to_string());
    let index = Index::from_json(&columns).map_err(unreadable)?;
    let rest = [
        (Part::Hashes, Index::set_hashes as fn(&Index, &str) -> _),
        (Part::Details, Index::set_details),
        (Part::Dependencies, Index::set_dependencies),
    ];
    for (which, set) in rest {
        pause().await;
        if let Some(text) = part(which) {
            set(&index, &text).map_err(unreadable)?;
        }
    }
    Ok((text_of(&kept, "name").unwrap_or_default(), Arc::new(index)))
}

/// Lets the page do other things.
pub(crate) async fn pause() {
    let later = Promise::new(&mut |resolve, _| {
        soon(move || drop(resolve.call0(&JsValue::UNDEFINED)));
    });
    let _ = JsFuture::from(later).await;
}
