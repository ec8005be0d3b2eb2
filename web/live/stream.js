// A recording that `tband-cli record --web` makes, as it sends it: messages of a kind, a length and a content.

/** A connection that broke is tried again after this, in ms. */
const AGAIN = 1000;

/** Splits incoming bytes into messages, wherever they are cut. */
class Messages {
  constructor() {
    this.room = new Room();
  }

  /** Takes some bytes; gives the messages that are whole: `[kind, content]`. */
  take(bytes) {
    this.room.add(bytes);
    const all = this.room.take(), view = new DataView(all.buffer, all.byteOffset, all.byteLength), whole = [];
    let at = 0;
    while (at + 5 <= all.length) {
      const length = view.getUint32(at + 1, true);
      if (at + 5 + length > all.length) break;
      whole.push([all[at], all.subarray(at + 5, at + 5 + length)]);
      at += 5 + length;
    }
    this.room.add(all.subarray(at));
    return whole;
  }
}

class RecordingStream {
  /** `begin()` is called for each connection, `take(bytes, came)` with recorded bytes and their time in ms; a promise
   * of it is waited for. `skip()` marks missing bytes, `tell(status)` has the status, or null without a connection. */
  constructor(calls) { Object.assign(this, calls); }

  /** Reads until the recording has ended. */
  async read() {
    for (;;) {
      let hasEnded = false;
      try {
        const response = await fetch("live", { cache: "no-store" });
        if (!response.ok) throw new Error(response.statusText);
        this.begin();
        hasEnded = await this.readAll(response.body.getReader());
      } catch { /* The program has gone, or is busy. */ }
      if (hasEnded) return;
      this.tell(null);
      await new Promise((go) => { setTimeout(go, AGAIN); });
    }
  }

  /** Whether the recording has ended. */
  async readAll(reader) {
    const messages = new Messages(), text = new TextDecoder();
    // How much later it is by the clock here than by the program's, which may run on another machine: by what took least on its way.
    let hasEnded = false, ahead = Infinity;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return hasEnded;
      for (const [kind, content] of messages.take(value)) {
        if (kind === 0) {
          const came = new DataView(content.buffer, content.byteOffset).getFloat64(0, true);
          await this.take(content.subarray(8), came > 0 && ahead < Infinity ? came + ahead : 0);
        } else if (kind === 1) {
          const status = JSON.parse(text.decode(content));
          hasEnded = status.ended;
          ahead = Math.min(ahead, Date.now() - status.now_ms);
          this.tell(status);
        } else if (kind === 3) this.skip();
      }
    }
  }
}
