//! What an element of a list does when the user presses, ticks, scrolls it or types into it.
//!
//! A list is a text of HTML, so an action is an attribute, [`DO`]: a verb, and what it applies to. Its text form is written
//! and read here and nowhere else; an action that cannot be read does nothing. A link needs none: its address says where it
//! leads.

use std::fmt;

use cache_index::facet::Facet;
use cache_query::{Column, Match};
use web_sys::Event;

use crate::browser;

/// The attribute with an action.
pub(crate) const DO: &str = "data-do";

/// What an element does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Goes where the first link in the element leads.
    Follow,
    /// Sorts the table by a column.
    Sort(Column),
    /// Removes the filter with this place among the active ones.
    RemoveFilter(usize),
    /// Removes all filters.
    ClearFilters,
    /// Opens or closes a facet.
    Fold(Facet),
    /// Shows all values of a facet, or only the first again.
    ShowAll(Facet),
    /// Searches the values of a facet for what is typed.
    Search(Facet),
    /// Shows the values of a facet that are scrolled to.
    Scroll(Facet),
    /// Asks for one or for all of the chosen values.
    Match(Facet, Match),
    /// Includes a value, or no longer does.
    Toggle(Facet, String),
    /// Includes a value alone.
    Only(Facet, String),
    /// Excludes a value, or no longer does.
    Exclude(Facet, String),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut write = |verb: &str, of: &str, value: &str| {
            let space = |text: &str| if text.is_empty() { "" } else { " " };
            write!(f, "{verb}{}{of}{}{value}", space(of), space(value))
        };
        match self {
            Action::Follow => write("follow", "", ""),
            Action::Sort(column) => write("sort", column.key(), ""),
            Action::RemoveFilter(place) => write("remove", &place.to_string(), ""),
            Action::ClearFilters => write("clear", "", ""),
            Action::Fold(facet) => write("fold", facet.key(), ""),
            Action::ShowAll(facet) => write("show-all", facet.key(), ""),
            Action::Search(facet) => write("search", facet.key(), ""),
            Action::Scroll(facet) => write("scroll", facet.key(), ""),
            Action::Match(facet, Match::Any) => write("any-of", facet.key(), ""),
            Action::Match(facet, Match::All) => write("all-of", facet.key(), ""),
            Action::Toggle(facet, value) => write("toggle", facet.key(), value),
            Action::Only(facet, value) => write("only", facet.key(), value),
            Action::Exclude(facet, value) => write("not", facet.key(), value),
        }
    }
}

impl Action {
    /// Reads an action; `None` if it is not one.
    fn read(text: &str) -> Option<Action> {
        let (verb, of) = text.split_once(' ').unwrap_or((text, ""));
        let (key, value) = of.split_once(' ').unwrap_or((of, ""));
        let facet = || Facet::from_key(key);
        Some(match verb {
            "follow" => Action::Follow,
            "sort" => Action::Sort(Column::from_key(key)?),
            "remove" => Action::RemoveFilter(key.parse().ok()?),
            "clear" => Action::ClearFilters,
            "fold" => Action::Fold(facet()?),
            "show-all" => Action::ShowAll(facet()?),
            "search" => Action::Search(facet()?),
            "scroll" => Action::Scroll(facet()?),
            "any-of" => Action::Match(facet()?, Match::Any),
            "all-of" => Action::Match(facet()?, Match::All),
            "toggle" => Action::Toggle(facet()?, value.to_owned()),
            "only" => Action::Only(facet()?, value.to_owned()),
            "not" => Action::Exclude(facet()?, value.to_owned()),
            _ => return None,
        })
    }

    /// Returns the kind of event that the action waits for.
    fn event(&self) -> &'static str {
        match self {
            Action::Toggle(..) => "change",
            Action::Search(_) => "input",
            Action::Scroll(_) => "scroll",
            _ => "click",
        }
    }

    /// Returns the action of the innermost element around an event that has one.
    pub(super) fn of(event: &Event) -> Option<Action> {
        let element = browser::closest(event, &format!("[{DO}]"))?;
        let action = Action::read(&element.get_attribute(DO)?)?;
        (action.event() == event.type_()).then_some(action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let value = "a b  +c".to_owned();
        for action in [
            Action::Follow,
            Action::Sort(Column::Facet(Facet::Version)),
            Action::RemoveFilter(12),
            Action::ClearFilters,
            Action::Fold(Facet::Stack),
            Action::ShowAll(Facet::Os),
            Action::Search(Facet::Variant),
            Action::Scroll(Facet::Target),
            Action::Match(Facet::Stack, Match::Any),
            Action::Match(Facet::Stack, Match::All),
            Action::Toggle(Facet::Compiler, value.clone()),
            Action::Toggle(Facet::Stack, String::new()),
            Action::Only(Facet::Compiler, value.clone()),
            Action::Exclude(Facet::Compiler, value),
        ] {
            assert_eq!(Action::read(&action.to_string()), Some(action));
        }
    }

    #[test]
    fn does_nothing_that_it_cannot_read() {
        for text in ["", "clear-all", "remove", "remove -1", "sort", "only", "toggle color red"] {
            assert_eq!(Action::read(text), None, "{text}");
        }
    }
}
