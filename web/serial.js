// A recording straight from the board, where the browser has WebSerial.

/** Bytes that are gathered before they become part of a blob. */
const GATHERED = 1 << 20;
/** After Stop, in ms: a board that sends nothing for this time has nothing queued. */
const QUIET = 100;
/** A board that continues to send is read for so long after Stop, in ms, and then until nothing comes for as many iterations of the event loop. */
const DRAINED = 2000, TURNS = 4;
/** After these the port has another stream; lost bytes are found as damage. */
const GOES_ON = ["BufferOverrunError", "BreakError", "FramingError", "ParityError"];

/** Waits for one iteration of the event loop. A timer would wait for some ms, and most boards send something in that time. */
const turn = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); go(); };
  port2.postMessage(null);
});

class Capture {
  /** `take(bytes)` is called with all that comes, `ended(recording, error)` once, as soon as nothing more will come. */
  constructor(take, ended) {
    Object.assign(this, { take, ended });
    this.parts = [];
    this.room = new Room();
    this.reads = 0;
    this.isStopping = this.isStopped = false;
    this.error = null;
  }

  /** Asks the user for a port, and opens it. */
  async start(baudRate) {
    this.port = await navigator.serial.requestPort();
    await this.port.open({ baudRate, bufferSize: 1 << 16 });
  }

  /** Reads until `stop`, or until the board is gone. */
  async read() {
    while (!this.isStopped && !this.error && this.port.readable) {
      const reader = this.reader = this.port.readable.getReader();
      try {
        for (;;) {
          const { value, done } = await reader.read();
          this.reads++;
          if (done) { this.isStopped = true; break; }
          this.keep(value);
        }
      } catch (error) {
        if (!GOES_ON.includes(error.name)) this.error = error;
      } finally {
        reader.releaseLock();
      }
    }
    this.isStopped = true;
    // Before the port is closed: some drivers never come back from that.
    this.ended(new Blob([...this.parts, this.room.take()]), this.error);
    try { await this.port.close(); } catch { /* The board is gone. */ }
  }

  keep(bytes) {
    this.room.add(bytes);
    if (this.room.filled >= GATHERED) this.parts.push(new Blob([this.room.take()]));
    this.take(bytes);
  }

  /** Ends it when all is read that was queued, which to cancel the reader would discard; asked again, at once. */
  async stop() {
    if (!this.isStopping) {
      this.isStopping = true;
      const from = performance.now();
      for (let reads = -1; reads !== this.reads && !this.isStopped;) {
        reads = this.reads;
        if (performance.now() - from < DRAINED) await new Promise((go) => { setTimeout(go, QUIET); });
        else for (let turns = 0; turns < TURNS; turns++) await turn();
      }
    }
    this.isStopped = true;
    // A reader that is cancelled has ended at once, whenever the port is done with it.
    this.reader?.cancel().catch(() => { /* It has ended already. */ });
  }
}
