//! Specs as text, coloured by part, everywhere the same.

use cache_index::build::{Build, Variant, VariantValue};
use leptos::prelude::*;

/// The variants of a build in one line.
#[component]
pub(crate) fn Variants(
    /// Sorted by name.
    variants: Vec<Variant>,
) -> impl IntoView {
    let text = variants.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let parts = variants.into_iter().map(|variant| {
        let class = match variant.value {
            VariantValue::Bool(true) => "spec-on",
            VariantValue::Bool(false) => "spec-off",
            _ => "spec-set",
        };
        view! { <span class=class>{variant.to_string()}</span> " " }
    });
    view! { <bdi class="spec" title=text>{parts.collect_view()}</bdi> }
}

/// A build as Spack would write it.
#[component]
pub(crate) fn Spec(
    /// The build.
    of: Build,
) -> impl IntoView {
    let build = of;
    let compiler = build.compiler.clone().map(|compiler| {
        view! { " " <span class="spec-muted">{format!("%{compiler}")}</span> }
    });
    let arch = format!("arch={}-{}-{}", build.platform, build.os, build.target);
    view! {
        <code class="spec whole">
            <bdi>
                <span class="spec-name">{build.package}</span>
                <span class="spec-version">{format!("@{}", build.version)}</span>
                " "
                <Variants variants=build.variants/>
                {compiler}
                " "
                <span class="spec-muted">{arch}</span>
                " "
                <span class="spec-hash">{format!("/{}", build.hash)}</span>
            </bdi>
        </code>
    }
}

/// The same as plain text.
pub(crate) fn spec_text(build: &Build) -> String {
    let mut text = format!("{}@{}", build.package, build.version);
    for variant in &build.variants {
        // Flags stick to what is before them, so that the whole stays one word for a shell.
        if !matches!(variant.value, VariantValue::Bool(_)) {
            text.push(' ');
        }
        text.push_str(&variant.to_string());
    }
    if let Some(compiler) = &build.compiler {
        text.push_str(&format!(" %{compiler}"));
    }
    text.push_str(&format!(" arch={}-{}-{}", build.platform, build.os, build.target));
    text
}
