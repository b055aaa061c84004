//! What is wrong with the text in the search box, and how its words were read: below the masthead.

use cache_advice::changes::releases_of;
use cache_advice::recipes::FromSource;
use cache_advice::{
    AlsoBuilt, Elsewhere, ForeignProvider, MoreSpecific, NeverWith, RunsOn, VirtualPackage,
    compiled_with, unknown_values as find_unknown_values, users_of_providers, without_own_code,
};
use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::counted;
use cache_query::search::{
    Problem, Search, TextMeaning, Understood, asks_nothing, code_for_gpus, containing,
    more_containing, providers_of, split, users_of_external, virtual_package, with_same_letters,
    without_target,
};
use cache_query::{Across, Change, Query, Question, Tab, View, apply};
use leptos::prelude::*;

use crate::browser::facts;
use crate::data::recipes;
use crate::frame::beside_gpu;
use crate::frame::machine_in_words::{MachineInWords, draw_machine, processor_in};
use crate::parts::elsewhere;
use crate::parts::other_systems;
use crate::parts::runs_on::RunsOnTarget;
use crate::parts::sentence::sentence;
use crate::parts::unknown_values;
use site::browser::{self, history};
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::picks::MOST_COMPARED;
use site::view::frame::search::find_problems;
use site::view::parts::query_link::QueryLink;

/// The maximum number of problems that are shown for a text: a sentence that is read as a spec has one for almost every
/// word.
const MOST_PROBLEMS: usize = 4;

/// How the text is read and what is wrong with it, below the masthead.
#[component]
pub(crate) fn SearchProblems() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let text = memo(move || explorer.search_text());
    let problems = memo(move || find_problems(explorer, &text.get()));
    let understood = memo(move || {
        if explorer.hashes().is_none() {
            return Vec::new();
        }
        let text = text.get();
        let read = explorer.typing().map_or(text.len(), |typing| typing.read);
        Search::read(index, &text[..read]).understood
    });
    let others = memo(move || {
        text.with(|text| match text.as_str() {
            "" => (None, None, None, None, None),
            text => (
                code_for_gpus(index, text),
                more_containing(index, text),
                virtual_package(index, text).map(str::to_owned),
                with_same_letters(index, text),
                users_of_external(index, text),
            ),
        })
    });
    let missing = memo(move || {
        explorer.answer().missing().map(|missing| Problem::cannot_search(index, missing))
    });
    let specific = memo(move || {
        let found = explorer
            .with_question(|question| MoreSpecific::of(index, question, &explorer.answer()));
        found.map(|found| found.sentence())
    });
    // If nothing is found, the page itself names these values.
    let unknown = memo(move || match explorer.answer().builds {
        0 => Vec::new(),
        _ => explorer.with_question(|question| find_unknown_values(index, question)),
    });
    let for_others = memo(move || {
        let asks = explorer.with_question(|question| {
            !question.text.is_empty() || matches!(question.view(), View::Package(_))
        });
        let found = (explorer.answer().builds > 0).then(|| other_systems::find(explorer)).flatten();
        // Without a text or a package, only a note about targets is shown: a target may be all that was asked for.
        found.filter(|found| asks || found.os.is_none())
    });
    let never_with = memo(move || {
        let typed = text.get();
        explorer.with_query(|query| {
            let found = NeverWith::of(index, &query.question, &typed)?;
            let said = found.sentence();
            let after = Query { question: found.question, ..query.clone() };
            Some((said, history::address(&apply(&after, Change::OpenPackages))))
        })
    });
    // The only package whose name contains a text is opened, but the text may be the name of another package.
    let instead = memo(move || {
        let View::Package(opened) = explorer.with_question(Question::view) else { return None };
        let text = text.get();
        if text.is_empty() || text.contains(&opened) {
            return None;
        }
        recipes::others(explorer)?;
        let found = FromSource::instead_of(index, &opened, &text)?;
        Some(found.to_string())
    });
    Effect::new(move || {
        let excludes = explorer
            .with_question(|question| !question.choice(Facet::Compiler).excluded().is_empty());
        if excludes {
            explorer.want_dependencies();
        }
    });
    let also_built = memo(move || {
        let index = explorer.dependencies()?;
        explorer.with_query(|query| {
            let found = AlsoBuilt::with_excluded(index, &query.question)?;
            let said = found.sentence();
            let query = Query { question: found.question, ..query.clone() };
            Some((said, history::address(&query)))
        })
    });
    let compiled = memo(move || {
        let index = explorer.dependencies()?;
        explorer.with_question(|question| compiled_with(index, question, &explorer.answer()))
    });
    let without_code = memo(move || {
        explorer.with_question(|question| without_own_code(index, question, &explorer.answer()))
    });
    let used_as = memo(move || {
        let index = explorer.dependencies()?;
        explorer.with_question(|question| users_of_providers(index, question))
    });
    let asked_virtual = memo(move || {
        explorer
            .with_question(|question| VirtualPackage::asked(index, question, &explorer.answer()))
    });
    let foreign = memo(move || {
        let index = explorer.dependencies();
        text.with(|text| index.map(|index| ForeignProvider::asked(index, text)).unwrap_or_default())
    });
    // If the answer is elsewhere, the page links to it.
    let elsewhere = memo(move || elsewhere::find(explorer));
    let is_elsewhere = move || elsewhere.with(elsewhere::leads_there);
    let other_machine = memo(move || {
        let finds_nothing = explorer.answer().builds == 0 && explorer.host().is_none();
        // Next to a target that no build is made for, the same is offered.
        let is_offered = problems.with(|all| all.iter().any(|problem| problem.target.is_some()));
        // A filter for an OS has a note elsewhere.
        let has_os =
            explorer.with_question(|question| !question.choice(Facet::Os).included().is_empty());
        text.with(|text| {
            let is_asked = finds_nothing && !is_offered && !has_os;
            is_asked.then(|| MachineInWords::of(index, text)).flatten()
        })
    });
    // A model of a processor, which the search does not know: `EPYC 9654`.
    let processor = memo(move || {
        let is_asked = explorer.answer().builds == 0 && other_machine.get().is_none();
        let is_known = problems.with(|all| all.iter().any(|problem| problem.target.is_some()));
        text.with(|text| (is_asked && !is_known).then(|| processor_in(text)).flatten())
    });
    let hashes = memo(move || {
        let index = explorer.hashes()?;
        explorer.with_question(|question| all_named(index, &question.text))
    });
    let others = move || {
        let (gpu, more, provided, same, external) = others.get();
        let gpu =
            gpu.map(|text| draw_wider("Search for ".to_owned(), text.to_owned(), text.to_owned()));
        let more = more.map(|(name, packages)| draw_more(name, packages));
        // Unless it is read as that package already.
        let is_package = |one: &Understood| matches!(one.kind, "package" | "packages");
        let same = same.filter(|_| !understood.with(|all| all.iter().any(is_package)));
        let external = external
            .map(|text| draw_wider("Search for what needs it: ".to_owned(), text.clone(), text));
        [gpu, more, provided.map(draw_providers), same.map(draw_same), external]
    };
    view! {
        <ul id="search-notes" class="search-notes" aria-label="How the search is read">
            {move || understood.with(|pieces| (!pieces.is_empty()).then(|| draw_understood(pieces)))}
            {move || {
                let package = explorer.view().with(|view| match view {
                    View::Package(name) => index.dictionary(Facet::Package).code(name),
                    _ => None,
                });
                understood.with(|pieces| draw_relations(pieces, package?))
            }}
            {move || {
                let has_found = explorer.answer().builds > 0;
                has_found.then(|| understood.with(|pieces| draw_needed_libc(pieces)))
            }}
            {move || {
                let found = understood.with(|pieces| elsewhere::find_beside(explorer, pieces));
                found.map(|found| view! { <li>{elsewhere::draw(found)}</li> })
            }}
            {others}
            {move || for_others.get().map(|others| view! { <li>{other_systems::draw(others, true)}</li> })}
            {move || unknown.get().into_iter().map(|value| view! {
                <li>{unknown_values::draw(explorer, value)}</li>
            }).collect_view()}
            {move || instead.get().map(|said| view! { <li>{said}"."</li> })}
            {move || specific.get().map(|said| view! { <li>{said}"."</li> })}
            {beside_gpu::draw(explorer)}
            {move || also_built.get().map(|(said, address)| view! {
                <li><bdi>{said}</bdi>". "<a href=address>"Show them"</a></li>
            })}
            {move || never_with.get().map(|(said, address)| view! {
                <li><bdi>{said}</bdi>". "<a href=address>"Show both"</a></li>
            })}
            {move || without_code.get().map(|said| view! { <li><bdi>{said}</bdi>"."</li> })}
            {move || used_as.get().map(|said| view! { <li><bdi>{said}</bdi>"."</li> })}
            {move || compiled.get().map(|said| view! { <li><bdi>{said}</bdi>"."</li> })}
            {move || hashes.get().map(|hashes| draw_compare(explorer, hashes))}
            {move || asked_virtual.get().map(|asked| draw_virtual(explorer, &asked))}
        </ul>
        <ul id="search-problems" class="search-problems">
            {move || {
                // If the page already asks about this machine, it would be offered twice.
                let is_on_machine =
                    elsewhere.with(|found| matches!(found, Some(Elsewhere::OnMachine { .. })));
                other_machine.get().filter(|_| !is_on_machine).map(draw_machine)
            }}
            // A correction contains the complete text, which may go on after the same problem.
            {move || {
                let text = text.get();
                let processor = processor.get().map(|problem| vec![problem]);
                let mut shown = processor.unwrap_or_else(|| problems.get());
                // A package that Spack can build was not mistyped; the page says that it can.
                let others = explorer.requested().other_packages();
                let built = others.and_then(|others| FromSource::named(index, others, &text));
                shown.retain(|problem| {
                    let said = text.get(problem.span.clone()).unwrap_or_default();
                    built.as_ref().is_none_or(|built| !said.eq_ignore_ascii_case(&built.package))
                });
                (!shown.is_empty() && !is_elsewhere()).then(|| draw(&text, &shown))
            }}
            {move || missing.get().map(|reason| view! {
                <li>{reason}</li>
            })}
            {move || foreign.with(|all| {
                all.iter().map(|one| view! { <li>{one.sentence()}"."</li> }).collect_view()
            })}
        </ul>
    }
}

/// Draws problems of a text as list items, with corrections.
fn draw(text: &str, problems: &[Problem]) -> AnyView {
    let explorer = Explorer::here();
    let shown = problems.iter().take(MOST_PROBLEMS);
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    let more = (more > 0).then(|| {
        view! { <li class="muted">{format!("and {}", counted(more, "more problem", "more problems"))}</li> }
    });
    view! {
        {shown.map(|problem| draw_problem(explorer, text, problem)).collect_view()}
        {more}
    }
    .into_any()
}

fn draw_problem(explorer: Explorer, text: &str, problem: &Problem) -> AnyView {
    let mut with = text.to_owned();
    let runs_on = problem.target.and_then(|target| {
        with.replace_range(problem.span.clone(), " ");
        with = without_target(&with);
        // `anything for zen3` does not ask for a package.
        if asks_nothing(&with) {
            with.clear();
        }
        let change = Change::Type(split(explorer.index, &with));
        let question = apply(&untrack(|| explorer.before_typing()), change);
        let index = explorer.so_far();
        // What builds depend on may still be arriving.
        let search = Search::read(index, &question.question.text);
        let is_known = !search.needs_dependencies(index) || index.has_dependencies();
        is_known.then(|| RunsOn::of(index, &question.question, target)).flatten()
    });
    if let Some(runs_on) = runs_on {
        let rest = with.trim().to_owned();
        let platform = runs_on.platform.map_or(String::new(), |name| format!(" platform={name}"));
        let choose = {
            let rest = rest.clone();
            move |other: &str| explorer.search_for(&format!("{rest}{platform} target={other}"))
        };
        let within = Some((text.to_owned(), rest));
        return view! {
            <li>{sentence(&problem.message)}". "<RunsOnTarget runs_on choose within/></li>
        }
        .into_any();
    }
    let mend = problem.mend(text).map(|with| {
        let instead = problem.instead.clone().unwrap_or_else(|| with.clone());
        let number = {
            let with = with.clone();
            memo(move || explorer.builds_of(&with))
        };
        let builds = move || number.get().map(|number| counted(number as usize, "build", "builds"));
        move || {
            let (with, instead) = (with.clone(), instead.clone());
            let press = move |_| {
                explorer.search_for(&with);
                browser::focus("search");
            };
            // A correction that finds nothing either is of no help.
            (number.get() != Some(0)).then(|| {
                view! {
                    " "
                    <button type="button" class="plain" on:click=press>
                        "Search for " <bdi>{instead}</bdi>
                    </button>
                    " "
                    <span class="muted">{builds}</span>
                }
            })
        }
    });
    view! { <li>{sentence(&problem.message)}{mend}</li> }.into_any()
}

/// Draws, as list items, how words were read.
fn draw_understood(pieces: &[Understood]) -> AnyView {
    let item = |Understood { piece, kind, text }: &Understood| {
        let (piece, text) = (piece.clone(), text.clone());
        let said = match *kind {
            "" => ": left out".to_owned(),
            _ => format!(": read as the {kind} "),
        };
        view! { <li class="reading"><bdi>{piece}</bdi>{said}<bdi>{text}</bdi></li> }.into_any()
    };
    pieces.iter().map(item).collect_view().into_any()
}

/// Draws a list item for words that ask which libc builds need: such a search finds what was built with it, which may need
/// less.
fn draw_needed_libc(pieces: &[Understood]) -> Option<AnyView> {
    let names_libc = |one: &&Understood| {
        one.text
            .strip_prefix('^')
            .is_some_and(|text| text.starts_with("glibc@") || text.starts_with("musl@"))
    };
    let Understood { text, .. } = pieces.iter().find(names_libc)?;
    let builds =
        format!("These were built with {}; their files may run with an older one. ", &text[1..]);
    let where_it_is = match facts::are_there() {
        true => "The Contents of each build say what they need.",
        false => "What they need is in the binaries, which this cache was published without.",
    };
    Some(view! { <li><bdi>{builds}</bdi>{where_it_is}</li> }.into_any())
}

/// Draws a list item that says where the page shows what the left-out words ask for: dependencies of the package, its
/// releases or its stacks.
fn draw_relations(pieces: &[Understood], package: ValueCode) -> Option<AnyView> {
    let explorer = Explorer::here();
    let left_out = |asking: &[&str]| {
        let mut left_out = pieces.iter().filter(|one| one.kind.is_empty());
        left_out.any(|one| asking.iter().any(|word| one.piece.eq_ignore_ascii_case(word)))
    };
    // `which mpi does hdf5 use`.
    let asks_what_it_uses = left_out(&["does", "do"]) && left_out(&["use"]);
    if asks_what_it_uses || left_out(&["need", "needs", "dependencies", "depend"]) {
        let said = "What a build needs differs from build to build: open one to see it.";
        return Some(view! { <li>{said}</li> }.into_any());
    }
    if left_out(&["used"]) {
        let uses = view! { <li><QueryLink change=Change::Tab(Tab::Uses)>"See what uses it"</QueryLink></li> };
        return Some(uses.into_any());
    }
    if left_out(&["packages", "modules"]) {
        // Its modules are packages of their own.
        let prefix = match explorer.index.dictionary(Facet::Package).text(package) {
            "python" => "py-",
            "perl" => "perl-",
            _ => return None,
        };
        let said = "Search for the packages of its modules: ".to_owned();
        return Some(draw_wider(said, prefix.to_owned(), containing(prefix)));
    }
    if left_out(&["release", "releases"]) {
        let (releases, _) = releases_of(explorer.index, package);
        let said = match releases.as_slice() {
            [] => return None,
            [one] => format!("In one release: {one}"),
            all => format!("In the releases {}", all.join(", ")),
        };
        return Some(view! { <li><bdi>{said}</bdi></li> }.into_any());
    }
    left_out(&["stack", "stacks", "where"]).then(|| {
        let by_stack = explorer.with_query(|query| {
            let coverage = apply(query, Change::Tab(Tab::Coverage));
            history::address(&apply(&coverage, Change::Across(Across::Stack)))
        });
        view! { <li><a href=by_stack>"See its versions in each stack"</a></li> }.into_any()
    })
}

/// Draws a list item that finds all packages whose names contain the name of one.
fn draw_more(name: String, packages: usize) -> AnyView {
    let verb = if packages == 1 { "contains" } else { "contain" };
    let said = format!("{} {verb} ", counted(packages, "more package", "more packages"));
    let text = containing(&name);
    draw_wider(said, name, text)
}

/// Draws a list item that finds the packages that provide a virtual one.
fn draw_providers(name: String) -> AnyView {
    let text = providers_of(&name);
    draw_wider("Search for the packages that provide ".to_owned(), name, text)
}

/// Returns the builds that a text of hashes names, if each is the beginning of exactly one hash, and the builds can be
/// compared.
fn all_named(index: &Index, text: &str) -> Option<Vec<Hash>> {
    let TextMeaning::Hashes(beginnings) = Search::read(index, text).asked else { return None };
    let only = |beginning: &String| match index.find_prefix(beginning, 2).as_slice() {
        [build] => index.hash(*build),
        _ => None,
    };
    let builds: Option<Vec<Hash>> = beginnings.iter().map(only).collect();
    builds.filter(|builds| (2..=MOST_COMPARED).contains(&builds.len()))
}

/// Draws a list item that links to the comparison of builds.
fn draw_compare(explorer: Explorer, builds: Vec<Hash>) -> AnyView {
    let said = format!("Compare these {} builds", builds.len());
    let compared = explorer.with_query(|query| {
        let mut query: Query = query.clone();
        query.question.text.clear();
        history::address(&apply(&query, Change::Compare(builds)))
    });
    view! { <li><a href=compared>{said}</a></li> }.into_any()
}

/// Draws list items that link to every build of the packages that provide a virtual package, and that name other providers.
fn draw_virtual(explorer: Explorer, asked: &VirtualPackage) -> AnyView {
    let every = explorer.with_query(|query| {
        let question = asked.every_build(&query.question);
        history::address(&Query { question, ..query.clone() })
    });
    let more = (asked.builds > explorer.answer().builds).then(|| {
        view! { <li><a href=every>"Show "<bdi>{asked.named()}</bdi></a></li> }
    });
    let elsewhere = asked.elsewhere().map(|said| view! { <li>{said}"."</li> });
    view! { {more}{elsewhere} }.into_any()
}

/// Draws a list item that searches for the packages whose names have the same letters.
fn draw_same(text: String) -> AnyView {
    draw_wider("Search for ".to_owned(), text.clone(), text)
}

fn draw_wider(said: String, name: String, text: String) -> AnyView {
    let explorer = Explorer::here();
    let searched = text.clone();
    let finds_nothing = memo(move || explorer.builds_of(&searched) == Some(0));
    let draw = move || {
        let (said, name, text) = (said.clone(), name.clone(), text.clone());
        let press = move |_| explorer.search_for(&text);
        view! {
            <li>
                <button type="button" class="plain" on:click=press>{said}<bdi>{name}</bdi></button>
            </li>
        }
    };
    (move || (!finds_nothing.get()).then(&draw)).into_any()
}
