//! `serve`: serving a cache to browsers on this machine, and to no others.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use cache_index::index::Index;
use cache_index::number::counted;
use clap::Args;
use walkdir::WalkDir;

use super::index::{Publication, index_of};
use super::open::show;
use crate::inputs::InputArguments;
use crate::inside::Inside;
use crate::report::{Failure, Report, print};
use crate::server::{CHANGES, Server};

/// How often the inputs are checked for changes. They are read once a check finds no further change.
const LOOK: Duration = Duration::from_secs(1);

/// Serve a cache to the browser on this machine, and read it again when it changes
///
/// For caches that are too large for one file, or that change. Other machines cannot connect, and pages
/// of other sites get no answer: only requests for localhost are answered.
#[derive(Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    inputs: InputArguments,

    #[command(flatten)]
    publication: Publication,

    /// The port; 0 chooses a free one.
    #[arg(long, default_value_t = 8642)]
    port: u16,

    /// Only print the address.
    #[arg(long)]
    no_browser: bool,
}

impl Serve {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let site = Inside::site()?;
        let server = Arc::new(Server::bind(self.port, &site)?);
        let seen = state(self.read());
        let index = index_of(&self.inputs, &self.publication, report)?;
        report.show();
        publish(&server, &site, &index, true)?;
        let builds = counted(index.builds_with_binary().count(), "build", "builds");
        print(format_args!("{}: {builds} (Ctrl-C ends it)", server.url()));
        drop(index);
        if !self.no_browser {
            // Without a browser, the user can still use the printed address.
            if let Err(Failure::Because(error)) = show(server.url()) {
                print(format_args!("{error}"));
            }
        }
        let running = server.clone();
        thread::spawn(move || self.watch(seen, &site, &server));
        Ok(running.run()?)
    }

    /// Returns the paths of everything that is read.
    fn read(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain(self.publication.paths())
    }

    /// Reads the inputs again whenever they have changed.
    fn watch(self, mut seen: Vec<Seen>, site: &Inside, server: &Server) {
        let mut was = seen.clone();
        loop {
            thread::sleep(LOOK);
            let is = state(self.read());
            if is != seen && is == was {
                seen = is.clone();
                self.read_again(site, server);
            }
            was = is;
        }
    }

    /// Reads the inputs again. If they are damaged now, the page stays as it was.
    fn read_again(&self, site: &Inside, server: &Server) {
        let mut report = Report::default();
        let outcome = index_of(&self.inputs, &self.publication, &mut report).and_then(|index| {
            publish(server, site, &index, false).map(|()| index.builds_with_binary().count())
        });
        match outcome {
            Ok(builds) => {
                print(format_args!("read again: {}", counted(builds, "build", "builds")));
            }
            Err(failed) => report.failed(failed),
        }
        report.show();
    }
}

/// Serves the page of an index from now on. Only the first index has its first view as HTML: the data that a view is drawn
/// from stays in memory, and a cache may change any number of times.
fn publish(server: &Server, site: &Inside, index: &Index, is_first: bool) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let version = now.as_millis() as u64;
    server.publish(site.served(index, &format!("{CHANGES}?{version}"), is_first)?, version);
    Ok(())
}

/// A file of the inputs, with its length and modification time.
type Seen = (PathBuf, u64, Option<SystemTime>);

/// Returns the current state of all files of the inputs.
fn state<'i>(inputs: impl Iterator<Item = &'i Path>) -> Vec<Seen> {
    let files = inputs.flat_map(|input| {
        WalkDir::new(input).follow_links(true).sort_by_file_name().into_iter().flatten()
    });
    files.filter_map(|entry| of_file(entry.path())).collect()
}

fn of_file(path: &Path) -> Option<Seen> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((path.to_owned(), found.len(), found.modified().ok()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::Command;

    use cache_index::index::{About, pack};
    use cache_sample::Sample;

    use super::*;

    const CLIENTS: usize = 200;
    const TIMES: usize = 200;
    /// A client requests the page after this many changes.
    const EVERY: usize = 20;
    /// Set in the process of its own that is measured.
    const MEASURED: &str = "CACHE_EXPLORER_MEASURED";

    fn site() -> Inside {
        let page = "<html><head><meta charset=\"utf-8\"><title>x</title></head>\
                    <body><script src=\"l.js\"></script></body></html>";
        let files = [("index.html", page), ("l.js", "start()")];
        Inside::of(files.map(|(name, text)| (name.to_owned(), text.into())).into())
    }

    fn index(seed: u64) -> Index {
        pack(About::default(), Sample::new(2_000, seed).builds()).expect("different hashes")
    }

    fn ask(url: &str, path: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(url).expect("a connection");
        let request =
            format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        BufReader::new(stream)
    }

    /// Listens to changes, and requests the page after every few. Returns the number of changes that it was notified of.
    fn listen(url: &str, last: &str) -> usize {
        let mut changes = 0;
        for line in ask(url, CHANGES).lines() {
            let line = line.expect("a line");
            if !line.starts_with("data:") {
                continue;
            }
            changes += 1;
            if changes % EVERY == 0 {
                let mut page = String::new();
                ask(url, "").read_to_string(&mut page).expect("a page");
                assert!(page.contains("id=\"index\""), "{page:.200}");
            }
            if line.ends_with(last) {
                break;
            }
        }
        changes
    }

    /// Returns the memory of this process in megabytes.
    fn memory() -> usize {
        let status = fs::read_to_string("/proc/self/status").expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line");
        let kilobytes = line.trim().trim_end_matches(" kB").trim();
        kilobytes.parse::<usize>().expect("a number") / 1024
    }

    #[test]
    fn needs_no_more_memory_for_many_clients_and_changes() {
        if env::var_os(MEASURED).is_none() {
            let name = "command::serve::tests::needs_no_more_memory_for_many_clients_and_changes";
            let mut alone = Command::new(env::current_exe().expect("a path"));
            let outcome = alone.args(["--exact", name, "--nocapture"]).env(MEASURED, "").output();
            let outcome = outcome.expect("this program runs");
            assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
            return;
        }
        let (site, server) = (site(), Arc::new(Server::bind(0, &site()).expect("a port")));
        let indexes = [index(1), index(2)];
        publish(&server, &site, &indexes[0], true).expect("a page");
        let running = server.clone();
        thread::spawn(move || running.run());
        let url = server.url();
        let url = url.trim_start_matches("http://").trim_end_matches('/');
        const LAST: u64 = u64::MAX;
        let last = LAST.to_string();
        thread::scope(|scope| {
            let clients: Vec<_> =
                (0..CLIENTS).map(|_| scope.spawn(|| listen(url, &last))).collect();
            let mut after = Vec::new();
            for time in 0..TIMES {
                publish(&server, &site, &indexes[time % 2], false).expect("a page");
                // A client may miss a version that is replaced at once.
                thread::sleep(Duration::from_millis(5));
                after.push(memory());
            }
            server.publish(String::from("<p id=\"index\">"), LAST);
            let changes: usize = clients.into_iter().map(|it| it.join().expect("a client")).sum();
            println!(
                "{changes} notices; MB after each tenth reading: {:?}",
                after.iter().step_by(10).collect::<Vec<_>>()
            );
            assert!(changes > CLIENTS * EVERY, "{changes}");
            let (early, late) = (after[TIMES / 4], after[TIMES - 1]);
            assert!(late <= early + early / 4, "{after:?}");
        });
    }
}
