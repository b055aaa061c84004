//! All filters of a question: as chips, as ways out where nothing matches, and in words.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;

use super::{Change, Match, PartFilter, Question, View};
use crate::host::Runs;
use crate::search::{Meaning, meanings, split};

/// The maximum number of values of a facet that are listed.
const MOST_VALUES: usize = 8;

/// One filter of a question: what can be removed by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// One thing that the search text asks for.
    Text(Meaning),
    /// A build must have one of these verdicts.
    Runs(Vec<Runs>),
    /// A build must use one of these GPUs of the machine.
    OnGpu(Vec<String>),
    /// The day since which builds are new.
    Since(String),
    /// What another part of the index must say.
    Part(PartFilter),
    /// A build must have one of these values of a facet.
    Included(Facet, Vec<String>),
    /// A value that a build must not have.
    Excluded(Facet, String),
}

impl Filter {
    /// Returns the filters of a question, except the package whose page is open.
    pub fn all(index: &Index, question: &Question) -> Vec<Filter> {
        let mut filters = Vec::new();
        if !question.text.is_empty() {
            filters.extend(meanings(index, &question.text).into_iter().map(Filter::Text));
        }
        let runs = question.asked_runs();
        filters.extend((!runs.is_empty()).then(|| Filter::Runs(runs.to_vec())));
        filters.extend(question.asks_for_gpu().then(|| Filter::OnGpu(question.gpus.clone())));
        filters.extend(question.since.iter().cloned().map(Filter::Since));
        filters.extend(question.part_filters.iter().cloned().map(Filter::Part));
        let is_open = matches!(question.view(), View::Package(_));
        for facet in Facet::ALL {
            let choice = question.choice(facet);
            let included = choice.included();
            let is_the_page = facet == Facet::Package && is_open;
            if !included.is_empty() && !is_the_page {
                let together = if choice.matching() == Match::Any { included.len() } else { 1 };
                let included = included.chunks(together).map(<[String]>::to_vec);
                filters.extend(included.map(|values| Filter::Included(facet, values)));
            }
            let excluded = choice.excluded().iter().cloned();
            filters.extend(excluded.map(|value| Filter::Excluded(facet, value)));
        }
        filters
    }

    /// Returns a filter for each of its values, which can be removed one by one.
    pub fn by_value(self) -> Vec<Filter> {
        match self {
            Filter::Included(facet, values) => {
                values.into_iter().map(|value| Filter::Included(facet, vec![value])).collect()
            }
            Filter::Runs(runs) => runs.into_iter().map(|runs| Filter::Runs(vec![runs])).collect(),
            other => vec![other],
        }
    }

    /// Returns the change that removes it.
    pub fn removal(&self, index: &Index) -> Change {
        match self {
            Filter::Text(meaning) => Change::Type(split(index, &meaning.without)),
            Filter::Runs(runs) => match runs[..] {
                [runs] => Change::ToggleRuns(runs),
                _ => Change::ClearRuns,
            },
            Filter::OnGpu(_) => Change::ToggleOnGpu,
            Filter::Since(_) => Change::Since(None),
            Filter::Part(filter) => Change::TogglePart(filter.clone()),
            Filter::Included(facet, values) => Change::Remove(*facet, values.clone()),
            Filter::Excluded(facet, value) => Change::Remove(*facet, vec![value.clone()]),
        }
    }

    /// Returns what it filters by, and the values that it asks for: `not OS` and `rhel8`.
    pub fn words(&self) -> (String, String) {
        match self {
            Filter::Text(meaning) => {
                (meaning.property.label().to_owned(), meaning.value().to_owned())
            }
            Filter::Runs(runs) => {
                let runs: Vec<&str> = runs.iter().map(|runs| runs.key()).collect();
                ("works here".to_owned(), runs.join(", "))
            }
            Filter::OnGpu(gpus) => ("uses my GPU".to_owned(), gpus.join(", ")),
            Filter::Since(since) => ("new since".to_owned(), since.clone()),
            Filter::Part(filter) => (filter.label().to_owned(), filter.words().1),
            Filter::Included(facet, values) => {
                let listed = values[..values.len().min(MOST_VALUES)].join(", ");
                let listed = match values.len().saturating_sub(MOST_VALUES) {
                    0 => listed,
                    others => format!("{listed} or {}", counted(others, "other", "others")),
                };
                (facet.label().to_owned(), listed)
            }
            Filter::Excluded(facet, value) => (format!("not {}", facet.label()), value.clone()),
        }
    }
}
