//! The browsers that tests take turns with.
//!
//! Starting a browser takes longer than most tests do. So a browser goes from one test to the next, and forgets
//! everything in between. As many are in use at once as there are cores, however many tests run. Those that are left
//! when the tests end are ended by their drivers' keepers, because a test program has no last moment to do it in.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::browser::Browser;
use crate::engine::Storage;

/// The browsers that no test is using.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A browser, for one test.
pub(crate) struct Borrowed {
    /// Taken out on dropping only.
    browser: Option<Browser>,
    /// `true` if other tests may have it afterwards.
    shared: bool,
    _place: Place,
}

impl Borrowed {
    /// A browser as most people have it, in which nothing has happened yet.
    pub(crate) fn take() -> Self {
        let place = Place::take();
        let idle = lock(&IDLE).pop();
        // One that fails to forget is ended here.
        let browser = idle.filter(|browser| browser.forget().is_ok());
        let browser = browser.unwrap_or_else(|| Browser::start(Storage::Allowed));
        Self { browser: Some(browser), shared: true, _place: place }
    }

    /// A browser that is started for this test and ends with it.
    pub(crate) fn start(storage: Storage) -> Self {
        let place = Place::take();
        Self { browser: Some(Browser::start(storage)), shared: false, _place: place }
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
        // A browser in which a test has failed may be why.
        if self.shared && !thread::panicking() {
            lock(&IDLE).extend(self.browser.take());
        }
    }
}

/// One of the places for a browser in use: as many as there are cores, four at most.
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

/// What is guarded stays whole even if a test fails while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
