// Recordings of the board: a list in which each stays until the user discards it.

class Recordings {
  /** `look(file)` is called for a recording that the user wants to look at, `gone(file)` for one that was discarded.
   * `split(file)` gives a promise of `[recording, rest]`: the file up to its last complete packet, and what follows. */
  constructor(list, { look, gone, split }) {
    Object.assign(this, { list, look, gone, split });
    this.entries = [];
    this.isRecording = false;
    addEventListener("beforeunload", (event) => {
      if (!this.isRecording && !this.entries.some((it) => it.isNew && !it.saved)) return;
      event.preventDefault();
      // Browsers before 2023 ask for this one.
      event.returnValue = "unsaved";
    });
  }

  /** Finds those of earlier visits. */
  find() {
    return findKept((file, release, saved) => this.add(file, { saved, isNew: false, kept: Promise.resolve(release) }));
  }

  /** A name that none has. */
  newName(now = new Date()) {
    const two = (number, digits = 2) => String(number).padStart(digits, "0");
    const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    return `recording-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.${two(now.getMilliseconds(), 3)}.bin`;
  }

  /** Adds a file without the packet inside of which it ends. Gives the entry. */
  async add(whole, about) {
    const [file, rest] = await this.split(whole);
    const entry = { file, rest, name: whole.name, ...about };
    this.entries.push(entry);
    this.show();
    return entry;
  }

  has(file) { return this.entries.some((it) => it.file === file); }

  async discard(entry) {
    if (!entry.saved && !confirm(`Discard ${entry.name}? It has not been saved.`)) return;
    this.entries = this.entries.filter((it) => it !== entry);
    this.show();
    this.gone(entry.file);
    await this.forget(entry);
  }

  /** Removes the copy that the browser has. */
  async forget(entry) {
    const release = await entry.kept;
    if (!release) return;
    await removeKept(entry.name);
    release();
  }

  save(entry) {
    save(entry.file, entry.name);
    entry.saved = true;
    entry.kept.then((release) => release && markSaved(entry.name));
    this.show();
  }

  show() {
    const button = (text, entry, act, label = text) => element("button", { type: "button", "aria-label": `${label} ${entry.name}`, on: { click: act } }, text);
    this.list.replaceChildren(...this.entries.map((entry) => element("li", {}, element("bdi", { class: "name" }, entry.name),
      element("span", { class: "size" }, `${counted(entry.file.size, "byte")}, ${entry.saved ? "saved" : entry.isNew ? "not saved yet" : "from an earlier visit, not saved yet"}`),
      button("Save", entry, () => this.save(entry)),
      ...(entry.rest ? [button("Save the rest", entry, () => save(entry.rest, entry.rest.name), "Save the rest of")] : []),
      button("Look at", entry, () => this.look(entry.file)), button("Discard", entry, () => this.discard(entry)))));
    this.list.hidden = this.entries.length === 0;
  }
}
