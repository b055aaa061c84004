//! The files of a build, as they were found in its binary, and its sizes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cache_advice::{FileRow, FileTree, size_in_words};
use cache_index::facts::{Demands, FileKind};
use cache_index::index::{BuildId, FactsByBuild, Index, TotalSize};
use cache_index::number::counted;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::facts;
use crate::browser::opened::is_damaged;
use crate::data::facts::{self as facts_of, Sizes, ask_for_sizes, sizes};
use site::browser::tasks;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;

/// The maximum number of lines in the tree.
const LINES: usize = 400;

/// How many programs are named above the tree.
const NAMED: usize = 12;

/// The maximum depth to which lines are indented, so that a name has room on a phone.
const DEEPEST: usize = 8;

/// What is known about the files.
enum KnownFiles {
    Awaited,
    Failed(String),
    /// The binary was not looked into, or is damaged.
    Unknown {
        is_damaged: bool,
    },
    Here(FileTree),
}

/// The files, and which of their folders are open.
struct FolderView {
    found: KnownFiles,
    open: BTreeSet<String>,
}

impl FolderView {
    fn rows(&self, filter: &str) -> Vec<FileRow> {
        match &self.found {
            KnownFiles::Here(tree) if filter.is_empty() => tree.rows(&self.open),
            KnownFiles::Here(tree) => tree.with(filter),
            _ => Vec::new(),
        }
    }

    fn open_or_close(&mut self, line: usize, filter: &str) {
        let Some(row) = self.rows(filter).into_iter().nth(line) else { return };
        if !self.open.remove(&row.path) {
            self.open.insert(row.path);
        }
    }

    fn draw(&self, filter: &str) -> Markup {
        match &self.found {
            KnownFiles::Awaited => {
                html! { p.muted role="status" { "Fetching the list of files…" } }
            }
            KnownFiles::Failed(problem) => {
                html! { p.muted role="status" { "The files cannot be shown: " (problem) } }
            }
            KnownFiles::Unknown { is_damaged } => html! {
                p.muted {
                    "What is in the binary of this build is not known: "
                    @if *is_damaged { "it is damaged, and the notes say why." }
                    @else { "nobody looked into it, or it could not be read." }
                }
            },
            KnownFiles::Here(tree) if filter.is_empty() => html! {
                (programs(tree))
                (libraries(tree))
                (lines(&self.rows(filter)))
            },
            KnownFiles::Here(_) => {
                let rows = self.rows(filter);
                html! {
                    p.muted role="status" { (counted(rows.len(), "file", "files")) }
                    (lines(&rows))
                }
            }
        }
    }
}

/// Shows the files of a build as a tree that can be filtered, and its sizes; nothing if the page was published without what
/// is in binaries.
#[component]
pub(crate) fn Contents(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    if !facts::are_there() {
        return ().into_any();
    }
    let explorer = Explorer::here();
    let shown =
        Arc::new(Mutex::new(FolderView { found: KnownFiles::Awaited, open: BTreeSet::new() }));
    // Notified when what is shown has changed.
    let changed = RwSignal::new(false);
    let filter = RwSignal::new(String::new());
    let arriving = shown.clone();
    tasks::spawn(async move {
        let now = match facts::files_of(id).await {
            Ok(Some(files)) => KnownFiles::Here(FileTree::new(files)),
            Ok(None) => {
                let hash = explorer.index.hash(id);
                KnownFiles::Unknown { is_damaged: hash.is_some_and(is_damaged) }
            }
            Err(problem) => KnownFiles::Failed(problem.to_string()),
        };
        let open = match &now {
            KnownFiles::Here(tree) => tree.open_at_start(),
            _ => BTreeSet::new(),
        };
        *unlock(&arriving) = FolderView { found: now, open };
        // The page may have been left.
        let _ = changed.try_set(true);
    });
    let has_files = {
        let shown = shown.clone();
        move || {
            changed.track();
            matches!(unlock(&shown).found, KnownFiles::Here(_))
        }
    };
    let write = {
        let shown = shown.clone();
        move || {
            changed.track();
            unlock(&shown).draw(filter.get().trim())
        }
    };
    let act = move |action, _: &web_sys::Event| {
        if let Action::UnfoldLine(line) = action {
            unlock(&shown).open_or_close(line, filter.get_untracked().trim());
            changed.set(true);
        }
    };
    view! {
        <section class="contents" aria-labelledby="contents" data-testid="contents">
            <h2 id="contents">"Contents"</h2>
            {in_total(id)}
            <input
                type="search"
                class="file-filter"
                aria-label="Filter files"
                placeholder="Filter files"
                autocomplete="off"
                spellcheck="false"
                hidden=move || !has_files()
                on:input:target=move |event| filter.set(event.target().value())
            />
            {list("files", "", NodeRef::new(), write, act)}
            <p class="muted">"What Spack keeps in .spack is left out."</p>
        </section>
    }
    .into_any()
}

fn unlock(shown: &Mutex<FolderView>) -> MutexGuard<'_, FolderView> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

fn programs(tree: &FileTree) -> Markup {
    let programs: Vec<&str> = tree.programs().collect();
    let count = counted(programs.len(), "program", "programs");
    named(&count, &programs)
}

fn libraries(tree: &FileTree) -> Markup {
    let libraries: Vec<&str> = tree.foreign_libraries().into_iter().collect();
    let count = counted(libraries.len(), "library", "libraries");
    named(&format!("Needs {count} of other packages or the system"), &libraries)
}

/// Writes the first of some names after a label; nothing if there are none.
fn named(what: &str, names: &[&str]) -> Markup {
    let more = names.len().saturating_sub(NAMED);
    html! {
        @if !names.is_empty() {
            p {
                (what) ": "
                @for (number, name) in names.iter().take(NAMED).enumerate() {
                    @if number > 0 { ", " }
                    code { bdi { (name) } }
                }
                @if more > 0 { " and " (more) " more" }
            }
        }
    }
}

fn lines(rows: &[FileRow]) -> Markup {
    html! {
        ul.files {
            @for (place, row) in rows.iter().take(LINES).enumerate() { (line(place, row)) }
        }
        @if rows.len() > LINES {
            p.muted { "and " (counted(rows.len() - LINES, "more line", "more lines")) ": a filter shows fewer." }
        }
    }
}

fn line(place: usize, row: &FileRow) -> Markup {
    let style = format!("--depth:{}", row.depth.min(DEEPEST));
    let is_program = row.kind == Some(FileKind::Program);
    html! {
        li data-style=(style) data-key=(row.path) {
            span {
                @if row.kind.is_none() {
                    button type="button" data-do=(Action::UnfoldLine(place)) aria-expanded=(row.is_open) {
                        bdi { (row.name) } "/"
                    }
                    " " span.muted { (counted(row.files, "file", "files")) }
                } @else {
                    code.program[is_program] { bdi { (row.name) } }
                    @if let Some(target) = &row.target { span.muted { " → " bdi { (target) } } }
                    @if !row.needed.is_empty() {
                        span.muted { " needs " bdi { (row.needed.join(", ")) } }
                    }
                }
            }
            @if row.target.is_none() { span.muted { (size_in_words(row.size)) } }
        }
    }
}

/// Shows the sizes of a build, and of everything that it needs to run.
fn in_total(id: BuildId) -> AnyView {
    let explorer = Explorer::here();
    if facts::are_short() {
        ask_for_sizes(explorer);
    }
    // What it needs is known once the dependencies have arrived.
    let write = move || match sizes(explorer) {
        Sizes::NotAsked => html! {
            p { button.plain type="button" data-do=(Action::Unfold) { "Add up the sizes" } }
        },
        Sizes::Awaited => html! { p.muted role="status" { "Adding up the sizes…" } },
        Sizes::Failed(problem) => {
            html! { p.muted role="status" { "The sizes cannot be shown: " (problem) } }
        }
        Sizes::Here(numbers) => html! {
            p data-testid="sizes" {
                (own(&numbers, id))
                @if let Some(needed) = with_needed(explorer.so_far(), &numbers, id) { " " (needed) }
            }
            @if let Some(demanded) = demanded(&numbers, id) { p { (demanded) } }
        },
    };
    let act = move |_, _: &web_sys::Event| ask_for_sizes(explorer);
    list("sizes", "", NodeRef::new(), write, act)
}

fn own(numbers: &FactsByBuild, id: BuildId) -> String {
    match numbers.total([id]) {
        TotalSize { unknown: 0, size, unpacked } => format!("{}.", in_words(size, unpacked)),
        _ => "Its sizes are not known.".to_owned(),
    }
}

/// Returns what the programs and libraries of a build demand of a machine.
fn demanded(numbers: &FactsByBuild, id: BuildId) -> Option<String> {
    let Demands { glibc, macos, level } = numbers.demands(id)?;
    let newer = |name, version: &Option<String>| {
        version.as_ref().map(|version| format!("{name} {version} or newer"))
    };
    let level = level.as_ref().filter(|level| *level != "x86-64-baseline");
    let level = level.map(|level| format!("a processor with {level}"));
    let all = [newer("glibc", glibc), newer("macOS", macos), level];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| format!("Its programs and libraries need {}.", all.join(", and ")))
}

fn with_needed(index: &Index, numbers: &FactsByBuild, id: BuildId) -> Option<String> {
    let (needed, total) = facts_of::with_needed(index, numbers, id)?;
    if needed == 0 {
        return None;
    }
    let TotalSize { size, unpacked, unknown } = total;
    if size == 0 && unknown > 0 {
        return None;
    }
    let unknown = match unknown {
        0 => String::new(),
        some => format!(", without {} of unknown size", counted(some, "spec", "specs")),
    };
    let there = counted(needed, "spec", "specs");
    Some(format!("With the {there} it needs to run: {}{unknown}.", in_words(size, unpacked)))
}

fn in_words(size: u64, unpacked: u64) -> String {
    let [size, unpacked] = [size, unpacked].map(size_in_words);
    format!("{size} to download, {unpacked} unpacked")
}
