//! My environment: how much of it is in the cache, and what would have to be built.
//!
//! What is asked for is in the address: specs, and the id of a file that was opened on this device. The judgement is the
//! command's ([`Assessment`](cache_advice::environment::Assessment)), made in slices, so that the page stays responsive.

mod add;
mod answer;
mod asked;
mod causes;
mod export;
mod install;
mod mirrors;
mod nodes;
mod state;
mod summary;
mod waiting;

use cache_query::{AskedEnvironment, Change, Tab};
use leptos::prelude::*;

use crate::browser::environments;
use crate::browser::kept::Keeper;
use crate::environment::add::AddSpec;
use crate::environment::answer::Answer;
use crate::environment::state::{File, State};
use crate::parts::not_on_device::NotOnDevice;
use site::browser::tasks::Latest;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::query_link::QueryLink;

const PARTS: [(Tab, &str); 5] = [
    (Tab::List, "All specs"),
    (Tab::Uses, "What waits for what"),
    (Tab::Coverage, "By mirror"),
    (Tab::About, "Asked for"),
    (Tab::Install, "Install"),
];
/// The parts of the page for specs that are not concrete.
const PARTS_WITHOUT_NODES: [(Tab, &str); 2] = [PARTS[3], PARTS[4]];

/// What the page shows.
#[derive(Clone, PartialEq, Eq)]
enum Shown {
    /// The environment is being looked for or read.
    Reading,
    /// It is not on this device, or cannot be read for this reason.
    Missing(Option<String>),
    /// Nothing is asked for.
    Nothing,
    /// What the cache has of it is not known yet.
    Judging,
    /// What the cache has of it, which is or is not a concrete environment.
    Answer { is_concrete: bool },
}

/// The page of the environment in the address.
#[component]
pub(crate) fn Environment() -> impl IntoView {
    let explorer = Explorer::here();
    let is_recalling = recall(explorer);
    let state = State::new(explorer);
    remember(explorer, state.file);
    // What is shown is only drawn anew if it is something else.
    let shown = memo(move || match state.file.get() {
        _ if is_recalling.get() => Shown::Reading,
        File::Awaited => Shown::Reading,
        File::Absent => Shown::Missing(None),
        File::Unreadable(problem) => Shown::Missing(Some(problem)),
        File::None | File::Here(_) => state.judged.with(|judged| match judged {
            Some(judged) => Shown::Answer { is_concrete: judged.environment.is_concrete() },
            None if asked(explorer).is_empty() => Shown::Nothing,
            None => Shown::Judging,
        }),
    });
    let content = move || match shown.get() {
        Shown::Reading | Shown::Judging => {
            view! { <p class="loading" role="status">"Reading the environment…"</p> }.into_any()
        }
        Shown::Missing(problem) => {
            let heading = "This environment is not on this device";
            let about = "The link is about an environment";
            view! { <NotOnDevice heading about problem opens="environment"/> }.into_any()
        }
        Shown::Nothing => view! { <Nothing/> }.into_any(),
        Shown::Answer { .. } => {
            let first = state.judged.get_untracked();
            first.map(|first| view! { <Answer state first/> }).into_any()
        }
    };
    // The field stays while something else is drawn, so that specs can be typed one after the other.
    let adds = memo(move || match shown.get() {
        Shown::Nothing | Shown::Judging => true,
        Shown::Answer { is_concrete } => tab_of(explorer, is_concrete) == Tab::About,
        Shown::Reading | Shown::Missing(_) => false,
    });
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <QueryLink change=Change::OpenPackages>"All packages"</QueryLink>
            </nav>
            <h1>"My environment"</h1>
        </div>
        {content}
        {move || adds.get().then(|| view! { <AddSpec/> })}
    }
}

fn parts(has_nodes: bool) -> &'static [(Tab, &'static str)] {
    if has_nodes { &PARTS } else { &PARTS_WITHOUT_NODES }
}

/// Returns the part that is shown: the first one if the address names one that does not exist.
fn tab_of(explorer: Explorer, has_nodes: bool) -> Tab {
    let asked = explorer.with_presentation(|presentation| presentation.tab);
    let parts = parts(has_nodes);
    let known = parts.iter().any(|(part, _)| *part == asked);
    if known { asked } else { parts[0].0 }
}

/// Returns `true` for what was read from a `spack.yaml`: its name says so, or it has what only such a file has.
fn is_manifest(name: &str, environment: &cache_index::environment::Environment) -> bool {
    // The device adds a number to a name that it already has.
    let is_named = [".yaml", ".yml"].iter().any(|end| name.contains(end));
    let says = [&environment.requirements, &environment.developed, &environment.unread];
    let is_said = environment.restricts_reuse
        || says.iter().any(|said| !said.is_empty())
        || environment.roots.iter().any(|root| root.group.is_some());
    !environment.is_concrete() && (is_said || is_named)
}

fn asked(explorer: Explorer) -> AskedEnvironment {
    explorer.with_question(|question| question.environment.clone().unwrap_or_default())
}

/// Continues with the environment that this device remembers, unless the address names one. Returns a signal that is `true`
/// until that has been decided.
fn recall(explorer: Explorer) -> RwSignal<bool> {
    let is_named = move || untrack(|| !asked(explorer).is_empty());
    let is_recalling = RwSignal::new(!is_named());
    if is_recalling.get_untracked() {
        Latest::default().begin(async move {
            let remembered = environments::remembered().await;
            // The user may have opened one in the meantime.
            if let Some(environment) = remembered.filter(|_| !is_named()) {
                explorer.start_from(Change::OpenEnvironment(environment));
            }
            is_recalling.set(false);
        });
    }
    is_recalling
}

/// Remembers the environment that the address names, unless nobody could continue with it later: its file is not on this
/// device, or is part of this page, and other pages do not have it. If the user removes the last spec, nothing is
/// remembered.
fn remember(explorer: Explorer, file: RwSignal<File>) {
    Effect::new(move |before: Option<AskedEnvironment>| {
        // Without one, the user is leaving the page.
        let open = explorer.with_question(|question| question.environment.clone());
        let Some(environment) = open else { return AskedEnvironment::default() };
        let is_here = file.with(|file| match file {
            File::None => environment.file.is_none(),
            File::Here(opened) => opened.keeper == Keeper::Device,
            File::Awaited | File::Absent | File::Unreadable(_) => false,
        });
        let had_one_spec =
            before.is_some_and(|before| before.file.is_none() && before.specs.len() == 1);
        let is_remembered = if environment.is_empty() { had_one_spec } else { is_here };
        if is_remembered {
            environments::remember(environment.clone());
        }
        environment
    });
}

/// What the page shows while nothing is asked for.
#[component]
fn Nothing() -> impl IntoView {
    view! {
        <section class="empty" data-testid="empty">
            <h2>"How much of your environment is in this cache?"</h2>
            <p>
                "Open a " <code>"spack.lock"</code> " or a " <code>"spack.yaml"</code>
                ", or drop it on the page. You then see what would come from the cache, what would have to be built, "
                "and which of it to build first. Files are read in this browser and stay on your device."
            </p>
            <button type="button" class="button main" data-open="environment">"Open a file…"</button>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use cache_index::environment::{Environment, Root};

    use super::is_manifest;

    #[test]
    fn distinguishes_manifests_from_lists() {
        let root = Root { spec: "zlib".to_owned(), group: None, hash: None };
        let plain = Environment { roots: vec![root.clone()], ..Environment::default() };
        for (name, expected) in [
            ("spack.yaml", true),
            ("spack.yaml (2)", true),
            ("specs.txt", false),
            ("pasted text", false),
        ] {
            assert_eq!(is_manifest(name, &plain), expected, "{name}");
        }
        let roots = vec![Root { group: Some("tools".to_owned()), ..root }];
        let grouped = Environment { roots, ..Environment::default() };
        let developed = Environment { developed: vec!["zlib".to_owned()], ..plain };
        for said in [grouped, developed] {
            assert!(is_manifest("pasted text", &said), "{said:?}");
        }
    }
}
