//! Printing specs: one printer for two readers.
//!
//! `{}` prints Spack's own text, character for character: parts in its order, variants sorted, values quoted where
//! Spack quotes them. That text is for people, and Spack does not always read it back as the same spec: it drops the
//! namespace of a named package, and a value can swallow the hash after it.
//!
//! `{:#}` prints the same text where that is unambiguous and exact text where it is not: parsing it gives an equal
//! spec.
//!
//! ```
//! use spack_spec::{Dialect, Spec};
//!
//! let spec = Spec::parse("builtin.hdf5 /abc api=v110", Dialect::V1)?;
//! assert_eq!(format!("{spec}"), "hdf5 api=v110/abc");
//! assert_eq!(format!("{spec:#}"), "builtin.hdf5 api=v110 /abc");
//! # Ok::<(), spack_spec::ParseError>(())
//! ```

use std::borrow::Cow;
use std::fmt;

use crate::parse::RENAMED_COMPILERS;
use crate::quote::{exactly, quoted};
use crate::spec::{Dependency, Node, Spec};
use crate::version::VersionElement;
use crate::{Dialect, VariantConstraint, VersionConstraint, WantedValue};

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer { dialect: self.dialect, exact: f.alternate() };
        let mut text = printer.node(&self.root, self.root.name.as_deref());
        printer.dependencies(&mut text, &self.root);
        f.write_str(text.trim_matches(' '))
    }
}

struct Printer {
    dialect: Dialect,
    exact: bool,
}

impl Printer {
    fn dependencies(&self, text: &mut String, node: &Node) {
        for dependency in &node.dependencies {
            text.push(' ');
            self.dependency(text, dependency);
            self.dependencies(text, &dependency.node);
        }
    }

    fn dependency(&self, text: &mut String, dependency: &Dependency) {
        let node = &dependency.node;
        let old_name = RENAMED_COMPILERS
            .iter()
            .find(|(_, new)| dependency.direct && node.name.as_deref() == Some(new))
            .map(|(old, _)| *old);
        let name = old_name.or(node.name.as_deref());
        let node_text = self.node(node, name);
        let needs_star = self.needs_star(dependency, &node_text);
        // `c=*` would be read as a variant.
        let in_brackets = self.dialect == Dialect::V0 || self.exact && needs_star;

        text.push_str(match (dependency.direct, dependency.propagate) {
            (true, true) => "%%",
            (true, false) => "%",
            (false, _) => "^",
        });
        let virtuals = dependency.virtuals.join(",");
        let mut attributes = Vec::new();
        if let Some(when) = &dependency.when {
            attributes.push(match self.exact {
                true => format!("when={}", exactly(&format!("{when:#}"))),
                false => format!("when='{when}'"),
            });
        }
        if !dependency.deptypes.is_empty() {
            let names: Vec<&str> = dependency.deptypes.names().collect();
            attributes.push(format!("deptypes={}", names.join(",")));
        }
        if in_brackets && !virtuals.is_empty() {
            attributes.push(format!("virtuals={virtuals}"));
        }
        if !attributes.is_empty() {
            text.push_str(&format!("[{}] ", attributes.join(" ")));
        }
        if !in_brackets && !virtuals.is_empty() {
            text.push_str(&virtuals);
            text.push('=');
        }
        if needs_star {
            text.push('*');
        }
        text.push_str(&node_text);
    }

    /// Returns `true` if a nameless dependency needs a `*`, because its text would otherwise be read as something else.
    fn needs_star(&self, dependency: &Dependency, node_text: &str) -> bool {
        let node = &dependency.node;
        if self.dialect == Dialect::V0 || node.name.is_some() {
            return false;
        }
        let has_bool =
            node.variants.iter().any(|variant| matches!(variant.wanted, WantedValue::Bool(_)));
        !dependency.virtuals.is_empty()
            || !node_text.starts_with('@')
                && (!node.flags.is_empty() || !has_bool || !node.architecture.is_any())
    }

    /// Prints a node without its dependencies.
    fn node(&self, node: &Node, name: Option<&str>) -> String {
        let mut text = String::new();
        if let Some(name) = name {
            if self.exact
                && let Some(namespace) = node.namespace.as_deref().filter(|name| is_dotted(name))
            {
                text.push_str(namespace);
                text.push('.');
            }
            text.push_str(name);
        }
        self.versions(&mut text, &node.versions);
        if let Some(compiler) = &node.compiler {
            text.push_str(&format!("%{}", compiler.name));
            self.versions(&mut text, &compiler.versions);
        }
        for constraint in &node.flags {
            let quote = if self.exact { exact_flags } else { quoted };
            text.push_str(&format!(" {}", constraint.written(quote, self.exact)));
        }
        if !node.flags.is_empty() {
            text.push(' ');
        }
        let is_bool = |variant: &&VariantConstraint| matches!(variant.wanted, WantedValue::Bool(_));
        for variant in node.variants.iter().filter(is_bool) {
            text.push_str(&variant.to_string());
        }
        for variant in node.variants.iter().filter(|variant| !is_bool(variant)) {
            self.word(&mut text, &self.variant(variant));
        }
        self.namespace(&mut text, node, name);
        self.architecture(&mut text, node);
        self.hash(&mut text, node);
        text.trim_matches(' ').to_owned()
    }

    /// Appends `@` and the versions, unless any version is accepted. A list or range that begins with 40 hexadecimal
    /// digits follows a space: without it, only these would be read, as a commit.
    fn versions(&self, text: &mut String, versions: &VersionConstraint) {
        if versions.is_any() {
            return;
        }
        let versions_text = versions.to_string();
        let is_one = matches!(versions.elements(), [VersionElement::Exact(_)]);
        let begins_as_commit = |commit: &[u8]| commit.iter().all(u8::is_ascii_hexdigit);
        text.push('@');
        if self.exact && !is_one && versions_text.as_bytes().get(..40).is_some_and(begins_as_commit)
        {
            text.push(' ');
        }
        text.push_str(&versions_text);
    }

    /// Appends a word after a space. Flags already end with a space, to which only Spack's own text adds another.
    fn word(&self, text: &mut String, word: &str) {
        if !self.exact || !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(word);
    }

    fn variant(&self, variant: &VariantConstraint) -> String {
        match &variant.wanted {
            WantedValue::Including(values) | WantedValue::Exactly(values) if self.exact => {
                // A value that ends with a backslash cannot come last within quotes, and was not last when it was read.
                let (last, first): (Vec<&str>, Vec<&str>) =
                    values.iter().map(String::as_str).partition(|value| !value.ends_with('\\'));
                let values = [first, last].concat().join(",");
                let exact =
                    if matches!(variant.wanted, WantedValue::Exactly(_)) { ":" } else { "" };
                let sign = if variant.propagate { "==" } else { "=" };
                format!("{}{exact}{sign}{}", variant.name, exactly(&values))
            }
            _ => variant.to_string(),
        }
    }

    fn namespace(&self, text: &mut String, node: &Node, name: Option<&str>) {
        let is_left = match (self.exact, name) {
            (_, None) => true,
            (true, Some(_)) => node.namespace.as_deref().is_some_and(|name| !is_dotted(name)),
            (false, Some(_)) => false,
        };
        if let Some(namespace) = node.namespace.as_deref().filter(|_| is_left) {
            let namespace = if self.exact { exactly(namespace) } else { namespace.into() };
            self.word(text, &format!("namespace={namespace}"));
        }
    }

    fn architecture(&self, text: &mut String, node: &Node) {
        let architecture = &node.architecture;
        let parts = [
            ("platform", architecture.platform.as_deref()),
            ("os", architecture.os.as_deref()),
            ("target", architecture.target.as_ref().map(|target| target.as_str())),
        ];
        if self.dialect == Dialect::V0 && !self.exact {
            if !architecture.is_any() {
                let [platform, os, target] = parts.map(|(_, part)| part.unwrap_or("None"));
                self.word(text, &format!("arch={platform}-{os}-{target}"));
            }
            return;
        }
        for (name, part) in parts {
            if let Some(part) = part {
                let part = if self.exact { exact_value(part) } else { part.into() };
                self.word(text, &format!("{name}={part}"));
            }
        }
    }

    fn hash(&self, text: &mut String, node: &Node) {
        let Some(hash) = &node.hash else { return };
        let is_value_last =
            node.variants.iter().any(|variant| !matches!(variant.wanted, WantedValue::Bool(_)))
                || !node.flags.is_empty()
                || !node.architecture.is_any()
                || node.namespace.is_some();
        let is_git = |element: &VersionElement| matches!(element, VersionElement::Exact(version) if version.git_reference().is_some());
        let swallows = is_value_last || node.versions.elements().iter().any(is_git);
        if self.exact && swallows && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(&format!("/{hash}"));
    }
}

/// Quotes flags. They are split at spaces, so a trailing space does no harm, and keeps a final backslash from escaping
/// the closing quote.
fn exact_flags(flags: &str) -> Cow<'_, str> {
    match flags.ends_with('\\') && flags.contains(' ') {
        true => Cow::Owned(exactly(&format!("{flags} ")).into_owned()),
        false => exactly(flags),
    }
}

/// Quotes like [`exactly`], except that values that are usual in an architecture, such as `zen3:`, stay bare.
fn exact_value(value: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.,:*".contains(&byte);
    match value.bytes().all(is_plain) && !value.is_empty() {
        true => Cow::Borrowed(value),
        false => exactly(value),
    }
}

/// Returns `true` if the namespace can be written before a name, with a dot between them.
fn is_dotted(namespace: &str) -> bool {
    namespace.split('.').all(|name| {
        name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    })
}
