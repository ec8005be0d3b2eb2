"""What one works with in the timeline: marked parts, wakes, rows as one wants them, results of a search, keys, fingers."""

import re

from driver import DEMO, FOLDER, accessible, chromium_only, cli, fits, main, row_at, stats_of, until
from frames import BEGIN, BLOCK_ON_RECEIVE, CREATED, DELETED, END, INSTANT, MARKER_NAME, READY, RESOLUTION, SEND, SWITCHED_IN, TASK_NAME, frame, recording, report


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def drawn(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def demo():
    path = FOLDER / "tools.html"
    if not path.exists():
        cli("report", "-q", "-o", path, DEMO)
    return f"file://{path}"


def names(page):
    """Rows, families and headings from the top, as they are shown."""
    return page.evaluate("tbandTimeline.layout.items.map(it => it.heading ?? it.row?.name ?? `${it.family.name} x${it.family.rows.length}`)")


def turns(count, step=1000):
    """Tasks 1 and 2 in turn, from 1000 ns on; the second waits for the first, which makes it ready."""
    out = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(TASK_NAME, 2, b"two")]
    for turn in range(count):
        at = 1000 + 2 * turn * step
        out += [frame(SWITCHED_IN, at, 1), frame(SEND, at + step // 2 - 1, 1, 1), frame(READY, at + step // 2, 2), frame(SWITCHED_IN, at + step, 2), frame(BLOCK_ON_RECEIVE, at + 2 * step - 10, 1, 100)]
    return recording("turns", *out, frame(SWITCHED_IN, 1000 + 2 * count * step, 1))


def victims(count):
    """One task that stays, and many of one name and a number that end, each with a marker of its own."""
    out = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"main"), frame(SWITCHED_IN, 100, 1)]
    for number in range(count):
        at, task = 1000 * (number + 1), 10 + number
        out += [frame(CREATED, at, task), frame(TASK_NAME, task, b"victim-%03d" % number), frame(READY, at + 1, task), frame(SWITCHED_IN, at + 10, task), frame(SWITCHED_IN, at + 500, 1), frame(DELETED, at + 600, task)]
    return recording(f"victims{count}", *out, frame(SWITCHED_IN, 1000 * (count + 2), 1))


def test_a_marked_part_reports_its_content(pages):
    with pages.open(report(turns(20))) as page:
        ready(page)
        page.evaluate("tbandTimeline.show(0, 20000)")
        drawn(page)
        box, y = page.locator(".scroller").bounding_box(), row_at(page, "core 0")
        at = lambda time: box["x"] + 1 + page.evaluate("(time) => { const { left, from, perPixel } = tbandTimeline.view; return left + (time - from) / perPixel; }", time)
        # Near the edges of slices it is from edge to edge.
        page.keyboard.down("Shift")
        page.mouse.move(at(2000) + 3, box["y"] + y)
        page.mouse.down()
        page.mouse.move(at(5000), box["y"] + y)
        page.mouse.move(at(7000) - 3, box["y"] + y)
        page.mouse.up()
        page.keyboard.up("Shift")
        assert page.evaluate("tbandTimeline.range") == [2000, 7000]
        told = page.locator(".marked").inner_text()
        assert "Marked: 5.000 µs" in told, told
        lines = {row.locator("th").inner_text().strip(): row.locator("td").all_inner_texts() for row in page.locator(".marked tbody tr").all()}
        # From 2 to 7 us: one runs for 2, 2 to 3 and 4 to 5 and 6 to 7 or the other way round.
        runs = page.evaluate("""['one', 'two'].map(name => {
          const lane = tbandTimeline.rows.find(it => it.kind === 'task' && it.name === name).lanes[0];
          let sum = 0;
          for (let i = 0; i < lane.count; i++) if (tbandTimeline.picture.texts[lane.value[i]][0] === 'running') sum += Math.max(0, Math.min(7000, lane.end[i]) - Math.max(2000, lane.start[i]));
          return sum;
        })""")
        assert sorted(runs) == [2000, 3000], runs
        for name, ns in zip(("one", "two"), runs):
            assert lines[name][:2] == [f"{ns / 50:.1f} %", f"{ns / 1000:.3f} µs"], (name, lines)
        assert lines["load of core 0"] == ["no known idle task"] and lines["task switches"] == ["5"], lines
        accessible(page)
        # Escape removes the mark and keeps the selection.
        page.keyboard.press("ArrowDown")
        page.keyboard.press("n")
        page.keyboard.press("m")
        assert page.evaluate("(t => t.range[1] - t.range[0])(tbandTimeline)") == 1000
        page.keyboard.press("z")
        assert page.evaluate("Math.round(tbandTimeline.view.width * tbandTimeline.view.perPixel)") == 1000
        page.keyboard.press("Escape")
        assert page.evaluate("[tbandTimeline.range, tbandTimeline.selection !== null]") == [None, True] and not page.locator(".marked").is_visible()


def release_what_is_selected_is_read_beside_what_was_marked(pages):
    with pages.open(demo()) as page:
        ready(page)
        page.evaluate("""() => {
          const t = tbandTimeline, row = t.rows.find(it => it.kind === "task" && it.name === "mid"), lane = row.lanes[0];
          const wait = Array.from({ length: lane.count }, (_, i) => i).find(i => /mutex bus/.test(t.picture.texts[lane.value[i]][1]));
          t.select({ row, lane: 0, index: wait, at: [lane.start[wait], lane.end[wait]] });
          t.show(lane.start[wait], lane.end[wait]);
          t.markSelected();
        }""")
        until(page, "!document.querySelector('.marked').hidden")
        for width in (1280, 950):
            page.set_viewport_size({"width": width, "height": 560})
            parts = page.evaluate("[...document.querySelectorAll('.panel > *')].map(it => [it.className, it.scrollHeight, it.clientHeight])")
            assert page.evaluate("(it => it.scrollHeight > it.clientHeight)(document.querySelector('.panel'))"), parts
            assert all(inner <= outer for _, inner, outer in parts), parts


def test_it_is_measured_from_a_click_to_the_next(pages):
    with pages.open(report(turns(20))) as page:
        ready(page)
        page.evaluate("tbandTimeline.show(0, 20000)")
        drawn(page)
        box, y = page.locator(".scroller").bounding_box(), row_at(page, "core 0")
        at = lambda time: box["x"] + 1 + page.evaluate("(time) => { const { left, from, perPixel } = tbandTimeline.view; return left + (time - from) / perPixel; }", time)
        page.mouse.click(at(9000) - 2, box["y"] + y)
        page.keyboard.down("Shift")
        page.mouse.click(at(3000) + 2, box["y"] + y)
        page.keyboard.up("Shift")
        assert page.evaluate("tbandTimeline.range") == [3000, 9000]
        # Along the times it is marked without a key.
        page.mouse.move(at(1000), box["y"] + 18)
        page.mouse.down()
        page.mouse.move(at(4000), box["y"] + 18)
        page.mouse.up()
        low, high = page.evaluate("tbandTimeline.range")
        assert abs(low - 1000) < 60 and abs(high - 4000) < 60, (low, high)


def test_statistics_of_all_of_it_are_those_of_the_tables(pages):
    stats = stats_of(DEMO)
    with pages.open(demo()) as page:
        ready(page)
        found = page.evaluate("(({ tasks, interrupts, switches }) => ({ tasks: tasks.map(it => [it.row.id, it.runs]), count: interrupts[0].count, switches }))(statisticsOf(tbandTimeline.rows, 0, tbandTimeline.picture.length))")
        runs = dict(found["tasks"])
        for task in stats["tasks"]:
            assert runs.get(task["id"], 0) == task["run_ns"], task["name"]
        assert found["count"] == sum(it["count"] for it in stats["interrupts"])
        assert found["switches"] == stats["cores"][0]["switches"]
        load = page.evaluate("loadOf(tbandTimeline.load.cores, 0, tbandTimeline.picture.length)")
        core = stats["cores"][0]
        assert (load["known"], load["busy"], load["isExact"]) == (core["known_ns"], core["known_ns"] - core["idle_ns"], True), (load, core)


def release_the_load_is_drawn_in_the_colours_of_the_tasks(pages):
    with pages.open(report(turns(3, 100_000))) as page:
        ready(page)
        seen = page.evaluate("""() => {
          const t = tbandTimeline, pen = t.canvas.getContext("2d"), probe = new OffscreenCanvas(1, 1).getContext("2d");
          const numbers = (colour) => { probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)]; };
          const core = t.rows.find(it => it.kind === "core").lanes[0], out = [];
          // The last one is shorter than a step.
          for (let i = 0; i < core.count - 1; i++) {
            const x = t.view.left + ((core.start[i] + core.end[i]) / 2 - t.view.from) / t.view.perPixel;
            const name = t.picture.texts[core.value[i]][1], row = t.rows.find(it => it.kind === "task" && it.name === name);
            out.push([[...pen.getImageData(x * t.scale, (AXIS + t.load.height / 2) * t.scale, 1, 1).data.slice(0, 3)], numbers(t.colours.ofRow(row))]);
          }
          return out;
        }""")
        assert len(seen) >= 6
        for shown, wanted in seen:
            assert all(abs(a - b) <= 3 for a, b in zip(shown, wanted)), (shown, wanted)


def test_wakes_lead_from_one_to_the_other(pages):
    with pages.open(report(turns(10))) as page:
        ready(page)
        page.evaluate("(t => t.select({ row: t.rows.find(it => it.kind === 'task' && it.name === 'two'), lane: 0, index: null }))(tbandTimeline)")
        # The second slice that runs was ready before, made so by the other one.
        for _ in range(20):
            page.keyboard.press("n")
            if "runs" in page.locator(".details").inner_text() and page.locator(".actions", has_text="Made ready by").count():
                break
        page.locator(".panel .actions p", has_text="Made ready by").locator("button").click()
        selected = page.evaluate("(({ row, index, lane }) => [row.name, row.lanes[lane].start[index], row.lanes[lane].end[index]])(tbandTimeline.selection)")
        assert selected[0] == "one" and selected[2] - selected[1] == 1000, selected
        # And back.
        back = page.locator(".panel .actions p", has_text="Made ready:").locator("button").first
        assert back.inner_text() == "two"
        back.click()
        assert page.evaluate("(({ row, index }) => [row.name, row.lanes[0].start[index]])(tbandTimeline.selection)") == ["two", selected[1] + 500]
        # All that are seen are drawn.
        page.evaluate("tbandTimeline.select(null); tbandTimeline.paint()")
        before = page.evaluate("tbandTimeline.operations")
        page.keyboard.press("r")
        page.evaluate("tbandTimeline.paint()")
        wakes = page.evaluate("(() => { let count = 0; eachWake(tbandTimeline.picture, tbandTimeline.rows, [0, tbandTimeline.picture.length], () => { count += 1; }); return count; })()")
        assert wakes >= 8 and page.evaluate("tbandTimeline.operations") == before + 2 * wakes, (before, wakes)
        assert page.locator("button", has_text="Wakes").get_attribute("aria-pressed") == "true"


def test_rows_are_filtered_sorted_pinned_and_collapsed(pages):
    with pages.open(demo()) as page:
        ready(page)
        plain = names(page)
        page.fill("input.filter", "driver")
        assert names(page) == ["Tasks", "driver", "Markers", "served of driver"], names(page)
        page.fill("input.filter", "")
        assert names(page) == plain
        page.select_option("select[aria-label='Sort rows']", "name")
        tasks = page.evaluate("tbandTimeline.layout.items.filter(it => it.row?.kind === 'task').map(it => it.row.name)")
        assert tasks == sorted(tasks, key=str.lower) and len(tasks) == 20
        page.select_option("select[aria-label='Sort rows']", "priority")
        first = page.evaluate("tbandTimeline.layout.items.find(it => it.row?.kind === 'task').row.name")
        highest = max(stats_of(DEMO)["tasks"], key=lambda it: it["priority"] or 0)
        assert first == highest["name"]
        page.select_option("select[aria-label='Sort rows']", "time")
        assert names(page) == plain
        # A click on the heading, and one on the star beside a name.
        box = page.locator(".scroller").bounding_box()
        page.mouse.click(box["x"] + 30, box["y"] + 1 + page.evaluate("tbandTimeline.top + 5"))
        assert names(page) == [plain[0], *plain[3:]]
        page.mouse.click(box["x"] + 30, box["y"] + 1 + page.evaluate("tbandTimeline.top + 5"))
        page.mouse.click(box["x"] + 1 + page.evaluate("tbandTimeline.view.left - 10"), box["y"] + 1 + row_at(page, "driver"))
        assert "driver" not in names(page)
        drawn(page)
        top = row_at(page, "driver")
        page.evaluate("tbandTimeline.scroller.scrollTop = 400")
        drawn(page)
        assert row_at(page, "driver") == top and page.evaluate(f"tbandTimeline.hit(10, {top}).row.name") == "driver"
        # By keys, too: the key unpins the selected row.
        page.mouse.click(box["x"] + 30, box["y"] + 1 + top)
        page.keyboard.press("k")
        assert names(page) == plain
        page.keyboard.press("c")
        assert "driver" not in names(page)
        # A search opens what it leads to.
        page.fill("input.filter", "nothing")
        page.fill("input[type=search]", "driver")
        assert "driver" in names(page) and page.input_value("input.filter") == ""


def release_like_named_tasks_that_end_are_one_row_which_opens(pages):
    with pages.open(report(victims(20))) as page:
        ready(page)
        assert names(page) == ["Cores", "core 0", "Tasks", "main", "victim x20"], names(page)
        # All of them are in it.
        page.evaluate("tbandTimeline.show(5000, 6000)")
        y = page.evaluate("(it => it.y + it.height / 2 + tbandTimeline.top)(tbandTimeline.layout.items.at(-1))")
        hit = page.evaluate(f"(it => it && it.row.name)(tbandTimeline.hit(tbandTimeline.view.left + tbandTimeline.view.width * 0.2, {y}))")
        assert re.fullmatch(r"victim-\d+", hit), hit
        box = page.locator(".scroller").bounding_box()
        page.mouse.click(box["x"] + 30, box["y"] + 1 + y)
        assert len(names(page)) == 25, names(page)
        page.mouse.click(box["x"] + 30, box["y"] + 1 + page.evaluate("(it => it.y + 5 + tbandTimeline.top)(tbandTimeline.layout.items.find(it => it.family))"))
        assert len(names(page)) == 5
        page.fill("input[type=search]", "victim-007")
        assert page.evaluate("tbandTimeline.layout.places.get(tbandTimeline.selection.row).row?.name") == "victim-007"
    # Two are none, and those that stay are none.
    with pages.open(report(victims(2))) as page:
        ready(page)
        assert names(page)[-1].startswith("victim-00"), names(page)


def release_a_hundred_tasks_can_be_worked_with(pages):
    tasks = [frame(TASK_NAME, it, b"worker %d" % it) + frame(READY, 10 * it, it) + frame(SWITCHED_IN, 10 * it + 5, it) for it in range(1, 121)]
    with pages.open(report(recording("hundred", frame(RESOLUTION, 10), *tasks))) as page:
        ready(page)
        page.locator(".scroller").focus()
        for _ in range(80):
            page.keyboard.press("ArrowDown")
        drawn(page)
        name = page.evaluate("tbandTimeline.selection.row.name")
        assert row_at(page, name) is not None
        page.fill("input.filter", "worker 7")
        assert len([it for it in names(page) if it.startswith("worker 7")]) == 11
        operations = page.evaluate("(() => { tbandTimeline.paint(); return tbandTimeline.operations; })()")
        assert operations < 20_000, operations


def test_results_of_a_search_are_listed(pages):
    frames = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(MARKER_NAME, 1, b"m")]
    for at in range(100, 13_100, 100):
        frames += [frame(BEGIN, at, 1, b"wanted"), frame(END, at + 10, 1)]
    frames += [frame(INSTANT, 20_000, 1, b"rare <b>one</b>")]
    with pages.open(report(recording("found", *frames))) as page:
        ready(page)
        page.fill("input[type=search]", "wanted")
        items = page.locator(".results li")
        assert items.count() == 50 and page.locator(".hits").inner_text() == "130 matches"
        items.nth(4).locator("button").click()
        assert page.evaluate("(({ row, lane, index }) => row.lanes[lane].start[index])(tbandTimeline.selection)") == 400
        assert page.locator(".hits").inner_text() == "5 of 130 matches"
        page.locator(".results .more").click()
        assert items.count() == 100
        page.fill("input[type=search]", "rare")
        assert items.count() == 1 and "rare <b>one</b>" in items.inner_text()
        accessible(page)
        page.fill("input[type=search]", "")
        assert not page.locator(".results").is_visible()


def release_a_sheet_lists_the_keys(pages):
    with pages.open(demo()) as page:
        ready(page)
        page.keyboard.press("?")
        sheet = page.locator("dialog.keys")
        assert sheet.is_visible()
        shown = sheet.locator("kbd").all_inner_texts()
        assert len(shown) == page.evaluate("Object.keys(ACTIONS).length") and len(shown) > 20
        accessible(page)
        before = page.evaluate("tbandTimeline.view.perPixel")
        page.keyboard.press("+")
        assert page.evaluate("tbandTimeline.view.perPixel") == before
        page.keyboard.press("Escape")
        assert not sheet.is_visible()
        page.keyboard.press("+")
        assert page.evaluate("tbandTimeline.view.perPixel") < before


def release_names_are_as_wide_as_one_wants(pages):
    with pages.open(demo()) as page:
        ready(page)
        box = page.locator(".scroller").bounding_box()
        length = page.evaluate("tbandTimeline.view.width * tbandTimeline.view.perPixel")
        page.mouse.move(box["x"] + 1 + page.evaluate("tbandTimeline.view.left"), box["y"] + 300)
        page.mouse.down()
        page.mouse.move(box["x"] + 301, box["y"] + 300)
        page.mouse.up()
        # Firefox moves the mouse by whole pixels.
        left = page.evaluate("tbandTimeline.view.left")
        assert abs(left - 300) <= 1, left
        assert abs(page.evaluate("tbandTimeline.view.width * tbandTimeline.view.perPixel") - length) < 2
        page.locator(".scroller").press(",")
        assert page.evaluate("tbandTimeline.view.left") == left - 20


def release_names_that_differ_at_the_end_do_so_where_there_is_no_room(pages):
    names = [b"a-task-of-a-long-name-%03d" % number for number in range(1, 9)]
    out = [frame(TASK_NAME, number + 1, name) + frame(SWITCHED_IN, 1000 * (number + 1), number + 1) for number, name in enumerate(names)]
    with pages.open(report(recording("alike", frame(RESOLUTION, 1), *out, frame(SWITCHED_IN, 20_000, 1))), width=320) as page:
        ready(page)
        words = page.evaluate("""(() => {
          const words = [], own = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (text, x, ...more) { if (x < tbandTimeline.view.left - 20) words.push(text); return own.call(this, text, x, ...more); };
          tbandTimeline.paint();
          return words;
        })()""")
        alike = [it for it in words if it.startswith("a-ta")]
        assert len(alike) == len(names) == len(set(alike)) and all("…" in it for it in alike), words


def test_details_are_beside_the_rows_and_all_fits(pages):
    for width in (320, 700, 1280, 3840):
        with pages.open(demo(), width=width) as page:
            ready(page)
            fits(page)
            panel, rows = page.locator(".panel").bounding_box(), page.locator(".scroller").bounding_box()
            if width > 900:
                assert panel["x"] >= rows["x"] + rows["width"] and abs(panel["y"] - rows["y"]) < 2 and panel["y"] + panel["height"] <= 900, (panel, rows)
                assert rows["width"] > width * 0.6
            else:
                assert panel["y"] - rows["y"] - rows["height"] < 20, (panel, rows)


@chromium_only
def test_fingers_pan_and_zoom(pages):
    with pages.open(demo(), width=400, has_touch=True) as page:
        ready(page)
        page.evaluate("tbandTimeline.show(20e6, 60e6)")
        drawn(page)
        page.locator(".scroller").scroll_into_view_if_needed()
        box, session = page.locator(".scroller").bounding_box(), page.context.new_cdp_session(page)
        y = box["y"] + page.evaluate("tbandTimeline.top") + 60

        def touch(kind, *points):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": box["x"] + x, "y": y, "id": number} for number, x in enumerate(points)]})

        before = page.evaluate("({...tbandTimeline.view})")
        touch("touchStart", 300)
        for x in range(295, 240, -5):
            touch("touchMove", x)
        touch("touchEnd")
        panned = page.evaluate("({...tbandTimeline.view})")
        assert panned["from"] > before["from"] and abs(panned["perPixel"] - before["perPixel"]) < 1e-6
        touch("touchStart", 200, 240)
        for step in range(1, 10):
            touch("touchMove", 200 - 5 * step, 240 + 5 * step)
        touch("touchEnd")
        closer = page.evaluate("tbandTimeline.view.perPixel")
        assert closer < panned["perPixel"] * 0.6, (closer, panned["perPixel"])


main(globals())
