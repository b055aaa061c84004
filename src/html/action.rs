//! What an element of a list does when the user presses, ticks or scrolls it, or types into it.
//!
//! A list is written as HTML, so an action is an attribute, [`DO`]: a verb, and what it applies to. Its text form is written
//! and read here and nowhere else; an action that cannot be read does nothing. A link needs none: its address says where it
//! leads.

use std::fmt;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_query::host::Runs;
use cache_query::{Column, Match, PartFilter};
use web_sys::Event;

use crate::browser;

/// The attribute with an action.
pub(crate) const DO: &str = "data-do";

/// What an element does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Goes where the first link in the element leads.
    Follow,
    /// Sorts the table by a column.
    Sort(Column),
    /// Removes the active filter with this index.
    RemoveFilter(usize),
    /// Removes all filters.
    ClearFilters,
    /// Opens or closes the only thing that can be opened.
    Unfold,
    /// Opens or closes the line with this index in the list.
    UnfoldLine(usize),
    /// Opens or closes the line of builds that look alike, by the first of them.
    UnfoldBuilds(BuildId),
    /// Shows the words for which the line of a build has no room, or hides them.
    ShowWords(BuildId),
    /// Shows what has been left out.
    Expand,
    /// Selects a build, or deselects it.
    Select(Hash),
    /// Deselects a build.
    Deselect(Hash),
    /// Copies the hash of a build.
    CopyHash(BuildId),
    /// Copies the commands that install a build.
    CopyCommands(BuildId),
    /// Opens or closes a facet.
    UnfoldFacet(Facet),
    /// Shows all values of a facet, or only the first again.
    ShowAll(Facet),
    /// Searches the values of a facet for what is typed.
    Search(Facet),
    /// Shows the values of a facet that are scrolled to.
    Scroll(Facet),
    /// Asks for any or for all of the chosen values.
    Match(Facet, Match),
    /// Includes a value, or no longer includes it.
    Toggle(Facet, String),
    /// Includes only this value.
    Only(Facet, String),
    /// Excludes a value, or no longer excludes it.
    Exclude(Facet, String),
    /// Adds or removes the filter for builds with this verdict on the user's machine.
    ToggleRuns(Runs),
    /// Adds or removes the filter for builds that use the machine's GPUs.
    ToggleOnGpu,
    /// Adds or removes the filter for builds that first appeared on this day or later.
    ToggleSince(String),
    /// Adds or removes a filter on what another part of the index says.
    TogglePart(PartFilter),
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
            Action::Unfold => write("unfold", "", ""),
            Action::UnfoldLine(place) => write("unfold-line", &place.to_string(), ""),
            Action::UnfoldBuilds(first) => write("unfold-builds", &first.0.to_string(), ""),
            Action::ShowWords(build) => write("show-words", &build.0.to_string(), ""),
            Action::Expand => write("expand", "", ""),
            Action::Select(hash) => write("select", &hash.to_string(), ""),
            Action::Deselect(hash) => write("deselect", &hash.to_string(), ""),
            Action::CopyHash(build) => write("copy-hash", &build.0.to_string(), ""),
            Action::CopyCommands(build) => write("copy-commands", &build.0.to_string(), ""),
            Action::UnfoldFacet(facet) => write("unfold-facet", facet.key(), ""),
            Action::ShowAll(facet) => write("show-all", facet.key(), ""),
            Action::Search(facet) => write("search", facet.key(), ""),
            Action::Scroll(facet) => write("scroll", facet.key(), ""),
            Action::Match(facet, Match::Any) => write("any-of", facet.key(), ""),
            Action::Match(facet, Match::All) => write("all-of", facet.key(), ""),
            Action::Toggle(facet, value) => write("toggle", facet.key(), value),
            Action::Only(facet, value) => write("only", facet.key(), value),
            Action::Exclude(facet, value) => write("not", facet.key(), value),
            Action::ToggleRuns(runs) => write("runs", runs.key(), ""),
            Action::ToggleOnGpu => write("on-gpu", "", ""),
            Action::ToggleSince(since) => write("since", since, ""),
            Action::TogglePart(filter) => {
                let (key, value) = filter.words();
                write("part", key, &value)
            }
        }
    }
}

impl Action {
    /// Reads an action; `None` if it is not one.
    fn read(text: &str) -> Option<Action> {
        let (verb, of) = text.split_once(' ').unwrap_or((text, ""));
        let (key, value) = of.split_once(' ').unwrap_or((of, ""));
        let facet = || Facet::from_key(key);
        let build = || Some(BuildId(key.parse().ok()?));
        Some(match verb {
            "follow" => Action::Follow,
            "sort" => Action::Sort(Column::from_key(key)?),
            "remove" => Action::RemoveFilter(key.parse().ok()?),
            "clear" => Action::ClearFilters,
            "unfold" => Action::Unfold,
            "unfold-line" => Action::UnfoldLine(key.parse().ok()?),
            "unfold-builds" => Action::UnfoldBuilds(build()?),
            "show-words" => Action::ShowWords(build()?),
            "expand" => Action::Expand,
            "select" => Action::Select(key.parse().ok()?),
            "deselect" => Action::Deselect(key.parse().ok()?),
            "copy-hash" => Action::CopyHash(build()?),
            "copy-commands" => Action::CopyCommands(build()?),
            "unfold-facet" => Action::UnfoldFacet(facet()?),
            "show-all" => Action::ShowAll(facet()?),
            "search" => Action::Search(facet()?),
            "scroll" => Action::Scroll(facet()?),
            "any-of" => Action::Match(facet()?, Match::Any),
            "all-of" => Action::Match(facet()?, Match::All),
            "toggle" => Action::Toggle(facet()?, value.to_owned()),
            "only" => Action::Only(facet()?, value.to_owned()),
            "not" => Action::Exclude(facet()?, value.to_owned()),
            "runs" => Action::ToggleRuns(Runs::from_key(key)?),
            "on-gpu" => Action::ToggleOnGpu,
            "since" => Action::ToggleSince(of.to_owned()),
            "part" => Action::TogglePart(PartFilter::read(key, value)?),
            _ => return None,
        })
    }

    /// Returns the kind of event that the action waits for.
    fn event(&self) -> &'static str {
        match self {
            Action::Toggle(..)
            | Action::ToggleRuns(_)
            | Action::ToggleOnGpu
            | Action::ToggleSince(_)
            | Action::TogglePart(_)
            | Action::Select(_) => "change",
            Action::Search(_) => "input",
            Action::Scroll(_) => "scroll",
            _ => "click",
        }
    }

    /// Returns the action of the innermost element that has one: the target of an event, or an element around it.
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
        let hash = "zen4m7avmzdhjd5ef7uagasefviyo4pl".parse().expect("a hash");
        for action in [
            Action::Follow,
            Action::Sort(Column::Facet(Facet::Version)),
            Action::RemoveFilter(12),
            Action::ClearFilters,
            Action::Unfold,
            Action::UnfoldLine(3),
            Action::UnfoldBuilds(BuildId(7)),
            Action::ShowWords(BuildId(7)),
            Action::Expand,
            Action::Select(hash),
            Action::Deselect(hash),
            Action::CopyHash(BuildId(0)),
            Action::CopyCommands(BuildId(u32::MAX)),
            Action::UnfoldFacet(Facet::Stack),
            Action::ShowAll(Facet::Os),
            Action::Search(Facet::Variant),
            Action::Scroll(Facet::Target),
            Action::Match(Facet::Stack, Match::Any),
            Action::Match(Facet::Stack, Match::All),
            Action::Toggle(Facet::Compiler, value.clone()),
            Action::Toggle(Facet::Stack, String::new()),
            Action::Only(Facet::Compiler, value.clone()),
            Action::Exclude(Facet::Compiler, value),
            Action::ToggleRuns(Runs::Unknown),
            Action::ToggleOnGpu,
            Action::ToggleSince("2026-11-14".to_owned()),
            Action::TogglePart(PartFilter::License("GPL 2 or later".to_owned())),
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
