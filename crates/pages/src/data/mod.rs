//! What is read of the index on request, and the verdicts for a machine. Until it is there, an accessor returns nothing, and
//! what reads it follows.

pub(crate) mod facts;
pub(crate) mod fits;
pub(crate) mod matrix_rows;
pub(crate) mod part_filters;
pub(crate) mod recipes;
