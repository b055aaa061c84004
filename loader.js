// Starts the app, and says so in plain words where that fails.
//
// It runs as soon as it has arrived, while the rest of the page (perhaps a large index) is still on its way.
// In the folder of static files the app is two files that the page's head names; in the single file both are
// inside the page: the glue as a script before this one, the module as base64 in a script that is only data.
//
// Then it has the site kept for when there is no network, by the service worker that its own element names; only a
// finished release names one (`cache-explorer seal`), so that what is being developed is never an old copy.
(() => {
  "use strict";

  // The colours that a person chose, before anything is drawn in others. As src/browser.rs keeps them.
  try {
    const theme = JSON.parse(localStorage.getItem("theme"));
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be refused, or hold what others left there.
  }

  // Browsers give pages without https no clipboard, and many a cluster's own pages have none. The older way still
  // copies for whoever has just pressed a button.
  navigator.clipboard ??= {
    writeText: async (text) => {
      const give = (event) => {
        event.clipboardData.setData("text/plain", text);
        event.preventDefault();
      };
      document.addEventListener("copy", give);
      const copied = document.execCommand("copy");
      document.removeEventListener("copy", give);
      if (!copied) throw new Error("the browser does not copy");
    },
  };

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
  // When the page's frame is on the screen, which on a slow network is what a person reads meanwhile. A page in the
  // background is not drawn.
  cache.painted = new Promise((resolve) => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) return resolve();
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      resolve();
    }).observe({ type: "paint", buffered: true });
  });
  window.spackCache = cache;

  const worker = document.currentScript.dataset.worker;

  const element = (tag, content, attributes = {}) => {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(content);
    return element;
  };

  const explain = (title, text, error) => {
    if (error) console.error(error);
    cache.settle?.(error || new Error(title));
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

  // What the app uses of WebAssembly beyond its first version, as a module that does nothing: sign extension, saturating
  // conversion, bulk memory and reference types. A browser that compiles it can run the app, if the app is whole.
  const runs = () => {
    const code = atob("AGFzbQEAAAABBAFgAAADAgEABQMBAAEKHAEaAEEAwBpDAAAAAPwAGkEAQQBBAPwLANBwGgs=");
    try {
      return Boolean(new WebAssembly.Module(Uint8Array.from(code, (letter) => letter.charCodeAt(0))));
    } catch {
      return false;
    }
  };

  // An app that has met something impossible cannot go on, and what it shows is no longer true: neither stays on the
  // page. It has said on the console where that was.
  const stop = (error) => {
    const app = document.getElementById("app") ?? document.body;
    const brand = element("a", "Build cache", { class: "brand", href: "./" });
    app.replaceChildren(element("header", brand, { class: "masthead" }), element("main", ""));
    const stopped = new Error("the explorer stopped; reload the page");
    cache.query = cache.builds = () => {
      throw stopped;
    };
    explain("The explorer stopped", "It met something that it was not prepared for. Reload the page, and please report this text and the address of the page.", error);
    const reload = element("button", "Reload", { type: "button", class: "button main" });
    reload.onclick = () => location.reload();
    document.querySelector("main > section").append(reload);
  };
  const isStop = (error) => globalThis.WebAssembly?.RuntimeError && error instanceof WebAssembly.RuntimeError;
  addEventListener("error", (event) => isStop(event.error) && stop(event.error));
  addEventListener("unhandledrejection", (event) => isStop(event.reason) && stop(event.reason));

  const start = () => {
    let app;
    try {
      app = wasm_bindgen;
    } catch {
      // The glue began to run and did not come to its end.
    }
    const module = document.getElementById("wasm");
    if (typeof app !== "function" || !module) return damaged();
    const from = module.href || "data:application/wasm;base64," + module.textContent.trim();
    app({ module_or_path: from }).catch((error) =>
      isStop(error)
        ? stop(error)
        : !(error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError)
          ? missing(error)
          : runs()
            ? damaged(error)
            : explain("The explorer cannot run here", "This browser does not run its WebAssembly: it is too old, or forbids it.", error),
    );
  };

  // Says quietly that a newer build is there. It comes when the person wants it, or when no page of the old one is open.
  const offer = (registration) => {
    if (document.querySelector(".update")) return;
    const reload = element("button", "Reload", { type: "button", class: "button main" });
    reload.onclick = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
      // Asked for on another page of this site, it is there already.
      registration.waiting ? registration.waiting.postMessage("take over") : location.reload();
    };
    const later = element("button", "Later", { type: "button", class: "button" });
    later.onclick = () => notice.remove();
    const said = element("p", "", { role: "status" });
    const notice = element("aside", said, { class: "update", "aria-label": "New version" });
    notice.append(reload, later);
    document.body.append(notice);
    // What is put into a place that is there already is read out.
    requestAnimationFrame(() => said.append("A new version is ready."));
  };

  // After everything else, so that it takes nothing from the first answer.
  const keep = async () => {
    await cache.ready;
    if (document.readyState !== "complete") await new Promise((loaded) => addEventListener("load", loaded));
    const registration = await navigator.serviceWorker.register(worker);
    const look = () => {
      if (registration.waiting && navigator.serviceWorker.controller) offer(registration);
    };
    look();
    registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", look));
    // Browsers look for a newer build when a page is opened; this one may stay open for days.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) registration.update().catch(() => {});
    });
  };
  // Where a browser refuses (in private windows, without https), only the keeping is missing.
  if (worker && navigator.serviceWorker) keep().catch(() => {});

  if (typeof WebAssembly !== "object") {
    explain("The explorer cannot run here", "It needs WebAssembly, and this browser has none or forbids it.");
  } else if (!document.getElementById("glue")) {
    start();
  } else {
    const script = document.createElement("script");
    script.src = document.getElementById("glue").href;
    script.onload = start;
    script.onerror = () => missing();
    document.head.append(script);
  }
})();
