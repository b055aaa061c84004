//! The rest of the app: the pages, parts and dialogs that the page does without until its first answer.
//!
//! It is downloaded after that, as a second module. The first module reaches it through a door: [`rest`] is all that it
//! gets. What is shared with a first visit, above all the [`Explorer`](site::explorer::Explorer) with the query and its
//! answers, is in the crate of the site.
//!
//! - [`build`], [`changes`], [`compare`], [`environment`], [`package`]: a module for each page.
//! - [`front`]: the parts of the front page besides the list of packages.
//! - [`frame`]: what surrounds every page: notes on a search, the form for the machine, more filters.
//! - [`parts`]: what these are made of; [`table_layout`] decides how much about a build fits on a line.
//! - [`data`]: what is read of the index on request; [`browser`] fetches it, and calls `open.js`.

// The component macro writes `pub` whatever the visibility.
#![allow(unreachable_pub)]

mod browser;
mod build;
mod changes;
mod compare;
mod data;
mod environment;
mod frame;
mod front;
mod package;
mod parts;
mod table_layout;

use cache_advice::{complete, while_typing};
use cache_query::{Tab, View};
use leptos::prelude::*;
use site::door::{Piece, Rest};
use site::explorer::Advice;

use crate::browser::return_focus;
use crate::browser::scripting::SCRIPTING;
use crate::build::{Build, MalformedHash};
use crate::changes::WhatChanged;
use crate::compare::Compare;
use crate::data::{fits, recipes};
use crate::environment::Environment;
use crate::frame::{keys, notes, panel, rail};
use crate::front::{About, OutdatedPackages, StackTable, UseIt, examples, help};
use crate::package::Package;
use crate::parts::empty::Empty;
use crate::parts::{beyond, formats};

/// Returns the functions of the rest of the app.
pub fn rest() -> Rest {
    Rest {
        begin: return_focus::follow,
        take_whole: recipes::take_list,
        draw,
        advice: Advice { judge: fits::judge, complete, while_typing },
        scripting: SCRIPTING,
    }
}

fn draw(piece: Piece) -> AnyView {
    match piece {
        Piece::Page(view) => draw_page(view),
        Piece::Tab(tab) => draw_tab(tab),
        Piece::Empty => view! { <Empty/> }.into_any(),
        Piece::Beyond => beyond::draw(),
        Piece::Examples => examples::draw(),
        Piece::Notes => notes(),
        Piece::Machine => panel::draw(),
        Piece::StatedOfMachine => panel::draw_stated(),
        Piece::Verdicts => rail::verdicts(),
        Piece::MoreFilters => rail::more_filters(),
        Piece::Keys => keys::draw(),
        Piece::Formats(saving) => formats::draw(saving),
    }
}

fn draw_page(view: View) -> AnyView {
    match view {
        View::Build(hash) => view! { <Build hash/> }.into_any(),
        View::MalformedHash(text) => view! { <MalformedHash text/> }.into_any(),
        View::Compare(hashes) => view! { <Compare hashes/> }.into_any(),
        View::Environment => view! { <Environment/> }.into_any(),
        View::Package(name) => view! { <Package name/> }.into_any(),
        View::Changes => view! { <WhatChanged/> }.into_any(),
        // The first module draws the list of packages.
        View::Packages => ().into_any(),
    }
}

/// Draws a part of the front page.
fn draw_tab(tab: Tab) -> AnyView {
    match tab {
        Tab::Coverage => view! { <StackTable/> }.into_any(),
        Tab::Outdated => view! { <OutdatedPackages/> }.into_any(),
        Tab::Install => view! { <UseIt/> }.into_any(),
        Tab::About => view! { <About/> }.into_any(),
        Tab::Help => help::draw(),
        // The list is drawn by the front page itself, and the others are parts of a package's page.
        Tab::List | Tab::Uses => ().into_any(),
    }
}
