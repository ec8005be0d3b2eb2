// The load over time, above the rows: who used the cores, as areas in the tasks' colours.

const LOAD = 44;
/** As many tasks have their own area; what others used is one. */
const AREAS = 12;
/** Pixels that a step is wide. */
const STEP = 3;
/** Interrupts that are looked at one by one. */
const LOOKED_AT = 5000;

class Load {
  constructor(rows) {
    this.cores = rows.filter((row) => row.kind === "core");
    this.interrupts = rows.filter((row) => row.group === "Cores" && row.kind === "nested");
    const ran = (row) => row.lanes[0]?.timeOf("running") ?? 0;
    this.tasks = rows.filter((row) => row.kind === "task" && !row.isIdle && ran(row) > 0).sort((one, two) => ran(two) - ran(one)).slice(0, AREAS);
    this.sum = new Float64Array(CLASSES.length);
  }

  get height() { return this.cores.length > 0 ? LOAD : 0; }

  /** Time of a class in lanes, from one time to another. */
  time(lanes, name, from, to) {
    let time = 0;
    for (const lane of lanes) {
      const slot = lane ? lane.classes.indexOf(name) : -1;
      if (slot >= 0) time += lane.timesIn(from, to, this.sum)[slot];
    }
    return time;
  }

  /** Shares of what the cores have of time: of all tasks, of each that has an area, and of interrupts. An interrupt is
   * part of what the task has that it interrupts. */
  shares(from, to) {
    const all = (to - from) * this.cores.length;
    return {
      busy: this.time(this.cores.map((row) => row.lanes[0]), "name", from, to) / all,
      tasks: this.tasks.map((row) => [row, this.time([row.lanes[0]], "running", from, to) / all]),
      interrupts: this.time(this.interrupts.map((row) => row.lanes[1]), "isr", from, to) / all,
    };
  }

  /** The load as the tables have it: tasks and interrupts, of the time of which it is known who ran. Null if nothing is
   * known, or if there are too many interrupts to look at each. */
  loadOf(from, to) {
    let used = 0, known = 0;
    for (const core of this.cores) {
      const lane = core.lanes[0], interrupts = this.interrupts.find((row) => row.name === `interrupts of ${core.name}`)?.lanes[1];
      const busy = this.time([lane], "name", from, to), idle = this.time([lane], "idle", from, to);
      known += busy + idle;
      used += busy;
      if (!interrupts) continue;
      // What interrupts the idle task is load as well.
      const first = interrupts.firstEndingAfter(from), last = interrupts.firstFrom(to, first);
      if (last - first > LOOKED_AT) return null;
      for (let i = first; i < last; i++) {
        const [start, end] = [Math.max(from, interrupts.start[i]), Math.min(to, interrupts.end[i])];
        const share = interrupts.isAggregate(i) ? this.time([interrupts], "isr", start, end) / (end - start) : 1;
        if (end > start) used += share * this.time([lane], "idle", start, end);
      }
    }
    return known > 0 ? used / known : null;
  }

  draw(pen, y) {
    const { from, perPixel, left, width } = pen.view, { colours } = pen;
    const room = LOAD - 8, base = y + LOAD - 3;
    pen.rect(left, y, width, LOAD, colours.panel);
    for (const share of [0, 0.5, 1]) pen.rect(left, base - room * share, width, 1, colours.line);
    for (let x = 0; x < width; x += STEP) {
      const start = from + x * perPixel, end = from + Math.min(width, x + STEP) * perPixel, wide = Math.min(STEP, width - x);
      const { busy, tasks, interrupts } = this.shares(start, end);
      let top = base, rest = busy;
      const area = (share, colour) => {
        const tall = Math.min(room * share, top - (base - room));
        if (tall <= 0) return;
        top -= tall;
        pen.rect(left + x, top, wide, tall, colour);
      };
      for (const [row, share] of tasks) {
        area(share, colours.ofRow(row));
        rest -= share;
      }
      area(rest, colours.running);
      area(interrupts, colours.isr);
    }
    pen.rect(0, y, left - 4, LOAD, colours.panel);
    pen.words("CPU load", 11, y + 14, left - 15);
    const load = this.loadOf(from, from + width * perPixel);
    if (load !== null) pen.words(`${(load * 100).toFixed(1)} %${left > 120 ? " in view" : ""}`, 11, y + 30, left - 15, colours.faint);
    pen.rect(0, y + LOAD - 1, left + width + 8, 1, colours.line);
  }
}
