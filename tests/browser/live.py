"""The page that `tband-cli record --web` serves: a recording while it comes."""

import os
import pathlib
import re
import threading
import time
import urllib.request

from boards import board, events, head, looked_at, record
from driver import DEMO, FOLDER, Memory, accessible, cli, fits, grouped, main, until
from frames import INSTANT, frame

def shown(page):
    """What the timeline shows: rows, end in ns, and the view's ends in ns from the picture's start."""
    return page.evaluate("""() => {
      const { picture, view, rows, follows } = tbandTimeline;
      return { rows: rows.map((row) => row.name), end: Number(picture.start) + picture.length, length: picture.length,
        from: view.from, to: view.from + view.perPixel * view.width, follows };
    }""")


def row_of(page, table, name):
    """The cells of a row of a live table."""
    return page.evaluate("""([table, name]) => [...document.querySelectorAll(`.live-tables [aria-label="${table}"] tr`)]
      .map((line) => [...line.cells].map((cell) => cell.textContent)).find(([first]) => first === name) ?? null""", [table, name])


def test_what_comes_is_drawn_and_the_timeline_follows(pages):
    with board() as (source, connection), record(source) as (link, path, program), looked_at(pages, link) as page:
        sends = connection()
        until(page, "document.querySelector('#live-what')?.textContent.includes('nothing came yet')")
        sends.sendall(head() + events(0, 4_000_000_000, 1000))
        until(page, "globalThis.tbandTimeline && tbandTimeline.picture.length > 3.9e9")
        now = shown(page)
        assert {"core 0", "worker 1", "worker 6", "samples", "told"} <= set(now["rows"]), now["rows"]
        assert now["follows"] and now["to"] == now["length"], now
        # The figures of `top`: each has a sixth of the time, but for interrupts.
        until(page, "document.querySelectorAll('.live-tables [aria-label=Tasks] tbody tr').length === 6")
        name, share, state, *_ = row_of(page, "Tasks", "worker 3")
        assert 12 < float(share.removesuffix("%")) < 17 and state in ("ready", "running"), (name, share, state)
        assert row_of(page, "Queues, semaphores, mutexes", "samples") is not None
        accessible(page)
        fits(page)
        sends.sendall(events(4_000_000_000, 60_000_000_000, 1000))
        until(page, "Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 59.9e9")
        later = shown(page)
        # It has the last 10 s or more, and shows as much as before; rows have not moved.
        assert 9e9 < later["length"] < 21e9 and later["to"] == later["length"], later
        assert abs((later["to"] - later["from"]) - 5e9) < 1e7, later
        assert [it for it in later["rows"] if it in now["rows"]] == now["rows"], (now["rows"], later["rows"])
        # The program's own counters.
        sends.close()
        program.wait()
        until(page, "document.querySelector('#live-what')?.textContent.includes('ended')")
        said = page.inner_text("#live-what")
        assert f"{source} to {path}" in said and " 0 lost" in said, said
        assert grouped(path.stat().st_size) in said, said


def test_it_pauses_and_stays_where_it_was_moved_to(pages):
    with board() as (source, connection), record(source) as (link, _, _), looked_at(pages, link) as page:
        sends = connection()
        sends.sendall(head() + events(0, 8_000_000_000, 500))
        until(page, "globalThis.tbandTimeline && tbandTimeline.picture.length > 7.9e9")
        # A slice that is selected stays selected.
        page.evaluate("""() => { const row = tbandTimeline.rows.find((it) => it.name === "worker 2");
          tbandTimeline.select({ row, lane: 0, index: row.lanes[0].count - 20 }); tbandTimeline.pin(row); }""")
        selected = "(() => { const { row, lane, index } = tbandTimeline.selection; return Number(tbandTimeline.picture.start) + row.lanes[lane].start[index]; })()"
        before = page.evaluate(selected)
        page.evaluate("tbandTimeline.pan(-300)")
        moved = shown(page)
        assert not moved["follows"]
        sends.sendall(events(8_000_000_000, 13_000_000_000, 500))
        until(page, "Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 12.9e9")
        after = shown(page)
        start = lambda it: it["end"] - it["length"]
        assert abs(start(after) + after["from"] - start(moved) - moved["from"]) < 1e6, (moved, after)
        assert page.evaluate(selected) == before
        assert page.evaluate("[...tbandTimeline.list.pinned].map((row) => row.name)") == ["worker 2"]
        page.click("#live-pause")
        sends.sendall(events(13_000_000_000, 20_000_000_000, 500))
        until(page, "document.querySelector('#live-what')?.textContent.includes('1')")
        page.wait_for_timeout(200)
        assert shown(page)["end"] == after["end"]
        page.click("#live-pause")
        # Also if nothing comes any more.
        until(page, "Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 19.9e9")
        sends.sendall(events(20_000_000_000, 21_000_000_000, 500))
        until(page, "Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 20.9e9")
        page.evaluate("tbandTimeline.show(0, tbandTimeline.picture.length)")
        assert shown(page)["follows"]
        # The last of it, as any recording.
        page.click("#live-look")
        until(page, "document.querySelector('#view .timeline')")
        assert "FreeRTOS" in page.inner_text("#found") or "whole" in page.inner_text("#found"), page.inner_text("#found")


def texts(begin, end):
    """A thousand markers a second with long texts: some 200 kB."""
    return b"".join(frame(INSTANT, ts, 1, b"%-190d" % ts) for ts in range(begin, end, 1_000_000))


def release_a_machine_with_another_clock_shows_the_same(pages):
    """By a tunnel the page is on another machine than the program."""
    for hours in (1, -1):
        clock = f"{{ const now = Date.now; Date.now = () => now() + {hours * 3_600_000}; }}"
        with board() as (source, connection), record(source) as (link, _, _), pages.open(link, allowed=link.split("?")[0], init=clock) as page:
            sends = connection()
            sends.sendall(head())
            for second in range(20):
                sends.sendall(events(second * 1_000_000_000, (second + 1) * 1_000_000_000, 100))
                until(page, f"globalThis.tbandTimeline && Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > {second}.9e9")
            until(page, "document.querySelector('.live-age')?.textContent.startsWith('shown ')")
            said = page.inner_text(".live-age")
            ms = int(re.sub("[^0-9]", "", said.split(" ms")[0]))
            assert ms < 1_800_000, said


def test_who_comes_late_has_the_names(pages):
    with board() as (source, connection), record(source) as (link, path, _):
        sends = connection()
        # More than who comes late gets of it.
        before = head() + events(0, 1_000_000_000, 100) + texts(1_000_000_000, 9_000_000_000)
        sends.sendall(before)
        while path.stat().st_size < len(before):
            time.sleep(0.01)
        with looked_at(pages, link) as page:
            sends.sendall(events(9_000_000_000, 10_000_000_000, 1000))
            until(page, "globalThis.tbandTimeline && Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 9.9e9")
            assert {"worker 1", "worker 6", "samples"} <= set(shown(page)["rows"]), shown(page)


def test_a_source_that_reconnects_is_reported(pages):
    with board() as (source, connection), record(source, "--reconnect") as (link, _, _), looked_at(pages, link) as page:
        sends = connection()
        sends.sendall(head() + events(0, 1_000_000_000, 500))
        until(page, "globalThis.tbandTimeline && tbandTimeline.picture.length > 0.9e9")
        connection.refuse()
        sends.close()
        until(page, "document.querySelector('#live-what')?.textContent.includes('the source is gone')")
        sends = connection()
        sends.sendall(events(2_000_000_000, 3_000_000_000, 500))
        until(page, "Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > 2.9e9")
        until(page, "!document.querySelector('#live-what').textContent.includes('gone')")


def test_other_clients_cannot_read_the_recording(_):
    with board() as (source, connection), record(source) as (link, _, _):
        connection().sendall(head() + events(0, 1_000_000_000, 100))
        stream = link.split("?")[0] + "live"

        def status(**headers):
            request = urllib.request.Request(stream, headers={name.replace("_", "-"): value for name, value in headers.items()})
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status, answer.read(5), answer.headers.get("Access-Control-Allow-Origin")
            except urllib.error.HTTPError as error:
                return error.code, b"", None

        for wrong in [{"Origin": "http://localhost:1"}, {"Host": "elsewhere.example"}, {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "document"}]:
            assert status(**wrong)[0] in (403, 404), wrong
        code, first, allowed = status()
        assert (code, first[0], allowed) == (200, 1, None), (code, first)


def release_what_comes_for_long_takes_no_more_memory(pages):
    """As fast as it goes: many times what is kept."""
    seconds = int(os.environ.get("TBAND_LIVE_SECONDS", 120))
    with board() as (source, connection), record(source) as (link, path, program), looked_at(pages, link) as page:
        sends = connection()
        sends.sendall(head())
        most = []
        with Memory(pages.browser) as memory:
            for number in range(0, seconds, 4):
                begin = number * 1_000_000_000
                sends.sendall(events(begin, begin + 1_000_000_000, 2000) + texts(begin + 1_000_000_000, begin + 4_000_000_000))
                until(page, f"globalThis.tbandTimeline && Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > {begin + 3_900_000_000}")
                status = pathlib.Path(f"/proc/{program.pid}/status").read_text()
                rss = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024
                most.append((memory.most_in_renderer, rss))
        print(f"page's process {most[-1][0] >> 20} MB, tband-cli {most[-1][1] >> 20} MB after {path.stat().st_size >> 20} MB", flush=True)
        # Once the ring and the pictures are full there is no more.
        full = most[len(most) // 2]
        assert most[-1][1] < full[1] * 1.2 + (8 << 20), most
        assert most[-1][0] < full[0] * 1.3 + (32 << 20), most


LAG = """
addEventListener("DOMContentLoaded", () => {
  globalThis.lags = [];
  const paint = LiveTimeline.prototype.paint;
  LiveTimeline.prototype.paint = function () {
    paint.call(this);
    const end = Number(this.picture.start) + this.picture.length;
    if (end !== this.painted && globalThis.began) lags.push(Date.now() - (began + end / 1e6));
    this.painted = end;
  };
});
"""


def lag(pages, rate, seconds, slice_ms=5):
    """From an event to the screen, in ms: of each picture that was drawn."""
    step = slice_ms * 1_000_000
    pieces = [events(at, at + step, rate) for at in range(0, seconds * 1_000_000_000, step)]
    with board() as (source, connection), record(source) as (link, _, _):
        with pages.open(link, allowed=link.split("?")[0], init=LAG) as page:
            sends = connection()
            page.wait_for_selector("#live-what")
            began = time.time() + 0.05
            page.evaluate("(at) => { globalThis.began = at; }", began * 1e3)
            sends.sendall(head())

            def run():
                for number, piece in enumerate(pieces):
                    # The last event of it happens at its end.
                    time.sleep(max(0, began + (number + 1) * slice_ms / 1e3 - time.time()))
                    sends.sendall(piece)

            thread = threading.Thread(target=run)
            thread.start()
            while thread.is_alive():
                page.wait_for_timeout(100)
            thread.join()
            until(page, f"globalThis.tbandTimeline && Number(tbandTimeline.picture.start) + tbandTimeline.picture.length > {seconds * 1_000_000_000 - 20_000_000}")
            return sorted(page.evaluate("lags"))


def release_events_are_on_the_screen_soon(pages):
    """How soon is said, not judged: other programs have the machine too."""
    for rate in (1000, 100_000):
        lags = lag(pages, rate, int(os.environ.get("TBAND_LAG_SECONDS", 4)))
        assert lags
        of = lambda share: round(lags[min(len(lags) - 1, int(len(lags) * share))])
        print(f"{rate} events/s: {len(lags)} pictures; event to screen median {of(0.5)} ms, 95 % {of(0.95)} ms, most {of(1)} ms", flush=True)


main(globals())
