//! The environment that is shown, and what the cache has of it.

use std::sync::Arc;

use cache_advice::causes::Causes;
use cache_advice::environment::{Assessment, AssessmentSteps};
use cache_index::environment::{Environment, Root};
use cache_query::Question;
use leptos::prelude::*;

use crate::browser::environments::{self, FoundEnvironment};
use site::browser::tasks::{self, Latest};
use site::explorer::Explorer;
use site::memo::memo;

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
    /// It has been read.
    Here(FoundEnvironment),
}

/// What is known about an environment.
#[derive(Clone)]
pub(super) struct JudgedEnvironment {
    pub(super) environment: Arc<Environment>,
    pub(super) assessment: Arc<Assessment>,
    /// How many steps the assessment still takes; their results are not included yet.
    pub(super) left: usize,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) file: RwSignal<File>,
    /// What is known; `None` if nothing is asked for.
    pub(super) judged: RwSignal<Option<JudgedEnvironment>>,
    /// How many of the steps that were left are done.
    pub(super) done: RwSignal<usize>,
    /// Why specs are missing; `None` until it is known.
    pub(super) causes: RwSignal<Option<Arc<Causes>>>,
}

impl State {
    /// Follows the address, and compares what it names with the cache.
    pub(super) fn new(explorer: Explorer) -> State {
        let state = State {
            file: RwSignal::new(File::None),
            judged: RwSignal::new(None),
            done: RwSignal::new(0),
            causes: RwSignal::new(None),
        };
        let id = memo(move || {
            explorer.with_question(|question| question.environment.as_ref()?.file.clone())
        });
        let reading = Latest::default();
        Effect::new(move || {
            reading.give_up();
            let Some(id) = id.get() else { return state.file.set(File::None) };
            state.file.set(File::Awaited);
            reading.begin(async move {
                let found = match environments::find(&id).await {
                    Ok(opened) => File::Here(opened),
                    Err(None) => File::Absent,
                    Err(Some(problem)) => File::Unreadable(problem),
                };
                state.file.set(found);
            });
        });
        let question = memo(move || explorer.with_question(Clone::clone));
        let latest = Latest::default();
        Effect::new(move || {
            latest.give_up();
            state.causes.set(None);
            let Some(index) = explorer.hashes() else { return };
            let is_whole = explorer.whole().is_some();
            let Some(environment) = state.environment(&question.with(asked_specs)) else {
                return state.judged.set(None);
            };
            let answer = explorer.answer();
            let mut assessing = question.with(|question| {
                AssessmentSteps::new(index, &environment, question, &answer, index.dialect())
            });
            latest.begin(async move {
                // Drawing is a task of its own.
                tasks::pause().await;
                state.show(&environment, &assessing);
                // Without the rest of the index, the nearest builds would be wrong.
                if !is_whole {
                    return;
                }
                tasks::painted().await;
                tasks::slices(|| {
                    let goes_on = assessing.step(index, &environment);
                    if goes_on {
                        state.done.update(|done| *done += 1);
                    }
                    goes_on
                })
                .await;
                state.show(&environment, &assessing);
                // What has been found is painted first.
                tasks::painted().await;
                let assessment = &assessing.assessment;
                let pauses = tasks::pauses();
                let search =
                    Causes::of_environment_with_pauses(index, &environment, assessment, pauses);
                state.causes.set(Some(Arc::new(search.await)));
            });
        });
        state
    }

    /// Returns the environment: that of the file, with the specs of the address.
    fn environment(self, specs: &[String]) -> Option<Arc<Environment>> {
        let file = match self.file.get() {
            File::None if specs.is_empty() => return None,
            File::None => Arc::default(),
            File::Here(opened) if specs.is_empty() => return Some(opened.environment),
            File::Here(opened) => opened.environment,
            File::Awaited | File::Absent | File::Unreadable(_) => return None,
        };
        let root = |spec: &String| Root { spec: spec.clone(), group: None, hash: None };
        let mut environment = Environment::clone(&file);
        environment.roots.extend(specs.iter().map(root));
        Some(Arc::new(environment))
    }

    fn show(self, environment: &Arc<Environment>, assessing: &AssessmentSteps) {
        self.done.set(0);
        self.judged.set(Some(JudgedEnvironment {
            environment: environment.clone(),
            assessment: Arc::new(assessing.assessment.clone()),
            left: assessing.steps_left(),
        }));
    }
}

fn asked_specs(question: &Question) -> Vec<String> {
    question.environment.as_ref().map_or(Vec::new(), |environment| environment.specs.clone())
}
