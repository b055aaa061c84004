//! A progress bar for reading, shown only on a terminal and only if reading takes a while.

use std::io::{self, IsTerminal, Read};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressBarIter, ProgressStyle};

/// Inputs with fewer bytes than this are read before a user would notice a bar.
const WORTH_SHOWING: u64 = 20_000_000;

/// A reader that counts what is read through it.
pub(crate) type Counted<R> = ProgressBarIter<R>;

/// The progress of reading.
#[derive(Clone, Debug)]
pub(crate) struct Progress(ProgressBar);

impl Default for Progress {
    /// Creates no bar.
    fn default() -> Progress {
        Progress(ProgressBar::hidden())
    }
}

impl Progress {
    /// Creates a bar for this many bytes, or a hidden one if nobody would see it.
    pub(crate) fn over(bytes: u64) -> Progress {
        if bytes < WORTH_SHOWING || !io::stderr().is_terminal() {
            return Progress::default();
        }
        let bar = ProgressBar::new(bytes);
        let template = "{bar:40} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(bar)
    }

    /// Shows which input is being read.
    pub(crate) fn reading(&self, input: &str) {
        self.0.set_message(input.to_string());
    }

    /// Counts what is read through it.
    pub(crate) fn count<R: Read>(&self, reader: R) -> Counted<R> {
        self.0.wrap_read(reader)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// The progress of fetching, relative to the total known so far.
#[cfg(feature = "fetch")]
#[derive(Clone, Debug)]
pub(crate) struct FetchProgress(ProgressBar);

#[cfg(feature = "fetch")]
impl FetchProgress {
    /// Creates a bar for this many files, on a terminal.
    pub(crate) fn over(files: usize) -> FetchProgress {
        if files == 0 || !io::stderr().is_terminal() {
            return FetchProgress(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(0);
        let template = "fetching {bar:40} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        FetchProgress(bar)
    }

    /// Adds the length that a server announces to the total.
    pub(crate) fn expect(&self, bytes: u64) {
        self.0.inc_length(bytes);
    }

    /// Counts what is received through it.
    pub(crate) fn count<R: Read>(&self, reader: R) -> impl Read + use<R> {
        self.0.wrap_read(reader)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
