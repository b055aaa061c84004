// `spackCache`: the page's interface for scripts, with the functions of this script that the app calls. It exists before the
// app has loaded, so that scripts can wait for it; the app adds the functions and settles the promise
// (src/browser/scripting.rs).

const cache = { __proto__: null };
cache.ready = new Promise((resolve, reject) => {
  cache.settle = (error) => {
    delete cache.settle;
    error ? reject(error) : resolve();
  };
});
// A rejection that nobody waits for is not an error.
cache.ready.catch(() => {});
// Resolves when the first frame has been drawn, and only the screen has yet to show it; on a slow network, people read it
// while they wait. A page in the background is never drawn.
cache.drawn = new Promise((resolve) => {
  if (document.hidden) return resolve();
  requestAnimationFrame(() => setTimeout(resolve));
});
window.spackCache = cache;
