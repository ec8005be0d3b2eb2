// The converter in a worker: `exports.rs` of tband-web is the other side.

"use strict";

/** Bytes of output that are gathered before they become part of a blob, which the browser may put on the disk. */
const PART = 4 << 20;
/** Bytes of the files that are kept for the next pass: the browser takes a third of the converter's time to read them. */
const KEPT = 48 << 20;
const gathered = new Uint8Array(PART);

/** A channel without a listener: memory that is handed over there is free at once, and not when it is collected some time. */
const nowhere = new MessageChannel();
nowhere.port2.close();

let module = null;
let live = null;

/** The output of a job: files, each the parts of a blob. Data that is not part of one yet is in `gathered`, in runs. */
class Made {
  constructor() {
    this.files = [];
    this.runs = [];
    this.filled = 0;
  }

  write(file, bytes) {
    for (let at = 0; at < bytes.length;) {
      if (this.filled === PART) this.flush();
      const len = Math.min(bytes.length - at, PART - this.filled);
      gathered.set(bytes.subarray(at, at + len), this.filled);
      const last = this.runs[this.runs.length - 1];
      if (last?.file === file) last.to += len;
      else this.runs.push({ file, from: this.filled, to: this.filled + len });
      this.filled += len;
      at += len;
    }
  }

  flush() {
    const of = new Map();
    for (const { file, from, to } of this.runs) of.set(file, [...(of.get(file) ?? []), gathered.subarray(from, to)]);
    // A blob has a copy.
    for (const [file, parts] of of) this.parts(file).push(new Blob(parts));
    [this.runs, this.filled] = [[], 0];
  }

  parts(file) { return (this.files[file] ??= []); }

  /** Puts what a file has after what another one has. */
  append(to, from) {
    this.flush();
    this.parts(to).push(...this.parts(from));
    this.files[from] = [];
  }

  blob(type) {
    this.flush();
    return new Blob(this.parts(0), { type });
  }
}

/** `take`: the receiver of the output, in place of the blobs of a job. */
function start(files, progress, take = null) {
  const made = new Made();
  const reader = new FileReaderSync();
  // The first that were read: each pass asks for the same pieces.
  const kept = new Map();
  let keeps = 0;
  let instance = null, view = null;
  const memory = () => (view?.buffer === instance.exports.memory.buffer ? view : (view = new Uint8Array(instance.exports.memory.buffer)));
  const host = {
    read(file, offset, at, len) {
      try {
        const key = `${file} ${offset} ${len}`;
        const buffer = kept.get(key) ?? reader.readAsArrayBuffer(files[file].slice(offset, offset + len));
        const { byteLength } = buffer;
        memory().set(new Uint8Array(buffer), at);
        if (keeps + byteLength <= KEPT) {
          if (!kept.has(key)) keeps += byteLength;
          kept.set(key, buffer);
        } else if (!kept.has(key)) {
          nowhere.port1.postMessage(null, [buffer]);
        }
        progress(byteLength);
        return byteLength;
      } catch {
        return -1;
      }
    },
    write(file, at, len) { take ? take(memory().slice(at, at + len)) : made.write(file, memory().subarray(at, at + len)); },
    append(to, from) { made.append(to, from); },
  };
  instance = new WebAssembly.Instance(module, { host });
  const text = new TextDecoder();
  const call = (name, bytes) => {
    const place = instance.exports.give(bytes.length);
    memory().set(bytes, place);
    const length = instance.exports[name]();
    const from = instance.exports.answer();
    return JSON.parse(text.decode(memory().subarray(from, from + length)));
  };
  return { call, made };
}

function work({ id, request, files }) {
  const size = files.reduce((sum, file) => sum + file.size, 0) * (request.passes ?? 2);
  let done = 0, reported = 0;
  const progress = (bytes) => {
    done += bytes;
    const now = performance.now();
    if (now - reported > 60) {
      reported = now;
      postMessage({ id, progress: Math.min(1, done / Math.max(1, size)) });
    }
  };
  const converter = start(files, progress);
  const answer = converter.call("ask", new TextEncoder().encode(JSON.stringify(request)));
  postMessage({ id, answer, output: converter.made.blob(request.type ?? "application/octet-stream") });
}

onmessage = ({ data }) => {
  try {
    if (data.module) ({ module } = data);
    else if (data.live) {
      let picture = null;
      live ??= start([], () => {}, (bytes) => { live.take(bytes); });
      live.take = (bytes) => { picture = bytes; };
      const answer = live.call("feed", data.live);
      if (!data.look) return postMessage({ id: data.id, answer });
      const seen = live.call("look", new Uint8Array());
      postMessage({ id: data.id, answer: seen, picture }, picture ? [picture.buffer] : []);
    } else work(data);
  } catch (error) {
    postMessage({ id: data.id, answer: { failed: true, clean: false, messages: [["error", `the converter has stopped: ${error.message ?? error}`]] } });
  }
};
