// Starts the app.
//
// This runs as soon as it has arrived, while the rest of the page (perhaps a large index) is still loading. In the folder
// of static files, the app is two files that the page's head names; in the single file, both are inside the page: the
// glue as a script before this one, the module as base64 in a data script.

const start = () => {
  let app;
  try {
    app = wasm_bindgen;
  } catch {
    // The glue started to run but did not finish.
  }
  const module = document.getElementById("wasm");
  if (typeof app !== "function" || !module) return damaged();
  // WebKit uses what the head has preloaded only if the mode is the same.
  const asked = { mode: "no-cors", credentials: "include" };
  const from = module.href ? fetch(module.href, asked).then(counted) : inline("wasm");
  // Firefox calls some damage an internal error, "out of memory".
  app({ module_or_path: from }).catch((error) =>
    isStop(error)
      ? stop(error)
      : !(error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error.name === "InternalError")
        ? missing(error)
        : runs()
          ? damaged(error)
          : explain("The explorer cannot run here", "This browser does not run its WebAssembly: it is too old, or forbids it.", error),
  );
};

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
  // This comes before the app draws anything that the strip would move.
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
// If there is no list, the space that is kept for it is given up.
cache.ready
  .then(showCaches, showCaches)
  .catch(() => {})
  .finally(() => delete document.documentElement.dataset.caches);
