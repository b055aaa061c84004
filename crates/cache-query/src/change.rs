//! Every way to change a query, and the one function that makes the change.

use std::sync::Arc;

use cache_index::build::Hash;
use cache_index::facet::Facet;

use super::{
    Across, AskedChanges, AskedEnvironment, AskedHash, Choice, Column, Match, MatrixRows,
    Presentation, Query, Question, ShownNodes, Sort, Tab, View,
};
use crate::host::{Host, Runs};
use crate::search::{self, SplitText};
use crate::{Class, PartFilter, Preference, keep_once};

/// Something that a user did. Values need not be in [canonical](Facet::canonical) form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Typed into the search box; this is the meaning of the whole text.
    Type(SplitText),
    /// Included a value, or removed it if it was included.
    Toggle(Facet, String),
    /// Excluded a value, or removed it if it was excluded.
    ToggleExcluded(Facet, String),
    /// Included a value and removed all others in its facet.
    Only(Facet, String),
    /// Included a value that may already be included, for example by a click in a table.
    Include(Facet, String),
    /// Asked for the builds in one cell of a table: in each of these facets, this value replaces the included ones, or
    /// is added to them if all are required. Exclusions stay, so the result only contains builds that matched before,
    /// except for alternatives to the value.
    Narrow(Vec<(Facet, String)>),
    /// Removed values of a facet, included or excluded.
    Remove(Facet, Vec<String>),
    /// Required one or all of the included values of a facet.
    Match(Facet, Match),
    /// Chose the machine that builds should run on, or removed it.
    Host(Option<Host>),
    /// Stated which machine builds should run on, to see what does.
    RunOn(Host),
    /// Stated the machine, its GPUs, its Spack and the settings of that, to see what runs there.
    RunOnMachine(Host, Vec<String>, Arc<Preference>),
    /// Stated the GPUs of the machine.
    Gpus(Vec<String>),
    /// Said which Spack is on the machine, and its settings about reuse.
    Prefer(Arc<Preference>),
    /// Asked for builds with this verdict, or no longer did.
    ToggleRuns(Runs),
    /// Removed all verdicts.
    ClearRuns,
    /// Asked for builds that use the machine's GPUs alone, or no longer did.
    ToggleOnGpu,
    /// Asked for builds that first appeared on this day or later; `None` for all.
    Since(Option<String>),
    /// Added a filter on another part of the index, or removed it.
    TogglePart(PartFilter),
    /// Removed everything chosen in a facet.
    ClearFacet(Facet),
    /// Removed every filter, but stayed with the open package.
    ClearAll,
    /// Opened a package.
    OpenPackage(String),
    /// Opened a build.
    OpenBuild(Hash),
    /// Put builds side by side; a repeated hash counts once.
    Compare(Vec<Hash>),
    /// Opened an environment.
    OpenEnvironment(AskedEnvironment),
    /// Asked what changed.
    OpenChanges(AskedChanges),
    /// Went to the list of packages.
    OpenPackages,
    /// Followed a link to a complete question. Only the machine is kept from the question before, with its GPUs, its Spack
    /// and the settings of that.
    Ask(Box<Question>),
    /// Went to another part of the view.
    Tab(Tab),
    /// Chose the columns of the coverage matrix.
    Across(Across),
    /// Chose which rows of a matrix are shown.
    ShowRows(MatrixRows),
    /// Chose the release and stack whose mirror is shown.
    ShowMirror(String),
    /// Chose which specs of an environment are shown.
    ShowNodes(ShownNodes),
    /// Chose which class of changes is shown; `None` for all.
    ShowClass(Option<Class>),
    /// Sorted the rows by a column.
    Sort(Sort),
    /// Chose the columns to show.
    Columns(Option<Vec<Column>>),
}

/// Returns the query after a change.
///
/// Filters survive moving between packages, builds and the front page. The presentation belongs to one view and does
/// not.
pub fn apply(query: &Query, change: Change) -> Query {
    let mut next = query.clone();
    let Query { question, presentation } = &mut next;
    match change {
        Change::Type(typed) => {
            // A text that searches for packages opens the list of packages.
            let stays = match query.view() {
                View::Packages => true,
                View::Package(open) => typed.looks_for.as_ref().is_none_or(|name| *name == open),
                View::Build(_) | View::MalformedHash(_) | View::Compare(_) | View::Environment => {
                    typed.is_empty()
                }
                // A search narrows both sides.
                View::Changes => true,
            };
            if !stays {
                question.close_builds();
                *question.choice_mut(Facet::Package) = Choice::default();
                *presentation = Presentation::default();
            }
            question.take(typed);
        }
        Change::Toggle(facet, value) => {
            let value = facet.canonical(&value).into_owned();
            let choice = question.choice_mut(facet);
            if choice.includes(&value) {
                choice.remove(&value);
            } else {
                choice.include(value);
            }
        }
        Change::ToggleExcluded(facet, value) => {
            let value = facet.canonical(&value).into_owned();
            let choice = question.choice_mut(facet);
            if choice.excludes(&value) {
                choice.remove(&value);
            } else {
                choice.exclude(value);
            }
        }
        Change::Only(facet, value) => {
            let mut choice = Choice::default();
            choice.include(facet.canonical(&value));
            choice.set_matching(question.choice(facet).matching());
            *question.choice_mut(facet) = choice;
        }
        Change::Include(facet, value) => {
            question.choice_mut(facet).include(facet.canonical(&value));
        }
        Change::Narrow(cell) => {
            question.narrow(cell);
            presentation.open_tab(Tab::default());
        }
        Change::Remove(facet, values) => {
            values
                .iter()
                .for_each(|value| question.choice_mut(facet).remove(&facet.canonical(value)));
        }
        Change::Match(facet, matching) => {
            if facet.is_multi_valued() {
                question.choice_mut(facet).set_matching(matching);
            }
        }
        Change::Host(host) => {
            if host.is_none() {
                question.runs.clear();
                question.gpus.clear();
                question.only_on_gpu = false;
            }
            question.host = host;
        }
        Change::RunOn(host) => {
            question.run_on(host);
        }
        Change::RunOnMachine(host, gpus, preference) => {
            question.run_on(host);
            question.state_gpus(&gpus);
            question.preference = preference.tidied();
        }
        Change::Gpus(gpus) => question.state_gpus(&gpus),
        Change::Prefer(preference) => question.preference = preference.tidied(),
        Change::ToggleRuns(runs) => match question.runs.binary_search(&runs) {
            Ok(at) => drop(question.runs.remove(at)),
            Err(at) => question.runs.insert(at, runs),
        },
        Change::ClearRuns => question.runs.clear(),
        Change::ToggleOnGpu => question.only_on_gpu ^= true,
        Change::Since(since) => question.since = since,
        Change::TogglePart(filter) => question.toggle_part_filter(filter),
        Change::ClearFacet(facet) => *question.choice_mut(facet) = Choice::default(),
        Change::ClearAll => *question = question.without_filters(),
        Change::OpenPackage(package) => {
            question.close_builds();
            // Plain words have served their purpose once they found the package; a spec still filters.
            if !question.text.is_empty() && search::is_words(&question.text) {
                question.text.clear();
            }
            let choice = question.choice_mut(Facet::Package);
            *choice = Choice::default();
            choice.include(package);
            *presentation = Presentation::default();
        }
        Change::OpenBuild(hash) => {
            question.close_builds();
            // The beginning of its hash has done its work once it found the build.
            let begins = |text: &str| {
                let prefix = text.trim().trim_start_matches('/');
                !prefix.is_empty() && hash.to_string().starts_with(prefix)
            };
            if begins(&question.text) {
                question.text.clear();
            }
            question.hash = Some(hash.into());
            *presentation = Presentation::default();
        }
        Change::Compare(hashes) => {
            question.close_builds();
            question.compare = hashes.into_iter().map(AskedHash::from).collect();
            keep_once(&mut question.compare);
            *presentation = Presentation::default();
        }
        Change::OpenEnvironment(AskedEnvironment { file, specs }) => {
            question.close_builds();
            question.text.clear();
            // Builds that do not work on the machine are in the cache nevertheless.
            question.runs.clear();
            *question.choice_mut(Facet::Package) = Choice::default();
            question.environment = Some(AskedEnvironment::new(file, &specs));
            *presentation = Presentation::default();
        }
        Change::OpenChanges(changes) => {
            question.close_builds();
            *question.choice_mut(Facet::Package) = Choice::default();
            question.changes = Some(changes);
            *presentation = Presentation::default();
        }
        Change::OpenPackages => {
            question.close_builds();
            *question.choice_mut(Facet::Package) = Choice::default();
            *presentation = Presentation::default();
        }
        Change::Ask(asked) => {
            let mut asked = *asked;
            if asked.host.is_none() {
                asked.host = question.host.take();
                asked.gpus = std::mem::take(&mut question.gpus);
                asked.preference = asked.preference.or_else(|| question.preference.take());
            }
            *question = asked;
            *presentation = Presentation::default();
        }
        Change::Tab(tab) => presentation.open_tab(tab),
        Change::Across(across) => presentation.across = across,
        Change::ShowRows(rows) => presentation.rows = rows,
        Change::ShowMirror(mirror) => presentation.mirror = Some(mirror),
        Change::ShowNodes(nodes) => presentation.nodes = nodes,
        Change::ShowClass(class) => presentation.class = class,
        Change::Sort(sort) => presentation.sort = Some(sort),
        Change::Columns(columns) => {
            presentation.columns =
                columns.map(|columns| Column::set(&columns)).filter(|columns| !columns.is_empty());
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeStatus;
    use crate::address;
    use cache_index::sample;

    #[test]
    fn applies_each_change() {
        #[track_caller]
        fn check(from: &str, change: Change, to: &str) {
            let (query, _) = address::decode(from);
            assert_eq!(address::encode(&apply(&query, change)), to);
        }
        let os = |change: fn(Facet, String) -> Change, value: &str| change(Facet::Os, value.into());
        check("", os(Change::Toggle, "a"), "os=a");
        check("os=a", os(Change::Toggle, "a"), "");
        check("not.os=a", os(Change::Toggle, "a"), "os=a");
        check("os=a", os(Change::ToggleExcluded, "a"), "not.os=a");
        check("not.os=a", os(Change::ToggleExcluded, "a"), "");
        check("os=a&not.os=b", os(Change::Only, "c"), "os=c");
        check("os=a", os(Change::Include, "a"), "os=a");
        check("not.os=a", Change::Remove(Facet::Os, vec!["a".into()]), "");
        check("", Change::Toggle(Facet::Variant, "mpi".into()), "variant=mpi");
        check("variant=mpi", Change::Toggle(Facet::Variant, "+mpi".into()), "");
        check("stack=a", Change::Match(Facet::Stack, Match::All), "stack=a&all=stack");
        check("os=a", Change::Match(Facet::Os, Match::All), "os=a");
        check("stack=a&all=stack", Change::ClearFacet(Facet::Stack), "");
        check("q=x&package=p&os=a&sort=hash", Change::ClearAll, "package=p&sort=hash");
        check("q=x&package=p&package=r&os=a", Change::ClearAll, "");
        check("q=x&os=a&sort=builds", Change::OpenPackage("p".into()), "package=p&os=a");
        check("package=p&os=a&sort=os&columns=os", Change::OpenPackages, "os=a");
        let (one, two) = (sample::hash(1), sample::hash(2));
        let opened = format!("package=p&os=a&hash={one}");
        check("package=p&os=a&sort=os", Change::OpenBuild(one), &opened);
        check(
            &format!("q={}", &one.to_string()[..9]),
            Change::OpenBuild(one),
            &format!("hash={one}"),
        );
        check("q=hdf5", Change::OpenBuild(one), &format!("q=hdf5&hash={one}"));
        let typed = |text: &str, looks_for: Option<&str>| {
            Change::Type(SplitText {
                text: text.into(),
                looks_for: looks_for.map(str::to_owned),
                ..SplitText::default()
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
        let zen4 = zen4.parse::<Host>().expect("a machine");
        check("os=a", Change::RunOn(zen4.clone()), &format!("os=a&{}", with_host("&runs=yes")));
        let own = "package=p&os=ubuntu24.04&target=zen4";
        check(own, Change::RunOn(zen4.clone()), &format!("package=p&{}", with_host("&runs=yes")));
        check("spec=hdf5", Change::RunOn(zen4.clone()), &format!("spec=hdf5&{}", with_host("")));
        check("host=darwin.a.m1&runs=no", Change::RunOn(zen4), &with_host("&runs=yes"));
        check(&both, Change::ClearAll, &with_host(""));
        let with_gpu = |rest: &str| with_host(&format!("&gpu=H100{rest}"));
        check(&with_gpu(""), Change::ToggleOnGpu, &with_gpu("&uses=gpu"));
        check(&with_gpu("&uses=gpu"), Change::ToggleOnGpu, &with_gpu(""));
        check(&with_gpu("&uses=gpu"), Change::ClearAll, &with_gpu(""));
        check(&with_gpu("&uses=gpu"), Change::Host(None), "");
        check(&with_gpu("&uses=gpu"), Change::Gpus(Vec::new()), &with_host(""));
        check("os=a", Change::Since(Some("2026-11-14".into())), "os=a&since=2026-11-14");
        check("os=a&since=2026-11-14", Change::Since(None), "os=a");
        check("since=2026-11-14", Change::OpenPackage("p".into()), "package=p&since=2026-11-14");
        check("since=2026-11-14", Change::ClearAll, "");
        let license = |name: &str| Change::TogglePart(PartFilter::License(name.to_owned()));
        check("os=a&file=h5dump", license("MIT"), "os=a&file=h5dump&license=MIT");
        check("license=MIT&license=0BSD", license("MIT"), "license=0BSD");
        let files = |names: &[&str]| {
            let part_filters =
                names.iter().filter_map(|name| PartFilter::read("file", name)).collect();
            Change::Type(SplitText { part_filters, ..SplitText::default() })
        };
        check("file=h5dump&license=MIT", files(&["h5ls"]), "license=MIT&file=h5ls");
        check("file=h5dump", files(&["h5dump", "h5ls"]), "file=h5dump&file=h5ls");
        check("file=h5dump&file=h5ls", files(&[]), "file=h5dump&file=h5ls");
        check("file=h5dump&license=MIT", Change::ClearAll, "");
        let compared = format!("package=p&compare={one}&compare={two}");
        check("package=p&sort=os", Change::Compare(vec![one, two, one]), &compared);
        let cell = |stack: &str| vec![(Facet::Os, "a".into()), (Facet::Stack, stack.into())];
        check(
            "package=p&tab=coverage&os=b&os=c",
            Change::Narrow(cell("s")),
            "package=p&stack=s&os=a",
        );
        check("stack=r&all=stack", Change::Narrow(cell("s")), "stack=r&stack=s&os=a&all=stack");
        check("not.stack=r", Change::Narrow(cell("s")), "stack=s&os=a&not.stack=r");
        let environment = |file: &str, specs: &[&str]| {
            let specs = specs.iter().map(|&spec| spec.to_owned()).collect();
            let file = (!file.is_empty()).then(|| file.to_owned());
            Change::OpenEnvironment(AskedEnvironment { file, specs })
        };
        check("q=x&package=p&os=a&sort=os", environment("", &[]), "os=a&environment=");
        let specs = "os=a&spec=hdf5%2Bmpi&spec=zlib";
        check("os=a", environment("", &["hdf5+mpi", "zlib", "zlib"]), specs);
        check(specs, environment("0f", &["zlib"]), "os=a&environment=0f&spec=zlib");
        check(specs, Change::ClearAll, "spec=hdf5%2Bmpi&spec=zlib");
        check(specs, Change::OpenPackage("p".into()), "package=p&os=a");
        check(specs, Change::OpenPackages, "os=a");
        let sides = || Change::OpenChanges("a/s..b".into());
        check("q=x&package=p&os=a&sort=os", sides(), "q=x&os=a&changes=a/s..b");
        check("changes=a..b&class=gone", sides(), "changes=a/s..b");
        check("changes=a..b", Change::ShowClass(Some(Class::Gone)), "changes=a..b&class=gone");
        check("changes=a..b", Change::OpenPackage("p".into()), "package=p");
        check("changes=a..b&os=a", Change::ClearAll, "changes=a..b");
        check("changes=a..b", typed("z", Some("z")), "q=z&changes=a..b");
        let nodes =
            ShownNodes { status: Some(NodeStatus::Missing), only_to_run: true, name: "hdf".into() };
        let shown = "spec=zlib&status=missing&needed=run&name=hdf";
        check("spec=zlib", Change::ShowNodes(nodes), shown);
        check(shown, Change::ShowNodes(ShownNodes::default()), "spec=zlib");
        check(shown, Change::OpenPackages, "");
        check(specs, typed("z", Some("z")), "q=z&os=a");
        let several = Change::Remove(Facet::Os, vec!["a".into(), "c".into()]);
        check("os=a&os=b&not.os=c", several, "os=b");
        check("package=p", Change::Tab(Tab::Coverage), "package=p&tab=coverage");
        let by_stack = "package=p&tab=coverage&across=stack";
        check("package=p&tab=coverage", Change::Across(Across::Stack), by_stack);
        check(by_stack, Change::Tab(Tab::Install), "package=p&tab=install");
        check(by_stack, Change::OpenPackages, "");
        let gaps = "package=p&tab=coverage&across=stack&gaps=only";
        check(by_stack, Change::ShowRows(MatrixRows::Gaps), gaps);
        check(gaps, Change::ShowRows(MatrixRows::All), by_stack);
        check(gaps, Change::Tab(Tab::Coverage), "package=p&tab=coverage");
        let only = "stack=a&stack=b&tab=coverage&only=a";
        let by_stack = "stack=a&stack=b&tab=coverage";
        check(by_stack, Change::ShowRows(MatrixRows::OnlyIn("a".into())), only);
        check(only, Change::ShowRows(MatrixRows::All), by_stack);
        let gaps = "stack=a&stack=b&tab=coverage&gaps=only";
        check(only, Change::ShowRows(MatrixRows::Gaps), gaps);
        let in_each = "stack=a&stack=b&tab=coverage&gaps=none";
        check(gaps, Change::ShowRows(MatrixRows::InEach), in_each);
        check(only, Change::Tab(Tab::Coverage), by_stack);
        let asked = |query: &str| Change::Ask(Box::new(address::decode(query).0.question));
        check(&with_host("&runs=yes&os=a&tab=about"), asked(""), &with_host(""));
        check("q=x&package=p&sort=os", asked("package=r&os=a"), "package=r&os=a");
        check("host=darwin.sequoia.m1", asked(&with_host("")), &with_host(""));
        let with_spack = with_host("&gpu=H100&spack=0.23&reuse=dependencies");
        check(&format!("q=x&{with_spack}"), asked("os=a"), &format!("os=a&{with_spack}"));
        check(&with_spack, asked("host=darwin.sequoia.m1"), "host=darwin.sequoia.m1");
    }
}
