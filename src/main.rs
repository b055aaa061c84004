//! The site.

fn main() {}
