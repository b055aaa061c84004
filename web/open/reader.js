// The reader (crates/reader): fetching its modules, and running it in a worker. A worker is used once, so that its
// memory is freed with it.

const bytesOf = async (name) => {
  const embedded = inside(name);
  const from = embedded ? `data:application/wasm;base64,${embedded.textContent.trim()}` : url(name);
  const missing = (why, cause) => Object.assign(new Error(`${name}: ${why}`, { cause }), { isMissing: true });
  const response = await fetch(from).catch((error) => {
    throw missing("there is no network", error);
  });
  // Some hosts send a page in place of every file that is not there.
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (!response.ok || isPage) throw missing(isPage ? "a page is in its place" : response.status);
  return response.arrayBuffer();
};
// The modules of the reader, by name. A module that could not be fetched is requested again the next time.
const modules = new Map();
const moduleOf = (name) => {
  if (!modules.has(name)) {
    const bytes = bytesOf(`reader_${name}.wasm`);
    modules.set(name, bytes);
    bytes.catch(() => modules.delete(name));
  }
  return modules.get(name);
};
// The parts of the reader (crates/split) that files are likely to need, by their paths and by how the first file
// starts. A missing or wrong guess only costs a round trip or some bytes.
const LIKELY = [
  [/^\s*{\s*"database"/m, "cache database record"],
  [/\/(v3\/layout\.json|build_cache\/.*)$/m, "mirror cache database record"],
  [/\/oci-layout$/m, "oci mirror cache database record"],
  [/^---$/m, "page cache yaml"],
  [/^\s*{\s*"format"|^<(!doctype html|html)/im, "index cache"],
  [/^\s*{\s*"_meta"/m, "environment lock problems cache record"],
  [/\.json\.gz$/m, "cache gzip"],
  [/\.json\.zst$/m, "cache zstd"],
];
const guess = async (found, { isSettings, looksInside }) => {
  if (isSettings) return ["settings", "spec", "yaml"];
  const start = await found[0].file.slice(0, 64).text().catch(() => "");
  const seen = [start, ...found.map(({ path }) => path)].join("\n");
  const likely = LIKELY.flatMap(([signs, parts]) => (signs.test(seen) ? parts.split(" ") : []));
  return [...new Set(looksInside ? [...likely, "inside", "gzip", "oci", "yaml"] : likely)];
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
// Reads files in a worker of its own, which ends with this. If there is a signal, it may give up reading; then this fails.
// If the reader needs parts that were not guessed, everything is read again with these parts.
const read = async (found, wanted, progress, signal, files = found.map(({ file }) => file), needed = []) => {
  const asked = ["bg", ...needed].map(moduleOf);
  // A reader that was not split has no parts, which shows only when it runs.
  const likely = (await guess(found, wanted)).filter((name) => !needed.includes(name));
  const [module, ...parts] = await Promise.all([...asked, ...likely.map((name) => moduleOf(name).catch(() => undefined))]);
  const givenUp = () => new Error("reading was given up");
  if (signal?.aborted) throw givenUp();
  const worker = hire();
  const answer = await new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(givenUp()), { once: true });
    worker.onmessage = ({ data }) => (data.progress ? progress(data.progress) : resolve(data));
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || "the reader did not start"));
    };
    const made = new Date().toISOString().replace(/\.\d+/, "");
    const paths = found.map(({ path }) => path);
    worker.postMessage({ module, parts: parts.filter(Boolean), files, paths, made, ...wanted });
  }).finally(() => worker.terminate());
  return answer.needs ? read(found, wanted, progress, signal, files, [...new Set([...needed, ...answer.needs])]) : answer;
};
