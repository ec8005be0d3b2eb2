// The panel beside the timeline: the selection, the marked part, and matches of a search.

/** How it is worked, below all else. */
const HINT = "Ctrl or ⌘ and the wheel, or + and −, zoom; Shift and the wheel, dragging, or arrow keys pan; the wheel alone scrolls. "
  + "Shift and dragging marks a part and measures it. A click selects, n and p go from slice to slice, / searches, ? shows all keys.";

class Panel {
  constructor(timeline) {
    this.timeline = timeline;
    this.details = element("div", { class: "details", role: "status", "aria-live": "polite" }, "Nothing is selected. Point at a slice, or choose one with the arrow keys.");
    this.actions = element("div", { class: "actions" });
    this.activations = new ActivationList(timeline);
    this.marked = element("section", { class: "marked", "aria-label": `${timeline.prefix}Marked part`, hidden: true });
    this.results = element("section", { class: "results", "aria-label": `${timeline.prefix}Search results`, hidden: true });
    this.root = element("aside", { class: "panel", "aria-label": `${timeline.prefix}Details` }, this.details, this.actions, this.activations.root, this.marked, this.results, element("p", { class: "hint" }, HINT));
  }

  /** Describes the selection, with its actions. */
  tell(selection) {
    const { timeline } = this;
    this.activations.show(selection);
    if (!selection) {
      this.details.textContent = "Nothing is selected.";
      this.actions.replaceChildren();
      return;
    }
    const { who, what, when } = timeline.describe(selection), { row } = selection;
    this.details.replaceChildren(element("strong", {}, who), what ? `: ${what}` : "", element("br"), when);
    const button = (text, act, more = {}) => element("button", { type: "button", ...more, on: { click: act } }, text);
    const isPinned = timeline.list.pinned.has(row), isSlice = selection.index !== null;
    this.actions.replaceChildren(...[
      button("Pin row", () => timeline.pin(row), { "aria-pressed": String(isPinned) }),
      isSlice ? button("Mark", () => timeline.markSelected(), { title: "Mark its time, for statistics of it" }) : null,
      isSlice ? button("Zoom to it", () => timeline.revealSelected()) : null,
      ...this.wakes(selection, button),
    ].filter(Boolean));
  }

  /** Ways to who made it ready, and to whom it made ready. */
  wakes(selection, button) {
    const { timeline } = this, { woken, woke } = wakesOf(timeline.picture, selection);
    const made = [];
    if (woken) {
      const time = woken.row.lanes[0].start[woken.index];
      made.push(element("p", {}, "Made ready by ", button(woken.waker.name, () => timeline.select(sliceAt(woken.waker, time), true))));
    }
    if (woke.length > 0) {
      made.push(element("p", {}, `Made ready${woke.length >= OWN ? ", among others" : ""}: `, ...woke.flatMap(({ row, index }) => [button(row.name, () => timeline.select({ row, lane: 0, index }, true)), " "])));
    }
    return made;
  }

  /** What happened in the marked part. */
  mark(range) {
    this.marked.hidden = range === null;
    this.marked.replaceChildren(...(range === null ? [] : showStatistics(this.timeline)));
  }

  /** What a search has found: the first ones in time, each a way to it. */
  find(matches, total) {
    this.results.hidden = matches.length === 0;
    if (matches.length === 0) { this.results.replaceChildren(); return; }
    const { timeline } = this, { picture } = timeline;
    const list = element("ol", {}, ...matches.map((match) => {
      const { who, what } = timeline.describe(match), at = moment(picture.start + BigInt(match.start));
      return element("li", {}, element("button", { type: "button", on: { click: () => timeline.select({ row: match.row, lane: match.lane, index: match.index }, true) } },
        element("span", { class: "at" }, at), element("span", {}, what === "" || what === match.row.name ? who : `${match.row.name}: ${what}`)));
    }));
    const more = total > matches.length ? element("button", { type: "button", class: "more", on: { click: () => timeline.search.list(matches.length + RESULTS) } }, `Show more of ${groupDigits(total)}`) : null;
    this.results.replaceChildren(...[element("h3", {}, "Found"), list, more].filter(Boolean));
  }
}
