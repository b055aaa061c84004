//! Putting an environment into a page, which then begins with how much of it the cache has.
//!
//! The address with which the page begins is an attribute of the root element, which a script of `index.html` follows before
//! the page is painted. The environment comes before the index, so that it is there when the app starts.

use cache_advice::text::escaped;
use cache_index::environment::EnvironmentTexts;
use cache_index::index::in_script;
use lol_html::element;
use lol_html::html_content::ContentType;
use sha2::{Digest as _, Sha256};

use super::{PageError, rewrite};

/// How many digits of the digest identify an environment, as in a page that opens its file.
const DIGITS: usize = 16;

/// Returns the page with an environment of this name in it.
pub(crate) fn starting_with(
    html: &str,
    name: &str,
    kept: &EnvironmentTexts,
) -> Result<String, PageError> {
    let digest = Sha256::new().chain_update(&kept.head);
    let digest = digest.chain_update(kept.nodes.as_deref().unwrap_or_default());
    let id = &format!("{:x}", digest.finalize())[..DIGITS];
    // Texts can always be written as JSON.
    let text = serde_json::to_string(kept).unwrap_or_default();
    let script = format!(
        "<script type=\"application/json\" id=\"{}\" data-id=\"{id}\" data-name=\"{}\">{}</script>",
        EnvironmentTexts::ELEMENT,
        escaped(name),
        in_script(&text),
    );
    let address = format!("?environment={id}");
    let root = element!("html", |root| Ok(root.set_attribute("data-start", &address)?));
    let body = element!("body", |body| {
        body.prepend(&script, ContentType::Html);
        Ok(())
    });
    rewrite(html, vec![root, body])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_an_environment_before_everything_else() {
        let html = "<!doctype html><html lang=\"en\"><head></head><body><div id=\"app\"></div></body></html>";
        let kept = EnvironmentTexts { head: "</script>".to_owned(), nodes: None };
        let page = starting_with(html, "a \"b\" <c>", &kept).expect("a page");
        assert!(page.contains("<html lang=\"en\" data-start=\"?environment="), "{page}");
        assert!(page.contains("data-name=\"a &quot;b&quot; &lt;c&gt;\">{\"head\":"), "{page}");
        assert_eq!(page.matches("</script>").count(), 1, "{page}");
        assert!(page.contains("</script><div id=\"app\">"), "{page}");
    }
}
