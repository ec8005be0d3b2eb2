// Bytes that come in small pieces, gathered for a consumer: the cost grows with the bytes, not with the pieces that wait.

class Room {
  constructor() {
    this.bytes = new Uint8Array(1 << 16);
    this.filled = 0;
  }

  add(piece) {
    if (this.filled + piece.length > this.bytes.length) {
      // Twice as much each time: so each byte is moved once or twice in all.
      const more = new Uint8Array(Math.max(this.bytes.length * 2, this.filled + piece.length));
      more.set(this.bytes.subarray(0, this.filled));
      this.bytes = more;
    }
    this.bytes.set(piece, this.filled);
    this.filled += piece.length;
  }

  /** All that is in it, which it has no more. */
  take() {
    const all = this.bytes.slice(0, this.filled);
    this.filled = 0;
    return all;
  }
}

/** Passes bytes to a slow consumer: bytes that come while it works are passed at once when it is done. */
class Feed {
  /** `give(bytes)`: a promise of false ends it. */
  constructor(give) {
    this.give = give;
    this.room = new Room();
    this.running = null;
  }

  add(piece) {
    if (!this.give) return;
    this.room.add(piece);
    this.running ??= this.run();
  }

  async run() {
    while (this.give && this.room.filled > 0) {
      if (await this.give(this.room.take()) === false) this.give = null;
    }
    this.running = null;
  }

  /** Waits until all is given. */
  async end() { await this.running; }
}
