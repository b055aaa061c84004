//! How to get what a question asks for if no build of it works: Spack builds it.

use cache_advice::AskedSpec;
use leptos::prelude::*;
use site::view::parts::copy::Command;
use spack_spec::shell_word;

/// Draws the command that builds it on the user's machine.
pub(crate) fn draw(AskedSpec { spec, is_all }: AskedSpec) -> AnyView {
    let does = "Build it from source, on your machine";
    let partly = (!is_all).then(|| {
        view! { <p class="muted">"It does not ask for all that your filters do: a spec cannot say that."</p> }
    });
    view! {
        <ul class="from-source">
            <Command does text=format!("spack install {}", shell_word(&spec)) label="Copy"/>
        </ul>
        {partly}
    }
    .into_any()
}
