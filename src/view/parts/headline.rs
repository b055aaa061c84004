//! The headline of every list: how many builds and packages there are, under which filters.

use cache_index::facet::Facet;
use cache_index::number::{counted, grouped};
use cache_query::{Change, Filter, Match, View, constants};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::history;
use crate::browser::tasks::{Latest, wait};
use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::later::after_first_view;
use crate::html::list::list;
use crate::memo::memo;
use crate::view::parts::copy::Copy;
use crate::view::parts::icon::Icon;
use crate::view::parts::sheet::SheetButton;

/// How long the answer must be unchanged before it is read out, in milliseconds.
const PAUSE: i32 = 700;

/// The number of matching builds, and the filters as chips.
#[component]
pub fn Headline() -> impl IntoView {
    let explorer = Explorer::here();
    let total = memo(move || {
        let answer = explorer.answer();
        let builds = counted(answer.builds as usize, "build", "builds");
        let in_package = explorer.view().with(|view| matches!(view, View::Package(_)));
        match in_package {
            true => builds,
            false => {
                format!("{builds} of {}", counted(answer.packages as usize, "package", "packages"))
            }
        }
    });
    // A value that all builds of the cache have is not worth a facet, but worth a mention.
    let constant = memo(move || {
        let in_package = explorer.view().with(|view| matches!(view, View::Package(_)));
        let texts = match in_package {
            true => Vec::new(),
            false => constants(explorer.index, &explorer.baseline()),
        };
        (!texts.is_empty()).then(|| format!("all in {}", texts.join(" · ")))
    });
    view! { <Total total constant/> }
}

/// The first line of a page: what was found, under which filters, and what can be done with all of it.
#[component]
pub fn Total(
    /// What was found, which is read out when it changes.
    total: Memo<String>,
    /// What all builds have in common.
    #[prop(optional)]
    constant: Option<Memo<Option<String>>>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        html! {
            p.total data-testid="total" { (total.get()) }
            @if let Some(text) = constant.and_then(|constant| constant.get()) {
                p.constant.muted title=(text) { bdi { (text) } }
            }
            (chips(explorer))
        }
    };
    let act = move |action, _: &_| match action {
        Action::RemoveFilter(place) => {
            if let Some(filter) = untrack(|| filters(explorer)).get(place) {
                explorer.go(filter.removal(explorer.index));
            }
        }
        Action::ClearFilters => explorer.go(Change::ClearAll),
        _ => {}
    };
    let spoken = after_first_view(move || view! { <Spoken text=total/> });
    let share = Callback::new(move |()| explorer.with_query(history::whole_address));
    view! {
        <div class="headline">
            {list("summary", "summary", NodeRef::new(), write, act)}
            <span class="actions">
                <SheetButton/>
                <Copy text=share label="Copy link"/>
            </span>
        </div>
        {spoken}
    }
}

/// Reads out a text once, after a pause.
#[component]
pub(crate) fn Spoken(
    /// The text, which is read out when it changes.
    text: Memo<String>,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let latest = Latest::default();
    Effect::new(move |before: Option<String>| {
        let now = text.get();
        if before.is_some_and(|before| before != now) {
            let now = now.clone();
            latest.begin(async move {
                wait(PAUSE).await;
                said.set(now);
            });
        }
        now
    });
    view! { <p class="heard" role="status">{said}</p> }
}

/// How many filters are shown as chips; others become chips as these are removed.
const MOST_CHIPS: usize = 40;

/// Returns the filters that are on, each with one value.
fn filters(explorer: Explorer) -> Vec<Filter> {
    // What may be the beginning of a hash is part of a name if no hash begins like that.
    let index = explorer.hashes().unwrap_or(explorer.index);
    let filters = explorer.with_question(|question| Filter::all(index, question));
    filters.into_iter().flat_map(Filter::by_value).collect()
}

/// Writes the filters, each with a button that removes it.
fn chips(explorer: Explorer) -> Markup {
    let chips = filters(explorer);
    let others = chips.len().saturating_sub(MOST_CHIPS);
    let matching_all = explorer.with_question(|question| {
        let all = |facet: &Facet| {
            let choice = question.choice(*facet);
            choice.matching() == Match::All && choice.included().len() > 1
        };
        let facets: Vec<&str> = Facet::ALL.into_iter().filter(all).map(Facet::label).collect();
        (!facets.is_empty()).then(|| format!("all of {}", facets.join(", ")))
    });
    html! {
        @if !chips.is_empty() {
            ul.chips aria-label="Filters that are on" {
                @for (place, chip) in chips.iter().take(MOST_CHIPS).enumerate() {
                    @let (field, value) = chip.words();
                    li {
                        button.chip.excluded[matches!(chip, Filter::Excluded(..))]
                            type="button"
                            data-do=(Action::RemoveFilter(place))
                            aria-label=(format!("Remove {field} {value}"))
                        {
                            span.field { (field) }
                            " "
                            bdi { (value) }
                            (Icon::Cross.write())
                        }
                    }
                }
                @if others > 0 { li.muted { "and " (grouped(others)) " more" } }
                @if let Some(text) = matching_all { li.muted { (text) } }
                li { button.plain type="button" data-do=(Action::ClearFilters) { "Clear all" } }
            }
        }
    }
}
