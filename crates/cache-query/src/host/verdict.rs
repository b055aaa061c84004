//! Which builds run on a user's machine, and why others do not.
//!
//! These are the rules by which Spack reuses a binary:
//!
//! | property | the build's must be |
//! | --- | --- |
//! | platform | the same |
//! | target | the machine's target or an ancestor of it |
//! | OS, on macOS | the machine's release or an older one |
//! | libc, on Linux if both are known | of the same kind, and the machine's version or an older one |
//! | libc of its OS, on Linux if the build used no compiler and does not depend on a libc | the machine's version or an older one; otherwise it is unknown whether the build runs, because its dependencies may need that libc |
//! | OS, everywhere else | the same |
//!
//! If all builds of a cache for an OS name the same libc, it is the libc of that OS, and of a machine with it unless the
//! user stated another one.
//!
//! If the data does not decide it, the answer is neither yes nor no: for a target that Spack does not know, a libc that
//! neither the user nor the cache names, or one whose label does not [say enough](super::libc_doubt).

use cache_index::facet::Facet;
use cache_index::index::{Configuration, Index, NO_COMPILER, NO_LIBC, RowId, ValueCode};
use spack_spec::{Target, Version};

use super::Host;
use super::backported::libc_doubt;

/// What a build needs from a machine.
#[derive(Clone, Copy, Debug)]
pub struct Needs<'a> {
    /// The platform: `linux`, `darwin`.
    pub platform: &'a str,
    /// The operating system that it was built on: `ubuntu24.04`.
    pub os: &'a str,
    /// The target that it was built for: `zen4`.
    pub target: &'a str,
    /// The libc that it depends on.
    pub libc: NeededLibc<'a>,
    /// The libc of its OS, if it is known ([`libc_of_os`]).
    pub libc_of_os: Option<&'a str>,
}

/// The libc that a build depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededLibc<'a> {
    /// This one: `glibc@2.39`.
    Named(&'a str),
    /// None: the build used no compiler and does not depend on a libc, like most Python packages.
    None,
    /// The cache does not say.
    Unknown,
}

impl<'a> NeededLibc<'a> {
    /// Returns the libc of a build from its values of [`Facet::Libc`], if it has one, and [`Facet::Compiler`].
    pub fn of_facets(libc: Option<&'a str>, compiler: &str) -> NeededLibc<'a> {
        match libc {
            Some(NO_LIBC) if compiler == NO_COMPILER => NeededLibc::None,
            // Compiled code needs a libc, even if the cache does not list one.
            Some(NO_LIBC) | None => NeededLibc::Unknown,
            Some(libc) => NeededLibc::Named(libc),
        }
    }
}

/// The answer to whether a build runs on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runs {
    /// It runs.
    Yes,
    /// The data does not decide it.
    Unknown,
    /// It does not run.
    No,
}

impl Runs {
    /// All of them, in order.
    pub const ALL: [Runs; 3] = [Runs::Yes, Runs::Unknown, Runs::No];

    /// Returns its name in URLs and on the page.
    pub fn key(self) -> &'static str {
        match self {
            Runs::Yes => "yes",
            Runs::No => "no",
            Runs::Unknown => "unknown",
        }
    }

    /// Returns the variant with this name in URLs, if there is one.
    pub fn from_key(key: &str) -> Option<Runs> {
        Runs::ALL.into_iter().find(|runs| runs.key() == key)
    }
}

/// The answer for a build, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The answer.
    pub runs: Runs,
    /// The reason, as text for people without a full stop.
    pub reason: String,
}

impl Verdict {
    /// Combines the verdict on the target with the verdict on the system. A certain failure outweighs an unknown.
    #[must_use]
    pub fn and(self, on_system: Verdict) -> Verdict {
        match (self.runs, on_system.runs) {
            (Runs::No, _) | (Runs::Unknown, Runs::Yes | Runs::Unknown) => self,
            (_, Runs::No) | (Runs::Yes, Runs::Unknown) => on_system,
            (Runs::Yes, Runs::Yes) => yes(format!("{}; {}", self.reason, on_system.reason)),
        }
    }
}

fn yes(reason: String) -> Verdict {
    Verdict { runs: Runs::Yes, reason }
}

fn no(reason: String) -> Verdict {
    Verdict { runs: Runs::No, reason }
}

fn unknown_because(reason: String) -> Verdict {
    Verdict { runs: Runs::Unknown, reason }
}

/// The verdicts on all builds of an index, one for each configuration, because there are few configurations.
#[derive(Clone, Debug)]
pub struct LabelVerdicts(Vec<Verdict>);

impl LabelVerdicts {
    /// Judges all builds of an index.
    pub fn new(index: &Index, host: &Host) -> LabelVerdicts {
        let libc_of_yours = host.libc_of_os(index);
        let verdicts = index.configurations().iter().map(|configuration| {
            let text = |facet| {
                let code = index.values_in(configuration, facet).first()?;
                Some(index.dictionary(facet).text(ValueCode(*code)))
            };
            let compiler = text(Facet::Compiler).unwrap_or(NO_COMPILER);
            let libc = NeededLibc::of_facets(text(Facet::Libc), compiler);
            let platform = text(Facet::Platform).unwrap_or_default();
            let os = text(Facet::Os).unwrap_or_default();
            let needs = Needs {
                platform,
                os,
                target: text(Facet::Target).unwrap_or_default(),
                libc,
                // Looked up only where it decides.
                libc_of_os: (libc == NeededLibc::None)
                    .then(|| libc_of_os(index, platform, os))
                    .flatten(),
            };
            host.judge(&needs, libc_of_yours)
        });
        LabelVerdicts(verdicts.collect())
    }

    /// Returns the verdict on a row.
    pub fn of(&self, index: &Index, row: RowId) -> &Verdict {
        &self.0[index.columns().configuration[row.at()] as usize]
    }

    /// Returns for each configuration whether builds with it run.
    pub fn runs(&self) -> impl Iterator<Item = Runs> {
        self.0.iter().map(|verdict| verdict.runs)
    }
}

impl Host {
    /// Judges whether a build with these needs runs on this machine. `libc_of_os` is the libc of the machine's OS, if
    /// it is known.
    pub fn judge(&self, needs: &Needs<'_>, libc_of_os: Option<&str>) -> Verdict {
        let Needs { platform, target, .. } = *needs;
        if platform != self.platform {
            let yours = &self.platform;
            return no(format!("built for {platform}; yours is {yours}"));
        }
        self.judge_target(target).and(self.judge_os(needs, libc_of_os))
    }

    /// Judges whether this machine runs what was built for a target, regardless of the system that it was built on.
    pub fn judge_target(&self, built_for: &str) -> Verdict {
        let yours = &self.target;
        if built_for == yours {
            return yes(format!("built for {built_for}, as yours is"));
        }
        let (Some(needed), Some(own)) = (Target::named(built_for), Target::named(yours)) else {
            let unknown = if Target::named(built_for).is_none() { built_for } else { yours };
            return unknown_because(format!("the target {unknown} is not known"));
        };
        if own.runs(needed) {
            return yes(format!("built for {built_for}, which {yours} runs"));
        }
        if own.family() != needed.family() {
            let (theirs, mine) = (needed.family(), own.family());
            let which =
                if theirs == needed { String::new() } else { format!(", which is {theirs}") };
            return no(format!("built for {built_for}{which}; yours is {mine}"));
        }
        let missing = own.features_missing_for(needed);
        let lacks = match missing.as_slice() {
            [] => "which does not run it".to_owned(),
            few @ ([_] | [_, _] | [_, _, _]) => {
                format!("for which Spack does not list {}", few.join(", "))
            }
            many => format!(
                "for which Spack does not list {} and {} more",
                many[..2].join(", "),
                many.len() - 2
            ),
        };
        no(format!("built for {built_for}; yours is {yours}, {lacks}"))
    }

    fn judge_os(&self, needs: &Needs<'_>, libc_of_os: Option<&str>) -> Verdict {
        let verdict = self.judge_labels(needs, libc_of_os);
        let NeededLibc::Named(needed) = needs.libc else { return verdict };
        let own = self.libc.as_deref().or(libc_of_os);
        match libc_doubt(needs.os, needed, own).filter(|_| verdict.runs == Runs::Yes) {
            Some(doubt) => unknown_because(doubt),
            None => verdict,
        }
    }

    /// Judges OS and libc by their names and versions.
    fn judge_labels(&self, needs: &Needs<'_>, libc_of_os: Option<&str>) -> Verdict {
        let built_on = needs.os;
        let yours = &self.os;
        if self.platform == "linux" {
            match (needs.libc, self.libc.as_deref(), libc_of_os) {
                (NeededLibc::Named(needed), Some(own), _) => {
                    return judge_libc(needed, own, "yours");
                }
                _ if built_on == yours => {}
                (NeededLibc::Named(needed), None, Some(own)) => {
                    return judge_libc(needed, own, yours);
                }
                (NeededLibc::Named(needed), None, None) => {
                    return unknown_because(format!("needs {needed}; yours is not known"));
                }
                (NeededLibc::None, own, of_os) => {
                    return judge_dependencies(needs, own.or(of_os));
                }
                (NeededLibc::Unknown, ..) => {}
            }
        }
        if built_on == yours {
            return yes(format!("made on {built_on}, as yours is"));
        }
        if self.platform == "darwin" {
            return match (macos(built_on), macos(yours)) {
                (Some(needed), Some(own)) if needed <= own => {
                    yes(format!("made on {built_on}, which is older than {yours}"))
                }
                (Some(_), Some(_)) => {
                    no(format!("made on {built_on}; yours is {yours}, which is older"))
                }
                _ => unknown_because(format!("made on {built_on}; yours is {yours}")),
            };
        }
        no(format!("made on {built_on}; yours is {yours}"))
    }
}

/// Returns `true` if a release of macOS is newer than another one, both by Spack's names.
pub fn is_newer_macos(one: &str, other: &str) -> bool {
    matches!((macos(one), macos(other)), (Some(one), Some(other)) if one > other)
}

/// Returns the position of a macOS release in the order of releases.
fn macos(name: &str) -> Option<usize> {
    const RELEASES: [&str; 11] = [
        "elcapitan",
        "sierra",
        "highsierra",
        "mojave",
        "catalina",
        "bigsur",
        "monterey",
        "ventura",
        "sonoma",
        "sequoia",
        "tahoe",
    ];
    RELEASES.iter().position(|release| *release == name)
}

/// Returns the libc that all builds for an OS name, if they name just one.
pub fn libc_of_os<'i>(index: &'i Index, platform: &str, os: &str) -> Option<&'i str> {
    let code = |facet, text| index.dictionary(facet).code(text).map(|code| code.0);
    let (platform, os) = (code(Facet::Platform, platform)?, code(Facet::Os, os)?);
    let is_there = |configuration: &&Configuration| {
        index.values_in(configuration, Facet::Platform).contains(&platform)
            && index.values_in(configuration, Facet::Os).contains(&os)
    };
    let configurations = index.configurations().iter().filter(is_there);
    let libcs = configurations.flat_map(|one| index.values_in(one, Facet::Libc));
    let texts = libcs.map(|&code| index.dictionary(Facet::Libc).text(ValueCode(code)));
    let mut texts = texts.filter(|text| *text != NO_LIBC);
    let first = texts.next()?;
    texts.all(|text| text == first).then_some(first)
}

/// Judges a build that does not depend on a libc by the libc that its dependencies need, if they were built on the same OS.
fn judge_dependencies(needs: &Needs<'_>, own: Option<&str>) -> Verdict {
    let plainly = "does not depend on a libc itself";
    let (Some(theirs), built_on) = (needs.libc_of_os, needs.os) else {
        return yes(plainly.to_owned());
    };
    let may_need = format!("{plainly}, but its dependencies may need {theirs} of {built_on}");
    match own.map(|own| (judge_libc(theirs, own, "yours").runs, own)) {
        Some((Runs::Yes, _)) => yes(plainly.to_owned()),
        Some((_, own)) => unknown_because(format!("{may_need}; yours is {own}")),
        None => unknown_because(format!("{may_need}; yours is not known")),
    }
}

/// Judges a libc by that of the machine, or by that of an OS like the machine's.
fn judge_libc(needed: &str, own: &str, whose: &str) -> Verdict {
    let has = if whose == "yours" { "is" } else { "has" };
    let split = |text: &'_ str| -> Option<(String, Version)> {
        let (name, version) = text.split_once('@')?;
        Some((name.to_owned(), version.trim_start_matches('=').parse().ok()?))
    };
    match (split(needed), split(own)) {
        (Some((name, version)), Some((own_name, own_version))) => {
            if name == own_name && version <= own_version {
                yes(format!("needs {needed}; {whose} {has} {own}"))
            } else {
                no(format!("needs {needed}; {whose} {has} {own}"))
            }
        }
        _ => unknown_because(format!("needs {needed}; {whose} {has} {own}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn host(text: &str) -> Host {
        text.parse().expect("a host")
    }

    #[track_caller]
    fn check(yours: &str, built: [&str; 3], libc: Option<&str>, runs: Runs, reason: &str) {
        let [platform, os, target] = built;
        let libc = NeededLibc::of_facets(libc, "gcc@13.2.0");
        let verdict =
            host(yours).judge(&Needs { platform, os, target, libc, libc_of_os: None }, None);
        assert_eq!((verdict.runs, verdict.reason.as_str()), (runs, reason));
    }

    #[test]
    fn explains_each_verdict() {
        use Runs::{No, Unknown, Yes};
        let zen3 = "linux.ubuntu24.04.zen3";
        let built = |target| ["linux", "ubuntu24.04", target];
        let reason = "built for x86_64_v3, which zen3 runs; made on ubuntu24.04, as yours is";
        check(zen3, built("x86_64_v3"), None, Yes, reason);
        let reason = "built for zen3, as yours is; made on ubuntu24.04, as yours is";
        check(zen3, built("zen3"), None, Yes, reason);
        let reason = "built for x86_64_v4; yours is zen3, for which Spack does not list avx512bw, avx512cd and 3 more";
        check(zen3, built("x86_64_v4"), None, No, reason);
        let reason = "built for neoverse_v1, which is aarch64; yours is x86_64";
        check(zen3, built("neoverse_v1"), None, No, reason);
        check(zen3, built("aarch64"), None, No, "built for aarch64; yours is x86_64");
        check(zen3, built("alien"), None, Unknown, "the target alien is not known");
        let reason = "built for darwin; yours is linux";
        check(zen3, ["darwin", "sequoia", "aarch64"], None, No, reason);
        let other = ["linux", "rhel8", "x86_64"];
        check(zen3, other, None, No, "made on rhel8; yours is ubuntu24.04");
        let reason = "needs glibc@2.28; yours is not known";
        check(zen3, other, Some("glibc@2.28"), Unknown, reason);
    }

    #[test]
    fn accepts_a_newer_libc_but_no_older_one() {
        let rhel = "linux.rhel8.zen3.glibc@2.28";
        let built = ["linux", "ubuntu24.04", "zen3"];
        let reason = "needs glibc@2.39; yours is glibc@2.28";
        check(rhel, built, Some("glibc@2.39"), Runs::No, reason);
        let reason = "built for zen3, as yours is; needs glibc@2.17; yours is glibc@2.28";
        check(rhel, built, Some("glibc@2.17"), Runs::Yes, reason);
        let reason = "needs musl@1.2; yours is glibc@2.28";
        check(rhel, built, Some("musl@1.2"), Runs::No, reason);
    }

    #[test]
    fn a_libc_is_that_of_the_os_if_all_builds_for_it_agree() {
        let one = |number: usize, os: &str, libc: Option<&str>| {
            let glibc = libc.map(|version| Build {
                hash: sample::hash(number + 10),
                os: os.to_owned(),
                places: Default::default(),
                external: true,
                dependencies: Some(Vec::new()),
                ..sample::one("glibc", version)
            });
            let edge = glibc.iter().map(|glibc| Dependency {
                package: glibc.package.clone(),
                hash: glibc.hash,
                deptypes: Deptypes::from_bits(2).expect("bits below 16"),
                virtuals: vec!["libc".to_owned()],
            });
            let build = Build {
                hash: sample::hash(number),
                os: os.to_owned(),
                dependencies: Some(edge.collect()),
                ..sample::one("zlib", "1.3")
            };
            glibc.into_iter().chain([build])
        };
        let all = [
            one(0, "ubuntu22.04", Some("2.35")),
            one(1, "ubuntu22.04", Some("2.35")),
            one(2, "rhel8", Some("2.28")),
            one(3, "mixed", Some("2.36")),
            one(4, "mixed", Some("2.31")),
            one(5, "unlisted", None),
        ];
        let index = pack(About::default(), all.into_iter().flatten()).expect("an index");
        let libc = |os: &str| libc_of_os(&index, "linux", os);
        assert_eq!(libc("ubuntu22.04"), Some("glibc@2.35"));
        assert_eq!(libc("rhel8"), Some("glibc@2.28"));
        assert_eq!([libc("mixed"), libc("unlisted"), libc("ubuntu24.04")], [None; 3]);

        let verdict = |host: &str, os: &str| {
            let verdicts = LabelVerdicts::new(&index, &host.parse().expect("a host"));
            let code = index.dictionary(Facet::Os).code(os).expect("an OS");
            let rows = (0..index.rows() as u32).map(RowId);
            let mut rows = rows.filter(|&row| {
                index.value(row, Facet::Os) == code && index.text(row, Facet::Package) == "zlib"
            });
            let verdict = verdicts.of(&index, rows.next().expect("a row"));
            (verdict.runs, verdict.reason.clone())
        };
        let check = |host: &str, os: &str, runs: Runs, reason: &str| {
            assert_eq!(verdict(host, os), (runs, reason.to_owned()), "{host} {os}");
        };
        let newer = "linux.ubuntu22.04.zen3";
        let reason =
            "built for x86_64_v3, which zen3 runs; needs glibc@2.28; ubuntu22.04 has glibc@2.35";
        check(newer, "rhel8", Runs::Yes, reason);
        let reason = "needs glibc@2.35; rhel8 has glibc@2.28";
        check("linux.rhel8.zen3", "ubuntu22.04", Runs::No, reason);
        // What the user says counts.
        let reason = "needs glibc@2.28; yours is glibc@2.17";
        check("linux.ubuntu22.04.zen3.glibc@2.17", "rhel8", Runs::No, reason);
        let reason = "needs glibc@2.28; yours is not known";
        check("linux.ubuntu24.04.zen3", "rhel8", Runs::Unknown, reason);
    }

    #[test]
    fn judges_what_does_not_depend_on_a_libc_by_that_of_its_os() {
        let verdict = |yours: &str, compiler: &str, libc: Option<&str>, libc_of_os| {
            let (os, libc) = ("ubuntu24.04", NeededLibc::of_facets(libc, compiler));
            let needs = Needs { platform: "linux", os, target: "x86_64_v3", libc, libc_of_os };
            let verdict = host(yours).judge(&needs, None);
            (verdict.runs, verdict.reason)
        };
        let none = |yours: &str, libc_of_os| verdict(yours, NO_COMPILER, Some(NO_LIBC), libc_of_os);
        let reason = "built for x86_64_v3, which zen3 runs; does not depend on a libc itself";
        let yes = (Runs::Yes, reason.to_owned());
        assert_eq!(none("linux.rhel8.zen3", None), yes);
        assert_eq!(none("linux.rhel10.zen3.glibc@2.40", Some("glibc@2.39")), yes);
        let unknown = |yours| {
            let may_need = "does not depend on a libc itself, but its dependencies may need glibc@2.39 of ubuntu24.04";
            (Runs::Unknown, format!("{may_need}; yours is {yours}"))
        };
        assert_eq!(none("linux.rhel8.zen3", Some("glibc@2.39")), unknown("not known"));
        assert_eq!(none("linux.rhel8.zen3.glibc@2.28", Some("glibc@2.39")), unknown("glibc@2.28"));
        let no = (Runs::No, "made on ubuntu24.04; yours is rhel8".to_owned());
        assert_eq!(verdict("linux.rhel8.zen3", "gcc@13.2.0", Some(NO_LIBC), None), no);
        // The pages of a cache do not list dependencies.
        assert_eq!(verdict("linux.rhel8.zen3", NO_COMPILER, None, None), no);
    }

    #[test]
    fn runs_builds_of_older_macos_releases() {
        let built = ["darwin", "ventura", "aarch64"];
        let reason =
            "built for aarch64, which m1 runs; made on ventura, which is older than sequoia";
        check("darwin.sequoia.m1", built, None, Runs::Yes, reason);
        let reason = "made on ventura; yours is monterey, which is older";
        check("darwin.monterey.m1", built, None, Runs::No, reason);
        let reason = "made on ventura; yours is yosemite9";
        check("darwin.yosemite9.m1", built, None, Runs::Unknown, reason);
    }
}
