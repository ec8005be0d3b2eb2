// Two recordings, one above the other: on one time axis, on which both are moved, zoomed and marked together, or each by
// itself.

/** Where the times of the axis begin, as one chooses it. */
const AXES = {
  start: "together, from each start",
  clock: "together, by the clock",
  selected: "together, from the selection",
  own: "each separately",
};

class Pair {
  constructor(timelines) {
    this.timelines = timelines;
    /** The one that was used last: it takes keys that are pressed elsewhere. */
    [this.active] = timelines;
    this.isBusy = false;
    this.select = element("select", { "aria-label": "Time axis", on: { change: () => this.choose(this.select.value) } },
      ...Object.entries(AXES).map(([axis, words]) => element("option", { value: axis, disabled: axis === "selected" }, words)));
    this.align = element("button", { type: "button", disabled: true, title: "Select a slice in each timeline: they are put one above the other", on: { click: () => this.choose("selected") } }, "Align the selection");
    this.bar = element("div", { class: "toolbar pair-bar" }, element("label", {}, "Time axis ", this.select), this.align,
      legendOf({ texts: timelines.flatMap(({ picture }) => picture.texts) }));
    for (const timeline of timelines) {
      timeline.pair = this;
      timeline.root.addEventListener("focusin", () => { this.active = timeline; });
    }
    this.choose("start");
  }

  /** One timeline does something that concerns the other: that one does the same, and no more comes of it. */
  follow(timeline, act) {
    if (this.isBusy) return;
    this.isBusy = true;
    for (const other of this.timelines) if (other !== timeline) act(other);
    this.isBusy = false;
  }

  get isTogether() { return this.axis !== "own"; }

  /** Times of one that are on the same place of the axis as those of another are so much later, in ns. */
  shift(from, to) { return this.zeros.get(to) - this.zeros.get(from); }

  /** Chooses an axis. */
  choose(axis) {
    const [first] = this.timelines;
    const starts = {
      start: () => 0,
      clock: (it) => Number(first.picture.start - it.picture.start),
      selected: (it) => it.selection.row.lanes[it.selection.lane].start[it.selection.index],
      own: () => 0,
    };
    this.axis = this.select.value = axis;
    this.zeros = new Map(this.timelines.map((it) => [it, starts[axis](it)]));
    for (const it of this.timelines) it.zero = axis === "start" || axis === "selected" ? this.zeros.get(it) : null;
    if (axis === "own") {
      for (const it of this.timelines) it.fit();
      return;
    }
    const { view } = this.active, [from, to] = this.boundsOf(first);
    // The aligned slice stays in the middle, at the same zoom.
    const half = axis === "selected" && view ? view.perPixel * view.width / 2 : null, middle = this.zeros.get(first);
    first.show(...(half === null ? [from, to] : [middle - half, middle + half]));
  }

  /** The times that a timeline can show: all that is in either. */
  boundsOf(timeline) {
    if (!this.isTogether) return [0, timeline.picture.length];
    const zero = this.zeros.get(timeline);
    return [
      Math.min(...this.timelines.map((it) => -this.zeros.get(it))) + zero,
      Math.max(...this.timelines.map((it) => it.picture.length - this.zeros.get(it))) + zero,
    ];
  }

  /** A timeline shows another part. */
  moved(timeline) {
    if (!this.isTogether || !timeline.view) return;
    const { from, perPixel, width } = timeline.view;
    this.follow(timeline, (other) => {
      const start = from + this.shift(timeline, other);
      other.names = timeline.names;
      other.show(start, start + perPixel * width);
    });
  }

  /** A part is marked in it. */
  marked(timeline, isMoving) {
    if (!this.isTogether) return;
    this.follow(timeline, (other) => {
      other.mark(timeline.range && timeline.range.map((time) => time + this.shift(timeline, other)), isMoving);
    });
  }

  /** Its rows are filtered, sorted or collapsed, or it shows wake-ups. */
  arranged(timeline) {
    this.follow(timeline, (other) => {
      const { filter, sort, collapsed } = timeline.list;
      Object.assign(other.list, { filter, sort, collapsed: new Set(collapsed) });
      other.filterInput.value = timeline.filterInput.value;
      other.sortInput.value = sort;
      if (other.showsWakes !== timeline.showsWakes) other.toggleWakes();
      other.arrange();
    });
  }

  /** Something is selected in one of them. */
  selected() {
    const isReady = this.timelines.every(({ selection }) => selection && selection.index !== null);
    this.align.disabled = this.select.querySelector("[value=selected]").disabled = !isReady;
  }

  /** Follows a link of a table into the timeline that it means. */
  goTo(hash) {
    const wanted = readLink(hash), timeline = wanted && this.timelines[wanted.of - 1];
    if (!timeline) return false;
    this.active = timeline;
    return timeline.goTo(hash);
  }

  close() { for (const it of this.timelines) it.close(); }
}
