//! Properties of the readers of Spack's files.

use std::collections::BTreeSet;
use std::io::{self, Read as _};

use cache_index::build::{Build, Hash, Place, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, pack};
use cache_index::recipes::{Recipe, Recipes};
use cache_index::settings::Settings;
use cache_ingest::compression::{RATIO, SizeLimit};
use cache_ingest::digest::Sha256Text;
use cache_ingest::mirror_settings::{AccessPair, Secret};
use cache_ingest::oci::{self, ImageLayout, Registry, find_repository, read_config};
use cache_ingest::recipes::read_recipes;
use cache_ingest::watch::read_watch;
use cache_ingest::{
    Files, Notes, Problem, Read, decompress, kind, read_database, read_environment, read_manifest,
    read_mirrors, read_page, read_settings,
};

use crate::assert_is_message;

/// A cache page is rejected with a message, and the index returns the builds that are valid.
pub fn page(bytes: &[u8]) {
    let _ = kind(bytes);
    let text = String::from_utf8_lossy(bytes);
    let Read { value, problems, notes } = read_page(&text);
    are_messages(value.is_some(), &problems, &notes);
    // A page does not show whether a value is a list of one, so an index decides this by the other builds.
    let one_value = |mut build: Build| {
        for variant in &mut build.variants {
            if let VariantValue::Multi(values) = &mut variant.value
                && values.len() == 1
            {
                variant.value = VariantValue::Single(values.remove(0));
            }
        }
        build
    };
    are_given_back(value.map_or(Vec::new(), |page| page.builds), one_value);
}

/// A database file is rejected with a message, and the index returns the builds that are valid.
pub fn database(bytes: &[u8]) {
    let _ = kind(bytes);
    let place = Place::whole_release("develop");
    let Read { value, problems, notes } = read_database(bytes, &place);
    are_messages(value.is_some(), &problems, &notes);
    are_given_back(value.map_or(Vec::new(), |database| database.builds), |build| build);
}

/// A stream is rejected with a message, or is read to its end without exceeding the permitted ratio.
pub fn stream(bytes: &[u8]) {
    let mut text = Vec::new();
    let read = decompress(bytes, SizeLimit::default())
        .and_then(|mut reader| reader.read_to_end(&mut text));
    if let Err(error) = read {
        assert_is_message(&error.to_string());
    }
    assert!(text.len() as u64 <= 32_000_000 + RATIO * bytes.len() as u64);
}

/// An environment is rejected with messages, or its nodes have different hashes.
pub fn environment(bytes: &[u8]) {
    match read_environment(bytes) {
        Err(problems) => are_messages(false, &problems, &Notes::default()),
        Ok(environment) => {
            let hashes: BTreeSet<Hash> =
                environment.nodes.iter().map(|node| node.build.hash).collect();
            assert_eq!(hashes.len(), environment.nodes.len());
        }
    }
}

/// Settings are rejected with messages, or reading the file once more on top of them does not change what may be reused.
pub fn settings(bytes: &[u8]) {
    match read_settings(bytes, Settings::default()) {
        Err(problems) => are_messages(false, &problems, &Notes::default()),
        Ok(settings) => {
            let again = read_settings(bytes, settings.clone()).expect("they were read before");
            assert_eq!(again.reuse, settings.reuse);
        }
    }
}

/// Mirrors are rejected with messages, or each has a URL, and its `Debug` form contains no password.
pub fn mirrors(bytes: &[u8]) {
    let Read { value, problems, notes } = read_mirrors(bytes);
    are_messages(value.is_some(), &problems, &notes);
    for mut mirror in value.unwrap_or_default() {
        let urls = [&mirror.fetch.url, &mirror.push.url];
        assert!(urls.into_iter().any(Option::is_some), "{}", mirror.name);
        let shown = format!("{mirror:?}");
        for connection in [&mut mirror.fetch, &mut mirror.push] {
            let Some(AccessPair { id, secret }) = &mut connection.access else { continue };
            for part in [id, secret] {
                if let Secret::Written(text) = part {
                    "another".clone_into(text);
                }
            }
        }
        assert_eq!(format!("{mirror:?}"), shown);
    }
}

/// A list of what is watched is rejected with messages, or its names differ.
pub fn watch(bytes: &[u8]) {
    let Read { value, problems, notes } = read_watch(bytes);
    are_messages(value.is_some(), &problems, &notes);
    let watched = value.unwrap_or_default();
    let names: BTreeSet<&str> = watched.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), watched.len());
}

/// Recipes are rejected with messages, or an index gives back what they say.
pub fn recipes(bytes: &[u8]) {
    let Read { value, problems, notes } = read_recipes(bytes, SizeLimit::default());
    are_messages(value.is_some(), &problems, &notes);
    let Recipes(recipes) = value.unwrap_or_default().recipes;
    for (name, recipe) in &recipes {
        let releases = recipe.releases();
        assert!(
            releases.iter().all(|it| recipe.is_release(it) && !recipe.is_deprecated(it)),
            "{name}"
        );
        let link = recipe.home_page().unwrap_or("https://");
        assert!(link.starts_with("https://") || link.starts_with("http://"), "{link}");
    }
    let builds = recipes.keys().step_by(2).zip(0u64..).map(|(name, number)| {
        let hash = format!("{number:032}")
            .replace('0', "a")
            .replace('1', "b")
            .replace('8', "y")
            .replace('9', "z");
        let place = Place::whole_release("develop");
        Build { places: [place].into(), ..Build::new(hash.parse().expect("a hash"), name, "1.0") }
    });
    let mut index = pack(About::default(), builds.collect::<Vec<_>>()).expect("few builds");
    index.take_recipes(Recipes(recipes.clone()));
    for (package, name) in index.dictionary(Facet::Package).iter() {
        let kept = index.recipe_of(package).expect("good");
        // Publishing finds out what kind of text a licence is.
        let is_spdx = kept.as_ref().is_some_and(|kept| kept.is_spdx);
        let said = recipes.get(name).map(|recipe| Recipe { is_spdx, ..recipe.clone() });
        assert_eq!(kept, said);
    }
    let again = Index::from_json(&index.to_json()).expect("an index that was written");
    assert_eq!(again.to_json(), index.to_json());
}

/// The manifest of a cache is rejected with messages, or no place has two databases.
pub fn manifest(bytes: &[u8]) {
    let Read { value, problems, notes } = read_manifest(&String::from_utf8_lossy(bytes));
    are_messages(value.is_some(), &problems, &notes);
    let sources = value.unwrap_or_default();
    let places: BTreeSet<&Place> = sources.iter().map(|source| &source.place).collect();
    assert_eq!(places.len(), sources.len());
    sources.iter().for_each(|source| drop(source.digest()));
}

/// The answers of a registry are rejected with messages, or an image that is read has the binary of the requested build.
pub fn repository(bytes: &[u8]) {
    let answers = Answers(bytes);
    let Read { value, problems, notes } = find_repository(&answers);
    are_messages(value.is_some(), &problems, &notes);
    let Read { value, problems, notes } = ImageLayout::open(&answers);
    are_messages(value.is_some(), &problems, &notes);
    let place = Place::whole_release("develop");
    let hash: Hash = IMAGE.parse().expect("a hash");
    let Read { value, problems, notes } = read_config(bytes, hash, &place);
    are_messages(value.is_some(), &problems, &notes);
    if let Some(builds) = value {
        let binaries = builds.iter().filter(|build| build.has_binary());
        assert_eq!(binaries.map(|build| build.hash).collect::<Vec<_>>(), [hash]);
        are_given_back(builds, |build| build);
    }
}

/// The build whose image is requested: one of `tests/data/oci-layout`.
const IMAGE: &str = "hhw4di5zdxog5o5iymayxskgoslp5c5l";

/// A registry, and a folder, that answers every request with the same bytes.
struct Answers<'b>(&'b [u8]);

impl Registry for Answers<'_> {
    fn tags(&self) -> io::Result<Vec<String>> {
        Ok(vec![oci::INDEX.to_owned(), format!("lz4-1.10.0-{IMAGE}.spack"), "latest".to_owned()])
    }

    fn manifest(&self, _: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(Some(self.0.to_vec()))
    }

    fn blob(&self, _: &Sha256Text) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        Ok(Some(Box::new(self.0)))
    }
}

impl Files for Answers<'_> {
    fn open(&self, _: &str) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        Ok(Some(Box::new(self.0)))
    }

    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
}

pub(crate) fn are_messages(is_read: bool, problems: &[Problem], notes: &Notes) {
    assert!(is_read || !problems.is_empty(), "rejected without a message");
    for problem in problems {
        assert_is_message(&problem.to_string());
        assert_is_message(&problem.kind());
    }
    notes.iter().for_each(|(novelty, _)| assert_is_message(&novelty.to_string()));
}

/// Checks that an index has these builds. `shown` reduces each build to what can be distinguished.
fn are_given_back(builds: Vec<Build>, shown: impl Fn(Build) -> Build) {
    let index = match pack(About::default(), builds.iter().cloned()) {
        Ok(index) => index,
        Err(error) => return assert_is_message(&error.to_string()),
    };
    let packed = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    let mut packed: Vec<Build> = packed.map(&shown).collect();
    let mut builds: Vec<Build> = builds.into_iter().map(&shown).collect();
    packed.sort_by_key(|build| build.hash);
    builds.sort_by_key(|build| build.hash);
    assert_eq!(packed.len(), builds.len());
    packed.iter().zip(&builds).for_each(|(packed, build)| assert_eq!(packed, build));
}
