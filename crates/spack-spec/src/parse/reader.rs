//! From tokens to a spec, and to the roles of all pieces.
//!
//! One reader serves both programs and people. It goes on after a problem, so that the rest of
//! what someone types is still understood; whoever wants none of that takes the first problem.
//!
//! Problems are found in the order in which Spack finds them: it looks one token ahead, so a
//! character that cannot be read is noticed before a mistake in the token in front of it.

use std::iter::Peekable;

use super::error::{ParseError, ParseErrorKind};
use super::token::{Assignment, Lexer, Span, Token, TokenKind};
use super::{LIMIT, Part, Reading, Role};
use crate::flags::{self, FLAG_NAMES, FlagConstraint};
use crate::merge;
use crate::quote::unquoted;
use crate::spec::{CompilerConstraint, Dependency, Deptypes, Node, Spec};
use crate::{Dialect, TargetConstraint, VariantConstraint};

/// What Spack 1.x calls the packages of some compilers, by the names that stood after `%` before.
pub(crate) const RENAMED_COMPILERS: [(&str, &str); 5] = [
    ("clang", "llvm"),
    ("oneapi", "intel-oneapi-compilers"),
    ("rocmcc", "llvm-amdgpu"),
    ("intel", "intel-oneapi-compiler-classic"),
    ("arm", "acfl"),
];

/// Names that Spack uses itself, and that no dependency can take over.
const RESERVED: [&str; 13] = [
    "arch",
    "architecture",
    "dev_path",
    "namespace",
    "operating_system",
    "os",
    "patches",
    "platform",
    "target",
    // Since Spack 1.0:
    "branch",
    "commit",
    "ref",
    "tag",
];

/// How many of [`RESERVED`] were reserved before Spack 1.0.
const RESERVED_BEFORE_1: usize = 9;

/// Problems after which nobody reads on.
const MANY_PROBLEMS: usize = 100;

/// A condition within a condition within a condition, and no deeper.
const DEEPEST_CONDITION: usize = 3;

pub(super) struct Reader<'a> {
    text: &'a str,
    dialect: Dialect,
    depth: usize,
    tokens: Peekable<Lexer<'a>>,
    reading: Reading,
    /// How many variants, flags and dependencies were read.
    length: usize,
    /// Which node the pieces read now belong to, counted as they come.
    node: usize,
}

/// What stands between the brackets of `^[…]`.
#[derive(Default)]
struct EdgeAttributes {
    deptypes: Deptypes,
    virtuals: Vec<String>,
    when: Option<Box<Spec>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect, depth: usize) -> Reader<'a> {
        let spec = Spec { dialect, root: Node::default() };
        let reading = Reading { spec, problems: Vec::new(), parts: Vec::new() };
        let tokens = Lexer::new(text, dialect).peekable();
        Reader { text, dialect, depth, tokens, reading, length: 0, node: 0 }
    }

    pub(super) fn read(mut self) -> Reading {
        let mut root = self.node(None);
        // The place of the last `^` among the root's dependencies: a `%` after it belongs to it.
        let mut current: Option<usize> = None;
        let mut nodes = 0;
        while !self.is_over()
            && let Some(token) = self.take()
        {
            let (attributes, assignment) = match &token.kind {
                TokenKind::EdgeStart => {
                    self.part(token.span.clone(), Role::Sigil);
                    self.edge_attributes()
                }
                TokenKind::Dependency(assignment) => {
                    let sigil = self.sigil_span(&token.span);
                    self.part(sigil, Role::Sigil);
                    (EdgeAttributes::default(), assignment.clone())
                }
                // A node ends before a dependency, and nowhere else.
                _ => break,
            };
            let sigil = &self.text[token.span.clone()];
            let (direct, propagate) = (sigil.starts_with('%'), sigil.starts_with("%%"));
            self.count(&token.span);
            nodes += 1;
            self.node = nodes;
            let is_missing = self.is_dependency_missing(&token, assignment.is_some());
            let EdgeAttributes { deptypes, mut virtuals, when } = attributes;
            if let Some(Assignment { virtuals: names, .. }) = &assignment {
                self.part(names.clone(), Role::Virtual);
                virtuals.extend(self.text[names.clone()].split(',').map(str::to_owned));
            }
            virtuals.sort_unstable();
            virtuals.dedup();
            let mut node = self.node(assignment.map(|assignment| assignment.package));
            if is_missing || self.dialect == Dialect::V0 && node.is_any() {
                self.problem(ParseErrorKind::ExpectedDependency, token.span);
                continue;
            }
            if direct && let Some(name) = &mut node.name {
                let renamed = RENAMED_COMPILERS.iter().find(|(old, _)| old == name);
                renamed.iter().for_each(|(_, new)| *name = (*new).to_owned());
            }
            let name = node.name.clone().unwrap_or_default();
            let new = Dependency { direct, propagate, deptypes, virtuals, when, node };
            let parent = match current.filter(|_| direct) {
                // `%gcc ^gcc %binutils`: the `^` was made one with the `%`, which has nothing below.
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
        sort(&mut root);
        self.reading.spec.root = root;
        self.reading
    }

    /// One node: a name, or none, and what is asked of it.
    fn node(&mut self, name: Option<Span>) -> Node {
        let mut node = Node::default();
        match name {
            Some(span) => self.name(&mut node, span),
            None => {
                let is_name = |token: &Token| {
                    matches!(token.kind, TokenKind::Name | TokenKind::QualifiedName)
                };
                self.skip_space();
                if self.tokens.peek().is_some_and(is_name)
                    && let Some(token) = self.take()
                {
                    self.name(&mut node, token.span);
                }
            }
        }
        let mut has_version = false;
        loop {
            self.skip_space();
            let has_hash = node.hash.is_some();
            let ends =
                |kind: &TokenKind| matches!(kind, TokenKind::EdgeStart | TokenKind::Dependency(_));
            let is_extra = |kind: &TokenKind| match kind {
                TokenKind::Version
                | TokenKind::BoolVariant { .. }
                | TokenKind::KeyValue { .. }
                | TokenKind::Compiler { .. } => false,
                TokenKind::Hash => has_hash,
                _ => true,
            };
            if self.is_over() || self.tokens.peek().is_none_or(|next| ends(&next.kind)) {
                return node;
            }
            // Someone types: what follows a mistake still belongs to this node.
            if let Some(extra) = self.tokens.next_if(|next| is_extra(&next.kind)) {
                self.extra(extra);
                continue;
            }
            let Some(token) = self.take() else { return node };
            match token.kind {
                TokenKind::Version => self.version(&mut node, &mut has_version, token.span),
                TokenKind::BoolVariant { propagate, name } => {
                    self.bool_variant(&mut node, &token.span, propagate, name);
                }
                TokenKind::KeyValue { .. } => self.key_value(&mut node, token),
                TokenKind::Compiler { name, versions } => {
                    self.compiler(&mut node, &token.span, name, versions);
                }
                TokenKind::Hash => {
                    self.part(token.span.clone(), Role::Hash);
                    node.hash = Some(self.text[token.span.start + 1..token.span.end].to_owned());
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, node: &mut Node, span: Span) {
        let text = &self.text[span.clone()];
        if text == "*" {
            self.part(span, Role::Package);
            return;
        }
        match text.rsplit_once('.') {
            None => {
                node.name = Some(text.to_owned());
                self.part(span, Role::Package);
            }
            Some((namespace, name)) => {
                node.name = Some(name.to_owned());
                node.namespace = Some(namespace.to_owned());
                let dot = span.start + namespace.len() + 1;
                self.part(span.start..dot, Role::Namespace);
                self.part(dot..span.end, Role::Package);
            }
        }
    }

    fn version(&mut self, node: &mut Node, has_version: &mut bool, span: Span) {
        self.part(span.clone(), Role::Version);
        if std::mem::replace(has_version, true) {
            return self.problem(ParseErrorKind::VersionGivenTwice, span);
        }
        match self.text[span.start + 1..span.end].parse() {
            Ok(versions) => node.versions = versions,
            Err(error) => self.problem(ParseErrorKind::Version(error), span),
        }
    }

    fn compiler(&mut self, node: &mut Node, whole: &Span, name: Span, versions: Option<Span>) {
        self.part(whole.start..whole.start + 1, Role::Sigil);
        self.part(name.clone(), Role::Compiler);
        let mut compiler = CompilerConstraint {
            name: self.text[name].to_owned(),
            versions: crate::VersionConstraint::any(),
        };
        if let Some(span) = versions {
            self.part(span.clone(), Role::Version);
            match self.text[span.clone()].parse() {
                Ok(versions) => compiler.versions = versions,
                Err(error) => self.problem(ParseErrorKind::Version(error), span),
            }
        }
        if node.compiler.is_some() {
            return self.problem(ParseErrorKind::CompilerGivenTwice, whole.clone());
        }
        node.compiler = Some(compiler);
    }

    fn bool_variant(&mut self, node: &mut Node, whole: &Span, propagate: bool, name: Span) {
        self.part(whole.clone(), Role::Variant);
        self.count(whole);
        let is_on = self.text[whole.clone()].starts_with('+');
        let name = &self.text[name];
        let takes_text = matches!(
            name,
            "arch"
                | "architecture"
                | "platform"
                | "os"
                | "operating_system"
                | "target"
                | "namespace"
        );
        if takes_text || FLAG_NAMES.contains(&name) {
            let name = name.to_owned();
            return self.problem(ParseErrorKind::ExpectedText { name }, whole.clone());
        }
        let wanted = crate::Wanted::Bool(is_on);
        let variant = VariantConstraint { name: name.to_owned(), wanted, propagate };
        self.variant(node, variant, whole);
    }

    fn key_value(&mut self, node: &mut Node, token: Token) {
        let TokenKind::KeyValue { propagate, exact, name, value } = token.kind else { return };
        let whole = token.span;
        let key = &self.text[name.clone()];
        let role = match key {
            "arch" | "architecture" | "platform" | "os" | "operating_system" | "target" => {
                Role::Architecture
            }
            "namespace" => Role::Namespace,
            _ if FLAG_NAMES.contains(&key) => Role::Flag,
            _ => Role::Variant,
        };
        self.part(whole.clone(), role);
        self.count(&whole);
        let text = unquoted(&self.text[value]);
        if propagate && self.is_reserved(key) {
            let name = key.to_owned();
            return self.problem(ParseErrorKind::CannotPropagate { name }, whole);
        }
        match key {
            "arch" | "architecture" => {
                let parts: Vec<&str> = text.splitn(4, '-').collect();
                let parts = match parts[..] {
                    [platform, os, target] => [Some(platform), Some(os), Some(target)],
                    _ => [None, None, Some(&*text)],
                };
                self.architecture(node, &[Some(parts[0]), Some(parts[1]), Some(parts[2])], whole);
            }
            "platform" => self.architecture(node, &[Some(Some(&text)), None, None], whole),
            "os" | "operating_system" => {
                self.architecture(node, &[None, Some(Some(&text)), None], whole);
            }
            "target" => self.architecture(node, &[None, None, Some(Some(&text))], whole),
            "namespace" => node.namespace = Some(text.into_owned()),
            _ if role == Role::Flag => {
                let flags = flags::split(&text, propagate);
                self.length += flags.len();
                self.flags(node, key, flags);
            }
            _ => match self.values(key, &text, exact, propagate) {
                Ok(variant) => self.variant(node, variant, &whole),
                Err(kind) => self.problem(kind, whole),
            },
        }
    }

    fn is_reserved(&self, name: &str) -> bool {
        match self.dialect {
            Dialect::V0 => RESERVED[..RESERVED_BEFORE_1].contains(&name),
            Dialect::V1 => RESERVED.contains(&name),
        }
    }

    /// For each of platform, system and target: whether it is named, and what it is set to.
    fn architecture(&mut self, node: &mut Node, parts: &[Option<Option<&str>>; 3], whole: Span) {
        let architecture = &mut node.architecture;
        if architecture.is_complete() {
            return self.problem(ParseErrorKind::ArchitectureComplete, whole);
        }
        let text = |part: Option<Option<&str>>| {
            part.flatten().filter(|text| !matches!(*text, "" | "None")).map(str::to_owned)
        };
        let given = [
            ("platform", architecture.platform.is_some()),
            ("os", architecture.os.is_some()),
            ("target", architecture.target.is_some()),
        ];
        for (named, (part, is_given)) in parts.iter().zip(given) {
            if named.is_some() && is_given {
                return self.problem(ParseErrorKind::ArchitectureGivenTwice { part }, whole);
            }
        }
        architecture.platform = architecture.platform.take().or_else(|| text(parts[0]));
        architecture.os = architecture.os.take().or_else(|| text(parts[1]));
        let target = text(parts[2]).map(|text| TargetConstraint::new(&text));
        architecture.target = architecture.target.take().or(target);
    }

    fn flags(&mut self, node: &mut Node, name: &str, mut flags: Vec<flags::Flag>) {
        if flags.is_empty() {
            return;
        }
        match node.flags.binary_search_by(|known| known.name.as_str().cmp(name)) {
            Ok(place) => node.flags[place].flags.append(&mut flags),
            Err(place) => {
                node.flags.insert(place, FlagConstraint { name: name.to_owned(), flags });
            }
        }
    }

    fn values(
        &self,
        name: &str,
        text: &str,
        exact: bool,
        propagate: bool,
    ) -> Result<VariantConstraint, ParseErrorKind> {
        let mut text = std::borrow::Cow::Borrowed(text);
        if self.dialect == Dialect::V0 && text.contains(',') {
            let ends = text.len() - text.trim_start().len()..text.trim_end().len();
            let inner: Vec<&str> = text[ends.clone()].split(',').map(str::trim).collect();
            let joined = inner.join(",");
            text = format!("{}{joined}{}", &text[..ends.start], &text[ends.end..]).into();
        }
        let stands_alone: &[&str] = match self.dialect {
            Dialect::V0 => &["none", "*"],
            Dialect::V1 => &["*"],
        };
        for value in stands_alone {
            if text.contains(',') && text.split(',').any(|part| part == *value) {
                return Err(ParseErrorKind::ValueStandsAlone { value });
            }
        }
        Ok(VariantConstraint::key_value(name, &text, exact, propagate))
    }

    fn variant(&mut self, node: &mut Node, variant: VariantConstraint, whole: &Span) {
        match node.variants.binary_search_by(|known| known.name.cmp(&variant.name)) {
            Ok(_) => {
                let name = variant.name;
                self.problem(ParseErrorKind::VariantGivenTwice { name }, whole.clone());
            }
            Err(place) => node.variants.insert(place, variant),
        }
    }

    /// What stands between brackets, up to and with their end.
    fn edge_attributes(&mut self) -> (EdgeAttributes, Option<Assignment>) {
        let mut attributes = EdgeAttributes::default();
        loop {
            self.skip_space();
            let next = self.tokens.peek().cloned();
            match next {
                Some(Token { kind: TokenKind::EdgeEnd(assignment), span }) => {
                    self.take();
                    self.part(span.start..span.start + 1, Role::Sigil);
                    return (attributes, assignment);
                }
                Some(Token {
                    kind: TokenKind::KeyValue { propagate: false, name, value, .. },
                    span,
                }) => {
                    self.take();
                    self.part(span.clone(), Role::EdgeAttribute);
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
                // Spack takes what stands before the first comma.
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
        let Reading { spec, problems, .. } = Reader::new(text, self.dialect, self.depth + 1).read();
        attributes.when = (!spec.root.is_any()).then(|| Box::new(spec));
        let problem = problems.into_iter().next()?.to_string();
        Some(ParseErrorKind::BadCondition { problem })
    }

    /// What cannot be part of a spec here.
    fn extra(&mut self, token: Token) {
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
        self.part(shown.clone(), Role::Problem);
        self.problem(kind, shown);
    }

    /// Whether the sign of a dependency needs something after it that is not there.
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

    /// The sign alone, without the assignment that a token of a dependency may have.
    fn sigil_span(&self, token: &Span) -> Span {
        let length = if self.text[token.clone()].starts_with("%%") { 2 } else { 1 };
        token.start..token.start + length
    }

    /// The next token that is no space, once what follows it was looked at.
    fn take(&mut self) -> Option<Token> {
        self.skip_space();
        let token = self.tokens.next()?;
        self.skip_space();
        if token.kind != TokenKind::Unexpected
            && let Some(Token { kind: TokenKind::Unexpected, span }) = self.tokens.peek().cloned()
        {
            let character = self.text[span.clone()].chars().next();
            let end = span.start + character.map_or(0, char::len_utf8);
            self.tokens.next();
            self.part(span.start..end, Role::Problem);
            self.problem(unexpected(&self.text[span.clone()]), span.start..end);
        }
        Some(token)
    }

    fn skip_space(&mut self) {
        while self.tokens.next_if(|token| token.kind == TokenKind::Space).is_some() {}
    }

    fn part(&mut self, span: Span, role: Role) {
        self.reading.parts.push(Part { span, role, node: self.node });
    }

    fn problem(&mut self, kind: ParseErrorKind, span: Span) {
        self.reading.problems.push(ParseError { kind, span });
    }

    fn count(&mut self, span: &Span) {
        self.length += 1;
        if self.length == LIMIT + 1 {
            self.problem(ParseErrorKind::TooLong { limit: LIMIT }, span.clone());
        }
    }

    /// Whether to stop reading.
    fn is_over(&self) -> bool {
        self.length > LIMIT || self.reading.problems.len() >= MANY_PROBLEMS
    }
}

/// What to say of something with which nothing can start.
fn unexpected(text: &str) -> ParseErrorKind {
    match text.chars().next().unwrap_or_default() {
        '@' => ParseErrorKind::ExpectedVersion,
        '+' | '~' | '-' => ParseErrorKind::ExpectedVariantName,
        '/' => ParseErrorKind::ExpectedHash,
        '%' => ParseErrorKind::ExpectedDependency,
        character => ParseErrorKind::UnexpectedCharacter(character),
    }
}

/// The order in which dependencies print: direct ones first, each kind by name.
fn sort(node: &mut Node) {
    let key = |dependency: &Dependency| {
        (!dependency.direct, dependency.node.name.clone().unwrap_or_default())
    };
    node.dependencies.sort_by_cached_key(key);
    for dependency in &mut node.dependencies {
        dependency.node.dependencies.sort_by_cached_key(key);
    }
}
