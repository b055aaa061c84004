//! The fields of the settings: everything that was read can be seen and changed here.

use cache_advice::{no_repository, unreadable};
use cache_index::settings::{External, Reuse, ReuseSource, Settings};
use cache_query::Change;
use cache_query::search::{Search, split};
use leptos::prelude::*;

use crate::frame::spack::{change, preference};
use crate::parts::sentence::with_code;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::machine::ASKED_FOR;
use site::view::parts::icon::Icon;

/// A list of texts in the settings; `None` if the settings no longer have it.
type List = fn(&mut Settings, usize) -> Option<&mut Vec<String>>;

/// Draws a field for each setting.
pub(super) fn draw(explorer: Explorer) -> AnyView {
    let settings = move || preference(explorer).settings.clone();
    let edit = move |edit: &dyn Fn(&mut Settings)| {
        change(explorer, |preference| edit(&mut preference.settings));
    };
    let list =
        move |label: String, id: Option<&'static str>, are_specs: bool, at: usize, of: List| {
            let text =
                move || of(&mut settings(), at).map_or(String::new(), |list| list.join("\n"));
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
            let problems = {
                let label = label.clone();
                move || {
                    let spack = preference(explorer).spack;
                    let lines = of(&mut settings(), at).cloned().unwrap_or_default();
                    let problem = |line: &String| match are_specs {
                        true => unreadable(&label, line, spack),
                        false => no_repository(line),
                    };
                    let problems: Vec<String> = lines.iter().filter_map(problem).collect();
                    problems
                        .into_iter()
                        .map(|words| view! { <p class="amiss">{with_code(&words)}</p> })
                        .collect_view()
                }
            };
            view! {
                <label>
                    {label}
                    <textarea id=id rows=rows placeholder="one on each line" spellcheck="false"
                        prop:value=text on:change=set></textarea>
                </label>
                <div role="status">{problems}</div>
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
                    {list(name("include"), None, true, at, |settings, at| Some(&mut settings.caches.get_mut(at)?.include))}
                    {list(name("exclude"), None, true, at, |settings, at| Some(&mut settings.caches.get_mut(at)?.exclude))}
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
            let search = required(&text).filter(|search| {
                let search = Search::read(explorer.index, search);
                search.problems.is_empty() && search.spec().is_some()
            });
            let said = line(format!("not applied: {text}"), remove);
            view! { {said}{search.map(|search| draw_required(explorer, search))} }.into_any()
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
        {list("Specs that you ask for".to_owned(), Some(ASKED_FOR), true, 0, |settings, _| Some(&mut settings.asked))}
        {list("Repositories".to_owned(), None, false, 0, |settings, _| Some(&mut settings.repositories))}
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

/// Returns the search for the builds that satisfy a requirement which is not applied, as it was written: `%gcc@12` for
/// `packages:all:require: %gcc@12`. `None` if it is another setting, or consists of more than one spec.
fn required(unapplied: &str) -> Option<String> {
    let (package, spec) = unapplied.strip_prefix("packages:")?.split_once(":require: ")?;
    if spec.contains(", ") {
        return None;
    }
    match package {
        "all" => Some(spec.to_owned()),
        _ if spec.starts_with(package) => Some(spec.to_owned()),
        _ if spec.starts_with(['@', '+', '~', '%', '^']) => Some(format!("{package}{spec}")),
        _ if spec.contains('=') => Some(format!("{package} {spec}")),
        _ => None,
    }
}

/// Draws a list item that searches for a spec.
fn draw_required(explorer: Explorer, search: String) -> AnyView {
    let typed = Change::Type(split(explorer.index, &search));
    let address = explorer.address_after(typed);
    view! { <li><a href=address>"Show the builds that satisfy " <bdi>{search}</bdi></a></li> }
        .into_any()
}

/// Draws a setting that can only be removed.
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

#[cfg(test)]
mod tests {
    use super::required;

    #[test]
    fn searches_for_what_a_requirement_asks() {
        for (unapplied, search) in [
            ("packages:all:require: %gcc@12", Some("%gcc@12")),
            ("packages:all:require: target=zen3", Some("target=zen3")),
            ("packages:hdf5:require: @1.14", Some("hdf5@1.14")),
            ("packages:hdf5:require: hdf5@1.14", Some("hdf5@1.14")),
            ("packages:hdf5:require: api=v110", Some("hdf5 api=v110")),
            ("packages:mpi:require: openmpi", None),
            ("packages:all:require: %gcc@12, %gcc@13", None),
            ("packages:all:conflict: %gcc@12", None),
            ("include: site.yaml", None),
        ] {
            assert_eq!(required(unapplied).as_deref(), search, "{unapplied}");
        }
    }
}
