//! The property of the reader of files that people choose in the page.

use std::io;

use cache_index::index::Index;
use reader_core::{
    Bytes, ChosenFiles, OpenOptions, Progress, open, open_environment, open_settings,
};

/// Separates files.
const BETWEEN: u8 = b'\x1e';

/// Files are rejected with messages, or they are a cache whose parts make up an index of the stated number of builds, an
/// environment, or settings. If the reader offers to leave out damaged builds, it does not offer it again.
///
/// The bytes are files with the separator U+001E between them; the first line of each is its path.
pub fn chosen(bytes: &[u8]) {
    let mut wanted =
        OpenOptions { made: "2026-01-02T03:04:05Z".to_owned(), ..OpenOptions::default() };
    let mut opened = open(files(bytes), &wanted);
    if opened.as_ref().is_err_and(|refused| refused.may_leave_out) {
        wanted.leaves_out_damaged = true;
        opened = open(files(bytes), &wanted);
        assert!(opened.as_ref().map_or_else(|refused| !refused.may_leave_out, |_| true));
    }
    // Looking into binaries adds to the same index, whatever is in them.
    if let Ok(opened) = &opened {
        let looked = open(files(bytes), &OpenOptions { looks_inside: true, ..wanted.clone() });
        let looked = looked.expect("what could be read before");
        assert_eq!((&looked.id, looked.builds), (&opened.id, opened.builds));
    }
    match opened {
        Err(refused) => assert!(!refused.problems.trim().is_empty(), "an error without a message"),
        Ok(opened) => {
            let index = Index::from_json(&opened.parts.columns).expect("columns");
            let parts = &opened.parts;
            let sets = [Index::set_hashes, Index::set_details, Index::set_dependencies];
            for (set, part) in
                sets.into_iter().zip([&parts.hashes, &parts.details, &parts.dependencies])
            {
                if let Some(part) = part {
                    set(&index, part).expect("a part of the index");
                }
            }
            assert_eq!(index.builds_with_binary().count(), opened.builds);
            assert_eq!(opened.id.len(), 16);
        }
    }
    for is_environment in [false, true] {
        let wanted = OpenOptions { is_environment, ..wanted.clone() };
        match open_environment(&files(bytes), &wanted) {
            Some(Ok(opened)) => assert!(!opened.id.is_empty()),
            Some(Err(refused)) => {
                assert!(!refused.problems.trim().is_empty(), "an error without a message");
            }
            None => {}
        }
    }
    if let Err(refused) = open_settings(&files(bytes), "") {
        assert!(!refused.problems.trim().is_empty(), "an error without a message");
    }
}

fn files(bytes: &[u8]) -> ChosenFiles<Contents> {
    let files: Vec<(String, Vec<u8>)> = bytes
        .split(|byte| *byte == BETWEEN)
        .map(|file| {
            let end = file.iter().position(|byte| *byte == b'\n').unwrap_or(file.len());
            let content = file.get(end + 1..).unwrap_or_default();
            (String::from_utf8_lossy(&file[..end]).into_owned(), content.to_vec())
        })
        .collect();
    let names = files.iter().map(|(name, content)| (name.as_str(), content.len() as u64));
    let contents = Contents(files.iter().map(|(_, content)| content.clone()).collect());
    ChosenFiles::new(names, contents)
}

struct Contents(Vec<Vec<u8>>);

impl Bytes for Contents {
    fn read(&self, file: usize, from: u64, to: u64) -> io::Result<Vec<u8>> {
        Ok(self.0[file][from as usize..to as usize].to_vec())
    }

    fn progress(&self, _: &Progress<'_>) {}
}
