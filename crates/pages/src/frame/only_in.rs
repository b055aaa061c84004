//! Filters by stack or release choose builds, although a user may have meant packages. These notes say how many packages
//! only the chosen stack has, each of the chosen stacks has, or the excluded stack does not have, and link to the list of
//! them.

use cache_advice::{InEach, NotIn, OnlyIn, OnlyInRelease};
use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;
use cache_query::{
    AskedChanges, AskedSide, Change, Class, Match, MatrixRows, Question, Tab, View, apply,
};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// The contents of such a note.
#[derive(Clone, PartialEq)]
struct Said {
    /// Why the list below shows something else.
    why: String,
    /// What was perhaps meant: its number in words, and the changes that lead to it.
    links: Vec<(String, Vec<Change>)>,
    /// What may surprise about it, without a full stop.
    note: Option<String>,
}

/// Draws the note above the list of packages.
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
                let only_one = || {
                    let of_stack = OnlyIn::of_one(index, question).map(|only| only_in(index, only));
                    let of_release = || OnlyInRelease::of_one(index, question);
                    of_stack.or_else(|| of_release().map(|only| only_in_release(question, only)))
                };
                let only = OnlyIn::asked(index, question).map(|only| only_in(index, only));
                let only = only.or_else(|| {
                    let typed = explorer.search_text();
                    let says_only = typed.split_whitespace().any(|word| word == "only");
                    says_only.then(only_one)?
                });
                let of_release = || {
                    let only = OnlyInRelease::asked(index, question)?;
                    Some(only_in_release(question, only))
                };
                only.or_else(of_release)
                    .or_else(|| NotIn::asked(index, question).map(not_in))
                    .or_else(|| InEach::asked(index, question).map(in_each))
            })
        };
        (is_list && is_all).then(asked).flatten()
    });
    let said = move || {
        asked.get().map(|Said { why, links, note }| {
            let links = links.into_iter().map(|(words, changes)| {
                view! { " "<a href=address(explorer, changes)><bdi>{words}</bdi></a>"." }
            });
            view! {
                <ul class="search-notes" data-testid="only-in-stack">
                    <li>
                        <bdi>{why}</bdi>{links.collect_view()}
                        {note.map(|note| view! { " "{note}"." })}
                    </li>
                </ul>
            }
        })
    };
    said.into_any()
}

fn only_in(index: &Index, only: OnlyIn) -> Said {
    let OnlyIn { stack, release, others, packages, beside } = only;
    let is_beside_all = others.is_empty();
    let has_whole = is_beside_all && index.all_places().any(|place| place.is_whole_release());
    let packages = counted(packages, "package", "packages");
    let include = |stack: String| Change::Include(Facet::Stack, stack);
    let (elsewhere, named, mut changes) = match others.as_slice() {
        // Compared with all other stacks.
        [] => {
            let of = release.as_ref().map_or(String::new(), |release| format!(" of {release}"));
            let changes = vec![Change::Remove(Facet::Stack, vec![stack.clone()])];
            ("other stacks".to_owned(), format!("in no other stack{of}"), changes)
        }
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
    let note = OnlyIn::sentence_beside(beside).or_else(|| {
        has_whole.then(|| {
            format!("{}, the whole release, does not count as another stack", Place::WHOLE_RELEASE)
        })
    });
    Said { why, links: vec![(words, changes)], note }
}

fn only_in_release(question: &Question, only: OnlyInRelease) -> Said {
    let OnlyInRelease { release, others, builds, packages } = only;
    // If a stack is chosen, the comparison is of that stack in both.
    let stack = match question.choice(Facet::Stack).included() {
        [stack] => format!("/{stack}"),
        _ => String::new(),
    };
    let others_named: Vec<String> = others.iter().map(|other| format!("{other}{stack}")).collect();
    let named = others_named.join(" or ");
    let is_excluded = !question.choice(Facet::Release).excluded().is_empty();
    let why = match is_excluded {
        true => format!(
            "Filters choose builds, so packages that also have builds in {named} stay listed."
        ),
        false => format!("What is in {named} too stays listed."),
    };
    let there =
        release.as_ref().map_or(String::new(), |release| format!(" in {release}{stack} and"));
    let not = format!("{there} not in {named}");
    let between = match (&release, others.as_slice()) {
        (Some(release), [other]) => {
            let side = |name: &str| AskedSide::Named(format!("{name}{stack}"));
            Some(AskedChanges::Between { old: side(other), new: side(release) })
        }
        _ => None,
    };
    let mut links = Vec::new();
    if !is_excluded {
        let exclude = |other: &String| Change::ToggleExcluded(Facet::Release, other.clone());
        let builds = counted(builds as usize, "build", "builds");
        links.push((format!("{builds}{not}"), others.iter().map(exclude).collect()));
    }
    if let Some(sides) = between {
        let changes = vec![
            Change::ClearFacet(Facet::Release),
            Change::ClearFacet(Facet::Stack),
            Change::OpenChanges(sides),
            Change::ShowClass(Some(Class::NewPackage)),
        ];
        links.push((format!("{}{not}", counted(packages, "package", "packages")), changes));
    }
    Said { why, links, note: None }
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
    Said { why, links: vec![(words, changes)], note: None }
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
    Said { why, links: vec![(words, changes)], note: None }
}

/// Returns the address of these packages: by stack, with a column for each of the stacks.
fn address(explorer: Explorer, changes: Vec<Change>) -> String {
    explorer.with_query(|query| {
        let query = changes.into_iter().fold(query.clone(), |query, change| apply(&query, change));
        history::address(&query)
    })
}
