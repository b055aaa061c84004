//! Putting all files of the site into its page, so that the page works alone, and from disk.
//!
//! From disk, a browser neither loads modules nor fetches anything except `data:` URLs. So the files that the page
//! names are put into it:
//!
//! | in the page | becomes |
//! | --- | --- |
//! | `<link rel="stylesheet" href>` | `<style>` |
//! | `<link rel="preload" id="glue" href>` | a script before the loader |
//! | `<link rel="preload" id="wasm" href>` | base64 in `<script type="application/wasm" id="wasm">`, which the loader reads |
//! | `data-rest` of that link, if it has it | the same in `<script type="application/wasm" id="rest">` |
//! | `<script src>` (the loader) | a script in its place |
//! | files that are loaded on demand, if the loader has `data-later` | text and base64 in scripts that do not run, with the file's name as id |
//! | `<link rel="icon" href>` | the same with a `data:` URL |
//! | `<link rel="manifest">`, other preloads | nothing: a single file does not need them |
//!
//! Texts are inserted unchanged. A text that would end its element early is rejected. The page gets a content security
//! policy that names each script and style by its digest, and does not allow it to load anything. It may start a
//! worker, but only from a script that it has in memory.

use std::cell::{Cell, RefCell};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lol_html::element;
use lol_html::html_content::{ContentType, Element};

use super::embed::inlined;
use super::loaded::Link;
use super::seal::{Inline, sources, with_policy};
use super::{PageError, later, rewrite};
use cache_ingest::digest::integrity;

/// Returns the page with everything that it needs in it. `read` returns the bytes of a file that the page names.
pub(crate) fn bundle(
    html: &str,
    read: &dyn Fn(&str) -> std::io::Result<Vec<u8>>,
) -> Result<String, PageError> {
    let read_text = |name: &str| {
        String::from_utf8(read(name).map_err(|error| missing(name, error.to_string()))?)
            .map_err(|_| missing(name, "it is not UTF-8".to_string()))
    };
    let html = &inlined(html, &read_text)?;
    let Inline { scripts, styles } = Inline::of(html)?;
    let files = Files {
        read,
        scripts: RefCell::new(scripts),
        styles: RefCell::new(styles),
        has_worker: Cell::new(false),
    };
    let app = RefCell::new(App::default());
    // The app's files are named in the head, and are put in the place of the loader.
    let find = element!("link[rel=\"preload\"]", |link| {
        let name = link.get_attribute("href").unwrap_or_default();
        match link.get_attribute("id").as_deref() {
            Some("glue") => app.borrow_mut().glue = Some(files.script(&name)?),
            Some("wasm") => {
                app.borrow_mut().wasm = Some(BASE64.encode(files.bytes(&name)?));
                if let Some(rest) = link.get_attribute("data-rest") {
                    app.borrow_mut().rest = Some(BASE64.encode(files.bytes(&rest)?));
                }
            }
            _ => {}
        }
        Ok(())
    });
    rewrite(html, vec![find])?;
    let App { glue, wasm, rest } = app.into_inner();
    let glue = glue.ok_or(PageError::NoApp { id: "glue" })?;
    let wasm = wasm.ok_or(PageError::NoApp { id: "wasm" })?;
    let mut before = format!("{glue}\n");
    for (id, module) in [("wasm", Some(wasm)), ("rest", rest)] {
        if let Some(module) = module {
            before += &format!("<script type=\"application/wasm\" id=\"{id}\">{module}</script>\n");
        }
    }
    let before_loader = RefCell::new(Some(before));
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
                let script = files.script(&name)?;
                let before = before_loader.borrow_mut().take().unwrap_or_default();
                let later = match element.has_attribute(later::ATTRIBUTE) {
                    true => files.later()?,
                    false => String::new(),
                };
                element.replace(&(before + &script + &later), ContentType::Html);
                Ok(())
            }),
        ],
    )?;
    if before_loader.into_inner().is_some() {
        return Err(PageError::NoLoader);
    }
    with_policy(&page, &files.policy())
}

/// The app, as it is put into the page.
#[derive(Default)]
struct App {
    glue: Option<String>,
    wasm: Option<String>,
    rest: Option<String>,
}

fn inline_link(
    link: &mut Element<'_, '_>,
    files: &Files<'_>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let name = link.get_attribute("href").unwrap_or_default();
    let rel = link.get_attribute("rel").unwrap_or_default();
    match Link::of(&rel) {
        Some(Link::Style) => link.replace(&files.style(&name)?, ContentType::Html),
        Some(Link::Other) => link.remove(),
        Some(Link::Icon) if !name.starts_with("data:") => {
            let type_ = match name.rsplit('.').next() {
                Some("svg") => "image/svg+xml",
                Some("png") => "image/png",
                Some("ico") => "image/x-icon",
                _ => return Err(PageError::UnknownResource { name }.into()),
            };
            let bytes = BASE64.encode(files.bytes(&name)?);
            link.set_attribute("href", &format!("data:{type_};base64,{bytes}"))?;
        }
        Some(Link::Icon | Link::NotLoaded) => {}
        None => return Err(PageError::UnknownResource { name }.into()),
    }
    Ok(())
}

/// The files that the page names, and the digests of the elements made from them.
struct Files<'f> {
    read: &'f dyn Fn(&str) -> std::io::Result<Vec<u8>>,
    scripts: RefCell<Vec<String>>,
    styles: RefCell<Vec<String>>,
    has_worker: Cell<bool>,
}

impl Files<'_> {
    fn bytes(&self, name: &str) -> Result<Vec<u8>, PageError> {
        (self.read)(name).map_err(|error| missing(name, error.to_string()))
    }

    /// Reads a text, which must not contain any of these endings.
    fn text(&self, name: &str, endings: &[&'static str]) -> Result<String, PageError> {
        let text = String::from_utf8(self.bytes(name)?)
            .map_err(|_| missing(name, "it is not UTF-8".to_string()))?;
        let lower = text.to_ascii_lowercase();
        match endings.iter().find(|ending| lower.contains(**ending)) {
            Some(ending) => Err(PageError::EndsEarly { name: name.to_string(), text: ending }),
            // Line ends as the browser reads them when it compares the digest.
            None => Ok(text.replace("\r\n", "\n")),
        }
    }

    /// Returns a script element. After `<!--`, even `<script` would hide the end of the element.
    fn script(&self, name: &str) -> Result<String, PageError> {
        let script = self.text(name, &["</script", "<!--"])?;
        self.scripts.borrow_mut().push(integrity(script.as_bytes()));
        Ok(format!("<script>{script}</script>"))
    }

    /// Returns the files that are loaded on demand, as elements that the browser does not run.
    fn later(&self) -> Result<String, PageError> {
        self.has_worker.set(true);
        let mut elements = String::new();
        for (name, bytes) in later::files(&|name| self.bytes(name))? {
            if name.ends_with(".wasm") {
                let module = BASE64.encode(bytes);
                elements +=
                    &format!("\n<script type=\"application/wasm\" id=\"{name}\">{module}</script>");
                continue;
            }
            let text = self.text(&name, &["</script", "<!--"])?;
            // The loader runs this script in the page; the others run in the worker.
            if name == later::OPEN {
                self.scripts.borrow_mut().push(integrity(text.as_bytes()));
            }
            elements += &format!("\n<script type=\"text/plain\" id=\"{name}\">{text}</script>");
        }
        Ok(elements)
    }

    /// Returns a style element.
    fn style(&self, name: &str) -> Result<String, PageError> {
        let style = self.text(name, &["</style"])?;
        self.styles.borrow_mut().push(integrity(style.as_bytes()));
        Ok(format!("<style>{style}</style>"))
    }

    /// Returns a policy that lets a page run only these scripts and styles, and WebAssembly.
    fn policy(&self) -> String {
        format!(
            "default-src 'none'; script-src 'wasm-unsafe-eval'{}; style-src{}; img-src data:; \
             connect-src data:;{} base-uri 'none'; form-action 'none'",
            sources(&self.scripts.borrow()),
            sources(&self.styles.borrow()),
            if self.has_worker.get() { " worker-src blob:;" } else { "" },
        )
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
    <meta charset="utf-8">
    <link rel="icon" href="icon.svg">
    <link rel="apple-touch-icon" href="icon.png">
    <link rel="manifest" href="app.webmanifest">
    <link rel="stylesheet" href="./style.css"/>
  <link rel="preload" id="glue" as="script" href="./app.js">
<link rel="preload" id="wasm" as="fetch" type="application/wasm" href="./app_bg.wasm">
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
            "./style.css" => "p {\r\n}",
            "./app.js" => "let wasm_bindgen = \"$&\";",
            "./app_bg.wasm" => "\0asm",
            "./loader.js" => "start();",
            _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        Ok(text.as_bytes().to_vec())
    }

    #[test]
    fn puts_everything_into_the_page() {
        let expected = r#"<!doctype html>
<html>
  <head>
    <meta charset="utf-8">POLICY
    <link rel="icon" href="data:image/svg+xml;base64,PHN2Zy8+">
    
    
    <style>p {
}</style>
  

</head>
  <body>
    <p>"$&amp;" stays</p>
    <script>let wasm_bindgen = "$&";</script>
<script type="application/wasm" id="wasm">AGFzbQ==</script>
<script>start();</script>
  </body>
</html>
"#;
        let [glue, loader, style] = ["let wasm_bindgen = \"$&\";", "start();", "p {\n}"]
            .map(|text| integrity(text.as_bytes()));
        let policy = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             script-src 'wasm-unsafe-eval' '{glue}' '{loader}'; style-src '{style}'; \
             img-src data:; connect-src data:; base-uri 'none'; form-action 'none'\">"
        );
        let bundled = bundle(PAGE, &read).expect("a page");
        assert_eq!(bundled, expected.replace("POLICY", &policy));
        // Bundling a sealed page gives the same file.
        let sealed = crate::page_html::seal(PAGE, Default::default()).expect("a page");
        assert_eq!(bundle(&sealed, &read), Ok(bundled));
    }

    #[test]
    fn puts_files_that_are_loaded_on_demand_into_the_page_without_running_them() {
        let with = |name: &str| match name {
            "open.js" => Ok(b"open();".to_vec()),
            "reader.js" | "reader-worker.js" => Ok(b"read();".to_vec()),
            "reader_bg.wasm" => Ok(b"\0asm\x01\0\0\0\0\x0a\x05partszstd".to_vec()),
            "reader_zstd.wasm" => Ok(b"\0asm".to_vec()),
            name => read(name),
        };
        let page = bundle(&PAGE.replace(" async>", " async data-later=\"\">"), &with);
        let page = page.expect("a page");
        let added = "<script>start();</script>\n\
                     <script type=\"text/plain\" id=\"open.js\">open();</script>\n\
                     <script type=\"text/plain\" id=\"reader.js\">read();</script>\n\
                     <script type=\"text/plain\" id=\"reader-worker.js\">read();</script>\n\
                     <script type=\"application/wasm\" id=\"reader_zstd.wasm\">AGFzbQ==</script>\n\
                     <script type=\"application/wasm\" id=\"reader_bg.wasm\">AGFzbQEAAAAACgVwYXJ0c3pzdGQ=</script>";
        assert!(page.contains(added), "{page}");
        assert!(page.contains(&integrity(b"open();")), "{page}");
        assert!(!page.contains(&integrity(b"read();")), "{page}");
        assert!(page.contains(" connect-src data:; worker-src blob:; base-uri"), "{page}");
    }

    /// Checks that the page with one piece replaced cannot be bundled.
    #[track_caller]
    fn check(from: &str, to: &str, expected: PageError) {
        assert!(PAGE.contains(from), "{from} is not in the page");
        assert_eq!(bundle(&PAGE.replacen(from, to, 1), &read), Err(expected));
    }

    #[test]
    fn rejects_pages_of_another_kind() {
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
    fn rejects_a_file_that_would_end_its_element() {
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
