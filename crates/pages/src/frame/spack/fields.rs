//! The fields of the settings: everything that was read can be seen and changed here.

use cache_index::settings::{External, Reuse, ReuseSource, Settings};
use leptos::prelude::*;

use crate::frame::spack::{change, preference};
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::icon::Icon;

/// A list of texts in the settings; `None` if the settings no longer have it.
type List = fn(&mut Settings, usize) -> Option<&mut Vec<String>>;

/// Draws a field for each setting.
pub(super) fn draw(explorer: Explorer) -> AnyView {
    let settings = move || preference(explorer).settings.clone();
    let edit = move |edit: &dyn Fn(&mut Settings)| {
        change(explorer, |preference| edit(&mut preference.settings));
    };
    let list = move |label: String, at: usize, of: List| {
        let text = move || of(&mut settings(), at).map_or(String::new(), |list| list.join("\n"));
        let rows = move || text().lines().count().clamp(1, 6);
        let set = move |event| {
            let lines: Vec<String> =
                event_target_value(&event).lines().map(str::to_owned).collect();
            edit(&|settings| {
                if let Some(list) = of(settings, at) {
                    list.clone_from(&lines);
                }
            });
        };
        view! {
            <label>
                {label}
                <textarea rows=rows placeholder="one on each line" spellcheck="false"
                    prop:value=text on:change=set></textarea>
            </label>
        }
    };
    let count = memo(move || settings().caches.len());
    let caches = move || {
        match count.get() {
        0 => view! {
            <p class="line">
                <span><code>"from"</code>" has no build cache."</span>
                <button type="button" class="plain"
                    on:click=move |_| edit(&|settings| settings.caches = vec![ReuseSource::default()])>
                    "Reuse from build caches"
                </button>
            </p>
        }
        .into_any(),
        count => (0..count)
            .map(|at| {
                let name = |list: &str| match count {
                    1 => list.to_owned(),
                    _ => format!("{list}, cache {}", at + 1),
                };
                view! {
                    {list(name("include"), at, |settings, at| Some(&mut settings.caches.get_mut(at)?.include))}
                    {list(name("exclude"), at, |settings, at| Some(&mut settings.caches.get_mut(at)?.exclude))}
                }
            })
            .collect_view()
            .into_any(),
    }
    };
    let known = move || {
        let Settings { os_compatible, externals, unapplied, .. } = settings();
        let oses = os_compatible.into_iter().enumerate().map(move |(at, (os, others))| {
            let text = format!("{os} runs builds for {}", others.join(", "));
            line(text, move || edit(&|settings| drop(settings.os_compatible.remove(at))))
        });
        let externals = externals.into_iter().enumerate().map(move |(at, external)| {
            let External { spec, prefix, modules } = external;
            let place = prefix.into_iter().chain(modules).collect::<Vec<_>>().join(", ");
            let text = format!("external {spec}, {place}");
            let text = text.trim_end_matches(", ").to_owned();
            line(text, move || edit(&|settings| drop(settings.externals.remove(at))))
        });
        let unapplied = unapplied.into_iter().enumerate().map(move |(at, text)| {
            let remove = move || edit(&|settings| drop(settings.unapplied.remove(at)));
            line(format!("not applied: {text}"), remove)
        });
        let lines: Vec<AnyView> = oses.chain(externals).chain(unapplied).collect();
        (!lines.is_empty()).then(|| view! { <ul class="taken">{lines}</ul> })
    };
    let is_default = memo(move || settings() == Settings::default());
    view! {
        <label>
            <code>"reuse"</code>
            <select
                prop:value=move || settings().reuse.key()
                on:change=move |event| {
                    if let Some(reuse) = Reuse::from_key(&event_target_value(&event)) {
                        edit(&|settings| settings.reuse = reuse);
                    }
                }
            >
                {["true", "dependencies", "false"]
                    .map(|name| view! { <option value=name>{name}</option> })
                    .collect_view()}
            </select>
        </label>
        {caches}
        {list("Specs that you ask for".to_owned(), 0, |settings, _| Some(&mut settings.asked))}
        {list("Repositories".to_owned(), 0, |settings, _| Some(&mut settings.repositories))}
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || settings().targets.only_generic
                on:change:target=move |event| {
                    let checked = event.target().checked();
                    edit(&|settings| settings.targets.only_generic = checked);
                }
            />
            "Only generic targets, such as x86_64_v3"
        </label>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || !settings().targets.host_compatible
                on:change:target=move |event| {
                    let checked = event.target().checked();
                    edit(&|settings| settings.targets.host_compatible = !checked);
                }
            />
            "Also targets that this machine does not run"
        </label>
        {known}
        {move || (!is_default.get()).then(|| view! {
            <button type="button" class="plain" on:click=move |_| edit(&|settings| *settings = Settings::default())>
                "Use Spack’s defaults"
            </button>
        })}
    }
    .into_any()
}

/// A setting that can only be removed.
fn line(text: String, remove: impl Fn() + 'static) -> AnyView {
    let label = format!("Remove {text}");
    view! {
        <li>
            <bdi>{text}</bdi>
            <button type="button" class="plain" aria-label=label on:click=move |_| remove()>{Icon::Cross.draw()}</button>
        </li>
    }
    .into_any()
}
