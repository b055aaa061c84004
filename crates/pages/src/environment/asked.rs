//! The specs that were asked for: which builds satisfy each, which of those run on the user's machine, or what comes
//! nearest.

use cache_advice::environment::{SatisfyingBuilds, Status, Unread, are_of_one_package};
use cache_advice::recipes::FromSource;
use cache_index::environment::{Environment, Node};
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use cache_index::order::is_development;
use cache_index::sorting;
use cache_query::host::Runs;
use cache_query::search::{Search, split};
use cache_query::{Change, Question};
use leptos::prelude::*;
use maud::{Markup, html};
use spack_spec::{Spec, shell_word};

use crate::data::recipes;
use crate::environment::state::JudgedEnvironment;
use crate::parts::empty::{near_build, verdict_or_machine};
use crate::parts::spec::short_spec;
use crate::parts::verdict;
use site::explorer::Explorer;
use site::html::list::list;
use site::view::parts::icon::Icon;

/// How many specs are drawn, so that no page grows without bounds; exports have all of them.
const MOST: usize = 100;
/// How many of the builds that satisfy a spec are named.
const NAMED: usize = 3;

/// A section for each spec, and the field that adds one.
#[component]
pub(super) fn Asked(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        let judged = judged.get();
        let all = &judged.assessment.specs;
        let more = all.len().saturating_sub(MOST);
        let is_asked = !judged.environment.is_concrete() && !are_of_one_package(&judged.assessment);
        let command = is_asked.then(|| explore(&judged.environment, all));
        html! {
            p.muted {
                "A build can satisfy a spec, and Spack still not use it: only its solver can say."
                @if let Some(command) = &command {
                    " It does, and opens its answer like this one: " code { bdi { (command) } }
                }
            }
            ul.asked {
                @for found in all.iter().take(MOST) {
                    @match found {
                        Ok(found) => (satisfying(explorer, &judged, found)),
                        Err(unread) => (cannot_read(explorer, unread)),
                    }
                }
            }
            @if more > 0 {
                p.muted { (counted(more, "spec", "specs")) " not shown; the export has all" }
            }
        }
    };
    list("asked", "", NodeRef::new(), write, |_, _| ())
}

/// Returns the command that asks Spack's solver for specs, or for those of the folder that it runs in, with its settings.
fn explore(environment: &Environment, specs: &[Result<SatisfyingBuilds, Unread>]) -> String {
    let Environment { requirements, developed, unread, undecided, .. } = environment;
    let has_settings = [requirements, developed, unread, undecided].iter().any(|it| !it.is_empty());
    if has_settings {
        return "spack -e . explore --environment".to_owned();
    }
    let spec = |found: &Result<SatisfyingBuilds, Unread>| match found {
        Ok(SatisfyingBuilds { spec, .. }) | Err(Unread { spec, .. }) => {
            format!(" {}", shell_word(spec))
        }
    };
    format!("spack explore{}", specs.iter().map(spec).collect::<String>())
}

fn satisfying(explorer: Explorer, judged: &JudgedEnvironment, found: &SatisfyingBuilds) -> Markup {
    let index = explorer.index;
    let locked: Vec<(usize, Status)> =
        found.nodes.iter().map(|&node| (node, judged.assessment.coverage.status(node))).collect();
    let is_locked =
        |build: &BuildId| locked.iter().any(|(_, status)| *status == Status::Cached(*build));
    let verdicts = explorer.with_question(|question| question.judged.clone());
    let works = |build: &BuildId| verdicts.of(*build) == Some(Runs::Yes);
    let here = explorer.host().filter(|_| verdicts.is_known()).map(|host| {
        let work = match found.builds.iter().filter(|build| works(build)).count() {
            1 => "1 of them works".to_owned(),
            count => format!("{} of them work", grouped(count)),
        };
        format!(", {work} on {}", host.name())
    });
    let more = if found.is_certain { "" } else { ", or more: the cache does not say" };
    let search = || explorer.address_after(Change::Type(split(index, &found.spec)));
    let mut named: Vec<BuildId> =
        found.builds.iter().filter(|build| !is_locked(build)).copied().collect();
    // Those that work come first, then those for the platform of the lock; development versions last.
    let own = found.nodes.first().map(|&node| &judged.environment.nodes[node].build);
    sorting::sort_by_key(&mut named, |build| {
        let text = |facet| index.text(index.row_of(*build), facet);
        let is_other = own.map(|own| {
            let own = [&own.platform, &own.os, &own.target];
            let facets = [Facet::Platform, Facet::Os, Facet::Target];
            let places: [bool; 3] = std::array::from_fn(|at| text(facets[at]) != own[at].as_str());
            places
        });
        (!works(build), is_other, is_development(text(Facet::Version)))
    });
    let named = named
        .iter()
        .take(NAMED)
        .filter_map(|&id| Some((index.build_alone(id)?, index.hash(id)?, id)));
    let near = found.nearest.iter().filter_map(|near| Some((index.hash(near.build)?, near)));
    let others = found.builds.iter().filter(|build| !is_locked(build)).count();
    let is_missing = |(_, status): &(usize, Status)| *status == Status::Missing;
    let icon = match (found.builds.is_empty(), found.is_certain) {
        _ if !locked.is_empty() => {
            if locked.iter().any(is_missing) {
                Runs::No
            } else {
                Runs::Yes
            }
        }
        // Builds that satisfy the spec are of no use if none of them works.
        (false, _) if here.is_some() => {
            let verdicts = found.builds.iter().filter_map(|build| verdicts.of(*build));
            verdicts.min().unwrap_or(Runs::Yes)
        }
        (false, _) => Runs::Yes,
        _ if found.is_external => Runs::Yes,
        (true, true) => Runs::No,
        (true, false) => Runs::Unknown,
    };
    item(
        explorer,
        icon,
        (&found.spec, found.group.as_deref()),
        html! {
            @for &(node, status) in &locked { (concrete(explorer, judged, node, status)) }
            p.muted[!locked.is_empty()] {
                @if !locked.is_empty() && others == 0 {
                    @if !found.builds.is_empty() { "No other build satisfies it" (more) }
                } @else if !locked.is_empty() {
                    a href=(search()) {
                        (counted(others, "other build satisfies it", "other builds satisfy it"))
                    }
                    (more) ", which the lock does not ask for:"
                } @else if found.builds.is_empty() && found.is_developed {
                    b { "Developed here, so not from the cache" }
                } @else if found.is_external {
                    b { "External: on the machine already" }
                } @else if found.builds.is_empty() {
                    b { "No build satisfies it" (more) }
                    // A package that Spack can build was not mistyped.
                    @if let Some(found) = from_source(explorer, &found.spec) {
                        ". " bdi { (found.to_string()) }
                    } @else {
                        @for problem in Search::read(index, &found.spec).problems {
                            ": " bdi { (problem.message.replace('`', "")) }
                        }
                    }
                } @else {
                    span {
                        a href=(search()) {
                            (counted(found.builds.len(), "build satisfies it", "builds satisfy it"))
                        }
                        (more) (here.unwrap_or_default())
                    }
                }
            }
            ul.near {
                @for (build, hash, id) in named {
                    li {
                        a href=(explorer.address_after(Change::OpenBuild(hash))) { (short_spec(&build)) }
                        " "
                        (verdict_or_machine(explorer, id))
                    }
                }
            }
            @if !found.nearest.is_empty() { p.muted { "Nearest:" } }
            ul.near { @for (hash, near) in near { (near_build(explorer, hash, near)) } }
        },
    )
}

/// Returns what Spack can build of the package that a spec names, if the cache has no binary of it. Requests what recipes
/// say about packages that the cache does not have.
fn from_source(explorer: Explorer, spec: &str) -> Option<FromSource> {
    let index = explorer.requested();
    let root = Spec::parse(spec, index.dialect()).ok()?.root;
    let name = root.name?;
    if index.dictionary(Facet::Package).code(&name).is_none() {
        recipes::others(explorer);
    }
    Some(FromSource::of(index, &name)?.asked_as(&[root.versions]))
}

/// Writes the build that a lock file asks for, and whether the cache has it.
fn concrete(explorer: Explorer, judged: &JudgedEnvironment, node: usize, status: Status) -> Markup {
    let Node { build, spliced_from } = &judged.environment.nodes[node];
    let hash = build.hash.to_string();
    let (runs, word) = match status {
        Status::Cached(_) if spliced_from.is_some() => {
            (Runs::Yes, "in the cache, as the build that it is spliced from")
        }
        Status::Cached(_) => (Runs::Yes, "in the cache"),
        Status::External => (Runs::Yes, "external: on the machine already"),
        Status::Missing if judged.environment.nodes[node].is_developed() => {
            (Runs::No, "developed here")
        }
        Status::Missing if judged.assessment.coverage.is_left_out(node) => {
            (Runs::No, "left out by the filters")
        }
        Status::Missing => (Runs::No, "missing: it must be built"),
    };
    html! {
        p.concrete data-testid="concrete" {
            span class=(verdict::class(runs)) { (verdict::icon(runs).write()) b { (word) ":" } } " "
            @if let Status::Cached(_) = status {
                a href=(explorer.address_after(Change::OpenBuild(spliced_from.unwrap_or(build.hash)))) {
                    (short_spec(build))
                }
            } @else {
                code { bdi { (build.package) "@" (build.version) } }
            }
            " "
            code.muted { bdi { "/" (spack_spec::short_hash(&hash)) " " (build.os) " " (build.target) } }
        }
    }
}

fn cannot_read(explorer: Explorer, unread: &Unread) -> Markup {
    let message = html! { p { b { "Not understood: " } bdi { (unread.message) } } };
    item(explorer, Runs::Unknown, (&unread.spec, None), message)
}

/// Writes a spec, and what is known about it.
fn item(
    explorer: Explorer,
    runs: Runs,
    (spec, group): (&str, Option<&str>),
    content: Markup,
) -> Markup {
    html! {
        li {
            span class=(verdict::class(runs)) { (verdict::icon(runs).write()) }
            div {
                div.line {
                    code.spec { bdi { (spec) } }
                    @if let Some(group) = group { span.muted { bdi { (group) } } }
                    @if let Some(change) = removal(explorer, spec) {
                        a.plain aria-label={ "Remove " (spec) } href=(explorer.address_after(change)) {
                            (Icon::Cross.write())
                        }
                    }
                }
                (content)
            }
        }
    }
}

/// Returns the change that removes a spec, if it is in the address.
fn removal(explorer: Explorer, spec: &str) -> Option<Change> {
    explorer.with_question(|question: &Question| {
        let mut environment = question.environment.clone()?;
        let is_it = |other: &String| {
            let parsed = Spec::parse(other, explorer.index.dialect());
            other == spec || parsed.is_ok_and(|other| other.to_string() == spec)
        };
        let before = environment.specs.len();
        environment.specs.retain(|other| !is_it(other));
        (environment.specs.len() < before).then_some(Change::OpenEnvironment(environment))
    })
}
