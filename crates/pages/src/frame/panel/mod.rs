//! The panel in which a user says which machine they have.

mod form;
mod targets;

use std::sync::Arc;

use cache_advice::machine_words::{DescribedMachine, libc_of_distribution};
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::settings::{InstallTree, Settings};
use cache_query::host::UnknownTarget;
use cache_query::{Change, Preference, Question};
use leptos::prelude::*;
use spack_spec::nearest;

use self::form::{Form, Heard, Wrong};
use self::targets::Targets;
use crate::browser::facts;
use crate::data::facts::{InIndex, Sizes, in_index, sizes};
use crate::frame::spack::{self, PastedSettings, split_from_settings};
use crate::parts::sentence::{sentence, with_code};
use site::browser::{self, tasks};
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::machine::{AskMachine, LIBC, remembered};

/// The id of the field for the target.
const TARGET: &str = "machine-target";
/// The field for the install tree.
const TREE: &str = "machine-tree";
/// A path of at most this many characters is shown next to the name of the machine.
const SHORT_PATH: usize = 20;
/// The field for the GPU.
const GPU: &str = "machine-gpu";

/// Returns what a link states about the machine besides OS and target, so that the link explains itself.
fn stated(question: &Question) -> String {
    let preference = question.preference();
    let default = Preference::default();
    let libc =
        question.host.as_ref().and_then(|host| host.libc()).map(|libc| libc.replace('@', " "));
    let spack = (preference.spack != default.spack).then(|| format!("Spack {}", preference.spack));
    let tree = &preference.settings.install_tree;
    let default = Settings { install_tree: tree.clone(), ..default.settings };
    let settings = match preference.settings.unapplied.is_empty() {
        true => (preference.settings != default).then(|| "own settings".to_owned()),
        false => Some("own settings, not all applied".to_owned()),
    };
    let gpus = question.gpus.iter().cloned();
    // The tree is not considered if nothing is known about binaries.
    let tree = tree.as_ref().filter(|_| !matches!(in_index(), InIndex::NoFacts)).map(|tree| {
        match tree.root.len() {
            ..=SHORT_PATH => tree.root.clone(),
            _ => "own install tree".to_owned(),
        }
    });
    let known = browser::remembered_machine();
    let is_other = known.is_some_and(|known| Some(known) != remembered(question));
    let whose = is_other.then(|| "not the one remembered here".to_owned());
    let all = libc.into_iter().chain(gpus).chain(tree).chain(spack).chain(settings).chain(whose);
    all.map(|part| format!(" · {part}")).collect()
}

/// Draws what the query states about the machine besides OS and target, if there is a machine.
pub(crate) fn draw_stated() -> AnyView {
    let explorer = Explorer::here();
    let now = move || {
        explorer.requested();
        explorer.host().map(|_| explorer.with_question(stated))
    };
    now.into_any()
}

/// Draws the panel.
pub(crate) fn draw() -> AnyView {
    view! { <Panel/> }.into_any()
}

#[component]
fn Panel() -> impl IntoView {
    let explorer = Explorer::here();
    let form = Form::of(explorer);
    let pasted = PastedSettings::new();
    let is_remembered = RwSignal::new(browser::remembered_machine().is_some());
    let problem = RwSignal::new(None::<String>);
    let ask: AskMachine = expect_context();
    Effect::new(move || {
        if let Some(known) = ask.known() {
            form.read_beside_filters(explorer, &known.words);
        }
    });
    let settle = move |change: Change| {
        problem.set(None);
        form.forget();
        if matches!(change, Change::RunOnMachine(..)) {
            ask.search_for_rest(explorer);
        }
        explorer.go(change);
        let keep = is_remembered.get_untracked();
        let stated = untrack(|| explorer.with_question(remembered));
        browser::remember_machine(stated.filter(|_| keep).as_deref());
        browser::close_menus();
    };
    let send = move || {
        let known = move || untrack(|| explorer.with_question(|question| question.preference()));
        let before = known().settings.install_tree.clone();
        match form.machine(before.as_ref()) {
            Err(Wrong::NoTarget) => {
                browser::focus(TARGET);
                let says = match form.platform.get_untracked().as_str() {
                    "darwin" => {
                        "choose a target, such as m2, or paste what `spack arch` or `sysctl machdep.cpu` prints"
                    }
                    _ => "choose a target, or paste what `spack arch` or `lscpu` prints",
                };
                problem.set(Some(format!("Say which processor your machine has: {says}")));
            }
            Err(Wrong::NoOs) => {
                browser::focus("machine-os");
                problem.set(Some("Say which OS your machine has, such as Ubuntu 22.04".to_owned()));
            }
            Err(Wrong::Target) => drop(browser::focus(TARGET)),
            Err(Wrong::Gpu) => drop(browser::focus(GPU)),
            Err(Wrong::InstallTree) => drop(browser::focus(TREE)),
            Err(Wrong::Host(error)) => problem.set(Some(error)),
            // Text that was pasted and has not been read yet is not lost.
            Ok((host, gpus, tree)) => tasks::spawn(async move {
                if pasted.finish(explorer).await {
                    let mut preference = known();
                    let changed = Arc::make_mut(&mut preference);
                    // What was pasted may state another install tree.
                    if changed.settings.install_tree == before {
                        changed.settings.install_tree = tree;
                    }
                    changed.spack = form.spack.get_untracked().unwrap_or(changed.spack);
                    settle(Change::RunOnMachine(host, gpus, preference));
                }
            }),
        }
    };
    view! {
        <form
            class="panel"
            on:submit=move |event| {
                event.prevent_default();
                send();
            }
        >
            <Words form pasted send/>
            <Fields form/>
            {move || problem.get().map(|text| view! { <p class="notice" role="alert">{with_code(&text)}"."</p> })}
            {spack::draw(pasted, form.spack)}
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || is_remembered.get()
                    on:change=move |event| is_remembered.set(event_target_checked(&event))
                />
                "Remember on this device"
            </label>
            <div class="line">
                // Leaving a field may remove the notes above, which would move the button out from under the pointer.
                <button type="submit" class="button main" on:mousedown=|event| event.prevent_default()>
                    "Show what runs"
                </button>
                <button type="button" class="button" on:click=move |_| settle(Change::Host(None))>
                    "Any machine"
                </button>
            </div>
        </form>
    }
}

/// The field in which a machine is described, or into which the output of commands is pasted.
#[component]
fn Words(
    /// The fields that it fills.
    form: Form,
    /// Takes settings of Spack.
    pasted: PastedSettings,
    /// Shows what runs on the machine.
    send: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let explorer = Explorer::here();
    // Pasted output has more than one line; Enter submits a single line.
    let enter = move |event: leptos::ev::KeyboardEvent| {
        let is_line = !event_target_value(&event).trim().contains('\n');
        if event.key() == "Enter" && !event.shift_key() && !event.is_composing() && is_line {
            event.prevent_default();
            send();
        }
    };
    let read = move |text: String| {
        let (machine, settings) = split_from_settings(&text);
        form.read(&machine);
        if !settings.is_empty() {
            pasted.take_over(explorer, settings);
        }
    };
    let heard = move || {
        let Heard { assumed, unread } = form.heard.get();
        let assumed = assumed.into_iter().map(|text| {
            view! { <p class="muted"><bdi>"Assumed "{text}"."</bdi></p> }
        });
        view! {
            {assumed.collect_view()}
            {unread.map(|text| view! { <p class="amiss"><bdi>{text}</bdi></p> })}
        }
    };
    view! {
        <p class="muted">"Which builds run on your machine? Describe it, or paste what commands print:"</p>
        <textarea
            rows="2"
            aria-label="Your machine in words, or the output of commands"
            placeholder="Ubuntu 22.04, sapphire rapids, H100"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="machine-heard"
            on:input:target=move |event| read(event.target().value())
            on:keydown=enter
        ></textarea>
        <div id="machine-heard" role="status">{heard}</div>
        <p class="muted">
            <code>"spack debug report"</code>" says most. Without Spack: "<code>"lscpu"</code>", "
            <code>"cat /etc/os-release"</code>", "<code>"ldd --version"</code>", "<code>"uname -a"</code>", "
            <code>"nvidia-smi"</code>", "<code>"rocminfo"</code>", one after the other."
        </p>
    }
}

/// The fields for each part of a machine.
#[component]
fn Fields(
    /// What they hold.
    form: Form,
) -> impl IntoView {
    let index = Explorer::here().index;
    let Form { platform, os, target, .. } = form;
    let os_note =
        memo(move || os.with(|os| misspelt_os(index, os.trim()).filter(|_| !is_described(os))));
    let target_problem = memo(move || {
        target.with(|target| UnknownTarget::find(index, target).filter(|_| !target.is_empty()))
    });
    let known_oses = {
        let oses = index.dictionary(Facet::Os).values().iter();
        oses.map(|os| view! { <option value=os.clone()></option> }).collect_view()
    };
    let has_tree = memo(move || facts::are_there() || !form.tree.get().is_empty());
    view! {
        <label>
            "Platform"
            <select
                prop:value=move || platform.get()
                on:change=move |event| {
                    form.put(platform, event_target_value(&event));
                    form.assume_libc();
                }
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
                on:input=move |event| form.put(os, event_target_value(&event))
                on:change=move |_| form.settle_os()
            />
            <datalist id="oses">{known_oses}</datalist>
        </label>
        <p id="machine-os-note" class="amiss">
            {move || os_note.get().map(|instead| draw_instead(form, os.get(), instead))}
        </p>
        <label>
            "Target"
            <Targets form is_unknown=Signal::derive(move || target_problem.with(Option::is_some))/>
        </label>
        <p id="machine-target-note" class="amiss" role="status">
            {move || target_problem.get().map(|problem| draw_unknown(&problem, target))}
        </p>
        {move || form.is_linux().then(|| view! { <Libc form/> })}
        <GpuField form/>
        {move || has_tree.get().then(|| view! { <TreeField form/> })}
    }
}

/// The field for the libc, and what was assumed.
#[component]
fn Libc(
    /// What it holds.
    form: Form,
) -> impl IntoView {
    let libc = form.libc;
    view! {
        <label>
            "libc"
            <input
                id=LIBC
                type="text"
                placeholder=move || form.known_libc().unwrap_or("glibc@2.39, if you know")
                aria-describedby="machine-libc"
                title="The last word of the first line that ldd --version prints"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || libc.get()
                on:input=move |event| form.put(libc, event_target_value(&event))
            />
        </label>
        <p id="machine-libc" class="muted">{move || form.libc_note().map(|note| with_code(&note))}</p>
    }
}

/// The field for the GPUs.
#[component]
fn GpuField(
    /// What it holds.
    form: Form,
) -> impl IntoView {
    view! {
        <OptionalField
            form
            id=GPU
            label="GPU"
            field=form.gpu
            placeholder="such as H100, sm_90, MI250X, gfx90a"
            is_valid=|gpu| form::gpus(gpu).is_some()
            expected="Expected a GPU such as H100, sm_90, MI250X or gfx90a"
        />
        // The limits of the filter must be stated.
        <p class="muted">"Builds with code for GPUs have to run on one of these; others are not judged by them."</p>
    }
}

/// The field for the install tree, which is shown if the cache says what is in its binaries, or if a tree is stated.
#[component]
fn TreeField(
    /// What it holds.
    form: Form,
) -> impl IntoView {
    let explorer = Explorer::here();
    let tree = form.tree;
    let padded = move || {
        let preference = explorer.with_question(|question| question.preference());
        let stated =
            preference.settings.install_tree.as_ref().filter(|tree| tree.padded_length > 0)?;
        let is_same = InstallTree::new(&tree.get(), 0).is_some_and(|tree| tree.root == stated.root);
        is_same.then(|| {
            format!(" Padded to {} characters, as your settings say.", stated.padded_length)
        })
    };
    view! {
        <OptionalField
            form
            id=TREE
            label="Install tree"
            field=tree
            placeholder="/opt/spack, if you know"
            is_valid=|tree| InstallTree::new(tree, 0).is_some()
            expected="Expected an absolute path, such as /opt/spack"
        />
        <p class="muted">
            {match facts::are_there() {
                true => "Builds that Spack cannot move into it do not work here. ",
                false => "It is not considered: this cache does not say what is in its binaries. ",
            }}
            <code>"spack config get config"</code>" says what yours is, and can be pasted as settings."{padded}
        </p>
        {move || match sizes(explorer) {
            Sizes::Failed(problem) => Some(view! {
                <p class="muted" role="status">
                    "Labels alone decide now, and the install tree is not considered, because what is known of binaries could not be read: "
                    {problem}
                </p>
            }),
            _ => None,
        }}
    }
}

/// A field that may be empty, with what is wrong with its text.
#[component]
fn OptionalField(
    /// The form.
    form: Form,
    /// The id of the field.
    id: &'static str,
    /// Its label.
    label: &'static str,
    /// What it holds.
    field: RwSignal<String>,
    /// An example.
    placeholder: &'static str,
    /// Returns `true` for a text that can be used.
    is_valid: fn(&str) -> bool,
    /// What is shown for other texts.
    expected: &'static str,
) -> impl IntoView {
    let is_wrong = memo(move || field.with(|text| !text.trim().is_empty() && !is_valid(text)));
    let note = format!("{id}-note");
    view! {
        <label>
            {label}
            <input
                id=id
                type="text"
                placeholder=placeholder
                aria-describedby=note.clone()
                aria-invalid=move || is_wrong.get().to_string()
                autocomplete="off"
                spellcheck="false"
                prop:value=move || field.get()
                on:input=move |event| form.put(field, event_target_value(&event))
            />
        </label>
        <p id=note class="amiss" role="status">{move || is_wrong.get().then_some(expected)}</p>
    }
}

/// Draws that no build is made for an OS, and a button that chooses the one that was perhaps meant.
fn draw_instead(form: Form, os: String, instead: String) -> AnyView {
    let name = instead.clone();
    let choose = move |_| {
        form.put(form.os, instead.clone());
        form.settle_os();
        browser::focus("machine-os");
    };
    view! {
        {with_code(&format!("No build is made for `{}`: did you mean `{name}`? ", os.trim()))}
        <button type="button" class="button" on:click=choose>"Use " <bdi>{name.clone()}</bdi></button>
    }
    .into_any()
}

/// Returns `true` for an OS in everyday words, which are rewritten in Spack's when the field is left.
fn is_described(os: &str) -> bool {
    DescribedMachine::read(os).os.value().is_some()
}

/// Returns the OS that was perhaps meant by one that no build is made for; `None` if there is a build for it, or no similar
/// name.
fn misspelt_os(index: &Index, name: &str) -> Option<String> {
    let oses = index.dictionary(Facet::Os);
    if name.is_empty() || oses.code(name).is_some() {
        return None;
    }
    nearest(name, oses.values().iter().map(String::as_str)).map(str::to_owned)
}

/// Returns a note that no build is made for an OS, and suggests a similar name or says what decides instead; `None` if
/// there is a build for it.
pub(super) fn unknown_os(index: &Index, name: &str) -> Option<String> {
    if index.dictionary(Facet::Os).code(name).is_some() {
        return None;
    }
    // A distribution that is known is not misspelt.
    let instead = misspelt_os(index, name)
        .filter(|_| libc_of_distribution(name).is_none())
        .map(|other| format!("no build is made for `{name}`: did you mean `{other}`?"));
    instead.or_else(|| {
        Some(match has_libcs(index) {
            true => {
                format!("no build is made for `{name}`; its libc decides which of the others run")
            }
            false => format!("no build is made for `{name}`"),
        })
    })
}

/// Returns `true` if the index says for some builds which libc they are linked with.
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
