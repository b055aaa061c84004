//! The pages, one module each. A page answers a [`View`](cache_index::query::View).

pub(crate) mod build;
pub(crate) mod changes;
pub(crate) mod compare;
pub(crate) mod environment;
pub(crate) mod package;
pub(crate) mod packages;

use cache_index::query::View;
use leptos::prelude::*;

pub(crate) use packages::Front;

use self::build::{Build, MalformedHash};
use self::changes::WhatChanged;
use self::compare::Compare;
use self::environment::Environment;
use self::package::Package;

/// Draws any page except the front page. All of this is in the rest of the app.
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
