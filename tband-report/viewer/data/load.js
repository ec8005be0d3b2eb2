// Load and CPU time of a part of the timeline: sums of what the converter exports, where interrupts are taken out of the tasks
// that they interrupt. The converter's own module `load` defines the terms.

/** Lets lanes of cores and of tasks find the interrupts on top of their slices. */
function linkInterrupts(rows, texts) {
  const laneOn = (core) => rows.find((row) => row.name === `interrupts of ${core.name}` && row.group === core.group)?.lanes[1] ?? null;
  const lanes = new Map(rows.filter((row) => row.kind === "core").map((row) => [row.index, laneOn(row)]));
  for (const row of rows) {
    const [lane] = row.lanes;
    if (row.kind === "core" && lane) lane.interruptsOf = () => lanes.get(row.index);
    else if (row.kind === "task" && lane) lane.interruptsOf = (text) => lanes.get(texts[text][3]) ?? null;
  }
}

/** The sum of some classes in a lane from one time to another. */
function timeIn(lane, names, from, to, times = lane?.timesIn(from, to)) {
  return lane ? names.reduce((sum, name) => sum + (times[lane.classes.indexOf(name)] ?? 0), 0) : 0;
}

/** The time of a core by its owner, in ns: tasks, the idle task, interrupts on top of them, interrupts while it is not
 * known which task has the core, and the rest, which is unknown. */
function coreTimes(row, from, to) {
  const [lane] = row.lanes, times = lane.timesIn(from, to), time = (name) => timeIn(lane, [name], from, to, times);
  const [task, idle] = ["name", "idle"].map(time), isr = time("isr") + time("idle_isr"), interrupts = lane.interruptsOf(null);
  const all = timeIn(interrupts, ["isr"], from, to), isExact = lane.isExactIn(from, to) && (interrupts?.isExactIn(from, to) ?? true);
  // Where aggregates are cut the parts may not fit together.
  const known = task + idle + isr, loneIsr = Math.min(Math.max(0, all - isr), Math.max(0, to - from - known));
  return { task, idle, isr, loneIsr, unknown: Math.max(0, to - from - known - loneIsr), known, busy: task + isr, isExact };
}

/** The load of cores together from one time to another. `share` is null where it is not known: `why` has the reason. */
function loadOf(cores, from, to) {
  let busy = 0, known = 0, isExact = true, why = null;
  for (const row of cores) {
    const times = coreTimes(row, from, to);
    if (times.known <= 0) continue;
    busy += times.busy;
    known += times.known;
    isExact &&= times.isExact;
    if (!row.isIdleTaskKnown) why = "no known idle task";
  }
  if (known <= 0) why = "not recorded";
  return { busy, known, isExact, why, share: why === null ? busy / known : null };
}

/** What a task had of the cores: its CPU time, without the interrupts on top of it, and their time. */
function taskTimes(row, from, to) {
  const [lane] = row.lanes, times = lane.timesIn(from, to), time = (name) => timeIn(lane, [name], from, to, times);
  return { runs: time("running"), interrupted: time("isr"), ready: time("ready"), isExact: lane.isExactIn(from, to) };
}

/** The time in which the task of at least one core is known: the base of the tasks' shares. With several cores it is exact
 * only where all are known. */
function knownTime(cores, from, to) {
  const all = cores.map((row) => coreTimes(row, from, to)), length = to - from;
  const most = all.reduce((sum, { known }) => Math.max(sum, known), 0);
  return { time: most, isExact: all.every((it) => it.isExact && (cores.length === 1 || it.known === length)) };
}

/** A share in words; about, if it is not exact. */
const shareText = (part, whole, isExact, digits = 1) => (whole > 0 ? `${isExact ? "" : "≈ "}${(part / whole * 100).toFixed(digits)} %` : "-");
