//! How to install the environment: the mirrors, their keys, what comes from the cache, and what has to be built.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cache_advice::environment::{AssessmentReport, Plan};
use cache_advice::recipes::{has_no_version, unknown_variants};
use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};
use cache_query::{Change, Question};
use leptos::prelude::*;
use spack_spec::Spec;

use crate::data::{fits, recipes};
use crate::environment::state::JudgedEnvironment;
use crate::parts::verdict;
use site::explorer::Explorer;
use site::view::frame::machine::ask_for_machine;
use site::view::parts::copy::{draw_steps, notices};
use site::view::parts::query_link::QueryLink;

/// The maximum number of specs to build that are named.
const NAMED: usize = 20;
/// How many of the reasons why builds do not work are named.
const REASONS: usize = 3;
/// How many builds are examined for these reasons.
const MOST_JUDGED: usize = 500;

/// Requests the recipe of the package that a spec names.
fn want_recipe(explorer: Explorer, spec: &str) {
    let spec = Spec::parse(spec, explorer.index.dialect()).ok();
    let name = spec.and_then(|spec| spec.root.name).unwrap_or_default();
    if let Some(package) = explorer.index.dictionary(Facet::Package).code(&name) {
        recipes::of_package(explorer, package);
    }
}

/// The commands, each to copy, or all at once.
#[component]
pub(super) fn HowToInstall(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
    /// `true` if the specs are those of a `spack.yaml`.
    is_manifest: bool,
) -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let judged = judged.get();
        let JudgedEnvironment { environment, assessment, .. } = &judged;
        let index = explorer.so_far();
        let plan = explorer.with_question(|question| match is_manifest {
            true => Plan::of_manifest(index, question, assessment),
            false => Plan::new(index, question, environment, assessment),
        });
        let lines = plan.lines();
        let Plan {
            mirrors,
            commands,
            unknown,
            in_no_recipe,
            system,
            for_others: of_others,
            to_build,
            working_nowhere,
            has_several,
            refused,
        } = plan;
        // The plan is made again when it is known which of them Spack can build.
        if !unknown.is_empty() {
            recipes::others(explorer);
        }
        let is_concrete = environment.is_concrete();
        let is_filtered = explorer.with_question(Question::is_filtered);
        let ask = (!is_concrete && system.is_some()).then(|| {
            let chosen = match is_manifest {
                true => ": these mirrors have builds for ",
                false => ": these are builds for ",
            };
            view! {
                <p class="notice">
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>
                        "Say what your machine is"
                    </button>
                    {chosen}
                    <bdi>{system.clone().unwrap_or_default()}</bdi>
                    ", for which the cache satisfies the most specs."
                </p>
            }
        });
        let together = is_manifest.then(|| {
            view! {
                <p class="muted">
                    "Spack’s solver chooses the builds together: "
                    <code>"spack -e . explore --environment"</code>" asks it, and installs nothing."
                </p>
            }
        });
        let is_by_hash = !is_concrete && !is_manifest && !commands.is_empty();
        let each = is_by_hash.then(|| {
            view! {
                <p class="muted">
                    "Each is the newest build that satisfies its spec, chosen by itself: what they depend on may differ. "
                    "Spack’s solver chooses them together; "<code>"spack explore"</code>" asks it. In the folder of a "
                    <code>"spack.yaml"</code>" with these specs, "<code>"spack -e . concretize"</code>" and then "
                    <code>"spack -e . install"</code>" do so, too, and reuse builds of these mirrors."
                    {has_several.then_some(
                        " Several of these specs are of one package, so the file needs unify: false, with which Spack concretizes each by itself."
                    )}
                </p>
            }
        });
        let unknown = (!unknown.is_empty()).then(|| {
            let names = unknown.join(", ");
            view! {
                <p class="notice">"The cache has no package of these names; check them: "<bdi>{names}</bdi>"."</p>
            }
        });
        let in_no_recipe = (!in_no_recipe.is_empty()).then(|| {
            let names = in_no_recipe.join(", ");
            view! {
                <p class="notice">
                    "Neither the cache nor Spack’s recipes have a package of these names; check them: "<bdi>{names}</bdi>"."
                </p>
            }
        });
        let of_others = (!of_others.is_empty()).then(|| {
            let names = of_others.join(", ");
            view! {
                <p class="notice" data-testid="of-others">
                    "These ask for another system or target than your machine has, so they can be neither installed nor built there, and are in no command: "
                    <bdi>{names}</bdi>"."
                </p>
            }
        });
        let nowhere = working_nowhere.iter().map(|(spec, _)| spec);
        // The specs of a lock file have been concretized, so some recipe had them.
        let specs = to_build.iter().chain(nowhere).chain(&refused).filter(|_| !is_concrete);
        let specs: Vec<&String> = specs.collect();
        specs.iter().for_each(|spec| want_recipe(explorer, spec));
        let of_spec = |spec: &&String| {
            let variants = unknown_variants(index, spec);
            (!variants.is_empty()).then(|| format!("{} of {spec}", variants.join(", ")))
        };
        let no_variant: Vec<String> = specs.iter().filter_map(of_spec).collect();
        let no_variant = (!no_variant.is_empty()).then(|| {
            let (named, more) = first(&no_variant);
            let named = named.join("; ");
            view! {
                <p class="notice" data-testid="no-variant">
                    "Spack’s recipes, as far as this page has them, have no such variant, so that Spack would refuse a command with it, and it is in none; check it: "
                    <bdi>{named}</bdi>{more}"."
                </p>
            }
        });
        let no_version: Vec<String> =
            specs.into_iter().filter(|spec| has_no_version(index, spec)).cloned().collect();
        let no_version = (!no_version.is_empty()).then(|| {
            let (named, more) = first(&no_version);
            let named = named.join(", ");
            view! {
                <p class="notice">
                    "Spack’s recipes, as far as this page has them, have no such version, and so they are in no command; check them: "<bdi>{named}</bdi>{more}"."
                </p>
            }
        });
        let notices = notices(&mirrors);
        let absent = match (is_filtered, is_concrete) {
            (true, true) => {
                "Not in the mirrors of the filtered releases and stacks, so built from source: "
            }
            (true, false) => "Not in what the filters leave of the cache, so built from source: ",
            (false, _) => "Not in the cache, so built from source: ",
        };
        let build = (!to_build.is_empty()).then(|| {
            let (named, more) = first(&to_build);
            let names = named.join(", ");
            view! {
                <p>{absent}<bdi>{names}</bdi>{more}"."</p>
            }
        });
        let (named, more) = first(&working_nowhere);
        let nowhere = named.iter().filter_map(|(spec, build)| {
            let hash = index.hash(*build)?;
            let spec = spec.clone();
            Some(view! {
                <li>
                    <QueryLink change=Change::OpenBuild(hash)><code class="spec"><bdi>{spec}</bdi></code></QueryLink>
                    " "
                    {match system.is_some() {
                        true => draw_system(index, *build),
                        false => verdict::draw(explorer, *build).into_any(),
                    }}
                </li>
            })
        });
        let no_build = match &system {
            Some(system) => {
                format!("In the cache, but no build is for {system}, so built from source:")
            }
            None => "In the cache, but no build works here, so built from source:".to_owned(),
        };
        let nowhere = (!named.is_empty()).then(|| {
            view! {
                <p><bdi>{no_build}</bdi></p>
                <ul class="near" data-testid="nowhere">{nowhere.collect_view()}</ul>
                {more.map(|more| view! { <p class="muted">{more}</p> })}
            }
        });
        let for_others = for_others(explorer, &judged);
        let not_working = explorer
            .with_question(|question| assessment.on_machine(environment, question).not_working);
        let not_working = (!not_working.is_empty()).then(|| on_machine(explorer, &judged));
        let unlike = not_working.flatten().into_iter().chain(for_others);
        let unlike: Vec<AnyView> = unlike.collect();
        let unlike = (!unlike.is_empty()).then(|| {
            view! {
                {unlike}
                <p class="muted">"What follows is for a machine like the one that the lock file was made for."</p>
            }
        });
        view! {
            <section class="guide">
                {ask}
                {notices}
                {unknown}
                {in_no_recipe}
                {of_others}
                {no_version}
                {no_variant}
                {each}
                {together}
                {unlike}
                {(!commands.is_empty()).then(|| draw_steps(commands, lines))}
                {build}
                {nowhere}
            </section>
        }
    }
}

/// Draws the system that a build is for.
fn draw_system(index: &Index, build: BuildId) -> AnyView {
    let text = |facet| index.text(index.row_of(build), facet).to_owned();
    view! { <span class="muted"><bdi>{text(Facet::Os)}" · "{text(Facet::Target)}</bdi></span> }
        .into_any()
}

/// Returns the first of some specs, and how many others there are.
fn first<T>(specs: &[T]) -> (&[T], Option<String>) {
    let (named, others) = specs.split_at(specs.len().min(NAMED));
    let more =
        (!others.is_empty()).then(|| format!(" and {}", counted(others.len(), "other", "others")));
    (named, more)
}

/// Draws how many of the specs of a lock file that have to be built are for a machine other than the stated one.
fn for_others(explorer: Explorer, judged: &JudgedEnvironment) -> Option<AnyView> {
    let JudgedEnvironment { environment, assessment, .. } = judged;
    let host = explorer.host().filter(|_| environment.is_concrete())?;
    let others = assessment.missing_for_others(environment, &host);
    let first = others.first()?;
    let Build { package, version, platform, os, target, .. } = first;
    let are = if others.len() == 1 { "spec to build is" } else { "specs to build are" };
    let such = if others.len() == 1 { ":" } else { ", such as" };
    let said = format!(
        "{} {are} for another machine than yours{such} {package}@{version} for {platform} {os} {target}.",
        grouped(others.len())
    );
    Some(view! { <p class="notice" data-testid="for-others"><bdi>{said}</bdi></p> }.into_any())
}

/// Draws how much of what is in the cache works on the stated machine.
pub(super) fn on_machine(explorer: Explorer, judged: &JudgedEnvironment) -> Option<AnyView> {
    let JudgedEnvironment { environment, assessment, .. } = judged;
    let written = AssessmentReport { index: explorer.index, environment, assessment };
    let (said, not) = explorer.with_question(|question| {
        let said = written.on_machine(question, "your machine")?;
        Some((said, assessment.on_machine(environment, question).not_working))
    })?;
    if not.is_empty() {
        return Some(view! { <p data-testid="on-machine">{said}</p> }.into_any());
    }
    let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
    for &build in not.iter().take(MOST_JUDGED) {
        if let Some((fit, reason)) = fits::of(explorer, build) {
            *by_reason.entry(format!("{}: {reason}", fit.word())).or_default() += 1;
        }
    }
    let mut by_reason: Vec<(String, usize)> = by_reason.into_iter().collect();
    by_reason.sort_by_key(|(_, count)| Reverse(*count));
    let more = by_reason.len().saturating_sub(REASONS);
    let reasons = by_reason.into_iter().take(REASONS).map(|(reason, count)| {
        view! { <li><bdi>{reason}</bdi>" · "{grouped(count)}</li> }
    });
    let more = (more > 0).then(|| {
        view! { <li class="muted">{format!("and {}", counted(more, "other reason", "other reasons"))}</li> }
    });
    let notice = view! {
        <div class="notice" data-testid="not-working">
            <p>{said}</p>
            <ul>{reasons.collect_view()}{more}</ul>
        </div>
    };
    Some(notice.into_any())
}
