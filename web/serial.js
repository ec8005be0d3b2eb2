// A recording straight from the board, where the browser has WebSerial.

/** Bytes that are gathered before they become part of a blob. */
const GATHERED = 1 << 20;

class Capture {
  constructor(module, tell, ended) {
    Object.assign(this, { module, tell, ended });
    this.parts = [];
    this.waiting = [];
    this.size = this.total = 0;
    this.counting = null;
    this.stopped = false;
    this.error = null;
  }

  /** Asks the user for a port, and reads it until `stop`, or until the board is gone. */
  async start(baudRate) {
    this.port = await navigator.serial.requestPort();
    await this.port.open({ baudRate, bufferSize: 1 << 16 });
    this.counter = new Jobs(this.module);
    this.done = this.read();
  }

  async read() {
    while (!this.stopped && this.port.readable && !this.error) {
      this.reader = this.port.readable.getReader();
      try {
        for (;;) {
          const { value, done } = await this.reader.read();
          if (done) { this.stopped = true; break; }
          this.take(value);
        }
      } catch (error) {
        // After these the port has another stream; what was lost is found as damage.
        if (!["BufferOverrunError", "BreakError", "FramingError", "ParityError"].includes(error.name)) this.error = error;
      } finally {
        this.reader.releaseLock();
      }
    }
    try { await this.port.close(); } catch { /* The board is gone. */ }
    await this.counting;
    await this.count();
    this.counter.end(null);
    this.gather();
    this.ended(new Blob(this.parts), this.error);
  }

  take(bytes) {
    this.waiting.push(bytes);
    this.size += bytes.length;
    this.total += bytes.length;
    this.uncounted = [...(this.uncounted ?? []), bytes];
    if (this.size >= GATHERED) this.gather();
    this.counting ??= this.count().finally(() => { this.counting = null; });
  }

  gather() {
    if (this.size > 0) this.parts.push(new Blob(this.waiting));
    [this.waiting, this.size] = [[], 0];
  }

  /** Feeds what has come to the converter, and tells what that has counted. */
  async count() {
    while (this.uncounted?.length) {
      const all = this.uncounted;
      this.uncounted = [];
      const bytes = new Uint8Array(all.reduce((sum, it) => sum + it.length, 0));
      let at = 0;
      for (const part of all) { bytes.set(part, at); at += part.length; }
      const { answer } = await this.counter.run({ live: bytes });
      this.tell(answer);
    }
  }

  async stop() {
    this.stopped = true;
    try { await this.reader?.cancel(); } catch { /* It has ended already. */ }
    await this.done;
  }
}
