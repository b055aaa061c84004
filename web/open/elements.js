// The elements of dialogs and lists, made with little code. Text is never read as HTML.

const make = (tag, attributes = {}, ...content) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...content.filter((part) => part !== undefined));
  return element;
};
const button = (text, onclick, kind = "button") => make("button", { type: "button", class: kind, onclick }, text);

const counted = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const size = (bytes) => {
  const units = ["bytes", "kB", "MB", "GB"];
  let unit = 0;
  for (; bytes >= 1000 && unit < 3; unit++) bytes /= 1000;
  return `${bytes.toFixed(unit && bytes < 10 ? 1 : 0)} ${units[unit]}`;
};
// A number of seconds in words, as exact as an estimate can be.
const duration = (seconds) => {
  if (seconds < 50) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds`;
  return `about ${counted(Math.ceil(seconds / 60), "minute", "minutes")}`;
};
