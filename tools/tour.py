"""Make the animated picture of README: a search in a made-up cache, in Chromium.

    tools/tour.py <address of the explorer> <picture.gif>

`make tour` serves the cache and calls this. The browser is driven over WebDriver, as in the tests,
and shows what a person sees; only the pointer is drawn, because screenshots have none.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import time
import urllib.request
from typing import Any

from PIL import Image

WIDTH, HEIGHT = 1120, 700
SCALE = 6 / 7  # of the picture to the page: 960 pixels, as wide as README shows it
COLOURS = 96
LIMIT = 1_500_000  # bytes

# The element that a person would find by this, which has to be on the screen.
FIND = """
const [selector, text] = arguments;
const says = (element) => element.textContent.trim().startsWith(text);
const fits = (element) => element.checkVisibility() && (!text || says(element));
return [...document.querySelectorAll(selector)].find(fits);
"""

# Moves the drawn pointer to an element, or into the corner.
POINT = """
let pointer = document.getElementById("pointer");
if (!pointer) {
  const svg = "http://www.w3.org/2000/svg";
  pointer = document.createElementNS(svg, "svg");
  pointer.id = "pointer";
  pointer.setAttribute("viewBox", "0 0 16 24");
  const look = { position: "fixed", width: "18px", zIndex: 99999, pointerEvents: "none" };
  Object.assign(pointer.style, look);
  const arrow = document.createElementNS(svg, "path");
  arrow.setAttribute("d", "M1 1v18l4.5-4 3 7 3-1.500-3-6.500h6z");
  arrow.setAttribute("fill", "#111");
  arrow.setAttribute("stroke", "#fff");
  pointer.append(arrow);
}
document.body.append(pointer);
const box = arguments[0]?.getBoundingClientRect();
pointer.style.left = box ? `${box.left + Math.min(box.width / 2, 60)}px` : "92%";
pointer.style.top = box ? `${box.top + box.height / 2}px` : "92%";
"""

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """Chromium, over WebDriver."""

    def __init__(self, port: int) -> None:
        """Start it."""
        command = ["chromedriver", f"--port={port}"]
        self.driver = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
        self.base = f"http://127.0.0.1:{port}"
        self.frames: list[tuple[Image.Image, int]] = []
        options = {
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--hide-scrollbars",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                f"--window-size={WIDTH},{HEIGHT}",
            ]
        }  # fmt: skip
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.wait(lambda: self.call("GET", "/status")["ready"])
        self.base += "/session/" + self.call("POST", "/session", wanted)["sessionId"]
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        command = "Emulation.setDeviceMetricsOverride"
        self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": size})

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Send a command, and return its result."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)  # noqa: S310
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            return json.load(answer)["value"]

    def wait(self, until: Any) -> Any:  # noqa: ANN401
        """Return the first result that is one, for at most a minute."""
        for _ in range(600):
            try:
                if found := until():
                    return found
            except OSError:
                pass
            time.sleep(0.1)
        message = "what should be on the page is not there"
        raise SystemExit(message)

    def run(self, script: str, *arguments: Any) -> Any:  # noqa: ANN401
        """Run a script in the page."""
        return self.call("POST", "/execute/sync", {"script": script, "args": arguments})

    def find(self, selector: str, text: str = "") -> dict[str, str]:
        """Wait for an element."""
        found: dict[str, str] = self.wait(lambda: self.run(FIND, selector, text))
        return found

    def show(self, milliseconds: int) -> None:
        """Add what is on the screen to the picture."""
        png = base64.b64decode(self.call("GET", "/screenshot"))
        image = Image.open(io.BytesIO(png)).convert("RGB")
        size = (round(WIDTH * SCALE), round(HEIGHT * SCALE))
        self.frames.append((image.resize(size, Image.Resampling.LANCZOS), milliseconds))

    def click(self, selector: str, text: str = "") -> None:
        """Point at an element, and click it."""
        element = self.find(selector, text)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        self.run(POINT, element)
        self.show(900)
        self.call("POST", f"/element/{element[ELEMENT]}/click", {})
        time.sleep(0.4)

    def type(self, text: str) -> None:
        """Type into the search box, letter by letter."""
        box = self.find("input[role=combobox]")
        self.run(POINT, box)
        for letter in text:
            self.call("POST", f"/element/{box[ELEMENT]}/value", {"text": letter})
            time.sleep(0.25)
            self.show(160)
        self.show(1400)

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def tour(browser: Browser, address: str) -> None:
    """Do what a person would do who looks for a build."""
    browser.call("POST", "/url", {"url": address})
    browser.find("[data-testid=total]", "1")
    browser.find("main a", "")
    browser.run(POINT)
    browser.show(2200)
    browser.type("hmmer +mpi")
    browser.click("main a", "hmmer")
    browser.show(2200)
    browser.click("[data-testid=os] label", "ubuntu22.04")
    browser.show(2200)
    browser.click("main a[href*='hash=']")
    browser.show(3500)


def save(frames: list[tuple[Image.Image, int]], path: str) -> None:
    """Write the frames with one palette, so that what does not change costs nothing."""
    sheet = Image.new("RGB", (frames[0][0].width, sum(image.height for image, _ in frames)))
    for number, (image, _) in enumerate(frames):
        sheet.paste(image, (0, number * image.height))
    palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    pictures = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image, _ in frames]
    durations = [milliseconds for _, milliseconds in frames]
    first, rest = pictures[0], pictures[1:]
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)


def main() -> None:
    """Make the picture."""
    address, path = sys.argv[1:]
    browser = Browser(port=9517)
    try:
        tour(browser, address)
    finally:
        browser.close()
    save(browser.frames, path)
    size = len(open(path, "rb").read())  # noqa: SIM115, PTH123
    seconds = sum(milliseconds for _, milliseconds in browser.frames) / 1000
    print(f"{path}: {len(browser.frames)} frames, {seconds:.0f} seconds, {size} bytes")
    if size > LIMIT:
        message = f"expected at most {LIMIT} bytes"
        raise SystemExit(message)


if __name__ == "__main__":
    main()
