//! Changing the contents of an element, in place, to match HTML.
//!
//! What stays the same is not touched, so it keeps its focus and its scroll position, and screen readers do not read it out.
//! Elements with a [`KEY`] are matched by that key, even if they have moved among their siblings; all others are matched by
//! their position.

use gloo::utils::document;
use js_sys::{JsString, Map};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlTemplateElement, Node};

#[wasm_bindgen]
extern "C" {
    /// An element whose attributes stay JavaScript strings.
    #[wasm_bindgen(extends = Element)]
    type Attributes;
    #[wasm_bindgen(method, js_name = getAttribute)]
    fn get(this: &Attributes, name: &JsString) -> Option<JsString>;
    #[wasm_bindgen(method, js_name = setAttribute, catch)]
    fn set(this: &Attributes, name: &JsString, value: &JsString) -> Result<(), JsValue>;
    #[wasm_bindgen(method, js_name = removeAttribute)]
    fn remove(this: &Attributes, name: &JsString);
    #[wasm_bindgen(method, js_name = getAttributeNames)]
    fn names(this: &Attributes) -> Vec<JsString>;
}

/// The attribute that identifies an element among its siblings.
pub(crate) const KEY: &str = "data-key";

/// The attribute for what belongs in `style`, which the page's policy forbids in HTML.
pub(crate) const STYLE: &str = "data-style";

/// The attribute of a part that is unfolded. HTML only says how the part begins; from then on, the user decides.
const OPEN: &str = "open";

/// Applies the styles that the elements inside an element name in their attributes.
pub(crate) fn put_styles(element: &Element) {
    let Ok(styled) = element.query_selector_all(&format!("[{STYLE}]")) else { return };
    for at in 0..styled.length() {
        if let Some(Ok(styled)) = styled.item(at).map(JsCast::dyn_into) {
            put_style(&styled);
        }
    }
}

fn put_style(element: &Element) {
    if let (Some(html), Some(style)) =
        (element.dyn_ref::<HtmlElement>(), element.get_attribute(STYLE))
    {
        html.style().set_css_text(&style);
    }
}

/// Changes the contents of an element to match HTML.
pub(crate) fn patch(element: &Element, html: &str) {
    let Ok(template) = document().create_element("template") else { return };
    let template: HtmlTemplateElement = template.unchecked_into();
    template.set_inner_html(html);
    // Browsers only refuse changes that are never made here, such as adding an element to itself.
    let _ = change_children(element, &template.content());
}

fn change_children(old: &Node, new: &Node) -> Result<(), JsValue> {
    let wanted = children(new);
    let by_key = keep_keys(old, &wanted)?;
    let mut next = old.first_child();
    for (wanted, key) in &wanted {
        let same = match key {
            Some(key) => by_key.get(key).dyn_into().ok(),
            None => next.clone().filter(|next| is_alike(next, wanted)),
        };
        let is_next = same.is_some() && same == next;
        match &same {
            Some(same) => change(same, wanted)?,
            None => {
                old.insert_before(wanted, next.as_ref())?;
                if let Some(new) = wanted.dyn_ref() {
                    put_style(new);
                    put_styles(new);
                }
            }
        }
        if is_next {
            next = next.and_then(|next| next.next_sibling());
        } else if let Some(moved) = same {
            old.insert_before(&moved, next.as_ref())?;
        }
    }
    while let Some(gone) = next {
        next = gone.next_sibling();
        old.remove_child(&gone)?;
    }
    Ok(())
}

/// Removes the children whose keys are no longer wanted, so that the others need not move, and returns the rest by key.
fn keep_keys(old: &Node, wanted: &[(Node, Option<JsString>)]) -> Result<Map, JsValue> {
    let kept = Map::new();
    if wanted.iter().all(|(_, key)| key.is_none()) {
        return Ok(kept);
    }
    for key in wanted.iter().filter_map(|(_, key)| key.as_ref()) {
        kept.set(key, &JsValue::NULL);
    }
    for (child, key) in children(old) {
        match key {
            Some(key) if kept.has(&key) => drop(kept.set(&key, &child)),
            Some(_) => drop(old.remove_child(&child)?),
            None => {}
        }
    }
    Ok(kept)
}

/// Returns the children of a node with their keys.
fn children(parent: &Node) -> Vec<(Node, Option<JsString>)> {
    let name = JsString::from(KEY);
    let mut children = Vec::new();
    let mut next = parent.first_child();
    while let Some(child) = next {
        next = child.next_sibling();
        let key =
            child.dyn_ref::<Element>().and_then(|it| it.unchecked_ref::<Attributes>().get(&name));
        children.push((child, key));
    }
    children
}

/// Returns `true` if one node can become the other.
fn is_alike(old: &Node, new: &Node) -> bool {
    let has_key = old.dyn_ref::<Element>().is_some_and(|old| old.has_attribute(KEY));
    !has_key && old.node_name() == new.node_name()
}

/// Changes a node to another one of the same kind.
fn change(old: &Node, new: &Node) -> Result<(), JsValue> {
    if old.is_equal_node(Some(new)) {
        return Ok(());
    }
    if !old.has_type::<Element>() {
        old.set_node_value(new.node_value().as_deref());
        return Ok(());
    }
    change_attributes(old.unchecked_ref(), new.unchecked_ref())?;
    if let (Some(old), Some(new)) =
        (old.dyn_ref::<HtmlInputElement>(), new.dyn_ref::<HtmlInputElement>())
    {
        // Once a user has pressed a box, its attribute no longer decides whether it is ticked.
        old.set_checked(new.checked());
    }
    change_children(old, new)
}

fn change_attributes(old: &Attributes, new: &Attributes) -> Result<(), JsValue> {
    for name in old.names() {
        if name != "style" && name != OPEN && new.get(&name).is_none() {
            old.remove(&name);
            if name == STYLE {
                old.remove(&"style".into());
            }
        }
    }
    for name in new.names() {
        match new.get(&name) {
            Some(value) if name != OPEN && old.get(&name).as_ref() != Some(&value) => {
                old.set(&name, &value)?;
                if name == STYLE {
                    put_style(old);
                }
            }
            _ => {}
        }
    }
    Ok(())
}
