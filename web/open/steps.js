// Goes to what was read: a cache, an environment, or the comparison with another cache.

// A step in the history takes along what is not kept. How much it can take depends on the browser: Firefox, 16 MB.
const push = (state, there) => {
  try {
    history.pushState(state, "", there);
  } catch (cause) {
    const words = "This browser keeps nothing for this page, and what was read is too large to be shown without that. Allow this page to store data, or free some space, and open it again. The command shows it too: cache-explorer open";
    throw Object.assign(new Error(words, { cause }), { tooLarge: true });
  }
};

// To a cache that was just read. Where nothing is kept, the step in the history takes it along.
const go = async (cache) => {
  const wanted = new URLSearchParams(location.search).get("cache");
  // The link that brought the person here goes on to say what it says.
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

// To an environment that was just read, with the machine and the filters of this page. Specs alone are in the address;
// for everything else it has the id, and the device, or where nothing is kept the step in the history, has the rest.
const environmentIn = (id, specs = []) => [...(id ? [["environment", id]] : []), ...specs.map((spec) => ["spec", spec])];
const addressOf = (view) => {
  const address = new URLSearchParams(location.search);
  for (const key of "q package hash compare environment spec changes tab across gaps status needed name class sort columns".split(" ")) address.delete(key);
  view.forEach(([key, value]) => address.append(key, value));
  // As the app writes it.
  return `?${address}`.replaceAll("+", "%20").replace(/%(40|3A|2F|2C|3D|7E)/g, decodeURIComponent);
};
const goToEnvironment = async ({ address, ...environment }) => {
  let state = null;
  if (!address) {
    try {
      const kept = await withName(keptEnvironments, { ...environment, opened: new Date() });
      await keptEnvironments("readwrite", (all) => void all.put(kept, kept.id));
    } catch {
      state = { environment };
    }
  }
  step(addressOf(environmentIn(!address && environment.id, address)), state);
};
const step = (there, state) => {
  const before = location.search;
  push(state, home + there);
  dialog.close();
  // An app that runs follows the address, if that is another one.
  if (!window.spackCache?.query || location.search === before) return location.reload();
  dispatchEvent(new PopStateEvent("popstate", { state }));
};

// To the comparison of the cache that is shown with another one, which is the older side unless the link that brought
// the person here says otherwise.
const compareWith = (id, state = null) => {
  const sides = new URLSearchParams(location.search).get("changes") ?? "";
  step(sides.split("..").includes(`cache:${id}`) ? location.search : addressOf([["changes", `cache:${id}..`]]), state);
};
const goToComparison = async (cache) => {
  let state = null;
  try {
    await keep(cache);
    await remember();
  } catch {
    state = { compared: cache };
  }
  compareWith(cache.id, state);
};
