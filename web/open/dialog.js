// The dialog. What it shows is drawn anew for each of its states.

let state = "choosing";
const dialog = make("dialog", { id: "open", "aria-labelledby": "open-title" });
const draw = (now, title, ...content) => {
  state = now;
  const close = button("Close", () => dialog.close(), "icon close");
  close.setAttribute("aria-label", "Close");
  close.textContent = "✕";
  dialog.replaceChildren(make("header", {}, make("h2", { id: "open-title" }, title), close), ...content.filter(Boolean));
};

dialog.addEventListener("close", () => job.abort());
const show = () => {
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
};

const chooser = (label, attributes, kind, wanted = {}) => {
  const field = make("input", { type: "file", hidden: "", "aria-label": label, ...attributes });
  field.onchange = () => field.files.length && start([...field.files], wanted);
  const opener = button(`${label}…`, () => field.click(), kind);
  opener.autofocus = kind.endsWith("main");
  return [opener, field];
};
