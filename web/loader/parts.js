// The parts of an index that are files beside the page, which its head states with their digests.

// The bytes of a file with this digest. On a secure page, the browser computes the digest in another thread. Elsewhere,
// fetch compares it (integrity), but in the page's own thread: 50 ms for the hashes of a million builds.
const fetchWhole = async ({ file, digest }) => {
  const { subtle } = crypto;
  const response = await fetch(file, subtle ? {} : { integrity: digest });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = subtle && String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-256", bytes)));
  if (subtle && digest !== `sha256-${btoa(found)}`) throw new Error(`${file}: not the file that the page names`);
  return bytes;
};
// Frees the memory of bytes that are not needed again, in browsers that can.
cache.free = (bytes) => bytes.buffer.transfer?.(0);
// The bytes of a part of the index that is a file beside the page: a promise of them, or its text, if it is needed at
// once; undefined if the part is in the page.
cache.fetchPart = (id, atOnce) => {
  let stated;
  try {
    stated = JSON.parse(document.getElementById("parts").textContent)[id];
  } catch {
    // A page without an index, or one that was cut off.
  }
  if (!stated?.file) return undefined;
  if (!atOnce) return fetchWhole(stated);
  const request = new XMLHttpRequest();
  request.open("GET", stated.file, false);
  request.send();
  return request.responseText;
};
