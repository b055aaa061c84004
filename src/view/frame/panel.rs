//! The panel in which a person says which machine they have.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::sorting;
use cache_query::Change;
use cache_query::host::{Host, UnknownTarget, libc_of_os};
use leptos::prelude::*;
use spack_spec::{Target, nearest};

use crate::browser;
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::machine::AskMachine;
use crate::view::frame::spack;
use crate::view::parts::copy::Copy;
use crate::view::parts::sentence::{capitalized, sentence, with_code};

/// The id of the field for the target.
const TARGET: &str = "machine-target";
/// The field for the libc.
pub(super) const LIBC: &str = "machine-own-libc";

/// Draws the panel.
pub(super) fn draw_later() -> AnyView {
    view! { <Panel/> }.into_any()
}

#[component]
fn Panel() -> impl IntoView {
    let explorer = Explorer::here();
    let platform = RwSignal::new(String::new());
    let os = RwSignal::new(String::new());
    let target = RwSignal::new(String::new());
    let libc = RwSignal::new(String::new());
    let is_remembered = RwSignal::new(browser::remembered_machine().is_some());
    let pasted_problem = RwSignal::new(None::<String>);
    let problem = RwSignal::new(None::<String>);
    // The form follows the address; what is being typed belongs to the form until it is submitted.
    let fill = move |host: Option<&Host>| {
        platform.set(host.map_or("linux", Host::platform).to_owned());
        os.set(host.map_or("", Host::os).to_owned());
        target.set(host.map_or("", Host::target).to_owned());
        libc.set(host.and_then(Host::libc).unwrap_or("").to_owned());
    };
    Effect::new(move || fill(explorer.host().as_ref()));
    let ask: AskMachine = expect_context();
    Effect::new(move || {
        if let Some(asked) = ask.0.get() {
            target.set(asked.to_owned());
        }
    });

    let index = explorer.index;
    let paste = move |event| {
        let text: String = event_target_value(&event);
        let host = Host::from_arch(&text, "");
        let problem = host.as_ref().err().filter(|_| !text.trim().is_empty());
        pasted_problem.set(problem.map(|error| capitalized(&error.to_string())));
        if let Ok(host) = host {
            platform.set(host.platform().to_owned());
            os.set(host.os().to_owned());
            target.set(host.target().to_owned());
        }
    };
    let os_note = memo(move || os.with(|os| misspelt_os(index, os.trim())));
    let target_problem = memo(move || {
        target.with(|target| UnknownTarget::find(index, target).filter(|_| !target.is_empty()))
    });
    let libc_there = memo(move || {
        platform.with(|platform| os.with(|os| libc_of_os(index, platform, os.trim())))
    });
    let is_decisive = memo(move || {
        let is_asked = platform.with(|platform| platform == "linux") && !os.with(String::is_empty);
        is_asked && has_libcs(index)
    });
    let libc_note = move || match libc_there.get() {
        _ if !libc.with(String::is_empty) => None,
        Some(libc) => Some(format!(
            "{libc}, which all builds for {} in this cache need. Enter another if yours has one.",
            os.get()
        )),
        None => is_decisive.get().then(|| {
            "It decides what runs here. The first line of `ldd --version` ends with it.".to_owned()
        }),
    };
    let settle = move |host: Option<Host>| {
        let keep = is_remembered.get_untracked();
        let text = host.as_ref().filter(|_| keep).map(ToString::to_string);
        browser::remember_machine(text.as_deref());
        problem.set(None);
        explorer.go(host.map_or(Change::Host(None), Change::RunOn));
        browser::close_menus();
    };
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let [platform, os, target, libc] =
            [platform, os, target, libc].map(|field| field.get_untracked());
        match Host::from_arch(&format!("{platform}-{}-{target}", os.trim()), &libc) {
            // The reason stands beside the target.
            Ok(host) if host.unknown_target(index).is_some() => {
                browser::focus(TARGET);
            }
            Ok(host) => settle(Some(host)),
            Err(error) => problem.set(Some(capitalized(&error.to_string()))),
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
                aria-invalid=move || pasted_problem.with(Option::is_some).to_string()
                aria-describedby="machine-pasted"
                on:input=paste
            />
            <p id="machine-pasted" class="amiss" role="status">{pasted_problem}</p>
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
                    id="machine-os"
                    type="text"
                    required
                    aria-describedby="machine-os-note"
                    list="oses"
                    placeholder="ubuntu24.04"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || os.get()
                    on:input=move |event| os.set(event_target_value(&event))
                />
                <datalist id="oses">{known_oses}</datalist>
            </label>
            <p id="machine-os-note" class="amiss">{move || os_note.get().map(|note| sentence(&note))}</p>
            <label>
                "Target"
                <Targets target is_unknown=Signal::derive(move || target_problem.with(Option::is_some))/>
            </label>
            <p id="machine-target-note" class="amiss" role="status">
                {move || target_problem.get().map(|problem| draw_unknown(&problem, target))}
            </p>
            <label>
                "libc"
                <input
                    id=LIBC
                    type="text"
                    placeholder=move || libc_there.get().unwrap_or("glibc@2.39, if you know")
                    aria-describedby="machine-libc"
                    title="The last word of the first line that ldd --version prints"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || libc.get()
                    on:input=move |event| libc.set(event_target_value(&event))
                />
            </label>
            <p id="machine-libc" class="muted">{move || libc_note().map(|note| with_code(&note))}</p>
            {move || problem.get().map(|text| view! { <p class="notice" role="alert">{text}"."</p> })}
            {spack::draw_later()}
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || is_remembered.get()
                    on:change=move |event| is_remembered.set(event_target_checked(&event))
                />
                "Remember on this device"
            </label>
            <div class="line">
                <button type="submit" class="button main">"Show what runs"</button>
                <button type="button" class="button" on:click=move |_| settle(None)>
                    "Any machine"
                </button>
            </div>
        </form>
    }
}

/// Returns a note that no build is made for an OS, and suggests one with a similar name; `None` if there is a build for it,
/// or no similar name.
fn misspelt_os(index: &Index, name: &str) -> Option<String> {
    let oses = index.dictionary(Facet::Os);
    if name.is_empty() || oses.code(name).is_some() {
        return None;
    }
    let other = nearest(name, oses.values().iter().map(String::as_str))?;
    Some(format!("no build is made for `{name}`: did you mean `{other}`?"))
}

/// Returns a note that no build is made for an OS, and suggests a similar name or says what decides instead; `None` if
/// there is a build for it.
pub(super) fn unknown_os(index: &Index, name: &str) -> Option<String> {
    if index.dictionary(Facet::Os).code(name).is_some() {
        return None;
    }
    misspelt_os(index, name).or_else(|| {
        Some(match has_libcs(index) {
            true => {
                format!("no build is made for `{name}`; its libc decides which of the others run")
            }
            false => format!("no build is made for `{name}`"),
        })
    })
}

/// Returns `true` if the index says of some builds which libc they are linked with.
fn has_libcs(index: &Index) -> bool {
    !index.dictionary(Facet::Libc).values().is_empty()
}

/// Draws what is wrong with a target, and a button that chooses the one that was perhaps meant.
fn draw_unknown(problem: &UnknownTarget, target: RwSignal<String>) -> AnyView {
    let instead = problem.instead.clone().map(|instead| {
        let name = instead.clone();
        let choose = move |_| {
            target.set(instead.clone());
            browser::focus(TARGET);
        };
        view! { " " <button type="button" class="button" on:click=choose>"Use " <bdi>{name}</bdi></button> }
    });
    view! { {sentence(&problem.to_string())}{instead} }.into_any()
}

/// All targets that Spack knows, by family.
#[component]
fn Targets(
    /// The chosen target, which need not be one of them.
    target: RwSignal<String>,
    /// `true` if no known target has this name.
    is_unknown: Signal<bool>,
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
            id=TARGET
            required
            aria-invalid=move || is_unknown.get().to_string()
            aria-describedby="machine-target-note"
            prop:value=move || target.get()
            on:change=move |event| target.set(event_target_value(&event))
        >
            <option value="">"choose"</option>
            {other}
            {families}
        </select>
    }
}
