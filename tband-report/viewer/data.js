// The packed picture, read into arrays that are quick to search.

/** Bytes of a base64 text. */
function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** What was compressed with gzip. */
async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Neighbours of which least and greatest level are kept. */
const BLOCK = 64;

/** A lane: starts and ends in ns from the start of the picture, and values. */
class Lane {
  constructor(kind, count) {
    this.kind = kind;
    this.count = count;
    this.start = new Float64Array(count);
    this.end = new Float64Array(count);
    this.value = kind === "levels" ? new Float64Array(count) : new Uint32Array(count);
    // Levels that are no exact numbers here, by their index.
    this.exact = new Map();
    this.busy = null;
    this.low = this.high = null;
  }

  /** The first that ends behind a time. */
  firstBehind(time, from = 0) {
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

  /** Sums of time in which something of these texts went on. */
  sumBusy(isBusy) {
    this.busy = new Float64Array(this.count + 1);
    for (let i = 0; i < this.count; i++) {
      const time = isBusy[this.value[i]] ? this.end[i] - this.start[i] : 0;
      this.busy[i + 1] = this.busy[i] + time;
    }
  }

  /** Least and greatest level of each block, and of all. */
  sumLevels() {
    const blocks = Math.ceil(this.count / BLOCK);
    this.low = new Float64Array(blocks).fill(Infinity);
    this.high = new Float64Array(blocks).fill(-Infinity);
    for (let i = 0; i < this.count; i++) {
      const block = Math.floor(i / BLOCK);
      this.low[block] = Math.min(this.low[block], this.value[i]);
      this.high[block] = Math.max(this.high[block], this.value[i]);
    }
    this.least = this.low.reduce((a, b) => Math.min(a, b), 0);
    this.most = this.high.reduce((a, b) => Math.max(a, b), 0);
  }

  /** Least and greatest level from one place to before another. */
  range(from, to) {
    let low = Infinity, high = -Infinity, i = from;
    while (i < to) {
      if (i % BLOCK === 0 && i + BLOCK <= to) {
        low = Math.min(low, this.low[i / BLOCK]);
        high = Math.max(high, this.high[i / BLOCK]);
        i += BLOCK;
      } else {
        low = Math.min(low, this.value[i]);
        high = Math.max(high, this.value[i]);
        i++;
      }
    }
    return [low, high];
  }
}

/** Reads the rows of a picture. */
function readPicture(picture, bytes) {
  let at = 0;
  const varint = () => {
    let value = 0, weight = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
      weight *= 128;
    }
  };
  const exactly = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
    }
  };
  const isBusy = picture.texts.map(([kind]) => kind === "running" || kind === "name" || kind === "many");
  const rows = picture.rows.map((row, index) => {
    const lanes = row.lanes.map(([kind, count]) => {
      const lane = new Lane(kind, count);
      let time = 0;
      for (let i = 0; i < count; i++) {
        time += varint();
        lane.start[i] = time;
        time += varint();
        lane.end[i] = time;
        const place = at, value = varint();
        if (kind === "levels") {
          if (value > Number.MAX_SAFE_INTEGER) {
            at = place;
            lane.exact.set(i, exactly());
          }
          lane.value[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
        } else lane.value[i] = value;
      }
      if (kind === "levels") lane.sumLevels();
      else if (row.kind === "task" || row.kind === "core") lane.sumBusy(isBusy);
      return lane;
    });
    return { index, group: row.group, name: row.name, id: row.id, kind: row.kind, lanes };
  });
  return {
    // Times are counted from here: on the target's clock they may be too large for exact numbers.
    start: BigInt(picture.start_ns),
    length: Number(BigInt(picture.end_ns) - BigInt(picture.start_ns)),
    mergedBelow: picture.merged_below_ns,
    texts: picture.texts,
    rows,
  };
}

/** A duration in ns as people read it, in four digits or so. */
function duration(ns) {
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  const [unit, scale] = size < 1e6 ? ["us", 1e3] : size < 1e9 ? ["ms", 1e6] : ["s", 1e9];
  const value = ns / scale, digits = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1;
  let shown = value.toFixed(digits);
  // In the middle between two, the even one is taken, as in the tables.
  if (/^50*$/.test(value.toFixed(40).split(".")[1].slice(digits)) && Number(shown.at(-1)) % 2 === 1) {
    shown = (value - Math.sign(value) * 0.1 * 10 ** -digits).toFixed(digits);
  }
  return `${shown} ${unit}`;
}

/** A time on the target's clock, in ns as a BigInt, in ms, fine enough for steps of so many ns. */
function moment(ns, step = 1) {
  const digits = step >= 1e6 ? 0 : step >= 1e3 ? 3 : 6;
  const size = String((ns < 0n ? -ns : ns) / 10n ** BigInt(6 - digits)).padStart(digits + 1, "0");
  const point = size.length - digits;
  return `${ns < 0n ? "-" : ""}${size.slice(0, point)}${digits > 0 ? "." : ""}${size.slice(point)} ms`;
}

/** A new element with attributes and children; texts are texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
