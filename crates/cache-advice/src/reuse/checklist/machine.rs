//! The rules about the machine: platform, target, OS and libc.

use cache_index::facet::Facet;
use cache_index::index::{EdgeTarget, NO_LIBC};
use cache_query::host::{is_newer_macos, libc_doubt};
use spack_spec::Target;

use super::{FROM_INDEX, Found, IN_BOTH, IN_INDEX, IN_SPEC, Judge, found};
use crate::reuse::rule::RuleStatus;

impl Judge<'_> {
    pub(super) fn platform(&self) -> Found {
        let (built_for, yours) = (self.text(Facet::Platform), self.setup.host.platform());
        let fact = format!("built for {built_for}; yours is {yours}");
        found(self.machine.platform(built_for), IN_BOTH, fact, &format!("a {built_for} machine"))
    }

    pub(super) fn target(&self) -> Found {
        let (built_for, yours) = (self.text(Facet::Target), self.setup.host.target());
        let status = self.machine.target(built_for);
        let known = Target::named(built_for).zip(Target::named(yours));
        let fact = match (status, known) {
            (RuleStatus::Passed, _) if built_for == yours => {
                format!("built for {built_for}, as yours is")
            }
            (RuleStatus::Passed, _) => format!("built for {built_for}, which {yours} runs"),
            (RuleStatus::Unknown, _) => {
                let unknown = if Target::named(built_for).is_none() { built_for } else { yours };
                format!("Spack does not know the target {unknown}")
            }
            (RuleStatus::Failed, Some((needed, own))) if own.runs(needed) => {
                format!("built for {built_for}; your settings only allow generic targets")
            }
            (RuleStatus::Failed, Some((needed, own))) if own.family() != needed.family() => {
                format!("built for {built_for}; yours is {}", own.family())
            }
            (RuleStatus::Failed, Some((needed, own))) => {
                match own.features_missing_for(needed).as_slice() {
                    [] => format!("built for {built_for}; yours is {yours}, which does not run it"),
                    few @ ([_] | [_, _] | [_, _, _]) => {
                        format!(
                            "built for {built_for}; yours is {yours}, for which Spack does not list {}",
                            few.join(", ")
                        )
                    }
                    many => format!(
                        "built for {built_for}; yours is {yours}, for which Spack does not list {} and {} more",
                        many[..2].join(", "),
                        many.len() - 2
                    ),
                }
            }
            (RuleStatus::Failed, None) => format!("built for {built_for}; yours is {yours}"),
        };
        found(status, IN_BOTH, fact, &format!("a machine that runs {built_for}"))
    }

    pub(super) fn os(&self) -> Found {
        let (built_on, yours) = (self.text(Facet::Os), self.setup.host.os());
        // The machine says nothing about the OS of another platform.
        let platform = self.text(Facet::Platform);
        if self.machine.platform(platform) == RuleStatus::Failed {
            let fact = format!("built on {built_on}; yours is {yours}");
            let change = format!("a {platform} machine");
            return found(self.machine.os(built_on), IN_BOTH, fact, &change);
        }
        let status = self.machine.os(built_on);
        let fact = match status {
            RuleStatus::Passed if built_on == yours => format!("built on {built_on}, as yours is"),
            RuleStatus::Passed if self.machine.judges_libc() => {
                format!("built on {built_on}; on Linux the libc decides, not the OS")
            }
            RuleStatus::Passed => format!("built on {built_on}, which {yours} takes"),
            RuleStatus::Failed | RuleStatus::Unknown => {
                format!("built on {built_on}; yours is {yours}")
            }
        };
        let mut change = match self.setup.host.platform() {
            // The setting came with the version that compares libcs.
            "linux" => {
                format!("{built_on}, or Spack 0.22 or newer, which compares the libc instead")
            }
            _ => format!("{built_on}, or os_compatible: {{{yours}: [{built_on}]}}"),
        };
        if is_newer_macos(built_on, yours) {
            let doubt = "then Spack takes it, but it may not run";
            change = format!("{change}; {doubt}: {yours} is older than {built_on}");
        }
        found(status, IN_BOTH, fact, &change)
    }

    pub(super) fn libc(&self) -> Found {
        let values = self.index.values(self.row, Facet::Libc);
        let linked_with = values.first().map(|code| self.index.dictionary(Facet::Libc).text(*code));
        if !self.machine.judges_libc() {
            let fact = match self.setup.host.platform() {
                "linux" => format!("Spack {} judges the OS instead", self.setup.spack),
                platform => format!("not judged on {platform}"),
            };
            return found(RuleStatus::Passed, IN_BOTH, fact, "");
        }
        let needed = match linked_with {
            None => {
                let fact = "this cache page does not say which libc it is linked with";
                return found(RuleStatus::Unknown, IN_INDEX, fact.to_owned(), FROM_INDEX);
            }
            Some(NO_LIBC) => {
                let fact = "not itself linked with a libc".to_owned();
                return found(RuleStatus::Passed, IN_SPEC, fact, "");
            }
            Some(needed) => needed,
        };
        let prefix = self.libc_prefix();
        let place = self.machine.libc_place(prefix);
        let status = self.machine.libc(needed).min(place);
        let at = prefix.map_or(String::new(), |prefix| format!(" at {prefix}"));
        let host = &self.setup.host;
        let yours = match self.machine.libc {
            None => "yours is not known".to_owned(),
            Some(own) if place == RuleStatus::Failed => {
                format!("yours is {own} at {}", self.setup.libc_path)
            }
            Some(own) if host.libc().is_none() => format!("{} has {own}", host.os()),
            Some(own) => format!("yours is {own}"),
        };
        // Spack goes by the label.
        let doubt = libc_doubt(self.text(Facet::Os), needed, self.machine.libc);
        let doubt = doubt.filter(|_| status == RuleStatus::Passed);
        let doubt = doubt.map_or(String::new(), |doubt| format!("; but {doubt}"));
        let fact = format!("linked with {needed}{at}; {yours}{doubt}");
        let change = match status {
            RuleStatus::Unknown => "say which libc you have".to_owned(),
            _ if place == RuleStatus::Failed => format!("a machine whose libc is{at}"),
            _ => format!("a machine with {} or newer", needed.replace('@', " ")),
        };
        found(status, IN_BOTH, fact, &change)
    }

    /// Returns the prefix of the libc that the build is linked with, if it is known.
    fn libc_prefix(&self) -> Option<&str> {
        let mut edges = self.index.dependencies(self.build)?;
        let libc = edges.find(|edge| edge.virtuals.iter().any(|name| name == "libc"))?;
        let EdgeTarget::Build(libc) = libc.target else { return None };
        self.index.origin(self.index.row_of(libc)).found_at.as_ref()?.prefix.as_deref()
    }
}
