//! Decides if a machine has what a binary demands.
//!
//! | demand | the machine has it if |
//! | --- | --- |
//! | a level of x86-64 | its target is that level or one above it |
//! | a version of glibc | its libc is glibc of that version or a later one |
//! | a version of macOS | it is that release or a later one |
//!
//! Labels say which libc a build was made with. What it demands may be older, or newer if the label is wrong. If the
//! machine's own libc is not stated, it is that of its OS, as far as the cache shows which one that is.

use cache_index::facet::Facet;
use cache_index::facts::{Demands, numbers};
use cache_index::index::{Index, NO_LIBC, RowId};
use cache_query::host::{Host, Runs, Verdict, is_of_unreliable_libc};
use spack_spec::Target;

use crate::machine_words::version_of_macos;

/// The family of glibc's symbols.
const GLIBC: &str = "GLIBC";

/// What a machine provides to meet the demands of binaries.
pub(crate) struct Provision<'m> {
    host: &'m Host,
    target: Option<Target>,
    /// Its libc, such as `glibc@2.35`, if it was stated or is that of all builds for its OS.
    libc: Option<&'m str>,
}

impl<'m> Provision<'m> {
    pub(crate) fn new(index: &'m Index, host: &'m Host) -> Provision<'m> {
        let libc = host.libc().or_else(|| host.libc_of_os(index));
        Provision { host, target: Target::named(host.target()), libc }
    }

    /// Decides by the demands of its binary whether a build of a row runs. `needed_for` names the package that the
    /// demand for glibc comes from, if the build only depends on it. Returns `None` if the demands do not decide, so
    /// that labels do.
    pub(crate) fn judge(
        &self,
        index: &Index,
        row: RowId,
        demands: &Demands,
        needed_for: Option<&str>,
    ) -> Option<Verdict> {
        let host = self.host;
        if index.text(row, Facet::Platform) != host.platform() {
            return None;
        }
        if let Some(level) = self.too_new_level(demands) {
            let reason = format!("needs {level}, which {} does not have", host.target());
            return Some(Verdict { runs: Runs::No, reason });
        }
        match host.platform() {
            "linux" => self.judge_glibc(index, row, demands, needed_for),
            "darwin" => self.judge_macos(demands),
            _ => None,
        }
    }

    /// Returns the level of x86-64 that a binary demands and the machine does not have.
    pub(crate) fn too_new_level<'d>(&self, demands: &'d Demands) -> Option<&'d str> {
        let needed = Target::named(&demands.target()?)?;
        let is_too_new = self.target.is_some_and(|own| !own.runs(needed));
        demands.level.as_deref().filter(|_| is_too_new)
    }

    fn judge_glibc(
        &self,
        index: &Index,
        row: RowId,
        demands: &Demands,
        needed_for: Option<&str>,
    ) -> Option<Verdict> {
        let label = index.values(row, Facet::Libc).first().copied();
        let label = label.map(|code| index.dictionary(Facet::Libc).text(code));
        let label = label.filter(|label| *label != NO_LIBC);
        let Some(version) = &demands.glibc else {
            // The symbols of other libcs have no versions.
            let is_of_glibc = label.is_none_or(|label| label.starts_with("glibc@"));
            let reason = "needs no version of glibc".to_owned();
            return is_of_glibc.then_some(Verdict { runs: Runs::Yes, reason });
        };
        let mut fact = format!("needs {GLIBC}_{version}");
        if let Some(package) = needed_for {
            fact.push_str(&format!(" for {package}"));
        }
        if let Some((_, label)) = label.and_then(|label| label.split_once('@')) {
            fact.push_str(&format!("; its label says {}", label.trim_start_matches('=')));
        }
        let of_same_os = || label.filter(|_| index.text(row, Facet::Os) == self.host.os());
        let Some((name, own)) = self.libc.or_else(of_same_os).and_then(|it| it.split_once('@'))
        else {
            return Some(Verdict {
                runs: Runs::Unknown,
                reason: format!("{fact}; yours is not known"),
            });
        };
        let own = own.trim_start_matches('=');
        let (runs, reason) = if name != "glibc" {
            (Runs::No, format!("{fact}; yours is {name}: does not run"))
        } else if demands.are_met_by_glibc(own) {
            (Runs::Yes, format!("{fact}; yours is {own}"))
        } else if is_of_unreliable_libc(self.host.os(), own) && version == "2.35" {
            let doubt =
                "that of RHEL 9.7 has symbols of 2.35, and that of earlier releases does not";
            (Runs::Unknown, format!("{fact}; yours is {own}, and {doubt}"))
        } else {
            (Runs::No, format!("{fact}; yours is {own}: does not run"))
        };
        Some(Verdict { runs, reason })
    }

    fn judge_macos(&self, demands: &Demands) -> Option<Verdict> {
        let needed = demands.macos.as_deref()?;
        let own = self.host.os();
        // The machine's minor version is not known, and Spack does not ask for it either.
        let release = numbers(version_of_macos(own)?);
        let runs = numbers(needed).iter().take(release.len()).le(&release);
        let fact = format!("needs macOS {needed}; yours is {own}");
        Some(match runs {
            true => Verdict { runs: Runs::Yes, reason: fact },
            false => Verdict { runs: Runs::No, reason: format!("{fact}: does not run") },
        })
    }
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    use super::*;

    /// Judges a build for a platform and OS, labelled with a libc or none.
    #[track_caller]
    fn check(yours: &str, os: &str, demands: Demands, expected: Option<(Runs, &str)>) {
        let platform = yours.split('.').next().expect("a platform");
        let build = Build {
            platform: platform.to_owned(),
            os: os.to_owned(),
            ..sample::one("zlib", "1.3")
        };
        let index = pack(About::default(), [build]).expect("an index");
        let host: Host = yours.parse().expect("a host");
        let verdict = Provision::new(&index, &host).judge(&index, RowId(0), &demands, None);
        let found = verdict.as_ref().map(|verdict| (verdict.runs, verdict.reason.as_str()));
        assert_eq!(found, expected);
    }

    fn glibc(version: &str) -> Demands {
        Demands { glibc: Some(version.to_owned()), ..Demands::default() }
    }

    #[test]
    fn compares_versions_of_glibc_as_numbers() {
        let on = "linux.rhel8.zen3.glibc@2.28";
        check(on, "rhel8", glibc("2.4"), Some((Runs::Yes, "needs GLIBC_2.4; yours is 2.28")));
        let too_new = "needs GLIBC_2.100; yours is 2.28: does not run";
        check(on, "rhel8", glibc("2.100"), Some((Runs::No, too_new)));
        let none = Some((Runs::Yes, "needs no version of glibc"));
        check(on, "rhel8", Demands::default(), none);
        let unknown = Some((Runs::Unknown, "needs GLIBC_2.4; yours is not known"));
        check("linux.rhel8.zen3", "rhel8", glibc("2.4"), unknown);
        let other = Some((Runs::No, "needs GLIBC_2.4; yours is musl: does not run"));
        check("linux.alpine3.zen3.musl@1.2.4", "rhel8", glibc("2.4"), other);
    }

    #[test]
    fn cannot_tell_where_a_libc_has_symbols_of_a_later_one() {
        let doubt = "needs GLIBC_2.35; yours is 2.34, and that of RHEL 9.7 has symbols of 2.35, and that of earlier releases does not";
        let demands = || glibc("2.35");
        check("linux.rocky9.zen3.glibc@2.34", "rocky9", demands(), Some((Runs::Unknown, doubt)));
        let no = "needs GLIBC_2.35; yours is 2.34: does not run";
        check("linux.amzn2023.zen3.glibc@2.34", "rocky9", demands(), Some((Runs::No, no)));
        let yes = "needs GLIBC_2.34; yours is 2.34";
        check("linux.rocky9.zen3.glibc@2.34", "rocky9", glibc("2.34"), Some((Runs::Yes, yes)));
    }

    #[test]
    fn knows_levels_of_x86_64_and_releases_of_macos() {
        let level = Demands { level: Some("x86-64-v4".to_owned()), ..glibc("2.4") };
        let no = "needs x86-64-v4, which zen3 does not have";
        check("linux.rhel8.zen3.glibc@2.28", "rhel8", level.clone(), Some((Runs::No, no)));
        let yes = "needs GLIBC_2.4; yours is 2.28";
        check("linux.rhel8.zen4.glibc@2.28", "rhel8", level, Some((Runs::Yes, yes)));

        let macos =
            |version: &str| Demands { macos: Some(version.to_owned()), ..Demands::default() };
        let yes = "needs macOS 13.0; yours is sonoma";
        check("darwin.sonoma.m1", "sequoia", macos("13.0"), Some((Runs::Yes, yes)));
        let no = "needs macOS 15.0; yours is sonoma: does not run";
        check("darwin.sonoma.m1", "sequoia", macos("15.0"), Some((Runs::No, no)));
        let old = "needs macOS 10.13; yours is catalina";
        check("darwin.catalina.x86_64", "sequoia", macos("10.13"), Some((Runs::Yes, old)));
        // Labels decide what demands do not.
        check("darwin.sonoma.m1", "sequoia", Demands::default(), None);
        check("darwin.yosemite9.m1", "sequoia", macos("13.0"), None);
    }
}
