//! Words that ask for builds by the signature of their manifest: `signed`, `unsigned`, `not signed`.
//!
//! They are not part of a spec. If a package has such a word in its name, it is read as part of a name like any other
//! word.

use cache_index::index::Index;

use super::{is_in_a_name, words};

/// Takes these words out of a text. Returns `true` for signed builds and `false` for unsigned ones, and the text with blanks
/// in place of the words, so that the positions of the others stay the same; all blank if the rest says nothing, as in
/// `which builds are signed?`. `None` if the text has no such word.
pub fn take_signed(index: &Index, text: &str) -> Option<(bool, String)> {
    let mut asked = None;
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let meant = match plain(piece) {
            word if word.eq_ignore_ascii_case("signed") => Some(true),
            word if word.eq_ignore_ascii_case("unsigned") => Some(false),
            _ => None,
        };
        let meant = meant.filter(|_| !is_in_a_name(index, &plain(piece).to_ascii_lowercase()));
        if let Some(signed) = meant {
            let not = pieces.last_mut().filter(|(word, _)| plain(word).eq_ignore_ascii_case("not"));
            asked = Some(signed == not.is_none());
            not.into_iter().for_each(|(_, is_taken)| *is_taken = true);
        }
        pieces.push((piece, meant.is_some()));
    }
    let asked = asked?;
    let says_nothing = |(piece, is_taken): &(&str, bool)| {
        *is_taken || plain(piece).is_empty() || words::says_nothing(plain(piece))
    };
    let is_all = pieces.iter().all(says_nothing);
    let blank = |(piece, is_taken): (&str, bool)| match is_taken || is_all {
        true => " ".repeat(piece.len()),
        false => piece.to_owned(),
    };
    Some((asked, pieces.into_iter().map(blank).collect()))
}

/// Returns a word without the punctuation at the end of a sentence.
fn plain(piece: &str) -> &str {
    piece.trim_end().trim_end_matches(['?', '!', '.', ','])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PartFilter;
    use crate::search::tests::index;
    use crate::search::{Search, split};

    #[test]
    fn reads_questions_about_signatures() {
        let index = index();
        let check = |text: &str, signed: Option<bool>, rest: &str| {
            let typed = split(&index, text);
            let asked: Vec<PartFilter> = signed.map(PartFilter::Signed).into_iter().collect();
            assert_eq!((typed.part_filters, typed.text.as_str()), (asked, rest), "{text}");
            assert_eq!(Search::read(&index, text).problems, [], "{text}");
        };
        check("signed", Some(true), "");
        check("Unsigned", Some(false), "");
        check("not signed", Some(false), "");
        check("which builds are signed", Some(true), "");
        check("Which builds are not signed?", Some(false), "");
        check("signed builds", Some(true), "");
        check("unsigned builds of hdf5", Some(false), "hdf5");
        check("is hdf5 signed?", Some(true), "hdf5");
        check("hdf5 signed +mpi", Some(true), "hdf5");
        check("hdf5", None, "hdf5");
    }

    #[test]
    fn leaves_the_word_where_it_is_part_of_a_name() {
        use cache_index::index::{About, pack};
        use cache_index::sample;
        let index =
            pack(About::default(), [sample::one("py-signed-json", "1.0")]).expect("an index");
        assert_eq!(take_signed(&index, "signed"), None);
        assert_eq!(take_signed(&index, "unsigned").map(|(signed, _)| signed), Some(false));
    }
}
