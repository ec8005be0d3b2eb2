// The timeline: a canvas with zoom and pan, and a selection.

const SPOKEN = "Arrow keys left and right pan, plus and minus zoom, 0 shows all, arrow keys up and down choose a row, "
  + "n and p the next and the previous slice of it, Enter zooms to it, m marks it, / searches, question mark shows all keys.";
/** The least ns per pixel: a recording may be so long that its times are not distinguished to the ns. */
const finest = (length) => Math.max(0.05, length * Number.EPSILON);

class Timeline {
  /** `leftOut`: what the picture does not have one by one, a sentence. `priorities` of tasks, by number and name. `prefix`:
   * its name beside another one. */
  constructor(picture, leftOut, priorities, prefix = "") {
    Object.assign(this, { picture, leftOut, prefix });
    this.rows = picture.rows;
    this.list = new RowList(this.rows, picture.length, priorities);
    this.layout = this.list.layOut();
    this.load = new Load(this.rows);
    this.selection = null;
    /** The part that is marked: from and to; null if none is. */
    this.range = null;
    /** The recording beside which it is shown; null if it is alone. */
    this.pair = null;
    /** From which time on its axis counts, in ns from the start of the picture; null for the target's clock. */
    this.zero = null;
    this.showsWakes = false;
    /** Width of the names, if the user has moved their edge. */
    this.names = null;
    this.search = new Search(this);
    this.tip = new Tip(this);
    this.panel = new Panel(this);
    this.keySheet = keySheet();
    this.operations = 0;
    this.build();
    this.pointer = new Pointer(this);
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

  /** Reads aggregated parts again when they are viewed; `read` as for `Rereader`. */
  reread(read) {
    this.rereader = new Rereader(this, read);
    this.rereader.look();
  }

  build() {
    const button = (text, label, act, more = {}) => element("button", { type: "button", "aria-label": label, title: label, ...more, on: { click: act } }, text);
    this.filterInput = element("input", { type: "text", class: "filter", placeholder: "Filter rows", "aria-label": "Filter rows", spellcheck: "false", on: { input: () => {
      this.list.filter = this.filterInput.value.trim().toLowerCase();
      this.arrange();
    } } });
    this.sortInput = element("select", { "aria-label": "Sort rows", title: "Sort rows", on: { change: () => { this.list.sort = this.sortInput.value; this.arrange(); } } },
      ...Object.entries(SORTS).map(([key, [words]]) => element("option", { value: key }, `by ${words}`)));
    this.wakesButton = button("Wakes", "Show wake-ups", () => this.toggleWakes(), { "aria-pressed": "false" });
    const bar = element("div", { class: "toolbar" },
      this.search.input, button("▲", "Previous match", () => this.search.step(-1)), button("▼", "Next match", () => this.search.step(1)), this.search.hits,
      element("span", { class: "space" }), this.filterInput, this.sortInput, this.wakesButton,
      element("span", { class: "zoom" }, button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)), button("All", "Show all of the recording", () => this.fit()), button("?", "Keys", () => this.keySheet.showModal())));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.spacer = element("div", { class: "spacer" });
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "application", "aria-roledescription": "timeline", "aria-label": `${this.prefix}Timeline of ${this.rows.length} rows. ${SPOKEN}` }, this.canvas, this.spacer);
    this.details = this.panel.details;
    const leftOut = this.leftOut ? element("p", { class: "hint" }, `${this.leftOut[0].toUpperCase()}${this.leftOut.slice(1)}.`) : null;
    const body = element("div", { class: "body" }, element("div", { class: "rows" }, this.scroller, this.tip.root), this.panel.root);
    this.root = element("div", { class: "timeline" }, bar, legendOf(this.picture), body, leftOut, this.keySheet);
    this.scroller.addEventListener("scroll", () => this.draw());
  }

  get left() { return Math.min(this.names ?? (this.width < 560 ? 96 : 190), this.width * 0.6); }

  /** The least and the greatest time that it can show. */
  get bounds() { return this.pair?.boundsOf(this) ?? [0, this.picture.length]; }

  /** Where scrolled rows begin on the canvas: below axis, load and pinned rows. */
  get top() { return AXIS + this.load.height + this.layout.pinnedHeight; }

  /** The time at a place of the canvas. */
  timeAt(x) { return this.view.from + (x - this.view.left) * this.view.perPixel; }

  /** Rows are others, or elsewhere. */
  arrange() {
    this.layout = this.list.layOut();
    if (this.filterInput.value.trim().toLowerCase() !== this.list.filter) this.filterInput.value = this.list.filter;
    this.fill();
    this.draw();
    this.pair?.arranged(this);
  }

  /** The scrolled element is as high as all rows. */
  fill() { this.spacer.style.height = `${Math.max(0, this.layout.height + this.top - (this.height ?? 0))}px`; }

  pin(row) {
    this.list.togglePin(row);
    this.arrange();
    if (this.selection) this.panel.tell(this.selection);
  }

  toggleGroup(group) {
    this.list.toggleGroup(group);
    this.arrange();
  }

  toggleWakes() {
    this.showsWakes = !this.showsWakes;
    this.wakesButton.setAttribute("aria-pressed", String(this.showsWakes));
    this.draw();
    this.pair?.arranged(this);
  }

  /** How wide names are, in pixels. */
  setNames(width) {
    this.names = Math.min(Math.max(NAMES.least, width), NAMES.most);
    const { from, perPixel, width: pixels } = this.view;
    this.show(from, from + perPixel * pixels);
  }

  /** Marks a part; null for none. `isMoving`: it is not reported yet what happened in it. */
  mark(range, isMoving = false) {
    this.range = range && [Math.min(...range), Math.max(...range)];
    if (!isMoving) this.panel.mark(this.range);
    this.draw();
    this.pair?.marked(this, isMoving);
  }

  markSelected() {
    if (!this.selection || this.selection.index === null) return;
    const lane = this.selection.row.lanes[this.selection.lane];
    this.mark([lane.start[this.selection.index], lane.end[this.selection.index]]);
  }

  /** Makes the rows end at the bottom of the window if the parts above them leave half of it. If they leave less, the rows get the
   * height for a window that is scrolled to them. */
  leaveRoom() {
    const above = Math.max(0, this.scroller.getBoundingClientRect().top);
    this.root.style.setProperty("--above", `${above <= innerHeight / 2 ? Math.ceil(above) : 0}px`);
  }

  resize() {
    if (this.scroller.clientWidth > 0) this.leaveRoom();
    const width = this.scroller.clientWidth, height = this.scroller.clientHeight;
    if (width === 0 || (width === this.width && height === this.height)) return;
    const [least, most] = this.bounds, length = most - least;
    const all = !this.view || Math.abs(this.view.perPixel * this.view.width - length) < length / 1e3 + 2;
    const perPixel = this.view ? this.view.perPixel * this.view.width : 0;
    [this.width, this.height] = [width, height];
    this.scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.fill();
    if (this.wanted) { const [from, to] = this.wanted; this.wanted = null; this.show(from, to); } else if (all || !this.view) this.fit(false);
    else this.show(this.view.from, this.view.from + perPixel);
    this.draw();
  }

  /** Shows from one time to another, in ns from the start of the picture. */
  show(from, to) {
    if (!this.width) { this.wanted = [from, to]; return; }
    const [least, most] = this.bounds;
    const width = Math.max(50, this.width - this.left - 8), all = Math.max(1, most - least);
    const length = Math.min(Math.max(to - from, width * finest(all)), all);
    const start = Math.min(Math.max(least, (from + to - length) / 2), least + all - length);
    this.view = { from: start, perPixel: length / width, left: this.left, width, height: this.height, zero: this.zero, bounds: [least, most] };
    this.rereader?.look();
    this.draw();
    this.pair?.moved(this);
  }

  fit(draw = true) {
    this.view = null;
    this.show(...this.bounds);
    if (draw) this.draw();
  }

  /** Shows a slice in the middle, with its surroundings. */
  reveal(from, to) {
    const around = Math.max((to - from) * 0.7, Math.min(this.picture.length / 200, 2e5), 200);
    this.show(from - around, to + around);
  }

  zoom(factor, x = null) {
    const { from, perPixel, width, left } = this.view;
    const at = from + ((x ?? left + width / 2) - left) * perPixel;
    // At the finest the view stays where it is.
    const [least, most] = this.bounds;
    const to = Math.max(perPixel * factor, finest(most - least)), start = at - (at - from) * (to / perPixel);
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
    const { layout, load, top } = this, { selection } = this;
    this.paintRows(pen, layout.items, { offset: top - this.scroller.scrollTop, width, height, selection, top });
    if (layout.pinnedHeight > 0) {
      this.paintRows(pen, layout.pinned, { offset: AXIS + load.height, width, height: top, selection, top: AXIS + load.height });
      pen.rect(0, top - 1, width, 2, this.colours.faint);
    }
    if (load.height > 0) load.draw(pen, AXIS);
    pen.outside(AXIS, height);
    context.save();
    context.beginPath();
    context.rect(view.left, AXIS + load.height, view.width, height);
    context.clip();
    drawWakes(this, pen, (row) => this.middle(row));
    context.restore();
    drawRange(this, pen);
    pen.rect(view.left - 4, AXIS, 1, height, this.colours.line);
    this.operations = pen.operations;
    this.tip.refresh();
  }

  /** Where a row's middle is on the canvas; null if it is not seen. */
  middle(row) {
    const item = this.layout.places.get(row);
    if (!item) return null;
    const y = item.y + item.height / 2 + (item.isPinned ? AXIS + this.load.height : this.top - this.scroller.scrollTop);
    return y < (item.isPinned ? 0 : this.top) || y > this.height ? null : y;
  }

  /** Draws the axis, and of some rows and headings those that are on a canvas below its top, moved down by an offset. */
  paintRows(pen, items, { offset, width, height, selection, top }) {
    const { context, colours } = pen;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    pen.rect(0, top === AXIS || offset <= top ? top : 0, width, height - top, colours.paper);
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    pen.rect(0, 0, width, AXIS, colours.panel);
    pen.axis();
    context.restore();
    context.save();
    context.beginPath();
    context.rect(0, top, width, height - top);
    context.clip();
    const { at } = this.tip, under = at && at.x < pen.view.left ? this.itemAt(at.y)?.row ?? null : null;
    for (const item of items) {
      const y = item.y + offset;
      if (y + item.height < top || y > height) continue;
      if (item.heading) paintHeading(pen, item, y, width);
      else if (item.family) paintFamily(pen, item, y, width);
      else paintRow(pen, item, y, { width, selection, isUnder: under === item.row });
    }
    context.restore();
  }

  /** The row or heading at a height of the canvas; null if there is none. */
  itemAt(y) {
    const { layout, top } = this, isPinned = y < top;
    const below = isPinned ? y - AXIS - this.load.height : y - top + this.scroller.scrollTop;
    if (y < AXIS + this.load.height) return null;
    return (isPinned ? layout.pinned : layout.items).find((it) => below >= it.y && below < it.y + it.height) ?? null;
  }

  /** A name or heading is pressed: whether that did something. */
  press(item, x) {
    if (item.heading) this.list.toggleGroup(item.heading);
    else if (item.family) item.family.of.isOpen = !item.family.of.isOpen;
    else if (x > this.view.left - PIN - 4) { this.pin(item.row); return true; } else return false;
    this.arrange();
    return true;
  }

  /** Returns the slice at a point of the canvas. */
  hit(x, y) {
    const item = this.itemAt(y);
    if (!item || item.heading || (item.family && item.family.isHead)) return null;
    const below = y - (item.isPinned ? AXIS + this.load.height : this.top - this.scroller.scrollTop) - item.y;
    if (item.row) return hitRow(this.view, item.row, x, below);
    // Of a family it is that one which is there.
    if (x < this.view.left) return null;
    return item.family.rows.map((row) => hitRow(this.view, row, x, below)).find((it) => it.index !== null) ?? null;
  }

  /** A slice in words. */
  describe({ row, lane, index }) {
    const kind = row.kind === "task" ? "task " : "";
    const who = `${kind}${row.name}${row.id === null || row.name.includes("#") ? "" : ` (${row.id})`}`;
    if (index === null) return { who, what: "", when: `${groupDigits(row.lanes.reduce((sum, it) => sum + it.count, 0))} slices` };
    const part = row.lanes[lane], [from, to] = [part.start[index], part.end[index]];
    const value = part.value[index];
    const what = part.isAggregate(index) ? part.describe(index, part.kind === "levels" ? "" : this.picture.texts[value][1] || row.name, row.kind === "bits" ? 16 : 10)
      : part.kind === "levels" ? (row.kind === "bits" ? `0b${part.level(index, 2)} (0x${part.level(index, 16)})` : part.level(index)) : this.picture.texts[value][1] || row.name;
    const [at, end] = [from, to].map((ns) => moment(this.picture.start + BigInt(ns)));
    return { who, what, when: from === to ? `at ${at}` : `${duration(to - from)}, from ${at} to ${end}` };
  }

  select(selection, reveal = false) {
    this.selection = selection;
    this.panel.tell(selection);
    if (selection && reveal) {
      this.uncover(selection.row);
      if (selection.index !== null) {
        const lane = selection.row.lanes[selection.lane];
        const [from, to] = [lane.start[selection.index], lane.end[selection.index]];
        const { view: shown } = this;
        if (from < shown.from || to > shown.from + shown.width * shown.perPixel) this.centre(from, to);
      }
    }
    this.search.tell(selection);
    this.draw();
    this.pair?.selected();
  }

  /** Lets a row be seen. */
  uncover(row) {
    if (!this.layout.places.has(row) || this.layout.places.get(row).family) {
      this.list.uncover(row);
      this.arrange();
    }
    const item = this.layout.places.get(row), room = this.height - this.top, { scrollTop } = this.scroller;
    if (!item.isPinned && (item.y < scrollTop || item.y + item.height > scrollTop + room)) this.scroller.scrollTop = item.y - room / 2;
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

  /** The next of the rows that are shown, or the one before. */
  chooseRow(direction) {
    const rows = [...this.layout.places.keys()], at = this.selection ? rows.indexOf(this.selection.row) : -1;
    const index = at >= 0 ? at + direction : direction > 0 ? 0 : rows.length - 1;
    const row = rows[Math.min(Math.max(0, index), rows.length - 1)];
    if (row) this.select({ row, lane: 0, index: null }, true);
  }

  unselect() {
    this.tip.hide();
    if (this.range) this.mark(null);
    else this.select(null);
  }

  /** Zooms to the selection. */
  revealSelected() {
    if (!this.selection || this.selection.index === null) return;
    const lane = this.selection.row.lanes[this.selection.lane];
    this.reveal(lane.start[this.selection.index], lane.end[this.selection.index]);
  }

  /** Follows a link of a table, as `timeLink` makes it. */
  goTo(hash) {
    const wanted = readLink(hash);
    if (!wanted) return false;
    const [from, to] = [wanted.from, wanted.to].map((ns) => Number(ns - this.picture.start));
    this.root.scrollIntoView({ block: "start" });
    this.leaveRoom();
    this.resize();
    this.scroller.focus({ preventScroll: true });
    this.reveal(from, to);
    const row = rowOf(this.rows, wanted, from, to);
    if (row) {
      const lane = laneOf(row, from, to), part = row.lanes[lane];
      const index = part ? part.firstEndingAfter(from) : 0;
      this.select({ row, lane, index: part && index < part.count ? index : null, at: [from, to] });
      this.panel.activations.openAt(from, to);
      this.uncover(row);
      const item = this.layout.places.get(row);
      if (!item.isPinned) this.scroller.scrollTop = item.y - (this.height - this.top) / 2;
    }
    return true;
  }
}
