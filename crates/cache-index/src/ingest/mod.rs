//! Reading what Spack writes into plain [`Build`](crate::build::Build) values.
