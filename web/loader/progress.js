// How much has arrived of what the user waits for, beside "Loading…" once that has taken a second.

const WAITING = "main.loading > [role=status], .loading[role=status]";
// The first view is shown in place of the frame, unless the address asks for something else (index.html).
const waits = () =>
  document.querySelector(WAITING) && (!document.getElementById("first") || "asked" in document.documentElement.dataset);

const arrivals = [];
let telling;
// The columns are in the page, which states their length (crates/cache-index/src/index/json/statement.rs).
const columns = () => {
  try {
    const of = JSON.parse(document.getElementById("parts").textContent).index.length;
    const arrived = document.getElementById("index")?.textContent.length;
    // The app takes them out of the page.
    return { has: arrived ?? (document.readyState === "loading" ? 0 : of), of };
  } catch {
    // A page without an index, or one that was cut off, which the app reports.
    return { has: 0, of: 0 };
  }
};
const tell = () => {
  const places = document.querySelectorAll(WAITING);
  if (!places.length) telling = clearInterval(telling);
  const all = [columns(), ...arrivals];
  const megabytes = (key) => (all.reduce((sum, arrival) => sum + arrival[key], 0) / 1e6).toFixed(1);
  const [has, of] = [megabytes("has"), megabytes("of")];
  for (const place of places) {
    // Screen readers need not hear every number.
    if (!place.lastElementChild) place.append(element("span", "", { "aria-hidden": "true" }));
    place.lastElementChild.textContent = of === "NaN" ? ` ${has} MB so far` : ` ${has} of ${of} MB`;
  }
};

// Counts the bytes of an answer, and returns it. What is counted is a copy, so the browser still compiles the app while it
// arrives. The number of bytes is known if it is given, or if the answer is not compressed.
const counted = (response, length) => {
  if (!response.url.startsWith("http") || !waits()) return response;
  const { headers } = response;
  const stated = headers.has("content-encoding") ? NaN : Number(headers.get("content-length") ?? NaN);
  const arrival = { has: 0, of: length ?? stated };
  arrivals.push(arrival);
  telling ??= setInterval(tell, 1000);
  const count = async (reader) => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) arrival.has += next.value.length;
    arrival.of = arrival.has;
  };
  // Whoever takes the answer reports what is wrong with it.
  count(response.clone().body.getReader()).catch(() => {});
  return response;
};
