//! The pages, one module each. A page answers a [`View`](cache_query::View).

#[cfg(target_arch = "wasm32")]
pub(crate) mod build;
#[cfg(target_arch = "wasm32")]
pub(crate) mod changes;
#[cfg(target_arch = "wasm32")]
pub(crate) mod compare;
#[cfg(target_arch = "wasm32")]
pub(crate) mod environment;
#[cfg(target_arch = "wasm32")]
pub(crate) mod package;
pub(crate) mod packages;
pub(crate) mod room;

use cache_query::View;
use leptos::prelude::*;

pub(crate) use packages::Front;

#[cfg(target_arch = "wasm32")]
use self::build::{Build, MalformedHash};

#[cfg(target_arch = "wasm32")]
use self::changes::WhatChanged;

#[cfg(target_arch = "wasm32")]
use self::compare::Compare;

#[cfg(target_arch = "wasm32")]
use self::environment::Environment;

#[cfg(target_arch = "wasm32")]
use self::package::Package;

/// Draws any page except the front page. All of this is in the rest of the app.
#[cfg(target_arch = "wasm32")]
#[inline(never)]
pub(crate) fn draw_later(view: View) -> AnyView {
    match view {
        View::Build(hash) => view! { <Build hash/> }.into_any(),
        View::MalformedHash(text) => view! { <MalformedHash text/> }.into_any(),
        View::Compare(hashes) => view! { <Compare hashes/> }.into_any(),
        View::Environment => view! { <Environment/> }.into_any(),
        View::Package(name) => view! { <Package name/> }.into_any(),
        View::Changes => view! { <WhatChanged/> }.into_any(),
        View::Packages => view! { <Front/> }.into_any(),
    }
}

/// Draws nothing: natively, only the front page is drawn.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn draw_later(_: View) -> AnyView {
    ().into_any()
}
