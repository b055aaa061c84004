// Keeps the files of one build of the site, so that it opens without a network, and from one build only.
//
// The files and their digests are below; `cache-explorer seal` and `embed` write them, from what the site's page names.
// Another byte in any of them is another build. A build is kept whole or not at all: a file that is missing, or is not
// the one that was meant (as while a site is being uploaded), ends the installation, and the browser tries again at
// the next visit. What is not of the build (explorer.html, other things in the folder) goes to the network untouched.
"use strict";

const BUILD = {
  "id": "",
  "files": {}
};

// An origin's caches are shared by all of its pages, so the names of ours begin with where we are.
const OURS = `${registration.scope} build `;
const NAME = OURS + BUILD.id;

// The page is kept under the address of its folder, which every host serves; some redirect `index.html`.
const PAGE = "./";

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

// A new build waits until no page of the old one is open, unless the person at one of them asks for it.
addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
});

addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name) event.respondWith(answer(name, event.request));
});

async function keep() {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(Object.entries(BUILD.files).map(async ([name, integrity]) => {
      // Whatever else the browser has kept is asked about again: names alone do not tell builds apart.
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

// What a request asks for, if it is of this build.
function nameOf(request) {
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  if (request.method !== "GET" || !address.startsWith(registration.scope)) return undefined;
  const name = address.slice(registration.scope.length);
  if (request.mode === "navigate") return name === "" || name === "index.html" ? PAGE : undefined;
  return Object.hasOwn(BUILD.files, name) ? name : undefined;
}

// A browser that is short of space drops all that a site has kept at once; then all comes from the network.
async function answer(name, request) {
  const kept = await caches.match(name, { cacheName: NAME, ignoreVary: true }).catch(() => undefined);
  return kept ?? fetch(request);
}
