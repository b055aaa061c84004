//! The columns of rows as JSON: the rows of the table in [`json`](super).

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{LoadError, numbers};
use crate::facet::Facet;
use crate::index::{Columns, Dictionary, Index};

#[derive(Serialize, Deserialize)]
pub(super) struct RowColumns {
    #[serde(deserialize_with = "numbers::list")]
    pub(super) package: Vec<u32>,
    #[serde(deserialize_with = "numbers::list")]
    pub(super) version: Vec<i32>,
    #[serde(deserialize_with = "numbers::list")]
    pub(super) configuration: Vec<u32>,
    #[serde(deserialize_with = "numbers::list")]
    pub(super) variant_set: Vec<i32>,
    #[serde(deserialize_with = "numbers::list")]
    pub(super) place_set: Vec<u32>,
    #[serde(default, deserialize_with = "numbers::list", skip_serializing_if = "Vec::is_empty")]
    pub(super) origin: Vec<u32>,
    #[serde(deserialize_with = "numbers::list")]
    pub(super) builds: Vec<u32>,
}

impl RowColumns {
    pub(super) fn new(index: &Index) -> RowColumns {
        let rows = &index.rows;
        let mut version = Vec::with_capacity(index.rows());
        for package in 0..index.dictionary(Facet::Package).len() {
            version.extend(steps(&rows.version, index.row_range(package)));
        }
        RowColumns {
            package: rows.package_start.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            version,
            configuration: rows.configuration.clone(),
            variant_set: steps(&rows.variant_set, 0..index.rows() as u32).collect(),
            place_set: rows.place_set.clone(),
            origin: rows.origin.clone(),
            builds: rows.build_start.windows(2).map(|pair| pair[1] - pair[0]).collect(),
        }
    }

    /// Undoes steps and counts, and checks everything that only concerns the columns and dictionaries.
    pub(super) fn read(
        mut self,
        dictionaries: &[Dictionary; Facet::COUNT],
    ) -> Result<Columns, LoadError> {
        let rows = self.builds.len();
        for (field, length) in [
            ("rows.version", self.version.len()),
            ("rows.configuration", self.configuration.len()),
            ("rows.variant_set", self.variant_set.len()),
            ("rows.place_set", self.place_set.len()),
        ] {
            if length != rows {
                return Err(LoadError::UnequalColumns(field));
            }
        }
        if !self.origin.is_empty() && self.origin.len() != rows {
            return Err(LoadError::UnequalColumns("rows.origin"));
        }
        let package_start = starts(&self.package).ok_or(LoadError::BadCode("rows.package"))?;
        if self.package.len() != dictionaries[Facet::Package.at()].len()
            || package_start.last().is_none_or(|&end| end as usize != rows)
        {
            return Err(LoadError::UnequalColumns("rows.package"));
        }
        if self.builds.contains(&0) {
            return Err(LoadError::BadCode("rows.builds"));
        }
        let build_start = starts(&self.builds).ok_or(LoadError::BadCode("rows.builds"))?;

        let versions = dictionaries[Facet::Version.at()].len();
        for package in package_start.windows(2) {
            undo_steps(&mut self.version[package[0] as usize..package[1] as usize]);
        }
        let version = codes(self.version);
        if version.iter().any(|&code| code as usize >= versions) {
            return Err(LoadError::BadCode("rows.version"));
        }
        undo_steps(&mut self.variant_set);
        Ok(Columns {
            package_start,
            version,
            configuration: self.configuration,
            variant_set: codes(self.variant_set),
            place_set: self.place_set,
            origin: if self.origin.iter().all(|&code| code == 0) { vec![] } else { self.origin },
            build_start,
        })
    }
}

/// Returns the difference of each number to the one before it; for the first, to 0.
fn steps(column: &[u32], rows: Range<u32>) -> impl Iterator<Item = i32> {
    let mut last = 0;
    column[rows.start as usize..rows.end as usize].iter().map(move |&code| {
        let step = code.wrapping_sub(last) as i32;
        last = code;
        step
    })
}

/// The inverse of [`steps`], in place; wrong steps give wrong codes, whose range is checked later.
fn undo_steps(steps: &mut [i32]) {
    let mut last: i32 = 0;
    for step in steps {
        last = last.wrapping_add(*step);
        *step = last;
    }
}

/// Converts steps that have been undone to codes.
fn codes(undone: Vec<i32>) -> Vec<u32> {
    undone.into_iter().map(|code| code as u32).collect()
}

/// Returns where each run starts, and where the last one ends; `None` if that exceeds a `u32`.
fn starts(lengths: &[u32]) -> Option<Vec<u32>> {
    let mut starts = Vec::with_capacity(lengths.len() + 1);
    let mut end: u32 = 0;
    starts.push(end);
    for &length in lengths {
        end = end.checked_add(length)?;
        starts.push(end);
    }
    Some(starts)
}
