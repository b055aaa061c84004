//! Programs in Python that check what the command writes.
//!
//! `tools/setup python` installs them. Without them, these tests say so and pass.

use std::process::Command;

use crate::desk::root;

/// Proof that the project's Python has a package.
pub(crate) struct Python;

/// Returns the Python of this project.
pub(crate) fn command() -> Command {
    Command::new(root().join(".tools/python/bin/python"))
}

/// Returns `Some` if the project's Python has a package; otherwise prints that the test is skipped.
pub(crate) fn with(package: &str) -> Option<Python> {
    let output = command().args(["-c", &format!("import {package}")]).output();
    let has_it = output.is_ok_and(|output| output.status.success());
    if !has_it {
        eprintln!("skipped: `tools/setup python` installs {package}");
    }
    has_it.then_some(Python)
}
