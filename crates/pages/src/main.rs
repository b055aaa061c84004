//! The app, which `loader.js` starts: the site and, behind a door, the rest of it.

fn main() {
    #[cfg(target_arch = "wasm32")]
    site::start(cache_explorer_pages::rest());
}
