// Files and folders that are dropped anywhere on the page are opened.

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
  addEventListener(type, (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.documentElement.classList.toggle("dropping", type === "dragover");
    if (type !== "drop") return;
    // Browsers reveal the files only during this event.
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
    open(
      items.map((item) => {
        const folder = item.webkitGetAsEntry?.();
        return folder?.isDirectory ? { folder, handle: item.getAsFileSystemHandle?.() } : item.getAsFile();
      }),
    );
  });
}
