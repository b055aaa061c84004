//! The browsers that tests share.
//!
//! Starting a browser takes longer than most tests do. So a browser is passed from one test to the next, and forgets
//! everything in between. At most as many browsers are in use at once as there are cores. When the tests end, the keepers of
//! the drivers end the remaining browsers, because a test program cannot run anything at its end.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::browser::Browser;
use crate::engine::{Form, Storage};

/// The idle browsers.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A browser for one test.
pub(crate) struct Borrowed {
    /// Only `None` while it is being dropped.
    browser: Option<Browser>,
    /// `true` if other tests may use it afterwards.
    shared: bool,
    _place: Place,
}

impl Borrowed {
    /// Borrows a browser with the usual settings, in which nothing has happened yet.
    pub(crate) fn take() -> Self {
        let place = Place::take();
        let idle = lock(&IDLE).pop();
        // A browser that fails to forget ends here.
        let browser = idle.and_then(|mut browser| browser.forget().is_ok().then_some(browser));
        let browser = browser.unwrap_or_else(|| Browser::start(Form::Shell, Storage::Allowed));
        Self { browser: Some(browser), shared: true, _place: place }
    }

    /// Starts a browser for this test, which ends with it.
    pub(crate) fn start(storage: Storage) -> Self {
        let place = Place::take();
        Self {
            browser: Some(Browser::start(Form::Complete, storage)),
            shared: false,
            _place: place,
        }
    }
}

impl Deref for Borrowed {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser.as_ref().expect("the browser is there until it is given back")
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // The browser may be the reason for a failure.
        if self.shared && !thread::panicking() {
            lock(&IDLE).extend(self.browser.take());
        }
    }
}

/// One of the slots for a browser in use: as many as there are cores, at most four.
struct Place;

static TAKEN: Mutex<usize> = Mutex::new(0);
static LEFT: Condvar = Condvar::new();

impl Place {
    fn take() -> Self {
        let places = thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        let taken = LEFT.wait_while(lock(&TAKEN), |taken| *taken >= places);
        *taken.unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *lock(&TAKEN) -= 1;
        LEFT.notify_one();
    }
}

/// Locks a mutex. Its data stays valid even if a test fails while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
