"""Opens pages in one of Debian's browsers, and runs tests one after the other."""

import contextlib
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import traceback

import browsers
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, sync_playwright

ROOT = pathlib.Path(os.environ["TBAND_ROOT"])
FOLDER = pathlib.Path(os.environ["TBAND_FOLDER"])
VECTORS = ROOT / "tests" / "vectors"
DEMO = ROOT / "tests" / "pictures" / "demo.bin"
IN_FIREFOX = os.environ.get("TBAND_BROWSER") == "firefox"
# Firefox's warning about a message to a window whose page is not loaded yet.
UNHEARD = "The target origin provided"
# Width and colours of a page: each of them once, and the other pairs, for the release tier.
WAYS, OTHER_WAYS = ((1280, "light"), (320, "dark")), ((1280, "dark"), (320, "light"))
# Far above what anything here takes.
PATIENCE = int(os.environ.get("TBAND_PATIENCE", 120_000))


def cli(*args, codes=(0, 1), cwd=None):
    """Runs tband-cli, and gives what it printed."""
    command = [os.environ["TBAND_CLI"], *map(str, args)]
    ran = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, cwd=cwd)
    assert ran.returncode in codes, (command, ran.stderr.decode())
    return ran


def until(page, expression):
    """Waits until an expression is true. One that fails is not true yet: what it looks at may still be built. Playwright's own way
    needs `eval`, which the pages forbid."""
    failed = None
    for _ in range(PATIENCE // 20):
        try:
            if page.evaluate(f"Boolean({expression})"):
                return
            failed = None
        except Error as error:
            failed = error
        page.wait_for_timeout(20)
    raise AssertionError(f"waited in vain for {expression}") from failed


def row_at(page, name):
    """How far below the top of the timeline the middle of a row is; it is scrolled as it is."""
    return page.evaluate("(name) => { const t = tbandTimeline; return t.middle(t.rows.find(it => it.name === name)); }", name)


def own_memory(process):
    """Bytes that a process has of its own: not those of its files, which all processes share."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


class Memory:
    """What a browser's processes have of their own while something runs: the most in a page's process, and
    how much more all of them have than before."""

    def __init__(self, browser):
        session = browser.new_browser_cdp_session()
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        self.processes = {it["id"]: it["type"] for it in found}
        assert "renderer" in self.processes.values() and "browser" in self.processes.values(), found
        self.looks = 0
        self.most_in_renderer = self.growth = 0

    def look(self):
        now = {process: own_memory(process) for process in self.processes}
        renderers = [bytes for process, bytes in now.items() if self.processes[process] == "renderer"]
        self.most_in_renderer = max(self.most_in_renderer, *renderers)
        self.growth = max(self.growth, sum(now.values()) - self.before)
        self.looks += 1

    def watch(self):
        while not self.end.wait(0.005):
            self.look()

    def __enter__(self):
        self.before = sum(map(own_memory, self.processes))
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()
        self.look()


class Pages:
    """A browser. What pages ask of the network, and errors in them, is kept."""

    def __init__(self, launch):
        self.launch = launch
        self.browsers = {}

    @property
    def browser(self):
        return self.of("light")

    def of(self, scheme):
        """The browser whose pages are light or dark."""
        return self.browsers.get(scheme) or self.browsers.setdefault(scheme, self.launch(scheme))

    def close(self):
        for browser in set(self.browsers.values()):
            browser.close()

    @contextlib.contextmanager
    def context(self, width=1280, scheme="light", init=None, allowed=(), **more):
        context = self.of(scheme).new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True, **more
        )
        context.set_default_timeout(PATIENCE)
        if init:
            context.add_init_script(init)
        wrong = []

        def asked(request):
            if not request.url.startswith(("file:", "blob:", "data:", *allowed)):
                wrong.append(f"asks for {request.url}")

        def fails(text):
            # As an error of the page or in its console, whichever Firefox makes of it.
            if UNHEARD not in text:
                wrong.append(text)

        context.on("request", asked)
        context.on("weberror", lambda error: fails(str(error.error)))
        context.on("console", lambda it: fails(it.text) if it.type == "error" else None)
        yield context
        context.close()
        assert not wrong, wrong

    @contextlib.contextmanager
    def open(self, url, **how):
        with self.context(**how) as context:
            page = context.new_page()
            page.goto(str(url))
            yield page


# Keeps two of the rows, cells and items of a table or list that differ in their text only: the same elements, attributes and
# colours, with or without a text. A page has two thousand cells, and checking all of them would take most of the time of all tests.
# Rows are taken out and put back, cells are marked; many marks take long themselves.
TAKE_ALIKE = """() => {
  const told = ["id", "href", "title", "style", "headers", "aria-label"];
  const look = (it) => {
    const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, display, visibility } = getComputedStyle(it);
    const attributes = [...it.attributes].filter(({ name }) => !name.startsWith("data-"))
      .map(({ name, value }) => `${name}=${told.includes(name) ? Boolean(value.trim()) : value}`);
    return [it.localName, ...attributes, Boolean(it.textContent.trim()), color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, display, visibility].join();
  };
  const alike = (parts) => [...document.querySelectorAll("table, ul, ol, dl")].flatMap((list) => {
    const seen = new Map();
    return [...list.querySelectorAll(parts)].filter((it) => {
      if (it.closest("table, ul, ol, dl") !== list) return false;
      const like = [it.parentElement, it, ...it.querySelectorAll("*")].map(look).join("|");
      seen.set(like, (seen.get(like) ?? 0) + 1);
      return seen.get(like) > 2;
    });
  });
  const scrolled = [scrollX, scrollY];
  const rows = alike("tbody > tr, li").map((row) => {
    const place = document.createComment("");
    row.replaceWith(place);
    return [row, place];
  });
  const cells = alike("tr > *, dt, dd");
  for (const cell of cells) cell.dataset.alike = "";
  window.putAlikeBack = () => {
    for (const cell of cells) delete cell.dataset.alike;
    for (const [row, place] of rows) place.replaceWith(row);
    scrollTo(...scrolled);
  };
}"""


def accessible(page):
    """Nothing is wrong for those who do not see, or use no mouse."""
    page.evaluate(TAKE_ALIKE)
    # A list of the passed checks would take most of axe's time.
    options = {"resultTypes": ["violations"], "selectors": False}
    found = Axe().run(page, context={"exclude": [["[data-alike]"]]}, options=options)
    page.evaluate("putAlikeBack()")
    broken = [(it["id"], [node["html"][:200] for node in it["nodes"][:3]]) for it in found.response["violations"]]
    assert not broken, broken


def fits(page):
    """The page itself is not scrolled to the side."""
    inner, all_of_it = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert all_of_it <= inner, (inner, all_of_it)


def duration(ns):
    size = abs(ns)
    if size < 1000:
        return f"{ns} ns"
    unit, scale = ("µs", 1e3) if size < 1e6 else ("ms", 1e6) if size < 1e9 else ("s", 1e9)
    value = ns / scale
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 1
    whole, *rest = f"{value:.{digits}f}".split(".")
    return f"{'.'.join([grouped(int(whole)), *rest])} {unit}"


def moment(ns):
    us = ns // 1000
    return f"{grouped(us // 1000)}.{us % 1000:03} ms"


def grouped(number):
    """A number as the page has it: thin spaces from five digits on."""
    return f"{number:,}".replace(",", "\u202f") if abs(number) >= 10_000 else str(number)


def ungrouped(text):
    """A number of the page as the command line has it."""
    text = text.replace("\u202f", "").replace("µs", "us")
    return re.sub(r"(\.\d{3}) ms", r"\1ms", text)


def is_share(key):
    return key.endswith("share") or key == "load"


def shown(key, value):
    """A value of `stats --json` as people read it; None where that cannot be distinguished from the value."""
    if value is None:
        return "-"
    if key.endswith("at_ns") or key in ("start_ns", "end_ns", "since_ns"):
        return moment(value)
    if key.endswith("_ns"):
        return duration(value)
    if key.endswith(("_per_second", "tick_rate_hz")):
        return f"{value:.0f}/s" if value < 9999.5 else None
    if is_share(key) or key == "timestamp_hz" or isinstance(value, list):
        return None
    return grouped(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def same_numbers(page, tables):
    """Every number of `stats --json` is in the page's tables."""
    cells = dict(
        page.evaluate("[...document.querySelectorAll('[data-cell]')].map(it => [it.dataset.cell, it.textContent])")
    )
    compared = 0
    for name, rows in tables.items():
        rows = [rows] if isinstance(rows, dict) else rows
        for number, row in enumerate(rows or []):
            any_of_row = False
            for key, value in row.items():
                if isinstance(value, dict):
                    if name == "heap":
                        continue
                    members = {} if value["count"] == 0 else value
                    for member, inner in members.items():
                        if member in ("sum_ns", "open_max_ns"):
                            continue
                        cell = cells[f"{name}/{number}/{key}.{member}"]
                        assert cell == shown(member, inner), (name, number, key, member, cell, inner)
                        compared += 1
                        any_of_row = True
                    continue
                cell = cells.get(f"{name}/{number}/{key}")
                if cell is None:
                    continue
                any_of_row = True
                text = shown(key, value)
                if is_share(key) and value is None:
                    assert cell == "?", (name, key, cell)
                elif is_share(key):
                    assert abs(float(cell.split()[0]) - value * 100) < 0.011, (name, key, cell, value)
                elif text is not None:
                    assert cell == text, (name, number, key, cell, text)
                compared += 1
            assert any_of_row, (name, number)
    assert compared > 50, compared


def stats_of(*inputs):
    return json.loads(cli("stats", "--json", *inputs).stdout)


def chromium_only(test):
    """A test of what only Chromium has, or of what its driver cannot do in Firefox."""
    test.is_of_chromium = True
    return test


def take_orphans():
    """Makes this program the parent of the browser's processes, which outlive who starts them."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_orphans():
    """So what they cost counts as a cost of this program."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def main(tests):
    """Runs all functions whose name begins with `test_`; those whose names begin as on the command line alone. For the tier of a
    release there are those that begin with `release_`, and with `large_` where a large recording has been prepared."""
    wanted = tuple(sys.argv[1:]) or ("test_",)
    failed = False
    take_orphans()
    with sync_playwright() as playwright:
        if IN_FIREFOX:
            pages = Pages(lambda scheme: browsers.firefox(playwright, scheme))
        else:
            browser = browsers.chromium(playwright)
            pages = Pages(lambda scheme: browser)
        for name, test in list(tests.items()):
            if not name.startswith(wanted) or not name.startswith(("test_", "release_", "large_")):
                continue
            if IN_FIREFOX and getattr(test, "is_of_chromium", False):
                continue
            try:
                test(pages)
                print(f"ok {name}", flush=True)
            except Exception:
                failed = True
                print(f"FAILED {name}\n{traceback.format_exc()}", flush=True)
        pages.close()
    # A test that failed may have left a program that does not end.
    if not failed:
        wait_for_orphans()
    sys.exit(failed)
