// Starts the app, and explains what is wrong if that fails.
//
// It runs as soon as it has arrived, while the rest of the page (perhaps a large index) is still loading. In the folder
// of static files, the app is two files that the page's head names; in the single file, both are inside the page: the
// glue as a script before this one, the module as base64 in a data script.
//
// Then it registers the service worker that its own element names, which keeps the site for offline use. Only a
// finished release names one (`cache-explorer seal`), so that a site under development is never served from a cache.
(() => {
  "use strict";

  // Browsers give pages without https no clipboard, and many clusters serve pages without it. The older interface still
  // copies right after a button was pressed.
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

  // The page's interface for scripts. It exists before the app has loaded, so that scripts can wait for it; the app adds
  // the functions and settles the promise.
  const cache = { __proto__: null };
  cache.ready = new Promise((resolve, reject) => {
    cache.settle = (error) => {
      delete cache.settle;
      error ? reject(error) : resolve();
    };
  });
  cache.ready.catch(() => {}); // A rejection that nobody waits for is not an error.
  // Resolves when the first frame has been drawn, and only the screen has yet to show it; on a slow network, people read it
  // while they wait. A page in the background is never drawn.
  cache.drawn = new Promise((resolve) => {
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
  });
  // The rest of the app: everything that a first visit does not show (src/browser/rest.rs). It imports what the app
  // exports (`cache.app`). If a function is called before it has arrived, it is loaded synchronously; if that fails, the
  // call cannot return, and the app stops.
  let arriving;
  let isWhole = false;
  const join = (module) => {
    if (isWhole) return;
    new WebAssembly.Instance(module, { m: cache.app });
    isWhole = true;
    performance.mark("rest-joined");
  };
  const fetchRest = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    join(await WebAssembly.compile(await response.arrayBuffer()));
  };
  const takeRest = (address) => {
    performance.mark("rest-at-once");
    try {
      const request = new XMLHttpRequest();
      request.open("GET", address, false);
      request.overrideMimeType("text/plain; charset=x-user-defined"); // A letter for each byte.
      request.send();
      if (request.status >= 400) throw new Error(`${address}: ${request.status}`);
      join(new WebAssembly.Module(Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0))));
    } catch (error) {
      throw new WebAssembly.RuntimeError(`A part of the app could not be loaded: ${error.message}`);
    }
  };
  cache.loadRest = (atOnce) => {
    const address = document.getElementById("wasm").dataset.rest ?? inline("rest");
    if (isWhole || !address) return Promise.resolve();
    if (atOnce) return Promise.resolve(takeRest(address));
    arriving ??= fetchRest(address).catch((error) => {
      arriving = undefined;
      console.error(error);
      throw error;
    });
    return arriving;
  };
  // The columns of an index, parsed, from which the app takes the lists of numbers before it reads the rest as text
  // (crates/cache-index/src/index/json/parsed.rs).
  cache.parseColumns = (text) => {
    const columns = Object(JSON.parse(text));
    const place = (field) => {
      const [name, owner] = field.split(".").reverse();
      return [owner ? (columns[owner] ?? {}) : columns, name];
    };
    const list = ([owner, name]) => (Array.isArray(owner[name]) ? owner[name] : []);
    return {
      lengths: (field) => list(place(field)).map((inner) => inner?.length ?? 0),
      take(field) {
        const found = place(field);
        const numbers = list(found);
        if (numbers.length) found[0][found[1]] = [];
        return Array.isArray(numbers[0]) ? numbers.flat() : numbers;
      },
      rest: () => JSON.stringify(columns),
    };
  };
  // The bytes of a file with this digest. On a secure page, the browser computes the digest in another thread. Elsewhere,
  // fetch compares it (integrity), but in the page's own thread: 50 ms for the hashes of a million builds.
  const fetchWhole = async ({ file, digest }) => {
    const { subtle } = crypto;
    const response = await fetch(file, subtle ? {} : { integrity: digest });
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const found = subtle && String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-256", bytes)));
    if (subtle && digest !== `sha256-${btoa(found)}`) throw new Error(`${file}: not the file that the page names`);
    return bytes;
  };
  // Frees the memory of bytes that are not needed again, in browsers that can.
  cache.free = (bytes) => bytes.buffer.transfer?.(0);
  // The bytes of a part of the index that is a file beside the page: a promise of them, or its text, if it is needed at
  // once; undefined if the part is in the page.
  cache.fetchPart = (id, atOnce) => {
    let stated;
    try {
      stated = JSON.parse(document.getElementById("parts").textContent)[id];
    } catch {
      // A page without an index, or one that was cut off.
    }
    if (!stated?.file) return undefined;
    if (!atOnce) return fetchWhole(stated);
    const request = new XMLHttpRequest();
    request.open("GET", stated.file, false);
    request.send();
    return request.responseText;
  };
  // The address of a module that is inside the page.
  const inline = (id) => {
    const element = document.getElementById(id);
    return element && "data:application/wasm;base64," + element.textContent.trim();
  };

  window.spackCache = cache;

  const { worker, later, changes } = document.currentScript.dataset;

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
    explain("The explorer stopped", "It ran into an unexpected error. Reload the page, and please report this text and the address of the page.", error);
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
      // The glue started to run but did not finish.
    }
    const module = document.getElementById("wasm");
    if (typeof app !== "function" || !module) return damaged();
    // WebKit takes what the head has asked for early only for the same mode.
    const asked = { mode: "no-cors", credentials: "include" };
    const from = module.href ? fetch(module.href, asked) : inline("wasm");
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

  // Offers something newer, which replaces the old when the person asks for it.
  const offer = (what, take) => {
    if (document.querySelector(".update")) return;
    const reload = element("button", "Reload", { type: "button", class: "button main" });
    reload.onclick = take;
    const later = element("button", "Later", { type: "button", class: "button" });
    later.onclick = () => notice.remove();
    const said = element("p", "", { role: "status" });
    const notice = element("aside", said, { class: "update", "aria-label": "New version" });
    notice.append(reload, later);
    document.body.append(notice);
    // Screen readers announce text that is added to an existing element.
    requestAnimationFrame(() => said.append(what));
  };

  // A newer build also replaces the old one when no page of the old one is open.
  const offerBuild = (registration) =>
    offer("A new version is ready.", () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
      // If another page of this site asked for it, it is already active.
      registration.waiting ? registration.waiting.postMessage("take over") : location.reload();
    });

  // `cache-explorer serve` reads a cache again when it changes; `data-changes` has the version of this page.
  const hear = () => {
    new EventSource(changes).onmessage = ({ data }) => {
      if (!changes.endsWith(`?${data}`)) offer("The cache has changed.", () => location.reload());
    };
  };
  if (changes) cache.ready.then(hear, hear);

  // Runs after everything else, so that it does not slow down the first answer.
  const keep = async () => {
    await cache.ready;
    if (document.readyState !== "complete") await new Promise((loaded) => addEventListener("load", loaded));
    const registration = await navigator.serviceWorker.register(worker);
    const look = () => {
      if (registration.waiting && navigator.serviceWorker.controller) offerBuild(registration);
    };
    look();
    // A build that was found while this page was loading may be on its way already.
    const follow = () => registration.installing?.addEventListener("statechange", look);
    follow();
    registration.addEventListener("updatefound", follow);
    // Browsers check for a newer build some time after a page has been opened. Once it is kept, it is looked for at once.
    if (navigator.serviceWorker.controller) registration.update().catch(() => {});
    // Browsers check for a newer build when a page is opened, but this one may stay open for days.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) registration.update().catch(() => {});
    });
  };
  // If the browser refuses (in private windows, without https), only offline use is missing.
  if (worker && navigator.serviceWorker) keep().catch(() => {});

  // open.js opens caches of the person's own. It is loaded on demand: in the folder it is a file of the build that
  // `data-later` identifies, in the single file it is part of the page.
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
      () => alert("A part of this site that is needed for this could not be fetched."),
    );
  addEventListener("click", ({ target }) => {
    const opener = target.closest?.("[data-open]");
    if (opener) open([], opener.dataset.open);
  });
  addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key !== "o" || ctrlKey || metaKey || altKey || target.isContentEditable) return;
    if (!target.closest?.("input, textarea, select, dialog")) open();
  });
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(type, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", type === "dragover");
      if (type !== "drop") return;
      // Browsers reveal the files only during this event.
      const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
      open(
        items.map((item) => {
          const folder = item.webkitGetAsEntry?.();
          return folder?.isDirectory ? { folder, handle: item.getAsFileSystemHandle?.() } : item.getAsFile();
        }),
      );
    });
  }

  // The address names the cache that is opened. Its parts replace those of the page, so the page must be complete.
  const cacheInAddress = () => new URLSearchParams(location.search).get("cache");
  const opened = cacheInAddress();
  addEventListener("popstate", (event) => {
    if (cacheInAddress() === opened) return;
    event.stopImmediatePropagation();
    location.reload();
  });
  const bring = async () => {
    if (document.readyState === "loading") await new Promise((whole) => addEventListener("DOMContentLoaded", whole));
    const own = await loadOwn();
    const isHere = await own.bring(opened);
    // Before the app draws anything that this would move.
    await own.showStrip();
    if (isHere) return true;
    const { title, text } = own.miss();
    explain(title, text);
    const open = element("button", "Open…", { type: "button", class: "button main", "data-open": "" });
    document.querySelector(".problem").append(open, element("a", "Published cache", { href: own.home }));
    return false;
  };
  const showCaches = async () => {
    try {
      if (opened || !localStorage.getItem("caches")) return;
    } catch {
      return;
    }
    (await loadOwn()).showStrip();
  };

  const boot = async () => {
    if (opened && !(await bring())) return;
    if (!document.getElementById("glue")) return start();
    const script = document.createElement("script");
    script.src = document.getElementById("glue").href;
    script.onload = start;
    script.onerror = () => missing();
    document.head.append(script);
  };
  if (typeof WebAssembly !== "object") {
    explain("The explorer cannot run here", "It needs WebAssembly, and this browser has none or forbids it.");
  } else {
    boot().catch(missing);
  }
  // If there is no list, nothing takes the place that is kept for it.
  cache.ready
    .then(showCaches, showCaches)
    .catch(() => {})
    .finally(() => delete document.documentElement.dataset.caches);
})();
