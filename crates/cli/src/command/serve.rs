//! `serve`: serving a cache to browsers on this machine, and to no others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use cache_index::index::Index;
use cache_index::number::counted;
use cache_ingest::inputs::Input;
use clap::Args;
use walkdir::WalkDir;

use super::index::{Publication, index_of_found};
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
        let (watched, index) = self.read(WatchedFiles::default(), report);
        let index = index?;
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
        thread::spawn(move || self.watch(watched, &site, &server));
        Ok(running.run()?)
    }

    /// Reads the inputs. Returns their index, and everything on this machine that it was made from, as it was before. If there
    /// is no index, what was watched before still is: it may soon be complete again.
    fn read(
        &self,
        before: WatchedFiles,
        report: &mut Report,
    ) -> (WatchedFiles, Result<Index, Failure>) {
        let mut watched = WatchedFiles::default();
        watched.add(self.inputs.paths().chain(self.publication.paths()));
        let found = self.inputs.find_before(self.publication.earlier(), report);
        // The copy of an input that can be read only once does not outlast this function.
        let paths = found.list.iter().flat_map(Input::paths);
        watched.add(paths.filter(|path| !found.machine.is_copy(path)));
        let index = index_of_found(&found, self.inputs.reading(), &self.publication, report);
        if index.is_err() {
            watched.add(before.paths.iter().map(PathBuf::as_path));
        }
        (watched, index)
    }

    /// Reads the inputs again whenever they have changed.
    fn watch(self, mut watched: WatchedFiles, site: &Inside, server: &Server) {
        let mut was = watched.files.clone();
        loop {
            thread::sleep(LOOK);
            let is = watched.now();
            was = match is != watched.files && is == was {
                true => {
                    watched = self.read_again(watched, site, server);
                    watched.files.clone()
                }
                false => is,
            };
        }
    }

    /// Reads the inputs again, and returns what is watched from now on. If they are damaged now, the page stays as it was.
    fn read_again(&self, watched: WatchedFiles, site: &Inside, server: &Server) -> WatchedFiles {
        let mut report = Report::default();
        let (watched, index) = self.read(watched, &mut report);
        let outcome = index.and_then(|index| {
            publish(server, site, &index, false).map(|()| index.builds_with_binary().count())
        });
        match outcome {
            Ok(builds) => {
                print(format_args!("read again: {}", counted(builds, "build", "builds")));
            }
            Err(failed) => report.failed(failed),
        }
        report.show();
        watched
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

/// The length and the modification time of a file.
type FileState = (u64, Option<SystemTime>);

/// What an index is made from on this machine.
#[derive(Default)]
struct WatchedFiles {
    /// Files and folders, without those in a folder that was added before.
    paths: BTreeSet<PathBuf>,
    /// All files at these paths, as they were before they were read.
    files: BTreeMap<PathBuf, FileState>,
}

impl WatchedFiles {
    /// Adds paths, and the current state of their files. URLs, and paths at which nothing is, have no files.
    fn add<'p>(&mut self, paths: impl Iterator<Item = &'p Path>) {
        for path in paths {
            if !path.ancestors().any(|above| self.paths.contains(above)) {
                self.files.extend(files_at(path));
                self.paths.insert(path.to_owned());
            }
        }
    }

    /// Returns all files at these paths, as they are now.
    fn now(&self) -> BTreeMap<PathBuf, FileState> {
        self.paths.iter().flat_map(|path| files_at(path)).collect()
    }
}

/// Returns the current state of the file at a path, or of all files in the folder there.
fn files_at(path: &Path) -> impl Iterator<Item = (PathBuf, FileState)> {
    let entries = WalkDir::new(path).follow_links(true).into_iter().flatten();
    entries.filter_map(|entry| {
        let found = fs::metadata(entry.path()).ok().filter(fs::Metadata::is_file)?;
        Some((entry.into_path(), (found.len(), found.modified().ok())))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::ffi::OsString;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::Command;

    use cache_index::index::{About, pack};
    use cache_sample::Sample;
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: Serve,
    }

    /// Checks that a change is noticed in a file that is only read because the file `naming` names it.
    #[track_caller]
    fn check(option: &[&str], naming: &str, text: &str, named: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let copy = |from: &str, to: &str| {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(from);
            fs::create_dir_all(path(to).parent().expect("a folder")).expect("a folder");
            fs::copy(from, path(to)).expect("a copy");
        };
        copy("mirror-v2/build_cache/index.json", "site/mirror/build_cache/index.json");
        copy("database/v8.json", "site/database.json");
        fs::write(path(naming), text).expect("written");
        let mut words = vec![OsString::from("serve")];
        words.extend(option.iter().map(OsString::from));
        words.push(path(naming).into());
        let Line { serve } = Line::try_parse_from(words).expect("a command line");
        let (watched, index) = serve.read(WatchedFiles::default(), &mut Report::default());
        assert!(index.is_ok_and(|index| index.builds_with_binary().count() > 0));
        assert!(watched.files == watched.now());
        // While a file is being written, it cannot be read.
        fs::write(path(named), "{").expect("written");
        assert!(watched.files != watched.now(), "{named}");
        let (watched, index) = serve.read(watched, &mut Report::default());
        assert!(index.is_err() && watched.files.contains_key(&path(named)), "{named}");
        // The same if it is not there at all.
        fs::remove_file(path(named)).expect("removed");
        let (watched, _) = serve.read(watched, &mut Report::default());
        fs::write(path(named), "{}").expect("written");
        assert!(watched.files != watched.now(), "{named}");
    }

    #[test]
    fn notices_changes_of_what_an_input_names() {
        let mirrors = "mirrors: {ours: $env/site/mirror}\n";
        check(&["--mirrors"], "mirrors.yaml", mirrors, "site/mirror/build_cache/index.json");
        let manifest = r#"{"develop": [{"label": "all", "url": "site/database.json"}]}"#;
        check(&[], "cache_index.json", manifest, "site/database.json");
    }

    #[test]
    fn watches_what_is_in_a_folder_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a/b.json");
        fs::create_dir(folder.path().join("a")).expect("a folder");
        fs::write(&file, "{}").expect("written");
        let mut watched = WatchedFiles::default();
        watched.add([folder.path(), &file, Path::new("https://example.org")].into_iter());
        assert_eq!(watched.files.keys().collect::<Vec<_>>(), [&file]);
        assert_eq!(watched.paths.len(), 2);
    }

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
