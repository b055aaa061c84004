//! How to install a package from the cache: the best match exactly, or any build that matches a spec.

use cache_advice::fit::Step;
use cache_advice::{AskedSpec, Install as Plan, Offer, avoids_gpu_code, has_gpu_code, offers};
use cache_index::build::{Place, Signature};
use cache_index::index::{BuildId, Index, ValueCode};
use cache_index::mirror::{Mirror, install};
use cache_index::number::{counted, grouped};
use cache_query::host::Runs;
use cache_query::{Answer, Change};
use leptos::prelude::*;

use crate::build::get::draw_needs;
use crate::data::fits;
use crate::package::recommended::{gpu_code, of_version};
use crate::parts::from_source;
use crate::parts::spec::ShortSpec;
use crate::parts::verdict;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::machine::ask_for_machine;
use site::view::parts::copy::{Command, Steps};
use site::view::parts::query_link::QueryLink;

/// Iterates over the matching builds of a package that are in a place.
fn matching_in(
    index: &Index,
    answer: &Answer,
    package: ValueCode,
    place: &Place,
) -> impl Iterator<Item = BuildId> {
    let rows = answer.matching_rows(index, package);
    let rows = rows.filter(move |row| index.places_of(*row).any(|other| other == *place));
    rows.flat_map(|row| answer.builds_of(index, row))
}

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
        let index = explorer.so_far();
        let answer = explorer.answer();
        explorer.with_question(|question| Plan::of(index, question, &answer, package))
    });
    // The notes next to the commands say what the build needs.
    Effect::new(move || explorer.want_dependencies());
    let offers = memo(move || offers(index, &explorer.answer(), package));
    let mirrors = move || {
        let has_machine = explorer.host().is_some();
        let draw = |Offer { place, builds, run }: Offer| {
            let index = explorer.so_far();
            let is_unsigned = matching_in(index, &explorer.answer(), package, &place)
                .any(|build| index.signature(build) == Some(Signature::Unsigned));
            let mirror = Mirror::for_place(index, &place).with_unsigned(is_unsigned);
            let name = match place.is_whole_release() {
                true => format!("{} (all stacks)", mirror.name),
                false => place.to_string(),
            };
            let counts = counted(builds as usize, "build", "builds");
            let runs = match (has_machine, run) {
                (true, 0) => ", none known to work on your machine".to_owned(),
                (true, run) if run < builds => {
                    let verb = if run == 1 { "works" } else { "work" };
                    format!("; {} of them {verb} on your machine", grouped(run as usize))
                }
                _ => String::new(),
            };
            view! { <Command does=format!("{name}: {counts}{runs}") text=mirror.add() label="Copy"/> }
        };
        offers.get().of_use.into_iter().map(draw).collect_view()
    };
    let of_no_use = move || {
        let others: Vec<String> =
            offers.with(|offers| offers.of_no_use.iter().map(ToString::to_string).collect());
        (!others.is_empty()).then(|| {
            let mirrors = counted(others.len(), "other mirror has", "other mirrors have");
            let said = format!("{mirrors} matching builds, none of which works on your machine: ");
            view! { <p class="muted">{said}<bdi>{others.join(", ")}</bdi>"."</p> }
        })
    };
    let commands = move || {
        let Plan { best, place, spec } = plan.get()?;
        let build = explorer.hashes()?.build_alone(best)?;
        let mirror = Mirror::for_build(explorer.so_far(), &place, best);
        let hash = build.hash;
        let fit = fits::of(explorer, best).map(|(fit, _)| fit);
        let runs = fit.map(|fit| fit.works);
        // It can still be installed by its hash.
        let is_refused = fit.is_some_and(|fit| (fit.works, fit.step) == (Runs::No, Step::Reused));
        let does_not_work = runs == Some(Runs::No) && !is_refused;
        let title = match runs {
            Some(Runs::No) if is_refused => "Runs on your machine, but Spack does not reuse it",
            Some(Runs::No) => "None of these builds works on your machine",
            Some(Runs::Yes | Runs::Unknown) => "The best match, exactly",
            None if explorer.with_question(|question| {
                avoids_gpu_code(index, question, &explorer.answer(), package, best)
            }) =>
            {
                "The newest release without code for GPUs, for the system that most builds are for, exactly"
            }
            None => "The newest release for the system that most builds are for, exactly",
        };
        let title = of_version(&build.version, title);
        let ask = explorer.host().is_none().then(|| {
            view! {
                <p class="muted">
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>
                        "Say what your machine is"
                    </button>
                    ", and the newest build that works there is shown."
                </p>
            }
        });
        let needs = draw_needs(explorer, best, hash, &place);
        let machine = format!("os={} target={}", build.os, build.target);
        let has_vain_code = explorer.with_question(|question| question.gpus.is_empty())
            && has_gpu_code(index, index.row_of(best));
        let for_gpus = has_vain_code.then(|| {
            let said = format!("It has code for GPUs: {}.", gpu_code(&build));
            view! {
                <p class="notice">
                    <bdi>{said}</bdi>" "
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>
                        "Say which GPU your machine has"
                    </button>
                </p>
            }
        });
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
        // The solver would choose among builds that do not work.
        let any = (!does_not_work && !is_refused).then(|| {
            view! {
                <section>
                    <h2>"Any build that matches"</h2>
                    {by_spec}
                </section>
            }
        });
        let asked = explorer.with_question(|question| AskedSpec::of(index, question));
        let asked = asked.filter(|_| does_not_work || is_refused);
        let built = asked.map(|asked| from_source::draw(asked).into_any());
        let (built, instead) = if is_refused { (None, built) } else { (built, None) };
        let built = built.map(|built| {
            view! {
                {built}
                <p>"The nearest build, for another machine:"</p>
            }
        });
        let by_hash = is_refused.then(|| {
            view! {
                <p data-testid="by-hash">
                    "Spack’s solver chooses none of the builds that match on your machine. The commands ask for this one by its hash, \
                     about which no solver decides; its page says what would change that."
                </p>
            }
        });
        let build = view! {
            <p class="line">
                <QueryLink change=Change::OpenBuild(hash)><ShortSpec spec=build/></QueryLink>
                <code class="spec"><bdi>{machine}</bdi></code>
                {verdict::draw(explorer, best)}
            </p>
        };
        let steps = view! { <Steps mirror spec=format!("/{hash}")/> };
        let steps = match does_not_work {
            true => view! {
                <details>
                    <summary>"How to install it there"</summary>
                    {needs}
                    {steps}
                </details>
            }
            .into_any(),
            false => view! { {ask}{needs}{steps} }.into_any(),
        };
        Some(view! {
            <section>
                <h2>{title}</h2>
                {built}
                {build}
                {by_hash}
                {for_gpus}
                {steps}
                {instead}
            </section>
            {any}
        })
    };
    let nothing_works = move || {
        let best = plan.get().and_then(|plan| fits::of(explorer, plan.best));
        best.is_some_and(|(fit, _)| fit.works == Runs::No)
    };
    view! {
        <div class="guide">
            {commands}
            {move || (!nothing_works()).then(|| view! {
                <section>
                    <h2>"Mirrors with builds that match"</h2>
                    <p class="muted">"One mirror is enough."</p>
                    <ul>{mirrors}</ul>
                    {of_no_use}
                </section>
            })}
        </div>
    }
}
