//! What waits for what: the missing specs as an indented tree, the longest chain first.

use cache_index::number::counted;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::environment::state::JudgedEnvironment;
use site::html::list::list;

/// The maximum number of lines in the tree, so that no page grows without bounds.
const MOST_LINES: usize = 400;

/// A line of the tree.
struct Line {
    node: usize,
    depth: usize,
    /// It was drawn above, with what it waits for.
    is_again: bool,
}

/// The missing specs that nothing waits for, each with what it waits for below it.
#[component]
pub(super) fn Waiting(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let write = move || {
        let judged = judged.get();
        let blockers = &judged.assessment.blockers;
        let lines = lines(&judged);
        let more = blockers
            .ranked()
            .len()
            .saturating_sub(lines.iter().filter(|line| !line.is_again).count());
        let intro = match blockers.ranked().len() {
            0 => "Nothing is missing, so nothing waits.".to_owned(),
            _ => {
                let longest = blockers.depths().into_iter().max().unwrap_or_default();
                let builds = counted(longest, "build", "builds");
                format!(
                    "Each spec waits for those below it. The longest chain is {builds}, one after another."
                )
            }
        };
        html! {
            p.muted { (intro) }
            ul.tree aria-label="What waits for what" {
                @for line in &lines { (item(&judged, line)) }
            }
            @if more > 0 {
                p.muted { (counted(more, "spec", "specs")) " not shown; the export has all" }
            }
        }
    };
    list("waiting", "", NodeRef::new(), write, |_, _| ())
}

fn item(judged: &JudgedEnvironment, line: &Line) -> Markup {
    let build = &judged.environment.nodes[line.node].build;
    let blocks = judged.assessment.blockers.blocks(line.node);
    let indent = line.depth.min(24) * 20;
    html! {
        li data-style={ "padding-left:" (indent) "px" } aria-level=(line.depth + 1) {
            code.spec {
                bdi {
                    (build.package) "@" (build.version)
                    span.spec-hash { "/" (build.short_hash()) }
                }
            }
            " "
            span.muted {
                @if line.is_again { "shown above" } @else if blocks > 0 { "blocks " (blocks) }
            }
        }
    }
}

/// Returns the lines, walking down from the specs that nothing waits for, the longest chain first.
fn lines(judged: &JudgedEnvironment) -> Vec<Line> {
    let blockers = &judged.assessment.blockers;
    let depths = blockers.depths();
    let longest_last = |mut nodes: Vec<usize>| {
        nodes.sort_by_key(|&node| (depths[node], std::cmp::Reverse(node)));
        nodes
    };
    let mut open: Vec<(usize, usize)> =
        longest_last(blockers.tops().to_vec()).into_iter().map(|node| (node, 0)).collect();
    let mut is_drawn = vec![false; depths.len()];
    let mut lines = Vec::new();
    while let Some((node, depth)) = open.pop()
        && lines.len() < MOST_LINES
    {
        let below = blockers.waits_for(node);
        let is_again = std::mem::replace(&mut is_drawn[node], true) && !below.is_empty();
        lines.push(Line { node, depth, is_again });
        if !is_again {
            let below = longest_last(below.to_vec());
            open.extend(below.into_iter().map(|below| (below, depth + 1)));
        }
    }
    lines
}
