"""Takes pictures of page and report in thirteen states, light and dark: `cargo xtask picture` keeps them in the guide,
`cargo xtask web --screenshots DIR` takes them on a phone as well."""

import contextlib
import json
import os
import pathlib
import sys

import browsers
from boards import board, record
from driver import DEMO, FOLDER, ROOT, VECTORS, cli, until
from frames import DROPPED, frame
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


def lossy():
    """The recording of all kinds of objects without 40 us of its events, which are counted instead, as the recorder does when
    its buffer is full. It ends before the next count."""
    frames = DEMO.read_bytes().split(b"\0")[:-1]
    events = [json.loads(line) for line in cli("dump", "--json", DEMO).stdout.splitlines()]
    assert len(frames) == len(events)
    begin, after, end = (next(i for i, it in enumerate(events) if it.get("ts", 0) >= ts and is_meant(it)) for ts, is_meant in (
        (85_210_000, bool), (85_250_000, bool), (85_250_000, lambda it: it["event"] == "dropped_evt_cnt")))
    path = FOLDER / "lossy.bin"
    joined = lambda part: b"".join(it + b"\0" for it in part)
    path.write_bytes(joined(frames[:begin]) + frame(DROPPED, events[after]["ts"], after - begin) + joined(frames[after:end]))
    return path


def rows(page, recording, names, begin, end, selected):
    """Some rows of a recording and nothing else, from one time of the target to another, with what one of them shows at a time
    selected, and arrows from who makes a task ready to that task."""
    page.set_viewport_size({"width": page.viewport_size["width"], "height": 440})
    report(page, recording)
    page.evaluate("""([names, begin, end, [name, at]]) => {
      const t = tbandTimeline, start = Number(t.picture.start), wanted = t.rows.filter((it) => names.includes(it.name));
      if (wanted.length !== names.length) throw new Error(wanted.map((it) => it.name));
      wanted.forEach((it) => t.list.togglePin(it));
      t.list.filter = "no row has this name";
      t.arrange();
      t.filterInput.value = "";
      t.toggleWakes();
      t.show(begin - start, end - start);
      const row = wanted.find((it) => it.name === name), lane = row.lanes.findIndex((it) => it.count > 0);
      t.select({ row, lane, index: row.lanes[lane].firstEndingAfter(at - start) });
      t.root.scrollIntoView();
    }""", [names, begin, end, selected])


@contextlib.contextmanager
def live(page):
    """The demo while it comes, by the guide's command."""
    (FOLDER / "trace.bin").unlink(missing_ok=True)
    with board(9090) as (_, connection), record("tcp:localhost:9090", name="trace.bin") as (link, *_):
        page.goto(link)
        sends, whole = connection(), STORY.read_bytes()
        sends.sendall(whole[:-500])
        until(page, "tbandTimeline.picture.length > 0.7e9")
        sends.sendall(whole[-500:])
        until(page, "tbandTimeline.picture.length > 0.79e9 && document.querySelector('.live-tables [aria-label=Tasks] tbody tr')")
        yield


def states(page):
    """Names of the states, each when the page shows it."""
    inversion(page)
    page.evaluate("scrollTo(0, 0)")
    yield "report"
    page.evaluate("tbandTimeline.mark(tbandTimeline.selection.at); tbandTimeline.root.scrollIntoView()")
    until(page, "tbandTimeline.range")
    yield "measured"
    inversion(page)
    page.locator(".highlights li", has_text="priority inversion").locator("a").last.click()
    until(page, "document.querySelector('[aria-expanded=true]') !== null")
    yield "activation"
    report(page, STORY)
    page.evaluate("""() => {
      const t = tbandTimeline;
      t.select({ row: t.rows.find((it) => it.kind === "task" && it.name === "filter"), lane: 0, index: null });
      t.root.scrollIntoView();
    }""")
    yield "histogram"
    inversion(page)
    page.fill("input[type=search]", "bus")
    until(page, "document.querySelector('.hits').textContent !== ''")
    yield "search"
    both(page)
    yield "pair"
    report(page, VECTORS / "truncated.bin")
    yield "damage"
    tall = page.viewport_size
    rows(page, DEMO, ["core 0", "bus", "high", "mid", "low", "priority of low"], 85_180_000, 85_290_000, ["high", 85_235_000])
    yield "inheritance"
    rows(page, DEMO, ["core 0", "interrupts of core 0", "driver", "operator", "sleeper", "IDLE"], 14_215_000, 14_290_000, ["driver", 14_230_000])
    yield "interrupts"
    rows(page, lossy(), ["core 0", "lost events", "bus", "high", "mid", "low", "priority of low"], 85_180_000, 85_300_000, ["lost events", 85_240_000])
    yield "losses"
    page.set_viewport_size(tall)
    with live(page):
        yield "live"
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
        # The page draws a change in the next frame.
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        path = OUT / scheme / f"{name}{shape}.png"
        page.screenshot(path=path, animations="disabled", caret="hide")
        print(path, flush=True)
    context.close()


for scheme in ("light", "dark"):
    (OUT / scheme).mkdir(parents=True, exist_ok=True)
with sync_playwright() as playwright:
    browser = browsers.chromium(playwright)
    for shape in SHAPES if "phone" in sys.argv[2:] else [""]:
        for scheme in ("light", "dark"):
            take(browser, shape, scheme)
    browser.close()
