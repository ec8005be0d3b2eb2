// Colours: each task has a unique one, on the canvas and in tables; interrupts share one that no task has.

/** Hues of tasks, neighbours far apart. Those of interrupts, ready time and damage are left out. */
const HUES = [255, 150, 45, 300, 195, 115, 225, 280, 170, 25];
/** Further tasks have the same hues, darker and then paler. */
const SHADES = [0, -1, 1];

/** Hue and shade of the task of a number. */
const hueOf = (number) => ({ hue: HUES[number % HUES.length], shade: SHADES[Math.floor(number / HUES.length) % SHADES.length] });

/** Gives each task of a picture its number; idle ones have none. It is by their own numbers, so that a task keeps its
 * colour in the next recording of the same firmware. */
function numberTasks(rows, texts) {
  const idle = new Set(texts.filter(([kind, , , row]) => kind === "idle" && row !== null).map(([, , , row]) => row));
  const tasks = rows.filter((row) => row.kind === "task");
  for (const row of tasks) row.isIdle = idle.has(row.index);
  const busy = tasks.filter((row) => !row.isIdle).sort((one, two) => one.id - two.id || one.index - two.index);
  // One that takes name and number of another that has ended has its colour as well.
  const known = new Map();
  for (const row of busy) {
    const key = `${row.id} ${row.name}`;
    if (!known.has(key)) known.set(key, known.size);
    row.task = known.get(key);
  }
}

/** The colour of a task as a small square, before its name in a table. */
function swatch(row) {
  if (row?.group === "Cores" && row.kind === "nested") return element("i", { class: "swatch isr", "aria-hidden": "true" });
  if (row?.kind !== "task") return null;
  if (row.isIdle) return element("i", { class: "swatch idle", "aria-hidden": "true" });
  return element("i", { class: "swatch", style: taskStyle(row), "aria-hidden": "true" });
}

/** What gives an element of the page the colour of a task: `--task` is made of it in the style sheet. */
function taskStyle(row) {
  const { hue, shade } = hueOf(row.task);
  return `--hue:${hue};--shade:${shade}`;
}

/** Colours of the page, by name, as a canvas takes them. */
class Palette {
  constructor(picture, context) {
    const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(`--${name}`).trim();
    for (const name of ["ink", "faint", "paper", "panel", "line", "accent", "running", "ready", "blocked", "suspended", "idle",
      "isr", "loss", "damage", "note", "unknown", "level", "range", "mark", "stripe"]) this[name] = value(name);
    this.picture = picture;
    this.tone = ["task-light", "task-step", "task-chroma"].map((name) => Number(value(name)));
    this.striped = this.stripes(context);
    this.known = new Map();
  }

  /** Ready time is striped, so that it differs from running time without colours, too. */
  stripes(context) {
    const tile = element("canvas", { width: 6, height: 6 }), pen = tile.getContext("2d");
    pen.fillStyle = this.ready;
    pen.fillRect(0, 0, 6, 6);
    pen.strokeStyle = this.stripe;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const x of [-6, 0, 6]) { pen.moveTo(x - 1, 7); pen.lineTo(x + 7, -1); }
    pen.stroke();
    return context.createPattern(tile, "repeat");
  }

  /** A shade of a hue; `chroma` as a part of what tasks have. */
  shadeOf({ hue, shade }, chroma = 1) {
    const [light, step, most] = this.tone;
    return `oklch(${(light + shade * step).toFixed(3)} ${(most * chroma).toFixed(3)} ${hue})`;
  }

  /** What a task does that runs. */
  ofRow(row) {
    if (row.kind !== "task") return this.running;
    return row.isIdle ? this.idle : (this.known.get(row) ?? this.keep(row, this.shadeOf(hueOf(row.task))));
  }

  keep(key, colour) {
    this.known.set(key, colour);
    return colour;
  }

  /** What a slice of a row has that has a text. */
  ofText(text, row) {
    const [kind, , , place] = this.picture.texts[text];
    if (kind === "running") return this.ofRow(row);
    if (kind !== "name") return this[kind];
    // Of a task, or of something of the user's, which is paler.
    return place !== null && place !== undefined ? this.ofRow(this.picture.rows[place]) : this.known.get(text) ?? this.keep(text, this.shadeOf(hueOf(text), 0.4));
  }
}

/** What colours and shapes mean, in the order in which a task passes through its states. */
const LEGEND = [
  ["running", "runs: each task has its colour"], ["ready", "ready, waits for the CPU"], ["blocked", "blocked"], ["suspended", "suspended or created"],
  ["idle", "idle"], ["isr", "interrupt"], ["loss", "lost events"], ["damage", "damage"],
];

/** A legend of the classes that a picture has. */
function legendOf(picture) {
  const there = new Set(picture.texts.map(([kind]) => kind));
  return element("ul", { class: "legend", "aria-label": "Legend" },
    ...LEGEND.filter(([kind]) => there.has(kind)).map(([kind, words]) => element("li", {}, element("i", { class: kind, "aria-hidden": "true" }), words)));
}
