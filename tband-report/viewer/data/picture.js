// The packed picture, read into arrays that are quick to search.

/** Bytes of a base64 text. */
function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** Decompresses gzip. */
async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads the rows of a picture. */
function readPicture(picture, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
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
  // As it is in memory.
  const real = () => {
    const value = view.getFloat64(at, true);
    at += 8;
    return value;
  };
  const classOf = Uint8Array.from(picture.texts, ([name]) => CLASSES.indexOf(name));
  const rows = picture.rows.map((row, index) => {
    const lanes = row.lanes.map(([kind, count, , classes, interrupted]) => {
      // Both are drawn alike.
      const isReal = kind === "reals";
      const lane = new Lane(isReal ? "levels" : kind, count, classes);
      let time = 0;
      const slice = (i) => {
        time += varint();
        lane.start[i] = time;
        time += varint();
        lane.end[i] = time;
        if (isReal) {
          lane.value[i] = real();
          return;
        }
        const place = at, value = varint();
        if (kind !== "levels") lane.value[i] = value;
        else {
          if (value > Number.MAX_SAFE_INTEGER) {
            at = place;
            lane.exact.set(i, exactly());
          }
          lane.value[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
        }
      };
      const aggregate = (i) => {
        slice(i);
        lane.addAggregate(i, varint());
        if (isReal) {
          lane.lows.push(real());
          lane.highs.push(real());
        } else if (kind === "levels") {
          lane.lows.push(lane.value[i] - varint());
          lane.highs.push(lane.value[i] + varint());
        } else if (kind === "slices") {
          lane.longest.push(varint());
          for (let slot = 0; slot < classes.length; slot++) lane.times.push(varint());
        }
      };
      // Runs of slices and of aggregates, in turn.
      for (let i = 0, isAggregates = false; i < count; isAggregates = !isAggregates) {
        for (let run = varint(); run > 0; run--) (isAggregates ? aggregate : slice)(i++);
      }
      for (let more = interrupted, i = 0; more > 0; more--) {
        i += varint();
        lane.interrupted.set(i, varint());
      }
      lane.sum(classOf);
      return lane;
    });
    return { index, group: row.group, name: row.name, id: row.id, kind: row.kind, isIdleTaskKnown: row.is_idle_task_known, lanes };
  });
  linkInterrupts(rows, picture.texts);
  numberTasks(rows, picture.texts);
  return {
    // Times are counted from here: on the target's clock they may be too large for exact numbers.
    start: BigInt(picture.start_ns),
    length: Number(BigInt(picture.end_ns) - BigInt(picture.start_ns)),
    mergedBelow: picture.merged_below_ns,
    texts: picture.texts,
    rows,
    // Further members of a view.
    activations: [],
  };
}

/** Times are in ticks of the target's timer, whose frequency is not known. */
let timesAreTicks = false;

/** A duration in ns as people read it, in four digits or so. */
function duration(ns) {
  if (timesAreTicks) return `${groupDigits(Math.round(ns))} ${Math.round(ns) === 1 ? "tick" : "ticks"}`;
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  const [unit, scale] = size < 1e6 ? ["µs", 1e3] : size < 1e9 ? ["ms", 1e6] : ["s", 1e9];
  const value = ns / scale, digits = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1;
  let shown = value.toFixed(digits);
  // In the middle between two, the even one is taken, as in the tables.
  if (/^50*$/.test(value.toFixed(40).split(".")[1].slice(digits)) && Number(shown.at(-1)) % 2 === 1) {
    shown = (value - Math.sign(value) * 0.1 * 10 ** -digits).toFixed(digits);
  }
  return `${groupDigits(shown)} ${unit}`;
}

/** A time on the target's clock, in ns as a BigInt, in ms, fine enough for steps of so many ns. */
function moment(ns, step = 1) {
  if (timesAreTicks) return `tick ${groupDigits(ns)}`;
  const digits = step >= 1e6 ? 0 : step >= 1e3 ? 3 : 6;
  const size = String((ns < 0n ? -ns : ns) / 10n ** BigInt(6 - digits)).padStart(digits + 1, "0");
  const point = size.length - digits;
  return `${ns < 0n ? "-" : ""}${groupDigits(size.slice(0, point))}${digits > 0 ? "." : ""}${size.slice(point)} ms`;
}

/** A number with thin spaces between groups of three digits, from five digits on. */
function groupDigits(number) {
  const [whole, ...rest] = String(number).split(".");
  const size = whole.replace("-", "");
  return [size.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, "\u202f"), ...rest].join(".");
}

/** A number of things: `1 event`, `2 events`. */
function counted(number, noun) {
  return `${groupDigits(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Numbers of the tables as the page has them everywhere: µs, a space before each unit, groups of three digits. */
const tidy = (text) => String(text).replace(/(\d) ?us\b/g, "$1 µs").replace(/(\d)(ms|ns|s)\b/g, "$1 $2")
  .replace(/(?<![\w.])-?\d{5,}(?=\.|$|\s)/g, (number) => groupDigits(number));

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
