//! What a user sees. Every method here waits until it is true.

use serde_json::json;

use crate::page::{FIND, Page, spell, text};

/// The maximum number of elements of a page, whatever the cache contains: with more, every click is noticeably slower.
const MOST_ELEMENTS: u64 = 3_000;

impl Page<'_> {
    /// Waits until a text is on the page, ignoring case and line breaks.
    #[track_caller]
    pub fn see(&self, wanted: &str) {
        self.until(&format!("'{wanted}' on the page"), || {
            if self.shows(wanted)? { Ok(()) } else { Err("it is not there".to_owned()) }
        });
    }

    /// Waits until a text is no longer on the page.
    #[track_caller]
    pub fn see_no(&self, unwanted: &str) {
        self.until(&format!("no '{unwanted}' on the page"), || {
            if self.shows(unwanted)? { Err("it is there".to_owned()) } else { Ok(()) }
        });
    }

    /// Waits until an element exists: `("heading", "py-torch")`, or within others, outermost first: `&[("group", "OS"),
    /// ("checkbox", "sequoia")]`.
    #[track_caller]
    pub fn see_element(&self, path: &[(&str, &str)]) {
        self.until(&spell(path), || self.find(path).map(|_| ()));
    }

    /// Waits until there is at least one such element.
    #[track_caller]
    pub fn see_some(&self, path: &[(&str, &str)]) {
        self.until(&format!("any {}", spell(path)), || match self.texts_now(path)?.len() {
            0 => Err("there is none".to_owned()),
            _ => Ok(()),
        });
    }

    /// Waits until an element has an attribute with this value.
    #[track_caller]
    pub fn see_attribute(&self, path: &[(&str, &str)], attribute: &str, wanted: &str) {
        self.until(&format!("{attribute} '{wanted}' of {}", spell(path)), || {
            let script = format!("return element.getAttribute('{attribute}')");
            let value = text(&self.ask_about(path, &script)?);
            if value == wanted { Ok(()) } else { Err(format!("it is '{value}'")) }
        });
    }

    /// Waits until the focus is on the link with this address, or on the element with this id.
    #[track_caller]
    pub fn see_focused(&self, wanted: &str) {
        self.until(&format!("the focus on {wanted}"), || {
            let script =
                "const { activeElement: it } = document; return it.getAttribute('href') ?? it.id";
            let focused = text(&self.script(script, Vec::new())?);
            if focused == wanted { Ok(()) } else { Err(format!("it is on '{focused}'")) }
        });
    }

    /// Waits until no such element exists.
    #[track_caller]
    pub fn see_no_element(&self, path: &[(&str, &str)]) {
        self.until(&format!("no {}", spell(path)), || match self.texts_now(path)?.len() {
            0 => Ok(()),
            number => Err(format!("there are {number}")),
        });
    }

    /// Waits until the headline shows this number of builds; on a narrow page, closes the facets first.
    #[track_caller]
    pub fn see_builds(&self, wanted: usize) {
        self.see_in_headline(wanted, "build");
    }

    /// Waits until the headline shows this number of packages.
    #[track_caller]
    pub fn see_packages(&self, wanted: usize) {
        self.see_in_headline(wanted, "package");
    }

    #[track_caller]
    fn see_in_headline(&self, wanted: usize, noun: &str) {
        self.close_filters();
        self.until(&format!("{wanted} {noun}(s) in the headline"), || {
            let headline = self.text_of(&[("test", "total")])?;
            if counted(&headline, noun) == Some(wanted) {
                Ok(())
            } else {
                Err(format!("it says '{headline}'"))
            }
        });
    }

    /// Waits until a facet's value has this count next to it.
    #[track_caller]
    pub fn see_count(&self, facet: &str, value: &str, wanted: usize) {
        self.reveal(facet, value);
        self.until(&format!("{wanted} beside {facet} {value}"), || {
            let script = "return element.closest('label').innerText";
            let line = text(&self.ask_about(&[("region", facet), ("checkbox", value)], script)?);
            if last_number(&line) == Some(wanted) {
                Ok(())
            } else {
                Err(format!("it says '{line}'"))
            }
        });
    }

    /// Waits until a facet's value is chosen, or is not.
    #[track_caller]
    pub fn see_chosen(&self, facet: &str, value: &str, wanted: bool) {
        self.reveal(facet, value);
        self.until(&format!("{facet} {value} to be chosen: {wanted}"), || {
            let chosen = self
                .ask_about(&[("region", facet), ("checkbox", value)], "return element.checked")?;
            if chosen == json!(wanted) { Ok(()) } else { Err(format!("chosen: {chosen}")) }
        });
    }

    /// Checks that the page is no wider than the window.
    #[track_caller]
    pub fn fits(&self) {
        let script = "const { scrollWidth, clientWidth } = document.documentElement; \
                      const out = ({ right }) => right > clientWidth + 1; \
                      const elements = scrollWidth > clientWidth ? [...document.querySelectorAll('*')] : []; \
                      const sticking = elements.filter((element) => out(element.getBoundingClientRect())); \
                      return [scrollWidth, clientWidth, sticking.map(({ tagName, className }) => `${tagName}.${className}`)]";
        let widths = self.ask(script);
        assert!(
            widths[0].as_i64() <= widths[1].as_i64(),
            "the page is {} pixels wide in a window of {}: {}",
            widths[0],
            widths[1],
            widths[2]
        );
    }

    /// Checks that the page currently has at most [`MOST_ELEMENTS`].
    #[track_caller]
    pub fn has_few_elements(&self) {
        let elements = self.ask("return document.querySelectorAll('*').length").as_u64();
        let few = elements.is_some_and(|number| number <= MOST_ELEMENTS);
        assert!(few, "{}: {elements:?} elements, at most {MOST_ELEMENTS} expected", self.query());
    }

    /// Returns the visible text of every such element, in the order of the page.
    pub fn texts(&self, path: &[(&str, &str)]) -> Vec<String> {
        self.texts_now(path).unwrap_or_else(|error| panic!("{}: {error}", spell(path)))
    }

    /// Returns the current number of such elements.
    pub fn number(&self, path: &[(&str, &str)]) -> usize {
        self.texts(path).len()
    }

    pub(crate) fn texts_now(&self, path: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let script =
            format!("{FIND}; return find(arguments[0]).map((element) => element.innerText.trim())");
        let texts = self.script(&script, vec![json!(path)])?;
        Ok(texts.as_array().into_iter().flatten().map(text).collect())
    }

    /// Returns `true` if a text is on the page. Fails between two documents, when there is no body yet.
    fn shows(&self, wanted: &str) -> Result<bool, String> {
        let words =
            |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let visible = text(&self.script("return document.body.innerText", Vec::new())?);
        Ok(words(&visible).contains(&words(wanted)))
    }

    fn text_of(&self, path: &[(&str, &str)]) -> Result<String, String> {
        self.ask_about(path, "return element.innerText").map(|value| text(&value))
    }
}

/// Returns the number before a noun: 121 in "121 builds of 4 packages" for "build".
fn counted(text: &str, noun: &str) -> Option<usize> {
    let text = text.to_lowercase();
    let (before, _) = text.split_once(noun)?;
    before
        .trim_end()
        .ends_with(|letter: char| letter.is_ascii_digit())
        .then(|| last_number(before))?
}

/// Returns the last number in a text, with any separators of thousands.
fn last_number(text: &str) -> Option<usize> {
    let of_number = |letter: &char| {
        letter.is_ascii_digit() || matches!(letter, ',' | '\u{a0}' | '\u{2009}' | '\u{202f}')
    };
    let digits: Vec<_> =
        text.trim_end().chars().rev().take_while(of_number).filter(char::is_ascii_digit).collect();
    digits.into_iter().rev().collect::<String>().parse().ok()
}
