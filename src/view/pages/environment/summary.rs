//! How much is in the cache, as bars: of all specs, of those needed to run, and of those that were asked for.

use cache_advice::environment::Counts;
use cache_index::number::grouped;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::pages::environment::state::Judged;

/// A bar for each group of nodes.
#[component]
pub(super) fn Summary(
    /// What is known.
    judged: Judged,
) -> impl IntoView {
    let Judged { environment, assessment, .. } = judged;
    let roots = assessment.coverage.counts_of_roots(&environment);
    let rows = [
        ("All specs", assessment.counts),
        ("Needed to run", assessment.counts_to_run),
        ("Asked for", roots),
    ];
    let (bytes, unknown) = assessment.bytes_to_run(Explorer::here().index, &environment);
    let download = (bytes > 0).then(|| {
        let beside = match unknown {
            0 => String::new(),
            unknown => format!(", and {} of unknown size", grouped(unknown)),
        };
        let size = size(bytes);
        view! { <p class="muted">{format!("{size} to download for what is needed to run{beside}")}</p> }
    });
    view! {
        <table class="shares" data-testid="summary">
            <caption class="heard">"How much is in the cache"</caption>
            <thead class="heard">
                <tr>
                    <th scope="col">"Specs"</th>
                    <th scope="col">"Share"</th>
                    <th scope="col">"In the cache"</th>
                    <th scope="col">"Missing"</th>
                    <th scope="col">"External"</th>
                </tr>
            </thead>
            <tbody>{rows.map(|(name, counts)| row(name, counts)).collect_view()}</tbody>
        </table>
        {download}
    }
}

fn row(name: &'static str, counts: Counts) -> AnyView {
    let width = |part: usize| match counts.nodes {
        0 => "0".to_owned(),
        nodes => format!("{:.3}", part as f64 * 100.0 / nodes as f64),
    };
    let missing = width(counts.cached);
    let external = format!(
        "{:.3}",
        (counts.cached + counts.missing) as f64 * 100.0 / counts.nodes.max(1) as f64
    );
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="share">
                <svg width="100%" height="12" aria-hidden="true">
                    <rect class="cached" width=format!("{}%", width(counts.cached)) height="12"/>
                    <rect class="missing" x=format!("{missing}%") width=format!("{}%", width(counts.missing)) height="12"/>
                    <rect class="external" x=format!("{external}%") width=format!("{}%", width(counts.external)) height="12"/>
                </svg>
            </td>
            <td>{grouped(counts.cached)}" in the cache"</td>
            <td>{grouped(counts.missing)}" missing"</td>
            <td>{grouped(counts.external)}" external"</td>
        </tr>
    }
    .into_any()
}

/// Writes a number of bytes as people say it.
pub(super) fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}
