//! Which packages depend on the package.

use cache_advice::{Users, used_by};
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::{counted, grouped};
use cache_query::{Change, Filter, Question};
use leptos::prelude::*;
use maud::html;

use site::explorer::Explorer;
use site::html::list::list;
use site::html::rows::{ABOVE, ExistingRows, NARROW, Viewport};

/// The packages with builds that depend on one of the package's, and how many.
#[component]
pub(crate) fn Uses(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let viewport: Viewport = expect_context();
    let height = Signal::derive(move || if viewport.width() < NARROW { 44 } else { 32 });
    let content = move || {
        let Some(index) = explorer.dependencies() else {
            return view! { <p class="loading" role="status">"Loading…"</p> }.into_any();
        };
        let users = explorer.with_question(|question| used_by(index, package, question));
        let Users { spec, direct: uses, counts_direct, all, question, left_out } = users;
        let names = index.dictionary(Facet::Package);
        let left_out = draw_left_out(names.text(package), &left_out);
        if uses.is_empty() {
            let is_filtered =
                !Filter::all(index, &Question { text: String::new(), ..question }).is_empty();
            let said = match is_filtered {
                true => "Nothing that passes the filters depends on it.",
                false => "Nothing in this cache depends on it.",
            };
            return view! { <p class="muted">{said}</p> {left_out} }.into_any();
        }
        let count = counted(uses.len(), "package depends", "packages depend");
        let places: Vec<usize> = (0..uses.len()).collect();
        let element = NodeRef::new();
        let existing = ExistingRows::of(element, Signal::stored(uses.len()), Some(height), ABOVE);
        let write = move || {
            let row = |place: usize| {
                let used = &uses[place];
                let ask = Change::Ask(Box::new(used.question.clone()));
                html! {
                    tr.row data-key=(place) {
                        th scope="row" {
                            a href=(explorer.address_after(ask)) { bdi { (names.text(used.package)) } }
                        }
                        td.number { (grouped(used.builds as usize)) }
                    }
                }
            };
            html! {
                table.uses aria-rowcount=(uses.len()) {
                    caption.heard { "Used by" }
                    (existing.write(&places, 2, row))
                }
            }
        };
        let numbers = match counts_direct {
            true => "this many builds",
            false => "this many builds that do so in any way",
        };
        view! {
            <p class="muted">
                {format!("{count} directly on {spec}, with {numbers}.")}
            </p>
            <p>
                <a href=move || explorer.address_after(Change::Ask(Box::new(question.clone())))>
                    {counted(all as usize, "package depends", "packages depend")}" on it for more than tests, directly or through what they need to run"
                </a>
            </p>
            {left_out}
            {list("uses", "", element, write, |_, _| ())}
        }
        .into_any()
    };
    view! { <section class="uses" aria-label="Used by">{content}</section> }
}

/// Says which filters are left out here because they are about the package itself; nothing if there are none.
fn draw_left_out(package: &str, filters: &[Filter]) -> Option<AnyView> {
    let listed: Vec<String> = filters
        .iter()
        .map(|filter| {
            let (of, what) = filter.words();
            format!("{of} {what}")
        })
        .collect();
    let said = format!("Left out here, as they are about {package} itself: {}.", listed.join("; "));
    (!listed.is_empty()).then(|| view! { <p class="muted"><bdi>{said}</bdi></p> }.into_any())
}
