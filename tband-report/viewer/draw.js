// Draws rows of a picture on a canvas: only what is visible, and of what is narrower than a pixel only what that
// pixel comes to. So a draw costs as much as there are pixels, however long the recording is.

const AXIS = 30;
const LANE = 15;
const GROUP = 20;

/** How high a row is. */
function heightOf(row) {
  if (row.kind === "nested" || row.kind === "errors") {
    const lanes = row.lanes.filter((lane, index) => lane.count > 0 || (index === 0 && row.kind === "errors"));
    return Math.max(1, lanes.length) * LANE + 5;
  }
  return row.kind === "level" || row.kind === "bits" ? 30 : 22;
}

/** Places of rows and headings from the top, below the axis. */
function layOut(rows) {
  const items = [];
  let y = 0, group = null;
  for (const row of rows) {
    if (row.group !== group) {
      group = row.group;
      items.push({ heading: group, y, height: GROUP });
      y += GROUP;
    }
    const height = heightOf(row);
    items.push({ row, y, height });
    y += height;
  }
  return { items, height: y };
}

/** Colours of the page, by name. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["ink", "faint", "paper", "panel", "line", "accent", "running", "ready", "blocked", "suspended", "idle",
    "isr", "loss", "damage", "note", "unknown", "many", "level", "mark"];
  const colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
  const dark = colour("scheme") === "dark";
  colours.named = (index) => `hsl(${(index * 47 + 205) % 360} ${dark ? "45% 42%" : "55% 74%"})`;
  return colours;
}

/** Draws with a view of a picture: `from` and `perPixel` in ns. */
class Pen {
  constructor(context, picture, colours, view, marked) {
    Object.assign(this, { context, picture, colours, view, marked });
    this.operations = 0;
  }

  x(time) { return this.view.left + (time - this.view.from) / this.view.perPixel; }

  colourOf(text) {
    const kind = this.picture.texts[text][0];
    return kind === "name" ? this.colours.named(text) : this.colours[kind] ?? this.colours.many;
  }

  rect(x, y, width, height, colour) {
    this.operations++;
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  words(text, x, y, width, colour = this.colours.ink) {
    if (width < 22) return;
    const room = Math.floor((width - 6) / 6.2);
    const shown = text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
    this.operations++;
    this.context.fillStyle = colour;
    this.context.fillText(shown, x + 3, y);
  }

  /** Goes through what is visible of a lane: `wide(index, x, width)` and `narrow(from, to, x)` of one pixel. */
  each(lane, wide, narrow) {
    const { from, perPixel, left, width } = this.view;
    const until = from + width * perPixel;
    let i = lane.firstBehind(from);
    while (i < lane.count && lane.start[i] < until) {
      const x0 = Math.max(left, this.x(lane.start[i])), x1 = Math.min(left + width, this.x(lane.end[i]));
      if (x1 - x0 >= 1.5) {
        wide(i, x0, x1 - x0);
        i++;
        continue;
      }
      const column = Math.floor(x0);
      const edge = from + (column + 1 - left) * perPixel;
      let next = Math.max(i + 1, lane.firstFrom(edge, i));
      // What begins in this pixel and is wide is drawn as such.
      if (next - 1 > i && (lane.end[next - 1] - lane.start[next - 1]) / perPixel >= 1.5) next--;
      narrow(i, next, column);
      i = next;
    }
  }

  stretches(lane, row, y, height) {
    const isTask = row.kind === "task", half = Math.round(height * 0.66);
    const box = (text) => {
      const kind = this.picture.texts[text][0];
      // What a task does not do is thin.
      if (isTask && kind !== "running" && kind !== "ready" && kind !== "many") return [y + height - half, half];
      return [y, height];
    };
    this.each(lane, (i, x, width) => {
      const text = lane.value[i];
      const [top, tall] = box(text);
      this.rect(x, top, Math.max(1, width - (width > 4 ? 0.5 : 0)), tall, this.colourOf(text));
      if (this.marked && this.marked[text]) this.rect(x, y - 1, Math.max(2, width), 2, this.colours.mark);
      const words = this.picture.texts[text][1] || row.name;
      if (tall >= 9) this.words(words, x, top + tall / 2, width);
    }, (from, to, x) => {
      const middle = (from + to) >> 1, text = lane.value[to - from > 2 ? middle : from];
      if (lane.busy && to - from > 1) {
        const share = Math.min(1, (lane.busy[to] - lane.busy[from]) / this.view.perPixel);
        this.rect(x, y + height - half, 1, half, this.colours.blocked);
        if (share > 0) this.rect(x, y + height * (1 - Math.max(0.12, share)), 1, height * Math.max(0.12, share), this.colours.running);
      } else {
        const [top, tall] = box(text);
        this.rect(x, top, 1, tall, this.colourOf(text));
      }
    });
  }

  moments(lane, y, height) {
    const draw = (i, x) => {
      const text = lane.value[i], kind = this.picture.texts[text][0];
      this.rect(x - 1, y + 2, 3, height - 4, kind === "name" ? this.colours.accent : this.colourOf(text));
    };
    let before = -Infinity;
    this.each(lane, (i, x) => draw(i, x), (from, to, x) => {
      draw(from, x);
      const next = to < lane.count ? this.x(lane.start[to]) : Infinity;
      if (to === from + 1 && x - before > 60 && next - x > 60) {
        this.words(this.picture.texts[lane.value[from]][1], x + 1, y + height / 2, Math.min(next - x, 400));
      }
      before = x;
    });
  }

  levels(lane, row, y, height) {
    const { least, most } = lane, span = most - least || 1;
    const top = (value) => y + 2 + (height - 4) * (1 - (value - least) / span);
    const base = top(Math.max(0, least));
    const words = (i) => (row.kind === "bits" ? `0x${lane.level(i, 16)}` : lane.level(i));
    this.each(lane, (i, x, width) => {
      const at = top(lane.value[i]);
      this.rect(x, Math.min(at, base) - 1, width, Math.abs(base - at) + 2, this.colours.level);
      this.words(words(i), x, y + height / 2, width);
    }, (from, to, x) => {
      const [low, high] = lane.range(from, to);
      const [a, b] = [top(high), Math.max(base, top(low))];
      this.rect(x, a - 1, 1, b - a + 2, this.colours.level);
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
      if (lane.kind === "moments") this.moments(lane, top, tall);
      else this.stretches(lane, row, top, tall - 2);
      if (row.kind === "nested" || row.kind === "errors") top += LANE;
    });
  }

  /** Times along the top. */
  axis() {
    const { from, perPixel, left, width } = this.view;
    const { colours, context } = this;
    this.rect(left, 0, width, AXIS, colours.panel);
    const rough = perPixel * 110;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? power * 10;
    // Counted, since a step more may be the same number.
    const { start } = this.picture, before = Number(start % BigInt(step));
    const first = Math.ceil((from + before) / step) * step - before;
    const count = Math.ceil((from + width * perPixel - first) / step);
    for (let i = 0; i < count; i++) {
      const time = first + i * step, x = Math.round(this.x(time));
      this.rect(x, AXIS - 8, 1, 8, colours.line);
      this.rect(x, AXIS, 1, this.view.height - AXIS, colours.line);
      context.fillStyle = colours.faint;
      context.fillText(moment(start + BigInt(time), step), x + 4, AXIS - 9);
    }
    // Which part of the whole this is.
    const scale = width / Math.max(1, this.picture.length);
    this.rect(left, 0, width, 5, colours.line);
    this.rect(left + Math.max(0, from * scale), 0, Math.max(3, Math.min(width, width * perPixel * scale)), 5, colours.accent);
  }
}
