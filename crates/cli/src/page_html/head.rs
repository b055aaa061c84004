//! What a page says about itself to programs that do not run it: search engines, messengers that show previews of links,
//! and browsers that offer to search a site.
//!
//! All of it comes from the publisher, so the page that Trunk makes has nothing but a title. Presenting a page again
//! replaces what an earlier run wrote.

use cache_advice::text::escaped;
use lol_html::element;
use lol_html::html_content::ContentType;

use super::{PageError, rewrite};
use crate::marks::SEARCH_DESCRIPTION;
use crate::site_url::below;

/// The name of the file that describes the site's search to browsers.
pub(crate) const OPEN_SEARCH: &str = "opensearch.xml";

/// How a site presents itself to browsers and search engines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presentation<'p> {
    /// The publisher's name of the cache.
    pub(crate) title: &'p str,
    /// The address at which the site is published, if the publisher states it: previews and search need complete addresses.
    pub(crate) url: Option<&'p str>,
    /// The name of a feed in the folder of the site.
    pub(crate) feed: Option<&'p str>,
}

/// Returns the page with the title in it, and with what link previews and browsers look for.
pub(crate) fn present(html: &str, site: Presentation<'_>) -> Result<String, PageError> {
    let Presentation { title, url, feed } = site;
    let of_previews = |property: &str, content: &str| {
        format!("<meta property=\"og:{property}\" content=\"{}\">", escaped(content))
    };
    let mut said = of_previews("type", "website") + &of_previews("title", title);
    if let Some(url) = url {
        said += &of_previews("url", url);
        said += &of_previews("image", &below(url, "icon-512.png"));
        said += &format!(
            "<link rel=\"search\" type=\"application/opensearchdescription+xml\" title=\"{}\" \
             href=\"{OPEN_SEARCH}\">",
            escaped(title)
        );
    }
    if let Some(feed) = feed {
        said += &format!(
            "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"{}\" href=\"{}\">",
            escaped(title),
            escaped(feed)
        );
    }
    let others = "head > meta[property^=\"og:\"], head > link[rel=\"search\"], head > link[rel=\"alternate\"]";
    let remove_others = element!(others, |other| {
        other.remove();
        Ok(())
    });
    let name = element!("head > title", |element| {
        element.set_inner_content(title, ContentType::Text);
        element.after(&said, ContentType::Html);
        Ok(())
    });
    rewrite(html, vec![remove_others, name])
}

/// Returns the description of a site's search.
pub(crate) fn open_search(title: &str, url: &str) -> String {
    // Browsers show at most sixteen characters of the name.
    let (title, url) = (escaped(title), escaped(&below(url, "")));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n\
         <ShortName>{title}</ShortName>\n\
         <Description>{SEARCH_DESCRIPTION}{title}</Description>\n\
         <InputEncoding>UTF-8</InputEncoding>\n\
         <Image width=\"192\" height=\"192\" type=\"image/png\">{url}icon-192.png</Image>\n\
         <Url type=\"text/html\" template=\"{url}?q={{searchTerms}}\"/>\n\
         </OpenSearchDescription>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><title>x</title></head><body></body></html>";

    #[test]
    fn names_the_page_as_its_publisher_does() {
        let page = present(PAGE, Presentation { title: "E4S & <friends>", url: None, feed: None });
        assert_eq!(
            page.as_deref(),
            Ok("<html><head><title>E4S &amp; &lt;friends&gt;</title>\
                <meta property=\"og:type\" content=\"website\">\
                <meta property=\"og:title\" content=\"E4S &amp; &lt;friends&gt;\">\
                </head><body></body></html>")
        );
    }

    #[test]
    fn replaces_what_was_said_before() {
        let url = Some("https://example.org/cache");
        let first = present(PAGE, Presentation { title: "E4S", url, feed: Some("feed.xml") })
            .expect("a page");
        for said in [
            "<meta property=\"og:url\" content=\"https://example.org/cache\">",
            "<meta property=\"og:image\" content=\"https://example.org/cache/icon-512.png\">",
            "title=\"E4S\" href=\"opensearch.xml\">",
            "type=\"application/atom+xml\" title=\"E4S\" href=\"feed.xml\">",
        ] {
            assert!(first.contains(said), "{first}");
        }
        let other = Presentation { title: "Other", url: None, feed: None };
        assert_eq!(present(&first, other), present(PAGE, other));
        let same = Presentation { title: "E4S", url, feed: Some("feed.xml") };
        assert_eq!(present(&first, same).as_ref(), Ok(&first));
    }

    #[test]
    fn describes_the_search_to_browsers() {
        let text = open_search("A \"&\" B", "https://example.org/cache/");
        assert!(text.contains("<ShortName>A &quot;&amp;&quot; B</ShortName>"), "{text}");
        let template = "template=\"https://example.org/cache/?q={searchTerms}\"";
        assert!(text.contains(template), "{text}");
    }
}
