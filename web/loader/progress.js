// Shows how much has arrived of what the user is waiting for, next to "Loading…", once that has taken a second.

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
    // The app removes the columns from the page when it takes them.
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

// Counts the bytes of a response, and returns the response. A copy is counted, so the browser still compiles the app while
// it arrives. The total is known if `length` is given, or if the response is not compressed.
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
  // The caller reports what is wrong with the response.
  count(response.clone().body.getReader()).catch(() => {});
  return response;
};
