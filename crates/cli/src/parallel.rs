//! Work on several threads, with the results in the order of the work.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many pieces of work may be queued for each thread.
const AHEAD: usize = 2;

/// Takes pieces of work from a source, does them on as many threads as the machine has, and passes on the results in
/// order. Only a few pieces and results are held at any time.
pub(crate) fn in_order<T: Send, U: Send, R: Send>(
    source: impl FnOnce(&mut dyn FnMut(T)) -> R + Send,
    work: impl Fn(T) -> U + Sync,
    sink: impl FnMut(U),
) -> R {
    in_order_on(usize::MAX, source, work, sink)
}

/// Does the same as [`in_order`] on at most `most` threads.
pub(crate) fn in_order_on<T: Send, U: Send, R: Send>(
    most: usize,
    source: impl FnOnce(&mut dyn FnMut(T)) -> R + Send,
    work: impl Fn(T) -> U + Sync,
    mut sink: impl FnMut(U),
) -> R {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(most);
    let (send_work, receive_work) = sync_channel::<(usize, T)>(threads * AHEAD);
    let (send_outcome, receive_outcome) = sync_channel::<(usize, U)>(threads * AHEAD);
    let receive_work = Mutex::new(receive_work);
    thread::scope(|scope| {
        let source = scope.spawn(move || {
            let mut number = 0;
            source(&mut |piece| {
                // Sending only fails if a worker panicked, which ends the scope.
                let _ = send_work.send((number, piece));
                number += 1;
            })
        });
        for _ in 0..threads {
            let (receive_work, work) = (&receive_work, &work);
            let send_outcome = send_outcome.clone();
            scope.spawn(move || {
                let next = || receive_work.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((number, piece)) = next() {
                    if send_outcome.send((number, work(piece))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send_outcome);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, outcome) in receive_outcome {
            waiting.insert(number, outcome);
            while let Some(outcome) = waiting.remove(&next) {
                sink(outcome);
                next += 1;
            }
        }
        source.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn returns_results_in_the_order_of_the_work() {
        let mut outcomes = Vec::new();
        let count = in_order(
            |each| {
                (0..1000_u32).for_each(each);
                1000
            },
            // The pieces take different amounts of time.
            |number| (0..number % 7 * 1000).fold(number, |sum, _| std::hint::black_box(sum)),
            |outcome| outcomes.push(outcome),
        );
        assert_eq!(count, 1000);
        assert_eq!(outcomes, (0..1000).collect::<Vec<_>>());
    }
}
