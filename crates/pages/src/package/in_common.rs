//! What all builds of a table have in common, shown once above it.

use cache_advice::Alike;
use cache_index::facet::Facet;
use cache_index::number::counted;
use leptos::prelude::*;

use crate::parts::spec::Variants;
use site::explorer::Explorer;

/// One line with the fields and variants that all builds have.
#[component]
pub(crate) fn InCommon(
    /// What they have in common.
    alike: Memo<Alike>,
    /// The number of builds.
    count: Signal<usize>,
) -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let Alike { fields, variants, .. } = alike.get();
        if fields.is_empty() && variants.is_empty() {
            return None;
        }
        let fields = fields.into_iter().filter(|(facet, _)| *facet != Facet::Package);
        let fields = fields.map(|(facet, values)| {
            let name = facet.label_of_all();
            let texts = values.iter().map(|&code| explorer.index.dictionary(facet).text(code));
            let mut texts: Vec<&str> = texts.collect();
            if texts.len() > 1 {
                texts.retain(|text| !facet.holds_everything(text));
            }
            view! { <span class="fact"><span class="muted">{name}</span>" "<bdi>{texts.join(", ")}</bdi></span> }
        });
        Some(view! {
            <p class="alike" data-testid="alike">
                <span class="fact">{format!("Same in all {}:", counted(count.get(), "build", "builds"))}</span>
                {fields.collect_view()}
                {(!variants.is_empty()).then(|| view! { <Variants variants/> })}
            </p>
        })
    }
}
