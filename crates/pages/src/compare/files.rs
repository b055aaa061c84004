//! The files that only one of the compared builds has, as they were found in the binaries.

use std::sync::Arc;

use cache_advice::differences::compare::FileDifferences;
use cache_index::build::Build;
use cache_index::facts::ListedFile;
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::facts;
use crate::parts::spec::short_spec;
use site::browser::tasks;
use site::explorer::Explorer;
use site::html::list::list;

/// How many files of a build are listed.
const MOST_FILES: usize = 200;

/// What is known about the files.
#[derive(Clone)]
enum ComparedFiles {
    Awaited,
    Failed(String),
    /// The differences, and for each build `true` if its binary was looked into.
    Here(Arc<FileDifferences>, Arc<Vec<bool>>),
}

/// Shows which files only one of the builds has; nothing if the page was published without what is in binaries.
#[component]
pub(super) fn FilesOf(
    /// The compared builds.
    builds: Vec<Build>,
) -> impl IntoView {
    if !facts::are_there() {
        return ().into_any();
    }
    let index = Explorer::here().index;
    let names: Vec<Markup> = builds.iter().map(short_spec).collect();
    let ids: Vec<Option<BuildId>> = builds.iter().map(|build| index.find(build.hash)).collect();
    let files = RwSignal::new(ComparedFiles::Awaited);
    tasks::spawn(async move {
        let mut lists = Vec::new();
        for id in ids {
            let list = match id {
                Some(id) => facts::files_of(id).await,
                None => Ok(None),
            };
            match list {
                Ok(list) => lists.push(list),
                Err(problem) => {
                    let _ = files.try_set(ComparedFiles::Failed(problem.to_string()));
                    return;
                }
            }
        }
        let known = lists.iter().map(Option::is_some).collect();
        let entries = |files: Option<Vec<ListedFile>>| {
            files.into_iter().flatten().map(|file| file.entry).collect()
        };
        let lists: Vec<_> = lists.into_iter().map(entries).collect();
        // The page may have been left.
        let _ = files
            .try_set(ComparedFiles::Here(Arc::new(FileDifferences::of(&lists)), Arc::new(known)));
    });
    let write = move || {
        files.with(|files| match files {
            ComparedFiles::Awaited => {
                html! { p.muted role="status" { "Fetching the lists of files…" } }
            }
            ComparedFiles::Failed(problem) => {
                html! { p.muted role="status" { "The files cannot be compared: " (problem) } }
            }
            ComparedFiles::Here(differences, known) => differing(&names, differences, known),
        })
    };
    view! {
        <section class="compared-files" aria-labelledby="compared-files" data-testid="compared-files">
            <h2 id="compared-files">"Files"</h2>
            {list("compared-files", "", NodeRef::new(), write, |_, _| ())}
        </section>
    }
    .into_any()
}

fn differing(names: &[Markup], differences: &FileDifferences, known: &[bool]) -> Markup {
    let mut unknown = names.iter().zip(known).filter(|(_, is_known)| !**is_known);
    if let Some((name, _)) = unknown.next() {
        return html! { p.muted { "What is in the binary of " bdi { (name) } " is not known." } };
    }
    let FileDifferences { only, common, resized } = differences;
    let is_same = only.iter().all(Vec::is_empty);
    let all = if names.len() == 2 { "both" } else { "all" };
    html! {
        p data-testid="files-summary" {
            @if is_same { "The same files in " (all) ": " } @else { "In " (all) ": " }
            (counted(*common, "file", "files"))
            @if *resized > 0 { ", " (grouped(*resized)) " with different sizes" }
            "."
        }
        @for (name, files) in names.iter().zip(only).filter(|(_, files)| !files.is_empty()) {
            details.in-common open[files.len() <= 20] {
                summary { (counted(files.len(), "file", "files")) " only in " bdi { (name) } }
                ul.files {
                    @for path in files.iter().take(MOST_FILES) { li { code { bdi { (path) } } } }
                }
                @if files.len() > MOST_FILES {
                    p.muted { "and " (grouped(files.len() - MOST_FILES)) " more; Contents on the page of the build has them all." }
                }
            }
        }
    }
}
