// A marked part of the recording: its length, and statistics of it.

/** Tasks of a marked part that are listed. */
const LISTED = 40;

/** Statistics from one time to another. Times are in ns; `atLeast` is set if aggregates were cut, so that counts are not
 * exact, and `isExact` of times whether they are. */
function statisticsOf(rows, from, to) {
  const tasks = [], cores = [], interrupts = [];
  let switches = 0, atLeast = false;
  const count = (lane) => {
    const first = lane.firstFrom(from), last = lane.firstFrom(to, first);
    if (lane.aggregate === null) return last - first;
    let sum = 0;
    for (let i = first; i < last; i++) {
      if (lane.isAggregate(i)) { sum += lane.slices[lane.aggregate[i]]; atLeast = true; } else sum += 1;
    }
    return sum;
  };
  for (const row of rows) {
    const [lane] = row.lanes;
    if (row.kind === "task" && lane) {
      const { runs, ready, isExact } = taskTimes(row, from, to);
      if (runs > 0 || ready > 0) tasks.push({ row, runs, ready, isExact });
    } else if (row.kind === "core" && lane) {
      cores.push({ row, ...coreTimes(row, from, to), load: loadOf([row], from, to) });
      switches += count(lane);
    } else if (row.group === "Cores" && row.kind === "nested") {
      const number = row.lanes.slice(1).reduce((sum, it) => sum + count(it), 0);
      interrupts.push({ row, count: number, time: timeIn(row.lanes[1], ["isr"], from, to), isExact: row.lanes[1]?.isExactIn(from, to) ?? true });
    }
  }
  tasks.sort((one, two) => two.runs - one.runs || two.ready - one.ready);
  return { tasks, cores, interrupts, switches, atLeast, known: knownTime(cores.map(({ row }) => row), from, to), length: to - from };
}

/** Shows statistics of a marked part in the panel. */
function showStatistics(timeline) {
  const [from, to] = timeline.range, { picture } = timeline;
  const { tasks, cores, interrupts, switches, atLeast, known, length } = statisticsOf(timeline.rows, from, to);
  const about = atLeast ? "about " : "", time = (ns, isExact) => `${isExact ? "" : "≈ "}${duration(ns)}`;
  const line = (name, value) => element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, value));
  const at = (time) => moment(picture.start + BigInt(Math.round(time)));
  const button = (text, act) => element("button", { type: "button", on: { click: act } }, text);
  const facts = element("table", {}, element("caption", {}, `${timeline.prefix}Marked: ${duration(length)}`), element("tbody", {},
    line("from", at(from)), line("to", at(to)),
    length > 0 ? line("as a rate", `${groupDigits((1e9 / length).toPrecision(4))} /s`) : null,
    ...cores.map(({ row, load }) => line(`load of ${row.name}`, load.share === null ? load.why : shareText(load.busy, load.known, load.isExact))),
    ...cores.filter(({ unknown }) => unknown > 0).map(({ row, unknown, isExact }) => line(`not known of ${row.name}`, time(unknown, isExact))),
    ...interrupts.map(({ row, count, time: ns, isExact }) => line(row.name, `${about}${groupDigits(count)}, ${time(ns, isExact)}`)),
    line("task switches", `${about}${groupDigits(switches)}`)));
  const body = element("tbody", {}, ...tasks.slice(0, LISTED).map(({ row, runs, ready, isExact }) => element("tr", {},
    element("th", { scope: "row" }, named(row.name, row)),
    ...[shareText(runs, known.time, isExact && known.isExact), time(runs, isExact), time(ready, isExact)].map((text) => element("td", { class: "number" }, text)))));
  const heads = ["task", "CPU", "runs", "ready"].map((text) => element("th", { scope: "col" }, text));
  const label = `${timeline.prefix}Tasks in the marked part`;
  return [
    element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": `${timeline.prefix}The marked part in numbers` }, facts),
    element("p", { class: "actions" }, button("Zoom to it", () => timeline.show(from, to)), button("Clear", () => timeline.mark(null))),
    tasks.length === 0 ? null : element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label },
      element("table", {}, element("caption", {}, label), element("thead", {}, element("tr", {}, ...heads)), body)),
    tasks.length > LISTED ? element("p", { class: "hint" }, `${tasks.length - LISTED} more`) : null,
  ].filter(Boolean);
}

/** Draws it over the rows. */
function drawRange(timeline, pen) {
  if (!timeline.range) return;
  const { view, height } = timeline, { context, colours } = pen, [from, to] = timeline.range;
  const x0 = Math.max(view.left, pen.x(from)), x1 = Math.min(view.left + view.width, pen.x(to));
  if (x1 < view.left || x0 > view.left + view.width) return;
  context.globalAlpha = 0.14;
  pen.rect(x0, AXIS, Math.max(1, x1 - x0), height - AXIS, colours.accent);
  context.globalAlpha = 1;
  for (const x of [x0, x1]) pen.rect(x - 0.5, 6, 1, height, colours.accent);
  const words = `Δ ${duration(to - from)}`, wide = context.measureText(words).width + 12;
  const left = Math.max(view.left, Math.min(view.left + view.width - wide, (x0 + x1 - wide) / 2));
  pen.rect(left, 8, wide, 18, colours.accent);
  context.fillStyle = colours.paper;
  context.fillText(words, left + 6, 17);
}
