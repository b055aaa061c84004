// Caches and environments of a person's own: choosing files, having them read, keeping what was read, and going from one to another.
//
// loader.js fetches this script when a person first asks for it, or has caches here already. The files are read in a
// worker by the same code as in the command (crates/reader), and what comes back is the index in parts, as the command
// writes it. A cache that is open is named in the address (`?cache=` and its id, which the same files always have), and
// its parts are put into the page in place of those that it came with. All of it stays on this device.
"use strict";

(() => {
  // More than this is not read here: the builds of some 700 MB of a database fill what a browser gives a page.
  const MOST = 700_000_000;
  // How much longer a compressed file may be taken to be.
  const RATIO = 8;

  const script = document.currentScript;
  const build = script.src ? new URL(script.src).search : "";
  const inside = (name) => document.getElementById(name);
  const url = (name) => name + build;
  const home = location.href.split(/[?#]/)[0];
  const address = (id) => `${home}?cache=${id}`;
  const current = () => document.documentElement.dataset.cache;

  // The elements of a page, in as few words as they need. Texts are texts, whatever is in them.
  const make = (tag, attributes = {}, ...content) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element[name] = value;
      else if (value !== undefined) element.setAttribute(name, value);
    }
    element.append(...content.filter((part) => part !== undefined));
    return element;
  };
  const button = (text, onclick, kind = "button") => make("button", { type: "button", class: kind, onclick }, text);

  const counted = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
  const size = (bytes) => {
    const units = ["bytes", "kB", "MB", "GB"];
    let unit = 0;
    for (; bytes >= 1000 && unit < 3; unit++) bytes /= 1000;
    return `${bytes.toFixed(unit && bytes < 10 ? 1 : 0)} ${units[unit]}`;
  };

  // What is kept, of caches in two stores: the descriptions, which a list needs, and the parts. Where a browser refuses,
  // every call is an error, and whoever calls goes on without.
  const database = (name, stores) =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const keeper = (name, ...stores) => async (mode, run) => {
    const opened = await database(name, stores);
    try {
      return await new Promise((resolve, reject) => {
        const transaction = opened.transaction(stores, mode);
        const request = run(...stores.map((store) => transaction.objectStore(store)));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
    } finally {
      opened.close();
    }
  };
  const kept = keeper("spack build caches", "caches", "parts");
  const keptEnvironments = keeper("spack environments", "environments");
  const listOf = (kept) =>
    kept("readonly", (store) => store.getAll()).then(
      (all) => all.sort((one, other) => other.opened - one.opened),
      () => [],
    );
  const list = () => listOf(kept);
  // loader.js asks for this script at the start if there are any.
  const remember = async () => {
    try {
      (await list()).length ? localStorage.setItem("caches", "true") : localStorage.removeItem("caches");
    } catch {
      // Then the list is there once it is asked for.
    }
    channel?.postMessage("changed");
    await showStrip();
  };
  // Keeps a name that the person has given when the same file is opened again. Other files may have the same name, so theirs
  // gets a number.
  const withName = async (keeper, opened) => {
    const all = await listOf(keeper);
    const before = all.find(({ id }) => id === opened.id);
    if (before?.isNamed) return { ...opened, name: before.name, isNamed: true };
    let { name } = opened;
    for (let number = 2; all.some((other) => other !== before && other.name === name); number++) name = `${opened.name} (${number})`;
    return { ...opened, name };
  };
  const keep = async ({ parts, ...read }) => {
    const cache = await withName(kept, read);
    await kept("readwrite", (caches, all) => {
      caches.put(cache, cache.id);
      all.put(parts, cache.id);
    });
  };
  const forget = (id) =>
    kept("readwrite", (caches, all) => {
      id ? (caches.delete(id), all.delete(id)) : (caches.clear(), all.clear());
    }).then(remember);

  // Other pages of this site show the same list.
  let channel;
  try {
    channel = new BroadcastChannel("spack build caches");
    channel.onmessage = () => {
      showStrip();
      if (dialog.open && state === "choosing") choose();
    };
  } catch {
    // Where nothing is kept, there is no list either.
  }

  // What was chosen: files, folders as a drop gives them, or a list whose files know their folder. Each becomes a file
  // with its path below what was chosen. What a folder keeps out of sight is left alone, as the command leaves it.
  const gather = async (chosen, each) => {
    const found = [];
    const taken = new Set();
    const add = (file, path) => {
      found.push({ file, path });
      if (found.length % 1000 === 0) each(found.length);
    };
    const isSeen = ({ name }) => !name.startsWith(".");
    const visit = async (entry, path) => {
      if (entry.isFile) return add(await new Promise((resolve, reject) => entry.file(resolve, reject)), path);
      const reader = entry.createReader();
      for (;;) {
        const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (!entries.length) break;
        for (const inner of entries.filter(isSeen)) await visit(inner, `${path}/${inner.name}`);
      }
    };
    // Chromium does not read entries for a page from disk, but handles it does.
    const visitHandle = async (handle, path) => {
      if (handle.kind === "file") return add(await handle.getFile(), path);
      for await (const inner of handle.values()) {
        if (isSeen(inner)) await visitHandle(inner, `${path}/${inner.name}`);
      }
    };
    const visitFolder = async ({ folder, handle }, path) => {
      const before = found.length;
      try {
        await visit(folder, path);
      } catch (error) {
        found.length = before;
        if (!handle) throw new Error("This browser does not let the page read a folder that is dropped. Choose it with the button.");
        await visitHandle(await handle, path);
      }
    };
    for (const item of chosen) {
      const path = item.webkitRelativePath;
      if (path) {
        if (!path.split("/").slice(1).some((name) => name.startsWith("."))) add(item, path);
        continue;
      }
      // Files of several folders may have one name.
      const own = item.name ?? item.folder.name;
      let name = own;
      for (let number = 2; taken.has(name); number++) name = `${number} ${own}`;
      taken.add(name);
      item.folder ? await visitFolder(item, name) : add(item, name);
    }
    return found;
  };

  // Packages of a mirror are never read, so they do not count.
  const isRead = (path) => !/(^|\/)(blobs|build_cache)\//.test(path) || /\.json(\.\w+)?$/.test(path);
  const weight = (found) =>
    found
      .filter(({ path }) => isRead(path))
      .reduce((sum, { path, file }) => sum + file.size * (/\.(gz|zst)$/.test(path) ? RATIO : 1), 0);

  const named = (found) => {
    const names = [...new Set(found.map(({ path }) => path.split("/")[0]))];
    return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(" and ");
  };

  // Reading. A worker is used once: what it holds is gone with it.
  let worker;
  const bytesOf = async (name) => {
    const embedded = inside(name);
    const from = embedded ? `data:application/wasm;base64,${embedded.textContent.trim()}` : url(name);
    const response = await fetch(from);
    // Some hosts have a page for everything that is not there.
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (!response.ok || isPage) throw new Error(`${name}: ${isPage ? "a page is in its place" : response.status}`);
    return response.arrayBuffer();
  };
  // The modules of the reader, by name. What could not be fetched is asked for again the next time.
  const modules = new Map();
  const moduleOf = (name) => {
    if (!modules.has(name)) {
      const bytes = bytesOf(`reader_${name}.wasm`);
      modules.set(name, bytes);
      bytes.catch(() => modules.delete(name));
    }
    return modules.get(name);
  };
  // The parts of the reader (crates/split) that files will need, by their paths and how the first of them starts. What is
  // missing here, or wrong, costs a round trip or some bytes, and nothing else.
  const LIKELY = [
    [/^\s*{\s*"database"/m, "cache database"],
    [/\/(v3\/layout\.json|build_cache\/.*)$/m, "mirror cache database"],
    [/\/oci-layout$/m, "oci cache database"],
    [/^---$/m, "page cache yaml"],
    [/^\s*{\s*"format"|^<(!doctype html|html)/im, "index cache"],
    [/^\s*{\s*"_meta"/m, "environment lock cache database"],
    [/\.json\.gz$/m, "cache gzip"],
    [/\.json\.zst$/m, "cache zstd"],
  ];
  const guess = async (found, { isSettings }) => {
    if (isSettings) return ["settings", "spec", "yaml"];
    const start = await found[0].file.slice(0, 64).text().catch(() => "");
    const seen = [start, ...found.map(({ path }) => path)].join("\n");
    return [...new Set(LIKELY.flatMap(([signs, parts]) => (signs.test(seen) ? parts.split(" ") : [])))];
  };
  const hire = () => {
    const glue = inside("reader.js");
    if (!glue) return new Worker(url("reader-worker.js"));
    const text = new Blob([glue.textContent, "\n", inside("reader-worker.js").textContent], { type: "text/javascript" });
    const address = URL.createObjectURL(text);
    const hired = new Worker(address);
    hired.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
    return hired;
  };
  // If the reader misses other parts than those that were guessed, everything is read again with these.
  const read = async (found, wanted, progress, files = found.map(({ file }) => file), needed = []) => {
    const mine = job;
    const asked = ["bg", ...needed].map(moduleOf);
    // A reader that was not split has no parts, which shows only when it runs.
    const likely = (await guess(found, wanted)).filter((name) => !needed.includes(name));
    const [module, ...parts] = await Promise.all([...asked, ...likely.map((name) => moduleOf(name).catch(() => undefined))]);
    if (mine !== job) throw new Error("reading was given up");
    const answer = await new Promise((resolve, reject) => {
      worker = hire();
      worker.onmessage = ({ data }) => (data.progress ? progress(data.progress) : resolve(data));
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the reader did not start"));
      };
      const made = new Date().toISOString().replace(/\.\d+/, "");
      const paths = found.map(({ path }) => path);
      worker.postMessage({ module, parts: parts.filter(Boolean), files, paths, made, ...wanted });
    }).finally(dismiss);
    return answer.needs ? read(found, wanted, progress, files, [...new Set([...needed, ...answer.needs])]) : answer;
  };
  const dismiss = () => {
    worker?.terminate();
    worker = undefined;
  };

  // The dialog. What it shows is drawn anew for each of its states.
  let state = "choosing";
  const dialog = make("dialog", { id: "open", "aria-labelledby": "open-title" });
  const draw = (now, title, ...content) => {
    state = now;
    const close = button("Close", () => dialog.close(), "icon close");
    close.setAttribute("aria-label", "Close");
    close.textContent = "✕";
    dialog.replaceChildren(make("header", {}, make("h2", { id: "open-title" }, title), close), ...content.filter(Boolean));
  };
  // Removes what cannot be brought back: the first press asks, and the second removes. Going elsewhere takes the
  // question back. Then `list` is drawn anew, and the focus is on what has moved up.
  const remover = (text, name, remove, list) => {
    let asks = false;
    const say = (now) => {
      asks = now;
      it.textContent = now ? `Really ${text.toLowerCase()}?` : text;
      it.setAttribute("aria-label", now ? `Really remove ${name}?` : `Remove ${name}`);
      it.classList.toggle("asks", now);
      heard.textContent = now ? `Press again to remove ${name}` : "";
    };
    const press = async () => {
      if (!asks) {
        it.focus(); // Not every browser does this.
        return say(true);
      }
      const place = [...dialog.querySelectorAll("li .remove")].indexOf(it);
      await remove();
      await list();
      const others = [...dialog.querySelectorAll("li .remove")];
      (others[place] ?? others.at(-1) ?? dialog.querySelector(".main")).focus();
    };
    const it = button(text, press, "plain remove");
    const heard = make("span", { class: "heard", role: "status" });
    it.onblur = () => say(false);
    say(false);
    return [it, heard];
  };
  // Returns a button that turns the link of its row into a field for a new name, because most databases have the same
  // name. Enter and leaving the field rename; Escape cancels.
  const renamer = (name, rename, list) => {
    const it = button("Rename", () => {
      const field = make("input", { type: "text", "aria-label": `New name of ${name}` });
      field.value = name;
      let isDone = false;
      const finish = async (taken) => {
        if (isDone) return;
        isDone = true;
        if (taken && taken !== name) await rename(taken);
        await list();
        [...dialog.querySelectorAll("li .rename")].find((other) => other.dataset.name === (taken || name))?.focus();
      };
      field.onblur = () => finish(field.value.trim());
      field.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault(); // Escape would close the dialog.
        finish(event.key === "Enter" ? field.value.trim() : "");
      };
      it.closest("li").querySelector("a").replaceWith(field);
      field.select();
    }, "plain rename");
    it.dataset.name = name;
    it.setAttribute("aria-label", `Rename ${name}`);
    return it;
  };
  const rename = async (keeper, id, name) => {
    const before = await keeper("readonly", (all) => all.get(id));
    await keeper("readwrite", (all) => void all.put({ ...before, name, isNamed: true }, id));
    if (keeper !== kept) return;
    if (current() === id) shown.name = name;
    await remember();
  };
  dialog.addEventListener("close", () => {
    job++;
    dismiss();
  });
  const show = () => {
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
  };

  const chooser = (label, attributes, kind, wanted = {}) => {
    const field = make("input", { type: "file", hidden: "", "aria-label": label, ...attributes });
    field.onchange = () => field.files.length && start([...field.files], wanted);
    const opener = button(`${label}…`, () => field.click(), kind);
    opener.autofocus = kind.endsWith("main");
    return [opener, field];
  };

  // Chooses a cache to open, or to compare with the one that is shown.
  let isComparing = false;
  const choose = async () => {
    const caches = (await list()).filter(({ id }) => !isComparing || id !== current());
    const wanted = { isCompared: isComparing };
    const compare = (id) => (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      compareWith(id);
    };
    const folders = "webkitdirectory" in HTMLInputElement.prototype && !matchMedia("(pointer: coarse)").matches;
    const row = ({ id, name, builds, bytes, opened }) =>
      make(
        "li",
        {},
        isComparing
          ? make("a", { href: home + addressOf([["changes", `cache:${id}..`]]), onclick: compare(id) }, name)
          : make("a", { href: address(id), "aria-current": current() === id ? "page" : undefined }, name),
        make("span", { class: "muted" }, `${counted(builds, "build", "builds")}, ${size(bytes)}, ${opened.toLocaleDateString(undefined, { dateStyle: "medium" })}`),
        renamer(name, (given) => rename(kept, id, given), choose),
        ...remover("Remove", name, () => forget(id), choose),
      );
    draw(
      "choosing",
      isComparing ? "Compare with another snapshot" : "Open a cache",
      make(
        "p",
        {},
        isComparing ? "See what changed between the cache that is shown and another one: a" : "A",
        " Spack database (index.json), a mirror’s folder, cache pages, or an index that cache-explorer made, as they are or compressed. Several files are opened as one cache. Drop them on the page, or:",
      ),
      make(
        "p",
        { class: "choices" },
        ...chooser("Choose files", { multiple: "" }, "button main", wanted),
        ...(folders ? chooser("Choose a folder", { webkitdirectory: "" }, "button", wanted) : []),
      ),
      make("p", { class: "muted" }, "Everything is read in this browser. Nothing leaves your device."),
      caches.length ? make("h3", {}, "Your caches") : undefined,
      caches.length ? make("ul", { class: "own-caches" }, ...caches.map(row)) : undefined,
      ...(caches.length > 1 ? [make("p", {}, ...remover("Remove all", `all ${caches.length} caches`, () => forget(), choose))] : []),
    );
  };

  const chooseEnvironment = async () => {
    const environments = await listOf(keptEnvironments);
    const field = make("textarea", { id: "pasted", rows: "6", spellcheck: "false", placeholder: "hdf5+mpi" });
    const forget = (id) => keptEnvironments("readwrite", (all) => void all.delete(id));
    const row = ({ id, name, specs, opened }) =>
      make(
        "li",
        {},
        make("a", { href: home + addressOf(environmentIn(id)) }, name),
        make("span", { class: "muted" }, `${counted(specs, "spec", "specs")}, ${opened.toLocaleDateString(undefined, { dateStyle: "medium" })}`),
        renamer(name, (given) => rename(keptEnvironments, id, given), chooseEnvironment),
        ...remover("Remove", name, () => forget(id), chooseEnvironment),
      );
    draw(
      "environments",
      "Open an environment",
      make("p", {}, "A spack.lock, a spack.yaml, a list of specs, or what spack spec --json or spack find --json prints. Drop it on the page, or:"),
      make("p", { class: "choices" }, ...chooser("Choose a file", {}, "button main", { isEnvironment: true })),
      make("label", { for: "pasted" }, "Or paste it here:"),
      field,
      make(
        "p",
        { class: "choices" },
        button("Read the text", () => field.value.trim() && start([new File([field.value], "pasted text")], { isEnvironment: true })),
      ),
      make("p", { class: "muted" }, "Everything is read in this browser. Nothing leaves your device."),
      environments.length ? make("h3", {}, "Your environments") : undefined,
      environments.length ? make("ul", { class: "own-caches" }, ...environments.map(row)) : undefined,
    );
  };

  const again = ({ isEnvironment }) => (isEnvironment ? chooseEnvironment() : choose());
  const problem = (wanted, title, words, ...after) =>
    draw(
      "problem",
      title,
      make("pre", { class: "problems", role: "alert", tabindex: "0" }, words),
      make("p", { class: "choices" }, ...after, button("Choose something else", () => again(wanted))),
    );

  // Whatever was begun before is given up when another begins, or the dialog is closed.
  let job = 0;
  const start = async (chosen, wanted = {}) => {
    const mine = ++job;
    const is = () => mine === job;
    show();
    const bar = make("progress", { "aria-label": "Read" });
    const said = make("p", { role: "status" }, "Looking at what was chosen…");
    const cancel = button("Cancel", () => {
      job++;
      dismiss();
      again(wanted);
    });
    draw("reading", "Reading", said, bar, make("p", { class: "choices" }, cancel));
    cancel.focus();
    try {
      const found = await gather(chosen, (number) => (said.textContent = `Looking at what was chosen: ${counted(number, "file", "files")}…`));
      if (!is()) return;
      if (!found.length) return problem(wanted, "Not a cache", "there is nothing to read in it");
      const heavy = weight(found);
      const name = named(found);
      if (heavy > MOST) {
        const command = `cache-explorer open ${found[0].path.split("/")[0]}`;
        return problem(wanted, "Too much for a page", `${name} is ${size(heavy)} of data, and a page can read ${size(MOST)} at most. The command reads it:\n\n${command}`);
      }
      const progress = ({ bytes, all, records, input }) => {
        const of = all >= bytes && all > 0;
        of ? (bar.value = bytes / all) : bar.removeAttribute("value");
        const far = of && bytes === all ? `${size(all)} are read, putting the index together` : `${size(bytes)}${of ? ` of ${size(all)}` : ""}`;
        said.textContent = `Reading ${input || name}: ${far}, ${counted(records, "record", "records")}`;
      };
      let answer = await read(found, wanted, progress);
      if (!is()) return;
      if (answer.isRefused) {
        // In WebKit, the worker of a page on disk may not read files; the page may.
        const contents = await Promise.all(found.map(({ file }) => file.arrayBuffer().catch(() => file)));
        if (!is()) return;
        answer = await read(found, { ...wanted, isSecond: true }, progress, contents);
        if (!is()) return;
      }
      if (answer.problems !== undefined) {
        const without = button("Go on without what is damaged", () => start(chosen, { ...wanted, leavesOutDamaged: true }), "button main");
        return problem(wanted, `${name} cannot be opened as it is`, answer.problems, ...(answer.mayLeaveOut ? [without] : []));
      }
      if (answer.environment?.address?.length === 0) {
        return problem(wanted, `${name} lists no specs`, "there is nothing to find in the cache");
      }
      if (answer.environment) return await goToEnvironment({ ...answer.environment, name });
      const bytes = Object.values(answer.parts).reduce((sum, part) => sum + part.length, 0);
      await (wanted.isCompared ? goToComparison : go)({ ...answer, name, opened: new Date(), bytes });
    } catch (error) {
      if (!is()) return;
      console.warn(error);
      if (error.tooLarge) return problem(wanted, "There is no room for it", error.message);
      problem(
        wanted,
        "The reader stopped",
        `${error.message ?? error}\n\nEither a part of this site could not be fetched, or the files need more memory than this browser gives. The command reads them too: cache-explorer open`,
      );
    }
  };

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

  // The texts of a cache by part, its name, and `stays` if it will be here tomorrow; undefined if it is not here.
  const cache = async (id) => {
    const stepped = history.state?.compared;
    const [about, parts] =
      stepped?.id === id
        ? [stepped, stepped.parts]
        : await Promise.all([kept("readonly", (caches) => caches.get(id)), kept("readonly", (_, all) => all.get(id))]).catch(() => []);
    if (!parts) return undefined;
    const texts = Object.entries(parts).map(([part, bytes]) => [part, new TextDecoder().decode(bytes)]);
    return { ...Object.fromEntries(texts), name: about.name, stays: stepped?.id !== id };
  };

  // What is kept of an environment; undefined if it is not here.
  const environment = async (id) => {
    const stepped = history.state?.environment;
    if (stepped?.id === id) return stepped;
    return keptEnvironments("readonly", (all) => all.get(id)).catch(() => undefined);
  };

  // Reads the settings of a person's Spack, a file or a text: { settings } as an address states them, or { problems }.
  const settings = (given) => {
    const file = typeof given === "string" ? new File([given], "pasted text") : given;
    return read([{ file, path: file.name }], { isSettings: true }, () => {});
  };

  // Puts the parts of an opened cache into the page, in place of those that it came with; `false` if it is not here.
  let shown;
  const bring = async (id) => {
    let parts;
    try {
      shown = await kept("readonly", (caches) => caches.get(id));
      parts = shown && (await kept("readonly", (_, all) => all.get(id)));
    } catch {
      // Nothing is kept here.
    }
    if (!parts && history.state?.opened?.id === id) {
      ({ parts, ...shown } = history.state.opened);
      shown.passes = true;
    }
    if (!parts) return false;
    for (const other of document.querySelectorAll("#parts, script[type='application/json'][id^='index']")) other.remove();
    for (const [part, bytes] of Object.entries(parts)) {
      document.body.append(make("script", { type: "application/json", id: part }, new TextDecoder().decode(bytes)));
    }
    document.documentElement.dataset.cache = id;
    return true;
  };

  // Above the page: which cache it shows, and the others, each one click away.
  const strip = make("nav", { class: "own-caches", "aria-label": "Caches" });
  const showStrip = async () => {
    const id = current();
    const all = await list();
    const others = all.filter((cache) => cache.id !== id);
    // The strip takes the place that style/frame/open.css has kept for it.
    delete document.documentElement.dataset.caches;
    if (!id && !others.length) return strip.remove();
    const link = ({ id, name, builds }) => {
      const isAmbiguous = name === shown?.name || others.some((other) => other.id !== id && other.name === name);
      const text = isAmbiguous ? `${name} (${counted(builds, "build", "builds")})` : name;
      return make("a", { href: address(id), title: text }, text);
    };
    const content = [];
    if (shown) {
      // Removed here, or on another page of this site.
      const isRemoved = !shown.passes && all.length === others.length;
      const fate = isRemoved
        ? "It has been removed from this device, and will be gone when you leave or reload this page."
        : shown.passes
        ? "This browser keeps nothing for this page, so it will be gone when you leave it, and whoever gets a link to it needs the same file."
        : "It stays on this device: whoever gets a link to it needs the same file.";
      content.push(make("span", {}, make("strong", {}, shown.name), `${isRemoved ? "" : ", opened here"}. ${fate}`));
      if (shown.notes) content.push(make("details", {}, make("summary", {}, "Notes"), make("pre", {}, shown.notes)));
      content.push(make("a", { href: home }, isRemoved ? "Go to the published cache" : "Published cache"));
    } else {
      content.push(make("span", {}, "Your caches:"));
    }
    const most = matchMedia("(width < 560px)").matches ? 1 : 3;
    content.push(...others.slice(0, most).map(link));
    if (others.length > most) content.push(button("More…", () => open()));
    if (others.length) content.push(button("Compare…", () => open([], "comparison"), "plain"));
    strip.classList.toggle("line", !shown);
    strip.replaceChildren(...content);
    document.body.prepend(strip);
  };

  // Says that the cache of an address is not here, and takes the files that it is about.
  const miss = () => ({
    title: "This cache is not on this device",
    text: "The link is about a cache that somebody has opened from a file. Open the same file here, and the link shows what it showed them.",
  });

  const isOnEnvironment = () => /[?&](environment|spec)=/.test(location.search);
  const open = async (chosen, what) => {
    if (chosen?.length) {
      isComparing &&= dialog.open;
      return start(chosen, { isCompared: isComparing, isEnvironment: !isComparing && isOnEnvironment() });
    }
    isComparing = what === "comparison";
    await (what === "environment" ? chooseEnvironment() : choose());
    show();
  };

  window.ownCaches = { open, bring, miss, showStrip, home, environment, cache, settings };
})();
