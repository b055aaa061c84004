//! Memos that share their code.
//!
//! Leptos makes a memo's machinery anew for every closure, one to three kilobytes each time; behind
//! a pointer, closures that give values of one type share it.

use leptos::prelude::*;

/// A value that is worked out again when what it reads has changed, and tells others only when it is
/// another than before.
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
