//! A value in a list of the rail: a checkbox with a label and a number of builds.

use cache_index::number::grouped;
use maud::{Markup, html};

use crate::html::action::Action;

/// A value, and whether it is chosen.
pub struct Value<'a> {
    /// Its name for screen readers.
    pub name: &'a str,
    /// What is shown.
    pub label: Markup,
    /// The number of builds.
    pub count: u32,
    /// Builds must have it, or another of the included values.
    pub included: bool,
    /// Builds must not have it.
    pub excluded: bool,
    /// The largest number of builds of any value in the list; without it, no bar is drawn.
    pub largest: Option<u32>,
    /// What ticking it does.
    pub action: Action,
    /// The Tab key stops here; arrow keys reach the others.
    pub is_stop: bool,
    /// What follows the label.
    pub buttons: Markup,
}

impl Value<'_> {
    /// Writes the value.
    pub fn write(self) -> Markup {
        let Value { name, count, included, excluded, .. } = self;
        // The styles compute the fraction.
        let share = self.largest.map(|largest| format!("--share:{count}/{largest}"));
        html! {
            li.value.none[count == 0].included[included].excluded[excluded && !included]
                data-style=[share]
                data-key=(name)
            {
                label {
                    // Otherwise, browsers restore a box after a reload, which the app would take for a click.
                    input
                        type="checkbox"
                        tabindex=(if self.is_stop { "0" } else { "-1" })
                        autocomplete="off"
                        data-do=(self.action)
                        aria-label=(name)
                        checked[included];
                    (self.label)
                    span.count { (grouped(count as usize)) }
                }
                (self.buttons)
            }
        }
    }
}
