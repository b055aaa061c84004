//! Dependencies as numbers: the more likely a build is as a dependency of another, the smaller its number.
//!
//! A build mostly depends on builds for its own machine (platform, os, target, compiler, libc), and on the same ones as
//! others that were built for that machine at the same time, that is, that have the same last release. So the
//! candidates for a dependency on a package are, in this order:
//!
//! 1. at most [`RECENT`] builds of that package that builds of the same setting most recently depended on, the
//!    latest first;
//! 2. the builds of that package for the dependent's own machine;
//! 3. all builds of that package;
//! 4. its hashes that are not in the cache.
//!
//! The number of a dependency is the index of its first occurrence among them.
//!
//! Only builds of the same setting affect each other's numbers. So builds are visited setting by setting, and the recent
//! targets are kept in one list with an entry for each package, which is cleared between two settings.

use std::collections::HashMap;
use std::ops::Range;

use crate::build::Hash;
use crate::facet::{Facet, Storage};
use crate::index::{BuildId, Configuration, Index};

/// The number of builds remembered for each package and setting. A larger number does not make the text smaller.
const RECENT: usize = 8;

/// The numbers of dependencies, in one direction or the other: see [`start`](EdgeCodec::start).
pub(super) struct EdgeCodec<'i> {
    index: &'i Index,
    /// By configuration: its machine. Machines are numbered in the order in which configurations first have them.
    machines: Vec<u32>,
    /// All rows by package, and those of each package by machine; and, for each of them, how many builds precede it.
    rows: Vec<u32>,
    builds_before: Vec<u32>,
    /// All rows by setting, that is, by machine and last release, which builds with the same dependencies mostly have
    /// in common.
    by_setting: Vec<u32>,
    /// By package: the recent targets of builds of the current setting.
    recent: Vec<Recent>,
    /// The packages with recent targets.
    touched: Vec<u32>,
    machine: u32,
    release: u32,
}

#[derive(Clone, Copy, Default)]
struct Recent {
    targets: [u32; RECENT],
    len: usize,
}

impl<'i> EdgeCodec<'i> {
    /// Prepares for dependencies on packages whose codes are below `packages`.
    pub(super) fn new(index: &'i Index, packages: usize) -> EdgeCodec<'i> {
        let machines = machines(index);
        let machine = |row: u32| machines[index.rows.configuration[row as usize] as usize];
        let all: Vec<u32> = (0..index.rows() as u32).collect();
        let releases = index.dictionary(Facet::Release).len() + 1;
        let of_machines = machines.iter().max().map_or(0, |&last| last as usize + 1);
        let by_release = sorted_by(&all, releases, |row| release(index, row));
        let by_setting = sorted_by(&by_release, of_machines, machine);
        let by_machine = sorted_by(&all, of_machines, machine);
        let mut package_of = vec![0; index.rows()];
        for package in 0..index.dictionary(Facet::Package).len() {
            let range = index.row_range(package);
            package_of[range.start as usize..range.end as usize].fill(package as u32);
        }
        let rows = sorted_by(&by_machine, index.dictionary(Facet::Package).len(), |row| {
            package_of[row as usize]
        });
        let mut builds_before = Vec::with_capacity(rows.len() + 1);
        let mut before = 0;
        builds_before.push(before);
        for &row in &rows {
            before += builds_of(index, row).len() as u32;
            builds_before.push(before);
        }
        let recent = vec![Recent::default(); packages];
        let (touched, machine, release) = Default::default();
        EdgeCodec {
            index,
            machines,
            rows,
            builds_before,
            by_setting,
            recent,
            touched,
            machine,
            release,
        }
    }

    /// Returns the row at a place in the order in which they are visited.
    pub(super) fn row(&self, place: usize) -> Option<u32> {
        self.by_setting.get(place).copied()
    }

    /// Starts a row, in the order of [`row`](EdgeCodec::row). Until the next row is started, the dependents are builds of
    /// this row.
    pub(super) fn start(&mut self, row: u32) {
        let (machine, release) = (self.machine(row as usize), release(self.index, row));
        if (machine, release) != (self.machine, self.release) {
            (self.machine, self.release) = (machine, release);
            self.touched.drain(..).for_each(|package| self.recent[package as usize].len = 0);
        }
    }

    /// Returns the builds of a row.
    pub(super) fn builds(&self, row: u32) -> Range<usize> {
        let builds = builds_of(self.index, row);
        builds.start as usize..builds.end as usize
    }

    /// Returns the number of a target, which is a build of the package or one of its unknown hashes. `unknown` are the
    /// packages and hashes that are not in the cache, sorted; as targets they are numbered after the builds.
    pub(super) fn number(&mut self, unknown: &[(u32, Hash)], package: u32, target: u32) -> u32 {
        let rank = self.rank(unknown, package, target);
        let recent = self.recent_of(package);
        let number = recent.place(target).unwrap_or(recent.len + rank as usize) as u32;
        recent.touch(target);
        number
    }

    /// The inverse of [`number`](EdgeCodec::number), called in the same order; `None` for a number that is out of range.
    pub(super) fn target(
        &mut self,
        unknown: &[(u32, Hash)],
        package: u32,
        number: u32,
    ) -> Option<u32> {
        let recent = &mut self.recent[package as usize];
        // Nearly all numbers mean the latest target, which is at the front already.
        if number == 0 && recent.len > 0 {
            return Some(recent.targets[0]);
        }
        let target = match (number as usize).checked_sub(recent.len) {
            None => recent.targets[number as usize],
            Some(rank) => self.at_rank(unknown, package, rank as u32)?,
        };
        self.recent_of(package).touch(target);
        Some(target)
    }

    fn recent_of(&mut self, package: u32) -> &mut Recent {
        let recent = &mut self.recent[package as usize];
        if recent.len == 0 {
            self.touched.push(package);
        }
        recent
    }

    fn machine(&self, row: usize) -> u32 {
        self.machines[self.index.rows.configuration[row] as usize]
    }

    fn rank(&self, unknown: &[(u32, Hash)], package: u32, target: u32) -> u32 {
        let specs = self.index.specs();
        let group = self.group(package);
        let in_group = self.builds_before[group.end] - self.builds_before[group.start];
        let package_builds = self.package_builds(package);
        if target >= specs {
            let first = first_unknown(unknown, package);
            return in_group + package_builds.len() as u32 + (target - specs) - first;
        }
        let row = self.index.row_of(BuildId(target)).0;
        if self.machine(row as usize) == self.machine {
            let place = group.start + self.rows[group.clone()].partition_point(|&r| r < row);
            let before = self.builds_before[place] - self.builds_before[group.start];
            return before + target - builds_of(self.index, row).start;
        }
        in_group + target - package_builds.start
    }

    fn at_rank(&self, unknown: &[(u32, Hash)], package: u32, rank: u32) -> Option<u32> {
        let group = self.group(package);
        let first = self.builds_before[group.start];
        let in_group = self.builds_before[group.end] - first;
        if rank < in_group {
            let ends = &self.builds_before[group.start + 1..group.end + 1];
            let place = group.start + ends.partition_point(|&end| end <= first + rank);
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
        let place = first_unknown(unknown, package).checked_add(rank - builds.len() as u32)?;
        let (of, _) = unknown.get(place as usize)?;
        (*of == package).then_some(self.index.specs() + place)
    }

    /// Returns the range in `rows` of a package and the current machine.
    fn group(&self, package: u32) -> Range<usize> {
        if package as usize >= self.index.dictionary(Facet::Package).len() {
            return 0..0;
        }
        let range = self.index.row_range(package as usize);
        let (start, end) = (range.start as usize, range.end as usize);
        let of = |row: u32| self.machine(row as usize);
        let rows = &self.rows[start..end];
        start + rows.partition_point(|&row| of(row) < self.machine)
            ..start + rows.partition_point(|&row| of(row) <= self.machine)
    }

    fn package_builds(&self, package: u32) -> Range<u32> {
        if package as usize >= self.index.dictionary(Facet::Package).len() {
            return 0..0;
        }
        let rows = self.index.row_range(package as usize);
        let starts = &self.index.rows.build_start;
        starts[rows.start as usize]..starts[rows.end as usize]
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

fn first_unknown(unknown: &[(u32, Hash)], package: u32) -> u32 {
    unknown.partition_point(|(other, _)| *other < package) as u32
}

fn builds_of(index: &Index, row: u32) -> Range<u32> {
    index.rows.build_start[row as usize]..index.rows.build_start[row as usize + 1]
}

/// Returns the last release of the builds of a row, plus one; 0 for builds without a binary.
fn release(index: &Index, row: u32) -> u32 {
    let places = index.place_sets.get(index.rows.place_set[row as usize]);
    places.last().map_or(0, |&place| index.places[place as usize].0 + 1)
}

/// Returns rows sorted by a number below a limit. The sort is stable.
fn sorted_by(rows: &[u32], limit: usize, number: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut next = vec![0; limit + 1];
    for &row in rows {
        next[number(row) as usize + 1] += 1;
    }
    for at in 0..limit {
        next[at + 1] += next[at];
    }
    let mut sorted = vec![0; rows.len()];
    for &row in rows {
        let place = &mut next[number(row) as usize];
        sorted[*place] = row;
        *place += 1;
    }
    sorted
}

/// Returns the machine of each configuration: configurations that differ only in the providers have the same.
fn machines(index: &Index) -> Vec<u32> {
    let machine = |configuration: &Configuration| {
        let mut slots = configuration.slots;
        for (slot, facet) in slots.iter_mut().zip(Facet::BY_SLOT) {
            if matches!(facet.stored(), Storage::Providers(_)) {
                *slot = None;
            }
        }
        slots
    };
    let mut numbers = HashMap::new();
    let mut number = |machine| {
        let next = numbers.len() as u32;
        *numbers.entry(machine).or_insert(next)
    };
    index.configurations.iter().map(|configuration| number(machine(configuration))).collect()
}
