// Reads what was chosen, shows how far it is, and explains what cannot be read.

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
