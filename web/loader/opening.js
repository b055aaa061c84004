// Loads open.js, which opens a user's own caches, when it is needed. In the folder it is a file of the build that
// `data-later` identifies, in the single file it is part of the page.

const { later } = document.currentScript.dataset;
let own;
const loadOwn = () =>
  (own ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const inside = document.getElementById("open.js");
    script.onload = () => resolve(window.ownCaches);
    script.onerror = () => {
      own = undefined;
      reject(new Error("open.js"));
    };
    if (inside) script.textContent = inside.textContent;
    else script.src = later ? `open.js?${later}` : "open.js";
    document.head.append(script);
    if (inside) script.onload();
  }));
cache.own = loadOwn;
const open = (chosen, what) =>
  loadOwn().then(
    (own) => own.open(chosen, what),
    () => notify("Opening", "What opens files could not be fetched, and this device has not kept it. Connect to the network, and try again.", ["Close"]),
  );
addEventListener("click", ({ target }) => {
  const opener = target.closest?.("[data-open]");
  if (opener) open([], opener.dataset.open);
});
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (key !== "o" || ctrlKey || metaKey || altKey || target.isContentEditable) return;
  // As for the other keys (src/view/frame/keys.rs): checkboxes take no text, and what is open keeps the keys.
  const takesText = target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select");
  if (!takesText && !document.querySelector("dialog[open], .menu[open]")) open();
});
