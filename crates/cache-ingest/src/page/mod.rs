//! Cache pages: one package in one release, the source of cache.spack.io's site.
//!
//! A page is YAML front matter between two lines `---`, and nothing after them:
//!
//! ```text
//! ---
//! title: "py-torch"
//! layout: cache
//! categories: [package, develop]
//! meta: {"compilers": ["gcc@13.2.0"], "num_specs": 1, "num_specs_by_stack": {"root": 1}, …}
//! spec_details: [{"compiler": "gcc@13.2.0", "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", …}]
//! ---
//! ```
//!
//! `spec_details` lists the builds. `meta` summarizes the list, and is checked against it. A page has neither
//! dependencies nor namespace, flags or the recipe's hash.
//!
//! Both values are JSON on one line, which is a subset of YAML with one exception: characters beyond 16 bits are pairs
//! of escapes, which YAML does not combine. So these two lines are read as JSON if they are valid JSON, and otherwise
//! as YAML with the rest. This is also faster: a page of 2,700 builds and 1.1 MB takes 18 ms instead of 50.

mod front_matter;
mod meta;
mod record;
#[cfg(test)]
mod tests;

use self::front_matter::FrontMatter;
use self::meta::Meta;
use super::fields::{Fields, Problems};
use super::problem::{Finding, quote};
use super::read::Read;
use cache_index::build::Build;

/// The contents of one cache page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The package of all its builds.
    pub package: String,
    /// The release that it was published in.
    pub release: String,
    /// The builds, in the order of the page and without duplicate hashes.
    pub builds: Vec<Build>,
}

/// Reads a cache page. A record that cannot be used is left out and reported; without a title or a release no record
/// can be used.
pub fn read_page(text: &str) -> Read<Page> {
    let mut problems = Problems::default();
    let page = FrontMatter::find(text, &mut problems)
        .and_then(|front_matter| read_front_matter(front_matter, &mut problems));
    problems.read(page)
}

fn read_front_matter(front: FrontMatter<'_>, problems: &mut Problems) -> Option<Page> {
    let mut fields = Fields::open(front.tree, "", problems)?;
    let package = fields.text("title", problems);
    if let Some(layout) = fields.text("layout", problems)
        && layout != "cache"
    {
        problems.report("layout", Finding::UnknownLayout { found: quote(&layout) });
    }
    let release = fields.texts("categories", problems).and_then(|names| release(names, problems));
    problems.line = front.meta_line;
    let meta = fields.required("meta", problems).and_then(|value| Meta::read(value, problems));
    problems.line = front.details_line;
    let details = fields.list("spec_details", problems);
    problems.line = None;
    fields.close(problems);

    problems.line = front.details_line;
    let before = problems.len();
    let (stated, builds) = match details {
        None => (None, None),
        Some(details) => {
            // Without a title or a release the records can still be checked.
            let package = package.clone().unwrap_or_default();
            let release = release.clone().unwrap_or_default();
            let stated = details.len();
            let builds = record::read_builds(details, &package, &release, problems);
            (Some(stated), Some(builds))
        }
    };
    let is_whole = problems.len() == before;
    problems.line = front.meta_line;
    if let (Some(meta), Some(count)) = (meta, stated) {
        meta.check(count, builds.as_deref().filter(|_| is_whole), problems);
    }
    problems.line = None;
    if front.is_cut_off {
        return None;
    }
    Some(Page { package: package?, release: release?, builds: builds? })
}

/// Returns the release from `categories: [package, <release>]`.
fn release(names: Vec<String>, problems: &mut Problems) -> Option<String> {
    match <[String; 2]>::try_from(names) {
        Ok([kind, release]) if kind == "package" => Some(release),
        other => {
            let names = other.map_or_else(|names| names, Vec::from);
            let found = quote(&names.join(", "));
            problems.report("categories", Finding::ExpectedPackageAndRelease { found });
            None
        }
    }
}
