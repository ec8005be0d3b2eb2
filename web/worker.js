// The converter in a worker: `exports.rs` of tband-web is the other side.

"use strict";

/** Output that is gathered before it becomes part of a blob, which the browser may put on the disk. */
const PART = 4 << 20;

let module = null;
let live = null;

function start(files, progress) {
  const output = { parts: [], waiting: [], size: 0, length: 0 };
  const reader = new FileReaderSync();
  let instance = null;
  const memory = () => new Uint8Array(instance.exports.memory.buffer);
  const flush = () => {
    if (output.size > 0) output.parts.push(new Blob(output.waiting));
    [output.waiting, output.size] = [[], 0];
  };
  const host = {
    read(file, offset, at, len) {
      try {
        const part = files[file].slice(offset, offset + len);
        const bytes = new Uint8Array(reader.readAsArrayBuffer(part));
        memory().set(bytes, at);
        progress(bytes.length);
        return bytes.length;
      } catch {
        return -1;
      }
    },
    write(at, len) {
      output.waiting.push(memory().slice(at, at + len));
      output.size += len;
      output.length += len;
      if (output.size >= PART) flush();
    },
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
  return { call, output, flush };
}

function work({ id, request, files }) {
  const size = files.reduce((sum, file) => sum + file.size, 0) * (request.passes ?? 2);
  let done = 0, told = 0;
  const progress = (bytes) => {
    done += bytes;
    const now = performance.now();
    if (now - told > 60) {
      told = now;
      postMessage({ id, progress: Math.min(1, done / Math.max(1, size)) });
    }
  };
  const converter = start(files, progress);
  const answer = converter.call("ask", new TextEncoder().encode(JSON.stringify(request)));
  converter.flush();
  postMessage({ id, answer, output: new Blob(converter.output.parts, { type: request.type ?? "application/octet-stream" }) });
}

onmessage = ({ data }) => {
  try {
    if (data.wasm) module = new WebAssembly.Module(data.wasm);
    else if (data.live) {
      live ??= start([], () => {});
      postMessage({ id: data.id, answer: live.call("feed", data.live) });
    } else work(data);
  } catch (error) {
    postMessage({ id: data.id, answer: { failed: true, clean: false, messages: [["error", `the converter has stopped: ${error.message ?? error}`]] } });
  }
};
