//! One build: everything known about it, and how to get it.

mod contents;
mod dependencies;
pub(crate) mod get;
pub(crate) mod gone;
mod prefix;
mod reuse;
mod software;

use cache_advice::causes::{Causes, CausesInWords, LISTED, Occasion};
use cache_advice::export::json_of;
use cache_advice::machine_words::{Gpu, GpuAnswer, GpuVerdict};
use cache_advice::{Similar, similar};
use cache_index::build::{self, Hash};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::grouped;
use cache_query::host::Runs;
use cache_query::{Change, Question, is_hash_prefix};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::environments;
use crate::build::contents::Contents;
use crate::build::dependencies::Dependencies;
use crate::build::get::Get;
use crate::build::gone::NoSuchBuild;
use crate::build::prefix::HashPrefix;
use crate::build::reuse::WouldReuse;
use crate::build::software::SaveSoftware;
use crate::data::recipes;
use crate::parts::spec::{ShortSpec, Spec, short_spec, words};
use crate::parts::verdict;
use site::browser::tasks::Latest;
use site::explorer::Explorer;
use site::html::list::list;
use site::memo::memo;
use site::view::parts::age::age;
use site::view::parts::copy::Copy;
use site::view::parts::icon::Icon;
use site::view::parts::query_link::QueryLink;

/// A build by its hash.
#[component]
pub(crate) fn Build(
    /// Its hash.
    hash: Hash,
) -> impl IntoView {
    let explorer = Explorer::here();
    let found = explorer.index.find(hash);
    match found.and_then(|id| Some((id, explorer.index.build_alone(id)?))) {
        Some((id, build)) => found_build(id, build),
        None => {
            let reason = "no build in this cache has this hash".to_owned();
            view! { <NoSuchBuild text=hash.to_string() reason/> }.into_any()
        }
    }
}

/// Shows what is wrong with a text that an address has in place of a build's hash.
#[component]
pub(crate) fn MalformedHash(
    /// The text.
    text: String,
) -> impl IntoView {
    if is_hash_prefix(&text) {
        return view! { <HashPrefix text/> }.into_any();
    }
    let reason = text.parse::<Hash>().err().map_or(String::new(), |error| error.to_string());
    view! { <NoSuchBuild text reason/> }.into_any()
}

/// Names the package in the address, so that a link to the build leads to its package once the build is gone. More than one
/// package is a filter, which stays.
fn name_package(explorer: Explorer, package: &str) {
    let is_other = |question: &Question| match question.choice(Facet::Package).included() {
        [] => true,
        [named] => named != package,
        _ => false,
    };
    if untrack(|| explorer.with_question(is_other)) {
        explorer.start_from(Change::Narrow(vec![(Facet::Package, package.to_owned())]));
    }
}

fn found_build(id: BuildId, build: build::Build) -> AnyView {
    let explorer = Explorer::here();
    name_package(explorer, &build.package);
    let verdict = move || {
        explorer.host()?;
        Some(view! { <p class="verdict">"On your machine: "{verdict::draw(explorer, id)}</p> })
    };
    let on_gpu = move || {
        let gpus = explorer.with_question(|question| question.gpus.clone());
        let gpus: Vec<Gpu> = gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
        let GpuVerdict { answer, reason, source } =
            GpuVerdict::of_build(explorer.so_far(), id, &gpus)?;
        let runs = match answer {
            GpuAnswer::Runs => Runs::Yes,
            GpuAnswer::OnlyThroughPtx | GpuAnswer::Unknown => Runs::Unknown,
            GpuAnswer::No => Runs::No,
        };
        let source = source.map(|url| view! { " " <a href=url rel="noopener">"The rule"</a> });
        let verdict = verdict::draw_words(runs, answer.words(), &reason);
        Some(view! { <p class="verdict" data-testid="gpu">"GPU: "{verdict}{source}</p> })
    };
    let package = build.package.clone();
    let (long, short, hash) = (build.long_spec(), build.short_spec(), build.hash.to_string());
    // Includes the dependencies, once they have arrived.
    let json =
        memo(move || explorer.so_far().build(id).map_or(String::new(), |build| json_of(&build)));
    let named = format!("{package}/{hash}");
    let latest = Latest::default();
    // Another page of this site may have changed the environment since this one was drawn.
    let add = move |_| {
        let named = named.clone();
        latest.begin(async move {
            let mut environment = environments::remembered().await.unwrap_or_default();
            environment.add_spec(&named);
            explorer.go(Change::OpenEnvironment(environment));
        });
    };
    let row = explorer.index.row_of(id);
    let (code, version) = (explorer.index.package_of(row), build.version.clone());
    let recipe = memo(move || recipes::of_package(explorer, code));
    let deprecated = move || {
        let recipe = recipe.read();
        let is_deprecated = recipe.as_ref().is_some_and(|recipe| recipe.is_deprecated(&version));
        is_deprecated.then(|| view! { <p class="muted">"This version is deprecated in Spack, which reuses its builds, but prefers other versions"</p> })
    };
    let variants = build.variants.clone();
    let not_default = move || {
        let recipe = recipe.read();
        let recipe = recipe.as_ref().filter(|recipe| recipe.variants.is_some())?;
        let others = recipe.not_default(&variants).into_iter().map(ToString::to_string);
        let others: Vec<String> = others.collect();
        let words = match &others[..] {
            [] => "Its variants are the defaults of today’s recipe".to_owned(),
            others => format!("Not the defaults of today’s recipe: {}", others.join(" ")),
        };
        Some(view! { <p class="muted" data-testid="defaults"><bdi>{words}</bdi></p> })
    };
    let (heading, about) = (package.clone(), recipe_link(&build));
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <QueryLink change=Change::OpenPackages>"All packages"</QueryLink>
                " / "
                <QueryLink change=Change::OpenPackage(package.clone())><bdi>{package.clone()}</bdi></QueryLink>
            </nav>
            <h1>
                <bdi>{heading}</bdi>
                " "
                <code class="spec-version">{format!("@{}", build.version)}</code>
                <code class="spec-hash">{format!("/{}", build.short_hash())}</code>
            </h1>
            {verdict}
            {on_gpu}
            {deprecated}
        </div>
        <div class="build">
            <Get id spec=build.clone()/>
            <div class="known">
                <section>
                    <h2>"Spec"</h2>
                    <Spec spec=build.clone() recipe/>
                    <div class="line">
                        <ShortSpec spec=build.clone()/>
                        <span class="actions">
                            <Copy text=always(short) label="Copy name and hash"/>
                            <Copy text=always(long) label="Copy full spec"/>
                            <button type="button" class="copy" on:click=add>"Add to my environment"</button>
                        </span>
                    </div>
                    {not_default}
                </section>
                <section>
                    <h2>"Fields"</h2>
                    <dl class="fields">
                        <div>
                            <dt>"Hash"</dt>
                            <dd>
                                <code>{hash.clone()}</code>
                                " "
                                <Copy text=always(hash) label="Copy the hash" icon=Icon::Copy/>
                            </dd>
                        </div>
                        {fields(&build)}
                        {build.spliced_from.map(spliced)}
                        <Places spec=build.clone()/>
                    </dl>
                </section>
                <WouldReuse id/>
                <SimilarBuilds id/>
                <Dependencies id/>
                {build.has_binary().then(|| view! { <Contents id/> })}
                <section>
                    <h2>"Links and files"</h2>
                    {about}
                    <SaveSoftware id name=build.short_spec()/>
                    <details class="raw">
                        <summary>"JSON of the index"</summary>
                        <p class="muted">
                            "What the index of this cache says of it, in the words of `search --json`: not the file that Spack wrote."
                        </p>
                        <Copy text=Callback::new(move |()| json.get()) label="Copy the JSON"/>
                        <pre tabindex="0"><code><bdi>{json}</bdi></code></pre>
                    </details>
                </section>
            </div>
        </div>
    }
    .into_any()
}

/// How many similar builds are listed.
const SIMILAR: usize = 5;

/// The builds of the package that differ least, and how they differ.
#[component]
fn SimilarBuilds(
    /// The build.
    id: BuildId,
) -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        // How builds with the same spec differ is known once the dependencies have arrived.
        let index = explorer.so_far();
        let similar = similar(index, id, SIMILAR);
        let causes = similar.first().and_then(|nearest| why_it_differs(index, nearest.build, id));
        let similar = similar
            .into_iter()
            .filter_map(|similar| Some((index.build_alone(similar.build)?, similar)));
        let lines: Vec<Markup> =
            similar.map(|(build, similar)| line(explorer, &build, &similar)).collect();
        html! {
            @if !lines.is_empty() {
                section aria-labelledby="similar" {
                    h2 id="similar" { "Similar builds" }
                    p.muted { "Each with what it has and this build lacks." }
                    ul.similar { @for line in lines { (line) } }
                    (causes.unwrap_or_default())
                }
            }
        }
    };
    list("similar-builds", "", NodeRef::new(), write, |_, _| ())
}

/// Writes why the hash of a build differs from that of the nearest one; `None` if the cache does not list what they depend
/// on.
fn why_it_differs(index: &Index, nearest: BuildId, build: BuildId) -> Option<Markup> {
    if !index.has_dependencies() || !index.lists_dependencies(index.row_of(build)) {
        return None;
    }
    let causes = Causes::between((index, &[nearest]), (index, &[build]));
    let words = CausesInWords { causes: &causes, occasion: Occasion::TwoBuilds };
    let headline = words.headline()?;
    Some(html! {
        h3 { "Compared with the first of these, dependencies included: " (headline) }
        ul.similar data-testid="causes" {
            @for (_, cause) in causes.shown().take(LISTED) { li { bdi { (cause.words()) } } }
        }
    })
}

fn line(explorer: Explorer, build: &build::Build, similar: &Similar) -> Markup {
    let says = match similar.differs_in.is_empty() {
        true if explorer.index.lists_any_dependencies() => "the same spec",
        true => "the same spec; this cache does not list dependencies",
        false => "the same spec, but with ",
    };
    html! {
        li {
            a href=(explorer.address_after(Change::OpenBuild(build.hash))) { (short_spec(build)) }
            @if build.spliced_from.is_some() { " " span.muted { "spliced" } }
            span.muted {
                @if similar.builds > 1 { " and " (grouped(similar.builds as usize - 1)) " more" }
            }
            " "
            @if similar.is_same_spec { span.muted { (says) } }
            (words(&similar.differs_in, &similar.differs_in.join(" ")))
            @if explorer.host().is_some() { " " (verdict::write(explorer, similar.build)) }
        }
    }
}

fn always(text: String) -> Callback<(), String> {
    Callback::new(move |()| text.clone())
}

/// Draws every known field except the hash and the places.
fn fields(build: &build::Build) -> Vec<AnyView> {
    let joined = |texts: Vec<String>| (!texts.is_empty()).then(|| texts.join(" "));
    let flags = build.flags.iter().map(|(name, flags)| format!("{name}={}", flags.join(" ")));
    let fields = [
        ("Version", Some(build.version.clone())),
        ("Compiler", Some(build.compiler.clone().unwrap_or_else(|| "none".to_owned()))),
        ("Platform", Some(build.platform.clone())),
        ("OS", Some(build.os.clone())),
        ("Target", Some(build.target.clone())),
        ("Variants", joined(build.variants.iter().map(ToString::to_string).collect())),
        ("Flags", joined(flags.collect())),
        ("Namespace", build.namespace.clone()),
        ("Package hash", build.package_hash.clone()),
        ("Size", build.size.map(|size| format!("{} bytes", grouped(size as usize)))),
        ("Signature", build.signature.as_ref().map(signed)),
        ("Spec format", build.spec_format.map(|format| format.to_string())),
    ];
    let known = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let draw = |(name, value): (&'static str, String)| {
        view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }.into_any()
    };
    let seen = build.first_seen.as_deref().map(|made| {
        view! { <div><dt>"First seen"</dt><dd>"in the publication "{age(made)}</dd></div> }
    });
    known.map(draw).chain(seen.map(IntoAny::into_any)).collect()
}

/// Draws which build a spliced one was made from.
fn spliced(from: Hash) -> AnyView {
    let explorer = Explorer::here();
    let short = format!("/{}", from.to_string().split_at(build::SHORT_HASH).0);
    let origin = match explorer.index.find(from) {
        Some(_) => {
            view! { <QueryLink change=Change::OpenBuild(from)><code>{short}</code></QueryLink> }
                .into_any()
        }
        None => view! { <code>{short}</code>", which is not in this cache" }.into_any(),
    };
    view! {
        <div>
            <dt>"Spliced from"</dt>
            <dd>
                {origin}
                <p class="muted">
                    "Its binary is that one’s, which Spack may have linked to other dependencies; it keeps no compiler of such a build"
                </p>
            </dd>
        </div>
    }
    .into_any()
}

/// Returns who has signed the manifest, according to the manifest itself.
fn signed(signature: &build::Signature) -> String {
    match signature {
        build::Signature::Unsigned => "not signed".to_owned(),
        build::Signature::Signed { key: Some(key) } => format!("signed with key {key}"),
        build::Signature::Signed { key: None } => {
            "signed, with a key that it does not name".to_owned()
        }
    }
}

/// The releases and stacks that have the build: one line for each release.
#[component]
fn Places(
    /// The build.
    spec: build::Build,
) -> impl IntoView {
    let places: Vec<&build::Place> = spec.places.iter().collect();
    let lines = html! {
        @for places in places.chunk_by(|a, b| a.release == b.release) {
            @let release = &places[0].release;
            @let stacks: Vec<&str> = places.iter().map(|place| place.stack.as_str()).collect();
            @let stacks = stacks.join(", ");
            li {
                bdi { (release) }
                @if !release.is_empty() && !stacks.is_empty() { ": " }
                bdi.muted { (stacks) }
            }
        }
    };
    // A cache without releases and stacks has no names to show.
    let has_names = places.iter().any(|place| !place.release.is_empty() || !place.stack.is_empty());
    has_names.then(|| {
        view! {
            <div>
                <dt>"Available in"</dt>
                <dd>
                    <ul inner_html=lines.into_string()></ul>
                </dd>
            </div>
        }
    })
}

/// Draws a link to the recipe of a build; nothing for one from a repository that is not Spack's own.
fn recipe_link(build: &build::Build) -> Option<AnyView> {
    let is_builtin = build.namespace.as_ref().is_none_or(|namespace| namespace == "builtin");
    let link = || {
        let address = recipe_page(&build.package);
        let link = view! { <a href=address rel="noopener">"The recipe on packages.spack.io"</a> };
        view! { <p>{link}</p> }.into_any()
    };
    is_builtin.then(link)
}

/// Returns the address of the page about a package's recipe.
fn recipe_page(package: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let name = package.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("https://packages.spack.io/package.html?name={}", name.collect::<String>())
}
