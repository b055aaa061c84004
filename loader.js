// Starts the app, and says so in plain words where that fails.
//
// It runs as soon as it has arrived, while the rest of the page (perhaps a large index) is still on its way.
// In the folder of static files the app is two files that the page's head names; in the single file both are
// inside the page: the glue as a script before this one, the module as base64 in a script that is only data.
(() => {
  "use strict";

  // The colours that a person chose, before anything is drawn in others. As src/browser.rs keeps them.
  try {
    const theme = JSON.parse(localStorage.getItem("theme"));
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be refused, or hold what others left there.
  }

  // What scripts ask the page with. It is here before the app is, so that they can wait for it; the app adds
  // the rest and settles the promise.
  const cache = { __proto__: null };
  cache.ready = new Promise((resolve, reject) => {
    cache.settle = (error) => {
      delete cache.settle;
      error ? reject(error) : resolve();
    };
  });
  cache.ready.catch(() => {}); // Nobody has to wait.
  window.spackCache = cache;

  const explain = (title, text, error) => {
    if (error) console.error(error);
    cache.settle?.(error || new Error(title));
    const section = document.createElement("section");
    section.className = "problem";
    section.setAttribute("role", "alert");
    const add = (tag, content) => {
      const element = document.createElement(tag);
      element.textContent = content;
      section.append(element);
    };
    add("h1", title);
    add("p", text);
    if (error) add("code", String(error));
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

  const start = () => {
    const module = document.getElementById("wasm");
    const from = module.href || "data:application/wasm;base64," + module.textContent.trim();
    wasm_bindgen({ module_or_path: from }).catch((error) =>
      error instanceof WebAssembly.RuntimeError
        ? explain("The explorer stopped", "It met something that it was not prepared for. Please report this text.", error)
        : error instanceof WebAssembly.CompileError
          ? explain("The explorer cannot run here", "This browser does not run its WebAssembly: it is too old, or forbids it.", error)
          : missing(error),
    );
  };

  if (typeof WebAssembly !== "object") {
    explain("The explorer cannot run here", "It needs WebAssembly, and this browser has none or forbids it.");
  } else if (typeof wasm_bindgen === "function") {
    start();
  } else {
    const script = document.createElement("script");
    script.src = document.getElementById("glue").href;
    script.onload = start;
    script.onerror = () => missing();
    document.head.append(script);
  }
})();
