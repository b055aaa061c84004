//! A build that is not in this cache: its package, and the build that replaced it, if the page was published with what
//! changed since an earlier publication.

use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_query::{AskedChanges, AskedHash, Change};
use leptos::prelude::*;

use crate::parts::left_out;
use crate::parts::spec::ShortSpec;
use site::browser::{published, tasks};
use site::explorer::Explorer;
use site::view::parts::age::age;
use site::view::parts::query_link::QueryLink;

/// A build that went since an earlier publication.
#[derive(Clone)]
pub(crate) struct Went {
    build: Build,
    /// When the publication that had it was made, if that is known.
    made: Option<String>,
    /// The build that replaced it.
    replacement: Option<BuildId>,
}

impl Went {
    /// Looks for a hash among the builds that went; `None` until the build has been found.
    pub(crate) fn look_for(asked: AskedHash) -> RwSignal<Option<Went>> {
        let index = Explorer::here().index;
        let found = RwSignal::new(None);
        if published::summary(index).is_some() {
            tasks::spawn(async move {
                // Problems with the changes are reported by the page of the changes.
                if let Ok(true) = published::load(index).await
                    && let Some(earlier) = index.earlier()
                    && let Some(id) = asked.find(earlier.went())
                    && let Some(build) = earlier.went().build_alone(id)
                {
                    let (made, replacement) = (earlier.made.clone(), earlier.replacement(id));
                    let _ = found.try_set(Some(Went { build, made, replacement }));
                }
            });
        }
        found
    }

    /// Says which build it was, with a link to the one that replaced it.
    pub(crate) fn draw(&self, explorer: Explorer) -> AnyView {
        let made = self.made.as_ref().map(|made| view! { ", made "{age(made)}"," });
        let replacement = self.replacement.and_then(|id| explorer.index.build_alone(id));
        let replaced = match replacement {
            Some(build) => view! {
                "It was replaced by "
                <QueryLink change=Change::OpenBuild(build.hash)><ShortSpec spec=build.clone()/></QueryLink>
                "."
            }
            .into_any(),
            None => "No other build took its place.".into_any(),
        };
        view! {
            <p data-testid="went">
                "The publication before this one" {made} " had it: "
                <ShortSpec spec=self.build.clone()/> ". " {replaced}
            </p>
        }
        .into_any()
    }
}

/// Says that no build has a hash, with links to what may help instead.
#[component]
pub(crate) fn NoSuchBuild(
    /// The text that an address has in place of a build's hash.
    text: String,
    /// What is wrong with it.
    reason: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let went = Went::look_for(text.as_str().into());
    // A link to a build names its package, too.
    let named =
        explorer.with_question(|question| question.choice(Facet::Package).included().to_vec());
    let package = move || {
        let named = named.first().cloned();
        let package = went.get().map(|went| went.build.package).or(named)?;
        index.dictionary(Facet::Package).code(&package).map(|_| package)
    };
    let others = move || {
        package().map(|package| {
            view! {
                <QueryLink change=Change::OpenPackage(package.clone()) class="button main">
                    {format!("All builds of {package}")}
                </QueryLink>
                " "
            }
        })
    };
    let changed = published::summary(index).map(|_| {
        view! {
            <QueryLink change=Change::OpenChanges(AskedChanges::Published) class="button">
                "What changed since the publication before"
            </QueryLink>
            " "
        }
    });
    view! {
        <section class="empty" data-testid="empty">
            <h1>"No such build"</h1>
            <p><code><bdi>{text}</bdi></code>": "{reason}"."</p>
            {move || match went.get() {
                Some(went) => went.draw(explorer),
                None => view! { <p>"Builds are replaced by others, which have other hashes."</p> }.into_any(),
            }}
            {left_out::draw(index)}
            {others}
            {changed}
            <QueryLink change=Change::OpenPackages class="button">"All packages"</QueryLink>
        </section>
    }
}
