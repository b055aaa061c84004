// A clipboard for pages without https, to which browsers give none; many clusters serve such pages. The older interface
// still copies right after a button was pressed.

navigator.clipboard ??= {
  writeText: async (text) => {
    const give = (event) => {
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", give);
    const copied = document.execCommand("copy");
    document.removeEventListener("copy", give);
    if (!copied) throw new Error("the browser does not copy");
  },
};

// Names that are cut in the middle are two boxes, which browsers copy as two lines, unless the boxes are gone by then.
document.addEventListener("copy", () => {
  const { classList } = document.documentElement;
  classList.add("copied");
  setTimeout(() => classList.remove("copied"));
});
