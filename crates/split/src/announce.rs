//! Lists the parts of the reader in its first module.
//!
//! The custom section `parts` of the first module has a line for each part, in the order of their numbers: the part's
//! name, and the names of the parts that are needed whenever it is, separated by spaces. The file of a part is named
//! after it: `reader_zstd.wasm`. The worker is given the number of a missing part, and looks up its name in this
//! section; the command finds the names of the files there.

use std::borrow::Cow;

use wasm_encoder::{CustomSection, Section};

use crate::places::Part;

/// Adds the section to a module.
pub(crate) fn with_parts(mut module: Vec<u8>, parts: &[Part]) -> Vec<u8> {
    let lines = parts.iter().map(|part| [&[part.name], part.with].concat().join(" "));
    let text = lines.collect::<Vec<_>>().join("\n");
    CustomSection { name: Cow::Borrowed("parts"), data: Cow::Owned(text.into_bytes()) }
        .append_to(&mut module);
    module
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::READER;

    #[test]
    fn names_each_part_with_those_that_it_needs() {
        let parts = [("zstd", &[][..]), ("mirror", &["cache", "database"])];
        let parts = parts.map(|(name, with)| Part { name, with, code: &[] });
        let module = with_parts(b"\0asm\x01\0\0\0".to_vec(), &parts);
        let text = b"zstd\nmirror cache database";
        let expected = [b"\0asm\x01\0\0\0\0\x20\x05parts".as_slice(), text].concat();
        assert_eq!(module, expected);
    }

    #[test]
    fn needs_only_parts_of_the_reader_that_exist() {
        for part in READER.parts {
            for with in part.with {
                assert!(READER.parts.iter().any(|other| other.name == *with), "{with}");
            }
        }
    }
}
