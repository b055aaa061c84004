//! What the user's settings about reuse change: how many builds work with and without them.

use cache_advice::fit::SettingsEffect;
use leptos::prelude::*;

use crate::data::fits;
use site::browser::tasks::{Latest, pause};
use site::explorer::Explorer;
use site::memo::memo;

/// Draws this below the settings and next to the verdicts; nothing without a machine or own settings, or until it is known.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let asked = memo(move || {
        explorer.with_question(|question| {
            let setup = question.setup()?;
            let base = SettingsEffect::base(&setup).filter(|_| question.judged.is_known())?;
            Some((base, question.gpus.clone(), question.judged.clone()))
        })
    });
    let effect = RwSignal::new(None::<SettingsEffect>);
    let latest = Latest::default();
    Effect::new(move || {
        effect.set(None);
        match asked.get() {
            Some((base, gpus, judged)) => latest.begin(async move {
                // The verdicts with the settings are shown first.
                pause().await;
                let index = explorer.index;
                let without = fits::with_defaults(index, base.clone(), &gpus).works;
                effect.set(Some(SettingsEffect::between(index, &base, &without, &judged)));
            }),
            None => latest.give_up(),
        }
    });
    let said = move || {
        effect.get().map(|effect| view! { <p class="muted of-settings">{effect.sentence()}"."</p> })
    };
    said.into_any()
}
