// What this device keeps: caches in two stores (the descriptions, which a list needs, and the parts), and environments.
// Where a browser refuses to keep anything, every call fails, and the callers go on without it.

const database = (name, stores) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
// In WebKit, a read that a page leaves unfinished can prevent the next page from writing, forever. So a page ends its reads
// when it is left.
const reading = new Set();
addEventListener("pagehide", () => {
  for (const transaction of reading) {
    try {
      transaction.abort();
    } catch {
      // The transaction has read everything, and is about to report it.
    }
  }
});
const keeper = (name, ...stores) => async (mode, run) => {
  const opened = await database(name, stores);
  let transaction;
  try {
    return await new Promise((resolve, reject) => {
      transaction = opened.transaction(stores, mode);
      if (mode === "readonly") reading.add(transaction);
      const request = run(...stores.map((store) => transaction.objectStore(store)));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    reading.delete(transaction);
    opened.close();
  }
};
const kept = keeper("spack build caches", "caches", "parts");
const keptEnvironments = keeper("spack environments", "environments");
// Returns `true` for a description that has all that a list shows. Earlier versions could leave one that only has a name.
const isWhole = (record) =>
  typeof record?.id === "string" && record.opened instanceof Date && Number.isFinite(record.builds ?? record.specs);
const listOf = (kept) =>
  kept("readonly", (store) => store.getAll()).then(
    (all) => all.filter(isWhole).sort((one, other) => other.opened - one.opened),
    () => [],
  );
const list = () => listOf(kept);
// Tells the other pages of this site that a list has changed.
const announce = () => channel?.postMessage("changed");
// loader.js loads this script at the start if there are any caches.
const remember = async () => {
  try {
    (await list()).length ? localStorage.setItem("caches", "true") : localStorage.removeItem("caches");
  } catch {
    // Then the list is there once it is asked for.
  }
  announce();
  await showStrip();
};
// If the same file is opened again, it keeps a name that the user has given it. If another file has the same name, the new
// one gets a number. A file with another name but the same content replaces the one before, whose name is kept as an alias.
const withName = async (keeper, opened) => {
  const all = await listOf(keeper);
  const before = all.find(({ id }) => id === opened.id);
  const earlier = before?.aliases ?? [];
  if (before?.isNamed) return { ...opened, name: before.name, isNamed: true, aliases: earlier };
  let { name } = opened;
  for (let number = 2; all.some((other) => other !== before && other.name === name); number++) name = `${opened.name} (${number})`;
  const aliases = new Set(before ? [...earlier, before.name] : earlier);
  aliases.delete(name);
  return { ...opened, name, aliases: [...aliases] };
};
// What was found in the binaries of a cache stays when it is opened again without looking inside.
const keep = async ({ parts, ...read }) => {
  const cache = await withName(kept, read);
  const before = await kept("readonly", (_, all) => all.get(cache.id));
  const merged = { ...before, ...parts };
  cache.bytes = Object.values(merged).reduce((sum, part) => sum + part.length, 0);
  await kept("readwrite", (caches, all) => {
    caches.put(cache, cache.id);
    all.put(merged, cache.id);
  });
};
const forget = (id) =>
  kept("readwrite", (caches, all) => {
    id ? (caches.delete(id), all.delete(id)) : (caches.clear(), all.clear());
  }).then(remember);
const forgetEnvironment = (id) => keptEnvironments("readwrite", (all) => void all.delete(id)).then(announce);

// Other pages of this site show the same lists.
let channel;
try {
  channel = new BroadcastChannel("spack build caches");
  channel.onmessage = () => {
    showStrip();
    // A row that is being renamed draws its list again afterwards.
    if (!dialog.open || dialog.querySelector("li input")) return;
    if (state === "choosing") choose();
    if (state === "environments") chooseEnvironment();
  };
} catch {
  // Where nothing is kept, there is no list either.
}
