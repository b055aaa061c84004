//! The person's machine: the control for it in the masthead.
//!
//! It is part of the address, so links share it; this device remembers it only if the person asks for that.

use cache_index::host::Host;
use cache_index::query::Change;
use cache_index::sorting;
use leptos::prelude::*;
use spack_spec::Target;

use crate::browser;
use crate::explorer::Explorer;
use crate::view::parts::copy::Copy;

/// Starts with the machine that this device remembers, unless the address names one.
pub(crate) fn recall_machine(explorer: Explorer) {
    if untrack(|| explorer.host().is_none()) {
        let remembered = browser::remembered_machine().and_then(|text| text.parse::<Host>().ok());
        if let Some(host) = remembered {
            explorer.start_from(Change::Host(Some(host)));
        }
    }
}

/// `My machine: zen4`, which opens a panel.
#[component]
pub(crate) fn Machine() -> impl IntoView {
    let explorer = Explorer::here();
    let name = move || match explorer.host() {
        Some(host) => host.target().to_owned(),
        None => "any".to_owned(),
    };
    view! {
        <details class="menu machine" name="menu">
            <summary class="button">
                <span class="machine-label">"My machine: "</span>
                <bdi>{name}</bdi>
            </summary>
            <Panel/>
        </details>
    }
}

#[component]
fn Panel() -> impl IntoView {
    let explorer = Explorer::here();
    let platform = RwSignal::new(String::new());
    let os = RwSignal::new(String::new());
    let target = RwSignal::new(String::new());
    let libc = RwSignal::new(String::new());
    let is_remembered = RwSignal::new(browser::remembered_machine().is_some());
    let problem = RwSignal::new(None::<String>);
    // The form follows the address; what is being typed belongs to the form until it is submitted.
    let fill = move |host: Option<&Host>| {
        platform.set(host.map_or("linux", Host::platform).to_owned());
        os.set(host.map_or("", Host::os).to_owned());
        target.set(host.map_or("", Host::target).to_owned());
        libc.set(host.and_then(Host::libc).unwrap_or("").to_owned());
    };
    Effect::new(move || fill(explorer.host().as_ref()));

    let paste = move |event| {
        let text: String = event_target_value(&event);
        if let Ok(host) = Host::from_arch(&text, "") {
            platform.set(host.platform().to_owned());
            os.set(host.os().to_owned());
            target.set(host.target().to_owned());
        }
    };
    let settle = move |host: Option<Host>| {
        let keep = is_remembered.get_untracked();
        let text = host.as_ref().filter(|_| keep).map(ToString::to_string);
        browser::remember_machine(text.as_deref());
        problem.set(None);
        explorer.go(Change::Host(host));
        browser::close_menus();
    };
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let [platform, os, target, libc] =
            [platform, os, target, libc].map(|field| field.get_untracked());
        match Host::from_arch(&format!("{platform}-{}-{target}", os.trim()), &libc) {
            Ok(host) => settle(Some(host)),
            Err(error) => problem.set(Some(error.to_string())),
        }
    };
    let known_oses = {
        let oses = explorer.index.dictionary(cache_index::facet::Facet::Os).values().iter();
        oses.map(|os| view! { <option value=os.clone()></option> }).collect_view()
    };
    view! {
        <form class="panel" on:submit=send>
            <p class="muted">"Which builds run on your machine?"</p>
            <p class="line">
                <code>"spack arch"</code>
                <Copy text=Callback::new(|()| "spack arch".to_owned()) label="Copy spack arch"
                    icon=crate::view::parts::icon::Icon::Copy/>
                <span class="muted">"prints all three. Paste its output:"</span>
            </p>
            <input
                type="text"
                aria-label="Output of spack arch"
                placeholder="linux-ubuntu24.04-zen4"
                autocomplete="off"
                spellcheck="false"
                on:input=paste
            />
            <p class="muted">"Or choose. Without Spack: " <code>"uname -sm"</code> " and " <code>"lscpu"</code>
                " show platform and target, " <code>"/etc/os-release"</code> " the OS."
            </p>
            <label>
                "Platform"
                <select
                    prop:value=move || platform.get()
                    on:change=move |event| platform.set(event_target_value(&event))
                >
                    {["linux", "darwin", "windows"]
                        .map(|name| view! { <option value=name>{name}</option> })
                        .collect_view()}
                </select>
            </label>
            <label>
                "OS"
                <input
                    type="text"
                    list="oses"
                    placeholder="ubuntu24.04"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || os.get()
                    on:input=move |event| os.set(event_target_value(&event))
                />
                <datalist id="oses">{known_oses}</datalist>
            </label>
            <label>
                "Target"
                <Targets target/>
            </label>
            <label>
                "libc"
                <input
                    type="text"
                    placeholder="glibc@2.39, if you know"
                    title="The last word of the first line that ldd --version prints"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || libc.get()
                    on:input=move |event| libc.set(event_target_value(&event))
                />
            </label>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || is_remembered.get()
                    on:change=move |event| is_remembered.set(event_target_checked(&event))
                />
                "Remember on this device"
            </label>
            {move || problem.get().map(|text| view! { <p class="notice" role="alert">{text}"."</p> })}
            <div class="line">
                <button type="submit" class="button main">"Show what runs"</button>
                <button type="button" class="button" on:click=move |_| settle(None)>
                    "Any machine"
                </button>
            </div>
        </form>
    }
}

/// All targets that Spack knows, by family.
#[component]
fn Targets(
    /// The chosen target, which need not be one of them.
    target: RwSignal<String>,
) -> impl IntoView {
    let families = {
        let mut all: Vec<Target> = Target::all().collect();
        sorting::sort_by_key(&mut all, |target| target.family());
        let option =
            |target: &Target| view! { <option value=target.name()>{target.name()}</option> };
        all.chunk_by(|a, b| a.family() == b.family())
            .map(|family| {
                let options = family.iter().map(option).collect_view();
                view! { <optgroup label=family[0].family().name()>{options}</optgroup> }
            })
            .collect_view()
    };
    let other = move || {
        let name = target.get();
        (!name.is_empty() && Target::named(&name).is_none())
            .then(|| view! { <option value=name.clone()>{name.clone()}</option> })
    };
    view! {
        <select
            required
            prop:value=move || target.get()
            on:change=move |event| target.set(event_target_value(&event))
        >
            <option value="">"choose"</option>
            {other}
            {families}
        </select>
    }
}
