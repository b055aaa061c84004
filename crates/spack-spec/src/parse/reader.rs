//! Turns tokens into a spec and the roles of its pieces.
//!
//! One reader serves both programs and people. It reads on after a problem, so that the rest of what someone types is
//! still understood; a program uses the first problem and ignores the rest.
//!
//! Problems are reported in the order in which Spack finds them. Spack looks one token ahead, so an unreadable
//! character is reported before a mistake in the token before it.

use std::iter::Peekable;

use super::error::{ParseError, ParseErrorKind};
use super::token::{Assignment, Lexer, Token, TokenKind};
use super::{PartRole, SPEC_LIMIT, SpecDraft, SpecPart};
use crate::sorted::SortedList;
use crate::span::Span;
use crate::spec::{Dependency, Node, Spec};
use crate::{Deptypes, Dialect, merge};

/// Compilers that Spack 1.x calls by the name of their package: the old name, and the package.
pub(crate) const RENAMED_COMPILERS: [(&str, &str); 5] = [
    ("clang", "llvm"),
    ("oneapi", "intel-oneapi-compilers"),
    ("rocmcc", "llvm-amdgpu"),
    ("intel", "intel-oneapi-compiler-classic"),
    ("arm", "acfl"),
];

/// Returns the package that the old name of a compiler means.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    RENAMED_COMPILERS.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

/// Reading stops after this many problems.
const MANY_PROBLEMS: usize = 100;

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) dialect: Dialect,
    pub(super) depth: usize,
    pub(super) tokens: Peekable<Lexer<'a>>,
    draft: SpecDraft,
    /// The number of dependencies, variants, values, flags and versions read so far.
    length: usize,
    /// The node that the pieces being read belong to, numbered in the order of the text; 0 is the root.
    node: usize,
}

/// The attributes between the brackets of `^[…]`.
#[derive(Default)]
pub(super) struct EdgeAttributes {
    pub(super) deptypes: Deptypes,
    pub(super) virtuals: SortedList<String>,
    pub(super) when: Option<Box<Spec>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect, depth: usize) -> Reader<'a> {
        let spec = Spec { dialect, root: Node::default() };
        let draft = SpecDraft { spec, problems: Vec::new(), parts: Vec::new() };
        let tokens = Lexer::new(text, dialect).peekable();
        Reader { text, dialect, depth, tokens, draft, length: 0, node: 0 }
    }

    pub(super) fn read(mut self) -> SpecDraft {
        let mut root = self.node(None);
        // The index of the last `^` among the root's dependencies; a `%` after it belongs to it.
        let mut current: Option<usize> = None;
        let mut nodes = 0;
        while !self.is_over()
            && let Some(token) = self.take()
        {
            let sigil = &self.text[token.span.clone()];
            let (direct, propagate) = (sigil.starts_with('%'), sigil.starts_with("%%"));
            let role = if direct { PartRole::Direct } else { PartRole::Transitive };
            nodes += 1;
            self.node = nodes;
            let (attributes, assignment) = match &token.kind {
                TokenKind::EdgeStart => {
                    let bracket = token.span.end - 1;
                    self.part(token.span.start..bracket, role);
                    self.part(bracket..token.span.end, PartRole::Bracket);
                    self.edge_attributes()
                }
                TokenKind::Dependency(assignment) => {
                    let sigil = self.sigil_span(&token.span);
                    self.part(sigil, role);
                    (EdgeAttributes::default(), assignment.clone())
                }
                // A node ends where a dependency starts, and nowhere else.
                _ => break,
            };
            if self.count(1, &token.span) {
                break;
            }
            let is_missing = self.is_dependency_missing(&token, assignment.is_some());
            let EdgeAttributes { deptypes, mut virtuals, when } = attributes;
            if let Some(Assignment { virtuals: names, .. }) = &assignment {
                self.part(names.clone(), PartRole::Virtual);
                virtuals.extend(self.text[names.clone()].split(',').map(str::to_owned));
            }

            let mut node = self.node(assignment.map(|assignment| assignment.package));
            if is_missing || self.dialect == Dialect::V0 && node.is_any() {
                self.problem(ParseErrorKind::ExpectedDependency, token.span);
                continue;
            }
            if direct && let Some(name) = &mut node.name {
                renamed(name).into_iter().for_each(|new| *name = new.to_owned());
            }
            let name = node.name.clone().unwrap_or_default();
            let new = Dependency { direct, propagate, deptypes, virtuals, when, node };
            let parent = match current.filter(|_| direct) {
                // `%gcc ^gcc %binutils`: the `^` was merged into the `%`, which cannot have dependencies.
                Some(place) if root.dependencies[place].direct => {
                    self.problem(ParseErrorKind::ConflictingDependencies { name }, token.span);
                    continue;
                }
                Some(place) => &mut root.dependencies[place].node.dependencies,
                None => &mut root.dependencies,
            };
            match merge::add(parent, new) {
                Ok(place) if !direct => current = Some(place),
                Ok(_) => {}
                Err(merge::Conflict) => {
                    self.problem(ParseErrorKind::ConflictingDependencies { name }, token.span);
                }
            }
        }
        sort(&mut root.dependencies);
        self.draft.spec.root = root;
        self.draft
    }

    /// Records a token that cannot be part of a spec here.
    pub(super) fn extra(&mut self, token: Token) {
        let span = token.span;
        let text = &self.text[span.clone()];
        let rest = &self.text[span.end..];
        let kind = match token.kind {
            TokenKind::Unexpected => unexpected(text),
            TokenKind::FileName => ParseErrorKind::FileName,
            TokenKind::Name | TokenKind::QualifiedName => {
                let after = rest.strip_prefix(':').unwrap_or(rest);
                match after.strip_prefix("==").or_else(|| after.strip_prefix('=')) {
                    Some(value) if value.starts_with(['\'', '"']) => ParseErrorKind::UnclosedQuote,
                    Some(_) => ParseErrorKind::ExpectedValue { name: text.to_owned() },
                    None => ParseErrorKind::MoreThanOneSpec { found: text.to_owned() },
                }
            }
            _ => ParseErrorKind::MoreThanOneSpec { found: text.to_owned() },
        };
        let first = text.chars().next().map_or(0, char::len_utf8);
        let is_character = token.kind == TokenKind::Unexpected;
        let mut shown = if is_character { span.start..span.start + first } else { span };
        if let ParseErrorKind::ExpectedValue { .. } = kind {
            let sign = rest.len() - rest.trim_start_matches([':', '=']).len();
            shown.end += sign;
        }
        let is_shown = |next: &Token| next.span.start < shown.end;
        while self.tokens.next_if(is_shown).is_some() {}
        self.part(shown.clone(), PartRole::Problem);
        self.problem(kind, shown);
    }

    /// Returns `true` if nothing valid follows the sigil of a dependency.
    fn is_dependency_missing(&mut self, sign: &Token, has_package: bool) -> bool {
        self.skip_space();
        match (self.dialect, self.tokens.peek().map(|next| &next.kind)) {
            (_, _) if has_package => false,
            (Dialect::V0, next) => {
                matches!(next, None | Some(TokenKind::Dependency(_) | TokenKind::EdgeStart))
            }
            (Dialect::V1, next) => {
                next.is_none()
                    && sign.kind == TokenKind::Dependency(None)
                    && self.text[sign.span.clone()].starts_with('%')
            }
        }
    }

    /// Returns the span of the sigil without the assignment that may follow it in the token.
    fn sigil_span(&self, token: &Span) -> Span {
        let length = if self.text[token.clone()].starts_with("%%") { 2 } else { 1 };
        token.start..token.start + length
    }

    /// Takes the next token that is not space. If an unreadable character follows, takes and reports that too.
    pub(super) fn take(&mut self) -> Option<Token> {
        self.skip_space();
        let token = self.tokens.next()?;
        self.skip_space();
        if token.kind != TokenKind::Unexpected
            && let Some(Token { kind: TokenKind::Unexpected, span }) = self.tokens.peek().cloned()
        {
            let character = self.text[span.clone()].chars().next();
            let end = span.start + character.map_or(0, char::len_utf8);
            self.tokens.next();
            self.part(span.start..end, PartRole::Problem);
            self.problem(unexpected(&self.text[span.clone()]), span.start..end);
        }
        Some(token)
    }

    pub(super) fn skip_space(&mut self) {
        while self.tokens.next_if(|token| token.kind == TokenKind::Space).is_some() {}
    }

    pub(super) fn part(&mut self, span: Span, role: PartRole) {
        // An unreadable character is noticed one token ahead, so a part may have to be inserted before it.
        let parts = &mut self.draft.parts;
        let later = parts.iter().rev().take_while(|part| part.span.start > span.start).count();
        parts.insert(parts.len() - later, SpecPart { span, role, node: self.node });
    }

    pub(super) fn problem(&mut self, kind: ParseErrorKind, span: Span) {
        self.draft.problems.push(ParseError { kind, span });
    }

    /// Counts more parts; returns `true` if the spec now has too many.
    pub(super) fn count(&mut self, parts: usize, span: &Span) -> bool {
        let was_over = self.length > SPEC_LIMIT;
        self.length += parts;
        if self.length > SPEC_LIMIT && !was_over {
            self.problem(ParseErrorKind::TooLong { limit: SPEC_LIMIT }, span.clone());
        }
        self.length > SPEC_LIMIT
    }

    /// Returns `true` if reading must stop.
    pub(super) fn is_over(&self) -> bool {
        self.length > SPEC_LIMIT || self.draft.problems.len() >= MANY_PROBLEMS
    }
}

/// Returns the problem to report for text that no token can start with.
fn unexpected(text: &str) -> ParseErrorKind {
    match text.chars().next().unwrap_or_default() {
        '@' => ParseErrorKind::ExpectedVersion,
        '+' | '~' | '-' => ParseErrorKind::ExpectedVariantName,
        '/' => ParseErrorKind::ExpectedHash,
        '%' => ParseErrorKind::ExpectedDependency,
        character => ParseErrorKind::UnexpectedCharacter(character),
    }
}

/// Sorts dependencies into the order in which they print: direct ones first, then by name.
fn sort(dependencies: &mut [Dependency]) {
    dependencies.sort_by(|one, two| {
        two.direct.cmp(&one.direct).then_with(|| one.node.name.cmp(&two.node.name))
    });
    for dependency in dependencies {
        sort(&mut dependency.node.dependencies);
    }
}
