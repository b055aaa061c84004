//! Builds that a search for GPU code finds by their variants although they contain none.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;
use cache_query::{Answer, Question};

use crate::machine_words::has_no_own_code;
use crate::text::wording::listed;

/// Names the packages of matching builds that contain no GPU code, in a sentence without a full stop. `None` if there are none,
/// if a question does not ask for GPU code, or if it asks for certain packages.
pub fn without_own_code(index: &Index, question: &Question, answer: &Answer) -> Option<String> {
    const ASKING: [&str; 4] = ["+cuda", "+rocm", "cuda_arch=", "amdgpu_target="];
    let included = question.choice(Facet::Variant).included();
    let asks = |value: &String| ASKING.iter().any(|start| value.starts_with(start));
    let is_about_one = !question.choice(Facet::Package).included().is_empty();
    if is_about_one || !included.iter().any(asks) {
        return None;
    }
    let packages = index.dictionary(Facet::Package);
    let mut found: Vec<(&str, u32)> = Vec::new();
    for (code, name) in packages.iter().filter(|(_, name)| has_no_own_code(name)) {
        let builds = answer.matching(code);
        found.extend((builds > 0).then_some((name, builds)));
    }
    let names: Vec<String> = found.iter().map(|(name, _)| (*name).to_owned()).collect();
    let builds: u32 = found.iter().map(|(_, builds)| builds).sum();
    (builds > 0).then(|| {
        let (have, their, work) = match builds {
            1 => ("has", "its", "works"),
            _ => ("have", "their", "work"),
        };
        let of = format!("{} of {}", counted(builds as usize, "build", "builds"), listed(&names));
        format!("The {of} {have} no code for GPUs of {their} own, and {work} without one")
    })
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{address, run};

    use super::*;

    #[test]
    fn names_what_has_no_code_of_its_own() {
        let build = |number: usize, package: &str| Build {
            hash: sample::hash(number),
            variants: ["+cuda", "cuda_arch=80"].map(sample::variant).into(),
            ..sample::one(package, "1.0")
        };
        let builds = [build(1, "kokkos"), build(2, "openmpi"), build(3, "hwloc")];
        let index = pack(About::default(), builds).expect("an index");
        let said = |asked: &str| {
            let question = address::decode(asked).0.question;
            without_own_code(&index, &question, &run(&index, &question))
        };
        let expected = "The 2 builds of hwloc and openmpi have no code for GPUs of their own, and work without one";
        assert_eq!(said("variant=cuda_arch=80").as_deref(), Some(expected));
        assert_eq!(said("variant=cuda").as_deref(), Some(expected));
        assert_eq!(said("variant=cuda&package=openmpi"), None);
        assert_eq!(said("variant=mpi"), None);
        assert_eq!(said(""), None);
    }
}
