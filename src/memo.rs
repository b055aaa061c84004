//! Memos that share their code.
//!
//! Leptos instantiates a memo's machinery for every closure, which takes one to three kilobytes each time. Boxed
//! closures with the same result type share it.

use leptos::prelude::*;

/// Creates a value that is recomputed when what it reads has changed, and notifies others only if it differs from
/// before.
pub(crate) fn memo<T>(read: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    boxed(Box::new(read))
}

fn boxed<T>(read: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| read())
}
