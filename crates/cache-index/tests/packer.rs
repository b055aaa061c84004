//! A packer returns what it was given, and builds can move between packers.

use cache_index::build::{Build, Place, Signature};
use cache_index::index::{About, Packer, Translation, pack};
use cache_sample::Sample;

fn sample() -> Vec<Build> {
    let sample = Sample { dependencies: true, ..Sample::new(400, 7) };
    let mut builds: Vec<Build> = sample.builds().collect();
    for (number, build) in builds.iter_mut().enumerate() {
        build.package_hash = (number % 3 > 0).then(|| format!("hash{}", number % 7));
        build.size = (number % 2 > 0).then_some(number as u64);
        build.signature = match number % 5 {
            0 => Some(Signature::Unsigned),
            1 => Some(Signature::Signed { key: Some("0123456789ABCDEF".into()) }),
            _ => None,
        };
        if number % 11 == 0 {
            build.dependencies = None;
            build.compiler = None;
        }
    }
    builds
}

#[test]
fn returns_builds_as_they_were_added() {
    let mut packer = Packer::default();
    let builds = sample();
    builds.iter().for_each(|build| packer.push(build));
    for (number, build) in builds.iter().enumerate() {
        assert_eq!(packer.build(number), *build);
    }
}

#[test]
fn packs_builds_of_several_packers_as_those_of_one() {
    let builds = sample();
    let mut parts = [Packer::default(), Packer::default(), Packer::default()];
    for (number, build) in builds.iter().enumerate() {
        parts[number * number % 3].push(build);
    }
    let mut whole = Packer::default();
    for part in &parts {
        let mut translation = Translation::default();
        (0..part.len()).for_each(|build| whole.take(part, build, &mut translation));
    }
    let about = About::default();
    let expected = pack(about.clone(), builds).expect("different hashes").to_json();
    assert_eq!(whole.finish(about).expect("different hashes").to_json(), expected);
}

#[test]
fn unites_replaces_and_removes() {
    let mut builds = sample();
    builds.truncate(4);
    let mut packer = Packer::default();
    builds.iter().for_each(|build| packer.push(build));
    let place = Place::whole_release("other");
    packer.push(&Build { places: place.clone().into(), size: Some(900), ..builds[1].clone() });
    assert!(packer.agree(1, 4) && !packer.agree(1, 2));
    packer.unite(1, 4);
    packer.pop();
    builds[1].places.extend([place]);
    builds[1].size = Some(900);
    builds[2].version = "0.0.1".to_owned();
    packer.replace(2, &builds[2].clone());
    packer.set_compiler(3, "gcc@99");
    builds[3].compiler = Some("gcc@99".to_owned());
    assert_eq!(packer.len(), builds.len());
    for (number, build) in builds.iter().enumerate() {
        assert_eq!(packer.build(number), *build);
    }
}
