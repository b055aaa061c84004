//! Measures work that pauses so that a page can answer in between.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// Measures the time between pauses.
pub(crate) struct Watch {
    start: Instant,
    last: Cell<Instant>,
    longest: Cell<Duration>,
}

impl Watch {
    /// Runs work that calls [`pause`](Self::pause), and prints its total time and its longest time without a pause.
    pub(crate) fn print<T, W: Future<Output = T>>(
        name: &str,
        work: impl FnOnce(&'static Watch) -> W,
    ) -> T {
        let now = Instant::now();
        let watch = Watch { start: now, last: Cell::new(now), longest: Cell::new(Duration::ZERO) };
        let watch: &'static Watch = Box::leak(Box::new(watch));
        let Poll::Ready(done) = pin!(work(watch)).poll(&mut Context::from_waker(Waker::noop()))
        else {
            unreachable!("its pauses do not wait");
        };
        watch.pause();
        let (all, longest) = (watch.start.elapsed(), watch.longest.get());
        println!("{name}: {all:?}, at most {longest:?} without a pause");
        done
    }

    /// Records a pause.
    pub(crate) fn pause(&self) {
        let now = Instant::now();
        self.longest.set(self.longest.get().max(now - self.last.get()));
        self.last.set(now);
    }
}
