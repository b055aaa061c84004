//! Changes as text: JSON for programs, Markdown for release notes.

use std::fmt::Write as _;

use cache_index::build::Hash;
use cache_index::index::PlaceChange;
use cache_index::number::{counted, grouped};
use serde_json::{Value, json};

use super::{Changes, PackageChange};
use crate::text::markdown_cell;

/// What precedes a list of overwritten builds.
pub const OVERWRITTEN: &str = "Overwritten: the same hash, but another binary than before";

/// What precedes a list of places that builds which stayed left, or came to.
pub const MOVED: &str =
    "Builds that stayed in the cache, and came to a release or stack or left it";

impl Changes {
    /// Returns one object: `{"came": [hashes], "went": [hashes], "stayed": number, "overwritten": [hashes],
    /// "moved": [{"release", "stack", "came", "left"}], "packages": [{"package", "before": [versions], "after": [versions], "class", "came", "went", "stayed",
    /// "pairs": [{"old", "new", "class", "differs"}]}]}`.
    pub fn json(&self) -> Value {
        let texts = |hashes: &[Hash]| hashes.iter().map(Hash::to_string).collect::<Vec<_>>();
        let package = |change: &PackageChange| {
            let pairs = change.pairs.iter().map(|pair| {
                let differs: Vec<&str> = pair.differs.iter().map(|differs| differs.key()).collect();
                json!({
                    "old": pair.old.to_string(),
                    "new": pair.new.to_string(),
                    "class": pair.class.to_string(),
                    "differs": differs,
                })
            });
            json!({
                "package": change.package,
                "before": change.before,
                "after": change.after,
                "class": change.class.to_string(),
                "came": change.came,
                "went": change.went,
                "stayed": change.stayed,
                "pairs": pairs.collect::<Vec<_>>(),
            })
        };
        let moved = |PlaceChange { place, came, left }: &PlaceChange| json!({"release": place.release, "stack": place.stack, "came": came, "left": left});
        json!({
            "came": texts(&self.came),
            "went": texts(&self.went),
            "stayed": self.stayed,
            "overwritten": self.overwritten.iter().map(|one| one.hash.to_string()).collect::<Vec<_>>(),
            "moved": self.moved.iter().map(moved).collect::<Vec<_>>(),
            "packages": self.packages.iter().map(package).collect::<Vec<_>>(),
        })
    }

    /// Returns the changes in one sentence: `412 builds came, 380 went, 1,936 stayed; 61 packages changed
    /// version`.
    pub fn headline(&self) -> String {
        let came = counted(self.came.len(), "build", "builds");
        let [went, stayed] = [self.went.len(), self.stayed].map(grouped);
        let mut text = format!("{came} came, {went} went, {stayed} stayed");
        match self.packages_with_other_versions() {
            0 => {}
            packages => {
                let packages = counted(packages, "package", "packages");
                let _ = write!(text, "; {packages} changed version");
            }
        }
        match self.overwritten.len() {
            0 => {}
            builds => {
                let builds = counted(builds, "build was", "builds were");
                let _ = write!(text, "; {builds} overwritten");
            }
        }
        match self.moved.len() {
            0 => {}
            places => {
                let places = counted(places, "release or stack", "releases or stacks");
                let _ = write!(text, "; {places} lost or gained some of these");
            }
        }
        text
    }

    /// Returns a table of the packages, for release notes.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}**\n", self.headline());
        if !self.packages.is_empty() {
            text.push_str("\n| package | before | after | came | went | stayed | change |\n");
            text.push_str("| --- | --- | --- | ---: | ---: | ---: | --- |\n");
        }
        for change in &self.packages {
            let [came, went, stayed] = [change.came, change.went, change.stayed].map(grouped);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {came} | {went} | {stayed} | {} |",
                markdown_cell(&change.package),
                markdown_cell(&change.before.join(", ")),
                markdown_cell(&change.after.join(", ")),
                change.class,
            );
        }
        if !self.overwritten.is_empty() {
            let _ = writeln!(text, "\n{OVERWRITTEN}:\n");
        }
        for one in &self.overwritten {
            let _ = writeln!(text, "- {}", markdown_cell(&one.to_string()));
        }
        if !self.moved.is_empty() {
            let _ = writeln!(text, "\n{MOVED}:\n");
        }
        for one in &self.moved {
            let _ = writeln!(text, "- {}", markdown_cell(&one.to_string()));
        }
        text
    }
}
