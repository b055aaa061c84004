//! The site.

use leptos::prelude::*;

fn main() {
    if let Some(shell) = document().get_element_by_id("app") {
        shell.set_inner_html("");
    }
    leptos::mount::mount_to_body(|| view! { <h1>"Spack Build Cache Explorer"</h1> });
}
