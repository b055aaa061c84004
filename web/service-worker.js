// Keeps the files of exactly one build of the site, so that it opens without a network.
//
// The files and their digests are below; `cache-explorer seal` and `embed` write them, from what the site's page names.
// Any changed byte makes a new build. A build is kept completely or not at all: a missing or different file (as while a
// site is being uploaded) aborts the installation, and the browser tries again at the next visit. Files that are loaded
// on demand (`later`) are kept once they have been, the reader's modules together. Requests for anything else
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
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

// A person who has opened a database may want to open a mirror without a network, so all modules of the reader are kept
// once the first was asked for.
const READER = "reader_bg.wasm";
const isOfReader = (name) => /^reader_.*\.wasm$/.test(name);

// What is on its way. The page may ask for a module that is being fetched to be kept.
const arriving = new Map();

// A new build waits until no page of the old one is open, unless a person asks for it on one of them.
addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
});

addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (!name) return;
  event.respondWith(answer(name, event));
  if (name !== READER) return;
  for (const other of Object.keys(BUILD.later).filter(isOfReader)) event.waitUntil(answer(other, event).catch(() => {}));
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
  if (request.mode === "navigate") return name === "" || name === "index.html" ? PAGE : undefined;
  return Object.hasOwn(BUILD.files, name) || Object.hasOwn(BUILD.later, name) ? name : undefined;
}

// A browser that is short of space deletes everything a site has kept at once; then everything comes from the network.
async function answer(name, event) {
  const kept = await caches.match(name, { cacheName: NAME, ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  if (!BUILD.later[name]) return fetch(event.request);
  const response = await (arriving.get(name) ?? take(name, event));
  return response.clone();
}

// Fetches a file, and keeps it. If there is no space for it, it is fetched again next time.
function take(name, event) {
  const arrival = fetch(name, { cache: "no-cache", redirect: "error", integrity: BUILD.later[name] });
  arriving.set(name, arrival);
  const keeping = arrival.then(async (response) => {
    if (response.ok) await (await caches.open(NAME)).put(name, response.clone());
  });
  event.waitUntil(keeping.catch(() => {}).finally(() => arriving.delete(name)));
  return arrival;
}
