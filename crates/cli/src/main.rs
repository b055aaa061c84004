//! The command `cache-explorer`.

fn main() {}
