// Goes to what was read: a cache, an environment, or the comparison with another cache.

// Adds a step to the history, which takes along what is not kept. How much it can take depends on the browser: 16 MB in
// Firefox.
const push = (state, there) => {
  try {
    history.pushState(state, "", there);
  } catch (cause) {
    const words = "This browser keeps nothing for this page, and what was read is too large to be shown without that. Allow this page to store data, or free some space, and open it again. The command shows it too: cache-explorer open";
    throw Object.assign(new Error(words, { cause }), { tooLarge: true });
  }
};

// Goes to a cache that was just read. Where nothing is kept, the step in the history takes it along.
const go = async (cache) => {
  const wanted = new URLSearchParams(location.search).get("cache");
  // If a link to this cache brought the user here, its address stays as it is.
  const there = wanted === cache.id ? location.href : address(cache.id);
  try {
    await keep(cache);
  } catch {
    push({ opened: cache }, there);
    return location.reload();
  }
  await remember();
  there === location.href ? location.reload() : location.assign(there);
};

// Returns the address of something that was opened, given as pairs of a key and a value. The app writes it, with the machine
// and the filters of this page (crates/pages/src/browser/scripting.rs). Where no app runs, it only has the cache that is
// shown and these pairs.
const addressOf = async (...pairs) => {
  const opened = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  const { addressOf, loadRest } = window.spackCache ?? {};
  if (addressOf) {
    try {
      await loadRest();
      return addressOf(opened);
    } catch {
      // Without its rest, the app cannot show this either.
    }
  }
  return current() ? `?cache=${current()}&${opened}` : `?${opened}`;
};

// Goes to an environment that was just read. If it consists of specs alone, they are in the address. Otherwise, the address
// has its id, and the rest is on the device or, where nothing is kept, in the step in the history.
const goToEnvironment = async ({ address, ...environment }) => {
  let state = null;
  if (!address) {
    try {
      const kept = await withName(keptEnvironments, { ...environment, opened: new Date() });
      await keptEnvironments("readwrite", (all) => void all.put(kept, kept.id));
      announce();
    } catch {
      state = { environment };
    }
  }
  const pairs = address?.map((spec) => ["spec", spec]) ?? [["environment", environment.id]];
  step(await addressOf(...pairs), state);
};
const step = (there, state) => {
  const before = location.search;
  push(state, home + there);
  dialog.close();
  // A running app follows the address, if it is a different one.
  if (!window.spackCache?.addressOf || location.search === before) return location.reload();
  dispatchEvent(new PopStateEvent("popstate", { state }));
};

// Returns the address of the comparison of the cache that is shown with another one, which is the older side unless the
// link that brought the user here says otherwise.
const comparison = (id) => addressOf(["changes", `cache:${id}..`]);
const compareWith = async (id, state = null) => step(await comparison(id), state);
const goToComparison = async (cache) => {
  let state = null;
  try {
    await keep(cache);
    await remember();
  } catch {
    state = { compared: cache };
  }
  await compareWith(cache.id, state);
};
