//! A setting on one line, with the names of its sections before it: `packages:all:require:"%gcc@12"`, as `spack config add`
//! takes it, or with spaces after the colons, as people write it in a message.

use std::borrow::Cow;

/// Returns a text that consists of such a line as YAML; any other text as it is.
pub(super) fn written_out(text: &str) -> Cow<'_, str> {
    let line = text.trim();
    let mut names = Vec::new();
    let mut rest = line;
    while let Some((name, after)) = rest.split_once(':').filter(|(name, _)| is_name(name)) {
        names.push(name);
        // A second colon overrides other files, and has no effect here.
        rest = after.strip_prefix(':').unwrap_or(after).trim_start();
    }
    if names.len() < 2 || rest.is_empty() || line.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut yaml = String::new();
    for (depth, name) in names.iter().enumerate() {
        let indent = "  ".repeat(depth);
        yaml += &format!("{}{indent}{name}:", if depth > 0 { "\n" } else { "" });
    }
    Cow::Owned(match rest.starts_with(['%', '@']) {
        true => format!("{yaml} '{}'", rest.replace('\'', "''")),
        false => format!("{yaml} {rest}"),
    })
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'))
}
