// Draws rows of a picture on a canvas: only visible slices, and for slices narrower than a pixel only the sums of that
// pixel. So the cost of a draw depends on the number of pixels, and not on the length of the recording.

const AXIS = 30;
const LANE = 15;
const GROUP = 20;
/** What a task does not do takes this much of its row's height. */
const THIN = 0.66;
/** What a pixel has a little of is that high. */
const LEAST = 2;
/** Classes of inactive time: other classes are drawn over them. */
const BACKGROUND = new Set(["blocked", "suspended", "idle"]);

/** Draws with a view of a picture: `from` and `perPixel` in ns. */
class Pen {
  constructor(context, picture, colours, view, marked) {
    Object.assign(this, { context, picture, colours, view, marked });
    this.operations = 0;
  }

  x(time) { return this.view.left + (time - this.view.from) / this.view.perPixel; }

  rect(x, y, width, height, colour) {
    this.operations++;
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  words(text, x, y, width, colour = this.colours.ink) {
    if (width < 22) return;
    const room = Math.floor((width - 6) / 6.2);
    this.put(text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text, x, y, colour);
  }

  /** A name: of a long one begin and end, since names that are alike differ in a number at the end. */
  name(text, x, y, width) {
    const room = Math.max(2, Math.floor((width - 6) / 6.2)), end = Math.floor((room - 1) / 3);
    this.put(text.length > room ? `${text.slice(0, room - 1 - end)}…${text.slice(text.length - end)}` : text, x, y, this.colours.ink);
  }

  put(shown, x, y, colour) {
    this.operations++;
    this.context.fillStyle = colour;
    this.context.fillText(shown, x + 3, y);
  }

  /** Visits the visible slices of a lane: `wide(index, x, width)`, and `narrow(from, to, x)` for a pixel in which
   * slices begin or end that are narrower. It includes the part of a wide slice in such a pixel. */
  each(lane, wide, narrow) {
    const { from, perPixel, left, width } = this.view;
    const until = from + width * perPixel;
    let i = lane.firstEndingAfter(from), drawn = left;
    while (i < lane.count && lane.start[i] < until) {
      const start = this.x(lane.start[i]), end = this.x(lane.end[i]);
      if (end - start >= 1.5) {
        const x0 = Math.max(drawn, start), x1 = Math.min(left + width, end);
        // The ends of an aggregate are not visible: it shares the pixels at its ends with its neighbours.
        const [inner, outer] = lane.isAggregate(i) ? [Math.ceil(x0), Math.floor(x1)] : [x0, x1];
        if (inner > x0) narrow(i, i + 1, inner - 1);
        if (outer > inner) wide(i, inner, outer - inner);
        if (outer < x1) narrow(i, i + 1, outer);
        drawn = Math.max(drawn, Math.ceil(outer < x1 ? outer + 1 : inner > x0 ? inner : drawn));
        i++;
        continue;
      }
      if (start < drawn && end <= drawn) { i++; continue; }
      const column = Math.max(drawn, Math.floor(start));
      const edge = from + (column + 1 - left) * perPixel;
      let next = Math.max(i + 1, lane.firstFrom(edge, i));
      narrow(i, next, column);
      drawn = column + 1;
      // A slice that continues after this pixel is visited again.
      if (next > i && lane.end[next - 1] > edge) next--;
      i = next;
    }
  }

  /** Draws unknown time. */
  unknown(x, y, width, height) {
    this.context.globalAlpha = 0.35;
    this.rect(x, y, width, height, this.colours.unknown);
    this.context.globalAlpha = 1;
  }

  /** Draws the sums of a part of a lane: the share of each class as height; each class that occurs is visible. */
  stack(lane, row, [from, to], x, width, y, height, text) {
    const times = lane.timesIn(from, to, this.times ??= new Float64Array(CLASSES.length)), { colours } = this;
    // Interrupts are a part of the interrupted slice here: they have a separate row.
    for (const [name, under] of [["isr", row.kind === "core" ? "name" : "running"], ["idle_isr", "idle"]]) {
      const [isr, gets] = [name, under].map((it) => lane.classes.indexOf(it));
      if (isr >= 0 && gets >= 0) [times[gets], times[isr]] = [times[gets] + times[isr], 0];
    }
    const share = (slot) => Math.min(1, times[slot] / (to - from));
    // Inactive time is drawn below.
    const room = row.kind === "task" ? Math.round(height * THIN) : height;
    let covered = 0, below = 0;
    lane.classes.forEach((name, slot) => {
      covered += share(slot);
      if (BACKGROUND.has(name)) below += share(slot);
    });
    let base = y + height;
    lane.classes.forEach((name, slot) => {
      if (!BACKGROUND.has(name) || times[slot] === 0) return;
      const tall = Math.max(1, room * Math.min(1, covered) * share(slot) / below);
      base -= tall;
      this.rect(x, base, width, tall, colours[name]);
    });
    const done = [];
    for (const name of CLASSES) {
      const slot = lane.classes.indexOf(name);
      if (slot >= 0 && times[slot] > 0 && !BACKGROUND.has(name)) done.push([name, row.kind === "errors" ? height : Math.max(1, height * share(slot))]);
    }
    if (done.length === 1) done[0][1] = Math.max(LEAST, done[0][1]);
    // Classes with small shares take their pixel from the class with the largest share.
    const most = done.reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
    most[1] -= Math.max(0, done.reduce((sum, [, tall]) => sum + tall, 0) - height);
    base = y + height;
    for (const [name, tall] of done) {
      base -= tall;
      // Several tasks in one pixel have no colour of theirs.
      const colour = name === "running" ? colours.ofRow(row) : name !== "name" ? colours[name] : row.kind === "core" ? colours.running : colours.ofText(text, row);
      this.rect(x, base, width, tall, colour);
    }
  }

  /** The time of a pixel. */
  span(x, width = 1) {
    const { from, perPixel, left } = this.view, start = from + (x - left) * perPixel;
    return [start, start + width * perPixel];
  }

  slices(lane, row, y, height) {
    const isTask = row.kind === "task", thin = Math.round(height * THIN);
    const box = (text) => {
      const kind = this.picture.texts[text][0];
      // What a task does not do is thin.
      if (isTask && kind !== "running" && kind !== "ready") return [y + height - thin, thin];
      return [y, height];
    };
    let ended = 0;
    this.each(lane, (i, x, width) => {
      const text = lane.value[i];
      ended = x + width;
      if (lane.isAggregate(i)) {
        this.stack(lane, row, [lane.start[i], lane.end[i]], x, width, y, height, text);
        return;
      }
      const [top, tall] = box(text);
      this.rect(x, top, Math.max(1, width - (width > 4 ? 0.5 : 0)), tall, width > 4 && this.picture.texts[text][0] === "ready" ? this.colours.striped : this.colours.ofText(text, row));
      if (this.marked && this.marked[text]) this.rect(x, y - 1, Math.max(2, width), 2, this.colours.mark);
      const words = this.picture.texts[text][1] || row.name;
      if (tall >= 9) this.words(words, x, top + tall / 2, width);
    }, (from, to, x) => {
      if (ended > x) this.rect(x, y, 1, height, this.colours.paper);
      this.stack(lane, row, this.span(x), x, 1, y, height, lane.value[(from + to) >> 1] ?? lane.value[from]);
    });
  }

  moments(lane, row, y, height) {
    const draw = (i, x, width = 3) => {
      const text = lane.value[i], kind = this.picture.texts[text][0];
      this.rect(x - 1, y + 2, width, height - 4, kind === "name" ? this.colours.accent : this.colours.ofText(text, row));
    };
    let before = -Infinity;
    this.each(lane, (i, x, width) => draw(i, x, width + 2), (from, to, x) => {
      draw(from, x);
      const next = to < lane.count ? this.x(lane.start[to]) : Infinity;
      if (to === from + 1 && !lane.isAggregate(from) && x - before > 60 && next - x > 60) {
        this.words(this.picture.texts[lane.value[from]][1], x + 1, y + height / 2, Math.min(next - x, 400));
      }
      before = x;
    });
  }

  levels(lane, row, y, height) {
    const { least, most } = lane, span = most - least || 1, { colours } = this;
    const top = (value) => y + 2 + (height - 4) * (1 - (value - least) / span);
    const base = top(Math.max(0, least));
    const words = (i) => (row.kind === "bits" ? `0x${lane.level(i, 16)}` : lane.level(i));
    const solid = (x, width, level) => this.rect(x, Math.min(top(level), base) - 1, width, Math.abs(base - top(level)) + 2, colours.level);
    // The area between the least and the greatest value is paler, with both as its edges.
    const between = (x, width, low, high) => {
      solid(x, width, Math.abs(low) < Math.abs(high) ? low : high);
      if (low === high) return;
      this.rect(x, top(high), width, top(low) - top(high), colours.range);
      this.rect(x, top(high) - 1, width, 2, colours.level);
      this.rect(x, top(low) - 1, width, 2, colours.level);
    };
    let ended = 0;
    this.each(lane, (i, x, width) => {
      ended = x + width;
      if (lane.isAggregate(i)) { between(x, width, lane.low(i), lane.high(i)); return; }
      solid(x, width, lane.value[i]);
      this.words(words(i), x, y + height / 2, width);
    }, (from, to, x) => {
      if (ended > x) this.rect(x, y, 1, height, colours.paper);
      between(x, 1, ...lane.rangeIn(...this.span(x)));
    });
  }

  row(row, y, height) {
    if (row.kind === "level" || row.kind === "bits") {
      for (const lane of row.lanes) this.levels(lane, row, y + 1, height - 3);
      return;
    }
    let top = y + 2;
    row.lanes.forEach((lane, index) => {
      const tall = row.kind === "nested" || row.kind === "errors" ? LANE : height - 4;
      if (lane.count === 0 && !(index === 0 && row.kind === "errors")) return;
      if (lane.kind === "moments") this.moments(lane, row, top, tall);
      else this.slices(lane, row, top, tall - 2);
      if (row.kind === "nested" || row.kind === "errors") top += LANE;
    });
  }

  /** Hides the time before the recording and after it, which is unknown. */
  outside(y, height) {
    const { left, width } = this.view, end = left + width;
    const first = Math.min(end, this.x(0)), last = Math.max(left, this.x(this.picture.length));
    if (first > left + 1) this.rect(left, y, first - left, height, this.colours.panel);
    if (last < end - 1) this.rect(last, y, end - last, height, this.colours.panel);
  }

  /** Times along the top. */
  axis() {
    const { from, perPixel, left, width } = this.view;
    const { colours, context } = this;
    this.rect(left, 0, width, AXIS, colours.panel);
    // On a narrow screen nearer to each other: a step is less than the width, so there is a time at least.
    const rough = perPixel * Math.min(110, width / 3.2);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? power * 10;
    // Counted, since a step more may be the same number.
    const { zero } = this.view, start = zero === null ? this.picture.start : BigInt(-Math.round(zero)), before = Number(start % BigInt(step));
    const first = Math.ceil((from + before) / step) * step - before;
    const count = Math.ceil((from + width * perPixel - first) / step);
    let end = 0;
    for (let i = 0; i < count; i++) {
      const time = first + i * step, x = Math.round(this.x(time));
      this.rect(x, AXIS - 8, 1, 8, colours.line);
      this.rect(x, AXIS, 1, this.view.height - AXIS, colours.line);
      // One that would cover the one before is left out.
      if (x < end) continue;
      const at = start + BigInt(Math.round(time)), words = `${zero !== null && at > 0n ? "+" : ""}${moment(at, step)}`;
      end = x + context.measureText(words).width;
      context.fillStyle = colours.faint;
      context.fillText(words, x + 4, AXIS - 9);
    }
    // Which part of the whole this is.
    const [least, most] = this.view.bounds, scale = width / Math.max(1, most - least);
    this.rect(left, 0, width, 5, colours.line);
    this.rect(left + Math.max(0, (from - least) * scale), 0, Math.max(3, Math.min(width, width * perPixel * scale)), 5, colours.accent);
  }
}
