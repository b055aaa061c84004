//! Builds side by side, with the differences first.

mod files;

use std::collections::BTreeMap;

use cache_advice::differences::compare::{ComparedLine, Comparison, LineKind, Suggestion, Word};
use cache_index::build::{Build, Hash, SHORT_HASH};
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_index::mirror::Mirror;
use cache_index::number::{counted, grouped};
use cache_index::recipes::Recipe;
use cache_query::{AskedHash, Change};
use leptos::prelude::*;
use maud::{Markup, html};

use self::files::FilesOf;
use crate::build::get::rank_of_place;
use crate::build::gone::Went;
use crate::data::{fits, recipes};
use crate::parts::spec::{ShortSpec, short_spec, variant_class};
use crate::parts::verdict;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::view::parts::copy::{Copy, CopyButtons};
use site::view::parts::icon::Icon;
use site::view::parts::query_link::QueryLink;

/// How many dependencies have a line at first.
const MOST_DEPENDENCIES: usize = 40;
/// How many of the fields that differ, and of those in common, have a line, so that no page grows without bounds.
const MOST_FIELDS: usize = 150;

/// The builds with these hashes, compared.
#[component]
pub(crate) fn Compare(
    /// The hashes in the address.
    hashes: Vec<AskedHash>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let mut missing = Vec::new();
    // A hash and its beginning name the same build.
    let mut found = Vec::new();
    for asked in hashes {
        match asked.find(explorer.index) {
            Some(id) if found.contains(&id) => {}
            Some(id) => found.push(id),
            None => missing.push(asked),
        }
    }
    let builds: Vec<_> =
        found.into_iter().filter_map(|id| explorer.index.build_alone(id)).collect();
    // The link back, if all are builds of one package.
    let package = builds.first().map(|build| build.package.clone());
    let package = package.filter(|package| builds.iter().all(|build| build.package == *package));
    let notices: Vec<_> = missing.into_iter().map(|asked| view! { <Missing asked/> }).collect();
    let content = if builds.len() < 2 {
        view! {
            <section class="empty" data-testid="empty">
                <h2>"Select at least two builds to compare"</h2>
                <p>"Tick builds in a package's table, then choose Compare."</p>
                {builds.first().cloned().map(|build| view! {
                    <p>"Only this build is here: "
                        <QueryLink change=Change::OpenBuild(build.hash)><ShortSpec spec=build.clone()/></QueryLink>
                    </p>
                })}
                <QueryLink change=Change::OpenPackages class="button">"All packages"</QueryLink>
            </section>
        }
        .into_any()
    } else {
        let comparison = Comparison::of(builds).with_dependencies(explorer.index);
        view! { <SideBySide comparison/> }.into_any()
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <QueryLink change=Change::OpenPackages>"All packages"</QueryLink>
                {package.map(|package| {
                    let name = package.clone();
                    view! { " / "<QueryLink change=Change::OpenPackage(package)><bdi>{name}</bdi></QueryLink> }
                })}
            </nav>
            <h1>"Compare"</h1>
        </div>
        {notices}
        {content}
    }
}

/// Says that a build cannot be compared, because it is gone, or because more than one build has a hash like this.
#[component]
fn Missing(
    /// Its hash in the address.
    asked: AskedHash,
) -> impl IntoView {
    let explorer = Explorer::here();
    let text = asked.to_string();
    let went = Went::look_for(asked);
    let are_several = explorer.index.find_prefix(&text, 1).len() == 1;
    let says = match are_several {
        true => "Several builds have a hash that starts with ",
        false => "This cache has no build with the hash ",
    };
    view! {
        <div class="notice" role="status">
            <p>{says} <code><bdi>{text}</bdi></code> "."</p>
            {move || went.get().filter(|_| !are_several).map(|went| went.draw(explorer))}
        </div>
    }
}

#[component]
fn SideBySide(
    /// The comparison.
    comparison: Comparison,
) -> impl IntoView {
    let explorer = Explorer::here();
    let markdown = comparison.markdown();
    let builds = comparison.builds.clone();
    let fields = counted(comparison.differing.len(), "field", "fields");
    let packages = counted(comparison.dependencies.len(), "dependency", "dependencies");
    let only = match comparison.to_run_and_to_build() {
        (_, 0) => String::new(),
        (0, _) => " needed only to build".to_owned(),
        (to_run, to_build) => {
            format!(" ({} needed to run, {} only to build)", grouped(to_run), grouped(to_build))
        }
    };
    let same = if comparison.is_same_to_run() { " What they need to run is the same." } else { "" };
    let advice = advice(explorer, &comparison);
    // In a cache that was made from several inputs, only some builds may list them.
    let lists_dependencies = |build: &Build| {
        let id = explorer.index.find(build.hash);
        id.is_some_and(|id| explorer.index.dependencies(id).is_some())
    };
    let summary = match (comparison.differing.len(), comparison.dependencies.len()) {
        (0, 0) if comparison.builds.iter().all(lists_dependencies) => {
            "Same in every listed field, and in the specs of their dependencies.".to_owned()
        }
        (0, 0) if explorer.index.lists_any_dependencies() => {
            "Same in every listed field; they may differ in dependencies, which are not listed for all of them.".to_owned()
        }
        (0, 0) => {
            "Same in every listed field; they differ in dependencies, which this cache does not list.".to_owned()
        }
        (_, 0) => format!("They differ in {fields}.{same}"),
        (0, _) => format!("They differ only in {packages}{only}.{same}"),
        (_, _) => format!("They differ in {fields} and {packages}{only}.{same}"),
    };
    let following = (!comparison.following.is_empty()).then(|| {
        let names =
            counted(comparison.following.len(), "dependency differs", "dependencies differ");
        view! {
            <details class="in-common">
                <summary>{format!("{names} only in their own dependencies")}</summary>
                <p><bdi>{comparison.following.join(", ")}</bdi></p>
            </details>
        }
    });
    let common: Vec<String> = comparison.common.iter().map(ComparedLine::first).collect();
    let others = common.len().saturating_sub(MOST_FIELDS);
    let lines = html! {
        @for text in common.iter().take(MOST_FIELDS) { li { bdi { (text) } } }
        @if others > 0 {
            li { (grouped(others)) " more; the JSON on the page of a build has them all" }
        }
    };
    let in_common = format!("{} in common", counted(common.len(), "field", "fields"));
    view! {
        <div class="headline">
            <p class="total" data-testid="total">{summary}</p>
            <span class="actions">
                <Copy text=Callback::new(move |()| markdown.clone()) label="Copy as Markdown"/>
            </span>
        </div>
        {advice}
        <div class="side-by-side" role="region" aria-label="Comparison" tabindex="0">
            {table(explorer, comparison)}
        </div>
        {following}
        <FilesOf builds/>
        <details class="in-common">
            <summary>{in_common}</summary>
            <ul inner_html=lines.into_string()></ul>
        </details>
    }
}

/// Draws which of the builds to take, and which of them were spliced.
fn advice(explorer: Explorer, comparison: &Comparison) -> impl IntoView + use<> {
    let ids: Vec<BuildId> =
        comparison.builds.iter().filter_map(|build| explorer.index.find(build.hash)).collect();
    let spliced = of_splices(comparison).map(|text| {
        view! { <p class="muted"><bdi>{text}</bdi></p> }
    });
    let spliced = spliced.collect_view();
    let comparison = comparison.clone();
    let choice = move || {
        let works = match explorer.host() {
            Some(_) => fits::of_all(explorer, &ids)?.into_iter().map(|fit| fit.works).collect(),
            None => Vec::new(),
        };
        let of_those = if works.is_empty() { "" } else { " of those that work on your machine" };
        let spec = |at: usize| comparison.builds.get(at).map(Build::short_spec).unwrap_or_default();
        let text = match comparison.suggestion(&works)? {
            Suggestion::OnlyOneWorks(at) => {
                format!("Take {}: no other certainly works on your machine.", spec(at))
            }
            Suggestion::NewestRelease(at) => {
                format!("Take {}: it is the newest release{of_those}.", spec(at))
            }
            Suggestion::Unmixed(at, package) => {
                let others = match comparison.builds.len() {
                    2 => "the other mixes",
                    _ => "the others mix",
                };
                format!("Take {}: {others} several builds of {package}.", spec(at))
            }
            Suggestion::NewerDependencies(at, packages) => format!(
                "Take {}: they differ only in their dependencies, and of what it needs to run, it has newer versions of {}.",
                spec(at),
                packages.join(", ")
            ),
            Suggestion::Any => "Take any of them: they are the same when they run.".to_owned(),
            Suggestion::AsBuilt(at) => {
                format!("Take {}, unless you need what the other one is linked with.", spec(at))
            }
        };
        Some(view! { <p data-testid="choice"><bdi>{text}</bdi></p> })
    };
    view! { {choice}{spliced} }
}

/// Iterates over sentences about builds that were spliced: from one that is compared too, from the same one, or from others.
fn of_splices(comparison: &Comparison) -> impl Iterator<Item = String> {
    let mut spliced: BTreeMap<Hash, Vec<String>> = BTreeMap::new();
    for build in &comparison.builds {
        if let Some(from) = build.spliced_from {
            spliced.entry(from).or_default().push(build.short_spec());
        }
    }
    spliced.into_iter().map(|(from, specs)| {
        let were = if specs.len() == 1 { "was" } else { "were" };
        let names = specs.join(" and ");
        let origin = comparison.builds.iter().find(|build| build.hash == from);
        match origin.map(Build::short_spec) {
            None if specs.len() == 1 => format!(
                "Spliced, so the binary may have been built with other dependencies than it has now: {names}."
            ),
            origin => {
                let origin =
                    origin.unwrap_or_else(|| format!("/{}", &from.to_string()[..SHORT_HASH]));
                let linked = match comparison.differs_only_to_build() {
                    true => "",
                    false => ", linked with other builds of what it needs",
                };
                format!("{names} {were} spliced from {origin}: it is the same binary{linked}.")
            }
        }
    })
}

/// Draws what differs, a column for each build.
fn table(explorer: Explorer, comparison: Comparison) -> AnyView {
    let index = explorer.index;
    let ids: Vec<Option<BuildId>> =
        comparison.builds.iter().map(|build| index.find(build.hash)).collect();
    let commands: Vec<Option<String>> = comparison
        .builds
        .iter()
        .zip(&ids)
        .map(|(build, id)| {
            let place = build.places.iter().min_by_key(|place| rank_of_place(explorer, place))?;
            Some(Mirror::for_build(index, place, (*id)?).steps(&format!("/{}", build.hash)))
        })
        .collect();
    let is_whole = RwSignal::new(false);
    let copy_buttons = CopyButtons::default();
    let columns = comparison.builds.len() + 1;
    let write = {
        let (ids, commands) = (ids.clone(), commands.clone());
        move || {
            let Comparison { builds, differing, dependencies, .. } = &comparison;
            let left_out = differing.len().saturating_sub(MOST_FIELDS);
            let listed = if is_whole.get() { dependencies.len() } else { MOST_DEPENDENCIES };
            let more = dependencies.len().saturating_sub(listed);
            let recipes: Vec<_> = builds.iter().map(|build| recipe_of(explorer, build)).collect();
            html! {
                table {
                    caption.heard { "What differs, a column for each build" }
                    thead {
                        tr {
                            th.c-field scope="col" { span.heard { "Field" } }
                            @for place in 0..builds.len() { (heading(explorer, builds, place, &recipes[place])) }
                        }
                    }
                    tbody {
                        @if explorer.host().is_some() {
                            tr {
                                th scope="row" { "Works here" }
                                @for id in ids.iter().flatten() {
                                    td.c-runs { (verdict::write(explorer, *id)) }
                                }
                            }
                        }
                        tr.on-screen {
                            th scope="row" { "Install" }
                            @for (id, commands) in ids.iter().zip(&commands) {
                                td {
                                    @if let (Some(id), Some(_)) = (id, commands) {
                                        (copy_buttons.write(Action::CopyCommands(*id), "Copy install commands", None))
                                    }
                                }
                            }
                        }
                        @for one in differing.iter().take(MOST_FIELDS) { (line(one, builds, &recipes)) }
                        @if left_out > 0 {
                            tr {
                                td.nothing colspan=(columns) {
                                    (grouped(left_out)) " more; Copy as Markdown has them all"
                                }
                            }
                        }
                        @if !dependencies.is_empty() {
                            tr.part { th colspan=(columns) scope="rowgroup" { "Dependencies" } }
                            @for one in dependencies.iter().take(listed) { (line(one, builds, &[])) }
                            @if more > 0 {
                                tr {
                                    td colspan=(columns) {
                                        button.button type="button" data-do=(Action::Expand) {
                                            "Show " (grouped(more)) " more"
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    let act = move |action: Action, _: &_| match action {
        Action::Expand => is_whole.set(true),
        Action::CopyCommands(id) => {
            let place = ids.iter().position(|other| *other == Some(id));
            if let Some(Some(commands)) = place.map(|place| &commands[place]) {
                copy_buttons.copy(action, commands.clone());
            }
        }
        _ => {}
    };
    list("side-by-side", "", NodeRef::new(), write, act)
}

/// Returns the recipe of a build's package, once it has arrived.
fn recipe_of(explorer: Explorer, build: &Build) -> Option<Recipe> {
    let package = explorer.index.dictionary(Facet::Package).code(&build.package)?;
    recipes::of_package(explorer, package)
}

/// Writes the heading of a build, with a link to the comparison without it.
fn heading(explorer: Explorer, builds: &[Build], place: usize, recipe: &Option<Recipe>) -> Markup {
    let build = &builds[place];
    let is_deprecated = recipe.as_ref().is_some_and(|recipe| recipe.is_deprecated(&build.version));
    let mut others: Vec<Hash> = builds.iter().map(|build| build.hash).collect();
    others.remove(place);
    html! {
        th scope="col" {
            a href=(explorer.address_after(Change::OpenBuild(build.hash))) { (short_spec(build)) }
            @if is_deprecated { " " span.muted { "deprecated in Spack" } }
            @if others.len() > 1 {
                a.plain
                    aria-label={ "Remove " (build.short_hash()) }
                    href=(explorer.address_after(Change::Compare(others)))
                    { (Icon::Cross.write()) }
            }
        }
    }
}

/// Writes a line. For a variant, the title says what it does, and values that are not the default in any recipe are marked.
fn line(line: &ComparedLine, builds: &[Build], recipes: &[Option<Recipe>]) -> Markup {
    let of_variants = || recipes.iter().filter(|_| line.kind == LineKind::Variant).flatten();
    let about = of_variants().find_map(|recipe| recipe.about_variant(&line.name));
    let is_other = |place: usize| {
        let recipe = recipes.get(place).and_then(Option::as_ref);
        let others = recipe.map(|recipe| recipe.not_default(&builds[place].variants));
        line.kind == LineKind::Variant
            && others.iter().flatten().any(|other| other.name == line.name)
    };
    html! {
        tr {
            th.variant[line.kind != LineKind::Field] scope="row" title=[about] {
                bdi { (line.name) }
                @if line.kind == LineKind::BuildDependency { " " span.muted { "only to build" } }
            }
            @for (place, words) in line.cells.iter().enumerate() {
                @if words.is_empty() {
                    td.nothing { "absent" }
                } @else {
                    td {
                        @for word in words { (write_word(word)) }
                        @if is_other(place) { span.muted { "not the default" } }
                    }
                }
            }
        }
    }
}

/// Writes a word, marked if not every build has it; screen readers get the mark, too.
fn write_word(word: &Word) -> Markup {
    let class = variant_class(&word.text);
    html! {
        @if word.is_common {
            bdi class=(class) { (word.text) }
        } @else {
            mark class=(class) { bdi { (word.text) } }
        }
        " "
    }
}
