// Puts the site in the place of the page of a package, at the address of the same package in the site.
//
// There is no navigation: what this page shows stays until the app draws its own content, and Back leads to where the
// visitor came from. The script acts only at the first sign of a visitor, so that search engines see the page that they
// asked for. The site takes over when that interrupts nobody, and only after everything that the app starts with has
// arrived; otherwise this page stays as it is.
"use strict";
{
  const SIGNS = ["pointermove", "pointerup", "keyup", "scroll"];
  const inSite = document.getElementById("in-site").href;
  const folder = new URL(".", inSite).href;

  const listen = (act) => SIGNS.forEach((sign) => addEventListener(sign, act, { passive: true }));
  const ignore = (act) => SIGNS.forEach((sign) => removeEventListener(sign, act));

  const fetched = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response;
  };

  // A script can only write into a document what the policy of that document allows.
  const policy = (page) => page.querySelector("meta[http-equiv='Content-Security-Policy']").content;
  const allows = (page) => policy(page).split("; ").every((rule) => policy(document).includes(rule));

  const fetchSite = async () => {
    const html = await (await fetched(folder)).text();
    const page = new DOMParser().parseFromString(html, "text/html");
    if (!allows(page)) throw new Error("the page of the site was published with another version");
    // The browser keeps them, so the app starts at once.
    const parts = [...page.querySelectorAll("link[rel='preload'], script[src]")];
    const names = parts.flatMap((part) => ["href", "src", "data-rest"].map((name) => part.getAttribute(name)));
    const needed = names.filter(Boolean).map((name) => new URL(name, folder));
    await Promise.all(needed.map(async (address) => (await fetched(address)).arrayBuffer()));
    return html;
  };

  // A visitor who has scrolled, selected a text, or is about to follow a link goes on with this page.
  const isInterrupting = () => scrollY > 0 || !getSelection().isCollapsed || document.querySelector("a:hover, :focus");

  const takeOver = (html) => {
    const shown = document.querySelector("main");
    // Relative addresses would lead elsewhere from now on.
    for (const link of shown.querySelectorAll("a")) link.href = link.href;
    history.replaceState(null, "", inSite);
    document.open();
    document.write(html);
    document.close();
    const frame = document.querySelector("#app > main");
    frame.replaceChildren(...shown.childNodes, frame.querySelector("[role='status']"));
  };

  const begin = async () => {
    ignore(begin);
    const html = await fetchSite().catch(() => {});
    const tryNow = () => {
      if (!html || isInterrupting()) return;
      ignore(tryNow);
      takeOver(html);
    };
    listen(tryNow);
    tryNow();
  };

  if (location.protocol !== "file:" && typeof WebAssembly === "object" && !navigator.connection?.saveData) {
    listen(begin);
  }
}
