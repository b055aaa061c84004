//! What the cache has of the environment: the headline, the notes, and the parts of the page.
//!
//! It stays in the page while more becomes known and while filters change, so the focus stays where it is, and a new headline
//! is read out.

use cache_advice::environment::AssessmentReport;
use cache_query::{AskedEnvironment, Change, Question, Tab};
use leptos::prelude::*;

use crate::browser::environments;
use crate::environment::asked::Asked;
use crate::environment::causes::WhyMissing;
use crate::environment::export::ExportEnvironment;
use crate::environment::install::{self, HowToInstall};
use crate::environment::mirrors::ByMirror;
use crate::environment::nodes::Nodes;
use crate::environment::state::{File, JudgedEnvironment, State};
use crate::environment::summary::Summary;
use crate::environment::waiting::Waiting;
use crate::environment::{is_manifest, parts, tab_of};
use crate::parts::own_file;
use crate::parts::sentence::with_code;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::headline::Total;
use site::view::parts::query_link::QueryLink;
use site::view::parts::tabs::Tabs;

/// What the cache has of the environment.
#[component]
pub(super) fn Answer(
    /// The page's state.
    state: State,
    /// What is known when this is drawn.
    first: JudgedEnvironment,
) -> impl IntoView {
    let explorer = Explorer::here();
    let has_nodes = first.environment.is_concrete();
    let tab = memo(move || tab_of(explorer, has_nodes));
    // The last answer stays until the page shows something else.
    let judged = Memo::new_with_compare(
        move |last: Option<&JudgedEnvironment>| {
            state.judged.get().unwrap_or_else(|| last.unwrap_or(&first).clone())
        },
        |_, _| true,
    );
    let written = move |read: fn(&AssessmentReport<'_>) -> String| {
        let JudgedEnvironment { environment, assessment, .. } = &judged.get();
        read(&AssessmentReport { index: explorer.index, environment, assessment })
    };
    let total = memo(move || match has_nodes || judged.with(|judged| judged.left == 0) {
        true => written(|written| written.headline()),
        false => "Looking for builds…".to_owned(),
    });
    let advice = memo(move || match has_nodes {
        true => written(|written| written.advice().unwrap_or_default()),
        false => String::new(),
    });
    let advice = move || {
        let advice = Some(advice.get()).filter(|advice| !advice.is_empty());
        advice.map(|advice| view! { <p>{advice}</p> })
    };
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
    // "Install" shows this next to the commands.
    let on_machine =
        move || (tab.get() != Tab::Install).then(|| install::on_machine(explorer, &judged.get()));
    let undecided = move || {
        let environment = judged.get().environment;
        let undecided = environment.undecided.iter().map(|text| {
            let text = format!("Not decided: {text}");
            view! { <p class="notice"><bdi>{text}</bdi></p> }
        });
        undecided.collect_view()
    };
    // What Spack can build from source is shown next to each spec.
    let notes = move || {
        let JudgedEnvironment { environment, assessment, .. } = &judged.get();
        let written = AssessmentReport { index: explorer.index, environment, assessment };
        let notes = written.foreign_note().into_iter().chain(environment.notes());
        notes.map(|note| view! { <p class="notice">{with_code(&note)}"."</p> }).collect_view()
    };
    let unread = move || {
        judged.with(|judged| !judged.environment.unread.is_empty()).then(|| {
            view! { <p class="muted">"If the folder with the environment is opened, files in it that are included are read too."</p> }
        })
    };
    let file = move || match state.file.get() {
        File::Here(opened) => Some(own_file::draw(opened.name, opened.keeper)),
        _ => None,
    };
    let progress = move || {
        let left = judged.with(|judged| judged.left);
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
    let part = move || match tab.get() {
        Tab::Uses => view! { <Waiting judged/> }.into_any(),
        Tab::Coverage => view! { <ByMirror judged/> }.into_any(),
        Tab::About => view! { <Asked judged/> }.into_any(),
        Tab::Install => {
            let is_manifest = state.file.with_untracked(|file| match file {
                File::Here(opened) => is_manifest(&opened.name, &opened.environment),
                _ => false,
            });
            view! { <HowToInstall judged is_manifest/> }.into_any()
        }
        _ => view! { <Nodes judged/> }.into_any(),
    };
    view! {
        {file}
        <Total total/>
        {filtered}
        {progress}
        {has_nodes.then(|| view! { <Summary judged/> })}
        {on_machine}
        {has_nodes.then(|| view! { <WhyMissing state judged/> })}
        {advice}
        {undecided}
        {notes}
        {unread}
        <div class="parts">
            <Tabs parts=parts(has_nodes)/>
            <span class="line">
                <button type="button" class="plain" on:click=clear>"Clear"</button>
                <button type="button" class="button" data-open="environment">"Open a file…"</button>
                <ExportEnvironment judged/>
            </span>
        </div>
        {part}
    }
}
