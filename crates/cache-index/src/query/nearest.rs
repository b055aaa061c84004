//! The builds nearest to a question that no build matches.
//!
//! The fewer filters a build fails, the nearer it is. It always has the requested package.

use std::sync::Arc;

use super::Question;
use super::filter::{Fails, Filter};
use super::ways_out::{field, variant_name};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId};
use crate::likeness::nearest_first;
use crate::search::{Meaning, Search, Selection, meanings};

/// A build that fails few of the filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The build: the first of its row.
    pub build: BuildId,
    /// The values that differ: what it has, and what was requested instead.
    pub differs: Vec<(String, String)>,
}

/// The maximum number of pieces of a text that are compared separately.
const MOST_MEANINGS: usize = 8;

/// Returns at most `count` builds that fail the fewest filters of a question. No two of them agree in
/// every facet. Among builds that fail equally many, newer versions come first.
///
/// There are none if the question asks for a hash, or for a package that the index does not contain.
pub fn nearest(index: &Index, question: &Question, count: usize) -> Vec<Near> {
    let (names, asked): (Vec<Meaning>, Vec<Meaning>) = meanings(index, &question.text)
        .into_iter()
        .take(MOST_MEANINGS)
        .partition(|meaning| matches!(meaning.field, "package" | "name has" | "hash"));
    if names.iter().any(|meaning| meaning.field == "hash") {
        return Vec::new();
    }
    let names: Vec<&str> = names.iter().map(|meaning| meaning.text.as_str()).collect();
    let find = |text: &str| Search::read(index, text).select(index);
    let filter = Filter::new(index, question, Arc::new(find(&names.join(" "))));
    let asked: Vec<(Meaning, Selection)> =
        asked.into_iter().map(|meaning| (meaning.clone(), find(&meaning.text))).collect();
    let never = Fails(Fails::ALWAYS.0 | Fails::of(Facet::Package).0);
    let mut rows: Vec<(usize, RowId)> = Vec::new();
    for (package, _) in index.dictionary(Facet::Package).iter() {
        for row in index.rows_of(package) {
            let fails = filter.row(index, package, row);
            if fails.0 & never.0 == 0 {
                let missed = asked.iter().filter(|(_, found)| found.count(index, row) == 0).count();
                rows.push((fails.0.count_ones() as usize + missed, row));
            }
        }
    }
    let near = nearest_first(rows).into_iter().filter(|(fails, _)| *fails > 0).take(count);
    let near = near.filter_map(|(_, row)| {
        let fails = filter.row(index, index.package_of(row), row);
        let missed = asked.iter().filter(|(_, found)| found.count(index, row) == 0);
        let mut differs: Vec<(String, String)> = missed
            .map(|(meaning, _)| match field(meaning) {
                Some(facet) => {
                    (has(index, row, facet, meaning.value()), meaning.value().to_owned())
                }
                None => (String::new(), meaning.text.clone()),
            })
            .collect();
        for facet in Facet::ALL {
            if fails.0 & Fails::of(facet).0 != 0 {
                differs.extend(differences(index, question, row, facet));
            }
        }
        Some(Near { build: index.builds_of(row).next()?, differs })
    });
    near.collect()
}

/// Returns what a row has in a facet, and what is chosen there instead.
fn differences(
    index: &Index,
    question: &Question,
    row: RowId,
    facet: Facet,
) -> Vec<(String, String)> {
    let choice = question.choice(facet);
    let own: Vec<&str> = index
        .values(row, facet)
        .into_iter()
        .map(|code| index.dictionary(facet).text(code))
        .collect();
    let lacks = |value: &&String| !own.contains(&value.as_str());
    let mut differs: Vec<(String, String)> = match facet {
        // A build has many variants; compare only the chosen one.
        Facet::Variant => {
            let lacking = choice.included().iter().filter(lacks);
            lacking.map(|value| (has(index, row, facet, value), value.clone())).collect()
        }
        _ if choice.included().iter().all(|value| lacks(&value))
            && !choice.included().is_empty() =>
        {
            vec![(has(index, row, facet, ""), choice.included().join(" or "))]
        }
        _ => Vec::new(),
    };
    let excluded = choice.excluded().iter().filter(|value| !lacks(value));
    differs.extend(excluded.map(|value| (value.clone(), format!("not {value}"))));
    differs
}

/// Returns the values of a row in a facet; for variants, only those of the variant in `asked`.
fn has(index: &Index, row: RowId, facet: Facet, asked: &str) -> String {
    let texts = index.values(row, facet).into_iter().map(|code| index.dictionary(facet).text(code));
    let is_meant =
        |text: &&str| facet != Facet::Variant || variant_name(text) == variant_name(asked);
    let texts: Vec<&str> = texts.filter(is_meant).collect();
    match texts.is_empty() {
        true => format!("no {}", variant_name(asked)),
        false => texts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use crate::index::{About, pack};
    use crate::{address, sample};

    #[test]
    fn finds_builds_that_fail_the_fewest_filters() {
        let one = |number: usize, version: &str, os: &str, variants: &[&str]| Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            variants: variants.iter().map(|text| sample::variant(text)).collect(),
            ..sample::one("hdf5", version)
        };
        let zlib = Build { hash: sample::hash(4), ..sample::one("zlib", "1.3") };
        let all = [
            one(0, "1.14.5", "rhel8", &["+mpi", "api=v110"]),
            one(1, "1.12.3", "ubuntu22.04", &["~mpi", "api=v110"]),
            one(2, "1.10.1", "ubuntu22.04", &["api=v18"]),
            zlib,
        ];
        let index = pack(About::default(), all).expect("an index");
        let check = |address: &str, expected: &[&str]| {
            let question = address::decode(address).0.normalized(&index).question;
            let near = nearest(&index, &question, 3);
            let found: Vec<String> = near
                .iter()
                .map(|near| {
                    let differs: Vec<String> = near
                        .differs
                        .iter()
                        .map(|(has, asked)| format!("{has} for {asked}"))
                        .collect();
                    let version = index.text(index.row_of(near.build), Facet::Version);
                    format!("{version}: {}", differs.join("; "))
                })
                .collect();
            assert_eq!(found, expected, "{address}");
        };
        check(
            "q=hdf5&os=ubuntu22.04&variant=mpi",
            &["1.14.5: rhel8 for ubuntu22.04", "1.12.3: ~mpi for +mpi", "1.10.1: no mpi for +mpi"],
        );
        check(
            "q=hdf5@1.14:&os=ubuntu22.04&variant=api=v18",
            &[
                "1.10.1: 1.10.1 for 1.14:",
                "1.14.5: rhel8 for ubuntu22.04; api=v110 for api=v18",
                "1.12.3: 1.12.3 for 1.14:; api=v110 for api=v18",
            ],
        );
        check("package=zlib&not.version=1.3", &["1.3: 1.3 for not 1.3"]);
        check("q=zlib&stack=e4s", &["1.3: root for e4s"]);
        check("q=nosuch+mpi", &[]);
        check("q=/aaaaaaaaa", &[]);
    }
}
