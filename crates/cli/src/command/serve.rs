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
use crate::inputs::Inputs;
use crate::inside::Inside;
use crate::report::{Failed, Report, print};
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
    inputs: Inputs,

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
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        let site = Inside::site()?;
        let server = Arc::new(Server::bind(self.port, &site)?);
        let seen = state(self.inputs.paths());
        let index = index_of(&self.inputs, &self.publication, report)?;
        report.show();
        publish(&server, &site, &index)?;
        let builds = counted(index.builds_with_binary().count(), "build", "builds");
        print(format_args!("{}: {builds} (Ctrl-C ends it)", server.url()));
        drop(index);
        if !self.no_browser {
            // Without a browser, the person can still use the printed address.
            if let Err(Failed::Because(error)) = show(server.url()) {
                print(format_args!("{error}"));
            }
        }
        let running = server.clone();
        thread::spawn(move || self.watch(seen, &site, &server));
        Ok(running.run()?)
    }

    /// Reads the inputs again whenever they have changed.
    fn watch(self, mut seen: Vec<Seen>, site: &Inside, server: &Server) {
        let mut was = seen.clone();
        loop {
            thread::sleep(LOOK);
            let is = state(self.inputs.paths());
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
            publish(server, site, &index).map(|()| index.builds_with_binary().count())
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

fn publish(server: &Server, site: &Inside, index: &Index) -> Result<(), Failed> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let version = now.as_millis() as u64;
    server.publish(site.served(index, &format!("{CHANGES}?{version}"))?, version);
    Ok(())
}

/// A file of the inputs, with its length and modification time.
type Seen = (PathBuf, u64, Option<SystemTime>);

/// Returns all files of the inputs.
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
