//! The top of every page: the way home, the search box, the theme.

use cache_query::{AskedEnvironment, Change};
use leptos::prelude::*;

use crate::browser::Theme;
use crate::explorer::Explorer;
use crate::view::frame::machine::Machine;
use crate::view::frame::search::Search;
use crate::view::parts::icon::Icon;
use crate::view::parts::query_link::QueryLink;
use crate::view::parts::sheet::Sheet;

/// The top of every page.
#[component]
pub(crate) fn Masthead() -> impl IntoView {
    // From anywhere, this leads to the list of all packages, without filters.
    let home = Change::Ask(Box::default());
    let name = Explorer::here().index.about().title.as_deref().unwrap_or("Build cache");
    let sheet: Sheet = expect_context();
    view! {
        <header class="masthead" inert=move || sheet.is_open()>
            <QueryLink change=home class="brand" title="All packages, without filters" label=name>
                <span class="mark" aria-hidden="true">"◆"</span>
                <span class="brand-name">{name}</span>
            </QueryLink>
            <Search/>
            <span class="masthead-end">
                <Machine/>
                <QueryLink
                    change=Change::OpenEnvironment(AskedEnvironment::default())
                    class="open-cache"
                    title="How much of my environment is in the cache?"
                    label="My environment"
                >
                    {Icon::List.draw()}
                    <span>"My environment"</span>
                </QueryLink>
                // loader.js listens for clicks on it, on this page and where the app could not start.
                <button type="button" class="open-cache" data-open="" title="Open a cache of your own (o)">
                    {Icon::Open.draw()}
                    <span>"Open…"</span>
                </button>
                <ThemeSwitch/>
            </span>
        </header>
    }
}

#[component]
fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(Theme::remembered());
    let name = move || match theme.get() {
        Theme::System => "as in the system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let icon = move || match theme.get() {
        Theme::System => Icon::HalfDisc.draw(),
        Theme::Light => Icon::Sun.draw(),
        Theme::Dark => Icon::Moon.draw(),
    };
    let next = move |_| {
        let next = match theme.get_untracked() {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        };
        next.choose();
        theme.set(next);
    };
    let label = move || format!("Colours: {}", name());
    view! {
        <button type="button" class="icon" aria-label=label title=label on:click=next>
            {icon}
        </button>
    }
}
