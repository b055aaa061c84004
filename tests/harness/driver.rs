//! A browser's driver, in a process of its own that ends with this one.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::engine::Engine;

/// How often a driver is started until it says where it listens. Chromium's takes a port that is free of one kind of
/// address, and ends if it is not free of the other.
const ATTEMPTS: usize = 5;

/// How long to wait for it to say so. Generous: only a failure uses it up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ends the driver and its browser when the tests end, even if they are killed.
const KEEPER: &str = include_str!("keeper.sh");

/// A running driver. Dropping it ends the driver and the browser.
pub(crate) struct Driver {
    keeper: Child,
    port: u16,
}

impl Driver {
    /// Starts a driver whose browser keeps its files in a new folder, which `capabilities` is given.
    pub(crate) fn start(engine: Engine) -> (Self, std::path::PathBuf) {
        for _ in 0..ATTEMPTS {
            // The keeper removes it.
            let folder = TempDir::new().expect("a temporary folder can be made").keep();
            if let Some(driver) = Self::try_to_start(engine, &folder) {
                return (driver, folder);
            }
        }
        panic!("the browser's driver does not start: run `tools/setup browser`")
    }

    fn try_to_start(engine: Engine, folder: &Path) -> Option<Self> {
        let mut keeper = Command::new("bash")
            .args(["-c", KEEPER, "keeper"])
            .arg(folder)
            .args(engine.driver())
            .env("TMPDIR", folder)
            // What is typed at the terminal to end the tests is not meant for the keeper, which has to clean up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash starts");
        let printed = keeper.stdout.take().expect("its output is piped");
        let (found, port) = mpsc::channel();
        // Reads on to the end, so that the driver can always write.
        thread::spawn(move || {
            for line in BufReader::new(printed).lines().map_while(Result::ok) {
                if let Some(port) = engine.port(&line) {
                    let _ = found.send(port);
                }
            }
        });
        let mut driver = Self { keeper, port: 0 };
        driver.port = port.recv_timeout(PATIENCE).ok()?;
        Some(driver)
    }

    /// Where it takes commands.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
