//! The environment that is shown, and what the cache has of it.

use std::sync::Arc;

use cache_advice::causes::{CauseSearch, Causes, SpecSource};
use cache_advice::environment::{Assessing, Assessment};
use cache_index::environment::{Environment, Root};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser::parts::Stage;
use crate::browser::{self, environments};
use crate::explorer::Explorer;
use crate::memo::memo;

/// How long the page is busy at a time, in milliseconds.
const SLICE: f64 = 12.0;

/// The file that the address names.
#[derive(Clone)]
pub(super) enum File {
    /// It names none.
    None,
    /// It is being read.
    Awaited,
    /// This device does not have it.
    Absent,
    /// What this device has cannot be read.
    Unreadable(String),
    /// It has this name.
    Here(String, Arc<Environment>),
}

/// What is known about an environment.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) environment: Arc<Environment>,
    pub(super) assessment: Arc<Assessment>,
    /// How many steps the assessment still takes; what they find is not in there yet.
    pub(super) left: usize,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) file: RwSignal<File>,
    /// What is known; `None` if nothing is asked for.
    pub(super) judged: RwSignal<Option<Judged>>,
    /// How many of the steps that were left are done.
    pub(super) done: RwSignal<usize>,
    /// Why specs are missing; `None` until it is known.
    pub(super) causes: RwSignal<Option<Arc<Causes>>>,
    /// The number of assessments that were begun: all but the last are given up.
    begun: StoredValue<usize>,
}

impl State {
    /// Follows the address, and compares what it names with the cache.
    pub(super) fn new(explorer: Explorer) -> State {
        let state = State {
            file: RwSignal::new(File::None),
            judged: RwSignal::new(None),
            done: RwSignal::new(0),
            causes: RwSignal::new(None),
            begun: StoredValue::new(0),
        };
        let id = memo(move || explorer.with_question(|question| question.environment.clone()));
        Effect::new(move || {
            let id = id.get().unwrap_or_default();
            if id.is_empty() {
                return state.file.set(File::None);
            }
            state.file.set(File::Awaited);
            spawn_local(async move {
                let found = match environments::find(&id).await {
                    Ok((name, environment)) => File::Here(name, Arc::new(environment)),
                    Err(None) => File::Absent,
                    Err(Some(problem)) => File::Unreadable(problem),
                };
                // The page may have moved on by then.
                let is_asked = explorer
                    .with_query(|query| query.question.environment.as_deref() == Some(id.as_str()));
                if is_asked {
                    let _ = state.file.try_set(found);
                }
            });
        });
        // What decides the answer: the specs, the filters, and which parts of the index have arrived.
        let question = memo(move || explorer.with_question(Clone::clone));
        let arrived = memo(move || {
            let arrived = explorer.arrived();
            let is_whole = arrived.problem.is_some()
                || arrived.stage >= Stage::Details && arrived.dependencies;
            (arrived.stage >= Stage::Hashes, is_whole)
        });
        Effect::new(move || {
            let (_, is_whole) = arrived.get();
            state.begun.update_value(|begun| *begun += 1);
            state.causes.set(None);
            let begun = state.begun.get_value();
            let Some(environment) = state.environment(&question.with(|q| q.specs.clone())) else {
                return state.judged.set(None);
            };
            let (index, answer) = (explorer.index, explorer.answer());
            let assessing = question.with(|question| {
                Assessing::new(index, &environment, question, &answer, index.dialect())
            });
            // Drawing is a task of its own.
            browser::soon(move || {
                if state.begun.try_get_value() != Some(begun) {
                    return;
                }
                state.show(&environment, &assessing);
                // Without the rest of the index, the nearest builds would be others.
                if is_whole {
                    browser::after_painting(move || {
                        state.go_on(explorer, begun, environment, assessing)
                    });
                }
            });
        });
        state
    }

    /// Returns the environment: that of the file, with the specs of the address.
    fn environment(self, specs: &[String]) -> Option<Arc<Environment>> {
        let file = match self.file.get() {
            File::None if specs.is_empty() => return None,
            File::None => Arc::default(),
            File::Here(_, environment) if specs.is_empty() => return Some(environment),
            File::Here(_, environment) => environment,
            File::Awaited | File::Absent | File::Unreadable(_) => return None,
        };
        let root = |spec: &String| Root { spec: spec.clone(), group: None, hash: None };
        let mut environment = Environment::clone(&file);
        environment.roots.extend(specs.iter().map(root));
        Some(Arc::new(environment))
    }

    fn show(self, environment: &Arc<Environment>, assessing: &Assessing) {
        self.done.set(0);
        self.judged.set(Some(Judged {
            environment: environment.clone(),
            assessment: Arc::new(assessing.assessment.clone()),
            left: assessing.steps_left(),
        }));
    }

    /// Makes the next steps, and the others in later tasks.
    fn go_on(
        self,
        explorer: Explorer,
        begun: usize,
        environment: Arc<Environment>,
        mut assessing: Assessing,
    ) {
        // Another one was begun since, or the page was left.
        if self.begun.try_get_value() != Some(begun) {
            return;
        }
        let (start, mut steps) = (browser::now(), 0);
        while assessing.step(explorer.index, &environment) {
            steps += 1;
            if browser::now() - start > SLICE {
                self.done.update(|done| *done += steps);
                let next = move || self.go_on(explorer, begun, environment, assessing);
                return browser::soon(next);
            }
        }
        self.show(&environment, &assessing);
        // What has been found is painted first.
        browser::after_painting(move || {
            let assessment = &assessing.assessment;
            let search = CauseSearch::of_environment(explorer.index, &environment, assessment);
            self.explain(explorer, begun, environment, search);
        });
    }

    /// Compares some of the missing specs with their counterparts, and the others in later tasks.
    fn explain(
        self,
        explorer: Explorer,
        begun: usize,
        environment: Arc<Environment>,
        mut search: CauseSearch,
    ) {
        if self.begun.try_get_value() != Some(begun) {
            return;
        }
        let start = browser::now();
        let (old, new) = (SpecSource::Index(explorer.index), SpecSource::Nodes(&environment.nodes));
        while search.step(old, new) {
            if browser::now() - start > SLICE {
                let next = move || self.explain(explorer, begun, environment, search);
                return browser::soon(next);
            }
        }
        self.causes.set(Some(Arc::new(search.finish())));
    }
}
