//! Why specs are missing: the differences that are causes, what each explains, and what would undo it.

use std::collections::{BTreeMap, BTreeSet};

use cache_advice::causes::{Cause, Causes, CausesInWords, LISTED, Occasion};
use cache_index::build::{Hash, SHORT_HASH};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use cache_query::host::Runs;
use cache_query::{Change, Question};
use leptos::prelude::*;

use crate::environment::state::{JudgedEnvironment, State};
use site::explorer::Explorer;
use site::view::parts::copy::Copy;

/// The maximum number of specs that are named for a cause.
const NAMED: usize = 40;

/// The causes, as soon as they have been found.
#[component]
pub(super) fn WhyMissing(
    /// The page's state.
    state: State,
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let causes = state.causes.get()?;
        let judged = judged.get();
        let counts = judged.assessment.counts;
        let wanted = counts.nodes - counts.external;
        let is_filtered = explorer.with_question(Question::is_filtered);
        let left_out = is_filtered.then_some(counts.left_out);
        let occasion = Occasion::Missing { wanted, cached: counts.cached, left_out };
        let words = CausesInWords { causes: &causes, occasion };
        let headline = words.headline()?;
        let shown = causes.shown().take(LISTED);
        let lines = shown.map(|(at, cause)| {
            line(&words, &judged.environment, (at, cause), no_help(explorer, &causes, (at, cause)))
        });
        let lines = lines.collect_view();
        let rest = words.not_listed().into_iter().chain(words.alternatives()).chain(words.rest());
        let rest = rest.map(|text| view! { <p class="muted">{text}"."</p> }).collect_view();
        Some(view! {
            <section class="causes" data-testid="causes" aria-label="Why specs are missing">
                <h2>{headline}</h2>
                <ol>{lines}</ol>
                {rest}
                {remedy(explorer, &causes, &words)}
                {by_hash(explorer, &causes)}
            </section>
        })
    }
}

/// Returns why the lines that undo a cause are of no use on the user's machine: the machine cannot have what undoing the
/// cause requires, or most builds that the specs of the cause are compared with do not work there. `None` if the lines may
/// be of use.
fn no_help(explorer: Explorer, causes: &Causes, (at, cause): (usize, &Cause)) -> Option<String> {
    const UNLIKE: &str = "Your machine has another system, target or libc";
    let host = explorer.host()?;
    let is_unlike = !cause.can_be_undone_on(&host);
    let verdicts = explorer.with_question(|question| question.judged.clone());
    let (mut all, mut working, mut unknown) = (0, 0, 0);
    for build in binaries(explorer, causes, at) {
        all += 1;
        match verdicts.of(build) {
            None | Some(Runs::Yes) => working += 1,
            Some(Runs::Unknown) => unknown += 1,
            Some(Runs::No) => {}
        }
    }
    let work = if working == 1 { "works" } else { "work" };
    let builds = counted(all, "build", "builds");
    let works = format!("{} of the {builds} that it is compared with {work}", grouped(working));
    let may = match unknown {
        0 => String::new(),
        unknown => format!(", and {} may", grouped(unknown)),
    };
    match (is_unlike, all, working) {
        (true, 0, _) => Some(format!("{UNLIKE}: it cannot be undone there.")),
        (false, 0, _) => None,
        (_, _, 0) if unknown > 0 => {
            Some("It is not known if what it is compared with works on your machine.".to_owned())
        }
        (_, _, 0) => Some("What it is compared with does not work on your machine.".to_owned()),
        (true, ..) if working == all => Some(format!(
            "{UNLIKE}, and runs what it is compared with all the same: a spec can name that by its hash."
        )),
        (true, ..) => Some(format!(
            "{UNLIKE}. {works} there all the same{may}: a spec can name such a one by its hash."
        )),
        (false, ..) if working * 2 < all => Some(format!("Only {works} on your machine{may}.")),
        (false, ..) => None,
    }
}

/// Returns the builds that the specs of a cause are compared with, without externals, which have no binary.
fn binaries(explorer: Explorer, causes: &Causes, at: usize) -> impl Iterator<Item = BuildId> {
    let index = explorer.hashes();
    let builds =
        causes.compared_with(at).filter_map(move |hash| Some((index?, index?.find(hash)?)));
    builds.filter(|(index, build)| index.has_binary(index.row_of(*build))).map(|(_, build)| build)
}

/// Returns `true` if a build is known to work on the user's machine, or if no machine is stated.
fn works(explorer: Explorer, build: BuildId) -> bool {
    explorer
        .with_question(|question| question.judged.of(build).is_none_or(|runs| runs == Runs::Yes))
}

/// Says how to take a build that a spec is compared with, with one of them as an example; `None` if none of them works.
fn by_hash(explorer: Explorer, causes: &Causes) -> Option<AnyView> {
    let index = explorer.hashes()?;
    let mut builds = causes.shown().flat_map(|(at, _)| binaries(explorer, causes, at));
    let build = builds.find(|build| works(explorer, *build))?;
    let hash = index.hash(build)?.to_string();
    let spec =
        format!("{}/{}", index.text(index.row_of(build), Facet::Package), &hash[..SHORT_HASH]);
    let said = view! {
        <p class="muted">
            "To take a build of the cache as it is instead, ask for it by its hash, such as " <code>{spec}</code>
            ". Each cause lists the builds that its specs are compared with."
        </p>
    };
    Some(said.into_any())
}

/// Draws one cause, with the specs that it explains.
fn line(
    words: &CausesInWords<'_>,
    environment: &Environment,
    (at, cause): (usize, &Cause),
    no_help: Option<String>,
) -> AnyView {
    let remedies = match &no_help {
        None => words.causes.remedies(at),
        Some(_) => Vec::new(),
    };
    let remedies = remedies.into_iter().map(|text| {
        view! { <p class="muted"><bdi>{format!("To undo it, {text}")}</bdi></p> }
    });
    let remedies = remedies.collect_view();
    let notes = words.causes.notes(at).into_iter().map(str::to_owned);
    let notes = notes.map(|text| view! { <p class="muted"><bdi>{text}</bdi></p> }).collect_view();
    let no_help = no_help.map(|said| view! { <p class="muted">{said}</p> });
    let explained = words.causes.explained_by(at);
    let roots: BTreeSet<_> = environment.roots.iter().filter_map(|root| root.hash).collect();
    let of_roots = |is_root: bool| {
        let (roots, explained) = (&roots, &explained);
        let nodes = environment.nodes.iter().map(|node| &node.build);
        nodes.filter(move |build| {
            roots.contains(&build.hash) == is_root && explained.binary_search(&build.hash).is_ok()
        })
    };
    let named = of_roots(true)
        .map(|build| (true, build))
        .chain(of_roots(false).map(|build| (false, build)));
    let explorer = Explorer::here();
    let counterparts: BTreeMap<Hash, Hash> = words.causes.counterparts(at).collect();
    let named = named.take(NAMED).map(|(is_root, build)| {
        let name = format!("{}@{}", build.package, build.version);
        let root = is_root.then(|| view! { <span class="muted">" asked for"</span> });
        let counterpart = counterparts.get(&build.hash).map(|&hash| {
            let short = format!("/{}", &hash.to_string()[..SHORT_HASH]);
            let address = explorer.address_after(Change::OpenBuild(hash));
            view! { <span class="muted">", compared with "<a href=address>{short}</a></span> }
        });
        view! { <li><bdi>{name}</bdi>{root}{counterpart}</li> }
    });
    let named = named.collect_view();
    let more = explained.len().checked_sub(NAMED).filter(|more| *more > 0);
    let more = more.map(|more| view! { <li class="muted">{format!("and {more} more")}</li> });
    let share = format!("explains {}", words.share(cause));
    view! {
        <li>
            <strong><bdi>{cause.words()}</bdi></strong>
            {remedies}
            {notes}
            {no_help}
            <details>
                <summary>{share}</summary>
                <ul class="explained">{named}{more}</ul>
            </details>
        </li>
    }
    .into_any()
}

/// Draws the lines that undo all causes that settings can undo, and what they would bring. Lines that would bring nothing
/// are not offered, and neither are those that would lead to builds that do not work on the user's machine.
fn remedy(explorer: Explorer, causes: &Causes, words: &CausesInWords<'_>) -> Option<AnyView> {
    let mut undoable = words.undoable();
    undoable.retain(|&at| no_help(explorer, causes, (at, &causes.causes[at])).is_none());
    let (lines, effect) = words.advice(&undoable)?;
    let effect = effect.map(|effect| view! { <p>{effect}"."</p> });
    let copied = lines.clone();
    let remedy = view! {
        <h3>"What would undo the differences, in spack.yaml"</h3>
        <div class="line">
            <pre tabindex="0"><code><bdi>{lines}</bdi></code></pre>
            <Copy text=Callback::new(move |()| copied.clone()) label="Copy"/>
        </div>
        {effect}
    };
    Some(remedy.into_any())
}
