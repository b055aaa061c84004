//! Compares two functions in one run, so that the result means something on a busy machine too.

use std::time::{Duration, Instant};

/// Returns the ratio of the median times of two functions, each run `times` times, alternately.
pub(crate) fn ratio(times: usize, mut one: impl FnMut(), mut other: impl FnMut()) -> f64 {
    let measured = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    let (mut ones, mut others): (Vec<_>, Vec<_>) =
        (0..times).map(|_| (measured(&mut one), measured(&mut other))).unzip();
    median(&mut ones).as_secs_f64() / median(&mut others).as_secs_f64()
}

/// Sorts times, and returns the one in the middle.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
