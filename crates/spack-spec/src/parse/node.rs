//! Reading the constraints on one node.
//!
//! The parts may come in any order after the name. A part that Spack accepts only once is a problem the second time:
//! versions, each variant, each part of the architecture, and the compiler where it is an attribute. Flags accumulate,
//! and the last namespace wins.

use super::PartRole;
use super::error::ParseErrorKind;
use super::reader::Reader;
use super::token::{Token, TokenKind};
use crate::flags::{self, FLAG_NAMES, FlagConstraint};
use crate::quote::unquoted;
use crate::span::Span;
use crate::spec::{CompilerConstraint, Node};
use crate::{Dialect, TargetConstraint, VariantConstraint, VersionConstraint};

/// Names that Spack itself uses, and that cannot be propagated.
const RESERVED: [&str; 9] = [
    "arch",
    "architecture",
    "dev_path",
    "namespace",
    "operating_system",
    "os",
    "patches",
    "platform",
    "target",
];

impl Reader<'_> {
    /// Reads one node: its name, if it has one, and its constraints.
    pub(super) fn node(&mut self, name: Option<Span>) -> Node {
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
            // The text may be half typed: what follows a mistake still belongs to this node.
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
                    self.part(token.span.clone(), PartRole::Hash);
                    node.hash = Some(self.text[token.span.start + 1..token.span.end].to_owned());
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, node: &mut Node, span: Span) {
        let text = &self.text[span.clone()];
        if text == "*" {
            self.part(span, PartRole::Package);
            return;
        }
        match text.rsplit_once('.') {
            None => {
                node.name = Some(text.to_owned());
                self.part(span, PartRole::Package);
            }
            Some((namespace, name)) => {
                node.name = Some(name.to_owned());
                node.namespace = Some(namespace.to_owned());
                let dot = span.start + namespace.len() + 1;
                self.part(span.start..dot, PartRole::Namespace);
                self.part(dot..span.end, PartRole::Package);
            }
        }
    }

    fn version(&mut self, node: &mut Node, has_version: &mut bool, span: Span) {
        self.part(span.clone(), PartRole::Version);
        if std::mem::replace(has_version, true) {
            return self.problem(ParseErrorKind::VersionGivenTwice, span);
        }
        if let Some(versions) = self.versions(span.start + 1..span.end, span) {
            node.versions = versions;
        }
    }

    fn versions(&mut self, list: Span, whole: Span) -> Option<VersionConstraint> {
        let text = &self.text[list];
        if self.count(text.bytes().filter(|byte| *byte == b',').count(), &whole) {
            return None;
        }
        text.parse().map_err(|error| self.problem(ParseErrorKind::Version(error), whole)).ok()
    }

    fn compiler(&mut self, node: &mut Node, whole: &Span, name: Span, versions: Option<Span>) {
        self.part(whole.start..whole.start + 1, PartRole::Direct);
        self.part(name.clone(), PartRole::Compiler);
        let mut compiler = CompilerConstraint {
            name: self.text[name].to_owned(),
            versions: VersionConstraint::any(),
        };
        if let Some(span) = versions {
            self.part(span.clone(), PartRole::Version);
            if let Some(versions) = self.versions(span.clone(), span) {
                compiler.versions = versions;
            }
        }
        if node.compiler.is_some() {
            return self.problem(ParseErrorKind::CompilerGivenTwice, whole.clone());
        }
        node.compiler = Some(compiler);
    }

    fn bool_variant(&mut self, node: &mut Node, whole: &Span, propagate: bool, name: Span) {
        self.part(whole.clone(), PartRole::Variant);
        if self.count(1, whole) {
            return;
        }
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
        let wanted = crate::WantedValue::Bool(is_on);
        let variant = VariantConstraint { name: name.to_owned(), wanted, propagate };
        self.variant(node, variant, whole);
    }

    fn key_value(&mut self, node: &mut Node, token: Token) {
        let TokenKind::KeyValue { propagate, exact, name, value } = token.kind else { return };
        let whole = token.span;
        let key = &self.text[name.clone()];
        let role = match key {
            "arch" | "architecture" | "platform" | "os" | "operating_system" | "target" => {
                PartRole::Architecture
            }
            "namespace" => PartRole::Namespace,
            _ if FLAG_NAMES.contains(&key) => PartRole::Flag,
            _ => PartRole::Variant,
        };
        self.part(whole.clone(), role);
        let commas = self.text[value.clone()].bytes().filter(|byte| *byte == b',').count();
        // `arch=` prints as its three parts, so it counts as three.
        let values = if matches!(key, "arch" | "architecture") { 3 } else { 1 };
        if self.count(values + commas, &whole) {
            return;
        }
        let text = unquoted(&self.text[value]);
        if propagate && RESERVED.contains(&key) {
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
            _ if role == PartRole::Flag => {
                let flags = flags::split(&text, propagate);
                if !self.count(flags.len(), &whole) {
                    self.flags(node, key, flags);
                }
            }
            _ => match self.values(key, &text, exact, propagate) {
                Ok(variant) => self.variant(node, variant, &whole),
                Err(kind) => self.problem(kind, whole),
            },
        }
    }

    /// Sets platform, operating system and target. A part that is not named is `None`; one without a value, `Some(None)`.
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
        match node.flags.get_mut(name) {
            Some(known) => known.flags.append(&mut flags),
            None => node.flags.put(FlagConstraint { name: name.to_owned(), flags }),
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
        if let Err(VariantConstraint { name, .. }) = node.variants.insert(variant) {
            self.problem(ParseErrorKind::VariantGivenTwice { name }, whole.clone());
        }
    }
}
