//! My environment: how much of it is in the cache, and what would have to be built.
//!
//! What is asked for is in the address: specs, and the id of a file that was opened on this device. The judgement is the
//! command's ([`Assessment`](cache_advice::environment::Assessment)), made in slices, so that the page stays responsive.

mod add;
mod asked;
mod causes;
mod export;
mod install;
mod mirrors;
mod nodes;
mod state;
mod summary;
mod waiting;

use cache_advice::environment::AssessmentReport;
use cache_query::{AskedEnvironment, Change, Question, Tab};
use leptos::prelude::*;

use crate::browser::environments;
use crate::environment::add::AddSpec;
use crate::environment::asked::Asked;
use crate::environment::causes::WhyMissing;
use crate::environment::export::ExportEnvironment;
use crate::environment::install::HowToInstall;
use crate::environment::mirrors::ByMirror;
use crate::environment::nodes::Nodes;
use crate::environment::state::{File, JudgedEnvironment, State};
use crate::environment::summary::Summary;
use crate::environment::waiting::Waiting;
use crate::parts::not_on_device::NotOnDevice;
use crate::parts::sentence::with_code;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::headline::Total;
use site::view::parts::query_link::QueryLink;
use site::view::parts::tabs::Tabs;

const PARTS: [(Tab, &str); 5] = [
    (Tab::List, "All specs"),
    (Tab::Uses, "What waits for what"),
    (Tab::Coverage, "By mirror"),
    (Tab::About, "Asked for"),
    (Tab::Install, "Install"),
];
/// The parts of the page for specs that are not concrete.
const PARTS_WITHOUT_NODES: [(Tab, &str); 2] = [PARTS[3], PARTS[4]];

/// The page of the environment in the address.
#[component]
pub(crate) fn Environment() -> impl IntoView {
    let explorer = Explorer::here();
    recall(explorer);
    let state = State::new(explorer);
    remember(explorer, state.file);
    let reading =
        || view! { <p class="loading" role="status">"Reading the environment…"</p> }.into_any();
    let missing = |problem: Option<String>| {
        let heading = "This environment is not on this device";
        let about = "The link is about an environment";
        view! { <NotOnDevice heading about problem opens="environment"/> }.into_any()
    };
    let asks = memo(move || {
        explorer.with_question(|question| {
            question.environment.as_ref().is_some_and(|environment| !environment.is_empty())
        })
    });
    let content = move || match state.file.get() {
        File::Awaited => reading(),
        File::Absent => missing(None),
        File::Unreadable(problem) => missing(Some(problem)),
        File::None | File::Here(..) => match state.judged.get() {
            Some(judged) => view! { <Answer state judged/> }.into_any(),
            None if asks.get() => reading(),
            None => view! { <Nothing/> }.into_any(),
        },
    };
    // The field stays while the answer is drawn anew, so that specs can be typed one after the other.
    let adds = memo(move || match state.file.get() {
        File::None | File::Here(..) => state.judged.with(|judged| match judged {
            Some(judged) => tab_of(explorer, judged.environment.is_concrete()) == Tab::About,
            None => true,
        }),
        File::Awaited | File::Absent | File::Unreadable(_) => false,
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

/// Continues with the environment that this device remembers, unless the address names one.
fn recall(explorer: Explorer) {
    if untrack(|| asked(explorer)).is_empty()
        && let Some(environment) = environments::remembered()
    {
        explorer.start_from(Change::OpenEnvironment(environment));
    }
}

/// Remembers the environment that the address names, unless nobody could continue with it later: its file is not on this
/// device, or is part of this page, and other pages do not have it.
fn remember(explorer: Explorer, file: RwSignal<File>) {
    Effect::new(move || {
        let environment = asked(explorer);
        let is_here = match file.get() {
            File::None => environment.file.is_none(),
            File::Here(..) => !environments::is_in_page(&environment),
            File::Awaited | File::Absent | File::Unreadable(_) => false,
        };
        if !environment.is_empty() && is_here {
            environments::remember(environment);
        }
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

/// What the cache has of the environment.
#[component]
fn Answer(
    /// The page's state.
    state: State,
    /// What is known.
    judged: JudgedEnvironment,
) -> impl IntoView {
    let explorer = Explorer::here();
    let environment = &*judged.environment;
    let has_nodes = environment.is_concrete();
    let tab = memo(move || tab_of(explorer, has_nodes));
    let written = |read: fn(&AssessmentReport<'_>) -> String| {
        let JudgedEnvironment { environment, assessment, .. } = &judged;
        read(&AssessmentReport { index: explorer.index, environment, assessment })
    };
    let total = match judged.left == 0 || has_nodes {
        true => written(|written| written.headline()),
        false => "Looking for builds…".to_owned(),
    };
    let advice = has_nodes.then(|| written(|written| written.advice().unwrap_or_default()));
    let is_filtered = memo(move || explorer.with_question(Question::is_filtered));
    let filtered = move || {
        is_filtered.get().then(|| {
            let said = match tab.get() {
                Tab::Coverage | Tab::Install if has_nodes => {
                    "Above, only what passes the filters counts as in the cache. Below are the mirrors of the filtered releases \
                     and stacks, with all that they have. "
                }
                _ => "Only what passes the filters counts as in the cache. ",
            };
            view! {
                <p class="notice" data-testid="filtered">
                    {said}
                    <QueryLink change=Change::ClearAll>"Count all of the cache"</QueryLink>
                </p>
            }
        })
    };
    let on_machine = {
        let judged = judged.clone();
        // "Install" shows this next to the commands.
        move || (tab.get() != Tab::Install).then(|| install::on_machine(explorer, &judged))
    };
    let undecided = environment.undecided.iter().map(|text| {
        let text = format!("Not decided: {text}");
        view! { <p class="notice"><bdi>{text}</bdi></p> }
    });
    let undecided = undecided.collect_view();
    // What Spack can build from source is shown next to each spec.
    let written =
        AssessmentReport { index: explorer.index, environment, assessment: &judged.assessment };
    let notes = written.foreign_note().into_iter().chain(environment.notes());
    let notes = notes.map(|note| view! { <p class="notice">{with_code(&note)}"."</p> });
    let notes = notes.collect_view();
    let unread = (!environment.unread.is_empty()).then(|| {
        view! { <p class="muted">"If the folder with the environment is opened, files in it that are included are read too."</p> }
    });
    let file = state.file.get_untracked();
    let is_manifest =
        matches!(&file, File::Here(name, environment) if is_manifest(name, environment));
    let file = match file {
        File::Here(name, _) => {
            let asked = explorer.with_question(|question| question.environment.clone());
            let where_ = match asked.as_ref().is_some_and(environments::is_in_page) {
                true => " is part of this page: whoever gets the page has it too.",
                false => {
                    " stays on this device: whoever gets a link to this page needs the same file."
                }
            };
            Some(view! {
                <p class="muted" data-testid="own"><strong><bdi>{name}</bdi></strong>{where_}</p>
            })
        }
        _ => None,
    };
    let progress = move || {
        let left = state.judged.with(|judged| judged.as_ref().map_or(0, |judged| judged.left));
        let done = state.done.get();
        (left > 0).then(|| {
            view! {
                <p class="line muted">
                    <progress aria-label="Compared" max=left value=done></progress>
                    "Comparing with the builds of the cache…"
                </p>
            }
        })
    };
    let clear = move |_| {
        environments::remember(AskedEnvironment::default());
        explorer.go(Change::OpenEnvironment(AskedEnvironment::default()));
    };
    let part = {
        let judged = judged.clone();
        move || {
            let judged = judged.clone();
            match tab.get() {
                Tab::Uses => view! { <Waiting judged/> }.into_any(),
                Tab::Coverage => view! { <ByMirror judged/> }.into_any(),
                Tab::About => view! { <Asked judged/> }.into_any(),
                Tab::Install => view! { <HowToInstall judged is_manifest/> }.into_any(),
                _ => view! { <Nodes judged/> }.into_any(),
            }
        }
    };
    view! {
        {file}
        <Total total=Memo::new(move |_| total.clone())/>
        {filtered}
        {progress}
        {has_nodes.then(|| view! { <Summary judged=judged.clone()/> })}
        {on_machine}
        {has_nodes.then(|| view! { <WhyMissing state judged=judged.clone()/> })}
        {advice.filter(|advice| !advice.is_empty()).map(|advice| view! { <p>{advice}</p> })}
        {undecided}
        {notes}
            {unread}
        <div class="parts">
            <Tabs parts=parts(has_nodes)/>
            <span class="line">
                <button type="button" class="plain" on:click=clear>"Clear"</button>
                <button type="button" class="button" data-open="environment">"Open a file…"</button>
                <ExportEnvironment judged=judged.clone()/>
            </span>
        </div>
        {part}
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
