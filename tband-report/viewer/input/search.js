// Search in the timeline: slices whose text has the typed text, and all slices of rows whose name has it, in the
// order of time. After the last one comes the first.

/** Matches that are listed at once. */
const RESULTS = 50;

class Search {
  constructor(timeline) {
    this.timeline = timeline;
    /** Of each text of the picture whether it matches; null without a search. */
    this.marked = null;
    /** Rows whose names match. */
    this.found = new Set();
    this.total = 0;
    /** Matching slices in aggregates, whose places are unknown. */
    this.hidden = 0;
    this.input = element("input", { type: "search", placeholder: "Search task, object, text", "aria-label": "Search in the timeline", spellcheck: "false" });
    this.input.addEventListener("input", () => this.lookFor(this.input.value));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.step(event.shiftKey ? -1 : 1); }
    });
    this.hits = element("output", { class: "hits" });
  }

  lookFor(text) {
    this.count(text);
    const [first] = this.found;
    if (first) this.timeline.select({ row: first, lane: 0, index: null }, true);
    else this.timeline.draw();
    this.tell(this.timeline.selection);
    this.list(RESULTS);
  }

  /** Lists the first matches in time. */
  list(most) {
    const found = [];
    for (const row of this.marked ? this.timeline.rows : []) {
      row.lanes.forEach((lane, number) => {
        for (let i = 0, count = 0; i < lane.count && count < most; i++) {
          if (!this.isMatch(row, lane, i)) continue;
          found.push({ row, lane: number, index: i, start: lane.start[i] });
          count += 1;
        }
      });
    }
    this.timeline.panel.find(found.sort(compare).slice(0, most), this.total);
  }

  /** The picture has other slices. */
  recount() {
    if (!this.marked) return;
    this.count(this.input.value);
    this.tell(this.timeline.selection);
    this.list(RESULTS);
  }

  count(text) {
    const { picture, rows } = this.timeline, wanted = text.trim().toLowerCase();
    this.marked = wanted === "" ? null : picture.texts.map(([, words]) => words.toLowerCase().includes(wanted));
    this.found = new Set(wanted === "" ? [] : rows.filter((row) => row.name.toLowerCase().includes(wanted)));
    this.total = 0;
    this.hidden = 0;
    if (this.marked) {
      this.marked.forEach((is, index) => { if (is) this.hidden += picture.texts[index][2]; });
      for (const row of rows) {
        for (const lane of row.lanes) {
          this.total += this.countOf(row, lane, lane.count);
          this.hidden -= this.textsOf(lane, lane.count);
        }
      }
    }
    this.hidden = Math.max(0, this.hidden);
  }

  /** Matches of a lane before a place in it. */
  countOf(row, lane, end) {
    return this.found.has(row) ? end : this.textsOf(lane, end);
  }

  /** Slices of a lane before a place in it whose text has it. */
  textsOf(lane, end) {
    let count = 0;
    for (let i = 0; i < end; i++) if (this.hasText(lane, i)) count++;
    return count;
  }

  hasText(lane, index) { return lane.kind !== "levels" && !lane.isAggregate(index) && this.marked[lane.value[index]]; }

  isMatch(row, lane, index) {
    return this.found.has(row) || this.hasText(lane, index);
  }

  /** The number of a match among all, from 1 on. */
  numberOf(key) {
    let number = 0;
    for (const row of this.timeline.rows) {
      row.lanes.forEach((lane, place) => {
        const order = row.index - key.row.index || place - key.lane;
        number += this.countOf(row, lane, order === 0 ? key.index + 1 : order < 0 ? firstAfter(lane, key.start) : lane.firstFrom(key.start));
      });
    }
    return number;
  }

  /** Shows the number of matches, and of the selected one. */
  tell(selection, more = "") {
    if (!this.marked) { this.hits.textContent = ""; return; }
    const rows = this.found.size, key = keyOf(selection);
    const all = `${groupDigits(this.total)} ${this.total === 1 ? "match" : "matches"}${this.hidden > 0 ? `, ${groupDigits(this.hidden)} more in aggregates` : ""}`;
    if (key && this.isMatch(key.row, key.row.lanes[key.lane], key.index)) this.hits.textContent = `${groupDigits(this.numberOf(key))} of ${all}${more}`;
    else if (rows + this.total + this.hidden === 0) this.hits.textContent = "nothing found";
    else this.hits.textContent = rows === 0 ? all : `${all}, ${rows} ${rows === 1 ? "row" : "rows"} of this name`;
  }

  /** Goes to the next match in time, or to the one before; from the selection, else from the visible part. */
  step(direction) {
    if (!this.marked) return;
    const { timeline } = this, isMatch = (row, lane, index) => this.isMatch(row, lane, index);
    const from = keyOf(timeline.selection) ?? edgeOf(timeline.view, direction);
    const further = nearest(timeline.rows, from, direction, isMatch);
    const best = further ?? nearest(timeline.rows, null, direction, isMatch);
    if (!best) return this.tell(null);
    const { row, lane, index } = best;
    timeline.select({ row, lane, index }, true);
    if (!further) this.tell(timeline.selection, direction > 0 ? ", from the start again" : ", from the end again");
  }
}
