//! The licence of a package, as its recipe states it.

use spdx::{Expression, ParseMode};

/// What a recipe says of the licence of its package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Licence {
    /// An expression that the rules of SPDX allow, such as `MIT OR Apache-2.0`.
    Expression(String),
    /// One of these, which holds for which versions the index does not say; or a text that is no such expression.
    Words(String),
}

impl Licence {
    /// Reads the licences of a recipe; `None` if it states none. A recipe states several if they depend on the version or on
    /// a variant.
    pub(super) fn of(stated: &[String]) -> Option<Licence> {
        match stated {
            [] => None,
            [text] if Expression::parse_mode(text, ParseMode::STRICT).is_ok() => {
                Some(Licence::Expression(text.clone()))
            }
            texts => Some(Licence::Words(texts.join("; "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_only_what_the_rules_allow_for_an_expression() {
        #[track_caller]
        fn check(stated: &[&str], expected: Option<Licence>) {
            let texts: Vec<String> = stated.iter().map(|&text| text.to_owned()).collect();
            assert_eq!(Licence::of(&texts), expected, "{stated:?}");
        }
        let expression = |text: &str| Some(Licence::Expression(text.to_owned()));
        let words = |text: &str| Some(Licence::Words(text.to_owned()));
        check(&[], None);
        check(&["MIT"], expression("MIT"));
        check(&["MIT OR Apache-2.0"], expression("MIT OR Apache-2.0"));
        check(
            &["GPL-2.0-or-later WITH Classpath-exception-2.0"],
            expression("GPL-2.0-or-later WITH Classpath-exception-2.0"),
        );
        check(&["Custom"], words("Custom"));
        check(&["MIT or Apache"], words("MIT or Apache"));
        check(&["MIT", "BSD-3-Clause"], words("MIT; BSD-3-Clause"));
        check(&[""], words(""));
    }
}
