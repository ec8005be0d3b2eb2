// A recording while it comes: a worker reads it, and the page draws what the worker has as often as it can.

/** Bytes that wait for the worker; then who can wait, waits, and of others what waits is left out. */
const WAITING = 1 << 20, TOO_MUCH = 4 << 20;
/** What waits for longer than this is left out, in ms: the picture is to be of now. */
const LATE = 1000;
/** The least time from one picture to the next, in ms. A page that is not seen draws none. */
const PICTURE = 40, UNSEEN = 500;
/** Between two looks at how old the picture is, in ms. */
const AGE = 500;
/** A gap marker, a byte sequence that no frame contains: data is missing here. */
const MISSING = Uint8Array.of(0, 0xff, 0);

const paused = (ms) => new Promise((go) => { setTimeout(go, ms); });
/** Waits until requested drawings are done. */
const drawn = () => new Promise((go) => { if (document.hidden) setTimeout(go, UNSEEN); else requestAnimationFrame(go); });

/** Size of the kept tail in bytes. */
const TAIL = 16 << 20;
/** The name of that file. */
const LIVE_NAME = "live.bin";

/** The last received bytes, for zooming in. */
class Tail {
  constructor() {
    this.parts = [];
    this.size = 0;
    this.isCut = false;
  }

  add(bytes) {
    this.parts.push(bytes.slice());
    this.size += bytes.length;
    // The first has the names.
    while (this.size > TAIL && this.parts.length > 2) {
      this.size -= this.parts.splice(1, 1)[0].length;
      this.isCut = true;
    }
  }

  /** As a recording. In packets losses show without a mark. */
  file() {
    const [first, ...rest] = this.parts, hasPackets = first && first.some((_, at) => [0xc1, 0x1f, 0xfc, 0xc1].every((byte, index) => first[at + index] === byte));
    const parts = !this.isCut ? this.parts : hasPackets ? rest : [first, MISSING, ...rest];
    return new File(parts, LIVE_NAME);
  }
}

/** Tables of texts, which are written over where they change. */
class LiveTables {
  constructor() {
    this.root = element("div", { class: "live-tables" });
    this.bodies = new Map();
  }

  bodyOf({ title, columns }) {
    const known = this.bodies.get(title);
    if (known) return known;
    const head = columns.map(([words, isNumber]) => element("th", { scope: "col", class: isNumber ? "number" : null }, words));
    const body = element("tbody");
    this.root.append(element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title },
      element("table", {}, element("caption", {}, title), element("thead", {}, element("tr", {}, ...head)), body)));
    this.bodies.set(title, body);
    return body;
  }

  show(tables) {
    for (const [title, body] of this.bodies) if (!tables.some((it) => it.title === title)) body.replaceChildren();
    for (const table of tables) {
      const body = this.bodyOf(table);
      while (body.rows.length > table.rows.length) body.lastChild.remove();
      table.rows.forEach((cells, number) => {
        const line = body.rows[number] ?? body.appendChild(element("tr", {}, ...table.columns.map(([, isNumber]) => element("td", { class: isNumber ? "number" : null }))));
        cells.forEach((text, column) => { if (line.cells[column].textContent !== text) line.cells[column].textContent = text; });
      });
    }
  }
}

class Live {
  /** Shows it in a place. `look(file)` takes the last of it as a recording. */
  constructor(module, place, look) {
    Object.assign(this, { module, place });
    this.room = new Room();
    this.tail = new Tail();
    this.tables = new LiveTables();
    this.timeline = null;
    this.isPaused = this.hasEnded = this.isClosed = this.isOver = false;
    /** The worker has more than was drawn: the page was hidden, or paused. */
    this.isBehind = false;
    this.skipped = 0;
    /** When the oldest and the newest that wait came, in ms; 0 if that is not known. */
    this.oldest = this.newest = 0;
    this.wake = () => {};
    this.counted = ({ error }) => { if (error) this.tell(`It is not followed any more: ${error}`); };
    this.what = element("span", { id: "live-what", role: "status" });
    this.age = element("span", { class: "live-age" });
    this.pauseButton = element("button", { type: "button", id: "live-pause", "aria-pressed": "false", on: { click: () => this.pause(!this.isPaused) } }, "Pause");
    const lookButton = element("button", { type: "button", id: "live-look", title: "Looks at the last 16 MB as at any recording", on: { click: () => look(this.tail.file()) } }, "Look at the last part");
    this.drawing = element("div");
    place.replaceChildren(element("h2", { class: "unseen" }, "Live"), element("p", { class: "live-bar" }, this.pauseButton, lookButton, this.what, this.age), this.drawing, this.tables.root);
    place.hidden = false;
    this.seen = () => this.wake();
    document.addEventListener("visibilitychange", this.seen);
    this.running = this.run();
  }

  /** Takes received bytes; `came`: when, in ms, or 0. Returns a promise for callers that can wait. */
  add(bytes, came = Date.now()) {
    if (this.isOver) return null;
    if (this.room.filled > TOO_MUCH || (this.oldest > 0 && came > 0 && Date.now() - this.oldest > LATE)) this.skip();
    if (this.oldest === 0) this.oldest = came;
    this.newest = came;
    this.room.add(bytes);
    this.tail.add(bytes);
    this.wake();
    return this.room.filled > WAITING ? new Promise((go) => { this.freed = go; }) : null;
  }

  /** What waits is left out: something is missing here. */
  skip() {
    this.room.take();
    this.room.add(MISSING);
    this.oldest = 0;
    this.skipped++;
  }

  tell(words) { this.what.textContent = words; }

  pause(isPaused) {
    this.isPaused = isPaused;
    this.pauseButton.setAttribute("aria-pressed", String(isPaused));
    this.wake();
  }

  /** It is to be seen as it is now; in the end by who comes back later, too. */
  get isLookedAt() { return !this.isClosed && !this.isPaused && (this.hasEnded || !document.hidden); }

  async run() {
    const jobs = new Jobs(this.module);
    let reported = 0;
    for (;;) {
      if (this.room.filled === 0 && !(this.isBehind && this.isLookedAt)) {
        if (this.hasEnded) break;
        await new Promise((go) => { this.wake = go; });
        continue;
      }
      const begin = performance.now(), came = this.newest;
      const bytes = this.room.take();
      this.oldest = 0;
      this.freed?.();
      const look = this.isLookedAt;
      this.isBehind = !look;
      const { answer, picture } = await jobs.run({ live: bytes, look });
      if (answer.failed) {
        // The worker has stopped and has no data any more; the recording continues.
        this.counted({ error: answer.messages.map(([, text]) => text).join("; ") });
        break;
      }
      this.counted(answer);
      if (this.isPaused || this.isClosed) {
        this.isBehind = true;
        await paused(PICTURE);
        continue;
      }
      if (answer.tables) this.tables.show(answer.tables);
      if (answer.picture) this.show(readPicture(answer.picture, picture));
      await drawn();
      const now = Date.now();
      if (came > 0 && now - reported > AGE) {
        reported = now;
        const missed = this.skipped > 0 ? `; the page was too slow ${counted(this.skipped, "time")}, and left something out` : "";
        this.age.textContent = `shown ${groupDigits(Math.max(0, Math.round(now - came)))} ms after it came${missed}`;
      }
      await paused(Math.max(0, PICTURE - (performance.now() - begin)));
    }
    this.hasEnded = this.isOver = true;
    this.room.take();
    this.age.textContent = "";
    this.freed?.();
    jobs.stop();
  }

  show(picture) {
    if (this.isClosed || picture.rows.length === 0) return;
    if (this.timeline) return this.timeline.renew(picture);
    this.timeline = globalThis.tbandTimeline = new LiveTimeline(picture);
    this.drawing.replaceChildren(this.timeline.root);
    this.timeline.resize();
  }

  /** Nothing comes any more; a promise of when all is shown. */
  end() {
    this.hasEnded = true;
    this.wake();
    return this.running;
  }

  /** It is shown no more. */
  close() {
    this.isClosed = true;
    document.removeEventListener("visibilitychange", this.seen);
    this.timeline?.close();
    this.place.replaceChildren();
    this.place.hidden = true;
    return this.end();
  }
}
