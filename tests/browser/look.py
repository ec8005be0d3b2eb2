"""How it looks: colours, and what can be read without them."""

from driver import DEMO, FOLDER, accessible, cli, main, until
from frames import CREATED, DELETED, READY, RESOLUTION, SWITCHED_IN, TASK_NAME, frame, recording, report

# What a canvas makes of a colour, as numbers.
PROBE = """
(colours) => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return colours.map((colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
}
"""


def ready(page):
    until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")


def demo():
    path = FOLDER / "look.html"
    if not path.exists():
        cli("report", "-q", "-o", path, DEMO)
    return f"file://{path}"


def luminance(colour):
    parts = [it / 255 for it in colour]
    linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, two):
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def near(one, two, by=3):
    return all(abs(a - b) <= by for a, b in zip(one, two))


def task_colours(page):
    """Of each task that is not idle its name and its colour."""
    names = page.evaluate("tbandTimeline.rows.filter(it => it.kind === 'task' && !it.isIdle).map(it => it.name)")
    colours = page.evaluate(PROBE, page.evaluate("tbandTimeline.rows.filter(it => it.kind === 'task' && !it.isIdle).map(it => tbandTimeline.colours.ofRow(it))"))
    return dict(zip(names, colours))


def test_each_task_has_a_colour_and_it_is_the_same_everywhere(pages):
    for scheme in ("light", "dark"):
        with pages.open(demo(), scheme=scheme) as page:
            ready(page)
            colours = task_colours(page)
            assert len(colours) == 19 and len({tuple(it) for it in colours.values()}) == 19, colours
            # In the tables and the bars.
            found = page.evaluate("""() => [...document.querySelectorAll("#table-tasks tbody th, #table-blocked tbody th")]
              .map(it => [it.textContent, it.querySelector(".swatch")]).filter(([, it]) => it && !it.classList.contains("idle"))
              .map(([name, it]) => [name, getComputedStyle(it).backgroundColor])""")
            bars = page.evaluate("""() => [...document.querySelectorAll(".bars dt")]
              .map(it => [it.textContent, it.nextElementSibling.firstChild]).filter(([, it]) => it.matches(".running"))
              .map(([name, it]) => [name, getComputedStyle(it).backgroundColor])""")
            areas = page.evaluate("""() => [...document.querySelectorAll(".owners li")].map(it => [it.textContent, it.firstChild])
              .filter(([, it]) => it.matches(".of-task")).map(([name, it]) => [name, getComputedStyle(it).backgroundColor])""")
            assert len(found) > 30 and len(bars) > 8 and len(areas) > 8, (found, bars, areas)
            for (name, _), colour in zip(found + bars + areas, page.evaluate(PROBE, [it[1] for it in found + bars + areas])):
                assert near(colours[name], colour), (name, colours[name], colour)
            # On the core's row, where it runs long enough, and on its own.
            checked = set()
            for name in colours:
                longest = page.evaluate("""(name) => {
                  const lane = tbandTimeline.rows.find(it => it.kind === "task" && it.name === name).lanes[0];
                  let best = null;
                  for (let i = 0; i < lane.count; i++) {
                    const length = lane.end[i] - lane.start[i];
                    if (tbandTimeline.picture.texts[lane.value[i]][0] === "running" && (!best || length > best[1] - best[0])) best = [lane.start[i], lane.end[i]];
                  }
                  return best;
                }""", name)
                page.evaluate("([from, to]) => { tbandTimeline.show(from, to); tbandTimeline.paint(); }", longest)
                for row in ("core 0", name):
                    seen = page.evaluate("""(name) => {
                      const t = tbandTimeline, item = t.layout.items.find(it => it.row?.name === name);
                      if (!item || item.y + item.height > t.height - t.top) return null;
                      const x = t.view.left + t.view.width * 0.93, y = t.top + item.y - t.scroller.scrollTop + item.height - 6;
                      return [...t.canvas.getContext("2d").getImageData(x * t.scale, y * t.scale, 1, 1).data.slice(0, 3)];
                    }""", row)
                    if seen is not None:
                        assert near(seen, colours[name]), (row, name, seen, colours[name])
                        checked.add(name)
            assert len(checked) > 10, checked


def test_interrupts_have_a_colour_of_their_own_and_texts_can_be_read(pages):
    for scheme in ("light", "dark"):
        with pages.open(demo(), scheme=scheme) as page:
            ready(page)
            colours = list(task_colours(page).values())
            states = page.evaluate("['isr', 'ready', 'blocked', 'suspended', 'idle', 'running'].map(it => tbandTimeline.colours[it])")
            isr, *states = page.evaluate(PROBE, states)
            assert all(sum(abs(a - b) for a, b in zip(isr, it)) > 60 for it in colours), (isr, colours)
            [ink] = page.evaluate(PROBE, [page.evaluate("tbandTimeline.colours.ink")])
            for colour in [*colours, *states[:-1]]:
                assert contrast(ink, colour) >= 4.5, (scheme, colour, contrast(ink, colour))
            legend = page.locator(".legend").inner_text()
            assert all(it in legend for it in ("runs", "ready", "blocked", "suspended", "idle", "interrupt")), legend
            assert "lost" not in legend
            accessible(page)


def test_what_takes_name_and_number_of_another_has_its_colour(pages):
    names = [frame(CREATED, 100, 1), frame(TASK_NAME, 1, b"one")]
    lives = []
    for at in range(200, 500, 100):
        lives += [frame(CREATED, at, 5), frame(TASK_NAME, 5, b"worker"), frame(READY, at + 1, 5), frame(SWITCHED_IN, at + 10, 5), frame(SWITCHED_IN, at + 50, 1), frame(DELETED, at + 60, 5)]
    with pages.open(report(recording("lives", frame(RESOLUTION, 10), *names, *lives))) as page:
        ready(page)
        numbers = page.evaluate("tbandTimeline.rows.filter(it => it.kind === 'task').map(it => [it.name.split(' ')[0], it.task])")
        assert len(numbers) == 4 and len({tuple(it) for it in numbers}) == 2, numbers


main(globals())
