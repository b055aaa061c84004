//! Dependencies as numbers: the more likely a build is as a dependency of another, the smaller its number.
//!
//! A build mostly depends on builds for its own machine (platform, os, target, compiler, libc), and on the same ones as
//! others that were built for that machine at the same time, that is, that have the same last release. So the
//! candidates for a dependency on a package are, in this order:
//!
//! 1. at most [`RECENT`] builds of that package that builds of the same [`Setting`] most recently depended on, the
//!    latest first;
//! 2. the builds of that package for the dependent's own machine;
//! 3. all builds of that package;
//! 4. its hashes that are not in the cache.
//!
//! The number of a dependency is the index of its first occurrence among them.

use std::collections::HashMap;
use std::ops::Range;

use crate::build::Hash;
use crate::facet::{Facet, Stored};
use crate::index::{BuildId, Configuration, Index};

/// The number of builds remembered for each package and setting. A larger number does not make the text smaller.
const RECENT: usize = 8;

/// What builds with the same dependencies mostly have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Setting {
    machine: u32,
    /// `None` for builds without a binary.
    release: Option<u32>,
}

pub(super) struct Nearby<'i> {
    index: &'i Index,
    unknown: &'i [(u32, Hash)],
    /// By configuration: the first one for the same machine.
    machines: Vec<u32>,
    /// The rows of each package by machine, and how many builds the rows before have.
    rows: Vec<u32>,
    builds_before: Vec<u32>,
    /// By package and the dependent's setting.
    recent: HashMap<(u32, Setting), Recent>,
}

#[derive(Clone, Copy, Default)]
struct Recent {
    targets: [u32; RECENT],
    len: usize,
}

impl<'i> Nearby<'i> {
    /// `unknown` are the packages and hashes that are not in the cache, sorted; as targets they are numbered after the
    /// builds.
    pub(super) fn new(index: &'i Index, unknown: &'i [(u32, Hash)]) -> Nearby<'i> {
        let machines = machines(index);
        let machine = |row: u32| machines[index.rows.configuration[row as usize] as usize];
        let mut rows: Vec<u32> = (0..index.rows() as u32).collect();
        for package in 0..index.dictionary(Facet::Package).len() {
            let range = index.row_range(package);
            rows[range.start as usize..range.end as usize].sort_by_key(|&row| machine(row));
        }
        let mut builds_before = Vec::with_capacity(rows.len() + 1);
        let mut before = 0;
        builds_before.push(before);
        for &row in &rows {
            before += builds_of(index, row).len() as u32;
            builds_before.push(before);
        }
        Nearby { index, unknown, machines, rows, builds_before, recent: HashMap::new() }
    }

    /// Returns the setting of a row.
    pub(super) fn setting(&self, row: usize) -> Setting {
        let places = self.index.place_sets.get(self.index.rows.place_set[row]);
        let release = places.last().map(|&place| self.index.places[place as usize].0);
        Setting { machine: self.machine(row), release }
    }

    /// Returns the number of a target, which is a build of the package or one of its unknown hashes.
    pub(super) fn number(&mut self, package: u32, setting: Setting, target: u32) -> u32 {
        let rank = self.rank(package, setting.machine, target);
        let recent = self.recent.entry((package, setting)).or_default();
        let place = recent.place(target);
        let number = place.map_or(recent.len as u32 + rank, |place| place as u32);
        recent.touch(target);
        number
    }

    /// The inverse of [`number`](Nearby::number), called in the same order; `None` for a number that is out of range.
    pub(super) fn target(&mut self, package: u32, setting: Setting, number: u32) -> Option<u32> {
        let recent = self.recent.get(&(package, setting)).copied().unwrap_or_default();
        let target = match (number as usize).checked_sub(recent.len) {
            None => recent.targets[number as usize],
            Some(rank) => self.at_rank(package, setting.machine, rank as u32)?,
        };
        self.recent.entry((package, setting)).or_default().touch(target);
        Some(target)
    }

    fn machine(&self, row: usize) -> u32 {
        self.machines[self.index.rows.configuration[row] as usize]
    }

    fn rank(&self, package: u32, machine: u32, target: u32) -> u32 {
        let specs = self.index.specs();
        let group = self.group(package, machine);
        let in_group = self.builds_before[group.end] - self.builds_before[group.start];
        let package_builds = self.package_builds(package);
        if target >= specs {
            let first = self.first_unknown(package);
            return in_group + package_builds.len() as u32 + (target - specs) - first;
        }
        let row = self.index.row_of(BuildId(target)).0;
        if self.machine(row as usize) == machine {
            let place = group.start + self.rows[group.clone()].partition_point(|&r| r < row);
            let before = self.builds_before[place] - self.builds_before[group.start];
            return before + target - builds_of(self.index, row).start;
        }
        in_group + target - package_builds.start
    }

    fn at_rank(&self, package: u32, machine: u32, rank: u32) -> Option<u32> {
        let group = self.group(package, machine);
        let first = self.builds_before[group.start];
        let in_group = self.builds_before[group.end] - first;
        if rank < in_group {
            let place = self.builds_before.partition_point(|&before| before <= first + rank) - 1;
            let row = self.rows[place];
            return Some(
                builds_of(self.index, row).start + first + rank - self.builds_before[place],
            );
        }
        let rank = rank - in_group;
        let builds = self.package_builds(package);
        if rank < builds.len() as u32 {
            return Some(builds.start + rank);
        }
        let place = self.first_unknown(package).checked_add(rank - builds.len() as u32)?;
        let (of, _) = self.unknown.get(place as usize)?;
        (*of == package).then_some(self.index.specs() + place)
    }

    /// Returns the range in `rows` of a package and machine.
    fn group(&self, package: u32, machine: u32) -> Range<usize> {
        if package as usize >= self.index.dictionary(Facet::Package).len() {
            return 0..0;
        }
        let range = self.index.row_range(package as usize);
        let (start, end) = (range.start as usize, range.end as usize);
        let of = |row: u32| self.machine(row as usize);
        let rows = &self.rows[start..end];
        start + rows.partition_point(|&row| of(row) < machine)
            ..start + rows.partition_point(|&row| of(row) <= machine)
    }

    fn package_builds(&self, package: u32) -> Range<u32> {
        if package as usize >= self.index.dictionary(Facet::Package).len() {
            return 0..0;
        }
        let rows = self.index.row_range(package as usize);
        let starts = &self.index.rows.build_start;
        starts[rows.start as usize]..starts[rows.end as usize]
    }

    fn first_unknown(&self, package: u32) -> u32 {
        self.unknown.partition_point(|(other, _)| *other < package) as u32
    }
}

impl Recent {
    fn place(&self, target: u32) -> Option<usize> {
        self.targets[..self.len].iter().position(|&other| other == target)
    }

    /// Moves a target to the front.
    fn touch(&mut self, target: u32) {
        let last = self.place(target).unwrap_or_else(|| {
            self.len = RECENT.min(self.len + 1);
            self.len - 1
        });
        self.targets.copy_within(0..last, 1);
        self.targets[0] = target;
    }
}

fn builds_of(index: &Index, row: u32) -> Range<u32> {
    index.rows.build_start[row as usize]..index.rows.build_start[row as usize + 1]
}

/// Returns for each configuration the first one that differs only in the providers.
fn machines(index: &Index) -> Vec<u32> {
    let machine = |configuration: &Configuration| {
        let mut slots = configuration.slots;
        for (slot, facet) in slots.iter_mut().zip(Facet::BY_SLOT) {
            if matches!(facet.stored(), Stored::Providers(_)) {
                *slot = None;
            }
        }
        slots
    };
    let mut first = HashMap::new();
    (0..)
        .zip(&index.configurations)
        .map(|(code, configuration)| *first.entry(machine(configuration)).or_insert(code))
        .collect()
}
