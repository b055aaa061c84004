//! The dependencies of a build, as a tree that is drawn as it is expanded or as one list, and its dependents.
//!
//! If the cache lists no dependencies, as cache pages do not, nothing is shown.

use cache_index::build::Deptypes;
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget, Index};
use cache_index::number::{counted, grouped};
use cache_query::Change;
use leptos::prelude::*;
use maud::{Markup, html};

use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::html::rows::{ABOVE, ExistingRows};

/// The maximum number of lines in the tree at once, so that no page grows without bounds.
const MOST_LINES: usize = 100;

/// How many lines of a list are shown at first.
const FIRST: usize = 20;

/// The dependencies and dependents of a build, once they have arrived.
#[component]
pub(crate) fn Dependencies(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    let explorer = Explorer::here();
    let content = move || match explorer.dependencies() {
        None => view! {
            <section aria-busy="true">
                <h2>"Dependencies"</h2>
                <p class="muted" role="status">"Loading…"</p>
            </section>
        }
        .into_any(),
        Some(index) if index.has_dependencies() => view! { <Below id/><Above id/> }.into_any(),
        // They could not be read, which a notice above all views reports.
        Some(_) => ().into_any(),
    };
    explorer.index.lists_any_dependencies().then_some(content)
}

/// The dependencies of a build.
#[component]
fn Below(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    let index = Explorer::here().index;
    let hides = RwSignal::new(false);
    let as_list = RwSignal::new(false);
    let content = match index.dependencies(id).map(|edges| edges.len()) {
        None => "The source of this build does not list its dependencies.".into_any(),
        Some(0) => "It has no dependencies.".into_any(),
        Some(_) => {
            let shown = move || match as_list.get() {
                true => {
                    let reached = index.reachable(id, move |edge| is_wanted(edge, hides.get()));
                    let line = |(target, deptypes)| EdgeLine { target, deptypes, virtuals: &[] };
                    let lines = reached.unwrap_or_default().into_iter().map(line).collect();
                    edges("reached", lines, "Everything it depends on")
                }
                false => tree(EdgeTarget::Build(id), hides.get()),
            };
            let form = move |list: bool, name: &'static str| {
                view! {
                    <button
                        type="button"
                        aria-pressed=move || (as_list.get() == list).to_string()
                        on:click=move |_| as_list.set(list)
                    >
                        {name}
                    </button>
                }
            };
            view! {
                <div class="forms">
                    <div class="matching" role="group" aria-label="Show as">
                        {form(false, "Tree")}
                        {form(true, "List")}
                    </div>
                    <label>
                        <input
                            type="checkbox"
                            prop:checked=move || hides.get()
                            on:change=move |_| hides.update(|hides| *hides = !*hides)
                        />
                        "Run-time only"
                    </label>
                </div>
                {shown}
            }
            .into_any()
        }
    };
    view! {
        <section class="dependencies" aria-label="Dependencies">
            <h2>"Dependencies"</h2>
            {content}
        </section>
    }
}

/// The direct dependents of a build.
#[component]
fn Above(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    let index = Explorer::here().index;
    let line = |(dependent, edge): (BuildId, Edge<'static>)| EdgeLine {
        target: EdgeTarget::Build(dependent),
        ..EdgeLine::of(edge)
    };
    let lines: Vec<EdgeLine> = index.dependents(id).into_iter().flatten().map(line).collect();
    let content = match lines.len() {
        0 => "Nothing in this cache depends on it.".into_any(),
        count => view! {
            <p>{counted(count, "spec depends", "specs depend")}" on it directly."</p>
            {edges("dependents", lines, "Specs that depend on it")}
        }
        .into_any(),
    };
    view! {
        <section class="dependencies" aria-label="Used by">
            <h2>"Used by"</h2>
            {content}
        </section>
    }
}

fn is_wanted(edge: &Edge<'_>, hides: bool) -> bool {
    !hides || edge.is_needed_to_run()
}

/// A spec at one end of an edge, and the purpose of the edge.
#[derive(Clone, Copy)]
struct EdgeLine {
    target: EdgeTarget<'static>,
    deptypes: Deptypes,
    virtuals: &'static [String],
}

impl EdgeLine {
    fn of(edge: Edge<'static>) -> EdgeLine {
        EdgeLine { target: edge.target, deptypes: edge.deptypes, virtuals: edge.virtuals }
    }

    /// Returns the purpose as text: `build, link as mpi`.
    fn purpose(&self) -> String {
        let purpose = self.deptypes.names().collect::<Vec<_>>().join(", ");
        match self.virtuals {
            [] => purpose,
            virtuals => format!("{purpose} as {}", virtuals.join(", ")),
        }
    }

    /// Returns why it has no binary here, if it has none.
    fn lack(&self) -> Option<&'static str> {
        let index = Explorer::here().index;
        match self.target {
            EdgeTarget::Unknown { .. } => Some("not in this cache"),
            EdgeTarget::Build(build) => {
                let row = index.row_of(build);
                let external = index.origin(row).external;
                (!index.has_binary(row)).then_some(if external { "external" } else { "no binary" })
            }
        }
    }

    /// Writes name, version and hash, as a link if the spec has a page.
    fn write(&self) -> Markup {
        let explorer = Explorer::here();
        let index = explorer.index;
        let (package, version, hash) = match self.target {
            EdgeTarget::Unknown { package, hash } => (package, None, Some(hash)),
            EdgeTarget::Build(build) => {
                let row = index.row_of(build);
                (
                    index.text(row, Facet::Package),
                    Some(index.text(row, Facet::Version)),
                    index.hash(build),
                )
            }
        };
        let text = hash.map_or(String::new(), |hash| hash.to_string());
        let spec = html! {
            bdi.spec {
                span.spec-name { (package) }
                span.spec-version { @if let Some(version) = version { "@" (version) } }
                span.spec-hash { "/" (text[..SHORT_HASH.min(text.len())]) }
            }
        };
        match (self.target, hash) {
            (EdgeTarget::Build(_), Some(hash)) => {
                html! { a href=(explorer.address_after(Change::OpenBuild(hash))) { (spec) } }
            }
            _ => spec,
        }
    }
}

/// Lines of a tree with the same parent.
struct Branch {
    lines: Vec<TreeLine>,
    /// How many more there are.
    more: usize,
}

struct TreeLine {
    /// Its number among all lines that the tree has had.
    number: usize,
    edge: EdgeLine,
    /// It has dependencies.
    has_below: bool,
    /// They are shown.
    below: Option<Branch>,
}

/// A tree; only its expanded part exists.
struct Tree {
    index: &'static Index,
    /// `true` if build dependencies are hidden.
    hides: bool,
    /// The number that the next line gets.
    next: usize,
    root: Branch,
}

impl Tree {
    fn new(target: EdgeTarget<'static>, hides: bool) -> Tree {
        let index = Explorer::here().index;
        let mut tree = Tree { index, hides, next: 0, root: Branch { lines: Vec::new(), more: 0 } };
        tree.root = tree.branch(target, 0);
        tree
    }

    fn below(&self, target: EdgeTarget<'static>) -> Vec<EdgeLine> {
        let EdgeTarget::Build(build) = target else { return Vec::new() };
        let edges = self.index.dependencies(build).into_iter().flatten();
        edges.filter(|edge| is_wanted(edge, self.hides)).map(EdgeLine::of).collect()
    }

    /// Creates the branch below a spec, in a tree with this many lines.
    fn branch(&mut self, target: EdgeTarget<'static>, lines: usize) -> Branch {
        let edges = self.below(target);
        let shown = edges.len().min(MOST_LINES.saturating_sub(lines));
        let more = edges.len() - shown;
        let line = |edge: EdgeLine| {
            self.next += 1;
            let has_below = !self.below(edge.target).is_empty();
            TreeLine { number: self.next, edge, has_below, below: None }
        };
        Branch { lines: edges.into_iter().take(shown).map(line).collect(), more }
    }

    /// Opens or closes a line.
    fn unfold(&mut self, number: usize) {
        let lines = self.root.count();
        let Some(line) = self.root.find(number) else { return };
        if line.below.take().is_some() {
            return;
        }
        let target = line.edge.target;
        let branch = self.branch(target, lines);
        if let Some(line) = self.root.find(number) {
            line.below = Some(branch);
        }
    }
}

impl Branch {
    fn count(&self) -> usize {
        self.lines.iter().map(|line| 1 + line.below.as_ref().map_or(0, Branch::count)).sum()
    }

    fn find(&mut self, number: usize) -> Option<&mut TreeLine> {
        self.lines.iter_mut().find_map(|line| match line.number == number {
            true => Some(line),
            false => line.below.as_mut()?.find(number),
        })
    }

    fn write(&self) -> Markup {
        html! {
            ul {
                @for line in &self.lines { (line.write()) }
                @if self.more > 0 { li.muted { (self.more) " more; the list shows all" } }
            }
        }
    }
}

impl TreeLine {
    fn write(&self) -> Markup {
        let index = Explorer::here().index;
        html! {
            li {
                @if let (EdgeTarget::Build(build), true) = (self.edge.target, self.has_below) {
                    button.twist
                        type="button"
                        aria-expanded=(self.below.is_some())
                        aria-label={ "Dependencies of " (index.text(index.row_of(build), Facet::Package)) }
                        data-do=(Action::UnfoldLine(self.number)) {}
                }
                (self.edge.write()) " "
                span.purpose { (self.edge.purpose()) }
                @if let Some(lack) = self.edge.lack() { " " span.lack { (lack) } }
                @if let Some(below) = &self.below { (below.write()) }
            }
        }
    }
}

/// Draws the dependencies of a spec as a tree.
fn tree(target: EdgeTarget<'static>, hides: bool) -> AnyView {
    let tree = RwSignal::new(Tree::new(target, hides));
    let write = move || tree.with(|tree| tree.root.write());
    let act = move |action, _: &_| {
        if let Action::UnfoldLine(number) = action {
            tree.update(|tree| tree.unfold(number));
        }
    };
    list("tree", "tree", NodeRef::new(), write, act)
}

/// Draws a list of specs. At first it has only a few of them; once all are shown, only the visible rows exist.
fn edges(id: &'static str, lines: Vec<EdgeLine>, caption: &'static str) -> AnyView {
    let all = lines.len();
    let shown = RwSignal::new(all.min(FIRST));
    let element = NodeRef::new();
    let existing = ExistingRows::of(element, Signal::derive(move || shown.get()), None, ABOVE);
    let write = move || {
        let places: Vec<usize> = (0..shown.get()).collect();
        html! {
            table.edges aria-rowcount=(all) {
                caption.heard { (caption) }
                colgroup { col.c-spec; }
                (existing.write(&places, 3, |place| row(place, &lines[place])))
            }
            @if shown.get() < all {
                button.button type="button" data-do=(Action::Expand) { "Show all " (grouped(all)) }
            }
        }
    };
    let act = move |action, _: &_| {
        if action == Action::Expand {
            shown.set(all);
        }
    };
    list(id, "", element, write, act)
}

fn row(place: usize, line: &EdgeLine) -> Markup {
    let index = Explorer::here().index;
    let machine = match line.target {
        EdgeTarget::Unknown { .. } => String::new(),
        EdgeTarget::Build(build) => {
            let row = index.row_of(build);
            format!("{} {}", index.text(row, Facet::Os), index.text(row, Facet::Target))
        }
    };
    html! {
        tr.row data-key=(place) {
            th scope="row" { (line.write()) }
            td { (line.purpose()) }
            td { (line.lack().unwrap_or(&machine)) }
        }
    }
}
