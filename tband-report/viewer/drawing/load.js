// The load over time, above the rows: who used the cores, as areas in the tasks' colours.

const LOAD = 44;
/** As many tasks have their own area; what others used is one. */
const AREAS = 12;
/** Pixels that a step is wide. */
const STEP = 3;

class Load {
  constructor(rows) {
    this.cores = rows.filter((row) => row.kind === "core" && row.lanes[0]);
    const ran = (row) => row.lanes[0]?.timeOf("running") ?? 0;
    this.tasks = rows.filter((row) => row.kind === "task" && !row.isIdle && ran(row) > 0).sort((one, two) => ran(two) - ran(one)).slice(0, AREAS);
  }

  get height() { return this.cores.length > 0 ? LOAD : 0; }

  /** Shares of the cores' time: of each task that has an area, of the other tasks, of interrupts, and of
   * unknown time. The rest belongs to the idle tasks. */
  shares(from, to) {
    const all = (to - from) * this.cores.length, times = this.cores.map((row) => coreTimes(row, from, to));
    const sum = (of) => times.reduce((sum, it) => sum + of(it), 0) / all;
    const tasks = this.tasks.map((row) => [row, taskTimes(row, from, to).runs / all]);
    const others = sum((it) => it.task) - tasks.reduce((sum, [, share]) => sum + share, 0);
    return { tasks, others: Math.max(0, others), interrupts: sum((it) => it.isr + it.loneIsr), unknown: sum((it) => it.unknown) };
  }

  /** The load in words. */
  words(from, to) {
    const { busy, known, isExact, share, why } = loadOf(this.cores, from, to);
    return share === null ? why : shareText(busy, known, isExact);
  }

  draw(pen, y) {
    const { from, perPixel, left, width } = pen.view, { colours } = pen;
    const room = LOAD - 8, base = y + LOAD - 3;
    pen.rect(left, y, width, LOAD, colours.panel);
    for (const share of [0, 0.5, 1]) pen.rect(left, base - room * share, width, 1, colours.line);
    for (let x = 0; x < width; x += STEP) {
      const start = from + x * perPixel, end = from + Math.min(width, x + STEP) * perPixel, wide = Math.min(STEP, width - x);
      const { tasks, others, interrupts, unknown } = this.shares(start, end);
      let top = base;
      const area = (share, colour) => {
        const tall = Math.min(room * share, top - (base - room));
        if (tall <= 0) return;
        top -= tall;
        pen.rect(left + x, top, wide, tall, colour);
      };
      for (const [row, share] of tasks) area(share, colours.ofRow(row));
      area(others, colours.running);
      area(interrupts, colours.isr);
      // Hangs from above: it is neither load nor idle time.
      const tall = Math.min(room * unknown, top - (base - room));
      if (tall > 0 && start >= 0 && end <= pen.picture.length) pen.unknown(left + x, base - room, wide, tall);
    }
    pen.rect(0, y, left - 4, LOAD, colours.panel);
    pen.words("CPU load", 11, y + 14, left - 15);
    const words = this.words(from, from + width * perPixel);
    pen.words(`${words}${left > 120 && words.endsWith("%") ? " in view" : ""}`, 11, y + 30, left - 15, colours.faint);
    pen.rect(0, y + LOAD - 1, left + width + 8, 1, colours.line);
  }
}
