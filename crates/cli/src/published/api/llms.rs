//! What a language model that finds the site should know: what the site is, and where to read it as data. The format is that
//! of <https://llmstxt.org>.
//!
//! It has no counts, so it changes only if the site's title or address does.

use cache_advice::text::markdown_cell;
use cache_index::mirror::{TRUST_KEYS, UNKNOWN_URL};

use super::{INDEX, OF_PACKAGES, PACKAGES, PublishedCache};
use crate::marks::IN_XML;
use crate::published::Pointer;
use crate::site_url::below;

/// Returns a line with a link to the interface.
pub(crate) fn pointer(cache: &PublishedCache) -> Pointer {
    let address = address(cache, INDEX);
    let line = format!(
        "- [{INDEX}]({address}): the cache as a whole: when it was made, how many builds there are for which systems, its \
         mirrors"
    );
    Pointer { line, address }
}

fn address(cache: &PublishedCache, file: &str) -> String {
    cache.site_url.as_deref().map_or_else(|| file.to_owned(), |site| below(site, file))
}

/// Returns the text of the file.
pub(super) fn llms(cache: &PublishedCache) -> String {
    let title = markdown_cell(cache.index.about().title());
    let example = cache.packages().find_map(|named| named.file).map(|name| {
        let file = OF_PACKAGES.path(&name);
        format!("- [{file}]({}): all builds of one package, here {name}\n", address(cache, &file))
    });
    let (index, packages) = (pointer(cache).line, address(cache, PACKAGES));
    let of_packages = OF_PACKAGES.path("NAME");
    format!(
        "# {title}\n\
         \n\
         > A build cache of Spack: prebuilt binaries of scientific software, by package, version and kind of machine, and \
         the commands that install them.\n\
         \n\
         {IN_XML}\n\
         \n\
         The page of this site is for people. Programs read the same from static files of JSON, without JavaScript, keys or \
         limits. Each has `\"api\": 1`; under this number, fields may be added, but none is removed or gets another \
         meaning.\n\
         \n\
         - Is there a package, and for which systems? `{PACKAGES}` has one object for each package: `package`, `builds` (how \
         many), `newest` (the newest release), `versions` (newest first), `systems` (each with `platform`, `os`, `target` and \
         `builds`), `file`.\n\
         - Which builds are there? `{of_packages}` has `builds`, newest version first: each with `hash`, `spec`, `version`, \
         `compiler`, `platform`, `os`, `target`, `variants` (such as `+mpi`), `libc`, `dependencies`, `size` and `places` \
         (release and stack). A field is missing if the cache does not say.\n\
         - How is one installed? `recommended` in `{of_packages}` has the `commands` for one build. Another one takes three: \
         `spack mirror add`, as the field `add` of `mirrors` in `{INDEX}` has it for each release and stack; \
         `{TRUST_KEYS}`, unless `add` has `--unsigned`; and `spack install --cache-only /HASH`. Where a command has \
         `{UNKNOWN_URL}`, the cache does not say where its mirror is: the user has to know its URL.\n\
         - Does it run on a machine? The `platform` must be the same, the processor the `target` or a newer one of its \
         family, and on Linux the libc not older than `libc`.\n\
         \n\
         ## Files\n\
         \n\
         {index}\n\
         - [{PACKAGES}]({packages}): all packages, one line for each\n\
         {}",
        example.unwrap_or_default()
    )
}
