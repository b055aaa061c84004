//! Saving builds as files in several formats.

use std::collections::BTreeSet;

use cache_advice::export::{Format, Judgement};
use cache_index::build::Build;
use cache_index::index::{BuildId, ValueCode};
use cache_index::number::counted;
use cache_query::{View, builds};
use leptos::prelude::*;

use site::browser;
use site::door::Saving;
use site::explorer::Explorer;

use crate::data::fits;
use crate::data::matrix_rows::packages_of_rows;

/// More builds than this make a file so large that people should know before saving it.
const LARGE: usize = 10_000;
/// How many builds are used to estimate the size of a file of all of them.
const SAMPLE: usize = 100;

/// Draws a button for each format.
pub(crate) fn draw(saving: Saving) -> AnyView {
    let explorer = Explorer::here();
    let asked = RwSignal::new(None);
    let formats = Format::ALL.map(|format| {
        let name = match format {
            Format::Csv => "Table (CSV)",
            Format::Json => "JSON",
            Format::Hashes => "Hashes, one per line",
            Format::Commands => "spack install commands",
            Format::Environment => "Environment (spack.yaml)",
        };
        view! {
            <li>
                <button type="button" on:click=move |_| save(explorer, saving, asked, format)>{name}</button>
            </li>
        }
    });
    formats.collect_view().into_any()
}

/// Saves builds in a format; a large file only when the user asks for it a second time: `asked` is the format in which a
/// large file was requested once.
fn save(explorer: Explorer, saving: Saving, asked: RwSignal<Option<Format>>, format: Format) {
    let Saving { builds: chosen, said } = saving;
    let ids = untrack(|| match chosen {
        Some(ids) => ids.run(()),
        None => {
            let (index, answer) = (explorer.index, explorer.answer());
            let mut ids = explorer.with_query(|query| builds(index, query, &answer));
            if let Some(packages) = packages_of_rows(explorer) {
                let packages: BTreeSet<ValueCode> = packages.into_iter().collect();
                ids.retain(|&id| packages.contains(&index.package_of(index.row_of(id))));
            }
            ids
        }
    });
    // Every format names builds by their hashes.
    if ids.iter().any(|&id| explorer.index.hash(id).is_none()) {
        return said.set("Nothing saved: the hashes of the builds have not arrived".to_owned());
    }
    let spell = |ids: &[BuildId]| -> Vec<Build> {
        ids.iter().filter_map(|&id| explorer.index.build_alone(id)).collect()
    };
    let judge = |ids: &[BuildId]| -> Vec<Judgement> {
        let fit = |&id| {
            let (fit, reason) = untrack(|| fits::of(explorer, id))?;
            Some(Judgement { works_here: fit.word(), reason })
        };
        ids.iter().map_while(fit).collect()
    };
    let write = |ids: &[BuildId]| {
        let verdicts =
            if matches!(format, Format::Csv | Format::Json) { judge(ids) } else { Vec::new() };
        format.write(&spell(ids), &verdicts, explorer.index.about())
    };
    let count = counted(ids.len(), "build", "builds");
    if ids.len() > LARGE && asked.get_untracked() != Some(format) {
        asked.set(Some(format));
        let size = write(&ids[..SAMPLE]).len() * (ids.len() / SAMPLE) / 1_000_000;
        said.set(format!("{count}, about {size} MB: choose it again to save them"));
        return;
    }
    // Spack and shells expect the names of the others.
    let is_list = matches!(format, Format::Csv | Format::Json | Format::Hashes);
    let name = match untrack(|| explorer.view().get()) {
        View::Package(package) if is_list => format!("{package}-{}", format.file_name()),
        _ => format.file_name().to_owned(),
    };
    said.set(if browser::save(&name, &write(&ids)) {
        format!("{count} saved as {name}")
    } else {
        "The browser does not allow saving".to_owned()
    });
    browser::close_menus();
}
