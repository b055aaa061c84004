// What the page shows in place of the app if it cannot start, or has stopped.

const element = (tag, content, attributes = {}) => {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.append(content);
  return element;
};

const explain = (title, text, error) => {
  if (error) console.error(error);
  cache.settle?.(error || new Error(title));
  document.getElementById("first")?.remove();
  const section = element("section", element("h1", title), { class: "problem", role: "alert" });
  section.append(element("p", text));
  if (error) section.append(element("code", String(error)));
  const main = document.querySelector("main");
  if (main) {
    main.removeAttribute("aria-busy");
    main.replaceChildren(section);
  } else {
    document.body.replaceChildren(section);
  }
};

const missing = (error) =>
  location.protocol === "file:"
    ? explain(
        "This page cannot start from disk",
        "Browsers do not let a page on disk load its parts. Open explorer.html beside it, which has everything inside, or serve this folder.",
        error,
      )
    : explain(
        "The explorer did not load",
        "A part of it could not be fetched. Reload the page; if that does not help, the site was published incompletely.",
        error,
      );

const damaged = (error) =>
  explain(
    "The explorer did not load",
    "A part of it arrived damaged, or the host sent something else in its place. Reload the page; if that does not help, the site was published incompletely, or from two different versions.",
    error,
  );

// Tests for the features that the app uses beyond the first version of WebAssembly, with a module that does nothing:
// sign extension, saturating conversion, bulk memory and reference types. A browser that compiles it can run the app.
const runs = () => {
  const code = atob("AGFzbQEAAAABBAFgAAADAgEABQMBAAEKHAEaAEEAwBpDAAAAAPwAGkEAQQBBAPwLANBwGgs=");
  try {
    return Boolean(new WebAssembly.Module(Uint8Array.from(code, (letter) => letter.charCodeAt(0))));
  } catch {
    return false;
  }
};

// After a panic the app cannot continue, and what it shows may be wrong, so both are removed from the page. The console
// has the position of the panic.
const stop = (error) => {
  const app = document.getElementById("app") ?? document.body;
  const brand = element("a", "Build cache", { class: "brand", href: "./" });
  app.replaceChildren(element("header", brand, { class: "masthead" }), element("main", ""));
  const stopped = new Error("the explorer stopped; reload the page");
  cache.query = cache.builds = () => {
    throw stopped;
  };
  delete cache.addressOf;
  explain("The explorer stopped", "It ran into an unexpected error. Reload the page, and please report this text and the address of the page.", error);
  const reload = element("button", "Reload", { type: "button", class: "button main" });
  reload.onclick = () => location.reload();
  document.querySelector("main > section").append(reload);
};
const isStop = (error) => globalThis.WebAssembly?.RuntimeError && error instanceof WebAssembly.RuntimeError;
addEventListener("error", (event) => isStop(event.error) && stop(event.error));
addEventListener("unhandledrejection", (event) => isStop(event.reason) && stop(event.reason));
