// Reads what was chosen, shows how far it is, and explains what cannot be read.

const problem = (wanted, title, words, ...after) =>
  draw(
    "problem",
    title,
    make("pre", { class: "problems", role: "alert", tabindex: "0" }, words),
    make("p", { class: "choices" }, ...after, button("Choose something else", () => again(wanted))),
  );

// The current job, or the last one. A job is given up when another one begins, when it is cancelled, or when the dialog is
// closed; what it reads ends with it.
let job = new AbortController();

// Shows that something is being read, and returns the functions that show the progress: `say` in words, `move` as the part
// that is done.
const showProgress = (title, words, cancelled) => {
  const bar = make("progress", { "aria-label": "Read" });
  const said = make("p", { role: "status" }, words);
  const cancel = button("Cancel", () => {
    job.abort();
    cancelled();
  });
  draw("reading", title, said, bar, make("p", { class: "choices" }, cancel));
  cancel.focus();
  return {
    say: (words) => (said.textContent = words),
    move: (done, all) => (all >= done && all > 0 ? (bar.value = done / all) : bar.removeAttribute("value")),
  };
};

// Runs a job, which gets a signal that gives it up. Returns `undefined` if it was given up, or if it failed, which is then
// shown.
const run = async (wanted, work) => {
  job.abort();
  job = new AbortController();
  const { signal } = job;
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) return;
    console.warn(error);
    if (error.isMissing) {
      return problem(
        wanted,
        "A part of this site is missing",
        `${error.message}\n\nThese files need it, and this device has not kept it. Connect to the network, and open them again. The command reads them too: cache-explorer open`,
      );
    }
    if (error.tooLarge) return problem(wanted, "There is no room for it", error.message);
    problem(
      wanted,
      "The reader stopped",
      `${error.message ?? error}\n\nEither a part of this site could not be fetched, or the files need more memory than this browser gives. The command reads them too: cache-explorer open`,
    );
  }
};

// Reads files in a worker.
const readFiles = async (found, wanted, progress, signal) => {
  const answer = await read(found, wanted, progress, signal);
  if (signal.aborted || !answer.isRefused) return answer;
  // In WebKit, the worker of a page on disk may not read files; the page may.
  const contents = await Promise.all(found.map(({ file }) => file.arrayBuffer().catch(() => file)));
  return signal.aborted ? answer : read(found, { ...wanted, isSecond: true }, progress, signal, contents);
};

// Returns a button that puts a file into My machine, if it is the settings of a Spack.
const offerToMachine = async (found, signal) => {
  const [{ file }] = found;
  const machine = document.querySelector("details.machine");
  if (!machine || found.length > 1 || !/\.ya?ml$/.test(file.name) || !(await settings({ given: file }, signal)).settings) return [];
  const put = async () => {
    const text = await file.text();
    dialog.close();
    machine.open = true;
    // The part of the app that draws the field may still be on its way.
    while (!machine.querySelector("textarea")) await new Promise(requestAnimationFrame);
    const field = machine.querySelector("textarea");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  };
  return [button("Put it into My machine", put, "button main")];
};

const start = (chosen, wanted = {}) =>
  run(wanted, async (signal) => {
    show();
    const shown = showProgress("Reading", "Looking at what was chosen…", () => again(wanted));
    const all = await gather(chosen, (number) => shown.say(`Looking at what was chosen: ${counted(number, "file", "files")}…`));
    if (signal.aborted) return;
    const found = all.filter(({ path }) => !wanted.leftOut?.includes(path));
    if (!found.length) return problem(wanted, "Not a cache", "there is nothing to read in it");
    const heavy = weight(found);
    const name = named(found);
    if (heavy > MOST) {
      const command = `cache-explorer open ${shellWord(found[0].path.split("/")[0])}`;
      return problem(wanted, "Too much for a page", `${name} is ${size(heavy)} of data, and a page can read ${size(MOST)} at most. The command reads it:\n\n${command}`);
    }
    const progress = ({ bytes, all, records, input }) => {
      shown.move(bytes, all);
      const of = all >= bytes && all > 0;
      const far = of && bytes === all ? `${size(all)} are read, putting the index together` : `${size(bytes)}${of ? ` of ${size(all)}` : ""}`;
      shown.say(`Reading ${input || name}: ${far}, ${counted(records, "record", "records")}`);
    };
    const answer = await readFiles(found, wanted, progress, signal);
    if (signal.aborted) return;
    if (answer.problems !== undefined) {
      const without = button("Go on without what is damaged", () => start(chosen, { ...wanted, leavesOutDamaged: true }), "button main");
      const unusable = found.map(({ path }) => path).filter((path) => answer.unusable?.includes(path));
      const leftOut = [...(wanted.leftOut ?? []), ...unusable];
      const withoutThese = button(`Go on without ${listed(unusable)}`, () => start(chosen, { ...wanted, leftOut }), "button main");
      const isPart = unusable.length > 0 && unusable.length < found.length;
      const ways = isPart ? [withoutThese] : answer.mayLeaveOut ? [without] : await offerToMachine(found, signal);
      if (signal.aborted) return;
      return problem(wanted, `${name} cannot be opened as ${/ and /.test(name) ? "they are" : "it is"}`, answer.problems, ...ways);
    }
    if (answer.environment?.address?.length === 0) {
      return problem(wanted, `${name} lists no specs`, "there is nothing to find in the cache");
    }
    if (answer.environment) return await goToEnvironment({ ...answer.environment, name });
    const opened = { ...answer, name };
    if (wanted.isCompared) return await goToComparison(now(opened));
    answer.inside ? offer(found, wanted, opened) : await go(now(opened));
  });
const now = ({ inside, ...opened }) => ({ ...opened, opened: new Date() });

// Offers to look into the binaries of a mirror that was read, which takes as long as reading the entire mirror.
const offer = (found, wanted, opened) => {
  const { name, builds, inside } = opened;
  const binaries = counted(inside.binaries, "binary", "binaries");
  const openNow = button("Open", () => run(wanted, () => go(now(opened))), "button main");
  draw(
    "offer",
    `${name}: ${counted(builds, "build", "builds")}`,
    make(
      "p",
      {},
      "Its binaries are here too. Looking inside them shows the files and sizes of each build and where it can be installed, and a search such as ",
      make("code", {}, "file:h5dump"),
      " finds the builds that have a file. It also checks each spec and each binary; ",
      make("b", {}, "Open"),
      " reads the list of builds only, so a damaged build looks like any other.",
    ),
    make("p", { class: "muted" }, "Everything is read in this browser. Nothing leaves your device."),
    make("p", { class: "choices" }, openNow, button(`Look inside ${binaries}, ${size(inside.bytes)}`, () => lookInside(found, wanted, opened))),
  );
  openNow.focus();
};

const lookInside = (found, wanted, opened) =>
  run(wanted, async (signal) => {
    const shown = showProgress("Looking inside", "Beginning…", () => offer(found, wanted, opened));
    let began;
    const progress = ({ bytes, all, records, binaries }) => {
      if (!binaries) return;
      began ??= performance.now();
      shown.move(bytes, all);
      const seconds = (performance.now() - began) / 1000;
      const left = seconds > 2 && bytes > 0 ? `, ${duration((seconds / bytes) * (all - bytes))} left` : "";
      shown.say(`${records.toLocaleString("en")} of ${counted(binaries, "binary", "binaries")}, ${size(bytes)} of ${size(all)}${left}`);
    };
    const answer = await readFiles(found, { ...wanted, looksInside: true }, progress, signal);
    if (signal.aborted) return;
    if (answer.problems !== undefined) return problem(wanted, `${opened.name} has changed`, answer.problems);
    await go(now({ ...answer, name: opened.name }));
  });
