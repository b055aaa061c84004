//! Specs as text, with the same colours everywhere.

use cache_index::build::{Build, Variant, VariantValue};
use cache_index::recipes::Recipe;
use leptos::prelude::*;
use maud::{Markup, html};

/// The maximum number of words that are elements of their own; a real build has fewer than a hundred.
const MOST_WORDS: usize = 200;

/// Writes words of a spec, such as variants, each coloured by its kind. They may be shortened: the title has them in
/// full.
pub(crate) fn words(words: &[String], title: &str) -> Markup {
    html! { bdi.spec title=(title) { (coloured(words, Between::Space)) } }
}

/// The variants of a build in one line.
#[component]
pub(crate) fn Variants(
    /// Sorted by name.
    variants: Vec<Variant>,
) -> impl IntoView {
    let words = spelled(&variants);
    view! { <bdi class="spec" title=words.join(" ") inner_html=coloured(&words, Between::Space).into_string()></bdi> }
}

/// A build in Spack's notation, with boolean variants before other ones and the compiler last.
#[component]
pub(crate) fn Spec(
    /// The build.
    spec: Build,
    /// What the titles of variants say, if it has arrived.
    #[prop(into)]
    recipe: Signal<Option<Recipe>>,
) -> impl IntoView {
    let is_switch = |variant: &Variant| matches!(variant.value, VariantValue::Bool(_));
    let (switches, settings): (Vec<Variant>, Vec<Variant>) =
        spec.variants.iter().cloned().partition(is_switch);
    let text = move || {
        html! {
            bdi {
                span.spec-name { (spec.package) }
                span.spec-version { "@" (spec.version) }
                (titled(&switches, &recipe.read(), Between::Nothing))
                " "
                (titled(&settings, &recipe.read(), Between::Space))
                @for flags in spec.flag_words() { span.spec-set { (flags) } " " }
                span.spec-muted { "arch=" (spec.platform) "-" (spec.os) "-" (spec.target) }
                @if let Some(compiler) = &spec.compiler { span.spec-muted { " %" (compiler) } }
            }
        }
    };
    view! { <code class="spec whole" inner_html=move || text().into_string()></code> }
}

/// Writes the shortest text that names a build.
pub(crate) fn short_spec(build: &Build) -> Markup {
    html! { code.spec { (name_and_hash(build)) } }
}

/// The shortest text that names a build.
#[component]
pub(crate) fn ShortSpec(
    /// The build.
    spec: Build,
) -> impl IntoView {
    view! { <code class="spec" inner_html=name_and_hash(&spec).into_string()></code> }
}

fn name_and_hash(build: &Build) -> Markup {
    html! {
        bdi {
            span.spec-name { (build.package) }
            span.spec-version { "@" (build.version) }
            span.spec-hash { "/" (build.short_hash()) }
        }
    }
}

/// Returns the class that colours a variant.
pub(crate) fn variant_class(written: &str) -> &'static str {
    match written.as_bytes().first() {
        Some(b'+') => "spec-on",
        Some(b'~') => "spec-off",
        _ => "spec-set",
    }
}

fn spelled(variants: &[Variant]) -> Vec<String> {
    variants.iter().map(ToString::to_string).collect()
}

/// Writes variants, each with what its recipe says about it as the title.
fn titled(variants: &[Variant], recipe: &Option<Recipe>, between: Between) -> Markup {
    let about = |variant: &Variant| recipe.as_ref()?.about_variant(&variant.name);
    html! {
        @for variants in variants.chunk_by(|one, other| about(one).is_none() && about(other).is_none()) {
            @match about(&variants[0]) {
                Some(about) => span title=(about) { (coloured(&spelled(variants), between)) },
                None => (coloured(&spelled(variants), between)),
            }
        }
    }
}

/// What is between two words. A line may break at either.
#[derive(Clone, Copy)]
enum Between {
    Space,
    /// An element: a character, however invisible, would be copied with the text.
    Nothing,
}

/// Colours words by their kind; what comes after the first [`MOST_WORDS`] is plain text.
fn coloured(words: &[String], between: Between) -> Markup {
    let (words, plain) = words.split_at(words.len().min(MOST_WORDS));
    let gap = || match between {
        Between::Space => html! { " " },
        Between::Nothing => html! { wbr; },
    };
    html! {
        @for word in words {
            span class=(variant_class(word)) { (word) }
            (gap())
        }
        (plain.join(match between { Between::Space => " ", Between::Nothing => "" }))
    }
}
