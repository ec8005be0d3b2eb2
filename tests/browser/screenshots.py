"""Takes pictures of page and report in six states, light and dark: `cargo xtask picture` keeps them in the guide,
`cargo xtask web --screenshots DIR` takes them on a phone as well."""

import os
import pathlib
import sys

from driver import FOLDER, ROOT, VECTORS, cli, until
from playwright.sync_api import sync_playwright

OUT = pathlib.Path(sys.argv[1])
PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
STORY = ROOT / "web" / "examples" / "sensor-pipeline.bin"
SHAPES = {"": (1280, 800), "-phone": (360, 740)}


def report(page, recording):
    path = FOLDER / f"{recording.stem}.html"
    if not path.exists():
        cli("report", "-q", "-o", path, recording.name, cwd=recording.parent)
    page.goto("about:blank")
    page.goto(f"file://{path}")
    drawn(page)


def drawn(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def inversion(page):
    """The report of the demo at its priority inversion."""
    report(page, STORY)
    page.locator(".highlights li", has_text="priority inversion").locator("a").first.click()
    until(page, "tbandTimeline.selection")


def states(page):
    """Names of the states, each when the page shows it."""
    inversion(page)
    page.evaluate("scrollTo(0, 0)")
    yield "report"
    page.evaluate("tbandTimeline.mark(tbandTimeline.selection.at); tbandTimeline.root.scrollIntoView()")
    until(page, "tbandTimeline.range")
    yield "measured"
    inversion(page)
    page.fill("input[type=search]", "bus")
    until(page, "document.querySelector('.hits').textContent !== ''")
    yield "search"
    report(page, VECTORS / "truncated.bin")
    yield "damage"
    page.goto(PAGE)
    page.wait_for_selector("body[data-ready]")
    yield "page"
    page.set_input_files("#choose", STORY)
    idle(page)
    page.click("#show")
    drawn(page)
    idle(page)
    page.evaluate("scrollTo(0, 0)")
    yield "page-recording"


def take(browser, shape, scheme):
    width, height = SHAPES[shape]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    for name in states(page):
        # What is drawn anew is drawn in the next frame.
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        path = OUT / f"{name}{shape}-{scheme}.png"
        page.screenshot(path=path, animations="disabled", caret="hide")
        print(path, flush=True)
    context.close()


OUT.mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
    for shape in SHAPES if "phone" in sys.argv[2:] else [""]:
        for scheme in ("light", "dark"):
            take(browser, shape, scheme)
    browser.close()
