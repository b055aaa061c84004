//! How the scripts in `web/` are written, as `tools/strip` relies on.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the paths of all scripts.
fn scripts() -> Vec<PathBuf> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder that can be read");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let (folders, mut scripts): (Vec<_>, Vec<_>) =
        entries(&web).into_iter().partition(|path| path.is_dir());
    scripts.extend(folders.iter().flat_map(|folder| entries(folder)));
    assert!(scripts.len() > 10, "found only {scripts:?}");
    scripts
}

/// Checks each line of code of each script.
fn check_code(is_right: impl Fn(&str) -> bool) {
    for path in scripts() {
        let text = fs::read_to_string(&path).expect("a script");
        for (number, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            assert!(is_comment || is_right(line), "{}:{}: {line}", path.display(), number + 1);
        }
    }
}

#[test]
fn says_first_what_each_script_is_for() {
    for path in scripts() {
        let text = fs::read_to_string(&path).expect("a script");
        assert!(text.starts_with("// "), "{} starts with something else", path.display());
    }
}

#[test]
fn has_comments_of_scripts_on_lines_of_their_own() {
    check_code(|line| !line.contains(" // ") && !line.contains("/*"));
}

#[test]
fn has_no_texts_of_several_lines_in_scripts() {
    check_code(|line| line.matches('`').count() % 2 == 0);
}
