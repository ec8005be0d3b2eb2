// The timeline: a canvas with zoom, pan, hover, search and keyboard.

const KEYS = "Arrow keys left and right pan, plus and minus zoom, 0 shows all, arrow keys up and down choose a row, "
  + "n and p the next and the previous stretch of it, Enter zooms to it, / searches.";

/** The least ns that a pixel may stand for: a recording may be so long that its times are not told apart to the ns. */
const finest = (length) => Math.max(0.05, length * Number.EPSILON);

class Timeline {
  constructor(picture) {
    this.picture = picture;
    this.rows = picture.rows;
    this.layout = layOut(this.rows);
    this.selection = null;
    this.marked = null;
    this.found = null;
    this.operations = 0;
    this.build();
    this.fit(false);
    // What outlives the page's elements would keep the picture: it ends in `close`.
    this.open = new AbortController();
    const { signal } = this.open, observer = new ResizeObserver(() => this.resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colours = null; this.draw(); }, { signal });
    observer.observe(this.scroller);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** It is shown no more: nothing of the page refers to it. */
  close() { this.open.abort(); }

  build() {
    const button = (text, label, act) => element("button", { type: "button", "aria-label": label, title: label, on: { click: act } }, text);
    this.search = element("input", { type: "search", placeholder: "Search task, object, text", "aria-label": "Search in the timeline", spellcheck: "false" });
    this.search.addEventListener("input", () => this.lookFor(this.search.value));
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
    });
    this.hits = element("output", { class: "hits" });
    const bar = element("div", { class: "toolbar" },
      this.search, button("▲", "Previous match", () => this.step(-1)), button("▼", "Next match", () => this.step(1)), this.hits,
      element("span", { class: "space" }),
      button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)), button("All", "Show all of the recording", () => this.fit()));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.spacer = element("div", { class: "spacer" });
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "application", "aria-roledescription": "timeline", "aria-label": `Timeline of ${this.rows.length} rows. ${KEYS}` }, this.canvas, this.spacer);
    this.tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.details = element("div", { class: "details", role: "status", "aria-live": "polite" }, "Nothing is selected. Point at a stretch, or choose one with the arrow keys.");
    const hint = element("p", { class: "hint" }, "Wheel or + and − zoom, drag or arrow keys pan, click selects, n and p go from stretch to stretch, / searches.");
    const merged = this.picture.mergedBelow > 0
      ? element("p", { class: "hint" }, `The recording is long: neighbours shorter than ${duration(this.picture.mergedBelow)} are drawn as one. A part of it (--from, --to) has every one.`) : null;
    this.root = element("div", { class: "timeline" }, bar, this.scroller, this.tip, this.details, hint, merged);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.pointers = new Map();
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"]) {
      this.canvas.addEventListener(kind, (event) => this[kind](event));
    }
  }

  get left() { return this.width < 560 ? 96 : 190; }

  resize() {
    const width = this.scroller.clientWidth, height = this.scroller.clientHeight;
    if (width === 0 || (width === this.width && height === this.height)) return;
    const all = !this.view || Math.abs(this.view.perPixel * this.view.width - this.picture.length) < this.picture.length / 1e3 + 2;
    const perPixel = this.view ? this.view.perPixel * this.view.width : 0;
    [this.width, this.height] = [width, height];
    this.scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.spacer.style.height = `${Math.max(0, this.layout.height + AXIS - height)}px`;
    if (this.wanted) { const [from, to] = this.wanted; this.wanted = null; this.show(from, to); } else if (all || !this.view) this.fit(false);
    else this.show(this.view.from, this.view.from + perPixel);
    this.draw();
  }

  /** Shows from one time to another, in ns from the start of the picture. */
  show(from, to) {
    if (!this.width) { this.wanted = [from, to]; return; }
    const width = Math.max(50, this.width - this.left - 8), all = Math.max(1, this.picture.length);
    const length = Math.min(Math.max(to - from, width * finest(all)), all);
    const start = Math.min(Math.max(0, (from + to - length) / 2), all - length);
    this.view = { from: start, perPixel: length / width, left: this.left, width, height: this.height };
    this.draw();
  }

  fit(draw = true) {
    this.view = null;
    this.show(0, this.picture.length);
    if (draw) this.draw();
  }

  /** Shows a stretch in the middle, with what is around it. */
  reveal(from, to) {
    const around = Math.max((to - from) * 0.7, Math.min(this.picture.length / 200, 2e5), 200);
    this.show(from - around, to + around);
  }

  zoom(factor, x = null) {
    const { from, perPixel, width, left } = this.view;
    const at = from + ((x ?? left + width / 2) - left) * perPixel;
    // At the finest the view stays where it is.
    const to = Math.max(perPixel * factor, finest(this.picture.length)), start = at - (at - from) * (to / perPixel);
    this.show(start, start + to * width);
  }

  pan(pixels) {
    const { from, perPixel, width } = this.view;
    const start = from + pixels * perPixel;
    this.show(start, start + width * perPixel);
  }

  draw() {
    if (this.pending || !this.width) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  paint() {
    this.colours ??= readColours();
    const { colours, view } = this, context = this.canvas.getContext("2d");
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const pen = new Pen(context, this.picture, colours, view, this.marked);
    pen.rect(0, 0, this.width, this.height, colours.paper);
    pen.axis();
    const top = this.scroller.scrollTop;
    context.save();
    context.beginPath();
    context.rect(0, AXIS, this.width, this.height - AXIS);
    context.clip();
    for (const item of this.layout.items) {
      const y = item.y - top + AXIS;
      if (y + item.height < AXIS || y > this.height) continue;
      if (item.heading) {
        pen.rect(0, y, this.width, item.height, colours.panel);
        context.font = "600 11px system-ui, sans-serif";
        pen.words(item.heading, 3, y + item.height / 2, this.width);
        context.font = "11px system-ui, sans-serif";
        continue;
      }
      const isChosen = this.selection && this.selection.row === item.row;
      pen.rect(0, y + item.height - 1, this.width, 1, colours.line);
      pen.row(item.row, y, item.height);
      pen.rect(0, y, view.left - 4, item.height - 1, isChosen ? colours.panel : colours.paper);
      if (isChosen) pen.rect(0, y, 3, item.height - 1, colours.accent);
      pen.words(item.row.name, 4, y + item.height / 2, view.left - 8);
      if (isChosen) this.outline(pen, y);
    }
    context.restore();
    this.operations = pen.operations;
  }

  outline(pen, y) {
    const { row, lane, index } = this.selection;
    if (index === null) return;
    const part = row.lanes[lane];
    const x0 = Math.max(this.view.left, pen.x(part.start[index])), x1 = pen.x(part.end[index]);
    if (x1 < this.view.left || x0 > this.width) return;
    pen.context.strokeStyle = this.colours.ink;
    pen.context.lineWidth = 2;
    pen.context.strokeRect(x0 - 1, y + this.laneTop(row, lane), Math.max(3, Math.min(x1, this.width + 4) - x0 + 1), this.laneHeight(row));
  }

  laneTop(row, lane) {
    if (row.kind !== "nested" && row.kind !== "errors") return 1;
    return 1 + LANE * row.lanes.slice(0, lane).filter((it, index) => it.count > 0 || (index === 0 && row.kind === "errors")).length;
  }

  laneHeight(row) { return row.kind === "nested" || row.kind === "errors" ? LANE : heightOf(row) - 3; }

  /** What is at a point of the canvas. */
  hit(x, y) {
    const below = y - AXIS + this.scroller.scrollTop;
    const item = y < AXIS ? null : this.layout.items.find((it) => it.row && below >= it.y && below < it.y + it.height);
    if (!item) return null;
    const { row } = item, time = this.view.from + (x - this.view.left) * this.view.perPixel;
    if (x < this.view.left) return { row, lane: 0, index: null };
    const slack = this.view.perPixel * 4;
    let best = { row, lane: 0, index: null };
    row.lanes.forEach((lane, number) => {
      if (lane.count === 0) return;
      const top = item.y + this.laneTop(row, number);
      if (below < top || below >= top + this.laneHeight(row) + 2) return;
      const i = lane.firstBehind(time - slack);
      for (const index of [i, i + 1]) {
        if (index < lane.count && lane.start[index] - slack <= time && lane.end[index] + slack >= time) {
          const inside = lane.start[index] <= time && lane.end[index] > time;
          if (best.index === null || inside) best = { row, lane: number, index };
          if (inside) return;
        }
      }
    });
    return best;
  }

  /** A stretch in words. */
  describe({ row, lane, index }) {
    const kind = row.kind === "task" ? "task " : "";
    const who = `${kind}${row.name}${row.id === null || row.name.includes("#") ? "" : ` (${row.id})`}`;
    if (index === null) return { who, what: "", when: `${row.lanes.reduce((sum, it) => sum + it.count, 0)} stretches` };
    const part = row.lanes[lane], [from, to] = [part.start[index], part.end[index]];
    const value = part.value[index];
    const what = part.kind === "levels" ? (row.kind === "bits" ? `0b${part.level(index, 2)} (0x${part.level(index, 16)})` : part.level(index)) : this.picture.texts[value][1] || row.name;
    const [at, end] = [from, to].map((ns) => moment(this.picture.start + BigInt(ns)));
    return { who, what, when: from === to ? `at ${at}` : `${duration(to - from)}, from ${at} to ${end}` };
  }

  select(selection, reveal = false) {
    this.selection = selection;
    if (selection) {
      const { who, what, when } = this.describe(selection);
      this.details.replaceChildren(element("strong", {}, who), what ? `: ${what}` : "", element("br"), when);
      if (reveal) {
        const item = this.layout.items.find((it) => it.row === selection.row), view = this.height - AXIS;
        const top = this.scroller.scrollTop;
        if (item.y < top || item.y + item.height > top + view) this.scroller.scrollTop = item.y - view / 2;
        if (selection.index !== null) {
          const lane = selection.row.lanes[selection.lane];
          const [from, to] = [lane.start[selection.index], lane.end[selection.index]];
          const { view: shown } = this;
          if (from < shown.from || to > shown.from + shown.width * shown.perPixel) this.centre(from, to);
        }
      }
    }
    this.draw();
  }

  /** Brings a stretch into view, zoomed as it is if it fits. */
  centre(from, to) {
    const length = Math.max(this.view.perPixel * this.view.width, (to - from) * 1.2);
    const middle = (from + to) / 2;
    this.show(middle - length / 2, middle + length / 2);
  }

  // Search.

  lookFor(text) {
    const wanted = text.trim().toLowerCase();
    this.marked = this.found = null;
    if (wanted !== "") {
      this.marked = this.picture.texts.map(([, words]) => words.toLowerCase().includes(wanted));
      this.found = new Set(this.rows.filter((row) => row.name.toLowerCase().includes(wanted)));
      let count = 0;
      this.marked.forEach((is, index) => { if (is) count += this.picture.counts[index]; });
      const rows = this.found.size;
      this.hits.textContent = rows + count === 0 ? "nothing found" : `${rows} ${rows === 1 ? "row" : "rows"}, ${count} ${count === 1 ? "stretch" : "stretches"}`;
      const [first] = this.found;
      if (first) this.select({ row: first, lane: 0, index: null }, true);
    } else this.hits.textContent = "";
    this.draw();
  }

  /** Goes to the next match in time, or the one before. */
  step(direction) {
    if (!this.marked) return;
    const now = this.selection && this.selection.index !== null
      ? [this.selection.row.lanes[this.selection.lane].start[this.selection.index], this.selection.row.index, this.selection.lane]
      : [direction > 0 ? this.view.from - 1 : this.view.from + this.view.width * this.view.perPixel, direction > 0 ? -1 : Infinity, 0];
    const isBehind = (one, two) => direction * (one[0] - two[0] || one[1] - two[1] || one[2] - two[2]) > 0;
    let best = null;
    for (const row of this.rows) {
      const whole = this.found.has(row);
      row.lanes.forEach((lane, number) => {
        if (lane.kind === "levels" && !whole) return;
        let i = direction > 0 ? lane.firstFrom(now[0]) : lane.firstFrom(now[0] + 1) - 1;
        for (; i >= 0 && i < lane.count; i += direction) {
          const key = [lane.start[i], row.index, number];
          if (best && isBehind(key, best.key)) return;
          if ((whole || this.marked[lane.value[i]]) && isBehind(key, now)) {
            best = { key, row, lane: number, index: i };
            return;
          }
        }
      });
    }
    if (best) this.select(best, true);
    else this.hits.textContent = direction > 0 ? "no further match" : "no match before";
  }

  /** The next stretch of the chosen row, or the one before. */
  neighbour(direction) {
    const { selection } = this;
    if (!selection) return;
    const { row } = selection;
    let best = null;
    const now = selection.index === null ? (direction > 0 ? this.view.from - 1 : this.view.from + this.view.width * this.view.perPixel)
      : row.lanes[selection.lane].start[selection.index];
    row.lanes.forEach((lane, number) => {
      let i = direction > 0 ? lane.firstFrom(now) : lane.firstFrom(now + 1) - 1;
      for (; i >= 0 && i < lane.count; i += direction) {
        const is = direction * (lane.start[i] - now || number - (selection.index === null ? -direction : selection.lane)) > 0;
        if (!is) continue;
        if (!best || direction * (lane.start[i] - best.start || number - best.lane) < 0) best = { row, lane: number, index: i, start: lane.start[i] };
        return;
      }
    });
    if (best) this.select(best, true);
  }

  chooseRow(direction) {
    const index = this.selection ? this.selection.row.index + direction : direction > 0 ? 0 : this.rows.length - 1;
    const row = this.rows[Math.min(Math.max(0, index), this.rows.length - 1)];
    if (row) this.select({ row, lane: 0, index: null }, true);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 0.9 : 0.2;
    const act = {
      ArrowLeft: () => this.pan(-this.view.width * far), ArrowRight: () => this.pan(this.view.width * far),
      a: () => this.pan(-this.view.width * far), d: () => this.pan(this.view.width * far),
      ArrowUp: () => this.chooseRow(-1), ArrowDown: () => this.chooseRow(1),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), w: () => this.zoom(0.5), "-": () => this.zoom(2), s: () => this.zoom(2),
      0: () => this.fit(), Home: () => this.show(0, this.view.width * this.view.perPixel),
      End: () => this.show(this.picture.length - this.view.width * this.view.perPixel, this.picture.length),
      n: () => this.neighbour(1), p: () => this.neighbour(-1), "/": () => this.search.focus(),
      Escape: () => { this.selection = null; this.details.textContent = "Nothing is selected."; this.draw(); },
      Enter: () => {
        if (!this.selection || this.selection.index === null) return;
        const lane = this.selection.row.lanes[this.selection.lane];
        this.reveal(lane.start[this.selection.index], lane.end[this.selection.index]);
      },
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  wheel(event) {
    const x = event.offsetX;
    if (x < this.view.left && !event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(event.deltaX || event.deltaY);
    else this.zoom(1.0018 ** (event.deltaY * (event.deltaMode === 1 ? 30 : 1)), x);
  }

  pointerdown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, moved: 0 });
    this.scroller.focus({ preventScroll: true });
  }

  pointermove(event) {
    const x = event.offsetX, y = event.offsetY, pointer = this.pointers.get(event.pointerId);
    if (!pointer) return this.hover(x, y);
    const others = [...this.pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length === 1) {
      const other = others[0][1], before = Math.abs(pointer.x - other.x), after = Math.abs(x - other.x);
      if (before > 10 && after > 10) this.zoom(before / after, (x + other.x) / 2);
    } else if (pointer.x >= this.view.left) this.pan(pointer.x - x);
    if (event.pointerType === "mouse") this.scroller.scrollTop += pointer.y - y;
    pointer.moved += Math.abs(pointer.x - x) + Math.abs(pointer.y - y);
    [pointer.x, pointer.y] = [x, y];
    this.tip.hidden = true;
  }

  pointerup(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (pointer && pointer.moved < 5) this.select(this.hit(event.offsetX, event.offsetY));
  }

  pointercancel(event) { this.pointers.delete(event.pointerId); }

  pointerleave() { this.tip.hidden = true; }

  hover(x, y) {
    const found = this.hit(x, y);
    this.tip.hidden = !found || (found.index === null && x >= this.view.left);
    if (this.tip.hidden) return;
    const { who, what, when } = this.describe(found);
    this.tip.replaceChildren(element("strong", {}, who), what ? element("span", {}, what) : "", element("span", {}, when));
    const box = this.scroller.getBoundingClientRect(), root = this.root.getBoundingClientRect();
    const width = this.tip.offsetWidth;
    this.tip.style.left = `${Math.min(Math.max(0, x + 14), Math.max(0, this.width - width - 4))}px`;
    this.tip.style.top = `${box.top - root.top + y + 18}px`;
  }

  /** Follows a link of a table, as `timeLink` makes it. */
  follow(hash) {
    const wanted = readLink(hash);
    if (!wanted) return false;
    const [from, to] = [wanted.from, wanted.to].map((ns) => Number(ns - this.picture.start));
    this.root.scrollIntoView({ block: "start" });
    this.reveal(from, to);
    const row = rowOf(this.rows, wanted, from, to);
    if (row) {
      const lane = laneOf(row, from, to), part = row.lanes[lane];
      const index = part ? part.firstBehind(from) : 0;
      this.select({ row, lane, index: part && index < part.count ? index : null });
      const item = this.layout.items.find((it) => it.row === row);
      this.scroller.scrollTop = item.y - (this.height - AXIS) / 2;
    }
    return true;
  }
}
