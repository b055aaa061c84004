//! The targets to choose from.

use cache_index::sorting;
use leptos::prelude::*;
use spack_spec::{Target, Vendor};

use crate::frame::panel::TARGET;
use crate::frame::panel::form::Form;

/// The targets that Spack knows and machines of the platform can have, by family.
#[component]
pub(super) fn Targets(
    /// The form, whose target need not be one of them.
    form: Form,
    /// `true` if no known target has this name.
    is_unknown: Signal<bool>,
) -> impl IntoView {
    let target = form.target;
    let is_mac = Memo::new(move |_| form.platform.with(|platform| platform == "darwin"));
    let other = move || {
        let name = target.get();
        let is_listed = Target::named(&name).is_some_and(|target| is_there(target, is_mac.get()));
        (!name.is_empty() && !is_listed)
            .then(|| view! { <option value=name.clone()>{name.clone()}</option> })
    };
    view! {
        <select
            id=TARGET
            aria-required="true"
            aria-invalid=move || is_unknown.get().to_string()
            aria-describedby="machine-target-note"
            prop:value=move || {
                is_mac.track();
                target.get()
            }
            on:change=move |event| form.put(target, event_target_value(&event))
        >
            <option value="">"choose"</option>
            {other}
            {move || families(is_mac.get())}
        </select>
    }
}

fn families(is_mac: bool) -> impl IntoView {
    let mut all: Vec<Target> = Target::all().filter(|&target| is_there(target, is_mac)).collect();
    sorting::sort_by_key(&mut all, |target| target.family());
    let option = |target: &Target| view! { <option value=target.name()>{target.name()}</option> };
    all.chunk_by(|a, b| a.family() == b.family())
        .map(|family| {
            let options = family.iter().map(option).collect_view();
            view! { <optgroup label=family[0].family().name()>{options}</optgroup> }
        })
        .collect_view()
}

/// Returns `true` unless the machine has macOS, and no such machine has this target.
fn is_there(target: Target, is_mac: bool) -> bool {
    let is_of_mac = matches!(target.family().name(), "aarch64" | "x86_64")
        && (matches!(target.vendor(), Vendor::Apple | Vendor::Intel) || target == target.family());
    !is_mac || is_of_mac
}
