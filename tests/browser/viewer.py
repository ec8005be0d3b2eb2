"""The timeline by its details: search, keys, wheel, and what is reported under the pointer."""

import re

from driver import DEMO, FOLDER, chromium_only, cli, fits, main, row_at, ungrouped, until
from frames import BEGIN, END, INSTANT, MARKER_NAME, READY, RESOLUTION, SWITCHED_IN, TASK_NAME, frame, recording, report, switches

SELECTED = "(it => [it.row.name, it.lane, it.index, it.row.lanes[it.lane].start[it.index]])(tbandTimeline.selection)"
HELP = "Ctrl or ⌘ and the wheel, or + and −, zoom"


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def demo():
    path = FOLDER / "viewer.html"
    if not path.exists():
        cli("report", "-q", "-o", path, DEMO)
    return f"file://{path}"


def view(page):
    return page.evaluate("({...tbandTimeline.view})")


def drawn(page):
    """What was asked for is on the canvas."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def hits(page):
    return page.locator(".hits").inner_text()


def markers():
    """Five slices of a marker, two of them nested with one start, and four instants, three of them at one time."""
    frames = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(MARKER_NAME, 1, b"m")]
    for at in (100, 200, 300):
        frames += [frame(BEGIN, at, 1, b"wanted"), frame(END, at + 10, 1)]
    frames += [frame(BEGIN, 400, 1, b"wanted"), frame(BEGIN, 400, 1, b"wanted too"), frame(END, 410, 1), frame(END, 420, 1)]
    frames += [frame(INSTANT, at, 1, b"wanted") for at in (500, 500, 500, 600)]
    return recording("markers", *frames, frame(BEGIN, 700, 1, b"other"), frame(END, 900, 1))


# How many tasks a report has, as its data say.
TASKS = """
async () => {
  const data = await gunzip(fromBase64(document.getElementById("data").textContent));
  return JSON.parse(new TextDecoder().decode(data)).tables.find((it) => it.key === "tasks").rows.length;
}
"""


def test_search_goes_through_all_matches_and_begins_again(pages):
    with pages.open(report(markers())) as page:
        ready(page)
        page.fill("input[type=search]", "wanted")
        assert hits(page) == "9 matches", hits(page)
        # The visible range begins after the first matches.
        page.evaluate("tbandTimeline.show(120, 650)")
        seen = []
        for number in (*range(3, 10), 1, 2, 3):
            page.keyboard.press("Enter")
            seen.append(page.evaluate(SELECTED))
            assert hits(page) == f"{number} of 9 matches" + (", from the start again" if number == 1 else ""), (number, hits(page))
        assert len({tuple(it) for it in seen}) == 9, seen
        starts = [it[3] for it in seen]
        assert starts == sorted(starts[:7]) + sorted(starts[7:9]) + starts[:1], starts
        for number in (2, 1, 9, 8, 7, 6):
            page.keyboard.press("Shift+Enter")
            assert hits(page) == f"{number} of 9 matches" + (", from the end again" if number == 9 else ""), (number, hits(page))
        # A selection by other means changes the count too, and the next step begins there.
        page.evaluate("tbandTimeline.select(null)")
        assert hits(page) == "9 matches"
        page.fill("input[type=search]", "nowhere")
        page.keyboard.press("Enter")
        assert hits(page) == "nothing found"
        page.fill("input[type=search]", "")
        assert hits(page) == ""


def release_a_name_of_a_row_finds_all_that_is_in_it(pages):
    with pages.open(report(recording("rows", *switches(1000, 1000, 20)))) as page:
        ready(page)
        for name in ("two", "o"):
            page.fill("input[type=search]", name)
            total = int(hits(page).split()[0])
            numbers = []
            for _ in range(total + 1):
                page.keyboard.press("Enter")
                numbers.append(int(hits(page).split()[0]))
            assert sorted(numbers[:-1]) == list(range(1, total + 1)) and numbers[-1] == numbers[0], (name, total, numbers)
            assert total > 5


def release_n_and_p_go_to_each_of_what_is_at_one_time(pages):
    with pages.open(report(markers())) as page:
        ready(page)
        page.evaluate("{ const row = tbandTimeline.rows.find(it => it.group === 'Markers'); tbandTimeline.select({ row, lane: 0, index: null }); }")
        page.evaluate("tbandTimeline.scroller.focus()")
        all_of_it = page.evaluate("tbandTimeline.selection.row.lanes.reduce((sum, lane) => sum + lane.count, 0)")
        assert all_of_it == 10, all_of_it
        way = []
        for _ in range(all_of_it):
            page.keyboard.press("n")
            way.append(tuple(page.evaluate(SELECTED)))
        assert len(set(way)) == all_of_it, way
        back = []
        for _ in range(all_of_it - 1):
            page.keyboard.press("p")
            back.append(tuple(page.evaluate(SELECTED)))
        assert back == way[-2::-1], (way, back)


def test_the_tooltip_describes_the_item_under_the_pointer(pages):
    with pages.open(demo()) as page:
        ready(page)
        tip = page.locator(".tip")
        box = page.locator(".scroller").bounding_box()
        top = round(row_at(page, "core 0"))
        x, y = box["x"] + 700, box["y"] + top
        hit = f"tbandTimeline.hit(700 - 1, {top} - 1)"
        told = f"(() => {{ const {{ who, what, when }} = tbandTimeline.describe({hit}); return who + what + when; }})()"

        def is_right():
            drawn(page)
            if page.evaluate(f"(it => !it || it.index === null)({hit})"):
                assert not tip.is_visible(), tip.inner_text()
                return None
            assert tip.text_content() == page.evaluate(told), (tip.text_content(), page.evaluate(told))
            return tip.text_content()

        page.mouse.move(x, y)
        before = is_right()
        assert before
        seen = {before}
        page.locator(".scroller").focus()
        for key in ("+", "+", "+", "ArrowRight", "ArrowLeft", "ArrowLeft", "End", "Home", "0"):
            page.keyboard.press(key)
            seen.add(is_right())
        page.evaluate("tbandTimeline.scroller.scrollTop = 60")
        seen.add(is_right())
        assert len(seen) > 4, seen
        page.evaluate("tbandTimeline.scroller.scrollTop = 0")
        assert is_right() == before
        page.keyboard.press("Escape")
        drawn(page)
        assert not tip.is_visible()
        page.mouse.move(x + 1, y)
        assert tip.is_visible()
        page.mouse.move(x, 2)
        assert not tip.is_visible()


def test_keys_work_at_once(pages):
    with pages.open(demo()) as page:
        ready(page)
        before = view(page)
        for key in ("+", "ArrowRight", "ArrowLeft", "-"):
            page.keyboard.press(key)
            after = view(page)
            assert after != before, key
            before = after
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.type") == "search"
        page.keyboard.type("+0-")
        assert page.input_value("input[type=search]") == "+0-" and view(page) == before
        # A button of the timeline leaves them as they are.
        page.click("button[aria-label='Zoom in']")
        closer = view(page)
        page.keyboard.press("+")
        assert view(page)["perPixel"] < closer["perPixel"]
        page.keyboard.press("ArrowDown")
        assert page.evaluate("tbandTimeline.selection.row.index") == 0
        # Where a link leads there the keys are.
        page.locator("table a[href^='#t=']").first.click()
        drawn(page)
        row = page.evaluate("tbandTimeline.selection.row.index")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("tbandTimeline.selection.row.index") == row + 1


def test_keys_of_the_page_are_left_to_it(pages):
    with pages.open(demo()) as page:
        ready(page)
        page.keyboard.press("ArrowDown")
        until(page, "scrollY > 0")
        assert page.evaluate("tbandTimeline.selection === null")
        # The page scrolls smoothly: one that still scrolls for the key before may end there instead.
        for _ in range(100):
            page.keyboard.press("End")
            page.wait_for_timeout(100)
            if page.evaluate("scrollY + innerHeight > document.documentElement.scrollHeight - 5"):
                break
        else:
            raise AssertionError("the End key does not reach the end of the page")
        # It is not seen.
        before = view(page)
        page.keyboard.press("+")
        assert view(page) == before


def release_the_wheel_scrolls_and_with_a_modifier_zooms(pages):
    with pages.open(demo()) as page:
        ready(page)
        box, top = page.locator(".scroller").bounding_box(), row_at(page, "core 0")
        page.mouse.move(box["x"] + 700, box["y"] + top)
        before = view(page)
        page.mouse.wheel(0, 120)
        until(page, "tbandTimeline.scroller.scrollTop + scrollY > 0")
        assert view(page) == before
        # After the end of the rows the page scrolls.
        for _ in range(200):
            if page.evaluate("scrollY > 100"):
                break
            page.mouse.wheel(0, 400)
            page.wait_for_timeout(50)
        assert page.evaluate("scrollY > 100")
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(box["x"] + 700, box["y"] + top)
        for modifier in ("Control", "Meta"):
            before, at = view(page), page.evaluate("[scrollY, tbandTimeline.scroller.scrollTop]")
            page.keyboard.down(modifier)
            page.mouse.wheel(0, -400)
            until(page, f"tbandTimeline.view.perPixel < {before['perPixel']}")
            page.keyboard.up(modifier)
            closer = view(page)
            under = [it["from"] + (700 - it["left"]) * it["perPixel"] for it in (before, closer)]
            assert abs(under[0] - under[1]) <= 2 * before["perPixel"], under
            assert page.evaluate("[scrollY, tbandTimeline.scroller.scrollTop]") == at
        page.keyboard.down("Shift")
        page.mouse.wheel(0, 100)
        until(page, f"tbandTimeline.view.from > {closer['from']}")
        page.keyboard.up("Shift")
        assert abs(view(page)["perPixel"] - closer["perPixel"]) < 1e-6
        further = view(page)
        page.mouse.wheel(80, 0)
        until(page, f"tbandTimeline.view.from > {further['from']}")
        assert HELP in page.locator(".hint").first.inner_text()


def test_print_has_all_rows_and_lines(pages):
    many = recording("many", frame(RESOLUTION, 10), *(frame(TASK_NAME, it, b"task %d" % it) + frame(READY, 10 * it, it) + frame(SWITCHED_IN, 10 * it + 5, it) for it in range(1, 301)))
    for url in (demo(), report(many)):
        with pages.open(url, scheme="dark") as page:
            ready(page)
            page.evaluate("""() => {
              window.painted = [];
              const row = Pen.prototype.row;
              Pen.prototype.row = function (it, y, height) { painted.push([it.index, this.context.canvas, y, height]); return row.call(this, it, y, height); };
              addEventListener("beforeprint", () => {
                window.printed = {
                  rows: painted.filter(([, canvas, y, height]) => canvas.isConnected && canvas.closest(".paper") && y >= AXIS && (y + height) * canvas.width / 1000 <= canvas.height + 1).map(([index]) => index),
                  heights: [...document.querySelectorAll(".paper canvas")].map(it => it.height),
                  lines: [...document.querySelectorAll(".table tbody")].map(it => it.querySelectorAll("tr:not([hidden])").length),
                  closed: document.querySelectorAll("details:not([open])").length,
                  paper: getComputedStyle(document.documentElement).getPropertyValue("--paper"),
                  corner: [...document.querySelector(".paper canvas").getContext("2d").getImageData(2, 100, 1, 1).data].slice(0, 3),
                };
              });
            }""")
            lines = page.evaluate("[...document.querySelectorAll('.table tbody')].map(it => it.querySelectorAll('tr:not([hidden])').length)")
            made = page.pdf(format="A4")
            printed = page.evaluate("window.printed")
            rows = page.evaluate("tbandTimeline.rows.length")
            assert printed["rows"] == list(range(rows)), (rows, printed["rows"])
            assert max(printed["heights"]) < 3000
            assert printed["closed"] == 0
            assert printed["paper"] == "#fff" and min(printed["corner"]) > 200, printed
            wanted = page.evaluate(TASKS)
            assert wanted in printed["lines"], (wanted, printed["lines"])
            assert made.startswith(b"%PDF")
            # Then it is as it was.
            assert page.locator(".paper").count() == 0
            assert page.evaluate("[...document.querySelectorAll('.table tbody')].map(it => it.querySelectorAll('tr:not([hidden])').length)") == lines
            assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--scheme')") == "dark"
            page.emulate_media(media="print")
            fits(page)


@chromium_only
def test_without_scripts_there_are_all_tables(pages):
    shown = """() => [...document.querySelectorAll("table")].map(table => [
      table.caption.textContent,
      [...table.tBodies].flatMap(it => [...it.rows]).filter(it => !it.hidden).map(row => [...row.cells].map(it => it.textContent.trim()))])"""
    for url in (demo(), report(recording("few", *switches(1000, 1000, 5)))):
        with pages.open(url) as page:
            ready(page)
            page.evaluate("document.querySelectorAll('.table').forEach(it => it.dispatchEvent(new Event('whole')))")
            drawn_tables = dict(page.evaluate(shown))
            verdict = page.locator(".verdict").inner_text()
        with pages.open(url, java_script_enabled=False) as page:
            plain = dict(page.evaluate(shown))
            assert page.locator("canvas").count() == 0 and f": {verdict}" in page.locator("pre").inner_text()
            fits(page)
            numbers = 0
            for title, rows in drawn_tables.items():
                if title.startswith("Worst latencies"):
                    continue
                for number, row in enumerate(rows):
                    for cell in row:
                        # A series is a picture there, and the load is a separate table here.
                        if re.search(r"\d", cell) and ": " not in cell:
                            cell = ungrouped(cell)
                            assert any(cell == ungrouped(it) for it in plain[title][number]) or cell == "0" and "-" in plain[title][number], (title, row, plain[title][number])
                            numbers += 1
            assert numbers > (300 if url == demo() else 3), numbers


def release_the_narrowest_screen_is_wide_enough(pages):
    for width in (320,):
        with pages.open(demo(), width=width) as page:
            ready(page)
            fits(page)
            # There is room for the picture.
            assert page.evaluate("tbandTimeline.view.width") > width / 2, page.evaluate("tbandTimeline.view.width")
            for part in page.locator(".toolbar > :not(.space), .details, .hint, .bars dd, figure").all():
                box = part.bounding_box()
                assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width), (part.inner_text(), box)
            # And for a time at least, at any zoom.
            page.evaluate("window.words = []; { const own = CanvasRenderingContext2D.prototype.fillText; CanvasRenderingContext2D.prototype.fillText = function (text, ...more) { if (more[1] < AXIS && more[0] < tbandTimeline.width - 20) words.push(text); return own.call(this, text, ...more); }; } 0")
            for factor in range(1, 40):
                page.evaluate(f"words = []; tbandTimeline.show(0, tbandTimeline.picture.length / {1.3 ** factor}); tbandTimeline.paint()")
                assert any(re.fullmatch(r"[\d.\u202f]+ ms", it) for it in page.evaluate("words")), (factor, page.evaluate("words"))


main(globals())
