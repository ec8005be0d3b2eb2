// Mouse, pen and fingers on the timeline: dragging pans, with Shift or along the axis it marks a part; two fingers zoom;
// the edge of the names can be moved.

/** Pixels that a click may move, and that an edge may be away. */
const STILL = 5, NEAR = 6;
/** How wide names may be. */
const NAMES = { least: 60, most: 480 };

class Pointer {
  constructor(timeline) {
    this.timeline = timeline;
    this.down = new Map();
    const { canvas } = timeline;
    for (const [kind, act] of Object.entries({ pointerdown: "start", pointermove: "move", pointerup: "end", pointercancel: "cancel", pointerleave: "leave" })) {
      canvas.addEventListener(kind, (event) => this[act](event));
    }
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** What dragging from a place does. */
  aimOf({ offsetX: x, offsetY: y, shiftKey }) {
    const { timeline } = this, { left } = timeline.view;
    if (Math.abs(x - left) <= 4) return "names";
    if (x < left) return "scroll";
    return shiftKey || y < AXIS + timeline.load.height ? "mark" : "pan";
  }

  start(event) {
    const { timeline } = this, { offsetX: x, offsetY: y } = event, aim = this.aimOf(event);
    timeline.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, { x, y, moved: 0, aim, from: aim === "mark" ? this.snap(x, y) : null });
    timeline.scroller.focus({ preventScroll: true });
  }

  /** The time at a place: that of an edge which is near, in the row that is there. */
  snap(x, y) {
    const { timeline } = this, { view } = timeline, time = timeline.timeAt(x), found = timeline.hit(x, y);
    let best = time, distance = NEAR * view.perPixel;
    if (found && found.index !== null && !found.row.lanes[found.lane].isAggregate(found.index)) {
      const lane = found.row.lanes[found.lane];
      for (const edge of [lane.start[found.index], lane.end[found.index]]) {
        if (Math.abs(edge - time) < distance) { best = edge; distance = Math.abs(edge - time); }
      }
    }
    return Math.round(Math.min(Math.max(0, best), timeline.picture.length));
  }

  move(event) {
    const { timeline } = this, x = event.offsetX, y = event.offsetY, pointer = this.down.get(event.pointerId);
    if (!pointer) {
      const aim = this.aimOf(event);
      timeline.canvas.style.cursor = aim === "names" ? "col-resize" : aim === "mark" ? "text" : aim === "scroll" ? "pointer" : "";
      return timeline.tip.move(x, y);
    }
    const others = [...this.down.entries()].filter(([id]) => id !== event.pointerId);
    pointer.moved += Math.abs(pointer.x - x) + Math.abs(pointer.y - y);
    if (others.length === 1) {
      const other = others[0][1], before = Math.abs(pointer.x - other.x), after = Math.abs(x - other.x);
      // Two fingers that move go along, two that spread zoom.
      for (const it of [pointer, other]) it.aim = "pan";
      if (before > 10 && after > 10) timeline.zoom(before / after, (x + other.x) / 2);
      timeline.pan((pointer.x - x) / 2);
    } else if (pointer.aim === "names") timeline.setNames(x);
    else if (pointer.aim === "mark") {
      if (pointer.moved >= STILL) timeline.mark([pointer.from, this.snap(x, y)], true);
    } else {
      if (pointer.aim === "pan") timeline.pan(pointer.x - x);
      if (event.pointerType === "mouse") timeline.scroller.scrollTop += pointer.y - y;
    }
    [pointer.x, pointer.y] = [x, y];
    timeline.tip.hide();
  }

  end(event) {
    const { timeline } = this, pointer = this.down.get(event.pointerId);
    this.down.delete(event.pointerId);
    if (!pointer) return;
    if (pointer.moved < STILL) this.click(event, pointer);
    else if (pointer.aim === "mark") timeline.mark(timeline.range);
    if (event.pointerType === "mouse") timeline.tip.move(event.offsetX, event.offsetY);
  }

  click({ offsetX: x, offsetY: y, shiftKey }, { aim, from }) {
    const { timeline } = this;
    if (aim === "mark") {
      // From the last place to this one.
      if (shiftKey && this.last !== undefined) timeline.mark([this.last, from]);
      else if (!shiftKey) timeline.mark(null);
      this.last ??= from;
      return;
    }
    const item = timeline.itemAt(y);
    if (item && x < timeline.view.left && timeline.press(item, x)) return;
    if (x >= timeline.view.left) this.last = this.snap(x, y);
    timeline.select(timeline.hit(x, y));
  }

  cancel(event) { this.down.delete(event.pointerId); }

  leave() { this.timeline.tip.hide(); }

  /** The wheel alone scrolls, the rows and then the page; with Ctrl or ⌘, as of two fingers that spread, it zooms. */
  wheel(event) {
    const { timeline } = this, pixels = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? timeline.height : 1;
    if (event.ctrlKey || event.metaKey) {
      timeline.zoom(1.0018 ** (event.deltaY * pixels), Math.max(timeline.view.left, event.offsetX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      timeline.pan((event.deltaX || event.deltaY) * pixels);
    } else return;
    event.preventDefault();
  }
}
