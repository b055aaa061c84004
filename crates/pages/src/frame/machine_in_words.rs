//! What the page offers for a machine or a processor that is named in the search box and that no filter expresses.

use cache_advice::machine_words::DescribedMachine;
use cache_advice::without_machine;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::search::{Problem, Search, asks_nothing};
use leptos::prelude::*;
use spack_spec::{Spec, Target};

use site::view::frame::machine::{AskMachine, KnownOfMachine};

/// A machine that a search names, and that its filters do not express.
#[derive(Clone, PartialEq)]
pub(super) struct MachineInWords {
    /// What is known about builds for its OS.
    said: String,
    /// The complete text.
    text: String,
    /// The words about the machine.
    machine: String,
    /// The other words.
    rest: String,
}

impl MachineInWords {
    pub(super) fn of(index: &Index, text: &str) -> Option<MachineInWords> {
        let described = DescribedMachine::read(text);
        let os = described.os.value()?;
        // The name of a build's file contains the machine that it was made for.
        let names_build = |spec: &Spec| spec.root.hash.is_some();
        if Search::read(index, text).spec().is_some_and(names_build) {
            return None;
        }
        let decides = match described.platform.value() {
            Some("linux") => "; its libc decides which of the others run",
            Some("darwin") => "; it takes what was built on an older macOS",
            _ => "",
        };
        let said = match index.dictionary(Facet::Os).code(os) {
            None => format!("No build is made for {os}{decides}."),
            Some(_) => "To see which builds run on it:".to_owned(),
        };
        let (rest, machine) = without_machine(text, &described);
        // `is hdf5 there for rhel8`.
        let machine = without_fillers(&machine);
        Some(MachineInWords { said, text: text.to_owned(), machine, rest })
    }
}

/// Returns a text without the words that ask for nothing.
fn without_fillers(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !asks_nothing(word));
    let text = words.collect::<Vec<_>>().join(" ");
    text.trim_end_matches(['?', '!', ',', '.']).to_owned()
}

/// Finds the model of a processor in a text, and returns it as a problem with the words about it.
pub(super) fn processor_in(text: &str) -> Option<Problem> {
    let described = DescribedMachine::read(text);
    let target = Target::named(described.target.value()?)?;
    let (_, machine) = without_machine(text, &described);
    let machine = without_fillers(&machine);
    // `intel` is more likely a compiler.
    let names_model = machine.bytes().any(|byte| byte.is_ascii_digit());
    let start = text.find(&machine).filter(|_| names_model)?;
    if machine.eq_ignore_ascii_case(target.name()) {
        return None;
    }
    let message = format!("{machine} is {}", target.name());
    let problem = Problem::about(start..start + machine.len(), message);
    Some(Problem { target: Some(target.name()), ..problem })
}

/// Draws a list item that makes this the user's machine.
pub(super) fn draw_machine(
    MachineInWords { said, machine, text, rest }: MachineInWords,
) -> AnyView {
    let ask: AskMachine = expect_context();
    let offer = format!("My machine is {machine}");
    let known = KnownOfMachine { words: machine, within: Some((text, rest)) };
    let press = move |_| ask.for_rest_of(known.clone());
    view! {
        <li>
            <bdi>{said}</bdi>
            " "
            <button type="button" class="plain" on:click=press><bdi>{offer}</bdi></button>
        </li>
    }
    .into_any()
}
