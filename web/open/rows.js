// The rows of the dialog's lists, which can be renamed and removed.

// Returns a button that removes something for good: the first press asks, and the second removes. Leaving the button
// withdraws the question. After removing, it draws the list again with `list`, and focuses the row that has moved up.
const remover = (text, name, remove, list) => {
  let asks = false;
  const say = (now) => {
    asks = now;
    it.textContent = now ? `Really ${text.toLowerCase()}?` : text;
    it.setAttribute("aria-label", now ? `Really remove ${name}?` : `Remove ${name}`);
    it.classList.toggle("asks", now);
    heard.textContent = now ? `Press again to remove ${name}` : "";
  };
  const press = async () => {
    if (!asks) {
      // Not every browser focuses a button that is pressed.
      it.focus();
      return say(true);
    }
    const place = [...dialog.querySelectorAll("li .remove")].indexOf(it);
    await remove();
    await list();
    const others = [...dialog.querySelectorAll("li .remove")];
    (others[place] ?? others.at(-1) ?? dialog.querySelector(".main")).focus();
  };
  const it = button(text, press, "plain remove");
  const heard = make("span", { class: "heard", role: "status" });
  it.onblur = () => say(false);
  say(false);
  return [it, heard];
};
// Returns a button that turns the link of its row into a field for a new name, because most databases have the same
// name. Enter and leaving the field rename; Escape cancels.
const renamer = (name, rename, list) => {
  const it = button("Rename", () => {
    const field = make("input", { type: "text", "aria-label": `New name of ${name}` });
    field.value = name;
    let isDone = false;
    const finish = async (taken) => {
      if (isDone) return;
      isDone = true;
      if (taken && taken !== name) await rename(taken);
      await list();
      [...dialog.querySelectorAll("li .rename")].find((other) => other.dataset.name === (taken || name))?.focus();
    };
    field.onblur = () => finish(field.value.trim());
    field.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      // Escape would close the dialog.
      event.preventDefault();
      finish(event.key === "Enter" ? field.value.trim() : "");
    };
    it.closest("li").querySelector("a").replaceWith(field);
    field.select();
  }, "plain rename");
  it.dataset.name = name;
  it.setAttribute("aria-label", `Rename ${name}`);
  return it;
};
// Renames what is kept, unless another page of this site has removed it in the meantime.
const rename = async (keeper, id, name) => {
  const before = await keeper("readwrite", (all) => {
    const asked = all.get(id);
    asked.onsuccess = () => asked.result && all.put({ ...asked.result, name, isNamed: true }, id);
    return asked;
  });
  if (keeper !== kept) return announce();
  if (before && current() === id) shown.name = name;
  await remember();
};
