//! The one build that the page recommends, above the table: what it is, why, and the commands that install it.

use cache_advice::machine_words::Gpu;
use cache_advice::{
    Near, avoids_gpu_code, has_gpu_code, has_newest_dependencies, is_foreign, nearest, recommended,
    uses_gpu,
};
use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, ValueCode};
use cache_index::number::counted;
use cache_index::order::is_development;
use cache_query::host::Runs;
use cache_query::{Change, Question};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::fits;
use crate::package::builds::commands;
use crate::parts::spec::short_spec;
use crate::parts::verdict;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::view::parts::copy::CopyButtons;
use site::view::parts::icon::Icon;

/// The recommended build of a package, if there is more than one to choose from.
#[component]
pub(crate) fn Recommended(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let copy_buttons = CopyButtons::default();
    let write = move || {
        let answer = explorer.answer();
        let build = explorer
            .with_question(|question| recommended(explorer.index, question, &answer, package));
        html! {
            @if let Some(build) = build.filter(|_| answer.builds > 1 && !fits::are_awaited(explorer)) {
                @if explorer.host().is_some_and(|host| is_foreign(explorer.index, &host, build)) {
                    (for_other_machines(explorer))
                } @else {
                    (line(explorer, copy_buttons, package, build))
                }
            }
        }
    };
    let act = move |action: Action, _: &_| {
        if let Action::CopyCommands(build) = action {
            copy_buttons.copy(action, commands(explorer, build));
        }
    };
    list("recommended", "", NodeRef::new(), write, act)
}

/// Writes that all builds are for other kinds of machines, and names the nearest one that works here, whatever filters it fails.
fn for_other_machines(explorer: Explorer) -> Markup {
    let near = explorer.with_question(|question| {
        let question = Question { runs: vec![Runs::Yes], ..question.clone() };
        let works = |near: &Near| question.judged.of(near.build) == Some(Runs::Yes);
        nearest(explorer.index, &question, 1).pop().filter(works)
    });
    let near = near.and_then(|near| {
        let differs = near.differs.iter().map(|(has, asked)| match has.as_str() {
            "" => format!("without {asked}"),
            has => format!("{has} instead of {asked}"),
        });
        let differs: Vec<String> = differs.collect();
        Some((explorer.hashes()?.build_alone(near.build)?, differs.join(", ")))
    });
    html! {
        p.recommended {
            span.muted {
                "Nothing that matches is for machines like yours"
                @if near.is_some() { "; the nearest that works:" }
            }
            @if let Some((spec, differs)) = near {
                " " a href=(explorer.address_after(Change::OpenBuild(spec.hash))) { (short_spec(&spec)) }
                " " span.muted { bdi { (spec.os) " · " (spec.target) " · " (differs) } }
            }
        }
    }
}

/// Returns the variants of a build that say which GPUs it has code for: `+rocm amdgpu_target=gfx942`.
pub(crate) fn gpu_code(build: &Build) -> String {
    const SAYING: [&str; 4] = ["cuda", "cuda_arch", "rocm", "amdgpu_target"];
    let variants = build.variants.iter().filter(|variant| SAYING.contains(&&*variant.name));
    let written = variants.map(ToString::to_string);
    let on = written.filter(|text| !text.starts_with('~') && !text.ends_with("=none"));
    on.collect::<Vec<_>>().join(" ")
}

/// Returns a sentence that calls a version the newest release, in words that are also true of a branch.
pub(super) fn of_version(version: &str, sentence: &str) -> String {
    match is_development(version) {
        true => sentence.replace("newest release", "newest version"),
        false => sentence.to_owned(),
    }
}

fn is_for_debugging(build: &Build) -> bool {
    build.variants.iter().any(|variant| variant.to_string() == "build_type=Debug")
}

fn line(
    explorer: Explorer,
    copy_buttons: CopyButtons,
    package: ValueCode,
    build: BuildId,
) -> Markup {
    let works = fits::of(explorer, build).map(|(fit, _)| fit.works);
    let gpus = explorer.with_question(|question| question.gpus.clone());
    let gpus: Vec<Gpu> = gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
    let row = explorer.index.row_of(build);
    let has_code_for_own = (!gpus.is_empty()).then(|| uses_gpu(explorer.index, row, &gpus));
    // Builds that work may be left out by a filter.
    let asked = explorer.with_question(|question| question.asked_runs().to_vec());
    let leaves_out_what_works =
        !asked.is_empty() && !asked.contains(&Runs::Yes) && explorer.answer().runs(Runs::Yes) > 0;
    let (has_newest_dependencies, avoids_gpu_code) = explorer.with_question(|question| {
        let (index, answer) = (explorer.index, explorer.answer());
        (
            has_newest_dependencies(index, question, &answer, package, build),
            avoids_gpu_code(index, question, &answer, package, build),
        )
    });
    let why = match works {
        None if avoids_gpu_code => {
            "The newest release without code for GPUs, for the system that most builds are for:"
        }
        None => "The newest release for the system that most builds are for:",
        Some(Runs::Yes) => match has_code_for_own {
            None if avoids_gpu_code => {
                "For your machine, the newest release without code for GPUs (none is stated):"
            }
            None if has_newest_dependencies => {
                "For your machine, the newest release with the newest dependencies:"
            }
            None => "For your machine, the newest release:",
            Some(true) => "For your machine, the newest release with code for its GPU:",
            Some(false) => {
                "For your machine, the newest that certainly works, but without code for its GPU:"
            }
        },
        Some(Runs::Unknown) if leaves_out_what_works => {
            "Of those that may work on your machine, the newest release:"
        }
        Some(Runs::No) if leaves_out_what_works => {
            "Of those that do not work on your machine, the nearest:"
        }
        Some(Runs::Unknown) => {
            "Nothing certainly works on your machine; the newest release that may:"
        }
        Some(Runs::No) => "Nothing here works on your machine; the nearest:",
    };
    let why = of_version(explorer.index.text(row, Facet::Version), why);
    // Builds that may work are hidden if only builds that certainly work are asked for.
    let is_certain = asked == [Runs::Yes];
    let hidden = if is_certain { explorer.answer().runs(Runs::Unknown) } else { 0 };
    let Some(spec) = explorer.hashes().and_then(|index| index.build_alone(build)) else {
        return html! {};
    };
    html! {
        p.recommended {
            span.muted { (why) } " "
            a href=(explorer.address_after(Change::OpenBuild(spec.hash))) { (short_spec(&spec)) }
            " " span.muted {
                bdi { (spec.os) " · " (spec.target) }
                @if is_for_debugging(&spec) { ", built for debugging" }
                @if gpus.is_empty() && has_gpu_code(explorer.index, row) {
                    ", with code for GPUs: " bdi { (gpu_code(&spec)) }
                }
            } " "
            @if works.is_some_and(|works| works != Runs::Yes) { (verdict::write(explorer, build)) }
            (copy_buttons.write(Action::CopyCommands(build), "Copy install commands", Some(Icon::Command)))
            @if hidden > 0 {
                a href=(explorer.address_after(Change::ToggleRuns(Runs::Unknown))) {
                    (counted(hidden as usize, "more build may work", "more builds may work"))
                }
            }
        }
    }
}
