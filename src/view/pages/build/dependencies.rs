//! The dependencies of a build, as a tree that is drawn as it is expanded or as one list, and its dependents.
//!
//! If the cache lists no dependencies, as cache pages do not, nothing is shown.

use cache_index::build::Deptypes;
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget};
use cache_index::number::{counted, grouped};
use cache_query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::html::rows::Rows;
use crate::view::parts::to::To;

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
                    view! { <Lines lines caption="Everything it depends on"/> }.into_any()
                }
                false => {
                    let tree = Tree { hides: hides.get(), lines: StoredValue::new(0) };
                    let edges = tree.below(EdgeTarget::Build(id));
                    view! { <div class="tree">{tree.branch(edges)}</div> }.into_any()
                }
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
            <Lines lines caption="Specs that depend on it"/>
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

    /// Draws name, version and hash, as a link if the spec has a page.
    fn draw(&self) -> AnyView {
        let index = Explorer::here().index;
        let (package, version, hash) = match self.target {
            EdgeTarget::Unknown { package, hash } => (package, String::new(), Some(hash)),
            EdgeTarget::Build(build) => {
                let row = index.row_of(build);
                let version = format!("@{}", index.text(row, Facet::Version));
                (index.text(row, Facet::Package), version, index.hash(build))
            }
        };
        let text = hash.map_or(String::new(), |hash| hash.to_string());
        let spec = view! {
            <bdi class="spec">
                <span class="spec-name">{package}</span>
                <span class="spec-version">{version}</span>
                <span class="spec-hash">{format!("/{}", &text[..SHORT_HASH.min(text.len())])}</span>
            </bdi>
        };
        match (self.target, hash) {
            (EdgeTarget::Build(_), Some(hash)) => {
                view! { <To change=Change::OpenBuild(hash)>{spec}</To> }.into_any()
            }
            _ => spec.into_any(),
        }
    }
}

/// A tree of which only the expanded part exists.
#[derive(Clone, Copy)]
struct Tree {
    /// `true` if build dependencies are hidden.
    hides: bool,
    /// The number of lines.
    lines: StoredValue<usize>,
}

impl Tree {
    fn below(self, target: EdgeTarget<'static>) -> Vec<EdgeLine> {
        let EdgeTarget::Build(build) = target else { return Vec::new() };
        let edges = Explorer::here().index.dependencies(build).into_iter().flatten();
        edges.filter(|edge| is_wanted(edge, self.hides)).map(EdgeLine::of).collect()
    }

    fn branch(self, lines: Vec<EdgeLine>) -> AnyView {
        let shown = lines.len().min(MOST_LINES.saturating_sub(self.lines.get_value()));
        self.lines.update_value(|lines| *lines += shown);
        on_cleanup(move || {
            let _ = self.lines.try_update_value(|lines| *lines -= shown);
        });
        let more = (lines.len() > shown).then(|| {
            let more = lines.len() - shown;
            view! { <li class="muted">{format!("{more} more; the list shows all")}</li> }
        });
        let lines = lines[..shown].iter().map(|&line| self.line(line)).collect_view();
        view! { <ul>{lines}{more}</ul> }.into_any()
    }

    fn line(self, line: EdgeLine) -> AnyView {
        let is_open = RwSignal::new(false);
        let below = self.below(line.target);
        let twist = match line.target {
            EdgeTarget::Build(build) if !below.is_empty() => {
                let index = Explorer::here().index;
                let package = index.text(index.row_of(build), Facet::Package);
                Some(view! {
                    <button
                        type="button"
                        class="twist"
                        aria-expanded=move || is_open.get().to_string()
                        aria-label=format!("Dependencies of {package}")
                        on:click=move |_| is_open.update(|open| *open = !*open)
                    ></button>
                })
            }
            _ => None,
        };
        let branch = move || is_open.get().then(|| self.branch(below.clone()));
        view! {
            <li>
                {twist}
                {line.draw()}
                " "
                <span class="purpose">{line.purpose()}</span>
                {line.lack().map(|lack| view! { " " <span class="lack">{lack}</span> })}
                {branch}
            </li>
        }
        .into_any()
    }
}

/// A list of specs. At first it has only a few of them; once all are shown, only the visible rows exist.
#[component]
fn Lines(
    /// The specs.
    lines: Vec<EdgeLine>,
    /// The name of the list for screen readers.
    caption: &'static str,
) -> impl IntoView {
    let index = Explorer::here().index;
    let all = lines.len();
    let shown = RwSignal::new(all.min(FIRST));
    let lines = StoredValue::new(lines);
    let items = Signal::derive(move || (0..shown.get()).collect::<Vec<usize>>());
    let row = move |place: usize| {
        let line = lines.with_value(|lines| lines[place]);
        let machine = match line.target {
            EdgeTarget::Unknown { .. } => String::new(),
            EdgeTarget::Build(build) => {
                let row = index.row_of(build);
                format!("{} {}", index.text(row, Facet::Os), index.text(row, Facet::Target))
            }
        };
        view! {
            <tr class="row">
                <th scope="row">{line.draw()}</th>
                <td>{line.purpose()}</td>
                <td>{line.lack().map_or(machine, str::to_owned)}</td>
            </tr>
        }
        .into_any()
    };
    view! {
        <table class="edges" aria-rowcount=all>
            <caption class="heard">{caption}</caption>
            <colgroup>
                <col class="c-spec"/>
            </colgroup>
            <Rows items columns=3 row/>
        </table>
        <Show when=move || shown.get() < all>
            <button type="button" class="button" on:click=move |_| shown.set(all)>
                {format!("Show all {}", grouped(all))}
            </button>
        </Show>
    }
}
