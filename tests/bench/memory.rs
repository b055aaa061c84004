//! The private memory of a page's process.
//!
//! Linux reports it in `/proc`; elsewhere it is unknown. The process is the renderer with the most memory among the
//! descendants of this one: a browser keeps others in reserve.

use std::collections::HashSet;
use std::fs;

/// Returns the memory of the page's process that no other process shares, in megabytes; `None` if it is unknown.
pub(crate) fn of_page() -> Option<f64> {
    let ours = descendants();
    let renderers = ours.iter().filter(|process| {
        let command = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("--type=renderer")
    });
    renderers.filter_map(|&process| private(process)).max_by(f64::total_cmp)
}

fn descendants() -> HashSet<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut parents: Vec<(u32, u32)> = processes
        .filter_map(|entry| {
            let process: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
            // The name in parentheses may contain anything; the state and the parent follow it.
            let parent = stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect();
    let mut ours = HashSet::from([std::process::id()]);
    // Until no further descendants are found.
    loop {
        let before = parents.len();
        parents.retain(|(process, parent)| !(ours.contains(parent) && ours.insert(*process)));
        if parents.len() == before {
            return ours;
        }
    }
}

fn private(process: u32) -> Option<f64> {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let kilobytes = |line: &str| line.split_whitespace().nth(1)?.parse::<f64>().ok();
    let lines = rollup.lines().filter(|line| line.starts_with("Private_"));
    Some(lines.filter_map(kilobytes).sum::<f64>() / 1024.0)
}
