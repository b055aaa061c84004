// The files that a user chooses or drops: each with its path below what was chosen.

// More bytes than this are not read here: the builds of a database of some 700 MB fill the memory that a browser gives a
// page.
const MOST = 700_000_000;
// How many times longer a compressed file is assumed to be when it is decompressed.
const RATIO = 8;

// Takes what was chosen: files, folders as a drop gives them, or a list whose files know their folder. Returns each
// file with its path below what was chosen. Hidden files and folders inside a folder are left out, as the command
// leaves them out.
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
  // For a page from disk, Chromium does not read entries, but it does read handles.
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
    // Files from different folders may have the same name.
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

const named = (found) => listed([...new Set(found.map(({ path }) => path.split("/")[0]))]);
// Writes a name as one word of a command.
const shellWord = (name) => (/^[\w.\/][\w.\/@:+=-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
const listed = (names) => (names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(" and "));
