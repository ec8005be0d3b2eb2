"""Reports of what is rare: recordings without events or length, late times, great numbers, one name for many."""

import json

from driver import cli, grouped, main, same_numbers, stats_of, until
from frames import (
    BEGIN, BLOCK_ON_RECEIVE, CREATED, DELETED, END, ISR_ENTER, ISR_EXIT, MARKER_NAME, QUEUE_NAME, READY, RECEIVE, RESOLUTION, SEND, SWITCHED_IN, TASK_NAME, VALUE, VALUE_NAME,
    frame, recording, report, switches,
)

# In ns, as a clock of UTC has it.
LATE = 1_780_000_000_000_000_123


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def selected(page):
    return page.evaluate("(({row, lane, index}) => [row.group, row.name, row.lanes[lane].start[index], row.lanes[lane].end[index]])(tbandTimeline.selection)")


def test_a_single_event_of_a_late_time_is_shown(pages):
    for name, frames in {"event": [frame(SWITCHED_IN, LATE, 1)], "span": [frame(BEGIN, LATE, 1, b"x")], "nothing": []}.items():
        path = recording(name, frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), *frames)
        with pages.open(report(path)) as page:
            ready(page)
            for key in "+++---np0":
                page.locator(".scroller").press(key)
            page.evaluate("tbandTimeline.paint()")
            events = stats_of(path)["recording"]["events"]
            assert f" {events} event" in page.locator(".summary").inner_text()


def test_times_of_a_clock_that_runs_for_decades_are_exact(pages):
    begin = LATE
    path = recording("decades", *switches(begin, 1003, 20))
    stats = stats_of(path)
    with pages.open(report(path)) as page:
        ready(page)
        same_numbers(page, stats)
        for _ in range(60):
            page.locator(".scroller").press("+")
        page.evaluate("tbandTimeline.paint()")
        link = page.locator("#table-tasks a", has_text="1.003 µs").first
        start = int(link.get_attribute("href").split("=")[1].split("-")[0])
        assert (start - begin) % 1003 == 0, start
        link.click()
        until(page, "tbandTimeline.selection")
        assert selected(page)[2:] == [start - begin, start - begin + 1003]
        assert f"from {grouped(start // 10**6)}.{start % 10**6:06} ms" in page.locator(".details").inner_text()


def test_a_recording_of_decades_is_drawn_at_any_zoom(pages):
    path = recording("long", *switches(5, 5 * 10**16, 20))
    with pages.open(report(path)) as page:
        ready(page)
        same_numbers(page, stats_of(path))
        page.locator(".scroller").press("End")
        for _ in range(80):
            page.locator(".scroller").press("+")
            page.locator(".scroller").press("End")
        page.evaluate("tbandTimeline.paint()")
        assert page.evaluate("tbandTimeline.operations") > 10


def test_a_window_has_its_own_number_of_events(pages):
    path = recording("window", *switches(1000, 1000, 50))
    for window, count in {("20us", "30us"): 11, ("20.1us", "20.9us"): 0}.items():
        options = ["--from", window[0], "--to", window[1]]
        told = json.loads(cli("stats", "--json", *options, path).stdout)["recording"]["events"]
        assert told == count, (window, told)
        with pages.open(report(path, *options)) as page:
            ready(page)
            assert f" {count} events," in page.locator(".summary").inner_text(), page.locator(".summary").inner_text()


def test_zoom_ends_where_it_is(pages):
    path = recording("zoom", *switches(5, 1000, 200))
    with pages.open(report(path)) as page:
        ready(page)
        middle = "tbandTimeline.view.from + tbandTimeline.view.width * tbandTimeline.view.perPixel / 2"
        before = page.evaluate(middle)
        for _ in range(60):
            page.locator(".scroller").press("+")
        assert abs(page.evaluate(middle) - before) < 1, (page.evaluate(middle), before)
        assert page.evaluate("tbandTimeline.view.perPixel") == 0.05
        for _ in range(60):
            page.locator(".scroller").press("-")
        assert page.evaluate("[tbandTimeline.view.from, Math.round(tbandTimeline.view.width * tbandTimeline.view.perPixel)]") == [0, page.evaluate("tbandTimeline.picture.length")]


def test_links_lead_to_the_object_and_not_to_one_of_its_name(pages):
    names = [frame(RESOLUTION, 10), frame(TASK_NAME, 1, b"log"), frame(TASK_NAME, 2, b"net"), frame(QUEUE_NAME, 1, b"log"), frame(MARKER_NAME, 1, b"log")]
    events = []
    for at in range(1000, 10_000, 1000):
        events += [
            frame(SWITCHED_IN, at, 1), frame(BEGIN, at + 5, 1, b"outer"), frame(BEGIN, at + 6, 1, b"inner"), frame(END, at + 8, 1),
            frame(BLOCK_ON_RECEIVE, at + 10, 1, 100), frame(SWITCHED_IN, at + 20, 2), frame(SEND, at + 50, 1, 1), frame(READY, at + 51, 1),
            frame(ISR_ENTER, at + 60, 1), frame(ISR_ENTER, at + 62, 2), frame(ISR_EXIT, at + 65, 2), frame(ISR_EXIT, at + 70, 1),
            frame(SWITCHED_IN, at + 80, 1), frame(RECEIVE, at + 81, 1, 0), frame(END, at + 90 + at // 1000, 1),
        ]
    path = recording("same", *names, *events)
    groups = {"tasks": "Tasks", "queues": "Queues and semaphores", "markers": "Markers", "interrupts": "Cores"}
    with pages.open(report(path)) as page:
        ready(page)
        for table, group in groups.items():
            spreads = page.locator(f"#table-{table} a:has-text('s'):not(:has-text('ms'))").all()
            links = spreads or page.locator(f"#table-{table} a").all()
            assert links, table
            for link in links:
                page.evaluate("location.hash = ''; tbandTimeline.selection = null")
                start, end = link.get_attribute("href").split("=")[1].split("&")[0].split("-")
                link.click()
                until(page, "tbandTimeline.selection")
                found = selected(page)
                assert found[0] == group, (table, found)
                if spreads:
                    first = page.evaluate("Number(tbandTimeline.picture.start)")
                    assert found[2:] == [int(start) - first, int(end) - first], (table, found, start, end)
                else:
                    assert found[2] == int(start) - page.evaluate("Number(tbandTimeline.picture.start)"), (table, found)


def test_links_lead_to_the_one_that_lived_then(pages):
    events = []
    for at in range(100, 2100, 100):
        # The number and the name are used again.
        events += [frame(CREATED, at, 5), frame(TASK_NAME, 5, b"worker"), frame(READY, at + 1, 5), frame(SWITCHED_IN, at + 10 + at // 100, 5), frame(DELETED, at + 60, 5)]
    path = recording("again", frame(RESOLUTION, 10), *events)
    with pages.open(report(path)) as page:
        ready(page)
        links = page.locator("caption:has-text('Worst latencies') ~ tbody a").all()
        assert len(links) == 20, len(links)
        for link in links:
            start, end = link.get_attribute("href").split("=")[1].split("&")[0].split("-")
            page.evaluate("tbandTimeline.selection = null")
            link.click()
            until(page, "tbandTimeline.selection")
            assert selected(page)[2:] == [int(start) - 1000, int(end) - 1000], (start, end, selected(page))


def test_values_have_all_their_digits(pages):
    values = [2**63 - 1, -(2**63) + 1, 2**53 + 1, 12345]
    # The sign is in the lowest bit.
    frames = [frame(VALUE, at, 1, abs(value) << 1 | (value < 0)) for at, value in zip(range(10, 50, 10), values)]
    path = recording("values", frame(RESOLUTION, 10), frame(VALUE_NAME, 1, b"v"), *frames, frame(ISR_ENTER, 60, 1), frame(ISR_EXIT, 70, 1))
    with pages.open(report(path)) as page:
        ready(page)
        page.fill("input[type=search]", "v")
        page.locator(".scroller").focus()
        for value in values:
            page.keyboard.press("n")
            assert f"v (1): {value}\n" in page.locator(".details").inner_text(), (value, page.locator(".details").inner_text())


def test_a_length_between_two_is_rounded_as_tables_are(pages):
    for number, length in enumerate((10_125_000, 12_625_000, 1_062_500, 10_375_000)):
        path = recording(f"tie{number}", frame(RESOLUTION, 1), frame(BEGIN, 0, 1, b"x"), frame(END, length, 1))
        told = cli("check", path).stdout.decode().split(" in ")[1].split(";")[0]
        with pages.open(report(path)) as page:
            ready(page)
            assert f", {told}, " in page.locator(".summary").inner_text(), (told, page.locator(".summary").inner_text())


def test_thousands_of_tasks_are_listed_in_parts(pages):
    count = 3000
    names = [frame(TASK_NAME, task, b"task %d" % task) for task in range(1, count + 1)]
    turns = [frame(READY, 10 * task, task) + frame(SWITCHED_IN, 10 * task + 5, task) for task in range(1, count + 1)]
    path = recording("tasks", frame(RESOLUTION, 10), *names, *turns)
    with pages.open(report(path)) as page:
        ready(page)
        assert page.locator("tr").count() < 5000, page.locator("tr").count()
        table = page.locator("#table-tasks .table").first
        lines = table.locator("tbody tr")
        first = lines.first.inner_text()
        table.locator("thead button", has_text="task").click()
        # All are sorted, not only those that are shown.
        assert lines.first.locator("th").inner_text() == "task 999", lines.first.inner_text()
        assert first != lines.first.inner_text()
        before = lines.count()
        assert before < count
        table.locator("button", has_text=f"Show {count - before} more").click()
        assert lines.count() == count


main(globals())
