use std::collections::BTreeMap;

use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{About, Index, PackageSummary, pack};
use cache_index::recipes::{Recipe, RecipeVariant, Recipes};
use cache_index::sample;
use cache_query::Question;
use proptest::prelude::*;

use super::*;

fn recipe(versions: &[&str], deprecated: &[&str]) -> Recipe {
    let texts = |texts: &[&str]| Some(texts.iter().map(|&text| text.to_owned()).collect());
    Recipe { versions: texts(versions), deprecated: texts(deprecated), ..Recipe::default() }
}

fn recipes(all: &[(&str, Recipe)]) -> Recipes {
    Recipes(all.iter().map(|(name, recipe)| ((*name).to_owned(), recipe.clone())).collect())
}

/// An index with a build of each of these.
fn cache(builds: &[(&str, &str)]) -> Index {
    let builds = builds.iter().zip(1..).map(|(&(package, version), number)| Build {
        hash: sample::hash(number),
        ..sample::one(package, version)
    });
    pack(About::default(), builds).expect("different hashes")
}

fn described(builds: &[(&str, &str)], all: &[(&str, Recipe)]) -> Index {
    let mut index = cache(builds);
    index.take_recipes(recipes(all));
    index
}

#[test]
fn counts_the_releases_that_are_newer_than_what_is_cached() {
    #[track_caller]
    fn check(cached: &[&str], recipe: Recipe, newest: Option<&str>, behind: u32) {
        let builds: Vec<_> = cached.iter().map(|&version| ("a", version)).collect();
        let index = described(&builds, &[("a", recipe)]);
        let package = index.dictionary(Facet::Package).code("a").expect("a package");
        let listed = index.recipe_list().expect("a list").of(package);
        assert_eq!(listed, Some(PackageSummary { description: "", newest, behind }), "{cached:?}");
    }
    let all = || recipe(&["develop", "1.10", "1.9", "1.8"], &[]);
    check(&["1.9", "1.8"], all(), Some("1.10"), 1);
    check(&["1.10", "1.8"], all(), Some("1.10"), 0);
    // The cached version is no longer in the recipe.
    check(&["1.7.5"], all(), Some("1.10"), 3);
    check(&["1.8.1"], all(), Some("1.10"), 2);
    // The cached version comes from elsewhere, and is newer than what Spack has.
    check(&["2.0"], all(), Some("1.10"), 0);
    // Branches and commits are not releases.
    check(&["develop"], all(), Some("1.10"), 3);
    check(&["develop", "git.main=1.10", "1.9"], all(), Some("1.10"), 1);
    // A deprecated version is not available.
    check(&["1.9"], recipe(&["1.10", "1.9"], &["1.10"]), Some("1.9"), 0);
    check(&["1.10"], recipe(&["1.10", "1.9"], &["1.10"]), Some("1.9"), 0);
    check(&["develop"], recipe(&["develop"], &[]), None, 0);
    check(&["1.0"], Recipe::default(), None, 0);
}

#[test]
fn lists_what_is_outdated_and_what_is_deprecated() {
    let builds =
        [("b", "1"), ("b", "2"), ("c", "1"), ("a", "3"), ("d", "main"), ("own", "1"), ("e", "9")];
    let index = described(
        &builds,
        &[
            ("a", recipe(&["3"], &[])),
            ("b", recipe(&["3", "2", "1"], &["1"])),
            ("c", recipe(&["3", "2", "1"], &[])),
            ("d", recipe(&["main", "1"], &[])),
            ("e", recipe(&["9"], &["9"])),
            ("other", recipe(&["1"], &[])),
        ],
    );
    let outdated = OutdatedReport::of(&index, |_| true).expect("an index").expect("recipes");
    assert_eq!(
        outdated.markdown(),
        "**3 of 5 packages are behind Spack; 2 cached versions are deprecated; 1 package has no recipe**\n\
         \n| package | newest in the cache | newest in Spack | releases behind |\n\
         | --- | --- | --- | ---: |\n\
         | c | 1 | 3 | 2 |\n| b | 2 | 3 | 1 |\n| d | no release | 1 | 1 |\n\
         \n| deprecated in Spack, and cached | builds |\n| --- | ---: |\n| b@1 | 1 |\n| e@9 | 1 |\n"
    );
    assert_eq!(outdated.json()["without_recipe"], serde_json::json!(["own"]));
    assert_eq!(OutdatedReport::of(&cache(&builds), |_| true), Ok(None));
}

#[test]
fn knows_other_packages_by_name() {
    let index =
        described(&[("a", "1")], &[("b", recipe(&["2", "1"], &[])), ("c", Recipe::default())]);
    let others = index.other_packages().expect("they were published");
    let newest = ["a", "b", "c", "d"].map(|name| others.newest_of(name));
    assert_eq!(newest, [None, Some("2"), Some(""), None]);
}

fn some_recipes() -> impl Strategy<Value = BTreeMap<String, Recipe>> {
    let name = prop_oneof![Just("zlib".to_owned()), Just("hdf5".to_owned()), "[a-z]{1,4}"];
    let versions = || prop::option::of(prop::collection::vec("[0-9.]{1,3}|main", 0..4));
    let text = || prop::option::of(any::<String>());
    let recipe = (text(), text(), versions(), versions(), text());
    let recipe =
        recipe.prop_map(|(description, homepage, versions, deprecated, preferred)| Recipe {
            // An empty description is not stated.
            description: description.filter(|text| !text.is_empty()),
            homepage,
            versions,
            deprecated,
            preferred,
            ..Recipe::default()
        });
    prop::collection::btree_map(name, recipe, 0..6)
}

proptest! {
    #[test]
    fn gives_back_what_recipes_say(builds in sample::builds(), all in some_recipes()) {
        let mut index = pack(About::default(), builds).expect("different hashes");
        let plain = index.to_json();
        index.take_recipes(Recipes(all.clone()));
        let parts = index.to_parts();
        // As it is read from a page, and from a file.
        let of_parts = Index::from_json(&parts.columns).expect("columns");
        of_parts.set_recipes(parts.recipes.as_deref().expect("a part")).expect("recipes");
        of_parts.set_recipe_details(parts.recipe_details.as_deref().expect("a part")).expect("details");
        of_parts.set_other_packages(parts.other_packages.as_deref().expect("a part")).expect("others");
        let of_file = Index::from_json(&index.to_json()).expect("an index");
        prop_assert_eq!(of_file.to_json(), index.to_json());
        for read in [&of_parts, &of_file] {
            let names = read.dictionary(Facet::Package);
            for (package, name) in names.iter() {
                let recipe = read.recipe_of(package).expect("what was just written");
                prop_assert_eq!(recipe.as_ref(), all.get(name));
            }
            let others: Vec<_> = all.keys().filter(|name| names.code(name).is_none()).collect();
            let found: Vec<_> = read.other_packages().expect("others").names.iter().collect();
            prop_assert_eq!(found, others);
        }
        // The rest of the index is as it was.
        prop_assert_eq!(&plain[..plain.len() - 1], &index.to_json()[..plain.len() - 1]);
    }
}

#[test]
fn says_what_spack_can_build_of_what_the_cache_does_not_have() {
    let mut index = cache(&[("zlib", "1.3")]);
    let all = [
        ("zlib", recipe(&["1.3"], &[])),
        ("dealii", recipe(&["master", "9.6.2", "9.5"], &[])),
        ("fj", recipe(&[], &[])),
        ("openfoam", recipe(&["2506"], &[])),
    ];
    index.take_recipes(recipes(&all));
    let others = index.other_packages().expect("they were published");
    #[track_caller]
    fn check(
        index: &Index,
        others: &cache_index::index::OtherPackages,
        text: &str,
        expected: Option<(&str, &str)>,
    ) {
        let found = FromSource::named(index, others, text);
        let found = found.map(|found| (found.to_string(), found.command().1));
        let found = found.as_ref().map(|(words, command)| (words.as_str(), command.as_str()));
        assert_eq!(found, expected, "{text}");
    }
    let dealii = Some((
        "Spack can build dealii 9.6.2 from source; this cache has no binary of it",
        "spack install dealii@9.6.2",
    ));
    for text in [
        "dealii",
        " dealii ",
        "Dealii",
        "deal.II",
        "deal-ii",
        "dealii@9.6: +mpi",
        "dealii %gcc@12",
        "dealii rhel8",
    ] {
        check(&index, others, text, dealii);
    }
    // The index does not know which other versions Spack has.
    let other = Some((
        "Spack has a recipe for dealii, whose newest release is 9.6.2; this cache has no binary of it",
        "spack info dealii",
    ));
    for text in ["dealii@9.5 +mpi", "dealii@99", "dealii@:9.5"] {
        check(&index, others, text, other);
    }
    let fj = Some((
        "Spack can build fj from source; this cache has no binary of it",
        "spack install fj",
    ));
    check(&index, others, "fj", fj);
    // Its letters are those of a hash.
    let openfoam = Some((
        "Spack can build openfoam 2506 from source; this cache has no binary of it",
        "spack install openfoam@2506",
    ));
    check(&index, others, "openfoam", openfoam);
    for text in ["", "zlib", "zlib@9", "nothing", "+mpi", "zlib hdf5"] {
        check(&index, others, text, None);
    }
    // The command asks Spack for what the text asks of the package.
    for (text, command) in [
        ("dealii", "spack install dealii@9.6.2"),
        ("dealii+mpi", "spack install dealii+mpi"),
        ("dealii@9.6: +mpi rhel8", "spack install dealii@9.6:+mpi"),
        ("dealii %gcc@12 ^openmpi", "spack install 'dealii%gcc@12 ^openmpi'"),
    ] {
        let question = Question { text: text.to_owned(), ..Question::default() };
        let found = FromSource::named(&index, others, text).expect("it has a recipe");
        assert_eq!(found.asked_in(&index, &question).command().1, command, "{text}");
    }
}

#[test]
fn builds_no_package_that_the_cache_found_on_machines() {
    let mut found = sample::one("cray-mpich", "8.1.30");
    (found.external, found.places) = (true, Default::default());
    found.hash = sample::hash(2);
    let mut index = pack(About::default(), [sample::one("zlib", "1.3"), found]).expect("an index");
    index.take_recipes(recipes(&[("cray-mpich", recipe(&["8.1.30"], &[]))]));
    let found = FromSource::of(&index, "cray-mpich").expect("it has a recipe");
    assert_eq!(
        (found.to_string().as_str(), found.command().1.as_str()),
        (
            "This cache has no binary of cray-mpich: its builds use it as an external, as it was on the machines that they were made on",
            "spack external find cray-mpich"
        )
    );
}

#[test]
fn takes_no_propagated_variant_for_one_that_spack_refuses() {
    let (name, default) = ("shared".to_owned(), "true".to_owned());
    let shared = RecipeVariant { name, default, description: String::new() };
    let recipe = Recipe { variants: Some(vec![shared]), ..Recipe::default() };
    let index = described(&[("zlib", "1.3")], &[("zlib", recipe)]);
    assert_eq!(unknown_variants(&index, "zlib+shared+mpi"), ["mpi"]);
    // It is for those packages in the graph that have it.
    assert_eq!(unknown_variants(&index, "zlib+shared ++mpi"), [""; 0]);
}

#[test]
fn names_the_providers_that_the_cache_does_not_have() {
    let providing = |provided: &[&str]| Recipe {
        provides: Some(provided.iter().map(|&text| text.to_owned()).collect()),
        ..recipe(&["1"], &[])
    };
    let mut index = cache(&[("openmpi", "5.0.3")]);
    let all = [
        ("mvapich", providing(&["mpi@:3.1", "mpi@:4"])),
        ("mpich", providing(&["mpi"])),
        ("openmpi", providing(&["mpi"])),
        ("openblas", providing(&["blas", "lapack@3.7.0"])),
    ];
    index.take_recipes(recipes(&all));
    let others = index.other_packages().expect("they were published");
    #[track_caller]
    fn check(index: &Index, others: &cache_index::index::OtherPackages, text: &str, names: &str) {
        let found = OtherProviders::named(index, others, text);
        let found = found.map_or(String::new(), |found| found.packages.join(" "));
        assert_eq!(found, names, "{text}");
    }
    for text in ["mpi", " mpi ", "mpi@:", "mpi@3: +cuda"] {
        check(&index, others, text, "mpich mvapich");
    }
    check(&index, others, "lapack", "openblas");
    for text in ["", "openmpi", "mpich", "fftw-api", "mpi blas"] {
        check(&index, others, text, "");
    }
}
