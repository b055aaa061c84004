//! The app's module, which `loader.js` starts. The library has everything.

fn main() {
    #[cfg(target_arch = "wasm32")]
    cache_explorer_site::start();
}
