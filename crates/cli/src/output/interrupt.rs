//! Ending cleanly when asked to: by Ctrl-C, or by whoever stops a job.
//!
//! Where nothing is being renamed, the command ends at once, and the files that have a temporary
//! name are removed. In between, it ends when the renaming is done, which takes milliseconds.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files that have a temporary name at this moment.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Returns the files that have a temporary name. While this is held, no signal ends the command.
pub(super) fn hold() -> MutexGuard<'static, Vec<PathBuf>> {
    #[cfg(unix)]
    listen();
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn listen() {
    use std::sync::Once;
    use std::{fs, thread};

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Where it cannot be listened for, a signal ends the command as it ends any other.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
                for path in temporary.iter() {
                    let _ = fs::remove_file(path);
                }
                // Whoever waits for the command sees which signal ended it.
                let _ = emulate_default_handler(signal);
            }
        });
    });
}
