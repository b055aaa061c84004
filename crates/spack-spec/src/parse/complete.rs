//! Completion: what can be typed next.
//!
//! Only the text up to the cursor counts; what follows the cursor is not being typed.

use super::reader::renamed;
use super::token::{Lexer, Token, TokenKind};
use crate::span::Span;
use crate::{Dialect, Spec};

/// What is being typed at a position in a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The text that a completion replaces: from the start of the word to the cursor; empty if the word has not been
    /// started.
    pub span: Span,
    /// What can be completed there.
    pub expected: CompletionKind,
}

/// What can be written at a position in a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompletionKind {
    /// A package: at the start, or after `^`.
    Package,
    /// A compiler or, since Spack 1.0, any direct dependency: after `%`.
    Compiler,
    /// A version, after `@`.
    Version {
        /// The package or compiler, if named.
        name: Option<String>,
    },
    /// The name of a boolean variant: after `+` or `~`.
    BoolVariant {
        /// The package, if named.
        package: Option<String>,
    },
    /// A value, after `key=`: of a variant, or of `os`, `target` and the like.
    Value {
        /// The package, if named.
        package: Option<String>,
        /// The text before the equals sign.
        key: String,
    },
    /// Anything that can follow a package's name: a key before its equals sign, or any of the sigils.
    Attribute {
        /// The package, if named.
        package: Option<String>,
    },
    /// A hash, after `/`.
    Hash,
    /// `deptypes=`, `virtuals=` or `when=`, between brackets.
    EdgeAttribute,
    /// Nothing that can be completed.
    Nothing,
}

impl Spec {
    /// Returns what is being typed at the cursor, a byte offset.
    ///
    /// ```
    /// use spack_spec::{CompletionKind, Dialect, Spec};
    ///
    /// let text = "hdf5@1.14 +mp ^mpich";
    /// let completion = Spec::complete(text, 13, Dialect::V1);
    /// assert_eq!(&text[completion.span], "mp");
    /// assert_eq!(completion.expected, CompletionKind::BoolVariant { package: Some("hdf5".into()) });
    /// ```
    pub fn complete(text: &str, cursor: usize, dialect: Dialect) -> Completion {
        let mut end = cursor.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let mut context = Context::default();
        let mut tokens = Lexer::new(text, dialect).peekable();
        while let Some(mut token) = tokens.next() {
            // A version that ends in `.` or `,` is not complete.
            let is_dangling = |next: &Token| matches!(&text[next.span.clone()], "." | ",");
            if token.kind == TokenKind::Version
                && let Some(next) = tokens.next_if(is_dangling)
            {
                token.span.end = next.span.end;
            }
            let is_last = tokens.peek().is_none();
            let sign = tokens.peek().filter(|next| {
                next.kind == TokenKind::Unexpected
                    && text[next.span.clone()].starts_with(['=', ':'])
            });
            if let Some(sign) = sign
                && token.kind == TokenKind::Name
                && let Some(found) = context.value(text, &token, sign.span.start)
            {
                return found;
            }
            if is_last && token.kind != TokenKind::Space {
                return context.touching(text, &token);
            }
            context.pass(text, token);
        }
        Completion { span: end..end, expected: context.open() }
    }
}

/// The position of a token within a spec.
struct Context {
    package: Option<String>,
    /// The name after the preceding `%`, in the dialect where it is an attribute.
    compiler: Option<String>,
    /// `true` if the name of a package can come next.
    is_name_next: bool,
    /// `true` if the last dependency sigil was `%`.
    is_direct: bool,
    is_in_brackets: bool,
    /// `true` if the text since that sigil could be the left side of `%c,cxx=gcc`.
    may_assign: bool,
}

impl Default for Context {
    fn default() -> Context {
        Context {
            package: None,
            compiler: None,
            is_name_next: true,
            is_direct: false,
            is_in_brackets: false,
            may_assign: false,
        }
    }
}

impl Context {
    fn pass(&mut self, text: &str, token: Token) {
        let word = &text[token.span.clone()];
        self.may_assign = match token.kind {
            TokenKind::Dependency(None) | TokenKind::EdgeEnd(None) => true,
            TokenKind::Name => self.may_assign,
            TokenKind::Unexpected => self.may_assign && word == ",",
            _ => false,
        };
        if token.kind != TokenKind::Space {
            self.compiler = match &token.kind {
                TokenKind::Compiler { name, versions: None } => Some(text[name.clone()].to_owned()),
                _ => None,
            };
        }
        match token.kind {
            TokenKind::Space => {}
            TokenKind::Name | TokenKind::QualifiedName if self.is_name_next => {
                let name = word.rsplit('.').next().unwrap_or(word);
                self.name(name);
            }
            TokenKind::EdgeStart => {
                self.is_in_brackets = true;
                self.is_direct = word.starts_with('%');
            }
            TokenKind::EdgeEnd(assignment) => {
                self.is_in_brackets = false;
                (self.is_name_next, self.package) = (true, None);
                if let Some(assignment) = assignment {
                    self.name(&text[assignment.package]);
                }
            }
            TokenKind::Dependency(assignment) => {
                self.is_direct = word.starts_with('%');
                (self.is_name_next, self.package) = (true, None);
                if let Some(assignment) = assignment {
                    self.name(&text[assignment.package]);
                }
            }
            _ => self.is_name_next = false,
        }
    }

    fn name(&mut self, name: &str) {
        let renamed = if self.is_direct { renamed(name) } else { None };
        self.package = Some(renamed.unwrap_or(name).to_owned());
        self.is_name_next = false;
    }

    /// Returns what a word that starts here can be.
    fn open(self) -> CompletionKind {
        match (self.is_in_brackets, self.is_name_next, self.is_direct) {
            (true, _, _) => CompletionKind::EdgeAttribute,
            (_, true, true) => CompletionKind::Compiler,
            (_, true, false) => CompletionKind::Package,
            (_, false, _) => CompletionKind::Attribute { package: self.package },
        }
    }

    /// Handles a word followed by an equals sign whose value is not complete.
    fn value(&self, text: &str, word: &Token, sign: usize) -> Option<Completion> {
        let key = text[word.span.clone()].to_owned();
        let start = text.len() - text[sign..].trim_start_matches([':', '=']).len();
        let value = &text[start..];
        // After an open quote, the value continues to the end of the text; otherwise it has not been started.
        let start = match value.chars().next() {
            None => start,
            Some('\'' | '"') => start + 1,
            Some(_) => return None,
        };
        let expected = match (self.may_assign, self.is_direct) {
            (true, true) => CompletionKind::Compiler,
            (true, false) => CompletionKind::Package,
            (false, _) => CompletionKind::Value { package: self.package.clone(), key },
        };
        Some(Completion { span: last_of(text, start, &[',']), expected })
    }

    /// Handles the token that ends at the cursor.
    fn touching(self, text: &str, token: &Token) -> Completion {
        let Span { start, end } = token.span;
        let word = &text[start..end];
        let package = self.package.clone();
        let (start, expected) = match &token.kind {
            TokenKind::Name | TokenKind::QualifiedName => {
                (last_of(text, start, &['.']).start, self.open())
            }
            TokenKind::Version => {
                let start = last_of(text, start + 1, &[',', ':', '=']).start;
                (start, CompletionKind::Version { name: package })
            }
            TokenKind::BoolVariant { name, .. } => {
                (name.start, CompletionKind::BoolVariant { package })
            }
            TokenKind::KeyValue { value, .. } if text[value.clone()].ends_with(['\'', '"']) => {
                (end, CompletionKind::Nothing)
            }
            TokenKind::KeyValue { name, value, .. } => {
                let start = last_of(text, value.start, &[',', ':']).start;
                (start, CompletionKind::Value { package, key: text[name.clone()].to_owned() })
            }
            TokenKind::Compiler { name, versions: Some(versions) } => {
                let start = last_of(text, versions.start, &[',', ':', '=']).start;
                (start, CompletionKind::Version { name: Some(text[name.clone()].to_owned()) })
            }
            TokenKind::Compiler { name, versions: None } => (name.start, CompletionKind::Compiler),
            TokenKind::Hash => (start + 1, CompletionKind::Hash),
            TokenKind::Dependency(assignment) | TokenKind::EdgeEnd(assignment) => {
                let is_direct = match token.kind {
                    TokenKind::EdgeEnd(_) => self.is_direct,
                    _ => word.starts_with('%'),
                };
                let start = assignment.as_ref().map_or(end, |found| found.package.start);
                (start, if is_direct { CompletionKind::Compiler } else { CompletionKind::Package })
            }
            TokenKind::EdgeStart => (end, CompletionKind::EdgeAttribute),
            TokenKind::Unexpected => {
                let expected = match word.chars().next() {
                    Some('@') => CompletionKind::Version { name: self.compiler.or(package) },
                    Some('+' | '~' | '-') => CompletionKind::BoolVariant { package },
                    Some('/') => CompletionKind::Hash,
                    Some('%') => CompletionKind::Compiler,
                    _ => CompletionKind::Nothing,
                };
                (end, expected)
            }
            TokenKind::FileName | TokenKind::Space => (end, CompletionKind::Nothing),
        };
        Completion { span: start..end, expected }
    }
}

/// Returns the span after the last of these separators, or from `start` if there is none.
fn last_of(text: &str, start: usize, separators: &[char]) -> Span {
    let place = text[start..].rfind(separators).map_or(start, |place| start + place + 1);
    place..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Completes the text at the `|`.
    #[track_caller]
    fn check(text: &str, typed: &str, expected: CompletionKind) {
        for dialect in [Dialect::V0, Dialect::V1] {
            check_in(dialect, text, typed, expected.clone());
        }
    }

    #[track_caller]
    fn check_in(dialect: Dialect, text: &str, typed: &str, expected: CompletionKind) {
        let cursor = text.find('|').expect("a cursor");
        let text = text.replacen('|', "", 1);
        let found = Spec::complete(&text, cursor, dialect);
        assert_eq!((&text[found.span], found.expected), (typed, expected), "{dialect:?}");
    }

    fn hdf5() -> Option<String> {
        Some("hdf5".to_owned())
    }

    #[test]
    fn expects_names_first_and_after_signs() {
        check("|", "", CompletionKind::Package);
        check("hd|f5", "hd", CompletionKind::Package);
        check("builtin.hd|", "hd", CompletionKind::Package);
        check("hdf5 ^|", "", CompletionKind::Package);
        check("hdf5 ^ mpi|ch", "mpi", CompletionKind::Package);
        check("hdf5 %|", "", CompletionKind::Compiler);
        check("hdf5 %gc|", "gc", CompletionKind::Compiler);
        check_in(Dialect::V1, "hdf5 %c,cxx=|", "", CompletionKind::Compiler);
        check_in(Dialect::V1, "hdf5 ^mpi=|", "", CompletionKind::Package);
        check_in(Dialect::V1, "hdf5 %c=gc|", "gc", CompletionKind::Compiler);
        check("hdf5 ^[|", "", CompletionKind::EdgeAttribute);
        check("hdf5 ^[virtuals=mpi] |", "", CompletionKind::Package);
    }

    #[test]
    fn expects_attributes_after_a_package() {
        check("hdf5 |", "", CompletionKind::Attribute { package: hdf5() });
        check("hdf5 ap|", "ap", CompletionKind::Attribute { package: hdf5() });
        check("hdf5@|", "", CompletionKind::Version { name: hdf5() });
        check("hdf5@1.2:1.|", "1.", CompletionKind::Version { name: hdf5() });
        check("hdf5@1.2,|", "", CompletionKind::Version { name: hdf5() });
        check("hdf5@1.2:1|", "1", CompletionKind::Version { name: hdf5() });
        check("hdf5@=1.2,=1|", "1", CompletionKind::Version { name: hdf5() });
        check("hdf5 +|", "", CompletionKind::BoolVariant { package: hdf5() });
        check("hdf5~mp|", "mp", CompletionKind::BoolVariant { package: hdf5() });
        check("hdf5 api=|", "", CompletionKind::Value { package: hdf5(), key: "api".into() });
        check("hdf5 api=v1|", "v1", CompletionKind::Value { package: hdf5(), key: "api".into() });
        check("hdf5 api='a,v|", "v", CompletionKind::Value { package: hdf5(), key: "api".into() });
        check(
            "hdf5 target=zen:|",
            "",
            CompletionKind::Value { package: hdf5(), key: "target".into() },
        );
        check("hdf5/|", "", CompletionKind::Hash);
        check("/ab|", "ab", CompletionKind::Hash);
        check_in(
            Dialect::V1,
            "a %clang@|",
            "",
            CompletionKind::Version { name: Some("llvm".into()) },
        );
        check_in(Dialect::V0, "a %gcc@|", "", CompletionKind::Version { name: Some("gcc".into()) });
        check_in(
            Dialect::V0,
            "a %gcc@1|",
            "1",
            CompletionKind::Version { name: Some("gcc".into()) },
        );
        check_in(
            Dialect::V1,
            "hdf5 %gcc ^mpich +|",
            "",
            CompletionKind::BoolVariant { package: Some("mpich".into()) },
        );
    }
}
