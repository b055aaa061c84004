//! Problems that axe-core finds in a page.

use std::fs;
use std::path::Path;

use crate::page::Page;

impl Page<'_> {
    /// Checks the page by all rules of axe-core; a failure names the rules and the elements.
    #[track_caller]
    pub fn is_accessible(&self) {
        if self.ask("return typeof axe") == "undefined" {
            let axe = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../.tools/node_modules/axe-core/axe.min.js");
            let axe = fs::read_to_string(&axe).unwrap_or_else(|error| {
                panic!("{}: {error}: run `tools/setup browser`", axe.display())
            });
            self.script(&axe, Vec::new()).unwrap_or_else(|error| panic!("axe-core: {error}"));
        }
        // axe-core preloads files for media, which the page does not have, and for a rule that is off by default.
        let found = self.ask(
            "const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false }); \
             return violations.map(({ id, help, nodes }) => `${id}: ${help}:\\n    ` + \
             nodes.slice(0, 5).map((node) => node.html + ' ' + node.failureSummary.replace(/\\s+/g, ' ')).join('\\n    '))",
        );
        let found: Vec<_> = found.as_array().into_iter().flatten().map(crate::page::text).collect();
        assert!(found.is_empty(), "{}:\n{}", self.query(), found.join("\n"));
    }
}
