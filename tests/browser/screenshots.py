"""Takes pictures of page and report in seven states, light and dark: `cargo xtask picture` keeps them in the guide,
`cargo xtask web --screenshots DIR` takes them on a phone as well."""

import os
import pathlib
import sys

import browsers
from driver import FOLDER, ROOT, VECTORS, cli, until
from playwright.sync_api import sync_playwright

OUT = pathlib.Path(sys.argv[1])
PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
STORY = ROOT / "web" / "examples" / "sensor-pipeline.bin"
MENDED = STORY.with_name("sensor-pipeline-mended.bin")
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


def both(page):
    """The demo and its mend, where the one has a priority inversion: from when the logger begins with its settings."""
    path = FOLDER / "pair.html"
    cli("report", "-q", "-o", path, STORY.name, "--compare", MENDED.name, cwd=STORY.parent)
    page.goto(f"file://{path}")
    until(page, "globalThis.tbandPair && tbandPair.timelines.every((it) => it.operations > 0)")
    page.evaluate("""() => {
      for (const t of tbandPair.timelines) {
        const row = t.rows.find((it) => it.group === "Markers" && it.name.startsWith("save")), lane = row.lanes.findIndex((it) => it.count > 0 && it.kind === "slices");
        t.select({ row, lane, index: 0 });
      }
      tbandPair.choose("selected");
      const [first] = tbandPair.timelines, zero = first.zero;
      first.show(zero - 2e6, zero + 12e6);
      first.mark([zero + 2e6, zero + 6e6]);
      for (const t of tbandPair.timelines) { t.select(null); t.scroller.scrollTop = 0; }
      document.querySelector(".pair").scrollIntoView();
    }""")


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
    both(page)
    yield "pair"
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
    browser = browsers.chromium(playwright)
    for shape in SHAPES if "phone" in sys.argv[2:] else [""]:
        for scheme in ("light", "dark"):
            take(browser, shape, scheme)
    browser.close()
