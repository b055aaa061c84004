//! The Python wheel: installed as people install it, without Rust, Spack or a network.
//!
//! `make test` packs it, if the machine has Python; `make wheel` does so too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::harness::{Page, Release, Theme, Width, file_url};

const MIRROR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/mirror-v3");

/// A fresh virtual environment with the wheel in it.
struct Installed(TempDir);

impl Installed {
    /// Installs the wheel; says why if there is nothing to install, or nothing to install it with.
    fn new() -> Option<Installed> {
        let Some(wheel) = Release::wheel() else {
            println!("skipped: there is no wheel; `make wheel` makes one");
            return None;
        };
        let folder = TempDir::new().expect("a folder");
        let made = Command::new("python3").args(["-m", "venv"]).arg(folder.path()).output();
        if !made.is_ok_and(|output| output.status.success()) {
            println!("skipped: there is no Python that can make environments");
            return None;
        }
        let installed = Installed(folder);
        let pip = ["install", "--quiet", "--no-index", "--disable-pip-version-check"];
        succeeds(installed.run("pip").args(pip).arg(wheel));
        Some(installed)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.path().join("bin").join(name)
    }

    fn run(&self, name: &str) -> Command {
        let mut command = Command::new(self.program(name));
        command.current_dir(self.0.path());
        command
    }
}

/// Runs a command, and returns what it prints.
#[track_caller]
fn succeeds(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the command runs");
    assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

#[test]
fn opens_a_mirror_from_an_installed_wheel() {
    let Some(installed) = Installed::new() else { return };
    let open = ["open", MIRROR, "--no-browser", "--output", "mirror.html"];
    let said = succeeds(installed.run("cache-explorer").args(open));
    let builds = said.strip_prefix("mirror.html: ").and_then(|rest| rest.strip_suffix(" builds\n"));
    let builds: u32 = builds.and_then(|number| number.parse().ok()).expect("a number of builds");
    let page = installed.0.path().join("mirror.html");
    let page = Page::at(&file_url(&page), Width::Wide, Theme::Light);
    page.open("");
    page.see("builds");
    assert!(builds > 1);
    // The name under which `pipx run` and `uvx` start it, from whatever place they link to it.
    let link = installed.0.path().join("linked");
    std::os::unix::fs::symlink(installed.program("spack-cache-explorer"), &link).expect("a link");
    let version = format!("cache-explorer {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(succeeds(Command::new(link).arg("--version")), version);
}

#[test]
fn offers_spack_the_extension() {
    let Some(installed) = Installed::new() else { return };
    let names = "import importlib.metadata as m\n\
                 for each in m.distribution('spack-cache-explorer').entry_points:\n    \
                 if each.group == 'spack.extensions': print(each.load()())";
    let folder = succeeds(installed.run("python").args(["-c", names]));
    let folder = Path::new(folder.trim_end());
    assert_eq!(folder.file_name().and_then(|name| name.to_str()), Some("spack-explore"));
    let command = fs::read_to_string(folder.join("explore/cmd/explore.py")).expect("the command");
    let ours = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../packaging/python/spack_cache_explorer/spack-explore/explore/cmd/explore.py"
    );
    assert_eq!(command, fs::read_to_string(ours).expect("the source"), "run `make wheel` again");
}
