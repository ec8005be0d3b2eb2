"""The report: its numbers, its timeline, by mouse and keyboard, for everybody."""

import json
import re

from driver import DEMO, FOLDER, OTHER_WAYS, VECTORS, WAYS, accessible, cli, fits, main, row_at, same_numbers, stats_of, ungrouped, until

RECORDINGS = {
    "demo": [DEMO],
    "sim": [VECTORS / "freertos_sim.bin"],
    "late": [VECTORS / "freertos_late_start.bin"],
    "bare": [VECTORS / "base_only.bin"],
    "damaged": [VECTORS / "truncated.bin"],
    "cores": [f"{VECTORS / 'mc_split.core0.bin'}@0", f"{VECTORS / 'mc_split.core1.bin'}@1"],
}

SUMS = """
() => tbandTimeline.rows.map(row => ({
  group: row.group, name: row.name, id: row.id,
  counts: row.lanes.map(lane => [lane.kind, lane.count]),
  running: row.kind === "task" ? row.lanes[0].timeOf("running") : null,
}))
"""


def report(name, *inputs):
    path = FOLDER / f"{name}.html"
    if not path.exists():
        cli("report", "-q", "-o", path, *inputs)
    return f"file://{path}"


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def opened(page):
    """Shows all highlights with their evidence."""
    page.evaluate("document.querySelectorAll('.worth details').forEach(it => { it.open = true; })")


def view(page):
    return page.evaluate("({...tbandTimeline.view})")


def test_numbers_are_those_of_stats(pages):
    for name, inputs in RECORDINGS.items():
        stats = stats_of(*inputs)
        with pages.open(report(name, *inputs)) as page:
            ready(page)
            same_numbers(page, stats)
            assert page.locator("h1").inner_text() == ", ".join(str(it).split("@")[0] for it in inputs)


def release_the_load_curve_ends_with_the_recording(pages):
    for name, inputs in RECORDINGS.items():
        stats = stats_of(*inputs)
        with pages.open(report(name, *inputs)) as page:
            ready(page)
            figures = page.locator("figure.load").all()
            assert len(figures) == len(stats["cores"])
            for figure, core in zip(figures, stats["cores"]):
                wide = stats["recording"]["length_ns"] / core["load_window_ns"]
                _, _, width, _ = map(float, figure.locator("svg").get_attribute("viewBox").split())
                assert abs(width - (wide or 1)) < 1e-6, (name, width, wide)
                points = [it.get_attribute("points") for it in figure.locator("polygon").all()]
                places = [float(it.split(",")[0]) for it in " ".join(points).split()]
                assert not places or (min(places) == 0 and abs(max(places) - wide) < 1e-6), (name, places)
                caption = figure.locator("figcaption").inner_text()
                assert "in windows of " in caption and "at most " in caption, caption


def test_the_timeline_shows_what_stats_counts(pages):
    for name, inputs in RECORDINGS.items():
        stats = stats_of(*inputs)
        with pages.open(report(name, *inputs)) as page:
            ready(page)
            rows = page.evaluate(SUMS)
            known = {row["id"]: row for row in rows if row["group"] == "Tasks" and row["running"] is not None}
            compared = 0
            for task in stats["tasks"]:
                row = known.get(task["id"])
                if row is None or [it["id"] for it in stats["tasks"]].count(task["id"]) > 1:
                    continue
                assert row["running"] == task["run_ns"], (name, task["name"], row)
                compared += 1
            assert compared >= min(2, len(stats["tasks"])), (name, compared)
            entered = sum(it["count"] for it in stats["interrupts"])
            drawn = sum(
                count for row in rows if row["name"].startswith("interrupts of") for kind, count in row["counts"]
            )
            # One that lasts no time is not drawn.
            short = sum(it["count"] for it in stats["interrupts"] if it["duration"].get("min_ns") == 0)
            assert entered - short <= drawn <= entered, (name, entered, drawn)
            instants = sum(it["instants"] for it in stats["markers"])
            drawn = sum(row["counts"][0][1] for row in rows if row["group"] == "Markers")
            assert drawn == instants, (name, drawn, instants)


def test_it_is_worked_by_keys(pages):
    with pages.open(report("demo", DEMO)) as page:
        ready(page)
        before = view(page)
        page.locator(".scroller").focus()
        page.keyboard.press("+")
        closer = view(page)
        assert abs(closer["perPixel"] * 2 - before["perPixel"]) < 1e-6
        page.keyboard.press("ArrowRight")
        assert view(page)["from"] > closer["from"]
        page.keyboard.press("0")
        assert view(page) == before
        page.keyboard.press("ArrowDown")
        assert "core 0" in page.locator(".details").inner_text()
        page.keyboard.press("n")
        first = page.locator(".details").inner_text()
        page.keyboard.press("n")
        second = page.locator(".details").inner_text()
        assert first != second and " from " in second, (first, second)
        page.keyboard.press("p")
        assert page.locator(".details").inner_text() == first
        page.keyboard.press("Enter")
        assert view(page)["perPixel"] < before["perPixel"] / 10
        page.keyboard.press("/")
        page.keyboard.type("mutex bus")
        assert "matches" in page.locator(".hits").inner_text()
        page.keyboard.press("Enter")
        found = page.locator(".details").inner_text()
        assert "mutex bus (satisfied)" in found, found
        page.keyboard.press("Enter")
        assert page.locator(".details").inner_text() != found
        page.keyboard.press("Shift+Enter")
        assert page.locator(".details").inner_text() == found


def test_it_is_worked_by_mouse(pages):
    with pages.open(report("demo", DEMO)) as page:
        ready(page)
        before = view(page)
        box = page.locator(".scroller").bounding_box()
        x, y = box["x"] + 700, box["y"] + row_at(page, "core 0")
        page.mouse.move(x, y)
        assert "core 0" in page.locator(".tip").inner_text()
        page.keyboard.down("Control")
        page.mouse.wheel(0, -400)
        page.keyboard.up("Control")
        until(page, f"tbandTimeline.view.perPixel < {before['perPixel']}")
        closer = view(page)
        # The time under the pointer stays there.
        under = [it["from"] + (700 - it["left"]) * it["perPixel"] for it in (before, closer)]
        assert abs(under[0] - under[1]) <= 2 * before["perPixel"], under
        page.mouse.down()
        page.mouse.move(x - 100, y)
        page.mouse.up()
        assert view(page)["from"] > closer["from"]
        page.mouse.click(x, y)
        assert page.locator(".details strong").inner_text() == "core 0"


def test_latencies_lead_into_the_timeline(pages):
    with pages.open(report("demo", DEMO)) as page:
        ready(page)
        table = page.locator("table", has_text="Worst latencies").first
        # An idle task waits during all work; this does not count as latency, or the idle task would be the first here.
        waits = {it["name"]: it["ready_wait"].get("max_ns", 0) for it in stats_of(DEMO)["tasks"]}
        assert waits["IDLE"] > 0 and "IDLE" not in table.inner_text(), waits
        # Its timeline has a row for a task.
        row = table.locator("tbody tr", has_text="Ready wait").first
        name = row.locator("td").first.inner_text()
        longest = row.locator("a").first
        start, end = map(int, re.match(r"#t=(\d+)-(\d+)", longest.get_attribute("href")).groups())
        longest.click()
        until(page, "tbandTimeline.selection")
        assert page.locator(".details strong").inner_text().startswith(f"task {name}")
        shown, origin = view(page), page.evaluate("tbandTimeline.picture.start")
        assert shown["from"] <= start - origin and end - origin <= shown["from"] + shown["width"] * shown["perPixel"]
        # The same link works again.
        page.evaluate("tbandTimeline.fit()")
        longest.click()
        until(page, f"tbandTimeline.view.perPixel <= {shown['perPixel']}")


def test_tables_are_sorted_by_any_column(pages):
    with pages.open(report("demo", DEMO)) as page:
        ready(page)
        table = page.locator("#table-tasks table").first
        heads = table.locator("thead th")
        column = [it.strip() for it in heads.all_inner_texts()].index("switches")
        heads.nth(column).locator("button").click()
        assert heads.nth(column).get_attribute("aria-sort") == "descending"
        values = [int(it) for it in table.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts() if it]
        assert values == sorted(values, reverse=True) and len(values) > 5


def test_damage_and_losses_are_reported_with_advice(pages):
    with pages.open(report("damaged", *RECORDINGS["damaged"])) as page:
        ready(page)
        told = page.locator(".findings").inner_text()
        findings = cli("check", *RECORDINGS["damaged"]).stdout.decode().split("\nlook: ")[0]
        lines = [it for it in findings.splitlines() if it.startswith(("  means", "  do"))]
        assert len(lines) >= 2, findings
        for line in lines:
            assert line.split(None, 1)[1] in told, line
        assert page.locator(".verdict").inner_text() == "usable, with damage"


def test_few_highlights_are_above_the_timeline_which_ends_with_the_window(pages):
    found = json.loads(cli("check", "--json", *RECORDINGS["sim"]).stdout)["highlights"]
    kinds = list(dict.fromkeys(it["highlight"] for it in found))
    assert len(kinds) > 3 and len(found) > len(kinds), found
    for height in (800, 900, 1400):
        with pages.open(report("sim", *RECORDINGS["sim"])) as page:
            page.set_viewport_size({"width": 1280, "height": height})
            ready(page)
            assert [it.split(" (")[0] for it in page.locator(".worth > .highlights strong").all_inner_texts()] == kinds[:3]
            assert page.locator(".worth > .more > summary").inner_text() == f"{len(found) - 3} more"
            until(page, "Math.abs(document.querySelector('.scroller').getBoundingClientRect().bottom - innerHeight) < 25")
            box = page.locator(".scroller").bounding_box()
            assert box["height"] > height * 0.45, (height, box)
            # The page may be longer, but a link moves the timeline to the top.
            opened(page)
            assert page.locator(".highlights li").last.is_visible()
            page.locator(".highlights a").last.click()
            until(page, "tbandTimeline.selection")
            box = page.locator(".scroller").bounding_box()
            assert 0 <= box["y"] < 100 and height * 0.75 < box["height"] and box["y"] + box["height"] <= height, box


def release_what_is_worth_a_look_is_that_of_check_and_leads_into_the_timeline(pages):
    kinds = set()
    for name in ("sim", "damaged", "demo"):
        found = json.loads(cli("check", "--json", *RECORDINGS[name]).stdout)["highlights"]
        with pages.open(report(name, *RECORDINGS[name])) as page:
            ready(page)
            assert page.locator("h2", has_text="Worth a look").count() == (1 if found else 0)
            items = page.locator(".highlights li").all()
            assert len(items) == len(found), (name, found)
            opened(page)
            accessible(page)
            for it in found:
                [item] = [item for item in items if it["highlight"] in item.inner_text() and ungrouped(it["means"]) in ungrouped(item.inner_text())]
                told = ungrouped(item.inner_text())
                for text in (it["highlight"], it["means"], it["advice"], it["see"]):
                    assert ungrouped(text) in told, (text, told)
                page.evaluate("tbandTimeline.fit(), tbandTimeline.unselect()")
                item.locator("a").first.click()
                until(page, "tbandTimeline.selection")
                whose = page.locator(".details strong").inner_text()
                assert whose.removeprefix("task ").split(" (")[0] in it["means"], (whose, it)
                shown = page.evaluate("({...tbandTimeline.view, origin: Number(tbandTimeline.picture.start), length: tbandTimeline.picture.length})")
                at = (it["at_ns"] or shown["origin"]) - shown["origin"]
                assert shown["from"] <= at <= shown["from"] + shown["width"] * shown["perPixel"], (it, shown)
                if it["at_ns"] is not None:
                    assert shown["width"] * shown["perPixel"] < shown["length"], (it, shown)
                kinds.add(it["highlight"])
    assert kinds >= {"priority inversion", "load"}, kinds


def test_names_are_texts_and_nothing_else(pages):
    evil = b"</script><img src=x onerror=alert(1)>"
    # A task of this name gets the core, and another one: frames in hex, COBS by hand.
    name = bytes([len(evil) + 3, 0x5F, 1]) + evil + b"\0"
    path = FOLDER / "</script><b>.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(name + bytes([4, 84, 10, 1, 0, 4, 84, 15, 2, 0, 4, 84, 30, 1, 0]))
    target = FOLDER / "evil.html"
    cli("report", "-q", "-o", target, path)
    with pages.open(f"file://{target}") as page:
        ready(page)
        assert page.locator("img").count() == 0
        assert evil.decode() in page.locator("#table-tasks").inner_text()


def test_everybody_can_read_it(pages):
    readable(pages, WAYS)
    with pages.open(report("damaged", *RECORDINGS["damaged"])) as page:
        ready(page)
        accessible(page)


def release_everybody_can_read_it(pages):
    readable(pages, OTHER_WAYS)


def readable(pages, ways):
    for width, scheme in ways:
        with pages.open(report("demo", DEMO), width=width, scheme=scheme) as page:
            ready(page)
            accessible(page)
            fits(page)
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == (scheme == "dark"), paper


def large_a_million_events_are_drawn_by_what_is_seen(pages):
    url = report("large", FOLDER / "large.bin")
    with pages.open(url) as page:
        ready(page)
        count = page.evaluate("tbandTimeline.rows.flatMap(row => row.lanes).reduce((sum, lane) => sum + lane.count, 0)")
        assert count > 800_000, count
        rows = page.evaluate("Math.ceil(tbandTimeline.height / 15)")
        for factor in (1, 10, 1000, 100_000):
            page.evaluate(
                f"{{ const t = tbandTimeline, n = t.picture.length; t.show(n * 0.4, n * 0.4 + n / {factor}); t.paint(); }}"
            )
            operations = page.evaluate("tbandTimeline.operations")
            assert operations < rows * 1100 * 3, (factor, operations)
        lost = stats_of(FOLDER / "large.bin")["recording"]["gaps"]
        assert lost > 5
        errors = page.evaluate("tbandTimeline.rows[0].lanes.reduce((sum, lane) => sum + lane.count, 0)")
        assert errors == lost, (errors, lost)


main(globals())
