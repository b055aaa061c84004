//! The dependencies of builds, direct or not, side by side.
//!
//! Two builds that look the same have different hashes because something they depend on differs, and then everything in
//! between has another hash too. So there are two kinds of packages. Those whose *specs* differ (another version,
//! variant, compiler, flag, recipe or machine) get a line, as do those that differ for no reason that is known. Those that
//! only [follow](Comparison::following), because they depend on a package that differs, are listed by name. A package that
//! no build needs to run makes no difference once they are installed, and its line says so.

use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{EdgeTarget, Index};
use cache_index::sorting;
use foldhash::HashSet;

use super::package::ComparedPackage;
use super::{ComparedLine, Comparison, LineKind, line_of};

impl Comparison {
    /// Also compares the providers of virtual packages and the libc and, if every build lists them, the dependencies:
    /// those that are needed to run first, and among these the direct ones.
    pub fn with_dependencies(mut self, index: &Index) -> Comparison {
        for facet in [Facet::Provider, Facet::Libc] {
            self.compare_facet(index, facet);
        }
        let reached = |build: &Build| index.reachable(index.find(build.hash)?, |_| true);
        let reached: Option<Vec<_>> = self.builds.iter().map(reached).collect();
        let Some(reached) = reached else { return self };
        let mut needs: Vec<(&str, usize, EdgeTarget<'_>)> = Vec::new();
        for (place, targets) in reached.iter().enumerate() {
            needs.extend(targets.iter().map(|&(target, _)| (name(index, target), place, target)));
        }
        sorting::sort_and_dedup(&mut needs);
        let closure = |build: &Build| index.closure(index.find(build.hash)?);
        let to_run: Vec<Vec<&str>> = self
            .builds
            .iter()
            .map(|build| closure(build).into_iter().flatten().map(|it| name(index, it)).collect())
            .collect();
        self.several = to_run.iter().map(|names| repeated(names)).collect();
        let to_run: Vec<HashSet<&str>> =
            to_run.into_iter().map(|names| names.into_iter().collect()).collect();
        let mut differing: Vec<ComparedPackage<'_>> = Vec::new();
        for of_package in needs.chunk_by(|a, b| a.0 == b.0) {
            let package = of_package[0].0;
            let mut cells: Vec<Vec<EdgeTarget<'_>>> = vec![Vec::new(); self.builds.len()];
            of_package.iter().for_each(|&(_, place, target)| cells[place].push(target));
            // A package that one build needs to run may be needed by another only to build.
            let needs = cells.iter().zip(&to_run).filter(|(cell, _)| !cell.is_empty());
            let [runs, builds] = [true, false]
                .map(|to_run| needs.clone().any(|(_, it)| it.contains(package) == to_run));
            let purposes: Vec<&str> = match runs && builds {
                true => to_run.iter().map(|it| purpose(it.contains(package))).collect(),
                false => vec![""; cells.len()],
            };
            if cells.iter().all(|cell| *cell == cells[0]) && !(runs && builds) {
                continue;
            }
            let kind = if runs { LineKind::Dependency } else { LineKind::BuildDependency };
            differing.push(ComparedPackage { package, kind, cells, purposes });
        }
        let lines: Vec<Option<ComparedLine>> =
            differing.iter().map(|package| package.line(index)).collect();
        let names: HashSet<&str> = differing.iter().map(|package| package.package).collect();
        let with_line = differing.iter().zip(&lines).filter(|(_, line)| line.is_some());
        let with_line: HashSet<&str> = with_line.map(|(package, _)| package.package).collect();
        for (package, line) in differing.iter().zip(lines) {
            match line {
                Some(line) => self.dependencies.push(line),
                None if package.follows(index, &names, &with_line) => {
                    self.following.push(package.package.to_owned());
                }
                None => self.dependencies.push(package.line_of_hashes(index)),
            }
        }
        let ids = self.builds.iter().filter_map(|build| index.find(build.hash));
        let edges = ids.filter_map(|id| index.dependencies(id)).flatten();
        let direct: HashSet<&str> = edges.map(|edge| edge.package).collect();
        sorting::sort_by_key(&mut self.dependencies, |line| {
            (line.kind == LineKind::BuildDependency, !direct.contains(&line.name.as_str()))
        });
        self
    }

    /// Adds the line of a facet that only an index knows, after the other fields.
    fn compare_facet(&mut self, index: &Index, facet: Facet) {
        let words = |build: &Build| {
            let row = index.find(build.hash).map(|id| index.row_of(id));
            let values = row.into_iter().flat_map(|row| index.values(row, facet));
            values.map(|code| index.dictionary(facet).text(code).to_owned()).collect::<Vec<_>>()
        };
        let line = line_of(facet.label(), LineKind::Field, self.builds.iter().map(words).collect());
        if line.cells.iter().all(Vec::is_empty) {
            return;
        }
        let is_common = line.cells.iter().flatten().all(|word| word.is_common);
        let lines = if is_common { &mut self.common } else { &mut self.differing };
        let place =
            lines.iter().position(|line| line.kind != LineKind::Field).unwrap_or(lines.len());
        lines.insert(place, line);
    }
}

/// Returns what a build needs a dependency for, in words that are shown if builds differ in it.
fn purpose(is_needed_to_run: bool) -> &'static str {
    if is_needed_to_run { "to run" } else { "only to build" }
}

/// Returns the names that occur more than once, sorted.
fn repeated(names: &[&str]) -> Vec<String> {
    let mut names = names.to_vec();
    sorting::sort(&mut names);
    let groups = names.chunk_by(|a, b| a == b).filter(|group| group.len() > 1);
    groups.map(|group| group[0].to_owned()).collect()
}

fn name<'i>(index: &'i Index, target: EdgeTarget<'i>) -> &'i str {
    match target {
        EdgeTarget::Build(build) => index.text(index.row_of(build), Facet::Package),
        EdgeTarget::Unknown { package, .. } => package,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Dependency, Deptypes, FoundAt, Hash};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn needs(build: Build, packages: &[(&str, u8)]) -> Build {
        let edge = |&(package, number): &(&str, u8)| Dependency {
            package: package.to_owned(),
            hash: hash_of(number),
            deptypes: Deptypes::LINK,
            virtuals: Vec::new(),
        };
        Build { dependencies: Some(packages.iter().map(edge).collect()), ..build }
    }

    /// Creates hashes that differ in their first characters.
    fn hash_of(number: u8) -> Hash {
        sample::hash(usize::from(number) << 24)
    }

    fn of(package: &str, version: &str, number: u8) -> Build {
        Build { hash: hash_of(number), ..sample::one(package, version) }
    }

    #[track_caller]
    fn check(one: Build, two: Build, lines: &[&str], following: &[&str]) {
        let all = vec![
            needs(of("openmpi", "5.0.6", 1), &[("zlib", 3), ("xz", 6)]),
            needs(of("openmpi", "5.0.6", 2), &[("zlib", 4), ("xz", 6)]),
            needs(of("zlib", "1.3.1", 3), &[]),
            needs(of("zlib", "1.2.13", 4), &[]),
            needs(of("xz", "5.4.6", 6), &[]),
            one.clone(),
            two.clone(),
        ];
        let index = pack(About::default(), all).expect("different hashes");
        let comparison = Comparison::of(vec![one, two]).with_dependencies(&index);
        let word = |word: &super::super::Word| match word.is_common {
            true => word.text.clone(),
            false => format!("[{}]", word.text),
        };
        let found = comparison.dependencies.iter().map(|line| {
            let cell = |cell: &Vec<_>| cell.iter().map(word).collect::<Vec<_>>().join(" ");
            let cells: Vec<String> = line.cells.iter().map(cell).collect();
            format!("{}: {}", line.name, cells.join(" | "))
        });
        assert_eq!(found.collect::<Vec<_>>(), lines);
        assert_eq!(comparison.following, following);
    }

    #[test]
    fn shows_the_cause_of_a_difference_and_names_what_follows() {
        let (one, two) = (of("hdf5", "1.14.5", 8), of("hdf5", "1.14.5", 9));
        let [three, four] = [3, 4].map(|number| hash_of(number).to_string()[..7].to_owned());
        check(
            needs(one.clone(), &[("openmpi", 1)]),
            needs(two.clone(), &[("openmpi", 2)]),
            &[&format!("zlib: [@1.3.1] [/{three}] | [@1.2.13] [/{four}]")],
            &["openmpi"],
        );
        check(
            needs(one.clone(), &[("zlib", 3)]),
            needs(two.clone(), &[]),
            &[&format!("zlib: [@1.3.1] [/{three}] | ")],
            &[],
        );
        check(needs(one.clone(), &[("xz", 6)]), needs(two.clone(), &[("xz", 6)]), &[], &[]);
        // Dependencies can only be compared if all builds list them.
        check(needs(one, &[("openmpi", 1)]), two, &[], &[]);
    }

    #[test]
    fn shows_what_they_are_linked_with_and_direct_dependencies_first() {
        let linked = |build: Build, provider: &str, number: u8| {
            let dependency = Dependency {
                package: provider.to_owned(),
                hash: hash_of(number),
                deptypes: Deptypes::LINK,
                virtuals: vec!["mpi".to_owned()],
            };
            Build { dependencies: Some(vec![dependency]), ..build }
        };
        let one = linked(of("hdf5", "1.14.5", 8), "openmpi", 1);
        let two = linked(of("hdf5", "1.14.5", 9), "mpich", 2);
        let all = vec![
            needs(of("openmpi", "5.0.6", 1), &[("hwloc", 3)]),
            needs(of("mpich", "4.3.2", 2), &[("hwloc", 4)]),
            needs(of("hwloc", "2.11", 3), &[]),
            needs(of("hwloc", "2.12", 4), &[]),
            one.clone(),
            two.clone(),
        ];
        let index = pack(About::default(), all).expect("different hashes");
        let comparison = Comparison::of(vec![one, two]).with_dependencies(&index);
        let names =
            |lines: &[ComparedLine]| lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&comparison.differing), ["Provider"]);
        assert_eq!(comparison.differing[0].cells[0][0].text, "mpi=openmpi@5.0.6");
        assert_eq!(names(&comparison.dependencies), ["mpich", "openmpi", "hwloc"]);
    }

    #[test]
    fn says_what_makes_no_difference_at_run_time() {
        let built_with = |number: u8, tool: u8| {
            let build = needs(of("hdf5", "1.14.5", number), &[("xz", 6), ("cmake", tool)]);
            let mut dependencies = build.dependencies.clone().expect("two");
            dependencies[1].deptypes = Deptypes::BUILD;
            Build { dependencies: Some(dependencies), ..build }
        };
        let (one, two) = (built_with(8, 3), built_with(9, 4));
        let all = vec![
            of("cmake", "3.30", 3),
            of("cmake", "3.31", 4),
            of("xz", "5.4.6", 6),
            one.clone(),
            two.clone(),
        ];
        let index = pack(About::default(), all).expect("different hashes");
        let comparison = Comparison::of(vec![one, two]).with_dependencies(&index);
        assert_eq!(comparison.dependencies[0].kind, LineKind::BuildDependency);
        assert!(comparison.is_same_to_run());
        assert_eq!(comparison.to_run_and_to_build(), (0, 1));
        assert!(comparison.markdown().contains("\n| cmake (only to build) | **@3.30**"));
    }

    #[test]
    fn shows_every_field_in_which_a_dependency_differs() {
        let one = Build {
            namespace: Some("builtin".to_owned()),
            package_hash: Some("aaaaaaaaaa".to_owned()),
            ..needs(of("zlib", "1.3.1", 3), &[])
        };
        let check = |changed: Build, expected: [&str; 2]| {
            let users = [(8, 3), (9, 4)]
                .map(|(number, below)| needs(of("hdf5", "1.14.5", number), &[("zlib", below)]));
            let mut all = users.to_vec();
            all.extend([one.clone(), Build { hash: hash_of(4), ..changed }]);
            let index = pack(About::default(), all).expect("different hashes");
            let comparison = Comparison::of(users.into()).with_dependencies(&index);
            let [line] = comparison.dependencies.as_slice() else { panic!("{comparison:?}") };
            let shown = |cell: &Vec<super::super::Word>| {
                let words = cell.iter().filter(|word| !word.is_common);
                let words = words.map(|word| word.text.as_str());
                words.filter(|word| !word.starts_with('/')).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(line.cells.iter().map(shown).collect::<Vec<_>>(), expected);
            assert!(comparison.following.is_empty());
            assert!(!comparison.is_same_to_run());
            assert_eq!(comparison.suggestion(&[]), None);
        };
        let flags = vec![("cflags".to_owned(), vec!["-O3".to_owned(), "-g".to_owned()])];
        check(Build { flags, ..one.clone() }, ["", "cflags=-O3 -g"]);
        let namespace = Some("site".to_owned());
        check(Build { namespace, ..one.clone() }, ["namespace=builtin", "namespace=site"]);
        let package_hash = Some("aaaaaaabbb".to_owned());
        check(Build { package_hash, ..one.clone() }, ["recipe=aaaaaaaa", "recipe=aaaaaaab"]);
        let found_at = FoundAt { prefix: Some("/usr".to_owned()), ..FoundAt::default() };
        let found_at = Some(found_at);
        check(Build { external: true, found_at, ..one.clone() }, ["", "external at /usr"]);
        // In nothing that is shown.
        check(Build { spec_format: Some(6), ..one.clone() }, ["", ""]);
    }

    #[test]
    fn explains_what_differs_when_they_run() {
        let on = |deptypes: Deptypes| {
            move |mut build: Build, package: &str, number: u8| {
                let edge = Dependency {
                    package: package.to_owned(),
                    hash: hash_of(number),
                    deptypes,
                    virtuals: Vec::new(),
                };
                build.dependencies.get_or_insert_default().push(edge);
                build
            }
        };
        let (links, needs_to_build) = (on(Deptypes::LINK), on(Deptypes::BUILD));
        let mpi = |number: u8| needs(of("openmpi", "5.0.6", number), &[]);
        let check = |mpis: [Build; 2], lines: &[&str], following: &[&str], is_same: bool| {
            let user =
                |number, mpi| needs(of("hdf5", "1.14.5", number), &[("openmpi", mpi), ("xz", 6)]);
            let users = [user(8, 1), user(9, 2)];
            let mut all = users.to_vec();
            all.extend(mpis);
            all.push(needs(of("xz", "5.4.6", 6), &[]));
            all.extend([of("cmake", "3.30", 3), of("cmake", "3.31", 4)]);
            let index = pack(About::default(), all).expect("different hashes");
            let comparison = Comparison::of(users.into()).with_dependencies(&index);
            let names: Vec<&str> =
                comparison.dependencies.iter().map(|line| line.name.as_str()).collect();
            assert_eq!(names, lines);
            assert_eq!(comparison.following, following);
            assert_eq!(comparison.is_same_to_run(), is_same);
        };
        let built = [needs_to_build(mpi(1), "cmake", 3), needs_to_build(mpi(2), "cmake", 4)];
        check(built, &["cmake"], &["openmpi"], true);
        // Only one of them is linked with what both builds need.
        let linked = [links(mpi(1), "xz", 6), mpi(2)];
        check(linked, &["openmpi"], &[], false);
    }

    #[test]
    fn says_that_only_one_build_needs_a_dependency_to_run() {
        let needs_for = |number: u8, deptypes: Deptypes| {
            let mut build = needs(of("hdf5", "1.14.5", number), &[("xz", 6)]);
            build.dependencies.iter_mut().flatten().for_each(|edge| edge.deptypes = deptypes);
            build
        };
        let xz = hash_of(6).to_string()[..7].to_owned();
        check(
            needs_for(8, Deptypes::RUN),
            needs_for(9, Deptypes::BUILD),
            &[&format!("xz: @5.4.6 [to run] /{xz} | @5.4.6 [only to build] /{xz}")],
            &[],
        );
    }

    #[test]
    fn shows_the_hash_of_a_spec_that_is_not_in_the_cache() {
        let [ten, eleven] = [10, 11].map(|number| hash_of(number).to_string()[..7].to_owned());
        check(
            needs(of("hdf5", "1.14.5", 8), &[("bzip2", 10)]),
            needs(of("hdf5", "1.14.5", 9), &[("bzip2", 11)]),
            &[&format!("bzip2: [/{ten}] | [/{eleven}]")],
            &[],
        );
    }

    #[test]
    fn writes_dependencies_to_markdown() {
        let one = needs(of("hdf5", "1.14.5", 8), &[("openmpi", 1)]);
        let two = needs(of("hdf5", "1.14.5", 9), &[("openmpi", 2)]);
        let all = vec![
            needs(of("openmpi", "5.0.6", 1), &[("zlib", 3)]),
            needs(of("openmpi", "5.0.6", 2), &[("zlib", 4)]),
            of("zlib", "1.3.1", 3),
            of("zlib", "1.2.13", 4),
            one.clone(),
            two.clone(),
        ];
        let index = pack(About::default(), all).expect("different hashes");
        let markdown = Comparison::of(vec![one, two]).with_dependencies(&index).markdown();
        assert!(markdown.contains("\n| zlib | **@1.3.1** **/"), "{markdown}");
        assert!(markdown.ends_with("\n\nDiffer only in what they depend on: openmpi\n"));
    }
}
