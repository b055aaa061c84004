//! What changed since an earlier publication: a part of the index that the page reads on request.
//!
//! The page states a summary of the changes, which it shows before it has read them. A cache that was opened from files
//! states no summary; its index may contain the changes themselves.

use cache_index::index::{Index, Part, Summary};
use js_sys::Date;

use super::IS_HERE;
use super::parts::{PartError, stated, text_of_part};

/// Returns what the page says about the changes; `None` if it was published without them.
pub fn summary(index: &Index) -> Option<Summary> {
    if let Some(earlier) = index.earlier() {
        return Some(earlier.summary());
    }
    if !IS_HERE {
        return None;
    }
    stated(Part::Changes)?.summary()
}

/// Reads the changes, unless this has been done; returns `false` if there are none.
pub async fn load(index: &'static Index) -> Result<bool, PartError> {
    if index.earlier().is_none()
        && let Some(text) = text_of_part(Part::Changes).await?
    {
        index.set_changes(&text.copied())?;
    }
    Ok(index.earlier().is_some())
}

/// Returns the day `days` before a time, as `2026-11-14`.
pub fn days_before(time: &str, days: u32) -> Option<String> {
    if !IS_HERE {
        return None;
    }
    let milliseconds = Date::parse(time) - f64::from(days) * 86_400_000.0;
    // The conversion would throw for an invalid date.
    let day = milliseconds.is_finite().then(|| Date::new(&milliseconds.into()).to_iso_string())?;
    String::from(day).split('T').next().map(str::to_owned)
}
