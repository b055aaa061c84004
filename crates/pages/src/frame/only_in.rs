//! Where filters by stack choose builds and a user may have meant packages: how many packages only the chosen stack has, each of
//! the chosen ones, or none of its builds, and where they are listed.

use cache_advice::{InEach, NotIn, OnlyIn};
use cache_index::facet::Facet;
use cache_index::number::counted;
use cache_query::{Change, Match, MatrixRows, Tab, View, apply};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// What is said: why the list is another one, how many packages were perhaps meant, and what leads to them.
type Said = (String, String, Vec<Change>);

/// Draws it above the list of packages.
pub(super) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let asked = memo(move || {
        let is_list = explorer.view().with(|view| matches!(view, View::Packages));
        let is_all = explorer
            .with_presentation(|shown| matches!(shown.rows, MatrixRows::All | MatrixRows::Gaps));
        let index = explorer.index;
        // What a search depends on may still be loading.
        if explorer.is_searching() {
            return None;
        }
        let asked = || {
            explorer.with_question(|question| {
                if question.awaits_parts() {
                    return None;
                }
                let only = || OnlyIn::of_one(index, question).map(only_in);
                let only = OnlyIn::asked(index, question).map(only_in).or_else(|| {
                    let typed = explorer.search_text();
                    let says_only = typed.split_whitespace().any(|word| word == "only");
                    says_only.then(only)?
                });
                only.or_else(|| NotIn::asked(index, question).map(not_in))
                    .or_else(|| InEach::asked(index, question).map(in_each))
            })
        };
        (is_list && is_all).then(asked).flatten()
    });
    let said = move || {
        asked.get().map(|(why, words, changes)| {
            view! {
                <ul class="search-notes" data-testid="only-in-stack">
                    <li><bdi>{why}</bdi>" "<a href=address(explorer, changes)><bdi>{words}</bdi></a></li>
                </ul>
            }
        })
    };
    said.into_any()
}

fn only_in(OnlyIn { stack, others, packages }: OnlyIn) -> Said {
    let packages = counted(packages, "package", "packages");
    let include = |stack: String| Change::Include(Facet::Stack, stack);
    let (elsewhere, named, mut changes) = match others.as_slice() {
        // Beside all others.
        [] => ("other stacks".to_owned(), "in no other stack".to_owned(), {
            vec![Change::Remove(Facet::Stack, vec![stack.clone()])]
        }),
        _ => {
            let named = others.join(" or ");
            (named.clone(), format!("not in {named}"), others.into_iter().map(include).collect())
        }
    };
    let why = format!(
        "Filters choose builds, so packages that also have builds in {elsewhere} stay listed."
    );
    let words = format!("{packages} in {stack} and {named}");
    changes.extend([Change::Tab(Tab::Coverage), Change::ShowRows(MatrixRows::OnlyIn(stack))]);
    (why, words, changes)
}

fn not_in(NotIn { stack, packages }: NotIn) -> Said {
    let why =
        format!("Filters choose builds, so packages that also have builds in {stack} stay listed.");
    let packages = counted(packages, "package", "packages");
    let words = format!("{packages} without a build in {stack}");
    let changes = vec![
        Change::Include(Facet::Stack, stack),
        Change::Tab(Tab::Coverage),
        Change::ShowRows(MatrixRows::Gaps),
    ];
    (why, words, changes)
}

fn in_each(InEach { stacks, packages }: InEach) -> Said {
    let why = format!(
        "Filters choose builds: these are the builds that are in {} at once. Each stack mostly has builds of its own.",
        stacks.join(" and ")
    );
    let words = format!("{} with builds in each", counted(packages, "package", "packages"));
    let changes = vec![
        Change::Match(Facet::Stack, Match::Any),
        Change::Tab(Tab::Coverage),
        Change::ShowRows(MatrixRows::InEach),
    ];
    (why, words, changes)
}

/// Returns the address of these packages: by stack, with a column for each of the stacks.
fn address(explorer: Explorer, changes: Vec<Change>) -> String {
    explorer.with_query(|query| {
        let query = changes.into_iter().fold(query.clone(), |query, change| apply(&query, change));
        history::address(&query)
    })
}
