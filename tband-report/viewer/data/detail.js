// Aggregated slices of a timeline are read again when the user zooms in: a part of a picture takes the
// place of the aggregates there.

/** A lane with the slices of another one from one time to another; before and after it has its own. Times of `part` are
 * `shift` later; `textOf` has the numbers of its texts here. */
function withPart(lane, part, [from, to], shift, textOf, classOf) {
  const made = new Lane(lane.kind, 0, lane.classes.slice(0, lane.stride));
  const slot = part.classes.slice(0, part.stride).map((name) => {
    if (!made.classes.includes(name)) made.addClass(name);
    return made.classes.indexOf(name);
  });
  made.stride = made.classes.length;
  const starts = [], ends = [], values = [], places = [];
  const add = (source, index, begin, end, shifted, text, slots) => {
    const place = starts.length;
    starts.push(begin);
    ends.push(end);
    values.push(text(source.value[index]));
    if (source.exact.has(index)) made.exact.set(place, source.exact.get(index));
    // The count of a cut aggregate is proportional to its remaining time.
    const old = source.aggregate?.[index], length = source.end[index] - source.start[index];
    const share = length > 0 ? (end - begin) / length : 1;
    if (source.interrupted.has(index)) made.interrupted.set(place, source.interrupted.get(index) * share);
    if (share !== 1 && (source.isAggregate(index) || source.interrupted.has(index))) made.cut.add(place);
    if (!source.isAggregate(index)) return;
    places.push([place, Math.max(1, Math.round(source.slices[old] * share))]);
    if (lane.kind === "levels") {
      made.lows.push(source.lows[old]);
      made.highs.push(source.highs[old]);
    } else if (lane.kind === "slices") {
      made.longest.push(Math.min(source.longest[old], end - begin));
      const times = new Array(made.stride).fill(0);
      slots.forEach((to_, from_) => { times[to_] = source.times[old * source.stride + from_] * share; });
      made.times.push(...times);
    }
  };
  const own = lane.classes.slice(0, lane.stride).map((name) => made.classes.indexOf(name)), same = (text) => text;
  const isKept = (index) => !lane.isAggregate(index);
  // A slice that begins outside is complete here, and cut there.
  let begin = from, end = to;
  const first = lane.firstEndingAfter(from);
  for (let i = 0; i < first; i++) add(lane, i, lane.start[i], lane.end[i], 0, same, own);
  if (first < lane.count && lane.start[first] < from) {
    if (isKept(first)) begin = Math.min(to, lane.end[first]);
    add(lane, first, lane.start[first], isKept(first) ? lane.end[first] : from, 0, same, own);
  }
  const rest = lane.firstFrom(end, 0);
  const last = rest - 1;
  const crosses = last >= 0 && lane.end[last] > to && lane.end[last] > begin && !(isKept(last) && lane.start[last] < from);
  if (crosses && isKept(last)) end = Math.max(begin, lane.start[last]);
  for (let i = 0; i < part.count; i++) {
    const [starting, ending] = [part.start[i] + shift, part.end[i] + shift];
    const isMoment = starting === ending;
    if (isMoment ? starting < begin || starting >= end : ending <= begin || starting >= end) continue;
    add(part, i, Math.max(begin, starting), Math.min(end, ending), shift, lane.kind === "levels" ? same : (text) => textOf[text], slot);
  }
  if (crosses) add(lane, last, isKept(last) ? lane.start[last] : to, lane.end[last], 0, same, own);
  for (let i = rest; i < lane.count; i++) add(lane, i, lane.start[i], lane.end[i], 0, same, own);
  made.fill(starts, ends, values, places);
  made.sum(classOf);
  return made;
}

/** The numbers that texts of a part have in the whole, which gets those that it has not. `rowOf` gives the row of the
 * whole that is a row of the part; several tasks may have one name. */
function joinTexts(whole, part, rowOf) {
  const key = (kind, words, row) => `${kind} ${row ?? ""} ${words}`;
  const known = new Map(whole.texts.map(([kind, words, , row], index) => [key(kind, words, row), index]));
  return part.texts.map(([kind, words, , place]) => {
    const row = place === null ? null : rowOf(part.rows[place]) ?? null, own = key(kind, words, row);
    if (!known.has(own)) {
      known.set(own, whole.texts.length);
      // How many have it is counted already: under another text of its kind.
      whole.texts.push([kind, words, 0, row]);
    }
    return known.get(own);
  });
}

/** Puts a part of a recording into a picture of all of it; `lanes` are those of the rows as they were read at first. */
function putPart(picture, lanes, part, [from, to]) {
  const shift = Number(part.start - picture.start);
  // The name has the number where several have one name, which may be so in one of the two only.
  const key = (row) => `${row.group} ${row.id} ${row.name.endsWith(` #${row.id}`) ? row.name.slice(0, -` #${row.id}`.length) : row.name}`;
  const only = (rows) => {
    const all = Map.groupBy(rows, key);
    return new Map([...all].filter(([, same]) => same.length === 1).map(([name, [row]]) => [name, row]));
  };
  const here = only(picture.rows), there = only(part.rows);
  const textOf = joinTexts(picture, part, (row) => here.get(key(row))?.index);
  const classOf = Uint8Array.from(picture.texts, ([name]) => CLASSES.indexOf(name));
  picture.rows.forEach((row, index) => {
    // One of several with one name and number stays as it is.
    const other = here.has(key(row)) ? there.get(key(row)) : undefined;
    row.lanes = lanes[index].map((lane, number) => {
      const more = other?.lanes[number];
      return more && more.kind === lane.kind && lane.aggregate !== null ? withPart(lane, more, [from, to], shift, textOf, classOf) : lane;
    });
  });
  linkInterrupts(picture.rows, picture.texts);
}

/** How long a view is as it is before it is read, in ms. */
const SETTLED = 400;
/** A pixel that is so many times as long as aggregates may be has no more of two of them in part than one can see. */
const FINE = 16;
/** The factor by which a part has to be smaller than the last one, so that it has more. */
const SMALLER = 1.5;

/** Reads again what a timeline shows of aggregates. `read(from, to, later)` gives a picture of a part, times in ns on
 * the target's clock; or null, and calls `later` if it is worth to ask again. */
class Rereader {
  constructor(timeline, read) {
    Object.assign(this, { timeline, read });
    this.lanes = timeline.rows.map((row) => row.lanes);
    /** The last part: from, to, and the length below which its slices are aggregates. */
    this.part = null;
    this.timer = null;
    timeline.open.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** The part to read, so that the view has more: with a margin on both sides, for scrolling. Null if it has all. */
  wanted({ from, perPixel, width }) {
    const { picture } = this.timeline, length = perPixel * width, to = from + length;
    const whole = { from: 0, to: picture.length, below: picture.mergedBelow };
    const isInside = this.part && this.part.from <= Math.max(0, from) && this.part.to >= Math.min(picture.length, to);
    const had = isInside ? this.part : whole;
    const part = { from: Math.max(0, Math.floor(from - length / 4)), to: Math.min(picture.length, Math.ceil(to + length / 4)) };
    // It may show a time in which nothing was recorded.
    return part.to > part.from && perPixel < FINE * had.below && (part.to - part.from) * SMALLER < had.to - had.from ? part : null;
  }

  /** The selection: its row, its lane, its begin and its end; null if it is not a slice. */
  selected() {
    const { selection } = this.timeline;
    if (!selection || selection.index === null) return null;
    const { row, lane, index, at } = selection, part = row.lanes[lane];
    return { row, lane, at: at ?? [part.start[index], part.end[index]], isLinked: at !== undefined };
  }

  /** Selects the slice that begins there now; a link may lead to another lane. */
  selectAgain({ row, lane, at, isLinked }) {
    const number = isLinked ? laneOf(row, ...at) : lane, now = row.lanes[number], index = now.firstEndingAfter(at[0]);
    const isThere = index < now.count && now.start[index] <= at[1];
    this.timeline.select({ row, lane: number, index: isThere ? index : null, ...(isLinked ? { at } : {}) });
  }

  /** The view is another one. */
  look() {
    clearTimeout(this.timer);
    if (this.timeline.picture.mergedBelow === 0) return;
    this.timer = setTimeout(() => this.readView(), SETTLED);
  }

  async readView() {
    const { timeline } = this, { view, picture } = timeline;
    const wanted = view && !timeline.open.signal.aborted ? this.wanted(view) : null;
    if (!wanted) return;
    const { from, to } = wanted;
    const part = await this.read(picture.start + BigInt(from), picture.start + BigInt(to), () => this.look());
    if (timeline.open.signal.aborted || !part) return;
    this.part = { from, to, below: part.mergedBelow };
    const selected = this.selected();
    putPart(picture, this.lanes, part, [from, to]);
    if (selected) this.selectAgain(selected);
    timeline.search.recount();
    timeline.draw();
    this.look();
  }
}
