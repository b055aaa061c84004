//! Lists of texts in which each is once.

/// Adds a text to a list, unless it is blank or already there.
pub(crate) fn push_once(list: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() && !list.iter().any(|other| other == text) {
        list.push(text.to_owned());
    }
}
