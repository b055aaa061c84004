//! What is read of the index on request, and the verdicts for a machine. Until these are there, their accessors return
//! nothing, and whatever has read them is notified when they arrive.

pub(crate) mod facts;
pub(crate) mod fits;
pub(crate) mod matrix_rows;
pub(crate) mod part_filters;
pub(crate) mod recipes;
