"""How long page and command line take for the same recording, side by side: `cargo xtask bench web`.

The two take turns, so that what else the machine does counts for both; the best of each is compared.
"""

import os
import sys
import time

from driver import FOLDER, Memory, cli, until
from playwright.sync_api import sync_playwright

TURNS = 5
RECORDING = FOLDER / "recording.bin"
CONVERT = """
() => {
  const from = performance.now();
  window.took = null;
  state.jobs.run({ request: request({ command: "conv" }), files: state.files.map(({ file }) => file) })
    .then(({ output }) => { window.took = [performance.now() - from, output.size]; });
}
"""


def native():
    start = time.perf_counter()
    cli("conv", "-q", "-m", "auto", "-o", FOLDER / "trace.pftrace", RECORDING)
    return time.perf_counter() - start


def in_page(page):
    page.evaluate(CONVERT)
    until(page, "window.took")
    took, size = page.evaluate("window.took")
    assert size == (FOLDER / "trace.pftrace").stat().st_size
    return took / 1000


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox", "--disable-dev-shm-usage"])
    page = browser.new_context().new_page()
    page.goto(f"file://{os.environ['TBAND_PAGE']}/index.html")
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#choose", RECORDING)
    until(page, "!state.jobs.current && document.querySelector('#found').textContent !== ''")
    turns = []
    with Memory(browser) as memory:
        for _ in range(TURNS):
            turns.append((native(), in_page(page)))
            print(f"tband-cli {turns[-1][0]:.3f} s, page {turns[-1][1]:.3f} s", file=sys.stderr)
    browser.close()

size = RECORDING.stat().st_size / 1e6
tool, shown = (min(turn[which] for turn in turns) for which in (0, 1))
print(f"recording             {size:8.0f} MB")
print(f"tband-cli conv        {tool:8.3f} s {size / tool:8.0f} MB/s")
print(f"page                  {shown:8.3f} s {size / shown:8.0f} MB/s, 1/{shown / tool:.1f} of it")
print(f"memory of the page    {memory.most_in_renderer / 1e6:8.0f} MB at most")
