// The measurements that the benchmark runs in a page. Every function returns a list of numbers, mostly milliseconds.

// Waits for the task after the next frame: what was drawn is then on the screen, as far as a page can know.
const painted = () =>
  new Promise((done) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }),
  );

const rest = (milliseconds = 300) => new Promise((done) => setTimeout(done, milliseconds));

// Returns the same numbers in every run.
const random = (seed) => (limit) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >> 8) % limit;
};

const entries = (type) =>
  new Promise((done) => {
    const observer = new PerformanceObserver((list) => done(list.getEntries()));
    observer.observe({ type, buffered: true });
    setTimeout(() => done(observer.takeRecords()), 200);
  });

// Browsers do not report tasks of less than 50 milliseconds, which count as 0.
const start = async () => {
  await spackCache.ready;
  const ready = performance.now();
  await rest();
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime;
  const loaded = at("index-loaded");
  const first = at("first-contentful-paint");
  const tasks = (await entries("longtask")).filter((task) => task.startTime + task.duration > first);
  // The page sets the mark at the end of that task, and durations are reported in whole milliseconds.
  const decodes = (task) => task.startTime <= loaded && loaded <= task.startTime + task.duration + 2;
  const longest = (some) => Math.max(0, ...some.map((task) => task.duration));
  return {
    "first paint": first,
    "index loaded": loaded,
    "first counts": at("first-answer"),
    "counts painted": at("answer-painted"),
    "all hashes": ready,
    "task that decodes": longest(tasks.filter(decodes)),
    "longest other task": longest(tasks.filter((task) => !decodes(task))),
  };
};

// A walk of toggles in all facets: when four are active, it starts again.
const toggle = (seed) => {
  const next = random(seed);
  const facets = Object.entries(spackCache.query("").facets).map(([key, values]) => [key, Object.keys(values)]);
  const open = facets.filter(([key, values]) => key !== "package" && values.length > 0);
  let on = [];
  return Array.from({ length: 60 }, () => {
    if (on.length === 4) on = [];
    const [key, values] = open[next(open.length)];
    on.push(`${key}=${encodeURIComponent(values[next(values.length)])}`);
    return spackCache.query(on.join("&")).milliseconds;
  });
};

// The cost of answers without rows: a plain loop over the column of each facet with one value per build, with a count
// for each value.
const loop = () => {
  const builds = spackCache.query("").builds;
  const next = random(1);
  const columns = [3000, 40, 40, 40, 40].map((values) => ({
    codes: new Uint32Array(builds).map(() => next(values)),
    fails: new Uint8Array(values),
    counts: new Uint32Array(values),
  }));
  const [a, b, c, d, e] = columns;
  const count = () => {
    for (let build = 0; build < builds; build++) {
      const [v, w, x, y, z] = [a.codes[build], b.codes[build], c.codes[build], d.codes[build], e.codes[build]];
      if (a.fails[v] | b.fails[w] | c.fails[x] | d.fails[y] | e.fails[z]) continue;
      a.counts[v]++;
      b.counts[w]++;
      c.counts[x]++;
      d.counts[y]++;
      e.counts[z]++;
    }
  };
  return Array.from({ length: 20 }, () => {
    const before = performance.now();
    count();
    return performance.now() - before;
  });
};

const shown = (selector) => [...document.querySelectorAll(selector)];

// From a click on a value of any facet to the frame that shows its answer.
const click = async (seed) => {
  const next = random(seed);
  const times = [];
  for (let step = 0; step < 16; step++) {
    await painted();
    await rest(30);
    const boxes = shown(".values input[type=checkbox]");
    const clear = shown("button").find((button) => button.textContent === "Clear all");
    const full = boxes.filter((box) => box.checked).length >= 4 && clear;
    const target = full || boxes[next(boxes.length)];
    const before = performance.now();
    target.click();
    await painted();
    times.push(performance.now() - before);
  }
  shown("button").find((button) => button.textContent === "Clear all")?.click();
  await painted();
  return times;
};

const back = async () => {
  const moved = new Promise((done) => addEventListener("popstate", done, { once: true }));
  history.back();
  await moved;
  await painted();
};

// From a click on the package with the most builds to the frame that shows them.
const opening = async () => {
  shown("th.c-builds button")[0].click();
  await painted();
  const times = [];
  for (let step = 0; step < 3; step++) {
    await rest(60);
    const link = shown("tr.row th a")[0];
    const before = performance.now();
    link.click();
    await painted();
    times.push(performance.now() - before);
    await rest(60);
    await back();
  }
  await back();
  return times;
};

// The time between frames while the page scrolls by three rows per frame.
const scrolling = async () => {
  const times = [];
  const frame = () => new Promise(requestAnimationFrame);
  let before = await frame();
  for (let step = 0; step < 60; step++) {
    scrollBy(0, 96);
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  scrollTo(0, 0);
  await painted();
  return times;
};

// The maximum number of elements of the page: every facet opened, and every list of values shown completely.
const elements = async () => {
  for (const heading of shown(".facet h2 button[aria-expanded=false]")) heading.click();
  await painted();
  for (const more of shown(".facet .more")) if (more.textContent.startsWith("Show all")) more.click();
  await painted();
  return [shown("*").length];
};

// Puts something where open.js keeps it, under the id "bench".
const put = async (database, stores) => {
  const opened = indexedDB.open(database, 1);
  opened.onupgradeneeded = () => Object.keys(stores).forEach((store) => opened.result.createObjectStore(store));
  await new Promise((done) => (opened.onsuccess = done));
  const transaction = opened.result.transaction(Object.keys(stores), "readwrite");
  for (const [store, value] of Object.entries(stores)) transaction.objectStore(store).put(value, "bench");
  await new Promise((done) => (transaction.oncomplete = done));
  opened.result.close();
};

const go = (address) => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
};

const until = async (is) => {
  while (!is()) await rest(2);
};

// The longest task since it was called; those of less than 50 milliseconds count as 0.
const watch = () => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: "longtask" });
  return async () => {
    await rest();
    observer.disconnect();
    return Math.max(0, ...tasks.map((task) => task.duration));
  };
};

const says = (text) => document.querySelector("main").textContent.includes(text);

// From opening the environment to its counts, from there to the nearest builds of all that is missing, from there to the
// causes, and the longest task. Everything that the cache knows has been decoded before.
const environment = async () => {
  await spackCache.ready;
  const [head, nodes] = await Promise.all(["head.json", "nodes.json"].map((name) => fetch(name).then((file) => file.text())));
  const kept = { id: "bench", name: "spack.lock", specs: 2000, opened: new Date(), head, nodes };
  await put("spack environments", { environments: kept });
  go("?spec=nosuch");
  await until(() => says("0 of 1 spec is satisfied"));
  const times = { counted: [], "nearest builds": [], causes: [], "longest task": [] };
  for (let step = 0; step < 6; step++) {
    go("?");
    await painted();
    await rest();
    const longest = watch();
    const before = performance.now();
    go("?environment=bench");
    await until(() => shown("[data-testid=summary]").length);
    const counted = performance.now();
    await until(() => !shown("progress").length && !shown("td.c-near").some((cell) => cell.textContent === "…"));
    const all = performance.now();
    await until(() => shown("[data-testid=causes] li").length);
    const explained = performance.now();
    // The first time also decodes what the page keeps from then on.
    times.counted.push(counted - before);
    times["nearest builds"].push(all - counted);
    times.causes.push(explained - all);
    times["longest task"].push(await longest());
  }
  return times;
};

// From opening the comparison to what changed, which reads the other snapshot, and from swapping the sides to what changed.
const changes = async (parts) => {
  await spackCache.ready;
  const bytes = (name) => fetch(`${name}.json`).then((file) => file.arrayBuffer());
  const texts = await Promise.all(parts.map(async (part) => [part, new Uint8Array(await bytes(part))]));
  const about = { id: "bench", name: "older.json", builds: 0, bytes: 0, opened: new Date() };
  await put("spack build caches", { caches: about, parts: Object.fromEntries(texts) });
  const times = { "read and compared": [], compared: [], "longest task": [] };
  const total = () => document.querySelector("main").textContent.match(/[\d,]+ builds? came, .* stayed/)?.[0];
  let before = performance.now();
  go("?changes=cache:bench..");
  await until(total);
  times["read and compared"].push(performance.now() - before);
  for (let step = 0; step < 10; step++) {
    await rest();
    const longest = watch();
    const shownBefore = total();
    before = performance.now();
    shown("button").find((button) => button.textContent === "Swap").click();
    await until(() => total() && total() !== shownBefore);
    times.compared.push(performance.now() - before);
    times["longest task"].push(await longest());
  }
  return times;
};

// Types a search for dependencies key by key, in a cache with the names of real packages. Returns how long each key took to
// the frame that shows it, how long the first key of a dependency took to its answer, and the longest task until the last
// answer was there, or the explanation why nothing matches.
const typing = async () => {
  const box = document.getElementById("search");
  const longestTask = watch();
  box.focus();
  const keys = [];
  let dependencies = 0;
  for (const key of "hdf5 +mpi ^openmpi %gcc@13") {
    await painted();
    const before = performance.now();
    box.setRangeText(key, box.value.length, box.value.length, "end");
    box.dispatchEvent(new InputEvent("input", { bubbles: true, data: key }));
    await painted();
    keys.push(performance.now() - before);
    while (document.querySelector(".page[aria-busy=true]")) await painted();
    if (box.value.endsWith("^" + key)) dependencies = performance.now() - before;
    await rest(40);
  }
  await rest(1500);
  const longest = await longestTask();
  box.value = "";
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await painted();
  return { keys, dependencies, longest };
};

// How long a search for a dependency of any package blocks the page.
const anonymous = async () => {
  const box = document.getElementById("search");
  const times = [];
  for (const text of ["^zlib", "^openmpi", "^hdf5", "^python@3", "^cmake"]) {
    box.value = text;
    await rest(60);
    const before = performance.now();
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    times.push(performance.now() - before);
    await painted();
  }
  box.value = "";
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await painted();
  return times;
};

// Notes when a file is chosen, and the longest task from then until the page is left.
const watchOpening = () => {
  const note = (list) => {
    const durations = list.map((task) => task.duration);
    sessionStorage.longest = Math.max(Number(sessionStorage.longest), ...durations);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  addEventListener("pagehide", () => note(observer.takeRecords()));
  addEventListener("change", () => {
    sessionStorage.began = performance.timeOrigin + performance.now();
    sessionStorage.longest = 0;
    observer.observe({ type: "longtask" });
  }, { capture: true, once: true });
};

// From choosing the file to leaving the page and to the painted answer, and the longest tasks before and after the former.
const opened = async () => {
  await spackCache.ready;
  const began = performance.timeOrigin - Number(sessionStorage.began);
  await rest();
  return {
    read: began,
    painted: began + performance.getEntriesByName("answer-painted")[0].startTime,
    "longest task while reading": Number(sessionStorage.longest),
    "longest task afterwards": Math.max(0, ...(await entries("longtask")).map((task) => task.duration)),
  };
};
