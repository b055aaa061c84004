// Finds elements as a user does: by their role and name, within other elements that are found the same way.
//
// find([["group", "OS"], ["checkbox", "sequoia"]]) is every visible checkbox "sequoia" in a visible group "OS". A name fits
// if it is the wanted one in any case, or begins with it as complete words ("sequoia 93"); if one fits exactly, those that
// only begin with it are left out. An empty name fits all. The role "test" means data-testid.
const find = (() => {
  const implied = {
    button: "button, summary, input[type=button], input[type=submit]",
    cell: "td",
    checkbox: "input[type=checkbox]",
    columnheader: "th:not([scope=row])",
    combobox: "select",
    dialog: "dialog",
    group: "fieldset, details, optgroup",
    heading: "h1, h2, h3, h4, h5, h6",
    img: "img",
    link: "a[href]",
    list: "ul, ol",
    listitem: "li",
    main: "main",
    navigation: "nav",
    option: "option",
    radio: "input[type=radio]",
    region: "section",
    row: "tr",
    rowheader: "th[scope=row]",
    searchbox: "input[type=search]",
    status: "output",
    table: "table",
    textbox: "input:not([type]), input[type=text], textarea",
  };
  const tidy = (text) => (text || "").replace(/\s+/g, " ").trim();

  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden=true], [inert]");

  // The text content, not the layout: a name that is cut in the middle is in two boxes, but still one word.
  const content = (element) => tidy(element?.textContent);

  const name = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return tidy(by.split(/\s+/).map((id) => content(document.getElementById(id))).join(" "));
    const label = element.getAttribute("aria-label");
    if (label) return tidy(label);
    if (element.labels?.length) return tidy([...element.labels].map(content).join(" "));
    const heading = { FIELDSET: ":scope > legend", DETAILS: ":scope > summary", TABLE: ":scope > caption" }[element.tagName];
    if (heading) return content(element.querySelector(heading));
    if (element.tagName === "TR") return tidy([...element.cells].map(content).join(" "));
    if (["SECTION", "NAV", "MAIN", "DIALOG"].includes(element.tagName)) return "";
    return tidy(element.getAttribute("alt")) || content(element) || tidy(element.placeholder || element.title);
  };

  const inside = (root, role, wanted) => {
    if (role === "test") return [...root.querySelectorAll(`[data-testid="${CSS.escape(wanted)}"]`)].filter(visible);
    const own = `[role=${role}]`;
    const native = implied[role] ? `:is(${implied[role]}):not([role])` : own;
    const all = [...root.querySelectorAll(`${own}, ${native}`)].filter(visible);
    if (!wanted) return all;
    const words = tidy(wanted).toLowerCase();
    const named = all.map((element) => [element, name(element).toLowerCase()]);
    const whole = named.filter(([, name]) => name === words);
    const begun = named.filter(([, name]) => name.startsWith(words) && !/[\p{L}\p{N}_.@-]/u.test(name.charAt(words.length)));
    return (whole.length ? whole : begun).map(([element]) => element);
  };

  const search = (path) =>
    path.reduce((roots, [role, wanted]) => [...new Set(roots.flatMap((root) => inside(root, role, wanted)))], [document]);
  return Object.assign(search, { nameOf: name });
})();
