//! Putting the first view of a cache into its page.
//!
//! The page then shows the packages and facets at its first paint, and to readers without JavaScript. When the app has
//! started, it draws the same in its place. `index.html` hides the first view if the page starts with something else.
//!
//! Readers without JavaScript, and crawlers, also get a link to the pages of packages, if there are any.
//!
//! Attributes with styles are left out, because the page's policy forbids them: the bars of the facets appear with the app.

use lol_html::element;
use lol_html::html_content::ContentType;

use super::{PageError, rewrite};

/// The element of the app.
const APP: &str = "#app";

/// Returns the page with this first view, which replaces any earlier one; or without a first view if it is `None`, or if the
/// page has no place for the app.
pub(crate) fn with_first_view(html: &str, view: Option<&str>) -> Result<String, PageError> {
    let remove = element!("#first", |earlier| {
        earlier.remove();
        Ok(())
    });
    let page = rewrite(html, vec![remove])?;
    let Some(view) = view else { return Ok(page) };
    let unstyle = element!("[style]", |element| {
        element.remove_attribute("style");
        Ok(())
    });
    let view = rewrite(view, vec![unstyle])?;
    let first = format!("<div id=\"first\" aria-busy=\"true\">{view}</div>");
    let place = element!(APP, |app| {
        app.prepend(&first, ContentType::Html);
        Ok(())
    });
    rewrite(&page, vec![place])
}

/// The link to the pages of packages. The page shows it only to readers without JavaScript.
const TO_PACKAGES: &str = "<noscript id=\"to-packages\"><p><a href=\"package/\">All packages, on pages that need no \
     JavaScript</a></p></noscript>";

/// Returns the page with a link to the pages of packages, or without one.
pub(crate) fn with_packages(html: &str, has_packages: bool) -> Result<String, PageError> {
    let remove = element!("#to-packages", |earlier| {
        earlier.remove();
        Ok(())
    });
    let page = rewrite(html, vec![remove])?;
    if !has_packages {
        return Ok(page);
    }
    let place = element!(APP, |app| {
        app.append(TO_PACKAGES, ContentType::Html);
        Ok(())
    });
    rewrite(&page, vec![place])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<body><div id=\"app\"><p>Loading</p></div></body>";

    #[test]
    fn shows_the_first_view_before_the_frame() {
        let page = with_first_view(PAGE, Some("<b style=\"--share: 1\" class=\"x\">zlib 1</b>"));
        let expected = "<body><div id=\"app\"><div id=\"first\" aria-busy=\"true\">\
                        <b class=\"x\">zlib 1</b></div><p>Loading</p></div></body>";
        assert_eq!(page.as_deref(), Ok(expected));
        let again = with_first_view(expected, Some("<i>hdf5</i>")).expect("a page");
        assert_eq!(again, expected.replace("<b class=\"x\">zlib 1</b>", "<i>hdf5</i>"));
        assert_eq!(with_first_view(expected, None).as_deref(), Ok(PAGE));
    }

    #[test]
    fn leads_to_the_pages_of_packages_once() {
        let page = with_packages(PAGE, true).expect("a page");
        let expected = format!("<body><div id=\"app\"><p>Loading</p>{TO_PACKAGES}</div></body>");
        assert_eq!(page, expected);
        assert_eq!(with_packages(&page, true).as_ref(), Ok(&page));
        assert_eq!(with_packages(&page, false).as_deref(), Ok(PAGE));
        // The app's list of packages has a similar id, but is not the link.
        let list = PAGE.replace("<p>Loading</p>", "<table id=\"packages\"></table>");
        assert_eq!(with_packages(&list, false).as_ref(), Ok(&list));
        assert_eq!(with_packages("<body></body>", true).as_deref(), Ok("<body></body>"));
    }

    #[test]
    fn leaves_pages_without_a_place_for_it_unchanged() {
        for view in [None, Some("<i>hdf5</i>")] {
            assert_eq!(with_first_view("<body></body>", view).as_deref(), Ok("<body></body>"));
        }
    }
}
