//! Finishing the page of a site: what it may load, and its service worker.
//!
//! | in the page | becomes |
//! | --- | --- |
//! | `<meta charset>` | the same, followed by the content security policy, which replaces any earlier one |
//! | `<script src>` (the loader) | the same with `data-worker`, which names the service worker, and `data-later`, which identifies the build of the files that are loaded on demand |
//!
//! The source of the page has neither, because Trunk's server adds an inline script, and because a page under
//! development should not be served from a cache.

use std::cell::{Cell, RefCell};

use lol_html::html_content::ContentType;
use lol_html::{element, text};

use super::later::ATTRIBUTE;
use super::{PageError, rewrite};
use cache_ingest::digest::integrity;

/// What the page of a site may do: load the files next to it, run WebAssembly, and use the scripts and styles in the page
/// itself. The default is needed for the manifest only: WebKit does not know the directive for it, and would report that on
/// every page.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'SCRIPTS; style-src 'self'STYLES; \
                      img-src 'self'; connect-src 'self'; worker-src 'self'; font-src 'none'; media-src 'none'; \
                      object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";

/// The attributes of the loader of a sealed page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LoaderAttributes<'n> {
    /// The service worker.
    pub(crate) worker: Option<&'n str>,
    /// The build of the files that are loaded on demand.
    pub(crate) later: Option<&'n str>,
    /// The address where the server announces a newer page.
    pub(crate) changes: Option<&'n str>,
}

/// Returns the page with a policy, and with these attributes on its loader.
pub(crate) fn seal(html: &str, named: LoaderAttributes<'_>) -> Result<String, PageError> {
    let loaders = Cell::new(0);
    let name_worker = element!("script[src]", |script| {
        loaders.set(loaders.get() + 1);
        let LoaderAttributes { worker, later, changes } = named;
        let attributes = [("data-worker", worker), (ATTRIBUTE, later), ("data-changes", changes)];
        for (name, value) in attributes {
            match value {
                Some(value) => script.set_attribute(name, value)?,
                None => script.remove_attribute(name),
            }
        }
        Ok(())
    });
    let page = rewrite(html, vec![name_worker])?;
    if loaders.get() != 1 {
        return Err(PageError::NoLoader);
    }
    with_policy(&page, &policy(&Inline::of(&page)?))
}

/// Returns the policy of a page of the site.
pub(crate) fn policy(Inline { scripts, styles }: &Inline) -> String {
    POLICY.replace("SCRIPTS", &sources(scripts)).replace("STYLES", &sources(styles))
}

/// The digests of what is in the page itself.
#[derive(Clone)]
pub(crate) struct Inline {
    /// The digests of its scripts.
    pub(crate) scripts: Vec<String>,
    /// The digests of its styles.
    pub(crate) styles: Vec<String>,
}

impl Inline {
    pub(crate) fn of(html: &str) -> Result<Inline, PageError> {
        let of_all = |selector: &str| {
            let (digests, content) = (RefCell::new(Vec::new()), RefCell::new(String::new()));
            let read = text!(selector, |chunk| {
                content.borrow_mut().push_str(chunk.as_str());
                if chunk.last_in_text_node() {
                    digests.borrow_mut().push(integrity(content.take().as_bytes()));
                }
                Ok(())
            });
            rewrite(html, vec![read])?;
            Ok(digests.into_inner())
        };
        Ok(Inline { scripts: of_all("script:not([src]):not([type])")?, styles: of_all("style")? })
    }
}

/// Returns digests in the form in which a policy lists them after other sources.
pub(super) fn sources(digests: &[String]) -> String {
    digests.iter().map(|digest| format!(" '{digest}'")).collect()
}

/// Returns the page with a policy, which replaces any earlier one.
pub(super) fn with_policy(html: &str, policy: &str) -> Result<String, PageError> {
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let places = Cell::new(0);
    let remove_others = element!("meta[http-equiv=\"content-security-policy\" i]", |other| {
        other.remove();
        Ok(())
    });
    // After the charset, because browsers look for the encoding only in the first kilobyte.
    let place = element!("head > meta[charset]", |charset| {
        places.set(places.get() + 1);
        charset.after(&meta, ContentType::Html);
        Ok(())
    });
    let page = rewrite(html, vec![remove_others, place])?;
    if places.get() == 1 { Ok(page) } else { Err(PageError::NoCharset) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head><meta charset=\"utf-8\">\n<title>x</title></head>\n\
                        <body><script src=\"./l.js\"></script></body>";

    #[test]
    fn puts_the_policy_before_everything_it_governs() {
        let page = seal(PAGE, LoaderAttributes::default()).expect("a page");
        let start = "<head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
                     content=\"default-src 'self'; ";
        assert!(page.starts_with(start), "{page}");
        assert!(page.ends_with(
            "'none'\">\n<title>x</title></head>\n<body><script src=\"./l.js\"></script></body>"
        ));
    }

    #[test]
    fn allows_the_scripts_and_styles_in_the_page_itself() {
        let (script, style) = ("if (a < b) run();", "a > b { margin: 0 }");
        let both = format!("<script>{script}</script><style>{style}</style><title>");
        let page = PAGE.replace("<title>", &both);
        let page = page.replace("</body>", "<script type=\"application/json\">{}</script></body>");
        let sealed = seal(&page, LoaderAttributes::default()).expect("a page");
        let [script, style] = [script, style].map(|text| integrity(text.as_bytes()));
        let allowed = format!("'wasm-unsafe-eval' '{script}'; style-src 'self' '{style}'; img");
        assert!(sealed.contains(&allowed), "{sealed}");
    }

    #[test]
    fn changes_nothing_when_sealing_again() {
        let named = LoaderAttributes { worker: Some("w.js"), later: Some("1a"), changes: None };
        let with_worker = seal(PAGE, named).expect("a page");
        let script = "<script src=\"./l.js\" data-worker=\"w.js\" data-later=\"1a\">";
        assert!(with_worker.contains(script));
        assert_eq!(seal(&with_worker, named).as_ref(), Ok(&with_worker));
        assert_eq!(
            seal(&with_worker, LoaderAttributes::default()),
            seal(PAGE, LoaderAttributes::default())
        );
    }

    #[test]
    fn rejects_pages_that_cannot_be_sealed() {
        let no_charset = "<head></head><body><script src=\"l.js\"></script></body>";
        assert_eq!(seal(no_charset, LoaderAttributes::default()), Err(PageError::NoCharset));
        let no_loader = "<head><meta charset=\"utf-8\"></head>";
        assert_eq!(seal(no_loader, LoaderAttributes::default()), Err(PageError::NoLoader));
    }
}
