//! Every way in which a person changes the query, and the one function that does it.

use super::{Across, Choice, Column, Match, Query, Sort, Tab, View};
use crate::facet::Facet;
use crate::host::{Host, Runs};
use crate::search::{self, Typed};
use crate::sorting;

/// What a person did. Values are in [canonical](Facet::canonical) form or are made so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Typed into the search box; this is what the whole text says.
    Type(Typed),
    /// Included a value, or took it back.
    Toggle(Facet, String),
    /// Excluded a value, or took it back.
    ToggleExcluded(Facet, String),
    /// Included a value and dropped all else that was chosen in its facet.
    Only(Facet, String),
    /// Included a value that may be chosen already, as by a click in a table.
    Include(Facet, String),
    /// Asked for what stands in one cell of a table: in each of these facets this value in place of
    /// those included, or beside them where all are asked for. What is excluded stays excluded, so
    /// this never shows what did not match before, but for alternatives to the value.
    Narrow(Vec<(Facet, String)>),
    /// Took back a value, included or excluded.
    Remove(Facet, String),
    /// Asked for any or all of the values of a facet.
    Match(Facet, Match),
    /// Said which machine builds should run on, or took it back.
    Host(Option<Host>),
    /// Asked for builds with this verdict, or no longer.
    ToggleRuns(Runs),
    /// Took back the verdicts that were asked for.
    ClearRuns,
    /// Took back all that was chosen in a facet.
    ClearFacet(Facet),
    /// Took back every filter, but stayed with the package that is open.
    ClearAll,
    /// Opened a package.
    OpenPackage(String),
    /// Opened a build.
    OpenBuild(String),
    /// Put builds side by side, each once.
    Compare(Vec<String>),
    /// Went to the list of packages.
    OpenPackages,
    /// Went to another part of the view.
    Tab(Tab),
    /// Chose what the columns of the coverage matrix are.
    Across(Across),
    /// Ordered by a column; again for the other direction.
    Sort(Sort),
    /// Chose the columns to show.
    Columns(Option<Vec<Column>>),
}

/// The query after a change.
///
/// Filters survive moving between packages, builds and the front page; tab, order and columns belong
/// to one view and do not.
pub fn apply(query: &Query, change: Change) -> Query {
    let mut next = query.clone();
    match change {
        Change::Type(typed) => {
            // A text that looks for packages leads to their list.
            let stays = match query.view() {
                View::Packages => true,
                View::Package(open) => typed.looks_for.as_deref().is_none_or(|name| name == open),
                View::Build(_) | View::Compare(_) => typed.is_empty(),
            };
            if !stays {
                leave_view(&mut next);
                *next.choice_mut(Facet::Package) = Choice::default();
            }
            typed.put_into(&mut next);
        }
        Change::Toggle(facet, value) => {
            let value = facet.canonical(&value).into_owned();
            let choice = next.choice_mut(facet);
            if choice.includes(&value) {
                choice.remove(&value);
            } else {
                choice.include(value);
            }
        }
        Change::ToggleExcluded(facet, value) => {
            let value = facet.canonical(&value).into_owned();
            let choice = next.choice_mut(facet);
            if choice.excludes(&value) {
                choice.remove(&value);
            } else {
                choice.exclude(value);
            }
        }
        Change::Only(facet, value) => {
            let mut choice = Choice::default();
            choice.include(facet.canonical(&value));
            choice.set_matching(next.choice(facet).matching());
            *next.choice_mut(facet) = choice;
        }
        Change::Include(facet, value) => {
            next.choice_mut(facet).include(facet.canonical(&value));
        }
        Change::Narrow(cell) => {
            for (facet, value) in cell {
                let choice = next.choice_mut(facet);
                if choice.matching() == Match::Any {
                    choice.clear_included();
                }
                choice.include(facet.canonical(&value));
            }
            next.tab = Tab::default();
            next.across = Across::default();
        }
        Change::Remove(facet, value) => next.choice_mut(facet).remove(&facet.canonical(&value)),
        Change::Match(facet, matching) => {
            if facet.is_multi_valued() {
                next.choice_mut(facet).set_matching(matching);
            }
        }
        Change::Host(host) => {
            if host.is_none() {
                next.runs.clear();
            }
            next.host = host;
        }
        Change::ToggleRuns(runs) => match next.runs.iter().position(|other| *other == runs) {
            Some(place) => drop(next.runs.remove(place)),
            None => {
                next.runs.push(runs);
                sorting::sort_and_dedup(&mut next.runs);
            }
        },
        Change::ClearRuns => next.runs.clear(),
        Change::ClearFacet(facet) => *next.choice_mut(facet) = Choice::default(),
        Change::ClearAll => {
            let open = match query.view() {
                View::Package(package) => Some(package),
                _ => None,
            };
            next.text.clear();
            next.hashes.clear();
            next.runs.clear();
            next.choices = Default::default();
            if let Some(package) = open {
                next.choice_mut(Facet::Package).include(package);
            }
        }
        Change::OpenPackage(package) => {
            leave_view(&mut next);
            // Words have done their work: they found the package. A spec still asks for more.
            if search::is_words(&next.text) {
                next.text.clear();
            }
            *next.choice_mut(Facet::Package) = Choice::default();
            next.choice_mut(Facet::Package).include(package);
        }
        Change::OpenBuild(hash) => {
            leave_view(&mut next);
            next.hashes = vec![hash];
        }
        Change::Compare(hashes) => {
            leave_view(&mut next);
            for hash in hashes {
                if !next.compare.contains(&hash) {
                    next.compare.push(hash);
                }
            }
        }
        Change::OpenPackages => {
            leave_view(&mut next);
            *next.choice_mut(Facet::Package) = Choice::default();
        }
        Change::Tab(tab) => {
            next.tab = tab;
            next.across = Across::default();
        }
        Change::Across(across) => next.across = across,
        Change::Sort(sort) => next.sort = Some(sort),
        Change::Columns(columns) => {
            next.columns = columns.map(Column::set).filter(|columns| !columns.is_empty());
        }
    }
    next
}

/// Drops what belongs to the view that is left.
fn leave_view(query: &mut Query) {
    query.hashes.clear();
    query.compare.clear();
    query.tab = Tab::default();
    query.across = Across::default();
    query.sort = None;
    query.columns = None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link;

    #[test]
    fn each_change_leads_to_its_link() {
        #[track_caller]
        fn check(from: &str, change: Change, to: &str) {
            let (query, _) = link::decode(from);
            assert_eq!(link::encode(&apply(&query, change)), to);
        }
        let os = |change: fn(Facet, String) -> Change, value: &str| change(Facet::Os, value.into());
        check("", os(Change::Toggle, "a"), "os=a");
        check("os=a", os(Change::Toggle, "a"), "");
        check("not.os=a", os(Change::Toggle, "a"), "os=a");
        check("os=a", os(Change::ToggleExcluded, "a"), "not.os=a");
        check("not.os=a", os(Change::ToggleExcluded, "a"), "");
        check("os=a&not.os=b", os(Change::Only, "c"), "os=c");
        check("os=a", os(Change::Include, "a"), "os=a");
        check("not.os=a", os(Change::Remove, "a"), "");
        check("", Change::Toggle(Facet::Variant, "mpi".into()), "variant=mpi");
        check("variant=mpi", Change::Toggle(Facet::Variant, "+mpi".into()), "");
        check("stack=a", Change::Match(Facet::Stack, Match::All), "stack=a&all=stack");
        check("os=a", Change::Match(Facet::Os, Match::All), "os=a");
        check("stack=a&all=stack", Change::ClearFacet(Facet::Stack), "");
        check("q=x&package=p&os=a&sort=hash", Change::ClearAll, "package=p&sort=hash");
        check("q=x&package=p&package=r&os=a", Change::ClearAll, "");
        check("q=x&os=a&sort=builds", Change::OpenPackage("p".into()), "package=p&os=a");
        check("package=p&os=a&sort=os&columns=os", Change::OpenPackages, "os=a");
        check("package=p&os=a&sort=os", Change::OpenBuild("h".into()), "package=p&os=a&hash=h");
        let typed = |text: &str, looks_for: Option<&str>| {
            Change::Type(Typed {
                text: text.into(),
                choices: Vec::new(),
                looks_for: looks_for.map(str::to_owned),
            })
        };
        check("package=p&os=a&hash=h", typed("z", Some("z")), "q=z&os=a");
        check("package=p&os=a", typed("z", Some("z")), "q=z&os=a");
        check("package=p&os=a", typed("p+x", Some("p")), "q=p%2Bx&package=p&os=a");
        check("package=p", typed("@1.2:", None), "q=@1.2:&package=p");
        check("package=p", typed(" ", None), "q=%20&package=p");
        check("q=p@1:", Change::OpenPackage("p".into()), "q=p@1:&package=p");
        check("", Change::Columns(Some(vec![])), "");
        let zen4 = "linux.ubuntu24.04.zen4";
        check("os=a", Change::Host(zen4.parse().ok()), "os=a&host=linux.ubuntu24.04.zen4");
        let with_host = |rest: &str| format!("host={zen4}{rest}");
        check(&with_host("&runs=yes"), Change::Host(None), "");
        let both = with_host("&runs=yes&runs=unknown");
        check(&with_host("&runs=unknown"), Change::ToggleRuns(Runs::Yes), &both);
        check(&both, Change::ToggleRuns(Runs::Unknown), &with_host("&runs=yes"));
        check(&both, Change::ClearRuns, &with_host(""));
        check(&both, Change::ClearAll, &with_host(""));
        let marked = vec!["h".to_owned(), "i".to_owned(), "h".to_owned()];
        check("package=p&sort=os", Change::Compare(marked), "package=p&compare=h&compare=i");
        let cell = |stack: &str| vec![(Facet::Os, "a".into()), (Facet::Stack, stack.into())];
        check(
            "package=p&tab=coverage&os=b&os=c",
            Change::Narrow(cell("s")),
            "package=p&stack=s&os=a",
        );
        check("stack=r&all=stack", Change::Narrow(cell("s")), "stack=r&stack=s&os=a&all=stack");
        check("not.stack=r", Change::Narrow(cell("s")), "stack=s&os=a&not.stack=r");
        check("package=p", Change::Tab(Tab::Coverage), "package=p&tab=coverage");
        let by_stack = "package=p&tab=coverage&across=stack";
        check("package=p&tab=coverage", Change::Across(Across::Stack), by_stack);
        check(by_stack, Change::Tab(Tab::Install), "package=p&tab=install");
        check(by_stack, Change::OpenPackages, "");
    }
}
