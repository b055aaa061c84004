// Parts of an index that are files next to the page. The app knows their names and digests from the statement in the page's
// head (crates/cache-index/src/index/json/statement.rs).

// Returns a promise of the bytes of a file with this digest and about this length. On a secure page, the browser computes
// the digest in another thread. Elsewhere, fetch compares it (integrity), but in the page's own thread: 50 ms for the hashes
// of a million builds.
cache.fetchPart = async (file, digest, length) => {
  const { subtle } = crypto;
  const response = counted(await fetch(file, subtle ? {} : { integrity: digest }), length);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = subtle && String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-256", bytes)));
  if (subtle && digest !== `sha256-${btoa(found)}`) throw new Error(`${file}: not the file that the page names`);
  return bytes;
};
// Frees the memory of bytes that are no longer needed, in browsers that support this.
cache.free = (bytes) => bytes.buffer.transfer?.(0);
// Returns the text of a file synchronously.
cache.takePart = (file) => {
  const request = new XMLHttpRequest();
  request.open("GET", file, false);
  request.send();
  return request.responseText;
};
