//! How to install from the cache, or a part of it, as a mirror.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cache_advice::{places_of_all, places_together};
use cache_index::build::Place;
use cache_index::mirror::{Mirror, TRUST_KEYS, blanks};
use cache_index::number::{counted, grouped};
use cache_query::{Change, Filter, Question, run};
use leptos::prelude::*;

use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::copy::{Command, Copy, notices};

/// The choice of all mirrors that are needed together.
const TOGETHER: &str = "together";

/// The commands for a release, a stack or a view that the filters leave, or for more than one if none has everything; and
/// the same as settings.
#[component]
pub(crate) fn UseIt() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let places = memo(move || places_of_all(index, &explorer.answer()));
    let all: BTreeMap<Place, u32> =
        places_of_all(index, &run(index, &Question::default())).into_iter().collect();
    let matching = memo(move || explorer.answer().builds);
    // The chosen place, as long as the filters leave builds there. Otherwise the place with the most matching builds; if
    // there is a tie, one that the filters leave, and then the smallest.
    let sizes = all.clone();
    let place = memo(move || {
        let chosen = explorer.with_presentation(|shown| shown.mirror.clone());
        let rank = |(place, builds): &&(Place, u32)| {
            let is_left = explorer.with_question(|question| question.leaves(place));
            (Reverse(*builds), !is_left, sizes.get(place).copied())
        };
        places.with(|places| {
            let chosen = places.iter().find(|(place, _)| Some(place.key()) == chosen);
            let (place, _) = chosen.or_else(|| places.iter().min_by_key(rank))?;
            Some(place.clone())
        })
    });
    let is_whole = move || {
        let all = matching.get();
        places.with(|places| places.len() < 2 || places.iter().any(|(_, builds)| *builds == all))
    };
    let takes_all = memo(move || {
        !is_whole() && explorer.with_presentation(|shown| shown.mirror.as_deref() == Some(TOGETHER))
    });
    let choose = move |event| explorer.go(Change::ShowMirror(event_target_value(&event)));
    let is_shown =
        move |other: &Place| !takes_all.get() && place.with(|place| place.as_ref() == Some(other));
    let options = move || {
        let option = |(place, builds): (Place, u32)| {
            let of = all.get(&place).copied().unwrap_or(builds);
            let all = counted(of as usize, "build", "builds");
            let text = match builds == of {
                true => format!("{}: {all}", named(&place)),
                false => {
                    let match_ = if builds == 1 { "matches" } else { "match" };
                    let some = grouped(builds as usize);
                    format!("{}: {all}, {some} of them {match_}", named(&place))
                }
            };
            view! { <option value=place.key() prop:selected=move || is_shown(&place)>{text}</option> }
        };
        let together = (!is_whole()).then(|| {
            let all = counted(matching.get() as usize, "build", "builds");
            let text = format!("several mirrors, which together have all {all}");
            view! { <option value=TOGETHER prop:selected=move || takes_all.get()>{text}</option> }
        });
        view! { {together}{places.get().into_iter().map(option).collect_view()} }
    };
    let coverage = move || {
        let all = matching.get();
        let is_filtered =
            explorer.with_question(|question| !Filter::all(index, question).is_empty());
        let of_what = if is_filtered { "that match" } else { "of this cache" };
        let builds = counted(all as usize, "build", "builds");
        places.with(|places| {
            // If there is only one mirror, there is nothing to choose.
            if places.len() < 2 || takes_all.get() {
                return None;
            }
            let (_, has) = places.iter().find(|(place, _)| is_shown(place))?;
            let whole = places.iter().find(|(_, builds)| *builds == all);
            let some = grouped(*has as usize);
            Some(match whole {
                _ if *has == all => format!(
                    "It has all {builds} {of_what}. The fewer others a mirror has, the faster Spack reads its index."
                ),
                Some((whole, _)) => {
                    format!("It has {some} of the {builds} {of_what}; {} has all.", named(whole))
                }
                None => format!(
                    "It has {some} of the {builds} {of_what}. No mirror has all of them; choose several mirrors to get all."
                ),
            })
        })
    };
    let commands = move || {
        let chosen = match takes_all.get() {
            true => places_together(index, &explorer.answer()),
            false => place.get().into_iter().collect(),
        };
        let mirror = |place: &Place| Mirror::for_place(explorer.so_far(), place);
        let mirrors: Vec<Mirror> = chosen.iter().map(mirror).collect();
        let some_unsigned = mirrors.iter().zip(&chosen);
        let some_unsigned = some_unsigned
            .filter_map(|(mirror, place)| mirror.some_unsigned(explorer.so_far(), place));
        let some_unsigned = some_unsigned
            .map(|said| view! { <p class="notice"><bdi>{said}</bdi></p> })
            .collect_view();
        (!mirrors.is_empty()).then(|| view! { {some_unsigned}{steps(&mirrors)} })
    };
    view! {
        <div class="guide">
            <label class="line">
                "Part of this cache"
                <select on:change=choose>{options}</select>
            </label>
            <p class="muted">{coverage}</p>
            {commands}
        </div>
    }
}

/// Returns the name of a place, which says so if the place is a whole release.
fn named(place: &Place) -> String {
    match place.is_whole_release() {
        true if place.release.is_empty() => "all of it".to_owned(),
        true => format!("{} (all stacks)", place.release),
        false => place.to_string(),
    }
}

/// Draws what to run, or to write into settings.
fn steps(mirrors: &[Mirror]) -> AnyView {
    let is_one = mirrors.len() == 1;
    let add = mirrors.iter().map(|mirror| {
        let does =
            if is_one { "Add the mirror".to_owned() } else { format!("Add {}", mirror.name) };
        view! { <Command does=does text=mirror.add() label="Copy"/> }
    });
    let add = add.collect_view();
    let keys = mirrors.iter().any(|mirror| mirror.unsigned.is_none()).then(|| {
        let does = if is_one { "Trust its keys" } else { "Trust their keys" };
        view! { <Command does=does text=TRUST_KEYS label="Copy"/> }
    });
    let lines = mirrors.iter().map(|mirror| format!("  {}\n", mirror.line()));
    let settings = format!("{}mirrors:\n{}", blanks(mirrors), lines.collect::<String>());
    let copied = settings.clone();
    view! {
        {notices(mirrors)}
        <section>
            <h2>"As commands"</h2>
            <ol class="steps">
                {add}
                {keys}
                <Command
                    does="Install something; what has no binary is built from source"
                    text="spack install PACKAGE"
                    label="Copy"
                />
            </ol>
        </section>
        <section>
            <h2>"As settings"</h2>
            <p class="muted">"In " <code>"spack.yaml"</code> ", below " <code>"spack:"</code> ", or in " <code>"mirrors.yaml"</code> "."</p>
            <pre><code>{settings}</code></pre>
            <Copy text=Callback::new(move |()| copied.clone()) label="Copy the settings"/>
        </section>
    }
    .into_any()
}
