// Measures a folder of static files from outside, with Lighthouse: `node tools/audit.mjs dist`.
//
// The folder is served under a path of this machine as good hosts do it: compressed with Brotli, each file with an ETag
// for revalidation, and no other headers. Each page is measured as on a phone with a slow network and as on a desktop
// computer, with Lighthouse's own settings for both; three times each, and the median counts. Network and machine are
// really throttled, not estimated from a fast load, in which all files arrive together and the page's frame is never
// visible first. So other load on this machine lowers the performance score. Fails if any score is too low.

import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";

const tools = createRequire(resolve(import.meta.dirname, "../.tools/node_modules/lighthouse/package.json"));
const { default: lighthouse, desktopConfig } = await import(tools.resolve("lighthouse"));
const { launch } = await import(tools.resolve("chrome-launcher"));

const WANTED = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const PAGES = { "front page": "", "a package": "?package=py-ml-dtypes", "its own page": "package/py-ml-dtypes/" };
const TYPES = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".png": "image/png",
  ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

const folder = resolve(process.argv[2]);
const packed = new Map();
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.replace(/^\/cache\//, "").replace(/(^|\/)$/, "$1index.html");
  const file = join(folder, path);
  if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
  if (!packed.has(file)) {
    const bytes = readFileSync(file);
    packed.set(file, { bytes: brotliCompressSync(bytes), etag: `"${createHash("sha256").update(bytes).digest("hex")}"` });
  }
  const { bytes, etag } = packed.get(file);
  if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-encoding": "br", etag }).end(bytes);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const chromePath = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => { try { return [execFileSync("which", [name], { encoding: "utf8" }).trim()]; } catch { return []; } })[0];
const chrome = await launch({ chromePath, chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"] });

const failures = [];
const row = (...cells) => console.log(cells.map((cell, at) => String(cell).padEnd(at ? 16 : 26)).join(""));
row("", ...Object.keys(WANTED));
for (const [device, config] of [["phone", undefined], ["desktop", desktopConfig]]) {
  for (const [name, query] of Object.entries(PAGES)) {
    const url = `http://127.0.0.1:${server.address().port}/cache/${query}`;
    const runs = [];
    for (let run = 0; run < 3; run++) {
      const options = { port: chrome.port, logLevel: "error", onlyCategories: Object.keys(WANTED), throttlingMethod: "devtools" };
      runs.push((await lighthouse(url, options, config)).lhr);
    }
    const lhr = runs.sort((a, b) => a.categories.performance.score - b.categories.performance.score)[1];
    const score = (category) => Math.round((lhr.categories[category]?.score ?? 0) * 100);
    row(`${name}, ${device}`, ...Object.keys(WANTED).map(score));
    for (const category of Object.keys(WANTED).filter((category) => score(category) < WANTED[category])) {
      const audits = lhr.categories[category].auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => lhr.audits[id]);
      const reasons = audits.filter(({ score }) => score !== null && score < 1)
        .map(({ title, displayValue, score }) => `    ${title}${displayValue ? `: ${displayValue}` : ""} (${Math.round(score * 100)})`);
      failures.push(`${name}, ${device}: ${category} ${score(category)}, expected ${WANTED[category]}:\n${reasons.join("\n")}`);
    }
  }
}
await chrome.kill();
server.close();
if (failures.length) {
  console.error(`\n${failures.join("\n")}`);
  process.exitCode = 1;
}
