//! Tokens: how the text of a spec is split.
//!
//! Spack splits it with one regular expression, whose alternatives are tried in order. This lexer does the same by
//! hand: where two kinds could match, the one that comes first in [`Lexer::next_token`] wins, as in Spack. White space
//! is part of a token only where the table shows it:
//!
//! | token | text | Spack 1.x | before |
//! |---|---|---|---|
//! | start of edge attributes | `^[`, `%[`, `%%[` | yes | `^[` only |
//! | end of edge attributes | `]`, `] c,cxx=gcc` | yes | `]` only |
//! | dependency | `^`, `%`, `%%`, `% c,cxx=gcc` | yes | `^` only |
//! | git version | `@git.main`, `@git.main=develop`, `@<40 hex digits>` | yes | yes |
//! | version | `@ 1.2 , 1.4:` | yes | yes |
//! | boolean variant | `+ x`, `~ x`, `- x`, `++ x`, `~~ x`, `-- x` | yes | yes |
//! | key and value | `k=v`, `k==v`, `k='any text'` | and `k:=v` | yes |
//! | compiler | `% gcc`, `% gcc @ 13:` | no | yes |
//! | file name | `./a.json`, `a/b.yaml` | yes | yes |
//! | name | `hdf5`, `builtin.hdf5` | and `*` | yes |
//! | hash | `/abc` | yes | yes |
//!
//! The work is linear in the length of the text. Only names and file names need care: a run of characters may have to
//! be read to its end to find that it is not one, so that end is kept for the next tokens.

use crate::{Dialect, Span};

/// A piece of a spec's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Space,
    EdgeStart,
    EdgeEnd(Option<Assignment>),
    Dependency(Option<Assignment>),
    /// With the `@`.
    Version,
    BoolVariant {
        propagate: bool,
        name: Span,
    },
    KeyValue {
        propagate: bool,
        exact: bool,
        name: Span,
        value: Span,
    },
    /// Before Spack 1.0 only.
    Compiler {
        name: Span,
        versions: Option<Span>,
    },
    FileName,
    QualifiedName,
    /// Or `*`.
    Name,
    Hash,
    /// A character that no token can start with, and the space after it.
    Unexpected,
}

/// `c,cxx=gcc`: virtual packages, and the package that must provide them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    pub(crate) virtuals: Span,
    pub(crate) package: Span,
}

/// Splits a text into tokens.
pub(crate) struct Lexer<'a> {
    pub(super) text: &'a str,
    dialect: Dialect,
    at: usize,
    /// The end of the current run of characters that can be in a name.
    name_end: usize,
    /// The end of the current run that can be the first component of a file name.
    word_end: usize,
    /// The end of the current run of characters that can be in a file name, and the end of the last `.json` or `.yaml`
    /// in it.
    file_end: usize,
    extension_end: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Lexer<'a> {
        Lexer { text, dialect, at: 0, name_end: 0, word_end: 0, file_end: 0, extension_end: 0 }
    }

    fn next_token(&mut self) -> Option<Token> {
        let start = self.at;
        let first = self.text[start..].chars().next()?;
        let (kind, end) = self
            .sigil(first)
            .or_else(|| self.key_value(start))
            .or_else(|| self.file_name(start, first))
            .or_else(|| self.name(start))
            .or_else(|| self.hash(start))
            .unwrap_or_else(|| (TokenKind::Unexpected, self.after_space(start + first.len_utf8())));
        self.at = end;
        Some(Token { kind, span: start..end })
    }

    /// Returns the token whose kind is decided by its first character.
    fn sigil(&self, first: char) -> Option<(TokenKind, usize)> {
        let next = self.at + first.len_utf8();
        match first {
            _ if is_space(first) => Some((TokenKind::Space, self.after_space(next))),
            '^' | '%' => self.dependency(first, next),
            ']' => {
                let assignment = self.assignment(next);
                let end = assignment.as_ref().map_or(next, |found| found.package.end);
                Some((TokenKind::EdgeEnd(assignment), end))
            }
            '@' => self.version(next).map(|end| (TokenKind::Version, end)),
            '+' | '~' | '-' => self.bool_variant(first, next),
            '*' if self.dialect == Dialect::V1 => Some((TokenKind::Name, next)),
            _ => None,
        }
    }

    fn dependency(&self, first: char, next: usize) -> Option<(TokenKind, usize)> {
        if first == '%' && self.dialect == Dialect::V0 {
            return self.compiler(next);
        }
        let is_double =
            first == '%' && self.byte(next) == Some(b'%') && self.dialect == Dialect::V1;
        let sigil_end = if is_double { next + 1 } else { next };
        if self.byte(sigil_end) == Some(b'[') {
            return Some((TokenKind::EdgeStart, sigil_end + 1));
        }
        let assignment = self.assignment(sigil_end);
        let end = assignment.as_ref().map_or(sigil_end, |found| found.package.end);
        Some((TokenKind::Dependency(assignment), end))
    }

    fn compiler(&self, next: usize) -> Option<(TokenKind, usize)> {
        let start = self.after_space(next);
        let name = start..self.name_at(start)?;
        let sign = self.after_space(name.end);
        let versions = (self.byte(sign) == Some(b'@'))
            .then(|| self.after_space(sign + 1))
            .and_then(|list| Some(list..self.version_list(list)?));
        let end = versions.as_ref().map_or(name.end, |versions| versions.end);
        Some((TokenKind::Compiler { name, versions }, end))
    }

    /// Reads `c,cxx=gcc`, after any space.
    fn assignment(&self, at: usize) -> Option<Assignment> {
        if self.dialect == Dialect::V0 {
            return None;
        }
        let start = self.after_space(at);
        let mut end = self.identifier_at(start)?;
        while self.byte(end) == Some(b',') {
            end = self.identifier_at(end + 1)?;
        }
        if self.byte(end) != Some(b'=') {
            return None;
        }
        let package = end + 1..self.dotted_at(end + 1)?.0;
        Some(Assignment { virtuals: start..end, package })
    }

    fn bool_variant(&self, first: char, next: usize) -> Option<(TokenKind, usize)> {
        let is_double = self.byte(next) == Some(first as u8);
        for (propagate, sigil_end) in [(true, next + 1), (false, next)] {
            if propagate && !is_double {
                continue;
            }
            let start = self.after_space(sigil_end);
            if let Some(end) = self.name_at(start) {
                return Some((TokenKind::BoolVariant { propagate, name: start..end }, end));
            }
        }
        None
    }

    fn key_value(&mut self, start: usize) -> Option<(TokenKind, usize)> {
        self.byte(start).filter(|byte| is_word(*byte))?;
        if self.name_end <= start {
            self.name_end = self.run(start, is_name);
        }
        let name = start..self.name_end;
        let exact = self.dialect == Dialect::V1 && self.byte(name.end) == Some(b':');
        let sign = name.end + usize::from(exact);
        if self.byte(sign) != Some(b'=') {
            return None;
        }
        let (propagate, value) = match self.byte(sign + 1) {
            Some(b'=') => match self.value(sign + 2) {
                Some(end) => (true, sign + 2..end),
                // A value may contain an equals sign.
                None => (false, sign + 1..self.value(sign + 1)?),
            },
            _ => (false, sign + 1..self.value(sign + 1)?),
        };
        let end = value.end;
        Some((TokenKind::KeyValue { propagate, exact, name, value }, end))
    }

    fn value(&self, at: usize) -> Option<usize> {
        match self.byte(at)? {
            quote @ (b'\'' | b'"') => {
                let mut escaped = false;
                self.text.as_bytes()[at + 1..].iter().enumerate().find_map(|(offset, &byte)| {
                    let closes = byte == quote && !escaped;
                    escaped = byte == b'\\';
                    closes.then_some(at + offset + 2)
                })
            }
            _ => {
                let dialect = self.dialect;
                let end = self.run(at, |byte| is_value(byte, dialect));
                (end > at).then_some(end)
            }
        }
    }

    fn file_name(&mut self, start: usize, first: char) -> Option<(TokenKind, usize)> {
        let starts_with_word = first.is_ascii() && is_file_word(first as u8);
        let starts_with_sign = matches!(first, '.' | '/');
        if !starts_with_sign && !starts_with_word || self.last_extension(start) <= start {
            return None;
        }
        let prefix_end = if starts_with_sign {
            start + 1
        } else {
            if self.word_end <= start {
                self.word_end = self.run(start, is_file_word);
            }
            (self.byte(self.word_end) == Some(b'/')).then_some(self.word_end + 1)?
        };
        // The extension must come after the prefix.
        (self.extension_end >= prefix_end + ".json".len())
            .then_some((TokenKind::FileName, self.extension_end))
    }

    /// Returns the end of the last file extension in the run of file-name characters that starts here; 0 if there is none.
    fn last_extension(&mut self, start: usize) -> usize {
        if self.file_end <= start {
            self.file_end =
                self.run(start, |byte| is_file_word(byte) || matches!(byte, b'.' | b'/'));
            let run = &self.text[start..self.file_end];
            let ends = [".json", ".yaml"].map(|extension| run.rfind(extension));
            self.extension_end =
                ends.into_iter().flatten().max().map_or(0, |place| start + place + ".json".len());
        }
        self.extension_end
    }

    fn name(&self, start: usize) -> Option<(TokenKind, usize)> {
        let (end, is_dotted) = self.dotted_at(start)?;
        Some((if is_dotted { TokenKind::QualifiedName } else { TokenKind::Name }, end))
    }

    fn hash(&self, start: usize) -> Option<(TokenKind, usize)> {
        let end = self.run(start + 1, is_word);
        (self.byte(start) == Some(b'/') && end > start + 1).then_some((TokenKind::Hash, end))
    }

    /// Returns the end of a name that may have dots, such as the name of a variant.
    fn name_at(&self, at: usize) -> Option<usize> {
        self.byte(at).filter(|byte| is_word(*byte)).map(|_| self.run(at, is_name))
    }

    /// Returns the end of a name without dots.
    fn identifier_at(&self, at: usize) -> Option<usize> {
        self.byte(at)
            .filter(|byte| is_word(*byte))
            .map(|_| self.run(at, |byte| is_word(byte) || byte == b'-'))
    }

    /// Returns the end of a dotted name, and whether it contains a dot.
    fn dotted_at(&self, at: usize) -> Option<(usize, bool)> {
        let mut end = self.identifier_at(at)?;
        let mut is_dotted = false;
        while self.byte(end) == Some(b'.')
            && let Some(next) = self.identifier_at(end + 1)
        {
            (end, is_dotted) = (next, true);
        }
        Some((end, is_dotted))
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn run(&self, at: usize, is_part: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_part(**byte)).count()
    }

    pub(super) fn after_space(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_start_matches(is_space).len()
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.next_token()
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}

fn is_file_word(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

fn is_value(byte: u8, dialect: Dialect) -> bool {
    is_word(byte)
        || b"-+*.,:=~/\\".contains(&byte)
        || dialect == Dialect::V1 && matches!(byte, b'%' | b'^')
}

/// Returns `true` for white space as regular expressions define it.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}
