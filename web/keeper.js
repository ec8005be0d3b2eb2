// Writes a recording into the browser's private file system while it comes: so it is there after a crash. In a worker,
// since only there a file is written in place.

"use strict";

/** Interval in which written bytes are flushed to the disk, in ms. */
const FLUSH = 1000;
let file = null, flushed = 0;

async function open(folder, name) {
  const root = await navigator.storage.getDirectory();
  const handle = await (await root.getDirectoryHandle(folder, { create: true })).getFileHandle(name, { create: true });
  file = await handle.createSyncAccessHandle();
}

function append(bytes) {
  const written = file.write(bytes, { at: file.getSize() });
  if (written !== bytes.length) throw new Error("there is no more room");
  const now = performance.now();
  if (now - flushed < FLUSH) return;
  flushed = now;
  file.flush();
}

onmessage = async ({ data }) => {
  try {
    if (data.name) await open(data.folder, data.name);
    else if (data.bytes) append(data.bytes);
    else {
      file.flush();
      file.close();
    }
    postMessage(null);
  } catch (error) {
    postMessage(error.message);
  }
};
