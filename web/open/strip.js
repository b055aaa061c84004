// The strip above the page: which cache it shows, and the others, each one click away. The address names an open cache
// (`?cache=` and its id, which is always the same for the same files), and its parts replace those that the page came with.

// Puts the parts of an opened cache into the page, in place of those that the page came with; returns `false` if the cache
// is not here.
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
  if (!parts) {
    shown = undefined;
    return false;
  }
  for (const other of document.querySelectorAll("#parts, script[type='application/json'][id^='index']")) other.remove();
  for (const [part, bytes] of Object.entries(parts)) {
    document.body.append(make("script", { type: "application/json", id: part }, new TextDecoder().decode(bytes)));
  }
  document.documentElement.dataset.cache = id;
  // The page of a damaged build says that it is damaged.
  document.documentElement.dataset.damaged = (shown.damaged ?? []).map(({ hash }) => hash).join(" ");
  return true;
};

// Names the builds that were found to be damaged by looking inside.
const MOST_NAMED = 5;
const damagedBuilds = ({ damaged, passes }) => {
  const named = damaged.slice(0, MOST_NAMED).map(({ package: name, hash }) => {
    const text = `${name}/${hash.slice(0, 7)}`;
    // A cache that is not kept is gone once its page is left.
    return passes ? make("span", {}, text) : make("a", { href: `${address(current())}&package=${name}&hash=${hash}` }, text);
  });
  const more = damaged.length - named.length;
  return [
    make("strong", { class: "damaged" }, `${counted(damaged.length, "build is", "builds are")} damaged:`),
    ...named,
    make("span", {}, more > 0 ? `and ${counted(more, "other", "others")}, see the notes` : "(why is in the notes)"),
  ];
};

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
    if (shown.damaged?.length) content.push(...damagedBuilds(shown));
    if (shown.leftOut) content.push(make("strong", { class: "damaged" }, `${shown.leftOut}:`), make("span", {}, "why is in the notes."));
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

// Returns the words for an address whose cache is not here.
const miss = () => ({
  title: "This cache is not on this device",
  text: "The link is about a cache that somebody has opened from a file. Open the same file here, and the link shows what it showed them.",
});
