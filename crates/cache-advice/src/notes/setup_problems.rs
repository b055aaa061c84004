//! What has no meaning among the things that a link or a form states about a machine, its Spack and its settings.

use cache_index::settings::{ReuseSource, Settings};
use cache_index::spack::SpackVersion;
use cache_query::{Preference, Question};
use spack_spec::Spec;

use crate::machine_words::Gpu;

/// Returns a sentence without a full stop for each part of a question's setup that has no meaning. Verdicts ignore these.
pub fn setup_problems(question: &Question) -> Vec<String> {
    let unknown_gpus = question.gpus.iter().filter(|gpu| Gpu::named(gpu).is_none());
    let mut problems: Vec<String> = unknown_gpus
        .map(|gpu| format!("the GPU `{gpu}` is not known here, so builds are not judged by it"))
        .collect();
    let Some(preference) = question.preference.as_deref() else { return problems };
    let Preference { spack, settings } = preference;
    if *spack > SpackVersion::NEWEST {
        let newest = SpackVersion::NEWEST;
        problems.push(format!("Spack {spack} is not known here, and is judged like {newest}"));
    }
    let Settings { caches, asked, externals, repositories, .. } = settings;
    problems.extend(repositories.iter().filter_map(|name| no_repository(name)));
    let mut report = |list: &str, specs: &[String]| {
        problems.extend(specs.iter().filter_map(|spec| unreadable(list, spec, *spack)));
    };
    for ReuseSource { include, exclude } in caches {
        report("include", include);
        report("exclude", exclude);
    }
    report("the specs that you ask for", asked);
    for external in externals {
        report("externals", std::slice::from_ref(&external.spec));
    }
    problems
}

/// Returns why a spec in a list of settings is left out; `None` if it is a spec.
pub fn unreadable(list: &str, spec: &str, spack: SpackVersion) -> Option<String> {
    let error = Spec::parse(spec, spack.dialect()).err()?;
    Some(format!("`{spec}` in {list} is not a spec, and is left out: {error}"))
}

/// Returns why a text cannot be the name of a package repository, such as a line of YAML or a path; `None` if it can.
pub fn no_repository(name: &str) -> Option<String> {
    let is_name = name.starts_with(|first: char| first == '_' || first.is_alphanumeric())
        && name.chars().all(|one| matches!(one, '_' | '-' | '.') || one.is_alphanumeric());
    (!name.is_empty() && !is_name).then(|| {
        format!(
            "`{name}` in Repositories is not the name of one, which `namespace` in its repo.yaml says"
        )
    })
}

#[cfg(test)]
mod tests {
    use cache_query::address;

    use super::*;

    #[track_caller]
    fn check(address: &str, expected: &[&str]) {
        assert_eq!(setup_problems(&address::decode(address).0.question), expected, "{address}");
    }

    #[test]
    fn names_what_has_no_meaning() {
        check("host=linux.rhel8.zen3&gpu=H100&gpu=MI250X&reuse.include=hdf5&spack=1.3", &[]);
        check(
            "host=linux.rhel8.zen3&gpu=H1000",
            &["the GPU `H1000` is not known here, so builds are not judged by it"],
        );
        check("host=linux.rhel8.zen3&reuse.repository=site.apps", &[]);
        check(
            "host=linux.rhel8.zen3&reuse.repository=repos:",
            &[
                "`repos:` in Repositories is not the name of one, which `namespace` in its repo.yaml says",
            ],
        );
        check("spack=9.9", &["Spack 9.9 is not known here, and is judged like 1.3"]);
        let one = "reuse.exclude=%25gcc%4013&reuse.include=hdf5%40%401.14";
        let [problem] = &setup_problems(&address::decode(one).0.question)[..] else { panic!() };
        assert!(problem.starts_with("`hdf5@@1.14` in include is not a spec, and is left out: "));
    }

    #[test]
    fn leaves_it_out_of_the_setup() {
        let query = address::decode("host=linux.rhel8.zen3&reuse.include=hdf5%40%401.14").0;
        let setup = query.question.setup().expect("a machine");
        assert_eq!(setup.settings, Settings::default());
    }
}
