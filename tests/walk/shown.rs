//! What the page shows after a step, and what it should show.

use serde_json::Value;

use crate::naive::{Asked, Cache};

/// What the page shows.
pub(super) const SEEN: &str = "
    await spackCache.ready;
    const number = (element) => Number(element.textContent.replace(/\\D/g, ''));
    const facets = [...document.querySelectorAll('section.facet')].map((facet) => ({
      key: facet.dataset.testid,
      open: facet.querySelector('h2 button').getAttribute('aria-expanded') === 'true',
      cut: !!facet.querySelector('.more'),
      values: [...facet.querySelectorAll('.value')].map((value) => {
        const box = value.querySelector('input');
        return [box.getAttribute('aria-label'), number(value.querySelector('.count')), box.checked];
      }),
    }));
    return {
      address: [...new URLSearchParams(location.search)],
      all: spackCache.query('').builds,
      total: document.querySelector('[data-testid=total]')?.textContent ?? null,
      found: spackCache.builds(location.search).map(({ hash }) => hash).sort(),
      heading: document.querySelector('h1').textContent,
      matching: !!document.querySelector('[data-testid=stack] .matching'),
      clear: !!document.querySelector('.chips [data-do=clear]'),
      facets,
      rows: [...document.querySelectorAll('table.packages tr.row')].map((row) =>
        [row.querySelector('a').getAttribute('aria-label'), number(row.querySelector('.c-builds'))]),
      lines: document.querySelector('table.packages')?.getAttribute('aria-rowcount') ?? null,
    }";

/// What a page should show.
pub(super) struct Wanted<'a> {
    pub(super) cache: &'a Cache,
    pub(super) asked: &'a Asked,
}

impl Wanted<'_> {
    /// Returns what the page shows instead, if that differs.
    pub(super) fn check(&self, seen: &Value) -> Result<(), String> {
        let found = self.cache.found(self.asked);
        equal("all builds", &seen["all"], self.cache.builds())?;
        let mut address: Vec<(String, String)> = serde_json::from_value(seen["address"].clone())
            .map_err(|error| format!("no address: {error}"))?;
        address.sort_by(|one, other| one.0.cmp(&other.0));
        equal_to("the address", &address, &self.asked.pairs())?;
        let hashes: Vec<String> = serde_json::from_value(seen["found"].clone())
            .map_err(|error| format!("no builds: {error}"))?;
        equal_to(
            "the builds found",
            &hashes,
            &found.iter().map(|&hash| hash.to_owned()).collect(),
        )?;
        let total = seen["total"].as_str().map(|total| total.replace(',', ""));
        equal_to("the headline", &total, &self.headline(found.len()))?;
        if let Some(package) = self.asked.package() {
            equal("the heading", &seen["heading"], package)?;
        } else {
            self.check_rows(seen)?;
        }
        for facet in seen["facets"].as_array().into_iter().flatten() {
            self.check_facet(facet)?;
        }
        Ok(())
    }

    /// Returns the expected headline; `None` for a package that the cache does not have.
    fn headline(&self, found: usize) -> Option<String> {
        let builds = counted(found, "build");
        match self.asked.package() {
            None => {
                let packages = self.cache.by_package(self.asked).len();
                Some(format!("{builds} of {}", counted(packages, "package")))
            }
            Some(package) => self.cache.packages().contains(&package).then_some(builds),
        }
    }

    fn check_rows(&self, seen: &Value) -> Result<(), String> {
        let packages = self.cache.by_package(self.asked);
        let rows = seen["rows"].as_array().cloned().unwrap_or_default();
        if rows.is_empty() != packages.is_empty() {
            return Err(format!("{} rows for {} packages", rows.len(), packages.len()));
        }
        for row in rows {
            let name = row[0].as_str().unwrap_or_default();
            equal(name, &row[1], packages.get(name).copied())?;
        }
        let lines = (!packages.is_empty()).then(|| (packages.len() + 1).to_string());
        equal("the number of lines", &seen["lines"], lines)
    }

    fn check_facet(&self, facet: &Value) -> Result<(), String> {
        let key = facet["key"].as_str().unwrap_or_default();
        if facet["open"] == false {
            return Ok(());
        }
        let counts = self.cache.counts(self.asked, key);
        let values = facet["values"].as_array().cloned().unwrap_or_default();
        for value in &values {
            let name = value[0].as_str().unwrap_or_default();
            let count = counts.get(name).copied().unwrap_or(0);
            equal(&format!("{key} {name}"), &value[1], count)?;
            let is_included = self.asked.included(key).iter().any(|other| other == name);
            equal(&format!("{key} {name} chosen"), &value[2], is_included)?;
        }
        let is_listed = |name: &String| values.iter().any(|value| value[0] == **name);
        let missing = counts.iter().find(|(name, count)| **count > 0 && !is_listed(name));
        match missing {
            Some((name, count)) if facet["cut"] == false => {
                Err(format!("{key} {name} with {count} builds is not listed"))
            }
            _ => Ok(()),
        }
    }
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn equal(what: &str, seen: &Value, wanted: impl Into<Value>) -> Result<(), String> {
    equal_to(what, seen, &wanted.into())
}

fn equal_to<T: PartialEq + std::fmt::Debug>(
    what: &str,
    seen: &T,
    wanted: &T,
) -> Result<(), String> {
    if seen == wanted {
        return Ok(());
    }
    Err(format!("{what}: expected {wanted:?}, but the page has {seen:?}"))
}
