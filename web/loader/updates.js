// Newer versions. The service worker, which the element of this script names, keeps the site for offline use, and finds
// newer builds; `cache-explorer serve` announces a cache that has changed. Only a finished release names a service worker
// (`cache-explorer seal`), so that a site under development is never served from a cache.

const { worker, changes } = document.currentScript.dataset;

// Offers something newer, which replaces the old when the user asks for it.
const offer = (what, take) => {
  if (!document.querySelector(".update")) notify("New version", what, ["Reload", take, "button main"], ["Later"]);
};

// A newer build also replaces the old one when no page of the old one is open.
let isAsked = false;
const offerBuild = (registration) =>
  offer("A new version is ready.", () => {
    isAsked = true;
    // The newer build may be active already (`heed`).
    registration?.waiting ? registration.waiting.postMessage("take over") : location.reload();
  });

// Another page of this site may ask for the newer build too, and WebKit sometimes replaces the old one unasked. This page
// still runs the old build, so it offers the newer one. If no build was kept before, the first one is that of this page, and
// is not offered.
const heed = () => {
  let { controller } = navigator.serviceWorker;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (isAsked) location.reload();
    else if (controller) offerBuild();
    ({ controller } = navigator.serviceWorker);
  });
};

// `cache-explorer serve` reads a cache again when it changes; `data-changes` has the version of this page. Browsers open at most
// six connections to a host, so only one tab listens, and tells the others. It is a visible one, because browsers suspend
// others. A tab that comes to the front asks it.
const hear = () => {
  let latest = "";
  const tabs = new BroadcastChannel("changes");
  const compare = (version) => {
    if (!changes.endsWith(`?${version}`)) offer("The cache has changed.", () => location.reload());
  };
  tabs.onmessage = ({ data }) => {
    if (data) compare(data);
    else if (latest) tabs.postMessage(latest);
  };
  // Listens until the promise is resolved.
  const listen = () =>
    new Promise((release) => {
      if (document.hidden) return release();
      const source = new EventSource(changes);
      source.onmessage = ({ data }) => {
        latest = data;
        tabs.postMessage(data);
        compare(data);
      };
      const end = () => {
        latest = "";
        source.close();
        release();
      };
      document.addEventListener("visibilitychange", end, { once: true });
    });
  const begin = () => {
    if (document.hidden) return;
    tabs.postMessage("");
    navigator.locks.request("changes", listen);
  };
  begin();
  document.addEventListener("visibilitychange", begin);
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
  // A newer build that was found while this page was loading may be installing already.
  const follow = () => registration.installing?.addEventListener("statechange", look);
  follow();
  registration.addEventListener("updatefound", follow);
  // Browsers check for a newer build some time after a page has been opened. If a build is kept, this page checks at once.
  if (navigator.serviceWorker.controller) registration.update().catch(() => {});
  // Browsers check for a newer build when a page is opened, but this one may stay open for days.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) registration.update().catch(() => {});
  });
  // Files that are loaded on demand are kept once the browser is idle, unless the user saves data.
  if (navigator.connection?.saveData) return;
  await navigator.serviceWorker.ready;
  (window.requestIdleCallback ?? setTimeout)(() => registration.active?.postMessage("keep all"));
};
// If the browser refuses (in private windows, without https), only offline use is missing.
if (worker && navigator.serviceWorker) {
  heed();
  keep().catch(() => {});
}
