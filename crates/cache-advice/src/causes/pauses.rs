//! Pauses in long work, during which a page can answer.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The number of pieces of work between two pauses. Together, they take a fraction of a millisecond.
const STEP: usize = 32;

/// Counts pieces of work that take some microseconds each, and pauses now and then.
pub(super) struct Pauses<P> {
    pause: P,
    done: usize,
}

impl<P: AsyncFnMut()> Pauses<P> {
    /// Begins to count. `pause` decides whether there is a reason to wait.
    pub(super) fn new(pause: P) -> Self {
        Pauses { pause, done: 0 }
    }

    /// Pauses if enough has been done since the last pause. Called after each piece of work.
    pub(super) async fn after_one(&mut self) {
        self.done += 1;
        if self.done == STEP {
            self.done = 0;
            (self.pause)().await;
        }
    }
}

/// Does work whose pauses do not wait.
///
/// # Panics
///
/// If it waits for anything.
pub(super) fn at_once<T>(work: impl Future<Output = T>) -> T {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => unreachable!("there is nothing to wait for"),
    }
}
