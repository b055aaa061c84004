// The functions of this script that loader.js and the app call (crates/pages/src/browser/environments.rs, opened.rs,
// settings.rs).

// Returns the texts of a cache by part, its name, and `stays`, which is true if the device keeps it; undefined if the cache
// is not here.
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

// Returns what is kept of an environment, and `stays`, which is true if the device keeps it; undefined if it is not here.
const environment = async (id) => {
  const stepped = history.state?.environment;
  if (stepped?.id === id) return { ...stepped, stays: false };
  const found = await keptEnvironments("readonly", (all) => all.get(id)).catch(() => undefined);
  return isWhole(found) ? { ...found, stays: true } : undefined;
};

// Reads the settings of a user's Spack from a file or a text. Returns { settings }, in the form that an address has,
// or { problems }. What is not mentioned is taken from `known`, which has the same form. If there is a signal, it may give up
// reading.
const settings = ({ given, known = "" }, signal) => {
  const file = typeof given === "string" ? new File([given], "pasted text") : given;
  return read([{ file, path: file.name }], { isSettings: true, known }, () => {}, signal);
};

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
