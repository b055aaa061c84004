//! Spack's spec language.
