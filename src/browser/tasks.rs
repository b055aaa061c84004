//! Work in slices, between which the page responds to the user. Everything that waits is async, and only this module uses
//! timers.
//!
//! Natively nothing waits: the first view is written once, and no task is run.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use gloo::utils::{document, window};
use js_sys::{Function, Promise};
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::{IS_HERE, now};

/// How long a task may take before it pauses, in milliseconds.
const SLICE: f64 = 12.0;

/// Runs work that waits.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    if IS_HERE {
        spawn_local(work);
    }
}

/// Waits until a callback of the browser is called.
async fn called(ask: impl Fn(&Function)) {
    let promise = Promise::new(&mut |resolve, _| ask(&resolve));
    // It is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Waits for a time in milliseconds.
pub async fn wait(milliseconds: i32) {
    called(|resolve| {
        // A window refuses timers only after its page is gone.
        let timer =
            window().set_timeout_with_callback_and_timeout_and_arguments_0(resolve, milliseconds);
        drop(timer);
    })
    .await;
}

/// Lets the browser do more urgent work first: what follows is a task of its own.
pub async fn pause() {
    wait(0).await;
}

/// Waits until everything drawn so far is on the screen, as far as a page can know: until the task after the next frame. A
/// page in the background is not painted, and does not wait.
pub async fn painted() {
    if !document().hidden() {
        called(|resolve| drop(window().request_animation_frame(resolve))).await;
    }
    pause().await;
}

/// Runs steps until one returns `false`, and pauses whenever the page has been busy for some milliseconds.
pub async fn slices(mut step: impl FnMut() -> bool) {
    let mut pause = pauses();
    while step() {
        pause().await;
    }
}

/// Returns a function that work calls after each step. It pauses whenever the page has been busy for some milliseconds.
pub fn pauses() -> impl AsyncFnMut() {
    let mut start = now();
    async move || {
        if now() - start > SLICE {
            pause().await;
            start = now();
        }
    }
}

/// Work that is given up when other work takes its place, or when the user leaves the page. It then ends where it waits.
#[derive(Clone, Copy, Default)]
pub struct Latest(StoredValue<usize>);

impl Latest {
    /// Gives up the work that was begun before.
    pub fn give_up(self) {
        self.0.update_value(|number| *number += 1);
    }

    /// Runs work, and gives up the work that was begun before.
    pub fn begin(self, work: impl Future<Output = ()> + 'static) {
        self.give_up();
        spawn(self.until_another(Box::pin(work)));
    }

    fn until_another(
        self,
        mut work: Pin<Box<dyn Future<Output = ()>>>,
    ) -> impl Future<Output = ()> {
        let this = self.0.try_get_value();
        std::future::poll_fn(move |context| match self.0.try_get_value() == this {
            true => work.as_mut().poll(context),
            false => Poll::Ready(()),
        })
    }
}
