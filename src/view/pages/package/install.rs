//! How to install a package from the cache: the best match exactly, or any build that matches a spec.

use cache_index::host::Runs;
use cache_index::index::ValueCode;
use cache_index::mirror::{Mirror, install};
use cache_index::number::counted;
use cache_index::query::{Change, Install as Plan, places};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::machine::ask_for_machine;
use crate::view::parts::copy::{Command, Steps};
use crate::view::parts::spec::ShortSpec;
use crate::view::parts::to::To;
use crate::view::parts::verdict;

/// The commands for the matching builds.
#[component]
pub(crate) fn Install(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let plan = memo(move || {
        // Specs may depend on dependencies, and hashes may still be arriving.
        explorer.arrived();
        let answer = explorer.answer();
        explorer.with_question(|question| Plan::of(index, question, &answer, package))
    });
    let mirrors = move || {
        let places = places(index, &explorer.answer(), package).into_iter();
        places
            .map(|(place, builds)| {
                let mirror = Mirror::of(&place, index.about());
                let builds = counted(builds as usize, "build", "builds");
                let does = format!("{place}: {builds}");
                view! { <Command does=does text=mirror.add() label="Copy"/> }
            })
            .collect_view()
    };
    let commands = move || {
        let Plan { best, place, spec } = plan.get()?;
        let build = index.build_alone(best)?;
        let row = index.row_of(best);
        let mirror = Mirror::of(&place, index.about());
        let hash = build.hash;
        let verdict = move || explorer.verdict(row).map(verdict::draw);
        let runs = explorer.verdict(row).map(|verdict| verdict.runs);
        let title = match runs {
            Some(Runs::No) => "None of these builds runs on your machine. The nearest, exactly",
            Some(Runs::Yes | Runs::Unknown) => "The best match, exactly",
            None => "The newest match, exactly",
        };
        let ask = runs.is_none().then(|| {
            view! {
                <p class="muted">
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>
                        "Say what your machine is"
                    </button>
                    ", and the newest build that runs there is shown."
                </p>
            }
        });
        let machine = format!("os={} target={}", build.os, build.target);
        let by_spec = match spec {
            Some(spec) => view! {
                <p class="muted">
                    "In " <bdi>{place.to_string()}</bdi> " this spec matches only builds that your filters match; "
                    "Spack chooses among them."
                </p>
                <ul>
                    <Command does="Install any of them" text=install(&spec) label="Copy"/>
                </ul>
            }
            .into_any(),
            None => view! {
                <p class="muted">
                    "No spec matches only these builds. Install one by its hash, as above."
                </p>
            }
            .into_any(),
        };
        // The solver would choose among builds that do not run.
        let any = (runs != Some(Runs::No)).then(|| {
            view! {
                <section>
                    <h2>"Any build that matches"</h2>
                    {by_spec}
                </section>
            }
        });
        Some(view! {
            <section>
                <h2>{title}</h2>
                <p class="line">
                    <To change=Change::OpenBuild(hash)><ShortSpec spec=build/></To>
                    <code class="spec"><bdi>{machine}</bdi></code>
                    {verdict}
                </p>
                {ask}
                <Steps mirror spec=format!("/{hash}")/>
            </section>
            {any}
        })
    };
    view! {
        <div class="guide">
            {commands}
            <section>
                <h2>"Mirrors with builds that match"</h2>
                <p class="muted">"One mirror is enough."</p>
                <ul>{mirrors}</ul>
            </section>
        </div>
    }
}
