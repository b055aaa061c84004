//! How to get exactly one build: for each mirror that has it, what else it needs from there, and the three commands.

use cache_advice::fit::Step;
use cache_advice::reuse::{Check, Rule, RuleStatus};
use cache_index::build::{Build, Hash, Place};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use cache_index::mirror::{Mirror, needed_spack};
use cache_index::number::counted;
use cache_index::sorting;
use cache_query::host::Runs;
use leptos::prelude::*;

use crate::browser::opened::is_damaged;
use crate::data::fits;
use crate::parts::sentence::with_code;
use crate::parts::verdict;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::copy::Steps;
use site::view::parts::icon::Icon;

/// How many of the specs that are missing from a mirror, and of the externals, are named.
const NAMED: usize = 8;

/// The commands for each release and stack that has the build.
#[component]
pub(crate) fn Get(
    /// The number of the build.
    id: BuildId,
    /// The build.
    spec: Build,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let repositories_needed = memo(move || repositories(explorer, id));
    let repositories = move || repositories_needed.with(|names| draw_repositories(names));
    // What the repositories say comes first, and a build from a user's own sources is one of these.
    let by_hash = move || {
        let (fit, _) = fits::of(explorer, id)?;
        let rule = fits::checklist(explorer, id)?.outcome.rule()?;
        let is_refused = (fit.works, fit.step) == (Runs::No, Step::Reused);
        let is_chosen = is_refused && !matches!(rule, Rule::DevPath | Rule::Package);
        (is_chosen && repositories_needed.with(Vec::is_empty)).then(|| {
            view! {
                <p data-testid="by-hash">
                    "Spack’s solver does not choose this build on your machine. The commands ask for it by its hash, about which \
                     no solver decides."
                </p>
            }
        })
    };
    let not_here = move || {
        let (fit, _) = fits::of(explorer, id)?;
        let does_not_run = fit.works == Runs::No && matches!(fit.step, Step::Runs | Step::Gpu);
        does_not_run.then(|| {
            view! {
                <p data-testid="not-here">"It does not run on your machine: the commands are for one on which it does."</p>
            }
        })
    };
    let needed = needed_spack(&spec).map(|(version, reason)| {
        let reason = reason.map(|reason| format!(": {reason}"));
        view! { <p>"Needs Spack "<b><bdi>{version}</bdi></b>" or newer"{reason}</p> }
    });
    let mut places: Vec<_> = spec.places.iter().collect();
    sorting::sort_by_key(&mut places, |place| rank_of_place(explorer, place));
    let are_several = places.len() > 1;
    let hash = format!("/{}", spec.hash);
    let is_first = |number| number == 0;
    // Browsers keep only one of a group open, and the page of the previous build may still be there.
    let group = format!("mirror-{}", spec.hash);
    let mirrors = places.into_iter().enumerate().map(|(number, place)| {
        let of = place.clone();
        let hash = hash.clone();
        // The details say if it is signed.
        let mirror = memo(move || Mirror::for_build(explorer.so_far(), &of, id));
        let steps = move || view! { <Steps mirror=mirror.get() spec=hash.clone()/> };
        view! {
            <details class="mirror" name=group.clone() open=is_first(number)>
                <summary><bdi>{place.to_string()}</bdi></summary>
                {closure(explorer, id, place)}
                {steps}
            </details>
        }
    });
    let lists = index.lists_dependencies(index.row_of(id));
    let content = match spec.has_binary() {
        true => view! {
            {draw_damaged(spec.hash)}
            {mirrors.collect_view()}
            <p class="muted">
                {are_several.then_some("Each of these mirrors has this build: one is enough. ")}
                "With " <code>"--cache-only"</code>
                " Spack never compiles; if something is not in the mirror, it stops and says so."
                {(!lists).then_some(
                    " This cache does not list dependencies, so whether the mirror has everything \
                     that this build needs is not known here."
                )}
            </p>
        }
        .into_any(),
        false => view! {
            <p>
                "This cache has no binary of this spec. It is listed because other builds depend \
                 on it."
            </p>
        }
        .into_any(),
    };
    view! {
        <section class="get" aria-labelledby="get">
            <h2 id="get">"Get this build"</h2>
            {needed}
            {repositories}
            {by_hash}
            {not_here}
            {move || movable(explorer, id)}
            {content}
        </section>
    }
}

/// Returns the rank of a place of a build among the others; commands are for the first. The places that a user filters for
/// come first, and stacks before the whole release: the index of a stack is a fraction of that, so it is faster to add.
pub(crate) fn rank_of_place(explorer: Explorer, place: &Place) -> (bool, bool) {
    let is_left = untrack(|| explorer.with_question(|question| question.leaves(place)));
    (!is_left, place.is_whole_release())
}

/// Draws what the commands for a build from a mirror need, and what prevents them from working.
pub(crate) fn draw_needs(explorer: Explorer, id: BuildId, hash: Hash, place: &Place) -> AnyView {
    view! {
        {move || draw_repositories(&repositories(explorer, id))}
        {draw_damaged(hash)}
        {closure(explorer, id, place)}
    }
    .into_any()
}

/// Says which package repositories a user has to add.
fn draw_repositories(names: &[String]) -> Option<AnyView> {
    let (noun, them) = match names {
        [] => return None,
        [_] => ("repository", "it"),
        _ => ("repositories", "them"),
    };
    let names = names.join(", ");
    let said = view! {
        <p data-testid="repositories">
            "Needs the package "{noun}" "<b><bdi>{names}</bdi></b>": without "{them}", Spack does not know the recipe and stops. "
            <code>"spack repo add"</code>" adds "{them}"."
        </p>
    };
    Some(said.into_any())
}

/// Says that a build cannot be installed, if its binary was found to be damaged.
fn draw_damaged(hash: Hash) -> Option<AnyView> {
    is_damaged(hash).then(|| {
        view! {
            <p class="runs no" data-testid="damaged">
                {Icon::Cross.draw()}
                "Its spec or its binary is damaged here, so Spack cannot install it from this copy. The notes above say what is wrong."
            </p>
        }
        .into_any()
    })
}

/// Shows whether Spack can move the build, and what it needs, into the user's install tree, if that is known.
fn movable(explorer: Explorer, id: BuildId) -> Option<AnyView> {
    let Check { status, fact, .. } = fits::relocation(explorer, id)?;
    let text = match status {
        RuleStatus::Passed => format!("It {fact}."),
        RuleStatus::Failed => format!("Spack cannot move it into your install tree: {fact}."),
        RuleStatus::Unknown => {
            format!("It is not known if Spack can move it into your install tree: {fact}.")
        }
    };
    let moves = verdict::of_rule(status);
    Some(
        view! { <p class=verdict::class(moves)>{verdict::icon(moves).draw()}<bdi>{text}</bdi></p> }
            .into_any(),
    )
}

/// Shows whether a mirror has everything that must be fetched with a build.
fn closure(
    explorer: Explorer,
    id: BuildId,
    place: &Place,
) -> impl Fn() -> Option<AnyView> + Send + use<> {
    // The specs that must come from the same mirror; `None` if they are not known.
    let fetched = memo(move || explorer.so_far().fetched_with(id));
    // `true` if they include what spliced builds are installed from.
    let has_spliced = memo(move || {
        let index = explorer.so_far();
        index.installed_with(id).map(|needed| needed.len())
            < index.fetched_with(id).map(|fetched| fetched.len())
    });
    let externals = memo(move || explorer.so_far().externals_with(id).unwrap_or_default());
    let place = place.clone();
    let index = explorer.index;
    move || {
        fetched.with(|fetched| {
            let fetched = fetched.as_ref()?;
            let missing = index.missing_at(fetched, &place);
            let it_needs = match has_spliced.get() {
                true => "that it needs to run, or that spliced builds are installed from",
                false => "it needs to run",
            };
            let named = |targets: &[EdgeTarget<'static>]| {
                let names: Vec<String> =
                    targets.iter().take(NAMED).map(|&target| name(index, target)).collect();
                let more = if targets.len() > NAMED { " and others" } else { "" };
                names.join(", ") + more
            };
            let externals = externals.get();
            // A spec that is not there at all is missing, not damaged.
            let is_damaged = |target: &EdgeTarget<'static>| {
                !missing.contains(target) && is_target_damaged(index, *target)
            };
            let damaged: Vec<_> = fetched.iter().copied().filter(is_damaged).collect();
            let (class, icon, text) = match (fetched.len(), missing.len()) {
                (0, _) if !externals.is_empty() => {
                    ("runs yes", Icon::Done, "It needs nothing else from a mirror.".to_owned())
                }
                (0, _) => ("runs yes", Icon::Done, "It needs nothing else to run.".to_owned()),
                (all, 0) if !damaged.is_empty() => {
                    let needed = counted(all, "spec", "specs");
                    let are = counted(damaged.len(), "is", "are");
                    let text = format!(
                        "This mirror has the {needed} {it_needs}, but {are} damaged here: {}. Spack cannot install it from this copy with `--cache-only`.",
                        named(&damaged)
                    );
                    ("runs no", Icon::Cross, text)
                }
                (all, 0) => {
                    let there = counted(all, "spec", "specs");
                    let text =
                        format!("Complete: this mirror also has the {there} {it_needs}.");
                    ("runs yes", Icon::Done, text)
                }
                (all, lack) => {
                    let names = named(&missing);
                    let needed = counted(all, "spec", "specs");
                    let what = if lack == 1 { "it" } else { "them" };
                    let some = if lack == all { String::new() } else { format!("{lack} of ") };
                    let also = match damaged.as_slice() {
                        [] => String::new(),
                        [_] => format!(" Damaged here: {}.", named(&damaged)),
                        _ => format!(" {} are damaged here: {}.", damaged.len(), named(&damaged)),
                    };
                    let text = format!(
                        "Incomplete: this mirror lacks {some}the {needed} {it_needs}: {names}.{also} Without `--cache-only`, Spack builds {what} from source."
                    );
                    ("runs no", Icon::Cross, text)
                }
            };
            let on_machine = match externals.len() {
                0 => String::new(),
                count => {
                    let kind = if count == 1 { "an external" } else { "externals" };
                    let names = named(&externals);
                    format!(" It also needs {names}: {kind} that the machine must have.")
                }
            };
            Some(view! { <p class=class>{icon.draw()}<bdi>{with_code(&text)}{on_machine}</bdi></p> }.into_any())
        })
    }
}

/// Returns the repositories with the recipes of a build and of what is installed with it, except those that the user has.
fn repositories(explorer: Explorer, build: BuildId) -> Vec<String> {
    let index = explorer.so_far();
    let known =
        explorer.with_question(|question| question.preference().settings.repositories.clone());
    let below = index.installed_with(build).unwrap_or_default();
    let below = below.into_iter().filter_map(|target| match target {
        EdgeTarget::Build(lower) => Some(lower),
        EdgeTarget::Unknown { .. } => None,
    });
    let mut names: Vec<String> = [build]
        .into_iter()
        .chain(below)
        .filter_map(|build| index.origin(index.row_of(build)).namespace.clone())
        .filter(|name| !known.contains(name))
        .collect();
    sorting::sort_and_dedup(&mut names);
    names
}

/// Returns `true` for a build whose binary was found to be damaged.
fn is_target_damaged(index: &Index, target: EdgeTarget<'_>) -> bool {
    match target {
        EdgeTarget::Build(build) => index.hash(build).is_some_and(is_damaged),
        EdgeTarget::Unknown { .. } => false,
    }
}

/// Returns the name and version: `zlib@1.3.1`.
fn name(index: &Index, target: EdgeTarget<'_>) -> String {
    match target {
        EdgeTarget::Unknown { package, .. } => package.to_owned(),
        EdgeTarget::Build(build) => {
            let row = index.row_of(build);
            let text = |facet| index.text(row, facet);
            format!("{}@{}", text(Facet::Package), text(Facet::Version))
        }
    }
}
