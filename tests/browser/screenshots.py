"""Takes pictures of page and report: `cargo xtask web --screenshots DIR`."""

import os
import pathlib
import sys

from driver import DEMO, FOLDER, VECTORS, cli, until
from playwright.sync_api import sync_playwright

OUT = pathlib.Path(sys.argv[1])
PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
# Tables go on for long.
MAX_HEIGHT = 2400
SHAPES = [("desktop", 1280, 900), ("phone", 360, 740)]


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def choose(page, path):
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#choose", path)
    idle(page)


def drawn(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def pictures(page):
    """Name and what is to be done for each."""
    page.goto(PAGE)
    page.wait_for_selector("body[data-ready]")
    yield "page-empty"
    choose(page, DEMO)
    yield "page-file"
    while page.locator("details:not([open]) > summary:visible").count() > 0:
        page.locator("details:not([open]) > summary:visible").first.click()
    page.click("#dump")
    idle(page)
    yield "page-open"
    page.goto(PAGE)
    choose(page, VECTORS / "truncated.bin")
    yield "page-damaged"
    page.goto(PAGE)
    choose(page, DEMO)
    page.click("#show")
    drawn(page)
    yield "page-view"
    for name, recording in (("report", DEMO), ("report-damaged", VECTORS / "truncated.bin")):
        path = FOLDER / f"{name}.html"
        cli("report", "-q", "-o", path, recording)
        page.goto(f"file://{path}")
        drawn(page)
        yield name
    page.goto(f"file://{FOLDER / 'report.html'}")
    drawn(page)
    page.locator("table a[href^='#t=']").first.click()
    page.fill("input[type=search]", "mutex")
    page.wait_for_timeout(100)
    yield "report-search"


OUT.mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
    for shape, width, height in SHAPES:
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for name in pictures(page):
                path = OUT / f"{name}-{shape}-{scheme}.png"
                if "search" in name:
                    page.screenshot(path=path)
                else:
                    full = page.evaluate("document.documentElement.scrollHeight")
                    clip = {"x": 0, "y": 0, "width": width, "height": min(full, MAX_HEIGHT)}
                    page.screenshot(path=path, full_page=True, clip=clip)
                print(path)
            context.close()
    browser.close()
