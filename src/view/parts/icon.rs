//! Small icons, drawn here because no font can be relied on to have them.

use leptos::prelude::*;
use leptos::tachys::html::InertElement;
use maud::{Markup, html};

/// An icon of 16 by 16 pixels in the colour of the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Two sheets: copies a text.
    Copy,
    /// A prompt: copies a command.
    Command,
    /// A tick: done.
    Done,
    /// A cross: refused, or removes something.
    Cross,
    /// A magnifying glass.
    Search,
    /// A half-filled disc: the system's colours.
    HalfDisc,
    /// A sun: light.
    Sun,
    /// A moon: dark.
    Moon,
    /// A tray with an arrow into it: opens files.
    Open,
    /// Three lines, each shorter than the last: filters.
    Filters,
    /// A list with ticks: an environment.
    List,
    /// A question mark: not known.
    Question,
}

impl Icon {
    /// Returns its outlines, drawn with round ends.
    fn path(self) -> &'static str {
        match self {
            Icon::Copy => "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
            Icon::Command => "M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10.5h3",
            Icon::Done => "M3 8.5l3.5 3.5L13 4.5",
            Icon::Cross => "M4 4l8 8M12 4l-8 8",
            Icon::Search => "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.5 3.5",
            Icon::HalfDisc => {
                "M8 2.5a5.5 5.5 0 0 1 0 11zM8 2.5a5.5 5.5 0 0 0 0 11M8 5h2.5M8 8h5M8 11h2.5"
            }
            Icon::Sun => {
                "M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15\
                 M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"
            }
            Icon::Moon => "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z",
            Icon::Question => "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.5v.3",
            Icon::Open => "M8 2v7M5 6.5l3 3 3-3M2.5 9.5v4h11v-4",
            Icon::List => "M2 4l1 1 2-2M2 10l1 1 2-2M8 4h6M8 10.5h6",
            Icon::Filters => "M2 4h12M4 8h8M6.5 12h3",
        }
    }

    /// Draws the icon; text next to it says what it means.
    pub fn draw(self) -> impl IntoView {
        InertElement::new(self.write().into_string())
    }

    /// Writes the same icon as HTML.
    pub fn write(self) -> Markup {
        html! {
            svg.icon-picture viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" {
                path d=(self.path()) {}
            }
        }
    }
}
