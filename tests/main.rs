//! The whole from outside.
