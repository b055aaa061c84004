// A notice at the bottom of the window, above everything else (style/frame/notice.css).

const notify = (label, text, ...buttons) => {
  document.querySelector(".update")?.remove();
  const said = element("p", "", { role: "status" });
  const notice = element("aside", said, { class: "update", "aria-label": label });
  for (const [name, press, kind = "button"] of buttons) {
    const button = element("button", name, { type: "button", class: kind });
    button.onclick = () => (press ?? (() => notice.remove()))();
    notice.append(button);
  }
  document.body.append(notice);
  // Screen readers announce text that is added to an existing element.
  requestAnimationFrame(() => said.append(text));
};
