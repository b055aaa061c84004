//! The keys that few addresses have: those of environments, of changes, of what is new, of what a user's Spack reuses, and of how pages
//! other than lists are shown. In the app, most of their code is with the pages that a first visit does not show; links to
//! an environment are on every page.

use std::sync::Arc;

use cache_index::settings::{External, InstallTree, Reuse, ReuseSource, Settings, Targets};

use super::Writer;
use crate::{Across, MatrixRows, NodeStatus, Presentation, Query, Question, ShownNodes};
use crate::{Class, PartFilter};
use crate::{Preference, push_once};

/// All keys of this module.
pub(super) const KEYS: [&str; 32] = [
    PartFilter::KEYS[0],
    PartFilter::KEYS[1],
    PartFilter::KEYS[2],
    "environment",
    "spec",
    "changes",
    "since",
    "gpu",
    "uses",
    "spack",
    "reuse",
    "reuse.from",
    "reuse.include",
    "reuse.exclude",
    "reuse.root",
    "reuse.targets",
    "reuse.os",
    "reuse.compatible",
    "reuse.repository",
    "reuse.external",
    "reuse.prefix",
    "reuse.module",
    "reuse.unapplied",
    "tree",
    "tree.padded",
    "across",
    "gaps",
    "only",
    "status",
    "needed",
    "name",
    "class",
];

/// The values of `reuse.from`: a build cache, or no build cache.
const FROM_CACHE: &str = "buildcache";
const FROM_NO_CACHE: &str = "none";
/// The values of `reuse.targets`.
const GENERIC: &str = "generic";
const FAMILY: &str = "family";
/// The one value of `gaps`.
const GAPS_ONLY: &str = "only";
/// The one value of `uses`.
const GPU: &str = "gpu";
/// The one value of `needed`.
const TO_RUN: &str = "run";

/// Writes what the page of an environment or of changes is about.
#[inline(never)]
pub(super) fn write_pages(question: &Question, address: &mut Writer) {
    if let Some(environment) = &question.environment {
        address.pair("environment", environment);
    }
    question.specs.iter().for_each(|spec| address.pair("spec", spec));
    if let Some(changes) = &question.changes {
        address.pair("changes", changes);
    }
}

/// Writes the filters on other parts of the index.
#[inline(never)]
pub(super) fn write_part_filters(filters: &[PartFilter], address: &mut Writer) {
    for filter in filters {
        let (key, value) = filter.words();
        address.pair(key, &value);
    }
}

/// Writes the GPUs of a machine.
#[inline(never)]
pub(super) fn write_gpus(gpus: &[String], address: &mut Writer) {
    gpus.iter().for_each(|gpu| address.pair("gpu", gpu));
}

/// Writes that only builds that use the GPUs of a machine are shown.
#[inline(never)]
pub(super) fn write_on_gpu(address: &mut Writer) {
    address.pair("uses", GPU);
}

/// Writes which Spack a user has, and its settings.
#[inline(never)]
pub(super) fn write_preference(preference: &Preference, address: &mut Writer) {
    let default = Preference::default();
    let Preference { spack, settings } = preference;
    if *spack != default.spack {
        address.pair("spack", &spack.to_string());
    }
    let Settings {
        reuse,
        caches,
        asked,
        targets,
        os_compatible,
        repositories,
        externals,
        install_tree,
        unapplied,
    } = settings;
    if *reuse != default.settings.reuse {
        address.pair("reuse", reuse.key());
    }
    if caches.is_empty() {
        address.pair("reuse.from", FROM_NO_CACHE);
    }
    for ReuseSource { include, exclude } in caches {
        if caches.len() > 1 {
            address.pair("reuse.from", FROM_CACHE);
        }
        include.iter().for_each(|spec| address.pair("reuse.include", spec));
        exclude.iter().for_each(|spec| address.pair("reuse.exclude", spec));
    }
    asked.iter().for_each(|spec| address.pair("reuse.root", spec));
    if targets.only_generic {
        address.pair("reuse.targets", GENERIC);
    }
    if !targets.host_compatible {
        address.pair("reuse.targets", FAMILY);
    }
    for (os, others) in os_compatible {
        address.pair("reuse.os", os);
        others.iter().for_each(|other| address.pair("reuse.compatible", other));
    }
    let known = &default.settings.repositories;
    let added = repositories.iter().filter(|repository| !known.contains(repository));
    added.for_each(|repository| address.pair("reuse.repository", repository));
    for External { spec, prefix, modules } in externals {
        address.pair("reuse.external", spec);
        prefix.iter().for_each(|prefix| address.pair("reuse.prefix", prefix));
        modules.iter().for_each(|module| address.pair("reuse.module", module));
    }
    unapplied.iter().for_each(|unapplied| address.pair("reuse.unapplied", unapplied));
    if let Some(InstallTree { root, padded_length }) = install_tree {
        address.pair("tree", root);
        if *padded_length > 0 {
            address.pair("tree.padded", &padded_length.to_string());
        }
    }
}

/// Writes how a page is shown.
#[inline(never)]
pub(super) fn write_presentation(presentation: &Presentation, address: &mut Writer) {
    if presentation.across != Across::default() {
        address.pair("across", presentation.across.key());
    }
    match &presentation.rows {
        MatrixRows::All => {}
        MatrixRows::Gaps => address.pair("gaps", GAPS_ONLY),
        MatrixRows::OnlyIn(stack) => address.pair("only", stack),
    }
    let ShownNodes { status, only_to_run, name } = &presentation.nodes;
    if let Some(status) = status {
        address.pair("status", status.key());
    }
    if *only_to_run {
        address.pair("needed", TO_RUN);
    }
    if !name.is_empty() {
        address.pair("name", name);
    }
    if let Some(class) = presentation.class {
        address.pair("class", class.key());
    }
}

/// Reads one pair into the query, and returns `true` if it was understood.
#[inline(never)]
pub(super) fn read(query: &mut Query, key: &str, value: &str) -> bool {
    let Query { question, presentation } = query;
    match key {
        "environment" => question.environment = Some(value.to_owned()),
        "spec" => question.add_spec(value),
        "gpu" if value.trim().is_empty() => return false,
        "gpu" => question.add_gpu(value),
        "uses" => match value {
            GPU => question.only_on_gpu = true,
            _ => return false,
        },
        "changes" => question.changes = Some(value.to_owned()),
        _ if PartFilter::KEYS.contains(&key) => match PartFilter::read(key, value) {
            Some(filter) => question.add_part_filter(filter),
            None => return false,
        },
        "since" if is_time(value) => question.since = Some(value.to_owned()),
        "since" => return false,
        "across" => match Across::from_key(value) {
            Some(across) => presentation.across = across,
            None => return false,
        },
        "gaps" => match value {
            GAPS_ONLY => presentation.rows = MatrixRows::Gaps,
            _ => return false,
        },
        "only" => presentation.rows = MatrixRows::OnlyIn(value.to_owned()),
        "status" => match NodeStatus::from_key(value) {
            Some(status) => presentation.nodes.status = Some(status),
            None => return false,
        },
        "needed" => match value {
            TO_RUN => presentation.nodes.only_to_run = true,
            _ => return false,
        },
        "name" => presentation.nodes.name = value.to_owned(),
        "class" => match Class::from_key(value) {
            Some(class) => presentation.class = Some(class),
            None => return false,
        },
        _ => {
            let mut preference = question.preference();
            if read_preference(Arc::make_mut(&mut preference), key, value).is_none() {
                return false;
            }
            let is_default = *preference == Preference::default();
            question.preference = (!is_default).then_some(preference);
        }
    }
    true
}

/// Returns `true` for a day, `2026-11-14`, or a time in UTC, `2026-11-14T09:50:00Z`: they are compared as texts.
fn is_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00Z";
    let is_like = |(&byte, &shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte == shape,
    };
    if ![10, SHAPE.len()].contains(&text.len()) || !text.as_bytes().iter().zip(SHAPE).all(is_like) {
        return false;
    }
    // Only digits are at these places.
    let number = |at: usize, len: usize| text[at..at + len].parse::<u32>().unwrap_or_default();
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2));
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let is_day = (1..=days).contains(&day);
    is_day && (text.len() == 10 || number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) <= 60)
}

/// Reads one pair; returns `None` if it was not understood.
fn read_preference(preference: &mut Preference, key: &str, value: &str) -> Option<()> {
    let Preference { spack, settings } = preference;
    let Settings {
        reuse,
        caches,
        asked,
        targets,
        os_compatible,
        repositories,
        externals,
        install_tree,
        unapplied,
    } = settings;
    match key {
        "spack" => *spack = value.parse().ok()?,
        "reuse" => *reuse = Reuse::from_key(value)?,
        "reuse.from" => match value {
            FROM_NO_CACHE => caches.clear(),
            // The first one names the source that is there by default.
            FROM_CACHE if *caches == [ReuseSource::default()] => {}
            FROM_CACHE => caches.push(ReuseSource::default()),
            _ => return None,
        },
        "reuse.include" => push_spec(&mut caches.last_mut()?.include, value),
        "reuse.exclude" => push_spec(&mut caches.last_mut()?.exclude, value),
        "reuse.root" => push_spec(asked, value),
        "reuse.targets" => match value {
            GENERIC => *targets = Targets { only_generic: true, ..*targets },
            FAMILY => *targets = Targets { host_compatible: false, ..*targets },
            _ => return None,
        },
        "reuse.os" => os_compatible.push((value.to_owned(), Vec::new())),
        "reuse.compatible" => push_once(&mut os_compatible.last_mut()?.1, value),
        "reuse.repository" => push_once(repositories, value),
        "reuse.external" => {
            externals.push(External { spec: value.to_owned(), ..External::default() });
        }
        "reuse.prefix" => externals.last_mut()?.prefix = Some(value.to_owned()),
        "reuse.unapplied" => push_once(unapplied, value),
        "tree" => *install_tree = Some(InstallTree::new(value, 0)?),
        "tree.padded" => {
            let root = &install_tree.as_ref()?.root;
            *install_tree = Some(InstallTree::new(root, value.parse().ok()?)?);
        }
        "reuse.module" => push_once(&mut externals.last_mut()?.modules, value),
        _ => return None,
    }
    Some(())
}

/// Adds a spec. A program may have turned its leading `+` into a space.
fn push_spec(list: &mut Vec<String>, value: &str) {
    match value.strip_prefix(' ') {
        Some(variant) => push_once(list, &format!("+{variant}")),
        None => push_once(list, value),
    }
}
