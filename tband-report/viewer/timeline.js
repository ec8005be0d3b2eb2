// The timeline: a canvas with zoom and pan, and what is selected of it.

const KEYS = "Arrow keys left and right pan, plus and minus zoom, 0 shows all, arrow keys up and down choose a row, "
  + "n and p the next and the previous slice of it, Enter zooms to it, / searches.";
/** What is told below it. */
const HINT = "Ctrl or ⌘ and the wheel, or + and −, zoom; Shift and the wheel, dragging, or arrow keys pan; the wheel alone scrolls. "
  + "A click selects, n and p go from slice to slice, / searches.";

/** The least ns that a pixel may stand for: a recording may be so long that its times are not told apart to the ns. */
const finest = (length) => Math.max(0.05, length * Number.EPSILON);

class Timeline {
  /** `leftOut`: what the picture does not have one by one, a sentence. */
  constructor(picture, leftOut) {
    Object.assign(this, { picture, leftOut });
    this.rows = picture.rows;
    this.layout = layOut(this.rows);
    this.selection = null;
    this.search = new Search(this);
    this.tip = new Tip(this);
    this.operations = 0;
    this.build();
    this.fit(false);
    // What outlives the page's elements would keep the picture: it ends in `close`.
    this.open = new AbortController();
    const { signal } = this.open, observer = new ResizeObserver(() => this.resize());
    listenToKeys(this, signal);
    listenToPrint(this, signal);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colours = null; this.draw(); }, { signal });
    observer.observe(this.scroller);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** It is shown no more: nothing of the page refers to it. */
  close() { this.open.abort(); }

  /** What it has not one by one is read when it is looked at; `read` as for `Rereader`. */
  reread(read) {
    this.rereader = new Rereader(this, read);
    this.rereader.look();
  }

  build() {
    const button = (text, label, act) => element("button", { type: "button", "aria-label": label, title: label, on: { click: act } }, text);
    const bar = element("div", { class: "toolbar" },
      this.search.input, button("▲", "Previous match", () => this.search.step(-1)), button("▼", "Next match", () => this.search.step(1)), this.search.hits,
      element("span", { class: "space" }),
      button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)), button("All", "Show all of the recording", () => this.fit()));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.spacer = element("div", { class: "spacer" });
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "application", "aria-roledescription": "timeline", "aria-label": `Timeline of ${this.rows.length} rows. ${KEYS}` }, this.canvas, this.spacer);
    this.details = element("div", { class: "details", role: "status", "aria-live": "polite" }, "Nothing is selected. Point at a slice, or choose one with the arrow keys.");
    const hint = element("p", { class: "hint" }, HINT);
    const leftOut = this.leftOut ? element("p", { class: "hint" }, `${this.leftOut[0].toUpperCase()}${this.leftOut.slice(1)}.`) : null;
    this.root = element("div", { class: "timeline" }, bar, legendOf(this.picture), this.scroller, this.tip.root, this.details, hint, leftOut);
    this.scroller.addEventListener("scroll", () => this.draw());
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
    this.rereader?.look();
    this.draw();
  }

  fit(draw = true) {
    this.view = null;
    this.show(0, this.picture.length);
    if (draw) this.draw();
  }

  /** Shows a slice in the middle, with what is around it. */
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
    const { view, width, height } = this, context = this.canvas.getContext("2d");
    this.colours ??= new Palette(this.picture, context);
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const pen = new Pen(context, this.picture, this.colours, view, this.search.marked);
    this.paintRows(pen, this.layout.items, { offset: AXIS - this.scroller.scrollTop, width, height, selection: this.selection });
    this.operations = pen.operations;
    this.tip.refresh();
  }

  /** Draws the axis, and of some rows and headings those that are on a canvas, moved down by an offset. */
  paintRows(pen, items, { offset, width, height, selection }) {
    const { context, colours, view } = pen;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    pen.rect(0, 0, width, height, colours.paper);
    pen.rect(0, 0, width, AXIS, colours.panel);
    pen.axis();
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, height - AXIS);
    context.clip();
    for (const item of items) {
      const y = item.y + offset;
      if (y + item.height < AXIS || y > height) continue;
      if (item.heading) {
        pen.rect(0, y, width, item.height, colours.panel);
        context.font = "600 11px system-ui, sans-serif";
        pen.words(item.heading, 3, y + item.height / 2, width);
        context.font = "11px system-ui, sans-serif";
        continue;
      }
      const isChosen = selection && selection.row === item.row;
      pen.rect(0, y + item.height - 1, width, 1, colours.line);
      pen.row(item.row, y, item.height);
      pen.rect(0, y, view.left - 4, item.height - 1, isChosen ? colours.panel : colours.paper);
      if (isChosen) pen.rect(0, y, 3, item.height - 1, colours.accent);
      // The colour that the task has elsewhere.
      const isTask = item.row.kind === "task";
      if (isTask) pen.rect(6, y + item.height / 2 - 5, 4, 10, colours.ofRow(item.row));
      pen.words(item.row.name, isTask ? 11 : 4, y + item.height / 2, view.left - (isTask ? 15 : 8));
      if (isChosen) this.outline(pen, y);
    }
    context.restore();
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

  /** A slice in words. */
  describe({ row, lane, index }) {
    const kind = row.kind === "task" ? "task " : "";
    const who = `${kind}${row.name}${row.id === null || row.name.includes("#") ? "" : ` (${row.id})`}`;
    if (index === null) return { who, what: "", when: `${row.lanes.reduce((sum, it) => sum + it.count, 0)} slices` };
    const part = row.lanes[lane], [from, to] = [part.start[index], part.end[index]];
    const value = part.value[index];
    const what = part.isAggregate(index) ? part.describe(index, part.kind === "levels" ? "" : this.picture.texts[value][1] || row.name, row.kind === "bits" ? 16 : 10)
      : part.kind === "levels" ? (row.kind === "bits" ? `0b${part.level(index, 2)} (0x${part.level(index, 16)})` : part.level(index)) : this.picture.texts[value][1] || row.name;
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
    } else this.details.textContent = "Nothing is selected.";
    this.search.tell(selection);
    this.draw();
  }

  /** Brings a slice into view, zoomed as it is if it fits. */
  centre(from, to) {
    const length = Math.max(this.view.perPixel * this.view.width, (to - from) * 1.2);
    const middle = (from + to) / 2;
    this.show(middle - length / 2, middle + length / 2);
  }

  /** The next slice of the chosen row, or the one before. */
  neighbour(direction) {
    const { selection } = this;
    if (!selection) return;
    const best = nearest([selection.row], keyOf(selection) ?? edgeOf(this.view, direction), direction);
    if (best) this.select({ row: best.row, lane: best.lane, index: best.index }, true);
  }

  chooseRow(direction) {
    const index = this.selection ? this.selection.row.index + direction : direction > 0 ? 0 : this.rows.length - 1;
    const row = this.rows[Math.min(Math.max(0, index), this.rows.length - 1)];
    if (row) this.select({ row, lane: 0, index: null }, true);
  }

  unselect() {
    this.tip.hide();
    this.select(null);
  }

  /** Zooms to what is selected. */
  revealSelected() {
    if (!this.selection || this.selection.index === null) return;
    const lane = this.selection.row.lanes[this.selection.lane];
    this.reveal(lane.start[this.selection.index], lane.end[this.selection.index]);
  }

  /** The wheel by itself scrolls, the rows and then the page; with Ctrl or ⌘, as of two fingers that spread, it zooms. */
  wheel(event) {
    const pixels = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? this.height : 1;
    if (event.ctrlKey || event.metaKey) {
      this.zoom(1.0018 ** (event.deltaY * pixels), Math.max(this.view.left, event.offsetX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan((event.deltaX || event.deltaY) * pixels);
    } else return;
    event.preventDefault();
  }

  pointerdown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, moved: 0 });
    this.scroller.focus({ preventScroll: true });
  }

  pointermove(event) {
    const x = event.offsetX, y = event.offsetY, pointer = this.pointers.get(event.pointerId);
    if (!pointer) return this.tip.move(x, y);
    const others = [...this.pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length === 1) {
      const other = others[0][1], before = Math.abs(pointer.x - other.x), after = Math.abs(x - other.x);
      if (before > 10 && after > 10) this.zoom(before / after, (x + other.x) / 2);
    } else if (pointer.x >= this.view.left) this.pan(pointer.x - x);
    if (event.pointerType === "mouse") this.scroller.scrollTop += pointer.y - y;
    pointer.moved += Math.abs(pointer.x - x) + Math.abs(pointer.y - y);
    [pointer.x, pointer.y] = [x, y];
    this.tip.hide();
  }

  pointerup(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (pointer && pointer.moved < 5) this.select(this.hit(event.offsetX, event.offsetY));
    if (event.pointerType === "mouse") this.tip.move(event.offsetX, event.offsetY);
  }

  pointercancel(event) { this.pointers.delete(event.pointerId); }

  pointerleave() { this.tip.hide(); }

  /** Follows a link of a table, as `timeLink` makes it. */
  follow(hash) {
    const wanted = readLink(hash);
    if (!wanted) return false;
    const [from, to] = [wanted.from, wanted.to].map((ns) => Number(ns - this.picture.start));
    this.root.scrollIntoView({ block: "start" });
    this.scroller.focus({ preventScroll: true });
    this.reveal(from, to);
    const row = rowOf(this.rows, wanted, from, to);
    if (row) {
      const lane = laneOf(row, from, to), part = row.lanes[lane];
      const index = part ? part.firstBehind(from) : 0;
      this.select({ row, lane, index: part && index < part.count ? index : null, at: [from, to] });
      const item = this.layout.items.find((it) => it.row === row);
      this.scroller.scrollTop = item.y - (this.height - AXIS) / 2;
    }
    return true;
  }
}
