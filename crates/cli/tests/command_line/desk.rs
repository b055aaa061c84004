//! The vocabulary of these tests: a folder to run the command in, and the command.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use walkdir::WalkDir;

/// The outcome of a call.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A temporary folder in which the command is called.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn new() -> Desk {
        Desk(tempfile::tempdir().expect("a folder"))
    }

    /// Creates a folder that every user of this machine may enter and read, regardless of the umask and the default folder
    /// for temporary files.
    #[cfg(unix)]
    pub(crate) fn open_to_all() -> Desk {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir_in("/tmp").expect("a folder");
        let mode = std::fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), mode).expect("a mode");
        Desk(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("written");
    }

    /// Copies a folder of the test data to a folder with this name.
    pub(crate) fn copy(&self, from: &str, name: &str) {
        let from = data(from);
        for entry in WalkDir::new(&from).into_iter().map(|entry| entry.expect("a file")) {
            if entry.file_type().is_file() {
                let path = entry.path().strip_prefix(&from).expect("below it");
                let content = fs::read(entry.path()).expect("a file");
                self.write(&Path::new(name).join(path).display().to_string(), content);
            }
        }
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, "")
    }

    /// Runs the command with this text on its standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
        self.call(command.args(arguments), input)
    }

    /// Runs another command, which may run this one.
    pub(crate) fn call(&self, command: &mut Command, input: &str) -> Outcome {
        let mut child = command
            .current_dir(self.0.path())
            .env("SOURCE_DATE_EPOCH", "1763719800")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut stdin = child.stdin.take().expect("its input");
        // Written while reading, because the buffer of a pipe is small. A call that reads nothing may have ended already.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input.as_bytes()));
            child.wait_with_output().expect("the command ends")
        });
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Checks that the call succeeds and prints exactly this to the standard output.
    #[track_caller]
    pub(crate) fn succeeds(&self, arguments: &[&str], out: &str) {
        let outcome = self.run(arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        assert_eq!(outcome.out, out);
    }

    /// Checks that the call fails and prints exactly this to the standard error.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str], err: &str) {
        let outcome = self.run(arguments);
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{}", outcome.err);
        assert_eq!(outcome.err, err);
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

pub(crate) fn seeds() -> String {
    root().join("seeds").display().to_string()
}

pub(crate) fn data(name: &str) -> String {
    root().join("tests/data").join(name).display().to_string()
}

/// Writes a page with one build.
pub(crate) fn page(package: &str, hash: &str, os: &str) -> String {
    format!(
        r#"---
title: "{package}"
layout: cache
categories: [package, develop]
meta: {{"compilers": ["gcc@13.2.0"], "num_specs": 1, "num_specs_by_stack": {{"root": 1}}, "oss": ["{os}"], "platforms": ["linux"], "stacks": ["root"], "targets": ["zen4"], "versions": ["1.3"]}}
spec_details: [{{"compiler": "gcc@13.2.0", "hash": "{hash}", "os": "{os}", "platform": "linux", "size": "-", "stacks": ["root"], "target": "zen4", "variants": ["+mpi"], "versions": ["1.3"]}}]
---"#
    )
}

pub(crate) const HASH: &str = "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4";
pub(crate) const OTHER: &str = "3rseveu6q45rfj5ffuyyp4jehmrgveef";
