//! An environment as text, for the device that keeps it and the page that reads it again.
//!
//! Nodes are concrete specs, as builds are, so they are kept as an [index](crate::index::Index) in its own format. The
//! rest is one JSON object:
//!
//! | field | meaning |
//! | --- | --- |
//! | `roots` | objects with `spec`, and perhaps `group` and `hash` |
//! | `nodes` | the hashes of the nodes in their order, without a separator |
//! | `spliced` | pairs of hashes: a spliced node, and the build that it is installed from |
//! | `undecided`, `requirements`, `restricts_reuse`, `developed`, `unread`, `newer_lock` | as in [`Environment`] |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Environment, Node, Root};
use crate::build::Hash;
use crate::index::{About, Index, LoadError, PackError, pack};

/// The texts of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentTexts {
    /// Everything except the nodes.
    pub head: String,
    /// The nodes, as an index; `None` if there are none.
    pub nodes: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    roots: Vec<KeptRoot>,
    nodes: String,
    spliced: Vec<(String, String)>,
    undecided: Vec<String>,
    #[serde(default)]
    requirements: Vec<String>,
    #[serde(default)]
    restricts_reuse: bool,
    #[serde(default)]
    developed: Vec<String>,
    #[serde(default)]
    unread: Vec<String>,
    #[serde(default)]
    newer_lock: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct KeptRoot {
    spec: String,
    group: Option<String>,
    hash: Option<String>,
}

impl EnvironmentTexts {
    /// The id of the element that contains, as JSON, the environment that a page was made with. Its attributes `data-id` and
    /// `data-name` are what the address and the page call the environment.
    pub const ELEMENT: &str = "environment";

    /// Reads the texts from JSON.
    ///
    /// # Errors
    ///
    /// If `text` is not the JSON that `serde_json` writes for these texts.
    pub fn from_json(text: &str) -> Result<EnvironmentTexts, LoadError> {
        Ok(serde_json::from_str(text)?)
    }

    /// Writes an environment.
    ///
    /// # Errors
    ///
    /// If two nodes have the same hash.
    pub fn new(environment: &Environment) -> Result<EnvironmentTexts, PackError> {
        let Environment {
            roots,
            nodes,
            undecided,
            requirements,
            restricts_reuse,
            developed,
            unread,
            newer_lock,
        } = environment;
        let root = |root: &Root| KeptRoot {
            spec: root.spec.clone(),
            group: root.group.clone(),
            hash: root.hash.map(|hash| hash.to_string()),
        };
        let pair = |node: &Node| {
            Some((node.build.hash.to_string(), node.spliced_from.as_ref()?.to_string()))
        };
        let head = Head {
            roots: roots.iter().map(root).collect(),
            nodes: nodes.iter().map(|node| node.build.hash.to_string()).collect(),
            spliced: nodes.iter().filter_map(pair).collect(),
            undecided: undecided.clone(),
            requirements: requirements.clone(),
            restricts_reuse: *restricts_reuse,
            developed: developed.clone(),
            unread: unread.clone(),
            newer_lock: *newer_lock,
        };
        let builds = nodes.iter().map(|node| node.build.clone());
        let nodes = match nodes.is_empty() {
            true => None,
            false => Some(pack(About::default(), builds)?.to_json()),
        };
        let head = serde_json::to_string(&head).expect("texts make JSON");
        Ok(EnvironmentTexts { head, nodes })
    }

    /// Reads the environment.
    ///
    /// # Errors
    ///
    /// If the texts are not what [`new`](EnvironmentTexts::new) has written.
    pub fn read(&self) -> Result<Environment, LoadError> {
        let head: Head = serde_json::from_str(&self.head)?;
        let hash = |text: &str| -> Result<Hash, LoadError> {
            text.parse().map_err(|error| LoadError::BadHash { build: 0, error })
        };
        let mut hashes = Vec::new();
        for start in (0..head.nodes.len()).step_by(Hash::CHARACTERS) {
            hashes.push(hash(head.nodes.get(start..start + Hash::CHARACTERS).unwrap_or_default())?);
        }
        let mut nodes = Vec::new();
        if let Some(index) = &self.nodes {
            let index = Index::from_json(index)?;
            for found in index.find_all(&hashes) {
                let build = found.and_then(|id| index.build(id));
                let build = build.ok_or(LoadError::BadCode("nodes"))?;
                nodes.push(Node { build, spliced_from: None });
            }
        }
        let numbers: BTreeMap<Hash, usize> =
            (0..).zip(&nodes).map(|(at, node)| (node.build.hash, at)).collect();
        for (spliced, from) in &head.spliced {
            let (spliced, from) = (hash(spliced)?, hash(from)?);
            let node = numbers.get(&spliced).ok_or(LoadError::BadCode("spliced"))?;
            nodes[*node].spliced_from = Some(from);
        }
        let mut roots = Vec::new();
        for root in head.roots {
            let hash = root.hash.map(|text| hash(&text)).transpose()?;
            roots.push(Root { spec: root.spec, group: root.group, hash });
        }
        let Head {
            undecided, requirements, restricts_reuse, developed, unread, newer_lock, ..
        } = head;
        Ok(Environment {
            roots,
            nodes,
            undecided,
            requirements,
            restricts_reuse,
            developed,
            unread,
            newer_lock,
        })
    }
}
