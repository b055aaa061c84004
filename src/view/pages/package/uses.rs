//! Which packages depend on the package.

use cache_advice::used_by;
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::{counted, grouped};
use cache_query::Change;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::html::rows::{NARROW, Rows, Viewport};
use crate::view::parts::to::To;

/// The packages with builds that depend on one of the package's, and how many.
#[component]
pub(crate) fn Uses(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let name = index.dictionary(Facet::Package).text(package);
    let viewport: Viewport = expect_context();
    let height = Signal::derive(move || if viewport.width() < NARROW { 44 } else { 32 });
    let content = move || {
        if explorer.dependencies().is_none() {
            return view! { <p class="loading" role="status">"Loading…"</p> }.into_any();
        }
        let uses = used_by(index, package);
        if uses.is_empty() {
            return view! { <p class="muted">"Nothing in this cache depends on it."</p> }
                .into_any();
        }
        let count = counted(uses.len(), "package depends", "packages depend");
        let items = Signal::derive({
            let places: Vec<usize> = (0..uses.len()).collect();
            move || places.clone()
        });
        let uses = StoredValue::new(uses);
        let row = move |place: usize| {
            let (user, builds, question) = uses.with_value(|uses| {
                (uses[place].package, uses[place].builds, uses[place].question.clone())
            });
            view! {
                <tr class="row">
                    <th scope="row">
                        <To change=Change::Ask(Box::new(question))>
                            <bdi>{index.dictionary(Facet::Package).text(user)}</bdi>
                        </To>
                    </th>
                    <td class="number">{grouped(builds as usize)}</td>
                </tr>
            }
            .into_any()
        };
        view! {
            <p class="muted">
                {format!("{count} directly on {name}. Each number counts builds that depend on it, directly or not.")}
            </p>
            <table class="uses" aria-rowcount=move || items.with(Vec::len)>
                <caption class="heard">"Used by"</caption>
                <Rows items columns=2 height row/>
            </table>
        }
        .into_any()
    };
    view! { <section class="uses" aria-label="Used by">{content}</section> }
}
