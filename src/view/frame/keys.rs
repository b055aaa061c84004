//! The keyboard shortcuts, and the dialog that lists them.

use leptos::prelude::*;

use crate::browser::{self, tasks};
use crate::door::{Piece, with_rest};

/// The id of the dialog.
const DIALOG: &str = "keys";

/// The button that copies the commands of a build; those that are folded up are not meant.
const SHOWN_COMMANDS: &str = "main .steps:not(details:not([open]) *) + .line .copy";

/// Handles the shortcuts on the whole page from now on.
pub(crate) fn listen_for_keys() {
    browser::on_key(|event| {
        if event.key() == "Escape" {
            browser::close_menus();
            return false;
        }
        let with_others = event.ctrl_key() || event.meta_key() || event.alt_key();
        if with_others {
            return false;
        }
        let key = event.key();
        let moves = key.starts_with("Arrow");
        if moves && (browser::step_in_facet(&key) || key == "ArrowDown" && browser::leave_search())
        {
            return true;
        }
        if browser::is_typing() || browser::is_in_dialog() {
            return false;
        }
        match key.as_str() {
            "/" => browser::focus("search"),
            "j" => browser::step_in_table(true, true),
            "k" => browser::step_in_table(false, true),
            "ArrowDown" => browser::step_in_table(true, false),
            "ArrowUp" => browser::step_in_table(false, false),
            "x" => browser::press_in_row(".c-pick input") || go_to_first_of_line(),
            "v" => browser::press_first(".picks .main"),
            "c" => {
                browser::press_in_row(".c-copy button:last-of-type")
                    || go_to_first_of_line()
                    || browser::press_first(SHOWN_COMMANDS)
            }
            "?" => browser::open_dialog(DIALOG),
            _ => false,
        }
    });
    browser::close_menus_on_click_elsewhere();
}

/// Goes from the row of builds that look alike to the first of them, and opens the row if it is closed; returns `false` on
/// any other row.
fn go_to_first_of_line() -> bool {
    if browser::press_in_row(".c-hash button[aria-expanded=false]") {
        tasks::spawn(async {
            tasks::painted().await;
            browser::step_in_table(true, true);
        });
        return true;
    }
    browser::has_in_row(".c-hash button[aria-expanded=true]") && browser::step_in_table(true, true)
}

/// The list of shortcuts, initially closed. Its lines are drawn when the rest of the app has arrived: nobody needs them for
/// the first answer.
#[component]
pub(crate) fn Keys() -> impl IntoView {
    view! {
        <dialog id=DIALOG aria-labelledby="keys-title">
            <form method="dialog">
                <h2 id="keys-title">"Keyboard"</h2>
                {with_rest(Piece::Keys)}
                <button class="button">"Close"</button>
            </form>
        </dialog>
    }
}
