// A lane of the timeline: slices one after the other, some of which are aggregates of many, and the sums of any part of it
// by class.

/** Neighbours of which sums, and least and greatest levels, are kept. */
const BLOCK = 64;

/** Classes of texts. */
const CLASSES = ["running", "name", "isr", "ready", "loss", "damage", "note", "unknown", "suspended", "blocked", "idle", "idle_isr"];
const [ISR, IDLE, IDLE_ISR] = ["isr", "idle", "idle_isr"].map((name) => CLASSES.indexOf(name));
/** The class of interrupts on top of a slice of a class. */
const interruptsOn = (name) => (name === IDLE ? IDLE_ISR : ISR);
/** What tooltips say of them. */
const CLASS_WORDS = { running: "runs", name: "busy", isr: "in interrupts", idle_isr: "in interrupts of idle time", loss: "losses", note: "notes", unknown: "not known" };

/** Starts and ends in ns from the start of the picture, and values. `classes`: those of which aggregates have a time. */
class Lane {
  constructor(kind, count, classes) {
    this.kind = kind;
    this.count = count;
    this.start = new Float64Array(count);
    this.end = new Float64Array(count);
    this.value = kind === "levels" ? new Float64Array(count) : new Uint32Array(count);
    // Levels that are not exact numbers here, by their index.
    this.exact = new Map();
    // What interrupts took of slices in which a task has a core, by their index.
    this.interrupted = new Map();
    /** Gives the lane of the interrupts on top of a slice with a text. */
    this.interruptsOf = () => null;
    /** Those of which a part is missing, so that no time of them is exact. */
    this.cut = new Set();
    /** Those of its slices; `slot` is the place of a class there. */
    this.classes = [];
    this.slot = new Int8Array(CLASSES.length).fill(-1);
    classes.forEach((name) => this.addClass(name));
    // The number of each aggregate by its index, with its slices and their facts.
    this.aggregate = null;
    this.slices = [];
    this.longest = [];
    this.times = [];
    this.stride = classes.length;
    this.lows = [];
    this.highs = [];
  }

  addClass(name) { this.slot[CLASSES.indexOf(name)] = this.classes.push(name) - 1; }

  /** Takes all at once; of each aggregate its place and its slices. */
  fill(starts, ends, values, aggregates) {
    this.count = starts.length;
    this.start = Float64Array.from(starts);
    this.end = Float64Array.from(ends);
    this.value = (this.kind === "levels" ? Float64Array : Uint32Array).from(values);
    for (const [index, slices] of aggregates) this.addAggregate(index, slices);
  }

  /** The next aggregate is at a place. */
  addAggregate(index, slices) {
    this.aggregate ??= new Int32Array(this.count).fill(-1);
    this.aggregate[index] = this.slices.length;
    this.slices.push(slices);
  }

  isAggregate(index) { return this.aggregate !== null && this.aggregate[index] >= 0; }

  /** The first that ends after a time. */
  firstEndingAfter(time, from = 0) {
    let low = from, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end[middle] > time || this.start[middle] >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The first that starts at a time or later. */
  firstFrom(time, from = 0) {
    let low = from, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** A level in words: all of its digits, in a base. */
  level(index, base = 10) { return (this.exact.get(index) ?? this.value[index]).toString(base); }

  /** Computes the sums. `classOf`: the class of each text, by its place in `CLASSES`. */
  sum(classOf) {
    if (this.kind === "levels") this.sumLevels();
    else if (this.kind === "slices") this.sumTimes(classOf);
  }

  sumTimes(classOf) {
    this.classOf = classOf;
    for (let i = 0; i < this.count; i++) {
      const name = classOf[this.value[i]];
      if (this.slot[name] < 0 && !this.isAggregate(i)) this.addClass(CLASSES[name]);
    }
    for (const i of this.interrupted.keys()) {
      const name = interruptsOn(classOf[this.value[i]]);
      if (this.slot[name] < 0) this.addClass(CLASSES[name]);
    }
    // The sums before each block.
    const width = this.classes.length, sum = new Float64Array(width);
    this.before = new Float64Array((Math.floor(this.count / BLOCK) + 1) * width);
    for (let i = 0; i < this.count; i++) {
      this.addPart(i, this.start[i], this.end[i], sum);
      if ((i + 1) % BLOCK === 0) this.before.set(sum, (i + 1) / BLOCK * width);
    }
    this.total = sum;
  }

  /** Adds what a slice has from one time to another. An aggregate has as much in each part of it. */
  addPart(index, from, to, sum) {
    const start = this.start[index], end = this.end[index];
    const time = Math.min(end, to) - Math.max(start, from);
    if (time <= 0) return;
    if (!this.isAggregate(index)) {
      const interrupted = this.interruptedIn(index, Math.max(start, from), Math.min(end, to));
      const name = this.classOf[this.value[index]];
      sum[this.slot[name]] += time - interrupted;
      if (interrupted > 0) sum[this.slot[interruptsOn(name)]] += interrupted;
      return;
    }
    const place = this.aggregate[index] * this.stride, part = time / (end - start);
    for (let slot = 0; slot < this.stride; slot++) sum[slot] += this.times[place + slot] * part;
  }

  /** What interrupts took of a slice from one time to another within it. */
  interruptedIn(index, from, to) {
    const all = this.interrupted.get(index) ?? 0, start = this.start[index], end = this.end[index];
    if (all === 0 || (from === start && to === end)) return all;
    const interrupts = this.interruptsOf(this.value[index]);
    if (interrupts === null) return all * (to - from) / (end - start);
    return Math.min(all, to - from, interrupts.timesIn(from, to).reduce((sum, time) => sum + time, 0));
  }

  /** Whether times from one time to another are exact: no aggregate is cut. */
  isExactIn(from, to) {
    const first = this.firstEndingAfter(from), last = this.firstFrom(to, first) - 1;
    for (const i of this.cut) if (i >= first && i <= last) return false;
    for (const i of new Set([first, last])) {
      if (i < 0 || i >= this.count) continue;
      const start = this.start[i], end = this.end[i];
      if (start >= to || end <= from || (start >= from && end <= to)) continue;
      if (this.isAggregate(i)) return false;
      if (!this.interrupted.has(i)) continue;
      const interrupts = this.interruptsOf(this.value[i]);
      if (interrupts === null || !interrupts.isExactIn(Math.max(start, from), Math.min(end, to))) return false;
    }
    return true;
  }

  /** The time of each of `classes` from one time to another. Where a task has a core, what interrupts take is of the
   * class of interrupts. */
  timesIn(from, to, sum = new Float64Array(this.classes.length)) {
    sum.fill(0);
    const first = this.firstEndingAfter(from), end = this.firstFrom(to, first), width = this.classes.length;
    for (let i = first; i < end;) {
      // Those at both ends may be there in part only.
      if (i % BLOCK === 0 && i > first && i + BLOCK < end) {
        const last = Math.floor((end - 1) / BLOCK) * BLOCK;
        for (let slot = 0; slot < width; slot++) sum[slot] += this.before[last / BLOCK * width + slot] - this.before[i / BLOCK * width + slot];
        i = last;
      } else this.addPart(i++, from, to, sum);
    }
    return sum;
  }

  /** The time of one class in all of it. */
  timeOf(name) {
    const slot = this.classes.indexOf(name);
    return slot < 0 ? 0 : this.total[slot];
  }

  /** Least and greatest level of one of them. */
  low(index) { return this.isAggregate(index) ? this.lows[this.aggregate[index]] : this.value[index]; }
  high(index) { return this.isAggregate(index) ? this.highs[this.aggregate[index]] : this.value[index]; }

  /** Least and greatest level of each block, and of all. */
  sumLevels() {
    const blocks = Math.ceil(this.count / BLOCK);
    this.lowest = new Float64Array(blocks).fill(Infinity);
    this.highest = new Float64Array(blocks).fill(-Infinity);
    for (let i = 0; i < this.count; i++) {
      const block = Math.floor(i / BLOCK);
      this.lowest[block] = Math.min(this.lowest[block], this.low(i));
      this.highest[block] = Math.max(this.highest[block], this.high(i));
    }
    this.least = this.lowest.reduce((a, b) => Math.min(a, b), 0);
    this.most = this.highest.reduce((a, b) => Math.max(a, b), 0);
  }

  /** Least and greatest level from one place to before another. */
  range(from, to) {
    let low = Infinity, high = -Infinity, i = from;
    while (i < to) {
      const isBlock = i % BLOCK === 0 && i + BLOCK <= to;
      low = Math.min(low, isBlock ? this.lowest[i / BLOCK] : this.low(i));
      high = Math.max(high, isBlock ? this.highest[i / BLOCK] : this.high(i));
      i += isBlock ? BLOCK : 1;
    }
    return [low, high];
  }

  /** The levels from one time to another: the least and the greatest. */
  rangeIn(from, to) {
    const first = this.firstEndingAfter(from);
    return this.range(first, this.firstFrom(to, first));
  }

  /** An aggregate in words; `words` are those of its text. */
  describe(index, words, base = 10) {
    const place = this.aggregate[index], count = this.slices[place];
    if (this.kind === "moments") return `${count} moments, drawn as one; the first: ${words}`;
    if (this.kind === "levels") {
      const shown = (level) => `${base === 10 ? "" : "0x"}${level.toString(base)}`;
      return `${count} levels from ${shown(this.lows[place])} to ${shown(this.highs[place])}, drawn as one; the last: ${shown(this.value[index])}`;
    }
    const length = this.end[index] - this.start[index];
    const shares = this.classes.slice(0, this.stride).map((name, slot) => [CLASS_WORDS[name] ?? name, this.times[place * this.stride + slot] / length]);
    const parts = shares.filter(([, share]) => share > 0).map(([name, share]) => `${name} ${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`);
    return `${count} slices, drawn as one: ${parts.join(", ")}; the longest, ${duration(this.longest[place])}: ${words}`;
  }
}
