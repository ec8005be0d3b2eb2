"""Activations in the report: histogram, list and split, whose figures are those of `why`."""

import json
import os
import re

from driver import DEMO, FOLDER, OTHER_WAYS, ROOT, VECTORS, WAYS, accessible, cli, duration, fits, main, moment, ungrouped, until
from frames import BLOCK_ON_RECEIVE, CREATED, DELETED, DROPPED, ISR_ENTER, ISR_EXIT, READY, RECEIVE, RESOLUTION, SEND, SWITCHED_IN, TASK_NAME, frame, recording, report

STORY = ROOT / "web" / "examples" / "sensor-pipeline.bin"
CORES = [f"{VECTORS / 'mc_split.core0.bin'}@0", f"{VECTORS / 'mc_split.core1.bin'}@1"]
KINDS = {"task": [], "interrupt": ["--isr"], "timer": ["--timer"]}


def made(name, *inputs):
    path = FOLDER / f"activations-{name}.html"
    if not path.exists():
        cli("report", "-q", "-o", path, *inputs)
    return f"file://{path}"


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def why(subject, kind, worst, *inputs):
    # A name may be anything.
    return json.loads(cli("why", *KINDS[kind], "--json", "--worst", worst, "--", subject, *inputs).stdout)


def known(page):
    """What the page has of each subject, with exact numbers as texts."""
    return page.evaluate("""tbandTimeline.picture.activations.map(it => ({
      kind: it.kind, name: it.name, row: it.row, count: it.count, whole: it.whole, max: it.max_ns, median: it.median_bin, p99: it.p99_bin, bins: it.bins,
      shown: it.row === null ? null : tbandTimeline.rows[it.row].name, group: it.row === null ? null : tbandTimeline.rows[it.row].group,
      longest: it.longest.map(one => ({ ...one, released: String(one.released), response: String(one.response), split: one.split.map(part => ({ ...part, ns: String(part.ns) })) })),
      inverted: it.inverted.map(one => String(one.released)),
    }))""")


def bounds(bin):
    least = lambda it: it if it < 4 else (4 + it % 4) << (it // 4 - 1)
    return least(bin), least(bin + 1)


def choose(page, name, group="Tasks"):
    """Selects a row by its name."""
    page.evaluate("""([name, group]) => { const t = tbandTimeline; t.select({ row: t.rows.find(it => it.name === name && it.group === group), lane: 0, index: null }); }""", [name, group])


def exact(ns):
    size, sign = abs(ns), "-" if ns < 0 else ""
    if size < 1000:
        return f"{sign}{size} ns"
    return f"{sign}{size // 1000}.{size % 1000:03} us" if size < 1_000_000 else f"{sign}{size // 1_000_000}.{size % 1_000_000:06} ms"


def same_as_why(page, *inputs):
    """Counts, lengths and splits of all subjects are those of `why --json`."""
    all_of_it, compared = known(page), 0
    for it in all_of_it:
        # Several of one name are one subject of `why`.
        if sum((other["kind"], other["name"]) == (it["kind"], it["name"]) for other in all_of_it) > 1:
            continue
        answer = why(it["name"], it["kind"], len(it["longest"]), *inputs)
        assert (it["count"], it["whole"]) == (answer["activations"], answer["whole"]), (it, answer)
        assert sum(whole + cut for _, whole, cut in it["bins"]) == it["count"]
        assert sum(whole for _, whole, _ in it["bins"]) == it["whole"]
        assert it["max"] == answer["max_ns"], (it["name"], it["max"], answer["max_ns"])
        for bin, ns in ((it["median"], answer["median_ns"]), (it["p99"], answer["p99_ns"])):
            assert (bin is None) == (ns is None) and (bin is None or bounds(bin)[0] <= ns < bounds(bin)[1]), (bin, ns)
        assert len(it["longest"]) == min(12, it["count"]) == len(answer["worst"])
        for one, worst in zip(it["longest"], answer["worst"]):
            for key in ("number", "release", "object", "woken_by", "merged", "begin_seen", "end_seen", "inverted_ns", "advice"):
                assert one[key] == worst[key], (key, one, worst)
            assert (int(one["released"]), int(one["response"])) == (worst["released_ns"], worst["response_ns"])
            assert [(int(part["ns"]), part["text"], part["isDetail"], part["isInverted"]) for part in one["split"]] == [
                (part["ns"], part["text"], part["is_detail"], part["is_inverted"]) for part in worst["split"]], (one, worst)
            compared += 1
    return compared


def test_figures_are_those_of_why(pages):
    for name, inputs, least in (("story", [STORY], 60), ("demo", [DEMO], 60), ("cores", CORES, 20), ("late", [VECTORS / "freertos_late_start.bin"], 1), ("damaged", [VECTORS / "truncated.bin"], 1)):
        with pages.open(made(name, *inputs)) as page:
            ready(page)
            compared = same_as_why(page, *inputs)
            assert compared >= least, (name, compared)
            # Each has a row in the timeline, but for those that never did anything there.
            for it in known(page):
                assert it["row"] is not None, it
                if it["kind"] != "interrupt":
                    assert it["shown"].split(" #")[0] == it["name"], it


def items(page):
    return page.locator(".activations li > button")


def test_a_task_has_a_histogram_and_its_longest_activations(pages):
    with pages.open(made("story", STORY)) as page:
        ready(page)
        section = page.locator(".activations")
        assert not section.is_visible()
        choose(page, "control")
        answer = why("control", "task", 12, STORY)
        assert section.locator("h3").inner_text() == "Activations of control"
        told = section.locator("p").first.inner_text()
        for text in (f"{answer['activations']} activations, {answer['whole']} whole", f"longest {duration(answer['max_ns'])}"):
            assert text in told, (text, told)
        [it] = [it for it in known(page) if it["name"] == "control" and it["kind"] == "task"]
        svg = section.locator("svg").first
        assert "Histogram of the response times: " in svg.get_attribute("aria-label")
        # A bar for each bin, whole above the axis and cut below it, in the order of the lengths.
        bars = svg.locator("rect").evaluate_all("all => all.map(it => [it.getAttribute('class'), ...['x', 'y', 'width', 'height'].map(key => Number(it.getAttribute(key))), it.textContent])")
        wanted = [(kind, bin, count) for bin, whole, cut in it["bins"] for kind, count in (("whole", whole), ("cut", cut)) if count > 0]
        assert [bar[0] for bar in bars] == [kind for kind, _, _ in wanted]
        axis = float(svg.locator("line.axis").get_attribute("y1"))
        for (kind, x, y, width, height, title), (_, bin, count) in zip(bars, wanted):
            assert width > 0 and 0 <= x and x + width <= 100.001 and height > 0, title
            assert abs((y + height if kind == "whole" else y) - axis) < 1e-6, title
            assert title.startswith(f"{count} from {duration(bounds(bin)[0])} to {duration(bounds(bin)[1])}"), title
        lefts = [bar[1] for bar in bars if bar[0] == "whole"]
        assert lefts == sorted(lefts) and len(set(lefts)) == len(lefts)
        assert items(page).count() >= 12
        for item, worst in zip(items(page).all(), answer["worst"]):
            longest = max((part for part in worst["split"] if not part["is_detail"]), key=lambda part: part["ns"])
            told = item.inner_text()
            for text in (duration(worst["response_ns"]), longest["text"], f"{longest['ns'] * 100 / worst['response_ns']:.0f} %"):
                assert text in told, (text, told)


def test_an_activation_shows_its_split_and_moves_the_view(pages):
    with pages.open(made("story", STORY)) as page:
        ready(page)
        choose(page, "control")
        text = cli("why", "--worst", "3", "control", STORY).stdout.decode()
        splits = re.split(r"\n\d\. ", text)[1:]
        answer = why("control", "task", 3, STORY)
        for index, (worst, told) in enumerate(zip(answer["worst"], splits)):
            item = items(page).nth(index)
            assert item.get_attribute("aria-expanded") == "false"
            item.click()
            assert item.get_attribute("aria-expanded") == "true" and page.locator("[aria-expanded=true]").count() == 1
            # The lines of the text: share, time and words.
            lines = [re.sub(r"\s+", " ", line).replace("<- priority", "priority").strip() for line in told.splitlines()[1:]]
            for row, part in zip(page.locator(".split tr").all(), worst["split"]):
                shown = ungrouped(" ".join(row.locator("td").all_inner_texts())).strip()
                assert re.sub(r"\s+", " ", shown) in lines, (shown, lines)
                assert exact(part["ns"]) in shown
            assert page.locator(".split tr").count() == len(worst["split"])
            if index == 0:
                assert f"Do: {worst['advice']}" in page.locator(".activations").inner_text()
                assert page.locator(".split strong").count() >= 2
            # All of it is seen and marked, and it takes a good part of the view.
            shown = page.evaluate("({...tbandTimeline.view, marked: tbandTimeline.range, origin: Number(tbandTimeline.picture.start), row: tbandTimeline.selection.row.name})")
            begin, length = worst["released_ns"] - shown["origin"], worst["response_ns"]
            assert shown["marked"] == [begin, begin + length] and shown["row"] == "control", shown
            wide = shown["width"] * shown["perPixel"]
            assert shown["from"] <= begin and begin + length <= shown["from"] + wide and length * 5 > wide, (shown, worst)
        item.click()
        assert page.locator("[aria-expanded=true]").count() == 0 and page.locator(".split").count() == 0


def test_it_is_worked_without_a_mouse(pages):
    for width, scheme in WAYS:
        with pages.open(made("story", STORY), width=width, scheme=scheme) as page:
            ready(page)
            page.locator(".scroller").focus()
            for _ in range(60):
                page.keyboard.press("ArrowDown")
                if page.evaluate("tbandTimeline.selection.row.name === 'control'"):
                    break
            page.keyboard.press("e")
            assert page.evaluate("document.activeElement.closest('.activations') !== null")
            before = page.evaluate("({...tbandTimeline.view})")
            page.keyboard.press("Enter")
            assert items(page).first.get_attribute("aria-expanded") == "true"
            assert page.evaluate("({...tbandTimeline.view})") != before
            # The focus is still where it was, and the next one is a Tab away.
            assert items(page).first.evaluate("it => it === document.activeElement")
            accessible(page)
            fits(page)
            box = page.locator(".split").bounding_box()
            panel = page.locator(".panel").bounding_box()
            assert box["x"] >= panel["x"] and box["x"] + box["width"] <= panel["x"] + panel["width"], (box, panel)
            page.keyboard.press("Tab")
            assert items(page).nth(1).evaluate("it => it === document.activeElement")
            page.keyboard.press("Space")
            assert items(page).nth(1).get_attribute("aria-expanded") == "true"
            assert items(page).first.get_attribute("aria-expanded") == "false"


def test_a_click_on_a_row_is_enough(pages):
    with pages.open(made("story", STORY)) as page:
        ready(page)
        box = page.locator(".scroller").bounding_box()
        at = page.evaluate("tbandTimeline.middle(tbandTimeline.rows.find(it => it.kind === 'task' && it.name === 'control'))")
        page.mouse.click(box["x"] + 40, box["y"] + at)
        assert page.locator(".activations h3").inner_text() == "Activations of control"
        # Another row has others; a row that is neither a task nor an interrupt has none.
        choose(page, "filter")
        assert page.locator(".activations h3").inner_text() == "Activations of filter"
        choose(page, "IDLE")
        assert "The idle task has no activations" in page.locator(".activations").inner_text()
        choose(page, "core 0", "Cores")
        assert not page.locator(".activations").is_visible()
        # Of a core the interrupt that is pressed, or each.
        names = sorted(it["name"] for it in known(page) if it["kind"] == "interrupt")
        choose(page, "interrupts of core 0", "Cores")
        assert page.locator(".activations summary").count() == len(names) > 1
        page.locator(".activations summary").first.click()
        # The page fills it in a later event.
        items(page).first.wait_for()
        page.evaluate("""() => { const t = tbandTimeline, row = t.rows.find(it => it.name === "interrupts of core 0"), lane = row.lanes.findIndex(it => it.kind === "slices"); t.select({ row, lane, index: 0 }); }""")
        name = page.evaluate("tbandTimeline.picture.texts[tbandTimeline.selection.row.lanes[tbandTimeline.selection.lane].value[0]][1]")
        assert page.locator(".activations h3").inner_text() == f"Activations of {name}" and name in names
        items(page).first.click()
        answer = why(name, "interrupt", 1, STORY)
        assert page.evaluate("tbandTimeline.range[1] - tbandTimeline.range[0]") == answer["worst"][0]["response_ns"]
        assert page.evaluate("(({row, lane, index}) => row.lanes[lane].start[index])(tbandTimeline.selection)") == page.evaluate("tbandTimeline.range[0]")


def test_a_timer_has_its_callbacks(pages):
    with pages.open(made("demo", DEMO)) as page:
        ready(page)
        timers = [it for it in known(page) if it["kind"] == "timer"]
        assert timers
        for it in timers:
            choose(page, it["shown"], "Timers")
            assert page.locator(".activations h3").inner_text() == f"Activations of {it['shown']}"
            items(page).first.click()
            assert page.locator(".split tr").count() == len(it["longest"][0]["split"])


def test_findings_lead_to_the_activation_they_are_about(pages):
    for name, inputs in (("story", [STORY]), ("demo", [DEMO]), ("sim", [VECTORS / "freertos_sim.bin"])):
        found = json.loads(cli("check", "--json", *inputs).stdout)["highlights"]
        with pages.open(made(name, *inputs)) as page:
            ready(page)
            listed = page.locator(".highlights li").all()
            assert len(listed) == len(found)
            page.evaluate("document.querySelectorAll('.worth details').forEach(it => { it.open = true; })")
            for it in found:
                [item] = [item for item in listed if it["highlight"] in item.inner_text() and ungrouped(it["means"]) in ungrouped(item.inner_text())]
                links = item.locator("a")
                if it["highlight"] != "priority inversion":
                    assert "tband-cli" in item.inner_text()
                    continue
                assert links.count() == 2, item.inner_text()
                links.nth(1).click()
                until(page, "document.querySelector('[aria-expanded=true]') !== null && tbandTimeline.range !== null")
                # The marked range is that of the command that the finding names.
                task = it["see"].split()[-2]
                answer = json.loads(cli("why", "--json", "--at", f"{it['at_ns']}ns", task, *inputs).stdout)
                [worst] = answer["worst"]
                marked = page.evaluate("tbandTimeline.range.map(it => String(tbandTimeline.picture.start + BigInt(it)))")
                assert list(map(int, marked)) == [worst["released_ns"], worst["ended_ns"]], (marked, worst)
                rows = page.locator(".split tr").all_inner_texts()
                assert len(rows) == len(worst["split"]) and "priority inversion" in " ".join(rows)
                # The other link leads to the wait, and opens the activation that has it.
                links.nth(0).click()
                until(page, f"tbandTimeline.selection.at && tbandTimeline.selection.at[0] === {it['at_ns']} - Number(tbandTimeline.picture.start)")
                assert page.locator("[aria-expanded=true]").count() == 1


def test_both_of_two_recordings_have_their_own(pages):
    path = FOLDER / "activations-pair.html"
    mended = STORY.with_name("sensor-pipeline-mended.bin")
    cli("report", "-q", "-o", path, STORY, "--compare", mended)
    with pages.open(f"file://{path}") as page:
        until(page, "globalThis.tbandPair && tbandPair.timelines.every(it => it.operations > 0)")
        for index, recording_ in enumerate((STORY, mended)):
            page.evaluate(f"(() => {{ const t = tbandPair.timelines[{index}]; t.select({{ row: t.rows.find(it => it.name === 'control'), lane: 0, index: null }}); }})()")
            section = page.locator(".activations").nth(index)
            answer = why("control", "task", 1, recording_)
            assert f"{answer['activations']} activations" in section.inner_text()
            section.locator("li > button").first.click()
            assert exact(answer["worst"][0]["split"][0]["ns"]) in ungrouped(section.locator(".split").inner_text())
        page.locator(".highlights a", has_text="its activation").first.click()
        assert page.evaluate("tbandPair.timelines[0].range !== null")


# In ns, as a clock of UTC has it.
LATE = 1_780_000_000_000_000_123
EVIL = b"</script><img src=x onerror=alert(1)>"


def rounds(begin, count, task=2, name=b"two", step=1000):
    """A task that waits for an item and works, again and again, with an interrupt each time."""
    yield frame(RESOLUTION, 1)
    yield frame(TASK_NAME, 1, b"one")
    yield frame(TASK_NAME, task, name)
    yield frame(SWITCHED_IN, begin, 1)
    yield frame(SWITCHED_IN, begin + 1, task)
    yield frame(BLOCK_ON_RECEIVE, begin + 2, 3, 7)
    yield frame(SWITCHED_IN, begin + 3, 1)
    for number in range(count):
        at = begin + 10 + number * step
        yield frame(ISR_ENTER, at, 5)
        yield frame(SEND, at + 1, 3, 1)
        yield frame(READY, at + 1, task)
        yield frame(ISR_EXIT, at + 2, 5)
        yield frame(SWITCHED_IN, at + 4, task)
        yield frame(RECEIVE, at + 5, 3, 0)
        yield frame(BLOCK_ON_RECEIVE, at + 20 + number % 300, 3, 7)
        yield frame(SWITCHED_IN, at + 21 + number % 300, 1)


def release_recordings_of_a_few_events(pages):
    for name, frames in {
        "nothing": [frame(RESOLUTION, 1)],
        "three": [frame(RESOLUTION, 1), frame(SWITCHED_IN, 5, 1), frame(SWITCHED_IN, 9, 2)],
        "late": [frame(RESOLUTION, 1), frame(SWITCHED_IN, LATE, 1), frame(READY, LATE + 3, 2), frame(SWITCHED_IN, LATE + 7, 2)],
        "one": list(rounds(0, 1)),
    }.items():
        path = recording(f"few-{name}", *frames)
        with pages.open(report(path)) as page:
            ready(page)
            if name == "nothing":
                assert known(page) == []
                continue
            same_as_why(page, path)
            for row in page.evaluate("tbandTimeline.rows.filter(it => it.kind === 'task').map(it => it.name)"):
                choose(page, row)
                for item in items(page).all():
                    item.click()
                    assert page.locator("[aria-expanded=true]").count() == 1
            accessible(page)


def release_times_of_a_clock_of_utc_are_exact(pages):
    path = recording("utc", *rounds(LATE, 40))
    with pages.open(report(path)) as page:
        ready(page)
        assert same_as_why(page, path) > 20
        choose(page, "two")
        items(page).first.click()
        answer = why("two", "task", 1, path)["worst"][0]
        told = ungrouped(page.locator(".activations li > div").first.inner_text())
        assert told.startswith(f"{answer['released_ns'] // 1_000_000}.{answer['released_ns'] % 1_000_000:06} ms to "), told


def release_a_hundred_thousand_activations(pages):
    path = recording("many-activations", *rounds(0, 100_000))
    page_path = path.with_suffix(".html")
    with pages.open(report(path)) as page:
        ready(page)
        [it] = [it for it in known(page) if it["name"] == "two"]
        assert it["count"] == 100_001 and len(it["longest"]) == 12 and len(it["bins"]) < 40, it["count"]
        same_as_why(page, path)
        choose(page, "two")
        items(page).first.click()
        assert page.locator(".split tr").count() >= 2
    # Counts and a few: they do not make it large.
    assert page_path.stat().st_size < 20 * 100_000, page_path.stat().st_size


def release_names_are_texts(pages):
    path = recording("evil", *rounds(0, 5, name=EVIL))
    with pages.open(report(path)) as page:
        ready(page)
        choose(page, EVIL.decode())
        assert page.locator(".activations h3").inner_text() == f"Activations of {EVIL.decode()}"
        items(page).first.click()
        choose(page, "one")
        assert EVIL.decode() in page.locator(".activations").inner_text() or items(page).count() > 0
        for item in items(page).all():
            item.click()
        assert page.locator("img").count() == 0
        accessible(page)


def release_tasks_of_one_name_or_one_number_have_their_own(pages):
    # Task 2 is deleted, and another one gets its number and name; task 4 has the same name all the while.
    first = list(rounds(0, 3))
    again = list(rounds(100_000, 5))[3:]
    other = list(rounds(200_000, 7, task=4))[3:]
    path = recording("same", *first, frame(TASK_NAME, 4, b"two"), frame(DELETED, 90_000, 2), frame(CREATED, 95_000, 2), frame(READY, 95_001, 2), *again, *other)
    with pages.open(report(path)) as page:
        ready(page)
        all_of_it = [it for it in known(page) if it["kind"] == "task" and it["name"] == "two"]
        rows = [it["row"] for it in all_of_it]
        assert len(rows) == len(set(rows)) >= 2, all_of_it
        for it in all_of_it:
            page.evaluate("(row) => tbandTimeline.select({ row: tbandTimeline.rows[row], lane: 0, index: null })", it["row"])
            assert f"{it['count']} activation" in page.locator(".activations").inner_text()
            assert items(page).count() >= min(12, it["count"])
            # A click on an item selects a slice of this row.
            items(page).first.click()
            assert page.evaluate("tbandTimeline.selection.row.index") == it["row"]


def release_a_link_leads_to_the_activation_that_went_on(pages):
    # Three items come while the task works on the first one: their activations overlap, and one is meant at a time.
    frames = [frame(RESOLUTION, 1), frame(TASK_NAME, 1, b"one"), frame(TASK_NAME, 2, b"two"), frame(SWITCHED_IN, 0, 1), frame(SWITCHED_IN, 1, 2), frame(BLOCK_ON_RECEIVE, 2, 3, 7), frame(SWITCHED_IN, 3, 1),
              frame(SEND, 10, 3, 1), frame(READY, 11, 2), frame(SWITCHED_IN, 12, 2), frame(RECEIVE, 13, 3, 0),
              frame(ISR_ENTER, 100, 5), frame(SEND, 101, 3, 1), frame(SEND, 102, 3, 2), frame(ISR_EXIT, 103, 5),
              frame(RECEIVE, 1000, 3, 1), frame(RECEIVE, 1100, 3, 0), frame(BLOCK_ON_RECEIVE, 1200, 3, 7), frame(SWITCHED_IN, 1201, 1), frame(SWITCHED_IN, 1300, 1)]
    path = recording("overlap", *frames)
    with pages.open(report(path)) as page:
        ready(page)
        same_as_why(page, path)
        [it] = [it for it in known(page) if it["name"] == "two"]
        assert sum(one["backlog_ns"] > 0 for one in it["longest"]) == 2, it
        at = """(from, to) => { const t = tbandTimeline, row = t.rows.find(it => it.name === "two"), found = activationAt(t.picture, row, from, to); return found && found.number; }"""
        numbers = [page.evaluate(f"({at})({from_}, {to})") for from_, to in ((300, 900), (1010, 1090), (1110, 1190), (500, 1050))]
        assert numbers[:3] == sorted(set(numbers[:3])) and None not in numbers[:3] and numbers[3] is None, numbers
        for one in it["longest"]:
            begin = int(one["released"])
            assert page.evaluate(f"({at})({begin}, {begin + int(one['response'])})") == one["number"]


def release_a_gap_cuts_an_activation(pages):
    frames = list(rounds(0, 30))
    path = recording("gap", *frames, frame(SWITCHED_IN, 40_000, 2), frame(DROPPED, 41_000, 5), frame(SWITCHED_IN, 42_000, 2), frame(SWITCHED_IN, 43_000, 1))
    with pages.open(report(path)) as page:
        ready(page)
        same_as_why(page, path)
        choose(page, "two")
        [it] = [it for it in known(page) if it["name"] == "two"]
        assert it["whole"] < it["count"]
        cut = sum(count for _, _, count in it["bins"])
        assert page.locator("rect.cut").count() == sum(1 for _, _, count in it["bins"] if count) and cut == it["count"] - it["whole"]
        texts = items(page).all_inner_texts()
        assert any("at least " in text for text in texts), texts
        place = next(index for index, text in enumerate(texts) if "at least " in text)
        items(page).nth(place).click()
        assert re.search("cut: |its begin is not recorded", page.locator(".activations li > div").nth(place).inner_text())
        accessible(page)


def release_everybody_can_read_it(pages):
    for width, scheme in OTHER_WAYS:
        with pages.open(made("story", STORY), width=width, scheme=scheme) as page:
            ready(page)
            choose(page, "filter")
            items(page).first.click()
            accessible(page)
            fits(page)


def test_the_web_page_has_them_too(pages):
    with pages.open(f"file://{os.environ['TBAND_PAGE']}/index.html") as page:
        page.wait_for_selector("body[data-ready]")
        page.set_input_files("#choose", STORY)
        until(page, "!state.jobs.current && document.querySelector('#progress').hidden")
        page.click("#show")
        until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
        assert same_as_why(page, STORY) > 60
        page.locator(".highlights a", has_text="its activation").first.click()
        until(page, "document.querySelector('[aria-expanded=true]') !== null && tbandTimeline.range !== null")
        answer = why("control", "task", 1, STORY)["worst"][0]
        assert len(page.locator(".split tr").all()) == len(answer["split"])
        assert exact(answer["split"][0]["ns"]) in ungrouped(page.locator(".split").inner_text())


main(globals())
