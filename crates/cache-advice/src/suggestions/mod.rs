//! What could be asked of a cache: completions of what is typed, and examples.

mod complete;
mod examples;
mod variety;

pub use self::complete::{complete, while_typing};
pub use self::examples::{Example, examples};
pub use self::variety::most_varied;
