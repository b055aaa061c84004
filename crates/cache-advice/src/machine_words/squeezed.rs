//! Names as they are looked up, without what separates their words.

/// Returns a text in lower case, without anything but letters, digits and dots.
pub(super) fn squeezed(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '.');
    kept.map(|c| c.to_ascii_lowercase()).collect()
}
