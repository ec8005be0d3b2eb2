"""What is drawn is true at any zoom: what a pixel shows is what the events in it come to, however long the recording is."""

import json
import os
import random
import re
from bisect import bisect_left, bisect_right

from driver import FOLDER, cli, main, ungrouped, until
from frames import INSTANT, ISR_ENTER, ISR_EXIT, MARKER_NAME, RESOLUTION, SWITCHED_IN, TASK_NAME, VALUE, VALUE_NAME, frame, recording

IS_IDLE, ISR_NAME = 96, 3
IDLE, WORK, OTHER = 1, 2, 3


class Recording:
    """Two tasks and an idle one in turn, an interrupt, a value with one peak, and one marker; it knows what was when."""

    def __init__(self, name, turns):
        self.slices = {"core": [], "work": [], "isr": []}
        self.edges = {"core": [], "work": [], "isr": []}
        self.levels = []
        dice = random.Random(7)
        out = [frame(RESOLUTION, 1), frame(TASK_NAME, IDLE, b"IDLE"), frame(TASK_NAME, WORK, b"work"), frame(TASK_NAME, OTHER, b"other"),
               frame(IS_IDLE, IDLE, 0), frame(VALUE_NAME, 1, b"level"), frame(MARKER_NAME, 1, b"once"), frame(ISR_NAME, 1, b"tick")]
        now, peak = 1000, turns * 2 // 3
        for turn in range(turns):
            # A sixth of the turns is quiet, and now and then a task runs long.
            load = 0.05 if turns // 3 < turn < turns // 2 else 0.2 + 0.7 * turn / turns
            task = dice.choice((WORK, OTHER)) if dice.random() < load else IDLE
            length = dice.randrange(200, 3000) * (200 if dice.random() < 0.0005 else 1)
            out.append(frame(SWITCHED_IN, now, task))
            self.edges["core"].append(now)
            self.edges["work"].append(now)
            if task != IDLE:
                self.slices["core"].append((now, now + length))
            if task == WORK:
                self.slices["work"].append((now, now + length))
            if turn % 50 == 0:
                out += [frame(ISR_ENTER, now + 50, 1), frame(ISR_EXIT, now + 60, 1)]
                self.slices["isr"].append((now + 50, now + 60))
                self.edges["isr"] += (now + 50, now + 60)
            if turn % 3 == 0:
                level = 9000 if turn == peak // 3 * 3 else dice.randrange(100)
                out.append(frame(VALUE, now + 70, 1, level << 1))
                self.levels.append((now + 70, level))
            if turn == peak:
                out.append(frame(INSTANT, now + 80, 1, b"here"))
                self.marker = now + 80
            now += length
        out.append(frame(SWITCHED_IN, now, IDLE))
        self.start, self.end = 1000, now
        self.path = recording(name, *out)
        # The sum of all slices before each slice.
        self.sums = {}
        for which, slices in self.slices.items():
            starts, sums, total = [], [0], 0
            for start, end in slices:
                starts.append(start)
                total += end - start
                sums.append(total)
            self.sums[which] = (starts, sums)

    def before(self, which, time):
        starts, sums = self.sums[which]
        index = bisect_right(starts, time)
        if index == 0:
            return 0
        start, end = self.slices[which][index - 1]
        return sums[index - 1] + min(end, time) - start

    def is_edge(self, which, start, end, length):
        """What is so long begins or ends in there."""
        edges = self.edges[which]
        first, last = bisect_left(edges, start), bisect_right(edges, end)
        around = edges[max(0, first - 1):last + 1]
        return last > first and any(after - before >= length for before, after in zip(around, around[1:]))

    def share(self, which, start, end):
        return (self.before(which, end) - self.before(which, start)) / (end - start)


LANES = {"core": ("core 0", 0, "name"), "work": ("work", 0, "running"), "isr": ("interrupts of core 0", 1, "isr")}
DRAWN = (("core 0", "core", "running"), ("interrupts of core 0", "isr", "isr"), ("work", "work", "running"))
SHARES = """
([name, number, kind, spans]) => {
  const lane = tbandTimeline.rows.find((row) => row.name === name).lanes[number];
  // What interrupts take of a task, or of a core that does not idle, is of a class of its own.
  const kinds = number === 0 ? [kind, "isr"] : [kind];
  return spans.map(([from, to]) => timeIn(lane, kinds, from, to) / (to - from));
}
"""
COLUMNS = """
(name) => {
  const t = tbandTimeline;
  t.paint();
  const item = t.layout.items.find((it) => it.row?.name === name);
  const image = t.canvas.getContext("2d").getImageData(0, Math.round(item.y + t.top - t.scroller.scrollTop), t.canvas.width, Math.round(item.height)).data;
  const kinds = ["running", "isr", "idle", "blocked", "level", "range"].map((kind) => [kind, t.colours[kind]]);
  // What runs has the colour of its task.
  for (const row of t.rows) if (row.kind === "task" && !row.isIdle) kinds.push(["running", t.colours.ofRow(row)]);
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colours = kinds.map(([kind, colour]) => {
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [kind, [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)]];
  });
  const columns = [];
  for (let x = t.view.left; x < t.view.left + Math.floor(t.view.width); x++) {
    const found = {};
    for (let y = 0; y < item.height; y++) {
      const at = (y * t.canvas.width + x) * 4;
      const seen = colours.find(([, colour]) => colour.every((it, i) => Math.abs(it - image[at + i]) < 3));
      if (seen) found[seen[0]] = (found[seen[0]] ?? 0) + 1;
    }
    columns.push(found);
  }
  return { columns, height: item.height, view: { ...t.view } };
}
"""


def totals(page):
    """Of each row the time of its classes, and its levels."""
    return page.evaluate("""() => Object.fromEntries(tbandTimeline.rows.map((row) => [row.name, [
      row.lanes.reduce((sum, lane) => sum + (lane.total ? lane.total.reduce((a, b) => a + b, 0) : 0), 0),
      row.lanes.map((lane) => [lane.least ?? 0, lane.most ?? 0]),
    ]]))""")


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def spans_of(recording, page, zoom, dice, count=60):
    """Pixels of a zoom, in ns from the start of the picture."""
    length = recording.end - recording.start
    pixel = length / zoom / page.evaluate("tbandTimeline.view.width")
    starts = [dice.uniform(0, length - pixel) for _ in range(count)]
    return pixel, [(start, start + pixel) for start in starts]


def compare(recording, page, zoom, dice, tolerance):
    pixel, spans = spans_of(recording, page, zoom, dice)
    worst = 0
    for which, lane in LANES.items():
        shown = page.evaluate(SHARES, [*lane, spans])
        for (start, end), share in zip(spans, shown):
            wanted = recording.share(which, start + recording.start, end + recording.start)
            worst = max(worst, abs(share - wanted))
            assert abs(share - wanted) <= tolerance(pixel), (zoom, which, start, end, share, wanted)
    return worst


def made(name, *options):
    recording = Recording(name, 40_000)
    page = FOLDER / f"{name}.html"
    ran = cli("report", "-o", page, *options, recording.path)
    return recording, f"file://{page}", ran.stderr.decode()


def test_shares_are_those_of_the_events_at_any_zoom(pages):
    recording, url, said = made("zoom-all")
    assert "aggregates" not in said, said
    with pages.open(url) as page:
        ready(page)
        for zoom in (1, 3.3, 10, 100, 1000, 100_000):
            compare(recording, page, zoom, random.Random(zoom), lambda _: 1e-6)


def test_shares_of_aggregates_are_those_of_the_events(pages):
    recording, url, said = made("zoom-few", "--max-slices", 30_000)
    with pages.open(url) as page:
        ready(page)
        below = page.evaluate("tbandTimeline.picture.mergedBelow")
        assert below > 0
        # What a pixel has of an aggregate in part is as uncertain as the aggregate is long.
        for zoom in (1, 2, 4, 16, 256):
            compare(recording, page, zoom, random.Random(zoom), lambda pixel: min(1, below / pixel) if pixel < 16 * below else 1 / 16)
        total = page.evaluate("Object.fromEntries(tbandTimeline.rows.map(row => [row.name, row.lanes[0].timeOf('running') + row.lanes[0].timeOf('isr')]))")
        assert abs(total["work"] - sum(end - start for start, end in recording.slices["work"])) < 1, total


def test_what_is_drawn_is_the_share_as_height(pages):
    for name, options in {"zoom-all": [], "zoom-few": ["--max-slices", 30_000]}.items():
        _, url, _ = made(name, *options)
        with pages.open(url) as page:
            ready(page)
            # At the full zoom-out, and closer.
            for zoom, name, which, kind in ((zoom, *row) for zoom in (1, 7) for row in DRAWN):
                page.evaluate(f"(t => t.show(t.picture.length / 3, t.picture.length / 3 + t.picture.length / {zoom}))(tbandTimeline)")
                drawn = page.evaluate(COLUMNS, name)
                view, tall = drawn["view"], drawn["height"] - (4 if which != "isr" else 5) - 2
                wrong = []
                spans = [[view["from"] + (x + edge) * view["perPixel"] for edge in (0, 1)] for x in range(len(drawn["columns"]))]
                for x, (found, share) in enumerate(zip(drawn["columns"], page.evaluate(SHARES, [*LANES[which], spans]))):
                    shown = found.get(kind, 0)
                    # A little of something is seen all the same.
                    if abs(shown - share * tall) > 1 and not (0 < share * tall <= 2 and 1 <= shown <= 2):
                        wrong.append((x, shown, share * tall))
                # Where two that are wide meet in a pixel their colours are mixed.
                mixed = [it for it in wrong if it[1] == 0]
                assert wrong == mixed and len(mixed) <= len(drawn["columns"]) / 100, (name, tall, wrong[:10])


def drawn_is_true(recording, page, zoom, dice, uncertain=lambda pixel: 0):
    """Each pixel of the rows has as much of its colour as the events come to in its time, to a pixel of its height.
    `uncertain`: what of a share cannot be known in a pixel of so many ns."""
    length = recording.end - recording.start
    start = dice.uniform(0, length - length / zoom)
    # Texts would cover the pixels to count.
    page.evaluate("Pen.prototype.words = () => {}")
    page.evaluate(f"tbandTimeline.show({start}, {start + length / zoom})")
    until(page, "!globalThis.state?.jobs.current && !(globalThis.tbandTimeline.rereader?.wanted(tbandTimeline.view))")
    compared = 0
    for name, which, kind in DRAWN:
        drawn = page.evaluate(COLUMNS, name)
        view, tall = drawn["view"], drawn["height"] - (4 if which != "isr" else 5) - 2
        pixel = view["perPixel"]
        # The last one is part of the page's margin.
        for x, found in enumerate(drawn["columns"][:-1]):
            begin = recording.start + view["from"] + x * pixel
            if not recording.start <= begin <= recording.end - pixel:
                continue
            # A wide slice begins and ends within a pixel; its colour is a mixture there.
            if recording.is_edge(which, begin - pixel, begin + 2 * pixel, pixel):
                continue
            wanted = recording.share(which, begin, begin + pixel) * tall
            shown = found.get(kind, 0)
            # A little of something is seen all the same.
            is_little = 0 < wanted <= 2 and 1 <= shown <= 2
            assert abs(shown - wanted) <= 1 + uncertain(pixel) * tall or is_little, (zoom, name, x, shown, wanted, tall)
            compared += 1
    return compared


def test_each_pixel_is_what_the_events_come_to_at_any_zoom(pages):
    dice = random.Random(24)
    zooms = [1, 2, 5, *(10 ** dice.uniform(0, 5) for _ in range(12))]
    recording, url, _ = made("zoom-all")
    with pages.open(url) as page:
        ready(page)
        compared = [drawn_is_true(recording, page, zoom, dice) for zoom in zooms]
        assert sum(compared) > 1000 * len(zooms), compared
    recording, url, _ = made("zoom-few", "--max-slices", 30_000)
    with pages.open(url) as page:
        ready(page)
        below = page.evaluate("tbandTimeline.picture.mergedBelow")
        # A pixel has a part of an aggregate at each of its ends, at the most.
        for zoom in (1, 1.5, 3, 6):
            assert drawn_is_true(recording, page, zoom, dice, lambda pixel: min(1, 2 * below / pixel)) > 1000
    with pages.open(f"file://{os.environ['TBAND_PAGE']}/index.html") as page:
        page.wait_for_selector("body[data-ready]")
        page.evaluate("state.maxSlices = '30000'")
        page.set_input_files("#choose", str(recording.path))
        until(page, "!state.jobs.current && document.querySelector('#progress').hidden")
        page.click("#show")
        ready(page)
        # From here on every slice is read again.
        zooms = [300, *(10 ** dice.uniform(2.5, 5) for _ in range(6))]
        compared = [drawn_is_true(recording, page, zoom, dice) for zoom in zooms]
        assert page.evaluate("tbandTimeline.rereader.part.below") == 0
        assert sum(compared) > 500 * len(zooms), compared


def test_peaks_and_what_happened_once_are_seen_in_the_whole(pages):
    recording, url, _ = made("zoom-few", "--max-slices", 30_000)
    with pages.open(url) as page:
        ready(page)
        peak = max(recording.levels, key=lambda it: it[1])
        assert page.evaluate("tbandTimeline.rows.find(row => row.name === 'level').lanes[0].most") == peak[1] == 9000
        for zoom in (1, 5, 50):
            pixel, spans = spans_of(recording, page, zoom, random.Random(zoom))
            below = page.evaluate("tbandTimeline.picture.mergedBelow")
            shown = page.evaluate("spans => { const lane = tbandTimeline.rows.find(row => row.name === 'level').lanes[0]; return spans.map(it => lane.rangeIn(...it)); }", spans)
            for (start, end), (low, high) in zip(spans, shown):
                inside = [level for time, level in recording.levels if start <= time - recording.start < end]
                near = [level for time, level in recording.levels if start - 2 * below <= time - recording.start < end + 2 * below]
                near += [level for time, level in recording.levels if time - recording.start < start - 2 * below][-1:]
                assert not inside or (low <= min(inside) and high >= max(inside)), (zoom, start, low, high)
                assert not near or (low >= min(near) and high <= max(near)), (zoom, start, low, high, min(near), max(near))
        # The one peak is a separate column at its time.
        drawn = page.evaluate(COLUMNS, "level")
        tall = [x for x, found in enumerate(drawn["columns"]) if found.get("range", 0) + found.get("level", 0) > drawn["height"] / 2]
        wanted = (peak[0] - recording.start) / drawn["view"]["perPixel"]
        assert tall and all(abs(x - wanted) <= 2 for x in tall), (tall, wanted)
        # The one marker is a separate moment, not an aggregate.
        marker = page.evaluate("(({lanes}) => [lanes[0].count, lanes[0].start[0], lanes[0].isAggregate(0)])(tbandTimeline.rows.find(row => row.name === 'once'))")
        assert marker == [1, recording.marker - recording.start, False]


def test_omitted_items_are_reported(pages):
    recording, url, said = made("zoom-few", "--max-slices", 30_000)
    told = re.search(r"note: (the timeline has (\d+) of (\d+) slices one by one; (\d+), each shorter than ([^ ]+ \w+) and beside others, are (\d+) aggregates.*)", said)
    assert told, said
    kept, all_of_it, aggregated, aggregates = (int(told[it]) for it in (2, 3, 4, 6))
    assert kept + aggregated == all_of_it > 70_000, told[1]
    assert kept + 2 * aggregates <= 31_000
    with pages.open(url) as page:
        ready(page)
        assert told[1][1:] in page.locator(".timeline").inner_text()
        lanes = page.evaluate("tbandTimeline.rows.flatMap(row => row.lanes).map(lane => [lane.count, lane.slices.length, lane.slices.reduce((a, b) => a + b, 0)])")
        assert sum(it[0] - it[1] for it in lanes) == kept
        assert [sum(it[1] for it in lanes), sum(it[2] for it in lanes)] == [aggregates, aggregated]
        # A search counts all that have a text, also those that are nowhere by themselves.
        page.fill("input[type=search]", "runs on core")
        found = re.match(r"(\d+) matches, (\d+) more in aggregates", ungrouped(page.locator(".hits").inner_text()))
        runs = json.loads(cli("stats", "--json", recording.path).stdout)["tasks"]
        assert sum(map(int, found.groups())) == sum(task["switches"] for task in runs), (found, runs)
        # The details of an aggregate name the number of its slices.
        page.evaluate("""() => {
          const row = tbandTimeline.rows.find((it) => it.name === "work"), lane = row.lanes[0];
          tbandTimeline.select({ row, lane: 0, index: lane.aggregate.findIndex((it) => it >= 0) });
        }""")
        details = page.locator(".details").inner_text()
        assert re.search(r"\d+ slices, drawn as one: .*runs \d+\.\d+ %.*; the longest, .*: ", details), details
    # A part of it has every slice.
    part = FOLDER / "zoom-part.html"
    ran = cli("report", "-o", part, "--max-slices", 30_000, "--from", "1ms", "--to", "3ms", recording.path)
    assert "aggregates" not in ran.stderr.decode()
    assert json.loads(cli("stats", "--json", recording.path).stdout)["recording"]["events"] > 50_000


def test_the_page_reads_again_what_is_looked_at(pages):
    recording = Recording("zoom-page", 40_000)
    with pages.open(f"file://{os.environ['TBAND_PAGE']}/index.html") as page:
        page.wait_for_selector("body[data-ready]")
        page.evaluate("state.maxSlices = '30000'")
        page.set_input_files("#choose", str(recording.path))
        until(page, "!state.jobs.current && document.querySelector('#progress').hidden")
        page.click("#show")
        ready(page)
        below = page.evaluate("tbandTimeline.picture.mergedBelow")
        assert below > 0
        before = totals(page)
        for zoom in (20, 300, 20_000):
            dice = random.Random(zoom)
            for start in (0, 0.31, 0.6712, 1 - 1 / zoom):
                page.evaluate(f"(t => t.show(t.picture.length * {start}, t.picture.length * {start} + t.picture.length / {zoom}))(tbandTimeline)")
                until(page, "!state.jobs.current && tbandTimeline.rereader.wanted(tbandTimeline.view) === null")
                view, left = page.evaluate("[{...tbandTimeline.view}, tbandTimeline.rereader.part.below]")
                assert zoom < 300 or left == 0, (zoom, left)
                pixels = [view["from"] + dice.randrange(int(view["width"])) * view["perPixel"] for _ in range(40)]
                spans = [(pixel, min(pixel + view["perPixel"], recording.end - recording.start)) for pixel in pixels]
                for which, lane in LANES.items():
                    shown = page.evaluate(SHARES, [*lane, spans])
                    for (start_, end), share in zip(spans, shown):
                        wanted = recording.share(which, start_ + recording.start, end + recording.start)
                        # With every slice it is exact.
                        assert abs(share - wanted) <= (1 / 16 if left > 0 else 1e-6), (zoom, which, start_, share, wanted)
                # All that is elsewhere is there as before.
                now = totals(page)
                assert now.keys() == before.keys()
                for name, (time, levels) in now.items():
                    assert abs(time - before[name][0]) < 2 * below and levels == before[name][1], (zoom, start, name, now[name], before[name])
        # The details show the selected slice as a whole, not an aggregate.
        page.evaluate("(t => t.select({ row: t.rows.find(it => it.name === 'work'), lane: 0, index: null }))(tbandTimeline)")
        page.keyboard.press("n")
        assert "drawn as one" not in page.locator(".details").inner_text()
        # A link leads to its slice, which was part of an aggregate.
        page.keyboard.press("0")
        link = page.locator("#table-tasks a[href*='row=work']").first
        start, end = map(int, re.match(r"#t=(\d+)-(\d+)", link.get_attribute("href")).groups())
        link.click()
        until(page, "!state.jobs.current && tbandTimeline.rereader.wanted(tbandTimeline.view) === null && tbandTimeline.selection?.index != null")
        selected = page.evaluate("(({row, lane, index}) => [row.name, row.lanes[lane].start[index], row.lanes[lane].end[index]])(tbandTimeline.selection)")
        assert selected == ["work", start - recording.start, end - recording.start], (selected, start, end)
        # Nothing is read that is there.
        assert page.evaluate("tbandTimeline.rereader.wanted(tbandTimeline.view)") is None


main(globals())
