//! Ending cleanly on Ctrl-C, or when a job is stopped.
//!
//! While nothing is being renamed, the command ends at once and removes its temporary files. Otherwise, it ends after
//! the renaming, which takes milliseconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files and folders that currently have a temporary name.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Returns the paths with a temporary name. While the guard is held, no signal ends the command.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    #[cfg(unix)]
    listen();
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn listen() {
    use std::sync::Once;
    use std::thread;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Without a handler, a signal ends the command like any other.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
                temporary.iter().for_each(|path| remove(path));
                // The calling process sees which signal ended the command.
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// Removes a file or folder that has a temporary name.
pub(super) fn remove(path: &Path) {
    let _ = match path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
}
