//! The specs that were asked for: which builds satisfy each, which of those run on the person's machine, or what comes
//! nearest.

use cache_advice::environment::{Satisfying, Unread};
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use cache_query::host::Runs;
use cache_query::search::split;
use cache_query::{Change, Question};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::pages::environment::state::Judged;
use crate::view::parts::empty::near_build;
use crate::view::parts::icon::Icon;
use crate::view::parts::spec::ShortSpec;
use crate::view::parts::to::To;
use crate::view::parts::verdict;

/// How many specs are drawn, so that no page grows without bounds; exports have all of them.
const MOST: usize = 100;
/// How many of the builds that satisfy a spec are named.
const NAMED: usize = 3;

/// A section for each spec, and the field that adds one.
#[component]
pub(super) fn Asked(
    /// What is known.
    judged: Judged,
) -> impl IntoView {
    let explorer = Explorer::here();
    let all = judged.assessment.specs.clone();
    let more = all.len().saturating_sub(MOST);
    let specs = move || {
        let draw = |found: &Result<Satisfying, Unread>| match found {
            Ok(found) => satisfying(explorer, found),
            Err(unread) => cannot_read(explorer, unread),
        };
        all.iter().take(MOST).map(draw).collect_view()
    };
    view! {
        <p class="muted">
            "A build can satisfy a spec, and Spack still not use it: only its solver can say."
        </p>
        <ul class="asked">{specs}</ul>
        {(more > 0).then(|| view! {
            <p class="muted">{format!("{} not shown; the export has all", counted(more, "spec", "specs"))}</p>
        })}
    }
}

fn satisfying(explorer: Explorer, found: &Satisfying) -> AnyView {
    let index = explorer.index;
    let spec = found.spec.clone();
    let verdict = |build: &BuildId| explorer.verdict(index.row_of(*build));
    let runs = |build: &BuildId| verdict(build).is_some_and(|verdict| verdict.runs == Runs::Yes);
    let here = explorer.host().map(|host| {
        let count = found.builds.iter().filter(|build| runs(build)).count();
        format!(
            ", {} on {}",
            match count {
                1 => "1 of them runs".to_owned(),
                count => format!("{} of them run", grouped(count)),
            },
            host.name()
        )
    });
    let more = if found.is_certain { "" } else { ", or more: the cache does not say" };
    let count = counted(found.builds.len(), "build satisfies it", "builds satisfy it");
    let search = Change::Type(split(index, &spec));
    let head = match found.builds.len() {
        0 if found.is_developed => {
            view! { <b>"Developed here, so not from the cache"</b> }.into_any()
        }
        0 => view! { <b>"No build satisfies it"{more}</b> }.into_any(),
        _ => view! { <span><To change=search>{count}</To>{more}{here}</span> }.into_any(),
    };
    // Those that run come first.
    let named = found.builds.iter().filter(|build| runs(build));
    let named = named.chain(found.builds.iter().filter(|build| !runs(build))).take(NAMED);
    let named = named.filter_map(|&build| {
        let (spec, hash) = (index.build_alone(build)?, index.hash(build)?);
        let verdict = verdict(&build).map(verdict::draw);
        Some(view! {
            <li><To change=Change::OpenBuild(hash)><ShortSpec spec/></To>" "{verdict}</li>
        })
    });
    let near = found
        .nearest
        .iter()
        .filter_map(|near| Some(near_build(explorer, index.hash(near.build)?, near.clone())));
    let near = near.collect::<Vec<_>>();
    let has_near = !near.is_empty();
    let icon = match (found.builds.is_empty(), found.is_certain) {
        (false, _) => Runs::Yes,
        (true, true) => Runs::No,
        (true, false) => Runs::Unknown,
    };
    view! {
        <li>
            <span class=verdict::class(icon)>{verdict::icon(icon).draw()}</span>
            <div>
                <div class="line">
                    <code class="spec"><bdi>{spec.clone()}</bdi></code>
                    {found.group.clone().map(|group| view! { <span class="muted"><bdi>{group}</bdi></span> })}
                    {remove(explorer, &spec)}
                </div>
                <p>{head}</p>
                <ul class="near">{named.collect_view()}</ul>
                {has_near.then(|| view! { <p class="muted">"Nearest:"</p> })}
                <ul class="near">{near}</ul>
            </div>
        </li>
    }
    .into_any()
}

fn cannot_read(explorer: Explorer, unread: &Unread) -> AnyView {
    let Unread { spec, message, .. } = unread.clone();
    view! {
        <li>
            <span class=verdict::class(Runs::Unknown)>{verdict::icon(Runs::Unknown).draw()}</span>
            <div>
                <div class="line">
                    <code class="spec"><bdi>{spec.clone()}</bdi></code>
                    {remove(explorer, &spec)}
                </div>
                <p><b>"Not understood: "</b><bdi>{message}</bdi></p>
            </div>
        </li>
    }
    .into_any()
}

/// Draws the button that removes a spec, if it is in the address.
fn remove(explorer: Explorer, spec: &str) -> Option<AnyView> {
    let change = untrack(|| {
        explorer.with_question(|question: &Question| {
            let is_it = |other: &String| {
                let parsed = spack_spec::Spec::parse(other, explorer.index.dialect());
                other == spec || parsed.is_ok_and(|other| other.to_string() == spec)
            };
            let rest = question.specs.iter().filter(|other| !is_it(other)).cloned();
            let rest: Vec<String> = rest.collect();
            let file = question.environment.clone().unwrap_or_default();
            (rest.len() < question.specs.len()).then_some(Change::OpenEnvironment(file, rest))
        })
    })?;
    let label = format!("Remove {spec}");
    Some(
        view! {
            <To change class="plain" label=label>{Icon::Cross.draw()}</To>
        }
        .into_any(),
    )
}
