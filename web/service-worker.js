// Keeps the files of exactly one build of the site, so that the site opens without a network.
//
// The files and their digests are below; `cache-explorer seal` and `embed` write them, from what the site's page names. Any
// changed byte makes a new build. A build is kept completely or not at all: a missing or different file (for example while a
// site is being uploaded) aborts the installation, and the browser tries again at the next visit. Files that are loaded on
// demand (`later`) follow when the browser is idle, or as soon as one of them is requested. Requests for anything else
// (explorer.html, other files in the folder) go to the network unchanged.
"use strict";

const BUILD = {
  "id": "",
  "files": {},
  "later": {}
};

// All pages of an origin share its caches, so the names of ours start with the scope.
const OURS = `${registration.scope} build `;
const NAME = OURS + BUILD.id;

// The page is kept under the address of its folder, which every host serves; some hosts redirect `index.html`.
const PAGE = "./";

addEventListener("install", (event) => event.waitUntil(keep()));
// From then on, the requests of a first visit's page are answered too: it may lose the network before it is left.
addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => clients.claim())));

// The files that are loaded on demand, in the order in which they are kept. The page asks for open.js before any other, so
// open.js is kept last: where it is kept, so are the files that it needs.
const OPEN = "open.js";
const LATER = Object.keys(BUILD.later).sort((one, other) => (one === OPEN) - (other === OPEN));

// The files that are being fetched to be kept. The page may ask for one of them in the meantime.
const arriving = new Map();

// A new build waits until no page of the old one is open, unless a user asks for it on one of them.
addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
  if (event.data === "keep all") event.waitUntil(keepLater(event));
});

addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (!name) return;
  event.respondWith(answer(name, event));
  if (BUILD.later[name]) event.waitUntil(keepLater(event));
});

async function keep() {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(Object.entries(BUILD.files).map(async ([name, integrity]) => {
      // Revalidates what is in the browser's HTTP cache, because names alone do not distinguish builds.
      const response = await fetch(name, { cache: "no-cache", redirect: "error", integrity });
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      await cache.put(name, response);
    }));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

// Keeps the files that are loaded on demand, one after the other. If one cannot be fetched, the others are left for the next
// time.
let isKeeping = false;
async function keepLater(event) {
  if (isKeeping) return;
  isKeeping = true;
  for (const name of LATER) {
    if (!(await kept(name)) && !(await (arriving.get(name) ?? take(name, event, "low")).isKept)) break;
  }
  isKeeping = false;
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== NAME).map((name) => caches.delete(name)));
}

// Returns the name of the requested file, if it is part of this build.
function nameOf(request) {
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  if (request.method !== "GET" || !address.startsWith(registration.scope)) return undefined;
  const name = address.slice(registration.scope.length);
  // Pages of packages fetch it too, to put it in their place (package/take-over.js).
  if (name === "") return PAGE;
  if (request.mode === "navigate") return name === "index.html" ? PAGE : undefined;
  return Object.hasOwn(BUILD.files, name) || Object.hasOwn(BUILD.later, name) ? name : undefined;
}

const kept = (name) => caches.match(name, { cacheName: NAME, ignoreVary: true }).catch(() => undefined);

// A browser that is short of space deletes everything that a site has kept, all at once; then everything comes from the
// network.
async function answer(name, event) {
  const response = await kept(name);
  if (response) return response;
  if (!BUILD.later[name]) return fetch(event.request);
  return (await (arriving.get(name) ?? take(name, event)).response).clone();
}

// Fetches a file that is loaded on demand, and keeps it. If there is no space for it, it is fetched again next time.
function take(name, event, priority = "auto") {
  const response = fetch(name, { cache: "no-cache", redirect: "error", integrity: BUILD.later[name], priority });
  const keep = async () => {
    const arrived = await response;
    if (!arrived.ok) return false;
    await (await caches.open(NAME)).put(name, arrived.clone());
    return true;
  };
  const isKept = keep().catch(() => false).finally(() => arriving.delete(name));
  arriving.set(name, { response, isKept });
  event.waitUntil(isKept);
  return arriving.get(name);
}
