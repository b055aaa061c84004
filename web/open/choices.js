// What the dialog offers: files to open or to compare with, and what was opened before.

// Describes something that was opened before: how much it contains, when it was opened, and under which other names the same
// was opened.
const described = (much, { opened, aliases = [] }) =>
  make(
    "span",
    { class: "muted" },
    `${much}, ${opened.toLocaleDateString(undefined, { dateStyle: "medium" })}${aliases.length ? `; the same was opened as ${aliases.join(", ")}` : ""}`,
  );

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
  const row = async ({ id, name, builds, bytes, ...more }) =>
    make(
      "li",
      {},
      isComparing
        ? make("a", { href: home + (await comparison(id)), onclick: compare(id) }, name)
        : make("a", { href: address(id), "aria-current": current() === id ? "page" : undefined }, name),
      described(`${counted(builds, "build", "builds")}, ${size(bytes)}`, more),
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
    caches.length ? make("ul", { class: "own-caches" }, ...(await Promise.all(caches.map(row)))) : undefined,
    ...(caches.length > 1 ? [make("p", {}, ...remover("Remove all", `all ${caches.length} caches`, () => forget(), choose))] : []),
  );
};

const chooseEnvironment = async () => {
  const environments = await listOf(keptEnvironments);
  const field = make("textarea", { id: "pasted", rows: "6", spellcheck: "false", placeholder: "hdf5+mpi" });
  // The list is drawn again when another page of this site changes it. What was typed here stays.
  if (dialog.open) field.value = inside("pasted")?.value ?? "";
  const row = async ({ id, name, specs, ...more }) =>
    make(
      "li",
      {},
      make("a", { href: home + (await addressOf(["environment", id])) }, name),
      described(counted(specs, "spec", "specs"), more),
      renamer(name, (given) => rename(keptEnvironments, id, given), chooseEnvironment),
      ...remover("Remove", name, () => forgetEnvironment(id), chooseEnvironment),
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
    environments.length ? make("ul", { class: "own-caches" }, ...(await Promise.all(environments.map(row)))) : undefined,
  );
};

const again = ({ isEnvironment }) => (isEnvironment ? chooseEnvironment() : choose());
