//! Gaps as a list for files: which package, or which version of a package, is absent where.
//!
//! | of | columns |
//! | --- | --- |
//! | the packages of each stack | package, stack, newest version elsewhere |
//! | a package's coverage | package, version, and what the columns of the matrix are: OS and target, compiler, or stack |

use std::fmt::Write as _;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use serde_json::{Map, Value};

use crate::coverage::{Coverage, InEachStack};
use crate::text::{csv_line, markdown_cell};

/// A list of gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    columns: Vec<&'static str>,
    /// A text for each column.
    rows: Vec<Vec<String>>,
}

impl Gaps {
    /// Lists the packages that are absent from a stack, with the newest version that another stack has.
    pub fn of_stacks(index: &Index, cells: &InEachStack) -> Gaps {
        let text = |facet: Facet, code: ValueCode| index.dictionary(facet).text(code).to_owned();
        let mut rows = Vec::new();
        for package in cells.with_gaps() {
            let newest = cells.newest(package).map(|code| text(Facet::Version, code));
            for stack in cells.absent_from(package) {
                rows.push(vec![
                    text(Facet::Package, package),
                    text(Facet::Stack, stack),
                    newest.clone().unwrap_or_default(),
                ]);
            }
        }
        Gaps { columns: vec!["package", "stack", "newest_elsewhere"], rows }
    }

    /// Lists the empty cells of a package's coverage.
    pub fn of_versions(index: &Index, coverage: &Coverage, package: ValueCode) -> Gaps {
        let text = |facet: Facet, code: ValueCode| index.dictionary(facet).text(code).to_owned();
        let facets = coverage.across.facets();
        let mut rows = Vec::new();
        for (place, &version) in coverage.versions.iter().enumerate() {
            let cells = coverage.row(place).iter().zip(&coverage.columns);
            for (_, codes) in cells.filter(|(count, _)| **count == 0) {
                let mut row = vec![text(Facet::Package, package), text(Facet::Version, version)];
                row.extend(facets.iter().zip(codes).map(|(&facet, &code)| text(facet, code)));
                rows.push(row);
            }
        }
        let mut columns = vec![Facet::Package.key(), Facet::Version.key()];
        columns.extend(facets.iter().map(|facet| facet.key()));
        Gaps { columns, rows }
    }

    /// Returns the number of gaps.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Returns a line for each gap, as in RFC 4180.
    pub fn csv(&self) -> String {
        csv_line(&self.columns) + &self.rows.iter().map(csv_line).collect::<String>()
    }

    /// Returns a table.
    pub fn markdown(&self) -> String {
        let heading: Vec<String> = self.columns.iter().map(|name| name.replace('_', " ")).collect();
        let mut text =
            format!("| {} |\n|{}\n", heading.join(" | "), " --- |".repeat(heading.len()));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| markdown_cell(cell)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    /// Returns a list of objects, whose keys are the names of the columns.
    pub fn json(&self) -> String {
        let object = |row: &Vec<String>| {
            let fields = self.columns.iter().zip(row);
            let fields = fields.map(|(name, text)| ((*name).to_owned(), Value::from(text.clone())));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        let list: Value = self.rows.iter().map(object).collect();
        format!("{list:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;
    use cache_query::run;

    fn index() -> Index {
        let one = |number: usize, package: &str, version: &str, stacks: &[&str]| {
            let places = stacks.iter().chain(&["root"]);
            let place = |stack: &&str| Place { release: "v1".into(), stack: (*stack).into() };
            Build {
                hash: sample::hash(number),
                places: places.map(place).collect(),
                ..sample::one(package, version)
            }
        };
        let all = [
            one(0, "hdf5", "1.14", &["cpu", "cuda"]),
            one(1, "hdf5", "1.12", &["cuda"]),
            one(2, "zlib", "1.3", &["cpu"]),
            one(3, "zlib", "develop", &["cpu"]),
            one(4, "py-a|b", "develop", &["cuda"]),
        ];
        pack(About::default(), all).expect("an index")
    }

    #[test]
    fn lists_the_stacks_that_lack_a_package() {
        let index = index();
        let of = |address: &str| {
            let question = address::decode(address).0.question;
            let cells = InEachStack::new(&index, &question, &run(&index, &question));
            Gaps::of_stacks(&index, &cells)
        };
        let all = of("");
        assert_eq!(
            all.csv(),
            "package,stack,newest_elsewhere\r\npy-a|b,cpu,develop\r\nzlib,cuda,1.3\r\n"
        );
        assert_eq!(
            all.markdown(),
            "| package | stack | newest elsewhere |\n| --- | --- | --- |\n\
             | py-a\\|b | cpu | develop |\n| zlib | cuda | 1.3 |\n"
        );
        let json: Value = serde_json::from_str(&all.json()).expect("JSON");
        let zlib = serde_json::json!({
            "package": "zlib", "stack": "cuda", "newest_elsewhere": "1.3",
        });
        assert_eq!(json[1], zlib);
        // The newest version elsewhere may be in a stack that the question leaves out.
        assert_eq!(of("stack=cuda").csv().lines().nth(1), Some("zlib,cuda,1.3"));
        assert_eq!(of("stack=root").count(), 0);
    }

    #[test]
    fn lists_the_empty_cells_of_a_coverage() {
        let index = index();
        let query = address::decode("package=hdf5&tab=coverage&across=stack").0;
        let package = index.dictionary(Facet::Package).code("hdf5").expect("a package");
        let coverage = Coverage::new(&index, &query, &run(&index, &query.question), package);
        let gaps = Gaps::of_versions(&index, &coverage, package);
        assert_eq!(gaps.csv(), "package,version,stack\r\nhdf5,1.12,cpu\r\n");
    }
}
