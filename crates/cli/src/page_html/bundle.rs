//! Putting all files of the site into its page, so that the page works alone, and from disk.
//!
//! From disk a browser loads neither modules nor anything by `fetch`, but for `data:` URLs. So what
//! the page names is put into it:
//!
//! | in the page | becomes |
//! | --- | --- |
//! | `<link rel="stylesheet" href>` | `<style>` |
//! | `<link rel="preload" id="glue" href>` | a script before the loader |
//! | `<link rel="preload" id="wasm" href>` | base64 in `<script type="application/wasm" id="wasm">`, which the loader reads |
//! | `<script src>` (the loader) | a script in its place |
//! | `<link rel="icon" href>` | the same with a `data:` URL |
//! | `<link rel="manifest">`, other preloads | nothing: they are of no use to a single file |
//!
//! Texts are put in as they are. One that would end its element early is refused.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lol_html::element;
use lol_html::html_content::{ContentType, Element};

use super::{PageError, rewrite};

/// The page with everything in it. `read` gives the bytes of a file that the page names.
pub(crate) fn bundle(
    html: &str,
    read: &dyn Fn(&str) -> std::io::Result<Vec<u8>>,
) -> Result<String, PageError> {
    let files = Files { read };
    let app = RefCell::new(App::default());
    // The app's files are named in the head, and used where the loader stands.
    let find = element!("link[rel=\"preload\"]", |link| {
        let name = link.get_attribute("href").unwrap_or_default();
        match link.get_attribute("id").as_deref() {
            Some("glue") => app.borrow_mut().glue = Some(files.script(&name)?),
            Some("wasm") => app.borrow_mut().wasm = Some(BASE64.encode(files.bytes(&name)?)),
            _ => {}
        }
        Ok(())
    });
    rewrite(html, vec![find])?;
    let App { glue, wasm } = app.into_inner();
    let glue = glue.ok_or(PageError::NoApp { id: "glue" })?;
    let wasm = wasm.ok_or(PageError::NoApp { id: "wasm" })?;
    let before_loader = RefCell::new(Some(format!(
        "<script>{glue}</script>\n<script type=\"application/wasm\" id=\"wasm\">{wasm}</script>\n"
    )));
    let page = rewrite(
        html,
        vec![
            element!("link", |link| inline_link(link, &files)),
            element!("[src]", |element| {
                let name = element.get_attribute("src").unwrap_or_default();
                if element.tag_name() != "script" {
                    return Err(PageError::UnknownResource { name }.into());
                }
                if element.get_attribute("type").as_deref() == Some("module") {
                    return Err(PageError::Module { name }.into());
                }
                let script = format!("<script>{}</script>", files.script(&name)?);
                let before = before_loader.borrow_mut().take().unwrap_or_default();
                element.replace(&(before + &script), ContentType::Html);
                Ok(())
            }),
        ],
    )?;
    if before_loader.into_inner().is_some() {
        return Err(PageError::NoLoader);
    }
    Ok(page)
}

/// The app, as it is put into the page.
#[derive(Default)]
struct App {
    glue: Option<String>,
    wasm: Option<String>,
}

fn inline_link(
    link: &mut Element<'_, '_>,
    files: &Files<'_>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let name = link.get_attribute("href").unwrap_or_default();
    let rel = link.get_attribute("rel").unwrap_or_default();
    match rel.as_str() {
        "stylesheet" => {
            let style = files.text(&name, &["</style"])?;
            link.replace(&format!("<style>{style}</style>"), ContentType::Html);
        }
        "preload" | "modulepreload" | "manifest" => link.remove(),
        "icon" | "apple-touch-icon" if !name.starts_with("data:") => {
            let type_ = match name.rsplit('.').next() {
                Some("svg") => "image/svg+xml",
                Some("png") => "image/png",
                Some("ico") => "image/x-icon",
                _ => return Err(PageError::UnknownResource { name }.into()),
            };
            let bytes = BASE64.encode(files.bytes(&name)?);
            link.set_attribute("href", &format!("data:{type_};base64,{bytes}"))?;
        }
        // Links that are followed, not loaded.
        "icon" | "apple-touch-icon" | "canonical" | "help" | "license" => {}
        _ => return Err(PageError::UnknownResource { name }.into()),
    }
    Ok(())
}

/// The files that the page names.
struct Files<'f> {
    read: &'f dyn Fn(&str) -> std::io::Result<Vec<u8>>,
}

impl Files<'_> {
    fn bytes(&self, name: &str) -> Result<Vec<u8>, PageError> {
        (self.read)(name).map_err(|error| missing(name, error.to_string()))
    }

    /// A text without any of these endings.
    fn text(&self, name: &str, endings: &[&'static str]) -> Result<String, PageError> {
        let text = String::from_utf8(self.bytes(name)?)
            .map_err(|_| missing(name, "it is not UTF-8".to_string()))?;
        let lower = text.to_ascii_lowercase();
        match endings.iter().find(|ending| lower.contains(**ending)) {
            Some(ending) => Err(PageError::EndsEarly { name: name.to_string(), text: ending }),
            None => Ok(text),
        }
    }

    /// A script. After `<!--`, even `<script` would keep its own end from being seen.
    fn script(&self, name: &str) -> Result<String, PageError> {
        self.text(name, &["</script", "<!--"])
    }
}

fn missing(name: &str, message: String) -> PageError {
    PageError::MissingFile { name: name.to_string(), message }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    const PAGE: &str = r#"<!doctype html>
<html>
  <head>
    <link rel="icon" href="icon.svg">
    <link rel="manifest" href="app.webmanifest">
    <link rel="stylesheet" href="./style.css"/>
  <link rel="preload" id="glue" as="script" href="./app.js">
<link rel="preload" id="wasm" as="fetch" type="application/wasm" crossorigin href="./app_bg.wasm">
</head>
  <body>
    <p>"$&amp;" stays</p>
    <script src="./loader.js" async></script>
  </body>
</html>
"#;

    fn read(name: &str) -> io::Result<Vec<u8>> {
        let text = match name {
            "icon.svg" => "<svg/>",
            "./style.css" => "p { color: red }",
            "./app.js" => "let wasm_bindgen = \"$&\";",
            "./app_bg.wasm" => "\0asm",
            "./loader.js" => "start();",
            _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        Ok(text.as_bytes().to_vec())
    }

    #[test]
    fn everything_is_in_the_page() {
        let expected = r#"<!doctype html>
<html>
  <head>
    <link rel="icon" href="data:image/svg+xml;base64,PHN2Zy8+">
    
    <style>p { color: red }</style>
  

</head>
  <body>
    <p>"$&amp;" stays</p>
    <script>let wasm_bindgen = "$&";</script>
<script type="application/wasm" id="wasm">AGFzbQ==</script>
<script>start();</script>
  </body>
</html>
"#;
        assert_eq!(bundle(PAGE, &read).expect("a page"), expected);
    }

    /// The page with one piece of it replaced cannot be bundled.
    #[track_caller]
    fn check(from: &str, to: &str, expected: PageError) {
        assert!(PAGE.contains(from), "{from} is not in the page");
        assert_eq!(bundle(&PAGE.replacen(from, to, 1), &read), Err(expected));
    }

    #[test]
    fn a_page_of_another_kind_is_refused() {
        check("id=\"glue\"", "", PageError::NoApp { id: "glue" });
        check("id=\"wasm\"", "", PageError::NoApp { id: "wasm" });
        check("<script src=\"./loader.js\" async></script>", "", PageError::NoLoader);
        let name = || "./loader.js".to_string();
        check("async", "type=\"module\"", PageError::Module { name: name() });
        check("<script src", "<img src", PageError::UnknownResource { name: name() });
        let name = "icon.svg".to_string();
        check("rel=\"icon\"", "rel=\"import\"", PageError::UnknownResource { name });
        check(
            "./style.css",
            "./gone.css",
            PageError::MissingFile {
                name: "./gone.css".into(),
                message: "entity not found".into(),
            },
        );
    }

    #[test]
    fn a_file_that_would_end_its_element_is_refused() {
        for (name, content, text) in [
            ("./style.css", "a::after { content: '</STYLE>' }", "</style"),
            ("./app.js", "let a = '</script>';", "</script"),
            ("./loader.js", "let a = '<!--';", "<!--"),
        ] {
            let with = |other: &str| {
                if other == name { Ok(content.as_bytes().to_vec()) } else { read(other) }
            };
            assert_eq!(bundle(PAGE, &with), Err(PageError::EndsEarly { name: name.into(), text }));
        }
    }
}
