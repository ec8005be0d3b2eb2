"""Two recordings beside each other: times that go together, differences, tables; in a report and in the web page."""

import json
import os
import re

from driver import FOLDER, OTHER_WAYS, ROOT, WAYS, accessible, chromium_only, cli, fits, main, stats_of, until
from frames import BEGIN, END, MARKER_NAME, RESOLUTION, SWITCHED_IN, TASK_NAME, frame, recording

PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
BEFORE = ROOT / "web" / "examples" / "sensor-pipeline.bin"
AFTER = ROOT / "web" / "examples" / "sensor-pipeline-mended.bin"
# In tenths of a ns.
VIEWS = "tbandPair.timelines.map(({ view }) => [view.from, view.from + view.perPixel * view.width].map((it) => Math.round(it * 10) / 10))"


def pair(name, one, other, *more):
    path = FOLDER / f"{name}.html"
    if not path.exists():
        cli("report", "-q", "-o", path, one, *[part for it in (other, *more) for part in ("--compare", it)])
    return f"file://{path}"


def both():
    return pair("both", BEFORE, AFTER)


def ready(page):
    until(page, "globalThis.tbandPair && tbandPair.timelines.every((it) => it.operations > 0)")


def drawn(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def spans(name, start, lengths):
    """A task with a marker whose spans are that long, one each 1000 ns from `start` on."""
    out = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(MARKER_NAME, 1, b"m"), frame(SWITCHED_IN, start, 1)]
    for number, length in enumerate(lengths):
        out += [frame(BEGIN, start + 1000 * (number + 1), 1, b"span"), frame(END, start + 1000 * (number + 1) + length, 1)]
    return recording(name, *out, frame(SWITCHED_IN, start + 1000 * (len(lengths) + 1), 1))


def small():
    return pair("small", spans("small-one", 5000, [100, 200, 300]), spans("small-other", 20_000, [100, 200, 700, 100, 100]))


def test_each_has_its_own_numbers(pages):
    stats = [stats_of(it) for it in (BEFORE, AFTER)]
    with pages.open(both()) as page:
        ready(page)
        assert page.locator("h1").inner_text() == f"A: {BEFORE}, B: {AFTER}"
        summaries = page.locator(".summary").all_inner_texts()
        for it, summary in zip(stats, summaries, strict=True):
            assert f"{it['recording']['events']} events" in summary, summary
        for suffix, it in zip(("", "-2"), stats):
            cells = page.evaluate("(id) => [...document.getElementById(id).querySelectorAll('tr')].map(row => [row.querySelector('th')?.textContent, row.querySelector('[data-cell$=\"/switches\"]')?.textContent])", f"table-tasks{suffix}")
            shown = {name: switches for name, switches in cells if switches}
            assert shown == {task["name"]: str(task["switches"]) for task in it["tasks"]}, shown
        captions = page.locator("#table-tasks caption, #table-tasks-2 caption").all_inner_texts()
        assert {it.split(":")[0] for it in captions} == {"A", "B"}
        # What A has and B has not.
        assert page.locator(".highlights strong").all_inner_texts().count("priority inversion") == 1
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(it => it.id)")
        assert len(ids) == len(set(ids)), ids


def test_the_comparison_is_that_of_diff(pages):
    with pages.open(both()) as page:
        ready(page)
        section = page.get_by_role("region", name="Comparison", exact=True)
        rows = section.locator("tbody tr").evaluate_all("rows => rows.map(row => [...row.children].map(it => it.textContent))")
        text = cli("diff", BEFORE, AFTER).stdout.decode()
        assert section.locator("p").first.inner_text() == text.splitlines()[-1]
        assert len(rows) > 10 and all(part in text for row in rows for part in row), (rows, text)
        lines = section.locator("li").all_inner_texts()
        assert lines and all(line in text.splitlines() for line in lines), lines


def test_they_are_moved_and_zoomed_together(pages):
    with pages.open(small()) as page:
        ready(page)
        # One is 4000 ns long, the other 6000: both axes have the longer.
        assert page.evaluate(VIEWS) == [[0, 6000], [0, 6000]]
        assert page.evaluate("tbandPair.timelines.map(it => it.view.left + ' ' + it.view.width)[0] === tbandPair.timelines.map(it => it.view.left + ' ' + it.view.width)[1]")
        for act in ("timelines[0].zoom(0.5)", "timelines[1].pan(60)", "timelines[1].show(2000, 3000)", "timelines[0].show(5500, 6000)", "timelines[1].setNames(240)", "timelines[0].fit()"):
            page.evaluate(f"tbandPair.{act}")
            one, other = page.evaluate(VIEWS)
            assert all(abs(a - b) < 1e-6 for a, b in zip(one, other)), (act, one, other)
            assert len(set(page.evaluate("tbandPair.timelines.map(it => it.view.left)"))) == 1, act
        # Times are counted from where the axis begins; after the shorter one there is nothing.
        drawn(page)
        page.evaluate("window.words = []; { const own = CanvasRenderingContext2D.prototype.fillText; CanvasRenderingContext2D.prototype.fillText = function (text, ...more) { if (more[1] < AXIS) words.push(text); return own.call(this, text, ...more); }; } tbandPair.timelines.forEach(it => it.paint())")
        words = page.evaluate("words")
        assert words[: len(words) // 2] == words[len(words) // 2 :] and "+0.002 ms" in words, words
        seen = page.evaluate("""[3900, 4200, 5900].map(time => {
          const t = tbandPair.timelines[0], x = Math.round(t.view.left + (time - t.view.from) / t.view.perPixel);
          return [...t.canvas.getContext("2d").getImageData(x * t.scale, (t.height - 4) * t.scale, 1, 1).data].join();
        })""")
        assert seen[0] != seen[1] and seen[1] == seen[2], seen
        # By the clock: the one is from 5000 to 9000, the other from 20000 to 26000.
        page.select_option(".pair-bar select", "clock")
        assert page.evaluate(VIEWS) == [[0, 21_000], [-15_000, 6000]]
        page.evaluate("tbandPair.timelines[1].show(0, 1000)")
        assert page.evaluate(VIEWS) == [[15_000, 16_000], [0, 1000]]
        # Each timeline alone.
        page.select_option(".pair-bar select", "own")
        assert page.evaluate(VIEWS) == [[0, 4000], [0, 6000]]
        page.evaluate("tbandPair.timelines[1].show(0, 1000)")
        assert page.evaluate(VIEWS) == [[0, 4000], [0, 1000]]


def test_what_is_selected_is_put_one_above_the_other(pages):
    with pages.open(small()) as page:
        ready(page)
        button = page.get_by_role("button", name="Align the selection")
        assert button.is_disabled()
        page.evaluate("""tbandPair.timelines.forEach((t, index) => {
          const row = t.rows.find(it => it.group === "Markers"), lane = row.lanes.findIndex(it => it.kind === "slices");
          t.select({ row, lane, index: 1 + index });
        })""")
        page.evaluate("tbandPair.timelines[0].show(1000, 2000)")
        button.click()
        # The second span of one begins at 2000, the third of the other at 3000.
        (one, _), (other, end) = page.evaluate(VIEWS)
        assert other - one == 1000 and round(end - other) == 1000, page.evaluate(VIEWS)
        assert one <= 2000 <= one + 1000
        page.locator(".scroller").first.focus()
        page.keyboard.press("0")
        assert page.evaluate(VIEWS) == [[-1000, 5000], [0, 6000]]


def release_a_part_is_marked_in_both(pages):
    with pages.open(small()) as page:
        ready(page)
        page.evaluate("tbandPair.timelines[1].mark([1000, 2500])")
        assert page.evaluate("tbandPair.timelines.map(it => it.range)") == [[1000, 2500], [1000, 2500]]
        assert page.locator(".marked caption").first.inner_text() == "A: Marked: 1.500 µs"
        accessible(page)
        page.keyboard.press("Escape")
        assert page.evaluate("tbandPair.timelines.map(it => it.range)") == [None, None]


def release_keys_are_for_one_of_them(pages):
    with pages.open(small()) as page:
        ready(page)
        before = page.evaluate(VIEWS)[0]
        page.keyboard.press("+")
        one, other = page.evaluate(VIEWS)
        # Once, not once for each.
        assert one == other and abs((one[1] - one[0]) * 2 - (before[1] - before[0])) < 1e-6, (before, one)
        page.locator(".scroller").nth(1).focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("tbandPair.timelines.map(it => it.selection?.row.name ?? null)")[0] is None
        page.keyboard.press("-")
        assert page.evaluate(VIEWS) == [before, before]


def release_rows_are_filtered_and_sorted_in_both(pages):
    with pages.open(both()) as page:
        ready(page)
        page.locator(".filter").nth(1).fill("logger")
        page.locator("select[aria-label='Sort rows']").first.select_option("name")
        shown = page.evaluate("tbandPair.timelines.map(t => t.layout.items.filter(it => it.row).map(it => it.row.name))")
        # The mended one has a mutex, and so the priority that the logger inherits.
        stack = "unused stack of logger"
        assert shown == [["logger", stack], ["logger", "priority of logger", stack]], shown
        assert page.evaluate("[...document.querySelectorAll('.filter')].map(it => it.value)") == ["logger"] * 2
        assert page.evaluate("tbandPair.timelines.map(it => it.list.sort)") == ["name"] * 2


def release_a_link_leads_into_its_timeline(pages):
    with pages.open(both()) as page:
        ready(page)
        page.locator("#table-tasks-2 a[href^='#t=']").first.click()
        drawn(page)
        one, other = page.evaluate("tbandPair.timelines.map(it => it.selection?.row.name ?? null)")
        assert one is None and other is not None
        page.locator("#table-tasks a[href^='#t=']").first.click()
        drawn(page)
        assert page.evaluate("tbandPair.timelines[0].selection !== null")
        # It can be passed on.
        url, view = page.url, page.evaluate(VIEWS)
    with pages.open(url) as page:
        ready(page)
        assert page.evaluate("tbandPair.timelines[0].selection !== null")
        now = page.evaluate(VIEWS)
        assert all(abs(a - b) < 1 for one, other in zip(view, now) for a, b in zip(one, other)), (view, now)


def test_what_is_different_is_named(pages):
    with pages.open(small()) as page:
        ready(page)
        rows = page.evaluate("[...document.querySelectorAll('section[aria-label=\"Differences\"] tbody tr')].map(it => [...it.cells].map(cell => cell.textContent))")
        assert ["Spans", "m", "300 ns", "700 ns", "200 ns", "100 ns", "+400 ns, +133 %"] in rows, rows
        # Equal figures are not listed.
        assert not any(row[2] == row[3] for row in rows if len(row) == 5), rows
    with pages.open(both()) as page:
        ready(page)
        stats = [stats_of(it) for it in (BEFORE, AFTER)]
        runs = [next(it for it in stat["tasks"] if it["name"] == "radio")["cpu_share"] * 100 for stat in stats]
        row = page.locator("section[aria-label='Differences'] tr", has=page.locator("td", has_text="radio")).filter(has_text="Tasks: CPU").first
        cells = row.locator("td, th").all_inner_texts()
        assert [round(it, 2) for it in runs] == [float(it.split()[0]) for it in cells[2:4]], (runs, cells)
        assert any("only in A" in it for it in page.locator(".change").all_inner_texts())


def release_nothing_is_different_of_the_same(pages):
    with pages.open(pair("same", BEFORE, BEFORE)) as page:
        ready(page)
        assert page.locator("section[aria-label='Differences'] table").count() == 0
        assert "Nothing" in page.locator("section[aria-label='Differences']").inner_text()


def release_everybody_can_use_it(pages):
    with pages.open(both(), width=3840) as page:
        ready(page)
        fits(page)
    for width, scheme in WAYS + OTHER_WAYS:
        with pages.open(both(), scheme=scheme, width=width) as page:
            ready(page)
            fits(page)
            accessible(page)


@chromium_only
def test_without_a_script_there_are_the_tables_of_both(pages):
    with pages.open(both(), java_script_enabled=False) as page:
        assert page.locator("h1").all_inner_texts() == [str(BEFORE), str(AFTER)]
        assert page.locator("caption", has_text="Tasks").count() >= 2


def release_files_of_several_cores_are_one_of_them(pages):
    cores = [f"{ROOT}/web/examples/two-cores.core{core}.bin@{core}" for core in (0, 1)]
    with pages.open(pair("cores", BEFORE, *cores)) as page:
        ready(page)
        assert "2 cores with events" in page.locator(".summary").nth(1).inner_text()


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def release_the_web_page_compares_what_is_chosen(pages):
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.set_input_files("#choose", str(BEFORE))
        idle(page)
        # The window in which files are chosen is not for each browser's driver.
        page.evaluate("""() => {
            document.querySelector('#choose-other').onclick = (event) => { event.preventDefault(); globalThis.asks = true; };
        }""")
        page.get_by_role("button", name="Compare with").click()
        until(page, "globalThis.asks")
        page.set_input_files("#choose-other", str(AFTER))
        until(page, "globalThis.tbandPair && tbandPair.timelines.every((it) => it.operations > 0)")
        idle(page)
        assert page.locator("#found span").all_inner_texts()[1].startswith("B: whole: ")
        assert "compared" in page.locator("#files li").nth(1).inner_text()
        assert page.locator("#messages li").count() == 0
        accessible(page)
        fits(page)
        # Without the first the other is a recording as any.
        page.locator("#files button").first.click()
        idle(page)
        assert "compared" not in page.locator("#files").inner_text() and page.locator("#found span").count() == 1
        page.click("#show")
        until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
        assert page.evaluate("tbandPair") is None


@chromium_only
def release_what_is_saved_of_two_is_what_the_command_line_makes(pages):
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.set_input_files("#choose", str(BEFORE))
        idle(page)
        page.set_input_files("#choose-other", str(AFTER))
        until(page, "globalThis.tbandPair")
        idle(page)
        page.select_option("#save-as", "report")
        with page.expect_download() as download:
            page.click("#save")
        made = open(download.value.path(), "rb").read()
        wanted = cli("report", "-m", "auto", "-o", "-", BEFORE.name, "--compare", AFTER.name, cwd=BEFORE.parent).stdout
        # The comparison of the figures needs SQL, which the web page does not have.
        without, count = re.subn(rb'<noscript>\n<pre>.*?</pre>\n|<script type="text/plain" id="compared">.*?\n', lambda it: b"<noscript>\n" if it[0].startswith(b"<nos") else b"", wanted, flags=re.DOTALL)
        assert count == 2 and made == without
        # Every other format contains the first recording only.
        page.select_option("#save-as", "stats-json")
        with page.expect_download() as download:
            page.click("#save")
        assert json.loads(open(download.value.path(), "rb").read()) == json.loads(cli("stats", "-m", "auto", "--json", BEFORE.name, cwd=BEFORE.parent).stdout)


def release_a_long_recording_is_read_again_in_its_own_timeline(pages):
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.evaluate("state.maxSlices = '300'; 0")
        page.set_input_files("#choose", str(BEFORE))
        idle(page)
        page.set_input_files("#choose-other", str(AFTER))
        until(page, "globalThis.tbandPair && tbandPair.timelines.every((it) => it.operations > 0)")
        count = "tbandPair.timelines.map(t => t.rows.reduce((sum, row) => sum + row.lanes.reduce((all, lane) => all + lane.count, 0), 0))"
        before = page.evaluate(count)
        page.evaluate("tbandPair.timelines[0].show(1e8, 1.1e8)")
        until(page, f"({count}).every((it, index) => it > [{','.join(map(str, before))}][index])")
        idle(page)


main(globals())
