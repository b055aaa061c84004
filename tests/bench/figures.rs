//! Figures with their spread, and ratios between them.

use std::fmt;

/// The measurements of one thing.
pub(crate) struct Figures {
    name: String,
    /// Ascending.
    values: Vec<f64>,
}

impl Figures {
    pub(crate) fn new(name: &str, mut values: Vec<f64>) -> Figures {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        Figures { name: name.to_owned(), values }
    }

    /// Returns a percentile; `None` without measurements.
    fn at(&self, percent: usize) -> Option<f64> {
        let last = self.values.len().checked_sub(1)?;
        self.values.get((last * percent).div_ceil(100)).copied()
    }

    /// Prints a line of the table; `goal` is the project's goal.
    pub(crate) fn print(&self, unit: &str, goal: Option<&str>) {
        let column = |percent| match self.at(percent) {
            Some(value) => format!("{value:>9.1}"),
            None => format!("{:>9}", "-"),
        };
        println!(
            "{:36}{}{}{}{} {unit:3} {:>5}  {}",
            self.name,
            column(50),
            column(95),
            column(0),
            column(100),
            self.values.len(),
            goal.unwrap_or_default(),
        );
    }
}

/// Prints the names of the columns that [`Figures::print`] prints.
pub(crate) fn print_heading() {
    println!(
        "{:36}{:>9}{:>9}{:>9}{:>9}     {:>5}  goal",
        "", "median", "p95", "least", "most", "times"
    );
}

/// The ratio of two figures, and its limit.
pub(crate) struct Ratio {
    name: String,
    ratio: f64,
    most: f64,
}

impl Ratio {
    /// Computes the ratio of the medians.
    pub(crate) fn new(of: &Figures, to: &Figures, most: f64) -> Ratio {
        let name = format!("{} / {}", of.name, to.name);
        // Missing measurements count as a failure.
        let ratio = of.at(50).zip(to.at(50)).map_or(f64::NAN, |(of, to)| of / to);
        Ratio { name, ratio, most }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.ratio <= self.most
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ratio { name, ratio, most } = self;
        let verdict = if self.is_good() { "" } else { "  WORSE THAN IT MAY BE" };
        write!(f, "{name:70}{ratio:>7.2}, at most {most:.2}{verdict}")
    }
}
