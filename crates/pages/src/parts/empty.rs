//! Nothing matches: why, which filters to remove, and what comes nearest.

use cache_advice::machine_words::assumed_of;
use cache_advice::{
    AskedSpec, Elsewhere, Near, NearestSteps, RunsOn, UnknownValue, WayOut, excluding_alone,
    filters_in_the_way, matching_nothing_alone, unknown_values as find_unknown_values, way_out,
    why,
};
use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_index::settings::Reuse;
use cache_query::host::Runs;
use cache_query::search::{Search, similar_package};
use cache_query::{Change, Filter, Match, Question};
use leptos::prelude::*;
use maud::{Markup, html};
use spack_spec::Target;

use crate::browser::facts;
use crate::data::fits;
use crate::parts::beyond;
use crate::parts::elsewhere::{self, leads_there};
use crate::parts::from_source;
use crate::parts::leads;
use crate::parts::left_out;
use crate::parts::other_systems;
use crate::parts::runs_on::RunsOnTarget;
use crate::parts::unknown_values;
use crate::parts::verdict;
use site::browser::tasks::{Latest, pause, slices, wait};
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::memo::memo;
use site::view::frame::machine::{ask_for_libc, ask_for_machine, ask_for_specs};
use site::view::parts::query_link::QueryLink;

/// How long a text must be unchanged before it is explained, in milliseconds. Explaining takes far longer than finding
/// nothing: the index is searched once more for each filter, in a task of its own.
const PAUSE: i32 = 250;

/// How many of the nearest builds are shown.
const NEAREST: usize = 3;

/// Explains that nothing matches, and offers what would.
#[component]
pub(crate) fn Empty() -> impl IntoView {
    let explorer = Explorer::here();
    // Until the hashes are there, a hash may still be that of a build.
    let waits = memo(move || {
        explorer.hashes().is_none()
            && explorer.with_question(|question| {
                Search::read(explorer.index, &question.text).hash_prefix().is_some()
            })
    });
    move || match waits.get() {
        true => view! {
            <p class="loading" role="status">"The hashes of the builds are still loading…"</p>
        }
        .into_any(),
        false => view! { <Nothing/> }.into_any(),
    }
}

#[component]
fn Nothing() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let asked = memo(move || explorer.with_question(Clone::clone));
    let explained = RwSignal::new(None::<Explanation>);
    let latest = Latest::default();
    Effect::new(move || {
        let asked = asked.get();
        // Offers for the previous question must disappear.
        explained.set(None);
        let first = if untrack(|| explorer.typing()).is_some() { PAUSE } else { 0 };
        latest.begin(async move {
            wait(first).await;
            let mut explaining = ExplanationSteps::new(index, asked);
            slices(|| explaining.step(index)).await;
            pause().await;
            explained.set(Some(explaining.finish(index)));
        });
    });
    let elsewhere = memo(move || elsewhere::find(explorer));
    let reason = move || {
        if elsewhere.with(leads_there) {
            return String::new();
        }
        explained
            .with(|explained| explained.as_ref().map(|all| all.reason.clone()))
            .unwrap_or_default()
    };
    let write_ways = move || {
        let is_asked = !elsewhere.with(leads_there);
        let ways = explained.with(|explained| {
            let explained = explained.as_ref().filter(|_| is_asked);
            explained.map(|explained| explained.ways.clone()).unwrap_or_default()
        });
        let words = |filter: &Filter| {
            let (name, value) = filter.words();
            format!("{name} {value}")
        };
        html! {
            @if !ways.is_empty() { h3 { "Remove one filter:" } }
            ul aria-label="Filters in the way" {
                @for (place, way) in ways.iter().enumerate() {
                    li {
                        button.button type="button" data-do=(Action::RemoveFilter(place)) {
                            "Remove " bdi { (words(&way.filter)) }
                        }
                        span.muted { (counted(way.builds as usize, "build", "builds")) }
                    }
                }
            }
        }
    };
    // If builds must have all of some values, this offers any of them instead.
    let any_of = move || {
        let of_facet = move |facet: Facet| {
            asked.with(|question| {
                let choice = question.choice(facet);
                let is_strict = choice.matching() == Match::All && choice.included().len() > 1;
                is_strict.then(|| (Change::Match(facet, Match::Any), choice.included().join(", ")))
            })
        };
        let offers = Facet::ALL.into_iter().filter_map(of_facet);
        offers
            .map(|(change, values)| {
                view! { <p><QueryLink change>"Match any of "<bdi>{values}</bdi>", not all"</QueryLink></p> }
            })
            .collect_view()
    };
    let remove = move |action, _: &_| {
        let Action::RemoveFilter(place) = action else { return };
        let way = explained.with_untracked(|explained| {
            explained.as_ref().and_then(|explained| explained.ways.get(place)).cloned()
        });
        if let Some(way) = way {
            explorer.go(way.filter.removal(index));
        }
    };
    let write_near = move || {
        let near = explained.with(|explained| {
            let near = explained.iter().flat_map(|explained| &explained.near);
            // The builds are shown once their hashes are there, but not if a machine is named: other builds may be
            // nearer on it.
            let is_on_machine =
                elsewhere.with(|all| matches!(all, Some(Elsewhere::OnMachine { .. })));
            let near = near.filter(|_| !is_on_machine);
            let near = near.filter_map(|near| Some((explorer.hashes()?.hash(near.build)?, near)));
            near.map(|(hash, near)| near_build(explorer, hash, near)).collect::<Vec<_>>()
        });
        html! {
            @if !near.is_empty() {
                h3 { "Nearest builds:" }
                ul.near { @for build in near { (build) } }
            }
        }
    };
    let runs_on = move || {
        if elsewhere.with(leads_there) {
            return None;
        }
        let found = asked.with(|question| {
            let [target] = question.choice(Facet::Target).included() else { return None };
            RunsOn::of(index, question, target)
        });
        found.map(|runs_on| {
            let platform = runs_on.platform.map(|platform| (Facet::Platform, platform.to_owned()));
            let choose = move |other: &str| {
                let target = [(Facet::Target, other.to_owned())];
                explorer.go(Change::Narrow(target.into_iter().chain(platform.clone()).collect()));
            };
            view! { <p><RunsOnTarget runs_on choose within=None/></p> }
        })
    };
    let other_systems = move || {
        let found = other_systems::find(explorer).filter(|_| !elsewhere.with(leads_there));
        found.map(|others| view! { <p>{other_systems::draw(others, false)}</p> })
    };
    // How many builds may run, if only those that certainly run were asked for.
    let unknown = memo(move || {
        let asks_certainty = asked.with(|question| question.asked_runs() == [Runs::Yes]);
        let builds = explorer.answer().runs(Runs::Unknown);
        if asks_certainty { builds } else { 0 }
    });
    let write_reasons = move || {
        let asks = asked.with(|question| !question.asked_runs().is_empty());
        // Without the machine, the filters may match nothing either.
        let has_any = || fits::counts(explorer).is_none_or(|counts| !counts.by_reason.is_empty());
        html! {
            @if asks && explorer.host().is_some() && has_any() {
                h3 { "What the other filters match, on your machine:" }
                (verdict::counts(explorer))
            }
        }
    };
    // What was assumed when the machine was described may be the reason why nothing works.
    let assumed = move || {
        let asks = asked.with(|question| !question.asked_runs().is_empty());
        let assumed = explorer.host().filter(|_| asks).map(|host| assumed_of(&host));
        assumed.filter(|assumed| !assumed.is_empty()).map(draw_assumed)
    };
    let from_source = move || {
        let asks = asked.with(|question| !question.asked_runs().is_empty());
        let spec = asked.with(|question| AskedSpec::of(index, question))?;
        (asks && explorer.host().is_some()).then(|| from_source::draw(spec))
    };
    let file = move || asked.with(name_of_file).map(|name| draw_file(explorer, &name));
    let no_hash = move || {
        let text = asked.with(|question| question.text.clone());
        let hash = Search::read(index, &text).hash_prefix()?.to_owned();
        Some(draw_no_hash(index, text.trim(), &hash))
    };
    let unknown_values = move || {
        let unknown = asked.with(|question| find_unknown_values(index, question)).into_iter();
        // Packages, versions and targets have explanations of their own.
        let is_explained = |value: &UnknownValue| {
            let is_explained = match value.facet {
                Facet::Package | Facet::Version => true,
                // Another note says what runs on the target.
                Facet::Target => Target::named(&value.value).is_some(),
                _ => false,
            };
            is_explained && !value.is_excluded
        };
        let unknown = unknown.filter(|value| !is_explained(value));
        unknown.map(|value| view! { <p>{unknown_values::draw(explorer, value)}</p> }).collect_view()
    };
    let unknown = move || (unknown.get() > 0).then(|| draw_unknown(explorer, unknown.get()));
    view! {
        <section class="empty" data-testid="empty">
            <h2>{move || elsewhere.with(elsewhere::heading)}</h2>
            {move || elsewhere.get().map(elsewhere::draw)}
            {file}
            {no_hash}
            {left_out::draw(index)}
            {beyond::draw()}
            {unknown_values}
            {unknown}
            {assumed}
            <p class="why">{reason}</p>
            {runs_on}
            {other_systems}
            {list("ways", "", NodeRef::new(), write_ways, remove)}
            {any_of}
            {leads::draw()}
            <button type="button" class="button" on:click=move |_| explorer.go(Change::ClearAll)>
                "Clear all filters"
            </button>
            {list("reasons", "", NodeRef::new(), write_reasons, |_, _| ())}
            {from_source}
            {list("near", "", NodeRef::new(), write_near, |_, _| ())}
        </section>
    }
}

/// Says that no build has a hash that begins like this. A word without a `/` may have been meant as a name.
fn draw_no_hash(index: &Index, text: &str, hash: &str) -> AnyView {
    if text != hash {
        return view! {
            <p>
                "No build here has a hash that begins with " <code><bdi>{hash.to_owned()}</bdi></code>
                ". It may have been replaced by another one, which has another hash."
            </p>
        }
        .into_any();
    }
    let instead = similar_package(index, hash).map(|name| {
        let change = Change::OpenPackage(name.clone());
        view! { " Did you mean " <QueryLink change><bdi>{name}</bdi></QueryLink> "?" }
    });
    view! {
        <p>
            "No package here has " <code><bdi>{hash.to_owned()}</bdi></code>
            " in its name, and no build a hash that begins so." {instead}
        </p>
    }
    .into_any()
}

/// Why nothing matches.
#[derive(Clone)]
struct Explanation {
    ways: Vec<WayOut>,
    /// A sentence, or nothing.
    reason: String,
    near: Vec<Near>,
}

/// The search for the reasons, step by step.
struct ExplanationSteps {
    question: Question,
    filters: std::vec::IntoIter<Filter>,
    ways: Vec<WayOut>,
    nearing: NearestSteps,
}

impl ExplanationSteps {
    fn new(index: &Index, question: Question) -> ExplanationSteps {
        let filters = filters_in_the_way(index, &question).into_iter();
        let nearing = NearestSteps::new(index, &question);
        ExplanationSteps { question, filters, ways: Vec::new(), nearing }
    }

    /// Takes one step; returns `false` if none is left.
    fn step(&mut self, index: &Index) -> bool {
        match self.filters.next() {
            Some(filter) => {
                self.ways.extend(way_out(index, &self.question, filter));
                true
            }
            None => self.nearing.step(index),
        }
    }

    fn finish(self, index: &Index) -> Explanation {
        let ExplanationSteps { question, ways, nearing, .. } = self;
        let reason = match why(index, &question, &ways) {
            Some(sentence) => format!("{sentence}."),
            // The package itself has no binary.
            None if !question.is_filtered() => String::new(),
            None => {
                let alone = excluding_alone(index, &question);
                let is_alone = || matching_nothing_alone(index, &question);
                match alone.or_else(|| if ways.is_empty() { is_alone() } else { None }) {
                    Some(sentence) => format!("{sentence}."),
                    None if ways.is_empty() => {
                        "No single filter is the cause: only together do they exclude every build."
                            .to_owned()
                    }
                    None => String::new(),
                }
            }
        };
        // It is not known which other builds have a file or a licence.
        match question.part_filters.as_slice() {
            [] => Explanation { ways, reason, near: nearing.nearest(index, &question, NEAREST) },
            [_] => Explanation { ways, reason, near: Vec::new() },
            _ => Explanation { ways, reason: String::new(), near: Vec::new() },
        }
    }
}

/// Returns the searched word if it may be the name of a file, in a cache whose files are known.
fn name_of_file(question: &Question) -> Option<String> {
    let name = question.text.trim();
    let is_plain = |c: char| c.is_alphanumeric() || "._-+".contains(c);
    let may_be = !name.is_empty() && name.chars().all(is_plain) && question.part_filters.is_empty();
    (may_be && facts::are_there()).then(|| name.to_owned())
}

/// Draws a link that finds the builds with a file of this name.
fn draw_file(explorer: Explorer, name: &str) -> AnyView {
    let text = format!("file:{name}");
    let words = format!("Search for {text}");
    view! {
        <p>
            "No package has it in its name, but a build may have a file of this name. "
            <button type="button" class="plain" on:click=move |_| explorer.search_for(&text)>{words}</button>
        </p>
    }
    .into_any()
}

/// Draws what is assumed about the machine, and how to correct it.
fn draw_assumed(assumed: Vec<String>) -> AnyView {
    view! {
        <p>
            {format!("The verdicts are for a machine with {}. ", assumed.join("; "))}
            <button type="button" class="plain" on:click=|_| ask_for_machine()>"Correct it"</button>
        </p>
    }
    .into_any()
}

/// Draws how many builds may run on the machine, and what would show them.
fn draw_unknown(explorer: Explorer, builds: u32) -> AnyView {
    let number = counted(builds as usize, "build runs", "builds run");
    let lacks_roots = explorer.with_question(|question| {
        let settings = &question.preference().settings;
        settings.reuse == Reuse::Dependencies && settings.asked.is_empty()
    });
    let without_libc = explorer.host().is_some_and(|host| {
        let known = host.libc().or_else(|| host.libc_of_os(explorer.index));
        host.platform() == "linux" && known.is_none()
    });
    let state = match (lacks_roots, without_libc) {
        (true, _) => Some(view! {
            <button type="button" class="button" on:click=|_| ask_for_specs()>
                "Say what you ask for"
            </button>
        }
        .into_any()),
        (false, true) => Some(view! {
            <button type="button" class="button" on:click=|_| ask_for_libc()>"State its libc"</button>
        }
        .into_any()),
        (false, false) => None,
    };
    let why = match lacks_roots {
        true => {
            ": with your settings, only dependencies are reused, and what you ask for is not known"
        }
        false => "",
    };
    view! {
        <p>{format!("It is unknown whether {number} on your machine{why}.")}</p>
        <p class="line">
            <button
                type="button"
                class="button"
                on:click=move |_| explorer.go(Change::ToggleRuns(Runs::Unknown))
            >
                "Show them too"
            </button>
            {state}
        </p>
    }
    .into_any()
}

/// Writes whether a build works on the user's machine; without one, for which machines it is.
pub(crate) fn verdict_or_machine(explorer: Explorer, build: BuildId) -> Markup {
    let text = |facet| explorer.index.text(explorer.index.row_of(build), facet);
    html! {
        @if explorer.host().is_some() { (verdict::write(explorer, build)) }
        @else { span.muted { bdi { (text(Facet::Os)) " · " (text(Facet::Target)) } } }
    }
}

/// Writes a build and what it has in place of what was asked for, as an item of a list.
pub(crate) fn near_build(explorer: Explorer, hash: Hash, near: &Near) -> Markup {
    let index = explorer.index;
    let row = index.row_of(near.build);
    let [package, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    html! {
        li {
            a href=(explorer.address_after(Change::OpenBuild(hash))) {
                code.spec {
                    bdi {
                        (package) "@" (version)
                        span.spec-hash { "/" (hash.to_string()[..cache_index::build::SHORT_HASH]) }
                    }
                }
            }
            span {
                @for (has, asked) in &near.differs {
                    span.fact {
                        @if has.is_empty() { "without " } @else { mark { bdi { (has) } } " instead of " }
                        bdi { (asked) }
                    }
                }
            }
            (verdict_or_machine(explorer, near.build))
        }
    }
}
