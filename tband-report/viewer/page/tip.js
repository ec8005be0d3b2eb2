// A tooltip for the slice under the pointer. It follows the drawing: after a zoom, or when rows are scrolled,
// something else is under the pointer.

class Tip {
  constructor(timeline) {
    this.timeline = timeline;
    this.root = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    /** Where the pointer is on the canvas; null if it is elsewhere, or busy. */
    this.at = null;
  }

  move(x, y) {
    this.at = { x, y };
    this.refresh();
  }

  hide() {
    this.at = null;
    this.root.hidden = true;
  }

  refresh() {
    const { timeline, root, at } = this;
    const found = at && timeline.hit(at.x, at.y);
    root.hidden = !found || (found.index === null && at.x >= timeline.view.left);
    if (root.hidden) return;
    const { who, what, when } = timeline.describe(found);
    root.replaceChildren(element("strong", {}, who), what ? element("span", {}, what) : "", element("span", {}, when));
    const box = timeline.scroller.getBoundingClientRect(), all = timeline.root.getBoundingClientRect();
    root.style.left = `${Math.min(Math.max(0, at.x + 14), Math.max(0, timeline.width - root.offsetWidth - 4))}px`;
    root.style.top = `${box.top - all.top + at.y + 18}px`;
  }
}
