// The rest of the app: the code that a first visit does not need (src/browser/rest.rs). It imports what the app exports
// (`cache.app`). If a function is called before it has arrived, it is loaded synchronously; if that fails, the call cannot
// return, and the app stops.

// The address of a module that is inside the page.
const inline = (id) => {
  const element = document.getElementById(id);
  return element && "data:application/wasm;base64," + element.textContent.trim();
};

let arriving;
let isWhole = false;
const join = (module) => {
  if (isWhole) return;
  new WebAssembly.Instance(module, { m: cache.app });
  isWhole = true;
  performance.mark("rest-joined");
};
const fetchRest = async (address) => {
  const response = counted(await fetch(address));
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  join(await WebAssembly.compile(await response.arrayBuffer()));
};
const takeRest = (address) => {
  performance.mark("rest-at-once");
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    // This makes one character of each byte.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status >= 400) throw new Error(`${address}: ${request.status}`);
    join(new WebAssembly.Module(Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0))));
  } catch (error) {
    throw new WebAssembly.RuntimeError(`A part of the app could not be loaded: ${error.message}`);
  }
};
cache.loadRest = (atOnce) => {
  const address = document.getElementById("wasm").dataset.rest ?? inline("rest");
  if (isWhole || !address) return Promise.resolve();
  if (atOnce) return Promise.resolve(takeRest(address));
  arriving ??= fetchRest(address).catch((error) => {
    arriving = undefined;
    console.error(error);
    throw error;
  });
  return arriving;
};
