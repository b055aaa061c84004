//! How an answer is shown, as an address states it.

use super::Writer;
use crate::{Across, Class, Column, MatrixRows, NodeStatus, Presentation, ShownNodes, Sort, Tab};

/// All keys of this module.
pub(super) const KEYS: [&str; 11] = [
    "tab", "across", "gaps", "only", "mirror", "status", "needed", "name", "class", "sort",
    "columns",
];

/// The one value of `gaps`.
const GAPS_ONLY: &str = "only";
const NO_GAPS: &str = "none";
/// The one value of `needed`.
const TO_RUN: &str = "run";

/// Writes a presentation.
pub(super) fn write(presentation: &Presentation, address: &mut Writer) {
    if presentation.tab != Tab::default() {
        address.pair("tab", presentation.tab.key());
    }
    if presentation.across != Across::default() {
        address.pair("across", presentation.across.key());
    }
    match &presentation.rows {
        MatrixRows::All => {}
        MatrixRows::Gaps => address.pair("gaps", GAPS_ONLY),
        MatrixRows::InEach => address.pair("gaps", NO_GAPS),
        MatrixRows::OnlyIn(stack) => address.pair("only", stack),
    }
    if let Some(mirror) = &presentation.mirror {
        address.pair("mirror", mirror);
    }
    let ShownNodes { status, only_to_run, name } = &presentation.nodes;
    if let Some(status) = status {
        address.pair("status", status.key());
    }
    if *only_to_run {
        address.pair("needed", TO_RUN);
    }
    if !name.is_empty() {
        address.pair("name", name);
    }
    if let Some(class) = presentation.class {
        address.pair("class", class.key());
    }
    if let Some(Sort { column, descending }) = presentation.sort {
        let sign = if descending { "-" } else { "" };
        address.pair("sort", &format!("{sign}{}", column.key()));
    }
    if let Some(columns) = &presentation.columns {
        let keys: Vec<&str> = columns.iter().map(|column| column.key()).collect();
        address.pair("columns", &keys.join(","));
    }
}

/// Reads one pair; returns `None` if it was not understood.
pub(super) fn read(presentation: &mut Presentation, key: &str, value: &str) -> Option<()> {
    match (key, value) {
        ("tab", _) => presentation.tab = Tab::from_key(value)?,
        ("across", _) => presentation.across = Across::from_key(value)?,
        ("gaps", GAPS_ONLY) => presentation.rows = MatrixRows::Gaps,
        ("gaps", NO_GAPS) => presentation.rows = MatrixRows::InEach,
        ("only", _) => presentation.rows = MatrixRows::OnlyIn(value.to_owned()),
        ("mirror", _) => presentation.mirror = Some(value.to_owned()),
        ("status", _) => presentation.nodes.status = Some(NodeStatus::from_key(value)?),
        ("needed", TO_RUN) => presentation.nodes.only_to_run = true,
        ("name", _) => presentation.nodes.name = value.to_owned(),
        ("class", _) => presentation.class = Some(Class::from_key(value)?),
        ("sort", _) => {
            let name = value.strip_prefix('-');
            let column = Column::from_key(name.unwrap_or(value))?;
            presentation.sort = Some(Sort { column, descending: name.is_some() });
        }
        ("columns", _) => {
            let columns: Option<Vec<Column>> = value.split(',').map(Column::from_key).collect();
            presentation.columns = Some(Column::set(&columns?));
        }
        _ => return None,
    }
    Some(())
}
