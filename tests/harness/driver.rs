//! A browser's driver, in a separate process that ends with this one.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::engine::Engine;

/// How often a driver is started until it accepts connections. Chromium's driver picks a port that is free for one kind of
/// address, and exits if it is not free for the other; and a free port may be taken before WebKit's driver takes it.
const ATTEMPTS: usize = 5;

/// How long to wait for the port. Generous, because only a failure takes that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long to wait between two attempts to connect to a driver that does not report its start.
const LOOK_AGAIN: Duration = Duration::from_millis(25);

/// Ends the driver and its browser when the tests end, even if they are killed.
const KEEPER: &str = include_str!("keeper.sh");

/// A running driver. Dropping it ends the driver and the browser.
pub(crate) struct Driver {
    keeper: Child,
    port: u16,
}

impl Driver {
    /// Starts a driver. Its browser keeps its files in a new folder, which `capabilities` receives.
    pub(crate) fn start(engine: Engine) -> (Self, std::path::PathBuf) {
        for _ in 0..ATTEMPTS {
            // The keeper removes the folder.
            let folder = TempDir::new().expect("a temporary folder can be made").keep();
            if let Some(driver) = Self::try_to_start(engine, &folder) {
                return (driver, folder);
            }
        }
        panic!("the browser's driver does not start: run `tools/setup browser`")
    }

    fn try_to_start(engine: Engine, folder: &Path) -> Option<Self> {
        let chosen = if engine.needs_port() { Some(free_port()?) } else { None };
        let mut keeper = Command::new("bash")
            .args(["-c", KEEPER, "keeper"])
            .arg(folder)
            .args(engine.driver())
            .args(chosen.map(|port| format!("--port={port}")))
            .env("TMPDIR", folder)
            // Ctrl-C in the terminal should end the tests, but not the keeper, which cleans up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash starts");
        let printed = keeper.stdout.take().expect("its output is piped");
        let (found, port) = mpsc::channel();
        // Reads to the end, so that the driver can always write.
        thread::spawn(move || {
            for line in BufReader::new(printed).lines().map_while(Result::ok) {
                if let Some(port) = engine.port(&line) {
                    let _ = found.send(port);
                }
            }
        });
        let mut driver = Self { keeper, port: 0 };
        driver.port = match chosen {
            None => port.recv_timeout(PATIENCE).ok()?,
            Some(chosen) => accepts(chosen, &port).then_some(chosen)?,
        };
        Some(driver)
    }

    /// Returns the address that accepts commands.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn free_port() -> Option<u16> {
    Some(TcpListener::bind(("127.0.0.1", 0)).ok()?.local_addr().ok()?.port())
}

/// Waits until a driver accepts connections. `printed` ends with the driver.
fn accepts(port: u16, printed: &Receiver<u16>) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return true;
        }
        if printed.recv_timeout(LOOK_AGAIN) == Err(RecvTimeoutError::Disconnected) {
            return false;
        }
    }
    false
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
