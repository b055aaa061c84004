//! The places in the sources whose code is loaded later, for each module that is split.

mod app;
mod reader;

pub(crate) use self::app::APP;
pub(crate) use self::reader::READER;

/// How a module is divided: everything that no part has is in the first module.
pub(crate) struct Places {
    /// The start of the name of the imported function that loads a part. It is called with the number of the part that
    /// is missing, counted from 1.
    pub(crate) load: &'static str,
    /// The parts that are loaded later.
    pub(crate) parts: &'static [Part],
    /// The starts of the paths that contain types: a function with such a path anywhere in its name belongs to the
    /// path's part too, because it was instantiated for a type from there.
    pub(crate) types: &'static [&'static str],
    /// A function stays in the first module if its name contains one of these.
    pub(crate) stay: &'static [&'static str],
}

impl Places {
    /// Returns `true` if functions that were instantiated for types of a path belong to the path's part.
    pub(crate) fn has_type(&self, path: &str) -> bool {
        self.types.iter().any(|start| path.starts_with(start))
    }
}

/// Code that is loaded together.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// The parts that are needed whenever this one is, so that they need not be found missing one after another.
    pub(crate) with: &'static [&'static str],
    /// The paths of its code, without a `<` or `&` at their start. A function belongs to it if its name starts with one
    /// of these.
    pub(crate) code: &'static [&'static str],
}
