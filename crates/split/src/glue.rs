//! Shortens the names of imports and exports, in a module and in its glue.
//!
//! wasm-bindgen appends a hash to most of these names, and puts complete types into others. Both files contain the
//! names, and hashes do not compress.

use std::collections::{BTreeMap, BTreeSet};

use crate::module::Module;

/// Exports with names that are longer than this get a short one.
const LONG: usize = 24;

/// Short names, by the names that they replace.
pub(crate) type ShortNames = BTreeMap<String, String>;

/// Returns short names for the imports of a module and for the exports with long names that its glue uses, together
/// with the glue in which these are replaced. The short names depend only on the names that they replace, so glue that
/// has not changed stays the same.
pub(crate) fn shorten(module: &Module<'_>, glue: &str) -> Result<(ShortNames, String), String> {
    let words: BTreeSet<&str> = words(glue).map(|(_, word)| word).collect();
    let imports = module.imports.iter().map(|&(name, _)| name);
    if let Some(missing) = imports.clone().find(|name| !words.contains(name)) {
        return Err(format!("expected {missing} in the glue, did not find it"));
    }
    let exports = module.exports.iter().copied();
    let exports = exports.filter(|name| name.len() > LONG && words.contains(name));
    let names: BTreeSet<&str> = imports.chain(exports).collect();
    let unused = (1..).map(|number: usize| format!("_{number}"));
    let unused = unused.filter(|name| !words.contains(name.as_str()));
    let short: ShortNames = names.into_iter().map(str::to_owned).zip(unused).collect();
    Ok((short.clone(), replaced(glue, &short)))
}

fn replaced(glue: &str, short: &ShortNames) -> String {
    let mut text = String::with_capacity(glue.len());
    let mut end = 0;
    for (start, word) in words(glue) {
        if let Some(name) = short.get(word) {
            text.push_str(&glue[end..start]);
            text.push_str(name);
            end = start + word.len();
        }
    }
    text + &glue[end..]
}

/// Returns the words of a script that may be identifiers, with their positions.
fn words(script: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_in_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + script[at..].find(is_in_word)?;
        let rest = &script[start..];
        let length = rest.find(|letter| !is_in_word(letter)).unwrap_or(rest.len());
        at = start + length;
        Some((start, &rest[..length]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_words_only() {
        let short = [("__wbg_log_1".to_owned(), "_1".to_owned())].into();
        let glue = "{ __wbg_log_1: (a) => a, __wbg_log_12: $__wbg_log_1 } wasm.__wbg_log_1";
        let expected = "{ _1: (a) => a, __wbg_log_12: $__wbg_log_1 } wasm._1";
        assert_eq!(replaced(glue, &short), expected);
    }

    #[test]
    fn avoids_names_that_the_glue_has() {
        let bytes = wat::parse_str(
            r#"(module (import "./app.js" "__wbg_log_0" (func)) (import "./app.js" "__wbg_add_0" (func)))"#,
        );
        let bytes = bytes.expect("a module");
        let module = Module::read(&bytes).expect("a module");
        let (short, glue) =
            shorten(&module, "__wbg_log_0: _1, __wbg_add_0: 2").expect("both are there");
        assert_eq!(glue, "_3: _1, _2: 2");
        assert_eq!(short.len(), 2);
        let missing = shorten(&module, "__wbg_log_0").map(|_| ());
        assert_eq!(missing, Err("expected __wbg_add_0 in the glue, did not find it".to_owned()));
    }
}
