//! Specs as text, with the same colours everywhere.

use cache_index::build::{Build, Variant, VariantValue};
use leptos::prelude::*;

/// The number of words that are elements; a real build has fewer than a hundred.
const MOST_WORDS: usize = 200;

/// Words of a spec, such as variants, each coloured by its kind.
#[component]
pub(crate) fn Words(
    /// The words.
    words: Vec<String>,
    /// The same in full, if they are shortened.
    #[prop(optional)]
    title: Option<String>,
) -> impl IntoView {
    let title = title.unwrap_or_else(|| words.join(" "));
    view! { <bdi class="spec" title=title>{coloured(words, " ")}</bdi> }
}

/// The variants of a build in one line.
#[component]
pub(crate) fn Variants(
    /// Sorted by name.
    variants: Vec<Variant>,
) -> impl IntoView {
    let text = variants.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    view! { <bdi class="spec" title=text>{words(&variants)}</bdi> }
}

/// A build in Spack's notation, with boolean variants before other ones and the compiler last.
#[component]
pub(crate) fn Spec(
    /// The build.
    spec: Build,
) -> impl IntoView {
    let is_switch = |variant: &Variant| matches!(variant.value, VariantValue::Bool(_));
    let (switches, settings): (Vec<Variant>, Vec<Variant>) =
        spec.variants.into_iter().partition(is_switch);
    let compiler = spec.compiler.map(|compiler| {
        view! { <span class="spec-muted">{format!(" %{compiler}")}</span> }
    });
    let arch = format!("arch={}-{}-{}", spec.platform, spec.os, spec.target);
    view! {
        <code class="spec whole">
            <bdi>
                <span class="spec-name">{spec.package}</span>
                <span class="spec-version">{format!("@{}", spec.version)}</span>
                {words_with(&switches, "\u{200b}")}
                " "
                {words(&settings)}
                <span class="spec-muted">{arch}</span>
                {compiler}
            </bdi>
        </code>
    }
}

/// The shortest text that names a build.
#[component]
pub(crate) fn ShortSpec(
    /// The build.
    spec: Build,
) -> impl IntoView {
    let hash = format!("/{}", spec.short_hash());
    view! {
        <code class="spec">
            <bdi>
                <span class="spec-name">{spec.package}</span>
                <span class="spec-version">{format!("@{}", spec.version)}</span>
                <span class="spec-hash">{hash}</span>
            </bdi>
        </code>
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

fn words(variants: &[Variant]) -> Vec<AnyView> {
    words_with(variants, " ")
}

fn words_with(variants: &[Variant], separator: &'static str) -> Vec<AnyView> {
    coloured(variants.iter().map(ToString::to_string).collect(), separator)
}

/// Colours words by their kind; what comes after the first [`MOST_WORDS`] is plain text.
fn coloured(mut words: Vec<String>, separator: &'static str) -> Vec<AnyView> {
    let plain = words.split_off(words.len().min(MOST_WORDS)).join(separator);
    let word = |word: String| {
        let class = variant_class(&word);
        view! { <span class=class>{word}</span> {separator} }.into_any()
    };
    let mut views: Vec<AnyView> = words.into_iter().map(word).collect();
    if !plain.is_empty() {
        views.push(plain.into_any());
    }
    views
}
