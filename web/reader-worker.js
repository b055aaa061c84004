// The worker that the reader runs in: it has the files that a user has chosen, and nothing else.
//
// The page sends one message: the bytes of the first module and of some of its parts, the files or their contents with their
// paths, and the options. The worker answers with `{ progress }` any number of times, and then with the result of the module
// (crates/reader/src/main.rs); or with `{ isRefused }`, if it may not read files, or with `{ needs }`, the names of the
// parts that have the missing code (crates/split).
"use strict";

// In the single file, the glue precedes this script. Otherwise it is a file next to this script, requested for the same
// build.
if (typeof wasm_bindgen === "undefined") importScripts(`reader.js${location.search}`);

// Neither this script nor the module uses the network, and from here on neither can.
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "Worker", "importScripts"]) {
  if (name in self) Object.defineProperty(self, name, { value: undefined });
}

onmessage = ({ data: { module, parts, files, paths, isSecond, ...wanted } }) => {
  const sync = new FileReaderSync();
  const bytes = (number, from, to) => {
    const part = files[number].slice(from, to);
    return new Uint8Array(part instanceof Blob ? sync.readAsArrayBuffer(part) : part);
  };
  try {
    if (!isSecond && files.length) bytes(0, 0, 1);
  } catch {
    return postMessage({ isRefused: true });
  }
  let input = "";
  self.reader = {
    bytes,
    progress: (bytes, all, records, next, binaries) => {
      input = next ?? input;
      postMessage({ progress: { bytes, all, records, input, binaries } });
    },
    loadPart: (missing) => {
      if (missing) {
        needs = names[missing - 1].split(" ");
        throw new Error(`a part of the reader is missing: ${needs[0]}`);
      }
      for (const part of parts) new WebAssembly.Instance(new WebAssembly.Module(part), { m: exports });
    },
  };
  let needs;
  const first = new WebAssembly.Module(module);
  // For each part its name, and the names of those that it is needed with. A reader that was not split has none.
  const names = WebAssembly.Module.customSections(first, "parts").flatMap((section) => new TextDecoder().decode(section).split("\n"));
  const exports = wasm_bindgen.initSync({ module: first });
  const lengths = files.map((file) => file.size ?? file.byteLength);
  let answer;
  try {
    answer = self.reader.read({ paths, lengths, ...wanted });
  } catch (error) {
    if (!needs) throw error;
    return postMessage({ needs });
  }
  postMessage(answer, Object.values(answer.parts ?? {}).map((part) => part.buffer));
};
