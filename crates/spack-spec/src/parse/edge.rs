//! Reading the edge attributes between the brackets of `^[…]` and `%[…]`.

use super::error::ParseErrorKind;
use super::reader::{EdgeAttributes, Reader};
use super::token::{Assignment, Token, TokenKind};
use super::{PartRole, SpecDraft};
use crate::quote::unquoted;
use crate::span::Span;
use crate::{Deptypes, Dialect};

/// How deeply conditions may be nested within conditions.
const DEEPEST_CONDITION: usize = 3;

impl Reader<'_> {
    /// Reads edge attributes up to and including the closing bracket.
    pub(super) fn edge_attributes(&mut self) -> (EdgeAttributes, Option<Assignment>) {
        let mut attributes = EdgeAttributes::default();
        loop {
            self.skip_space();
            let next = self.tokens.peek().cloned();
            match next {
                Some(Token { kind: TokenKind::EdgeEnd(assignment), span }) => {
                    self.take();
                    self.part(span.start..span.start + 1, PartRole::Bracket);
                    return (attributes, assignment);
                }
                Some(Token {
                    kind: TokenKind::KeyValue { propagate: false, name, value, .. },
                    span,
                }) => {
                    self.take();
                    self.part(span.clone(), PartRole::EdgeAttribute);
                    self.edge_attribute(&mut attributes, name, value, span);
                }
                other => {
                    let end = self.text.len()..self.text.len();
                    let span = other.map_or(end, |token| token.span);
                    self.problem(ParseErrorKind::ExpectedEdgeAttribute, span);
                    return (attributes, None);
                }
            }
        }
    }

    fn edge_attribute(
        &mut self,
        attributes: &mut EdgeAttributes,
        name: Span,
        value: Span,
        whole: Span,
    ) {
        let text = unquoted(&self.text[value]);
        let problem = match &self.text[name] {
            "deptypes" => {
                let mut deptypes = Deptypes::default();
                let unknown = text.split(',').find(|name| match Deptypes::named(name) {
                    Some(deptype) => {
                        deptypes = deptypes.union(deptype);
                        false
                    }
                    None => true,
                });
                attributes.deptypes = deptypes;
                unknown.map(|found| ParseErrorKind::UnknownDeptype { found: found.to_owned() })
            }
            "virtuals" => {
                let is_name = |name: &str| {
                    !name.is_empty()
                        && !name.starts_with('-')
                        && name
                            .bytes()
                            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
                };
                attributes.virtuals =
                    text.split(',').filter(|name| is_name(name)).map(str::to_owned).collect();
                text.split(',')
                    .find(|name| !is_name(name))
                    .map(|found| ParseErrorKind::BadVirtual { found: found.to_owned() })
            }
            "when" if self.dialect == Dialect::V1 => {
                // Spack uses the text before the first comma.
                let condition = text.split(',').next().unwrap_or_default();
                self.condition(attributes, condition)
            }
            name => Some(ParseErrorKind::UnknownEdgeAttribute { name: name.to_owned() }),
        };
        if let Some(kind) = problem {
            self.problem(kind, whole);
        }
    }

    fn condition(&self, attributes: &mut EdgeAttributes, text: &str) -> Option<ParseErrorKind> {
        if self.depth >= DEEPEST_CONDITION {
            let problem = "conditions within conditions are too deep".to_owned();
            return Some(ParseErrorKind::BadCondition { problem });
        }
        let SpecDraft { spec, problems, .. } =
            Reader::new(text, self.dialect, self.depth + 1).read();
        attributes.when = (!spec.root.is_any()).then(|| Box::new(spec));
        let problem = problems.into_iter().next()?.to_string();
        Some(ParseErrorKind::BadCondition { problem })
    }
}
