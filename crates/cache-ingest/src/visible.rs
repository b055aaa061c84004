//! Writing invisible characters so that they can be seen.
//!
//! No name in Spack contains an invisible character: a control character, a zero-width space, a mark that changes the
//! direction of what follows. A name with one is damaged or meant to deceive: it would look like another name, be
//! listed as another, and be copied into a shell. So such a character is written as `\u{202e}`, here, before anything
//! is packed, counted or shown; every view, link, export and command then shows the same. Plain spaces are kept.
//!
//! Messages repeat what inputs contain, so they are [written](visible) in the same way: terminals interpret control
//! characters, and CI systems interpret lines that start with `::`.

use cache_index::build::{Build, Dependency, FoundAt, Place, VariantValue};
use cache_index::sorting;

/// Escapes the invisible characters in the texts of a build.
pub(super) fn write_visibly(build: &mut Build) {
    let mut changed = false;
    let mut write = |text: &mut String| {
        if !is_plain(text) && text.contains(is_unseen) {
            *text = written(text);
            changed = true;
        }
    };
    // Every field is named, so that a new text is escaped.
    let Build {
        hash: _,
        package,
        namespace,
        version,
        platform,
        os,
        target,
        compiler,
        compiler_source: _,
        variants,
        flags,
        places,
        size: _,
        package_hash,
        external: _,
        found_at,
        spec_format: _,
        provided_virtuals,
        spliced_from: _,
        // The id of a key is made of digits.
        signature: _,
        digest: _,
        first_seen,
        dependencies,
    } = &mut *build;
    [package, version, platform, os, target].into_iter().for_each(&mut write);
    [namespace, compiler, package_hash, first_seen].into_iter().flatten().for_each(&mut write);
    for variant in variants {
        write(&mut variant.name);
        match &mut variant.value {
            VariantValue::Bool(_) => {}
            VariantValue::Single(value) => write(value),
            VariantValue::Multi(values) => values.iter_mut().for_each(&mut write),
        }
    }
    provided_virtuals.iter_mut().flatten().for_each(&mut write);
    // The attributes are visible since they were read.
    if let Some(FoundAt { prefix, modules, .. }) = found_at {
        prefix.iter_mut().chain(modules).for_each(&mut write);
    }
    for (name, values) in flags {
        write(name);
        values.iter_mut().for_each(&mut write);
    }
    for dependency in dependencies.iter_mut().flatten() {
        write(&mut dependency.package);
        dependency.virtuals.iter_mut().for_each(&mut write);
    }
    let is_deceiving =
        |place: &Place| place.release.contains(is_unseen) || place.stack.contains(is_unseen);
    if places.iter().any(is_deceiving) {
        let visible =
            |Place { release, stack }| Place { release: written(&release), stack: written(&stack) };
        *places = std::mem::take(places).into_iter().map(visible).collect();
    }
    if changed {
        sort(build);
    }
}

/// Returns `true` if the texts of a dependency have plain characters only, so that nothing needs to be escaped.
pub(super) fn is_visible(dependency: &Dependency) -> bool {
    is_plain(&dependency.package) && dependency.virtuals.iter().all(|name| is_plain(name))
}

/// Restores the order, which escapes may have changed.
fn sort(build: &mut Build) {
    sorting::sort(&mut build.variants);
    for variant in &mut build.variants {
        if let VariantValue::Multi(values) = &mut variant.value {
            sorting::sort(values);
        }
    }
    sorting::sort(&mut build.flags);
    if let Some(provided) = &mut build.provided_virtuals {
        sorting::sort(provided);
    }
    for dependency in build.dependencies.iter_mut().flatten() {
        sorting::sort(&mut dependency.virtuals);
    }
    if let Some(dependencies) = &mut build.dependencies {
        sorting::sort(dependencies);
    }
}

/// Returns `true` if all characters are visible ones of ASCII, or spaces, as in nearly all texts.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Returns a text with its invisible characters escaped.
pub(crate) fn written(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_unseen(letter) {
            written.extend(letter.escape_unicode());
        } else {
            written.push(letter);
        }
    }
    written
}

/// Makes a text safe for a message of one line: whatever is invisible in it is escaped, including the ends of lines.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut visible, letter| {
        match letter {
            '\0' => visible.push_str("\\0"),
            '\t' | '\n' | '\r' => visible.extend(letter.escape_default()),
            letter if is_unseen(letter) => visible.extend(letter.escape_unicode()),
            letter => visible.push(letter),
        }
        visible
    })
}

/// Returns `true` for a character that leaves no mark, or looks like a plain space but is not one: Unicode's categories
/// Cc, Cf, Zl, Zp and Zs, the characters that Unicode ignores by default, including variation selectors, and the blank
/// of Braille.
fn is_unseen(letter: char) -> bool {
    match letter {
        ' '..='~' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        letter => letter.is_control() || letter.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
    use icu_properties::{CodePointMapData, CodePointSetData};

    use super::*;
    use crate::{Collection, read_page};
    use cache_index::build::{
        CompilerSource, Dependency, Deptypes, FoundAt, Hash, Places, Variant,
    };

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(written(text), expected);
        assert!(!expected.contains(is_unseen), "{expected}");
    }

    #[test]
    fn escapes_invisible_characters() {
        check("py-torch", "py-torch");
        check("ein Wort, 語, e\u{301}, \u{1f4e6}", "ein Wort, 語, e\u{301}, \u{1f4e6}");
        check("a\0b\tc\u{7f}d\u{85}", "a\\u{0}b\\u{9}c\\u{7f}d\\u{85}");
        check("py-\u{202e}hcrot", "py-\\u{202e}hcrot");
        check("zlib\u{200b}\u{feff}\u{a0}", "zlib\\u{200b}\\u{feff}\\u{a0}");
        check("\u{2028}\u{2066}\u{e0041}", "\\u{2028}\\u{2066}\\u{e0041}");
    }

    #[test]
    fn makes_a_text_safe_for_a_message() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(visible(text), expected);
        }
        check("pages/hdf5.md: \"grüße\" \\ 'x' …", "pages/hdf5.md: \"grüße\" \\ 'x' …");
        check("x\x1b[2J\n::error::y\r\t\0", "x\\u{1b}[2J\\n::error::y\\r\\t\\0");
        check("a\u{202e}b\u{200b}\u{9b}2J", "a\\u{202e}b\\u{200b}\\u{9b}2J");
    }

    #[test]
    fn knows_every_invisible_character_of_unicode() {
        use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, SpaceSeparator};
        let categories = CodePointMapData::<GeneralCategory>::new();
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let invisible = [Control, Format, LineSeparator, ParagraphSeparator, SpaceSeparator];
        let wrong: Vec<char> = ('\0'..=char::MAX)
            .filter(|&letter| {
                let expected = letter != ' '
                    && (invisible.contains(&categories.get(letter))
                        || ignorable.contains(letter)
                        || letter == '\u{2800}');
                is_unseen(letter) != expected
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn escapes_every_text_of_a_build() {
        let text = |name: &str| format!("{name}\u{202e}");
        let hash: Hash = "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4".parse().expect("a hash");
        let variant = |name: &str, value| Variant { name: text(name), value };
        let build = Build {
            hash,
            package: text("zlib"),
            namespace: Some(text("builtin")),
            version: text("1.3"),
            platform: text("linux"),
            os: text("rhel8"),
            target: text("zen4"),
            compiler: Some(text("gcc@13.2.0")),
            compiler_source: CompilerSource::Field,
            variants: vec![
                variant("a", VariantValue::Bool(true)),
                variant("b", VariantValue::Single(text("one"))),
                variant("c", VariantValue::Multi(vec![text("one"), "two".to_owned()])),
            ],
            flags: vec![(text("cflags"), vec![text("-O2")])],
            places: Places::from([Place { release: text("develop"), stack: text("e4s") }]),
            size: None,
            package_hash: Some(text("abc")),
            external: true,
            spliced_from: None,
            found_at: Some(FoundAt {
                prefix: Some(text("/usr")),
                modules: vec![text("gcc/12")],
                attributes: None,
            }),
            spec_format: None,
            provided_virtuals: Some(vec![text("mpi")]),
            signature: None,
            digest: None,
            first_seen: Some(text("2026")),
            dependencies: Some(vec![Dependency {
                package: text("gmake"),
                hash,
                deptypes: Deptypes::default(),
                virtuals: vec![text("make")],
            }]),
        };
        let before = format!("{build:?}");
        let mut collection = Collection::default();
        collection.add("a page", [build]).expect("no conflict");
        // The mark as Rust writes it, and as it was escaped.
        let after = before.replace(r"\u{202e}", r"\\u{202e}");
        assert_eq!(format!("{:?}", collection.get(&hash).expect("a build")), after);
    }

    #[test]
    fn restores_the_order_after_escaping() {
        let values = vec!["\u{7f}".to_owned(), "a".to_owned(), "\u{ad}".to_owned()];
        let variant = |value| Variant { name: "v".to_owned(), value };
        let mut build = Collection::default();
        let page = "---\ntitle: zlib\nlayout: cache\ncategories: [package, develop]\n\
            meta: {compilers: [none], num_specs: 1, num_specs_by_stack: {root: 1}, oss: [rhel8], \
            platforms: [linux], stacks: [root], targets: [zen4], versions: ['1.3']}\n\
            spec_details: [{compiler: none, hash: 2dqr6c6tz4lpr32hw5pomh7n2pbjpom4, os: rhel8, \
            platform: linux, size: '-', stacks: [root], target: zen4, variants: [], versions: ['1.3']}]\n---";
        let mut read = read_page(page).into_result().expect("a page").builds.remove(0);
        read.variants = vec![variant(VariantValue::Multi(values))];
        let hash = read.hash;
        build.add("a page", [read]).expect("no conflict");
        let sorted = [r"\u{7f}", r"\u{ad}", "a"].map(str::to_owned).to_vec();
        assert_eq!(
            build.get(&hash).map(|build| build.variants.clone()),
            Some(vec![variant(VariantValue::Multi(sorted))])
        );
    }
}
