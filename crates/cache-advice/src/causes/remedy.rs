//! What would undo a cause: lines for `packages:` in `spack.yaml`, or what else to do, in words.
//!
//! What a remedy would bring is looked up in the cache, not promised: once all of its causes are undone, a spec is
//! identical to its counterpart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cache_index::build::{Build, FoundAt, SHORT_HASH, Variant, VariantValue};
use cache_index::index::BuildId;
use serde_json::{Value, json};

use super::graph::{Position, SpecSource};
use super::machine::is_libc;
use super::requested::RequestedSpec;
use super::{Cause, Causes, OwnDifference, attribution};
use crate::differences::{Field, FieldEdge, FieldValue};
use crate::text::wording::listed;

/// What would undo a cause for one package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// A target for a package.
    Target {
        /// The package.
        package: String,
        /// The target.
        target: String,
    },
    /// A requirement for a package.
    Require {
        /// The package, virtual or not.
        package: String,
        /// What it must satisfy.
        requirement: String,
    },
    /// An external of a package.
    External {
        /// The package.
        package: String,
        /// The spec of the external.
        spec: String,
        /// Where it is.
        found_at: FoundAt,
    },
    /// In words: something that no setting can do.
    Words(String),
    /// What to know in place of a remedy: a sentence without a full stop.
    Instead(String),
}

/// What a cache offers in the place of a spec whose causes are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemedyOffer {
    /// Nothing: its counterpart has no binary.
    Nothing,
    /// A build that is the same as far as the cache says.
    Perhaps,
    /// An identical build.
    Identical,
}

impl RemedyOffer {
    /// Returns what a side offers in place of a spec, by its counterpart `old`.
    pub(super) fn by(side: SpecSource<'_>, at: Position, old: &Build, new: &Build) -> RemedyOffer {
        let SpecSource::Index(index) = side else { return RemedyOffer::Nothing };
        if !index.has_binary(index.row_of(BuildId(at))) {
            return RemedyOffer::Nothing;
        }
        let says_all = |build: &Build| build.dependencies.is_some() && build.package_hash.is_some();
        if says_all(old) && says_all(new) { RemedyOffer::Identical } else { RemedyOffer::Perhaps }
    }
}

impl Remedy {
    /// Returns the remedy that gives a spec the value of its counterpart, with the variants that this has
    /// [brought along](brought_along): in words, if a requirement would contradict what was `asked` for.
    pub(super) fn of(
        difference: &OwnDifference,
        brought: &str,
        old: &Build,
        asked: Option<&RequestedSpec<'_>>,
    ) -> Remedy {
        let remedy = match Remedy::of_package(difference, old) {
            Remedy::Require { package, requirement } if difference.field == Field::Variants => {
                Remedy::Require { package, requirement: requirement + brought }
            }
            remedy => remedy,
        };
        let Some(asked) = asked else { return remedy };
        let ruling_out = asked.ruling_out(difference, old);
        if ruling_out.is_empty() {
            return remedy;
        }
        let instead = match &remedy {
            Remedy::Require { package, requirement } if difference.field == Field::Edges => {
                match LANGUAGES.contains(&package.as_str()) {
                    true => format!("%{package}={requirement}"),
                    false => format!("^{requirement}"),
                }
            }
            Remedy::Require { requirement, .. } => requirement.clone(),
            Remedy::Target { target, .. } => format!("target={target}"),
            Remedy::Words(_) if difference.field == Field::Edges => {
                specs_of_edges(&difference.old).join(" ")
            }
            Remedy::External { .. } | Remedy::Words(_) | Remedy::Instead(_) => return remedy,
        };
        let (ruling_out, whole) = (ruling_out.join(" "), asked.text);
        Remedy::Words(format!("ask for {instead} instead of {ruling_out} in {whole}"))
    }

    fn of_package(difference: &OwnDifference, old: &Build) -> Remedy {
        let package = old.package.clone();
        let (is_external, version) = (old.external, &old.version);
        let require =
            |requirement: String| Remedy::Require { package: package.clone(), requirement };
        let name = &difference.name;
        match (difference.field, &difference.old) {
            (Field::External | Field::Version, _) if is_libc(&package) => {
                Remedy::Words(format!("concretize on a machine with {package}@{version}"))
            }
            (Field::External | Field::Version, _) if old.external => Remedy::External {
                spec: external_spec(old),
                found_at: old.found_at.clone().unwrap_or_default(),
                package,
            },
            (Field::External, _) => Remedy::Words(format!(
                "remove {package} from `externals:`, so that Spack builds it"
            )),
            (Field::Version, _) => require(format!("@{version}")),
            (Field::Target, _) => Remedy::Target { package, target: old.target.clone() },
            (Field::Platform | Field::Os, _) => {
                Remedy::Words(format!("concretize on {} {}", old.platform, old.os))
            }
            (Field::Compiler, FieldValue::Text(compiler)) => require(format!("%{compiler}")),
            (Field::Variants, _) if name == "dev_path" => {
                Remedy::Words(format!("do not develop {package} here"))
            }
            (Field::Variants, old) if *old != FieldValue::Absent => {
                let variant = variant_of(name, old);
                match is_external {
                    // A requirement does not change what was found on the machine: it would rule the external out.
                    true => Remedy::Words(format!(
                        "declare the external {package}@{version} with {variant}"
                    )),
                    false => require(variant.to_string()),
                }
            }
            (Field::Flags, FieldValue::List(values)) if !values.is_empty() => {
                require(format!("{name}=\"{}\"", values.join(" ")))
            }
            (Field::Flags, _) => Remedy::Words(format!("do not set {name} for {package}")),
            (Field::Namespace, FieldValue::Text(repository)) => Remedy::Words(format!(
                "take the recipe of {package} from the repository {repository}"
            )),
            (Field::Generation, _) => Remedy::Words(
                "concretize anew with this cache as a mirror: what Spack reuses keeps its hash"
                    .to_owned(),
            ),
            (Field::Edges, FieldValue::Edges(edges)) => of_edges(difference, edges, &package),
            _ => Remedy::of_recipe(&package),
        }
    }

    fn of_recipe(package: &str) -> Remedy {
        Remedy::Words(format!("use the recipe of {package} that the cache was built with"))
    }
}

/// Returns a variant with a value that is not absent.
fn variant_of(name: &str, value: &FieldValue) -> Variant {
    let value = match value {
        FieldValue::Bool(value) => VariantValue::Bool(*value),
        value => VariantValue::Multi(value.list().unwrap_or_default().to_vec()),
    };
    Variant { name: name.to_owned(), value }
}

/// Returns the variants that a counterpart has only because of the values of its other variants, as they are written
/// after those: without them, a requirement leads to other builds. Nothing if it has another version or recipe, because
/// these bring variants as well.
pub(super) fn brought_along(differences: &[OwnDifference], follows: &[bool]) -> String {
    let is_other = |one: &OwnDifference| matches!(one.field, Field::Version | Field::Recipe);
    if differences.iter().any(is_other) {
        return String::new();
    }
    let following = differences.iter().zip(follows).filter(|(_, follows)| **follows);
    let brought = following.map(|(difference, _)| difference).filter(|difference| {
        difference.field == Field::Variants
            && !difference.is_variant_of_patches()
            && difference.new == FieldValue::Absent
    });
    brought.map(|OwnDifference { name, old, .. }| format!(" {}", variant_of(name, old))).collect()
}

/// Returns the spec of an external as `spack external find` writes it.
fn external_spec(build: &Build) -> String {
    let mut spec = format!("{}@{}", build.package, build.version);
    let languages = build.variants.iter().find(|variant| variant.name == "languages");
    if let Some(Variant { value: VariantValue::Multi(values), .. }) = languages {
        let _ = write!(spec, " languages:='{}'", values.join(","));
    }
    spec
}

/// The virtual packages that compilers provide.
pub(super) const LANGUAGES: [&str; 3] = ["c", "cxx", "fortran"];

/// Returns the remedy that makes edges point to what the counterpart depends on.
fn of_edges(difference: &OwnDifference, old: &[FieldEdge], package: &str) -> Remedy {
    let FieldValue::Edges(new) = &difference.new else { return Remedy::of_recipe(package) };
    for edge in old {
        let is_provided = |name: &&String| {
            let mut others = new.iter().filter(|other| other.package != edge.package);
            others.any(|other| other.virtuals.contains(name))
        };
        if let Some(name) = edge.virtuals.iter().find(is_provided).filter(|_| edge.hash.is_none()) {
            return Remedy::Require { package: name.clone(), requirement: edge.package.clone() };
        }
    }
    let with_version = |edge: &FieldEdge| {
        edge.version.as_ref().map(|version| format!("{}@{version}", edge.package))
    };
    // Nobody names the runtime libraries of a compiler in a spec.
    if let Some(compiler) = package.strip_suffix("-runtime")
        && let Some(edge) = old.iter().find(|edge| edge.package == compiler)
        && let Some(compiler) = with_version(edge)
    {
        return Remedy::Words(format!("build with {compiler}"));
    }
    // Naming only one of them would leave the others as they are.
    let specs = specs_of_edges(&difference.old);
    let libc = old.iter().filter(|edge| is_libc(&edge.package)).find_map(with_version);
    match (specs.is_empty(), libc) {
        (true, Some(libc)) => Remedy::Words(format!("concretize on a machine with {libc}")),
        (true, None) => Remedy::of_recipe(package),
        (false, _) => Remedy::Words(format!(
            "add {} to the spec of {package}; what is concretized together with it takes the same",
            specs.join(" ")
        )),
    }
}

/// Returns the specs of the targets of edges, as they are written in the spec that has the edges.
fn specs_of_edges(old: &FieldValue) -> Vec<String> {
    let FieldValue::Edges(old) = old else { return Vec::new() };
    let compiles =
        |edge: &&FieldEdge| edge.virtuals.iter().any(|name| LANGUAGES.contains(&name.as_str()));
    let compilers: Vec<&FieldEdge> = old.iter().filter(compiles).collect();
    let spec = |edge: &FieldEdge| {
        let hash = edge.hash?.to_string();
        let FieldEdge { package, version, .. } = edge;
        // The runtime libraries of a compiler come with it.
        let is_runtime = |compiler: &&FieldEdge| {
            package.strip_suffix("-runtime") == Some(compiler.package.as_str())
        };
        match version {
            // A compiler may be an external, which no cache has.
            Some(version) if compiles(&edge) => Some(format!("%{package}@{version}")),
            _ if compilers.iter().any(is_runtime) => None,
            // Each machine has its own.
            _ if is_libc(package) || package == "compiler-wrapper" => None,
            Some(version) => Some(format!("^{package}@{version}/{}", &hash[..SHORT_HASH])),
            None => Some(format!("^{package}/{}", &hash[..SHORT_HASH])),
        }
    };
    let mut specs: Vec<String> = old.iter().filter_map(spec).collect();
    specs.sort_unstable();
    specs.dedup();
    specs
}

/// Returns `true` for the runtime libraries of a compiler among these packages.
pub(super) fn comes_with_compiler(package: &str, packages: &[String]) -> bool {
    let compiler = package.strip_suffix("-runtime");
    compiler.is_some_and(|compiler| packages.iter().any(|package| package == compiler))
}

/// The maximum number of packages that are named if a setting is required for them.
const LISTED: usize = 3;

impl Causes {
    /// Returns the lines that undo some causes, by their positions; `None` if no setting does.
    pub fn lines(&self, causes: &[usize]) -> Option<String> {
        let mut packages: BTreeMap<&str, PackageSettings<'_>> = BTreeMap::new();
        for &cause in causes {
            let cause = &self.causes[cause];
            for remedy in &cause.remedies {
                // Most targets are the same for all packages, and the runtime libraries of a compiler come with it.
                match remedy {
                    Remedy::Target { target, .. } if cause.packages.len() > 1 => {
                        packages.entry("all").or_default().targets.insert(target);
                    }
                    // Spack only reads `target:` for all packages.
                    Remedy::Target { package, target } => {
                        let requirements = &mut packages.entry(package).or_default().requirements;
                        requirements.insert(format!("target={target}"));
                    }
                    Remedy::Require { package, .. }
                        if comes_with_compiler(package, &cause.packages) => {}
                    Remedy::Require { package, requirement } => {
                        packages
                            .entry(package)
                            .or_default()
                            .requirements
                            .insert(requirement.clone());
                    }
                    Remedy::External { package, spec, found_at } => {
                        packages.entry(package).or_default().externals.insert((spec, found_at));
                    }
                    Remedy::Words(_) | Remedy::Instead(_) => {}
                }
            }
        }
        if packages.is_empty() {
            return None;
        }
        let mut text = String::from("packages:\n");
        for (package, settings) in packages {
            let _ = writeln!(text, "  {}:", yaml(package));
            settings.write(&mut text);
        }
        Some(text)
    }

    /// Returns everything that would undo a cause, in words, including the settings in [`lines`](Self::lines).
    pub fn remedies(&self, cause: usize) -> Vec<String> {
        let mut words: Vec<String> =
            self.other_remedies(cause).into_iter().map(str::to_owned).collect();
        let Cause { remedies, packages: of_cause, .. } = &self.causes[cause];
        let mut required: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for remedy in remedies {
            let (requirement, package) = match remedy {
                Remedy::Target { package, target } => (format!("target={target}"), package),
                Remedy::Require { package, .. } if comes_with_compiler(package, of_cause) => {
                    continue;
                }
                Remedy::Require { package, requirement } => (requirement.clone(), package),
                Remedy::External { spec, .. } => {
                    words.push(format!("use the external {spec}"));
                    continue;
                }
                Remedy::Words(_) | Remedy::Instead(_) => continue,
            };
            required.entry(requirement).or_default().push(package.clone());
        }
        words.extend(required.into_iter().map(|(requirement, packages)| match packages.len() {
            1..=LISTED => format!("require {requirement} for {}", listed(&packages)),
            packages => format!("require {requirement} for {packages} packages"),
        }));
        words
    }

    /// Returns what else would undo a cause, in words.
    pub fn other_remedies(&self, cause: usize) -> Vec<&str> {
        let words = self.causes[cause].remedies.iter().filter_map(|remedy| match remedy {
            Remedy::Words(words) => Some(words.as_str()),
            _ => None,
        });
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Returns what to know of a cause in place of a remedy, each as a sentence without a full stop.
    pub fn notes(&self, cause: usize) -> Vec<&str> {
        let notes = self.causes[cause].remedies.iter().filter_map(|remedy| match remedy {
            Remedy::Instead(note) => Some(note.as_str()),
            _ => None,
        });
        notes.collect()
    }

    /// Returns how many of the counted specs would be in the cache if some causes were undone, by their positions:
    /// those with an identical build there, and those about which the cache does not say enough.
    pub fn restored(&self, undone: &[usize]) -> (usize, usize) {
        let mut is_undone = vec![false; self.causes.len()];
        undone.iter().for_each(|&cause| is_undone[cause] = true);
        let is_left = |(cause, is_shown): &(u32, bool)| *is_shown && !is_undone[*cause as usize];
        let seeds = (0..self.specs.len()).filter(|&at| {
            let own = &self.specs[at].own;
            own.iter().any(is_left)
        });
        let keeps_a_cause = attribution::reached(&self.above(), seeds);
        let unexplained = self.unexplained.iter().copied().collect::<foldhash::HashSet<_>>();
        let restored = |restored: RemedyOffer| {
            let specs = self.specs.iter().zip(&keeps_a_cause).filter(|(spec, keeps)| {
                spec.is_counted && !**keeps && spec.restored == Some(restored)
            });
            specs.filter(|(spec, _)| !unexplained.contains(&spec.hash)).count()
        };
        (restored(RemedyOffer::Identical), restored(RemedyOffer::Perhaps))
    }
}

/// The settings of one package.
#[derive(Default)]
struct PackageSettings<'c> {
    targets: BTreeSet<&'c str>,
    requirements: BTreeSet<String>,
    externals: BTreeSet<(&'c str, &'c FoundAt)>,
}

impl PackageSettings<'_> {
    fn write(self, text: &mut String) {
        if !self.targets.is_empty() {
            let targets: Vec<String> = self.targets.into_iter().map(yaml).collect();
            let _ = writeln!(text, "    target: [{}]", targets.join(", "));
        }
        let requirements: Vec<String> = self.requirements.iter().map(|text| yaml(text)).collect();
        let _ = match requirements.as_slice() {
            [] => Ok(()),
            [requirement] => writeln!(text, "    require: {requirement}"),
            requirements => writeln!(text, "    require: [{}]", requirements.join(", ")),
        };
        if !self.externals.is_empty() {
            text.push_str("    externals:\n");
        }
        for (spec, FoundAt { prefix, modules, attributes }) in self.externals {
            let _ = writeln!(text, "    - spec: {}", yaml(spec));
            if let Some(prefix) = prefix {
                let _ = writeln!(text, "      prefix: {}", yaml(prefix));
            }
            if !modules.is_empty() {
                let _ = writeln!(text, "      modules: {}", json!(modules));
            }
            if let Some(attributes) = attributes {
                let _ = writeln!(text, "      extra_attributes: {attributes}");
            }
        }
    }
}

/// Writes a text of YAML, in quotes if it is not a plain word. A JSON string is a YAML string too.
fn yaml(text: &str) -> String {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'.');
    let starts_as_word =
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
    let is_special = matches!(
        text.to_ascii_lowercase().as_str(),
        "yes" | "no" | "on" | "off" | "true" | "false" | "null" | "y" | "n"
    );
    if starts_as_word && !is_special && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}
