//! One build: everything known about it, and how to get it.

use cache_index::build::Hash;
use cache_index::query::Change;
use leptos::prelude::*;

use super::copy::Copy;
use super::icon::Icon;
use super::spec::{Spec, spec_text};
use super::to::To;
use crate::explorer::Explorer;

/// A build by its hash.
#[component]
pub(crate) fn Build(
    /// Its hash, as the address has it.
    hash: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let build = match hash.parse::<Hash>() {
        Err(error) => Err(error.to_string()),
        Ok(hash) => match explorer.index.find(hash) {
            None => Err("no build of this cache has this hash".to_owned()),
            Some(id) => explorer.index.build(id).ok_or_else(|| "it is not loaded".to_owned()),
        },
    };
    match build {
        Ok(build) => view! { <Known of=build/> }.into_any(),
        Err(reason) => view! {
            <section class="empty" data-testid="empty">
                <h1>"No such build"</h1>
                <p><code><bdi>{hash}</bdi></code>": "{reason}"."</p>
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
        }
        .into_any(),
    }
}

#[component]
fn Known(
    /// The build.
    of: cache_index::build::Build,
) -> impl IntoView {
    let build = of;
    let package = build.package.clone();
    let heading = package.clone();
    let hash = build.hash.to_string();
    let install = format!("spack install --cache-only /{hash}");
    let text = spec_text(&build);
    let fields = [
        ("Version", build.version.clone()),
        ("Compiler", build.compiler.clone().unwrap_or_else(|| "none".to_owned())),
        ("Platform", build.platform.clone()),
        ("OS", build.os.clone()),
        ("Target", build.target.clone()),
    ];
    let fields = fields.into_iter().map(|(name, value)| {
        view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }
    });
    let places = build.places.iter().map(|place| {
        view! { <li><bdi>{place.release.clone()}</bdi>" / "<bdi>{place.stack.clone()}</bdi></li> }
    });
    let copied = |text: String| Callback::new(move |()| text.clone());
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <To change=Change::OpenPackages>"All packages"</To>
                " / "
                <To change=Change::OpenPackage(package.clone())>{package.clone()}</To>
            </nav>
            <h1>
                <bdi>{heading}</bdi>
                " "
                <code class="spec-version">{format!("@{}", build.version)}</code>
            </h1>
        </div>
        <div class="build">
            <section>
                <h2>"Spec"</h2>
                <Spec of=build.clone()/>
                <p><Copy text=copied(text) label="Copy the spec"/></p>
                <h2>"Fields"</h2>
                <dl class="fields">
                    {fields.collect_view()}
                    <div>
                        <dt>"Hash"</dt>
                        <dd>
                            <code>{hash.clone()}</code>
                            " "
                            <Copy text=copied(hash) label="Copy the hash" icon=Icon::Copy/>
                        </dd>
                    </div>
                    <div>
                        <dt>"Release / stack"</dt>
                        <dd><ul class="places">{places.collect_view()}</ul></dd>
                    </div>
                </dl>
            </section>
            <section class="get" aria-labelledby="get">
                <h2 id="get">"Get this build"</h2>
                <pre><code>{install.clone()}</code></pre>
                <p><Copy text=copied(install) label="Copy the command"/></p>
            </section>
        </div>
    }
}
