// A clipboard for pages without https, to which browsers give none; many clusters serve such pages. The older interface
// still works there, right after a button was pressed.

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

// A name that is cut in the middle is two boxes, which browsers copy as two lines, so the styles remove the boxes while
// something is copied.
document.addEventListener("copy", () => {
  const { classList } = document.documentElement;
  classList.add("copied");
  setTimeout(() => classList.remove("copied"));
});
