//! Where a stack is chosen and another one excluded: how many packages only the chosen one has, and where they are listed.

use cache_advice::OnlyIn;
use cache_index::facet::Facet;
use cache_index::number::counted;
use cache_query::{Change, MatrixRows, Tab, View, apply};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// Draws it above the list of packages, unless just these are shown.
pub(super) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let asked = memo(move || {
        let is_list = explorer.view().with(|view| matches!(view, View::Packages));
        let all = explorer.with_presentation(|shown| !matches!(shown.rows, MatrixRows::OnlyIn(_)));
        let asked = || explorer.with_question(|question| OnlyIn::asked(explorer.index, question));
        (is_list && all).then(asked).flatten()
    });
    let said = move || {
        asked.get().map(|only| {
            let words = counted(only.packages, "package", "packages");
            let words = format!("{words} only in {}", only.stack);
            let others = only.others.join(" or ");
            view! {
                <ul class="search-notes" data-testid="only-in-stack">
                    <li>
                        "Filters choose builds, so packages that also have builds in "<bdi>{others}</bdi>
                        " stay listed. "
                        <a href=address(explorer, only)><bdi>{words}</bdi></a>
                    </li>
                </ul>
            }
        })
    };
    said.into_any()
}

/// Returns the address of these packages: by stack, with a column for each of the stacks.
fn address(explorer: Explorer, OnlyIn { stack, others, .. }: OnlyIn) -> String {
    let include = |stack: String| Change::Include(Facet::Stack, stack);
    let changes = others
        .into_iter()
        .map(include)
        .chain([Change::Tab(Tab::Coverage), Change::ShowRows(MatrixRows::OnlyIn(stack))]);
    explorer.with_query(|query| {
        let query = changes.fold(query.clone(), |query, change| apply(&query, change));
        history::address(&query)
    })
}
