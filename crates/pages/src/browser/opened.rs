//! A second cache, with which the shown one is compared: a user has opened it, and `open.js` keeps it on the device.

use std::sync::Arc;

use cache_index::build::Hash;
use cache_index::index::{Index, Part};
use gloo::utils::document;
use wasm_bindgen::JsValue;

use super::kept::{Keeper, ask, keeper_of, text_of};
use site::browser::tasks::pause;

/// A cache that a user has opened on this device.
#[derive(Clone)]
pub(crate) struct OpenedCache {
    pub(crate) id: String,
    /// The name of its files.
    pub(crate) name: String,
    pub(crate) index: Arc<Index>,
    pub(crate) keeper: Keeper,
}

/// Returns `true` for a build of the opened cache on the page whose binary was found to be damaged.
pub(crate) fn is_damaged(hash: Hash) -> bool {
    let page = document().document_element();
    let damaged = page.and_then(|page| page.get_attribute("data-damaged")).unwrap_or_default();
    damaged.split(' ').any(|damaged| damaged.parse() == Ok(hash))
}

/// Returns the cache with an id, with all its parts; if there is none, the reason, if it is known. Each part is read in a
/// task of its own.
pub(crate) async fn find(id: &str) -> Result<OpenedCache, Option<String>> {
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
    let (name, keeper) = (text_of(&kept, "name").unwrap_or_default(), keeper_of(&kept));
    Ok(OpenedCache { id: id.to_owned(), name, index: Arc::new(index), keeper })
}
