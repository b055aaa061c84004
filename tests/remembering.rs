//! What a device remembers and keeps of environments: from page to page, in several tabs, and after something was removed.

use crate::environment::{cache, choose, compare, sample};
use crate::harness::{Key, Page, Width};

const NOTHING: &str = "How much of your environment is in this cache?";

/// Removes the only environment in the list of the dialog.
#[track_caller]
fn remove(page: &Page<'_>, name: &str) {
    page.press("Open a file…");
    page.press(&format!("Remove {name}"));
    page.press(&format!("Really remove {name}?"));
    page.see_no_element(&[("heading", "Your environments")]);
    page.type_keys(Key::Escape);
    page.see_no_element(&[("dialog", "Open an environment")]);
}

/// Follows the link at the top of the front page.
#[track_caller]
fn go_to_my_environment(page: &Page<'_>) {
    page.open("");
    page.click(&[("link", "My environment")]);
}

#[test]
fn continues_with_what_is_left_of_an_environment() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?spec=zfp");
    page.see("1 of 1 spec is satisfied by a build in the cache");
    go_to_my_environment(&page);
    page.see_query("?spec=zfp");
    // After the last spec has been removed, the user begins anew.
    page.follow("Remove zfp");
    page.see(NOTHING);
    go_to_my_environment(&page);
    page.see(NOTHING);
    page.see_query("?environment=");
    // A file that has been removed is left out.
    choose(&page, &sample("dev-path/spack.lock"));
    page.see("19 of 20 specs are in the cache");
    remove(&page, "spack.lock");
    go_to_my_environment(&page);
    page.see(NOTHING);
    page.see_element(&[("textbox", "Add a spec")]);
    page.ask("await spackCache.ready");
    let hash = |package: &str| {
        let hash = page.ask(&format!("return spackCache.builds('package={package}')[0].hash"));
        hash.as_str().expect("a hash").to_owned()
    };
    let (hdf5, zlib) = (hash("hdf5"), hash("zlib-ng"));
    page.open(&format!("?hash={hdf5}"));
    page.see("Get this build");
    let first = page.tab();
    page.open_tab(&format!("?hash={zlib}"));
    page.see("Get this build");
    let second = page.tab();
    page.go_to_tab(&first);
    page.press("Add to my environment");
    page.see_query(&format!("?spec=hdf5/{hdf5}"));
    page.see("1 of 1 spec is satisfied by a build in the cache");
    // What another tab has added in the meantime stays.
    page.go_to_tab(&second);
    page.press("Add to my environment");
    page.see_query(&format!("?spec=hdf5/{hdf5}&spec=zlib-ng/{zlib}"));
    page.see("2 of 2 specs are satisfied by a build in the cache");
}

/// Does something with the store that keeps environments, named `all`.
fn in_store(action: &str) -> String {
    format!(
        "const opened = indexedDB.open('spack environments');
         await new Promise((done) => (opened.onsuccess = done));
         const transaction = opened.result.transaction('environments', 'readwrite');
         const all = transaction.objectStore('environments');
         {action};
         await new Promise((done) => (transaction.oncomplete = done));
         opened.result.close()"
    )
}

#[test]
fn lists_environments_that_another_page_removes() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    let [dialog, link] = [("dialog", "Open an environment"), ("link", "spack.lock")];
    let list = ("heading", "Your environments");
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    // Earlier versions could leave this after a removal.
    page.ask(&in_store("all.put({ name: 'left', isNamed: true }, 'left')"));
    page.press("Open a file…");
    page.see_element(&[dialog, link]);
    page.see_no_element(&[dialog, ("link", "left")]);
    // It is removed while it is being renamed.
    page.press("Rename spack.lock");
    page.see_element(&[("textbox", "New name of spack.lock")]);
    page.ask(&in_store("all.clear()"));
    page.type_into("New name of spack.lock", "Our stack\n");
    page.see_no_element(&[list]);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    page.press("Open a file…");
    page.see_element(&[dialog, link]);
    let address = page.query();
    page.in_new_tab(&address, |page| remove(page, "spack.lock"));
    page.see_no_element(&[list]);
}
