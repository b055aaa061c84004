//! Causes as text: sentences for people, Markdown for reports, JSON for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cache_index::build::{Hash, SHORT_HASH};
use cache_index::number::{counted, grouped};
use foldhash::HashSet;
use serde_json::{Map, Value, json};

use super::{AddedWith, Cause, Causes, ChangedSpec, OwnDifference};
use crate::differences::{Field, FieldValue};
use crate::text::markdown_cell;
use crate::text::wording::listed;

/// Causes, and the occasion of reporting them.
#[derive(Clone, Copy, Debug)]
pub struct CausesInWords<'a> {
    /// The causes.
    pub causes: &'a Causes,
    /// What the counted specs are.
    pub occasion: Occasion,
}

/// What the counted specs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Specs of an environment that are missing in a cache.
    Missing {
        /// How many specs the environment has that are not external.
        wanted: usize,
        /// How many of them the cache has, and filters leave in.
        cached: usize,
        /// How many of them the cache has, and filters leave out; `None` without filters.
        left_out: Option<usize>,
    },
    /// Builds that came to a cache.
    Came {
        /// How many.
        builds: usize,
    },
    /// Two builds, with everything that they depend on.
    TwoBuilds,
}

/// How many packages are named.
const NAMED: usize = 3;

/// How many causes are listed for people.
pub const LISTED: usize = 20;

impl Cause {
    /// Returns the cause in words: `target: x86_64_v3 → zen4 on 21 specs`. Dependencies are names too, so the package that
    /// has them comes first: `dependencies of hdf5: zlib@1.2 → @1.3`.
    pub fn words(&self) -> String {
        let OwnDifference { old, new, .. } = &self.difference;
        let label = self.difference.label();
        let whose = match self.packages.len() {
            0..=NAMED => format!("of {}", self.packages.join(", ")),
            _ => format!("on {}", counted(self.hashes.len(), "spec", "specs")),
        };
        match matches!((old, new), (FieldValue::Edges(_), FieldValue::Edges(_))) {
            true => format!("{label} {whose}: {}", self.difference),
            false => format!("{label}: {} {whose}", self.difference),
        }
    }
}

impl<'a> CausesInWords<'a> {
    /// Returns the result in one sentence: `96 of your 140 specs are missing because of 2 differences`. `None` if nothing
    /// is known to differ.
    pub fn headline(&self) -> Option<String> {
        self.causes.shown().next()?;
        let explained = self.causes.explained;
        let differences = counted(self.causes.shown().count(), "difference", "differences");
        let is = |number: usize| if number == 1 { "is" } else { "are" };
        Some(match self.occasion {
            Occasion::Missing { wanted, left_out, .. } => {
                let filters = match left_out.unwrap_or(0) {
                    0 => String::new(),
                    left_out => format!(", and the filters leave out {}", grouped(left_out)),
                };
                format!(
                    "{} of your {} {} missing because of {differences}{filters}",
                    grouped(explained),
                    counted(wanted, "spec", "specs"),
                    is(explained)
                )
            }
            Occasion::Came { builds } => format!(
                "{} of {} {} explained by {differences}",
                grouped(explained),
                counted(builds, "new build", "new builds"),
                is(explained)
            ),
            Occasion::TwoBuilds => {
                let specs = self.causes.specs.len();
                format!("{differences} in {}", counted(specs, "spec", "specs"))
            }
        })
    }

    /// Returns how many builds are new because stacks or operating systems were added, each as a sentence without a
    /// full stop.
    pub fn added(&self) -> Vec<String> {
        let Causes { with_stacks, with_systems, added_with, .. } = self.causes;
        let kinds = [("in", "a stack", "stacks"), ("for", "an OS", "systems")];
        let sentence = |(with, (preposition, one, many)): (&AddedWith, _)| {
            let AddedWith { specs, names } = with;
            let named = names.len().min(NAMED);
            let mut listed = names[..named].join(", ");
            if names.len() > named {
                listed += &format!(" and {}", counted(names.len() - named, "other", "others"));
            }
            let are = if *specs == 1 { "is" } else { "are" };
            let parts = match names.len() {
                0 => return None,
                1 => format!("{one} that was added"),
                _ => format!("{many} that were added"),
            };
            let builds = counted(*specs, "new build", "new builds");
            Some(format!("{builds} {are} {preposition} {parts}: {listed}"))
        };
        let mut said: Vec<String> =
            [with_stacks, with_systems].into_iter().zip(kinds).filter_map(sentence).collect();
        // These builds are counted in both sentences.
        let in_both = with_stacks.specs + with_systems.specs - added_with;
        if let Some(of_systems) = said.get_mut(1) {
            of_systems.push_str(&match in_both {
                0 => String::new(),
                1 if with_systems.specs == 1 => "; it is in an added stack, too".to_owned(),
                all if all == with_systems.specs => {
                    "; all of them are in added stacks, too".to_owned()
                }
                1 => "; 1 of them is in an added stack, too".to_owned(),
                some => format!("; {} of them are in added stacks, too", grouped(some)),
            });
        }
        said
    }

    /// Returns how many causes are not among the first [`LISTED`], as a sentence without a full stop; `None` if all are.
    pub fn not_listed(&self) -> Option<String> {
        let more = self.causes.shown().count().checked_sub(LISTED).filter(|more| *more > 0)?;
        let more = counted(more, "further difference is", "further differences are");
        Some(format!("{more} not shown"))
    }

    /// Returns which operating systems cannot be chosen together although several causes lead to them, as a sentence
    /// without a full stop; `None` if all specs can be compared on one.
    pub fn alternatives(&self) -> Option<String> {
        if !matches!(self.occasion, Occasion::Missing { .. }) {
            return None;
        }
        let of_os = |cause: &'a Cause| match &cause.difference {
            OwnDifference {
                field: Field::Os,
                old: FieldValue::Text(old),
                new: FieldValue::Text(new),
                ..
            } => Some((new, (old, cause.hashes.len()))),
            _ => None,
        };
        let mut by_new: BTreeMap<&String, Vec<(&String, usize)>> = BTreeMap::new();
        let causes = self.causes;
        for (new, of_old) in causes.shown().filter_map(|(_, cause)| of_os(cause)) {
            by_new.entry(new).or_default().push(of_old);
        }
        let (new, olds) = by_new.into_iter().find(|(_, olds)| olds.len() > 1)?;
        let olds = olds.into_iter().map(|(old, specs)| {
            let specs = counted(specs, "spec", "specs");
            format!("{old} ({specs})")
        });
        let olds = listed(&olds.collect::<Vec<_>>());
        Some(format!(
            "The specs for {new} are compared with builds for {olds}, which are alternatives, with their targets and libcs: choose one of them"
        ))
    }

    /// Returns what no cause explains, each as a sentence without a full stop.
    pub fn rest(&self) -> Vec<String> {
        let (noun, nouns) = match self.occasion {
            Occasion::Came { .. } => ("new build", "new builds"),
            _ => ("spec", "specs"),
        };
        let mut rest = Vec::new();
        let Causes { added, added_with, added_packages, absent, absent_packages, .. } = self.causes;
        let unexplained = self.unexplained();
        if *absent > 0 {
            let are = if *absent == 1 { "is" } else { "are" };
            let mut named = absent_packages[..absent_packages.len().min(NAMED)].join(", ");
            let more = absent_packages.len().saturating_sub(NAMED);
            if more > 0 {
                named += &format!(" and {}", counted(more, "other", "others"));
            }
            let packages = match absent_packages.len() {
                1 => "a package",
                _ => "packages",
            };
            let specs = counted(*absent, noun, nouns);
            rest.push(format!("{specs} {are} of {packages} that the cache does not have: {named}"));
        }
        // These, and builds of added stacks and systems, have sentences of their own.
        let added = added - added_with - absent;
        let added_packages: Vec<&str> = (added_packages.iter())
            .filter(|package| !absent_packages.contains(package))
            .map(String::as_str)
            .collect();
        let (of_added, of_unexplained) =
            (counted(added, noun, nouns), counted(unexplained, noun, nouns));
        let is_came = matches!(self.occasion, Occasion::Came { .. });
        match added {
            0 => {}
            1 if is_came => {
                rest.push(format!("{of_added} replaces none that went, so nothing explains it"))
            }
            _ if is_came => {
                rest.push(format!("{of_added} replace none that went, so nothing explains them"))
            }
            _ if matches!(self.occasion, Occasion::Missing { left_out: Some(_), .. }) => {
                rest.push(format!("The filters leave no build to compare {of_added} with"))
            }
            // A build is compared with one spec only.
            added => {
                let them = if added == 1 { "it" } else { "them" };
                let of = match added_packages.as_slice() {
                    few @ [_, ..] if few.len() <= NAMED => format!(" ({})", few.join(", ")),
                    _ => String::new(),
                };
                rest.push(format!(
                    "No build for the same kind of machine is left to compare {of_added}{of} with, so nothing explains {them}"
                ));
            }
        }
        // The old side has these too, as dependencies of others.
        let listed = match self.occasion {
            Occasion::Came { builds } => {
                builds.saturating_sub(self.causes.explained + self.causes.added + unexplained)
            }
            _ => 0,
        };
        if listed > 0 {
            let were = if listed == 1 { "was" } else { "were" };
            let builds = counted(listed, noun, nouns);
            rest.push(format!("{builds} {were} listed before, without a binary"));
        }
        match unexplained {
            0 => {}
            1 => rest.push(format!("The cache does not say why {of_unexplained} differs")),
            _ => rest.push(format!("The cache does not say why {of_unexplained} differ")),
        }
        rest
    }

    /// Returns how many specs the cache does not explain: of two builds, with all that they depend on; otherwise, of those
    /// that are counted. Externals, and builds that filters leave out, are compared but not counted.
    fn unexplained(&self) -> usize {
        let Causes { specs, unexplained, .. } = self.causes;
        if self.occasion == Occasion::TwoBuilds {
            return unexplained.len();
        }
        let unexplained: HashSet<Hash> = unexplained.iter().copied().collect();
        let is_meant = |spec: &&ChangedSpec| spec.is_counted && unexplained.contains(&spec.hash);
        specs.iter().filter(is_meant).count()
    }

    fn sentences(&self) -> impl Iterator<Item = String> {
        let said = self.added().into_iter().chain(self.not_listed());
        said.chain(self.alternatives()).chain(self.rest())
    }

    /// Returns how much a cause explains: `96 specs, 90 of them alone`.
    pub fn share(&self, cause: &Cause) -> String {
        let Cause { explains, alone, .. } = *cause;
        let all = match self.occasion {
            Occasion::Came { .. } => counted(explains, "new build", "new builds"),
            _ => counted(explains, "spec", "specs"),
        };
        match alone {
            _ if explains == 0 => all,
            0 => format!("{all}, with other causes"),
            alone if alone == explains && explains == 1 => format!("{all}, alone"),
            alone if alone == explains => format!("{all}, all of them alone"),
            alone => format!("{all}, {} of them alone", grouped(alone)),
        }
    }

    /// Returns a cause in words. For a single missing spec, they name its counterpart, because a cache often has
    /// several builds that are equally near.
    fn words(&self, at: usize, cause: &Cause) -> String {
        let words = cause.words();
        let is_one = cause.hashes.len() == 1 && matches!(self.occasion, Occasion::Missing { .. });
        match self.causes.counterparts(at).next().filter(|_| is_one) {
            Some((_, counterpart)) => {
                let hash = &counterpart.to_string()[..SHORT_HASH];
                format!("{words}, compared with {}/{hash}", cause.packages[0])
            }
            None => words,
        }
    }

    /// Returns what would undo a cause, in words; nothing for a complete cache, which nobody concretizes again.
    fn remedies(&self, at: usize) -> Vec<String> {
        match self.occasion {
            Occasion::Came { .. } => Vec::new(),
            _ => self.causes.remedies(at),
        }
    }

    /// Returns the lines for `spack.yaml` that undo some causes, by their positions, and what they would bring, as a sentence
    /// without a full stop. `None` if no setting undoes them, or that would bring nothing.
    pub fn advice(&self, undoable: &[usize]) -> Option<(String, Option<String>)> {
        let mut undone = undoable.to_vec();
        match self.occasion {
            Occasion::Came { .. } => return None,
            Occasion::Missing { .. } => {
                // Leaves out causes that bring nothing when undone: the specs that they would help have another cause.
                let brought = self.causes.restored(&undone);
                for cause in undoable {
                    let others: Vec<usize> =
                        undone.iter().copied().filter(|other| other != cause).collect();
                    if self.causes.restored(&others) == brought {
                        undone = others;
                    }
                }
                if brought == (0, 0) {
                    return None;
                }
            }
            Occasion::TwoBuilds => {}
        }
        Some((self.causes.lines(&undone)?, self.effect(&undone)))
    }

    /// Returns the causes that some setting undoes, by their positions.
    pub fn undoable(&self) -> Vec<usize> {
        let causes = self.causes;
        let is_undoable =
            |at: &usize| causes.other_remedies(*at).is_empty() && causes.notes(*at).is_empty();
        causes.shown().map(|(at, _)| at).filter(is_undoable).collect()
    }

    /// Returns what would undo a cause, and what to know in place of that, in words.
    fn advised(&self, at: usize) -> Vec<String> {
        let remedies = self.remedies(at).into_iter();
        let remedies = remedies.map(|words| format!("to undo it, {words}"));
        remedies.chain(self.causes.notes(at).into_iter().map(str::to_owned)).collect()
    }

    /// Returns what undoing some causes would bring, as a sentence without a full stop.
    fn effect(&self, undone: &[usize]) -> Option<String> {
        let Occasion::Missing { wanted, cached, left_out } = self.occasion else { return None };
        let (mut identical, mut perhaps) = self.causes.restored(undone);
        // With a different recipe, it is unknown whether an earlier version would come out the same.
        let has = |at: usize, field: Field| self.causes.causes[at].difference.field == field;
        let differ_in_recipes = self.causes.shown().any(|(at, _)| has(at, Field::Recipe))
            && undone.iter().any(|&at| has(at, Field::Version));
        if differ_in_recipes {
            perhaps += std::mem::take(&mut identical);
        }
        let recipes = match differ_in_recipes {
            true => ": your recipes differ from those that it was built with",
            false => "",
        };
        let place = match left_out {
            Some(_) => "in what the filters leave of the cache",
            None => "in the cache",
        };
        let of_wanted = |number: usize| format!("{} of {}", grouped(number), grouped(wanted));
        let all = of_wanted(cached + identical);
        let are = if cached + identical == 1 { "is" } else { "are" };
        Some(match (identical, perhaps) {
            (0, _) => {
                format!("With these, {} may be {place}{recipes}", of_wanted(cached + perhaps))
            }
            (_, 0) => format!("With these, {all} {are} {place}"),
            _ => format!("With these, {all} {are} {place}, and {} more may be", grouped(perhaps)),
        })
    }

    /// Returns `{"causes": [{"field", "old", "new", "packages", "hashes", "explains", "alone"}], "additions": [hashes],
    /// "follows": {hash: [hashes of its causes]}}`; and `"unexplained": [hashes]` if the cache does not say why those
    /// differ.
    pub fn json(&self) -> Map<String, Value> {
        let texts = |hashes: &[Hash]| hashes.iter().map(Hash::to_string).collect::<Vec<_>>();
        let causes = self.causes.causes.iter().map(|cause| {
            let OwnDifference { old, new, .. } = &cause.difference;
            json!({
                "field": cause.difference.key(),
                "old": old.json(),
                "new": new.json(),
                "packages": cause.packages,
                "hashes": texts(&cause.hashes),
                "explains": cause.explains,
                "alone": cause.alone,
            })
        });
        let follows = self.causes.follows().into_iter();
        let follows = follows.map(|(hash, causes)| (hash.to_string(), json!(texts(&causes))));
        let mut object = Map::new();
        object.insert("causes".to_owned(), causes.collect());
        object.insert("additions".to_owned(), json!(texts(&self.causes.additions)));
        let AddedWith { names, .. } = &self.causes.with_stacks;
        if !names.is_empty() {
            object.insert("added_stacks".to_owned(), json!(names));
        }
        object.insert("follows".to_owned(), Value::Object(follows.collect()));
        if !self.causes.unexplained.is_empty() {
            object.insert("unexplained".to_owned(), json!(texts(&self.causes.unexplained)));
        }
        object
    }

    /// Returns a section for a report: the headline, a table of the causes, and what would undo them.
    pub fn markdown(&self) -> String {
        let mut text = self.headline().map_or(String::new(), |line| format!("**{line}**\n"));
        let shown: Vec<(usize, &Cause)> = self.causes.shown().collect();
        let is_undone = !matches!(self.occasion, Occasion::Came { .. });
        if !shown.is_empty() {
            text.push_str(match is_undone {
                true => "\n| difference | explains | what would undo it |\n| --- | --- | --- |\n",
                false => "\n| difference | explains |\n| --- | --- |\n",
            });
        }
        for &(at, cause) in shown.iter().take(LISTED) {
            let remedy = is_undone.then(|| {
                let notes = self.causes.notes(at).into_iter().map(str::to_owned);
                self.remedies(at).into_iter().chain(notes).collect::<Vec<_>>().join("; ")
            });
            let cells = [self.words(at, cause), self.share(cause)].into_iter().chain(remedy);
            let cells: Vec<String> = cells.map(|cell| markdown_cell(&cell)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        for sentence in self.sentences() {
            let _ = writeln!(text, "\n{sentence}.");
        }
        if let Some((lines, effect)) = self.advice(&self.undoable()) {
            let _ = writeln!(text, "\n```yaml\n{lines}```");
            if let Some(effect) = effect {
                let _ = writeln!(text, "\n{effect}.");
            }
        }
        text
    }

    /// Returns the lines for a terminal.
    pub fn text(&self) -> String {
        let mut text = self.headline().map_or(String::new(), |line| format!("{line}\n"));
        let shown: Vec<(usize, &Cause)> = self.causes.shown().collect();
        for &(at, cause) in shown.iter().take(LISTED) {
            let _ =
                writeln!(text, "  {}\n      explains {}", self.words(at, cause), self.share(cause));
            for words in self.advised(at) {
                let _ = writeln!(text, "      {words}");
            }
        }
        for sentence in self.sentences() {
            let _ = writeln!(text, "{sentence}");
        }
        if let Some((lines, effect)) = self.advice(&self.undoable()) {
            let _ = write!(text, "\nWhat would undo the differences, in spack.yaml:\n\n{lines}");
            if let Some(effect) = effect {
                let _ = writeln!(text, "\n{effect}");
            }
        }
        text
    }
}
