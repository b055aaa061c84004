//! Values that filters name and no build has.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::Question;

use crate::no_match::ways_out::noun;

/// A value of a facet that a filter names and no build has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownValue {
    /// The facet.
    pub facet: Facet,
    /// The value.
    pub value: String,
    /// `true` if builds that have it are excluded.
    pub is_excluded: bool,
    /// The value of a build whose name is nearly the same, if there is one.
    pub like: Option<String>,
}

impl UnknownValue {
    /// Returns that no build has it, as a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let Self { facet, value, .. } = self;
        let none = match facet {
            Facet::Stack | Facet::Release => {
                format!("No build here is in the {} {value}", noun(*facet))
            }
            facet => format!("No build here has the {} {value}", noun(*facet)),
        };
        match self.is_excluded {
            true => format!("{none}, so excluding it changes nothing"),
            false => none,
        }
    }
}

/// Returns the values that filters name and no build has.
pub fn unknown_values(index: &Index, question: &Question) -> Vec<UnknownValue> {
    let of_facet = |facet: Facet| {
        let (known, choice) = (index.dictionary(facet), question.choice(facet));
        let all = choice.included().iter().map(|value| (value, false));
        let all = all.chain(choice.excluded().iter().map(|value| (value, true)));
        let unknown = all.filter(|(value, _)| known.code(value).is_none());
        unknown.map(move |(value, is_excluded)| {
            let like = spack_spec::nearest(value, known.values().iter().map(String::as_str));
            let like = like.map(str::to_owned);
            UnknownValue { facet, value: value.clone(), is_excluded, like }
        })
    };
    Facet::ALL.into_iter().flat_map(of_facet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    fn index() -> Index {
        let one = |number: usize, os: &str| Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            variants: vec![sample::variant("+mpi")],
            ..sample::one("hdf5", "1.14.5")
        };
        pack(About::default(), [one(0, "rhel8"), one(1, "ubuntu22.04")]).expect("an index")
    }

    fn question(index: &Index, address: &str) -> Question {
        address::decode(address).0.normalized(index).question
    }

    #[test]
    fn names_values_that_no_build_has() {
        let index = index();
        let check = |address: &str, expected: &[(&str, Option<&str>)]| {
            let unknown = unknown_values(&index, &question(&index, address));
            let found: Vec<(String, Option<&str>)> =
                unknown.iter().map(|it| (it.sentence(), it.like.as_deref())).collect();
            let expected: Vec<(String, Option<&str>)> = expected
                .iter()
                .map(|(words, like)| (format!("No build here {words}"), *like))
                .collect();
            assert_eq!(found, expected, "{address}");
        };
        check("os=rhel8&variant=mpi", &[]);
        check("os=ubuntu22.4", &[("has the OS ubuntu22.4", Some("ubuntu22.04"))]);
        check("variant=mpii", &[("has the variant +mpii", Some("+mpi"))]);
        check("os=windows95", &[("has the OS windows95", None)]);
        check(
            "os=rhel8&not.version=9.9&not.stack=e4ss",
            &[
                ("is in the stack e4ss, so excluding it changes nothing", None),
                ("has the version 9.9, so excluding it changes nothing", None),
            ],
        );
    }
}
