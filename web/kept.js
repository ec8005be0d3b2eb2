// Recordings in the browser's private file system, where a page has one: not if it was opened from the disk.

/** Their folder, and what follows the name of one that was saved. */
const KEPT_IN = "recordings", SAVED = ".saved";
/** One that was saved is kept for so long, in ms: the browser does not report whether the download was completed. */
const SAVED_FOR = 24 * 3600 * 1000;

/** The folder of recordings; null if the page has none. */
async function keptFolder() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(KEPT_IN, { create: true });
  } catch {
    return null;
  }
}

/** Holds a recording as long as this page is there, or until the function is called that it gives: others leave it alone. */
function holdRecording(name) {
  return new Promise((held, failed) => {
    navigator.locks.request(`tband ${KEPT_IN}/${name}`, () => new Promise((release) => { held(release); })).catch(failed);
  });
}

/** Writes a recording while it comes. */
class Keeper {
  constructor(name) {
    this.name = name;
    this.worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("keeper").textContent], { type: "text/javascript" })));
  }

  /** Fails with what went wrong. */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => (data === null ? resolve() : reject(new Error(data)));
      this.worker.onerror = (event) => reject(new Error(event.message ?? "it has stopped"));
      this.worker.postMessage(message);
    });
  }

  open() { return this.ask({ folder: KEPT_IN, name: this.name }); }

  append(bytes) { return this.ask({ bytes }); }

  async end() {
    await this.ask({ end: true }).catch(() => { /* What could be written is there. */ });
    this.worker.terminate();
  }
}

async function removeKept(name) {
  const folder = await keptFolder();
  for (const it of [name, name + SAVED]) await folder?.removeEntry(it).catch(() => { /* It was not there. */ });
}

async function markSaved(name) {
  await (await keptFolder())?.getFileHandle(name + SAVED, { create: true }).catch(() => { /* It is offered again. */ });
}

/** Calls `found(file, release, saved)` for each recording of earlier visits. What another page holds is found when that is gone. */
async function findKept(found) {
  const folder = await keptFolder();
  if (!folder) return;
  const names = [];
  for await (const name of folder.keys()) if (!name.endsWith(SAVED)) names.push(name);
  const open = async (name) => (await folder.getFileHandle(name)).getFile();
  for (const name of names.sort()) {
    holdRecording(name).then(async (release) => {
      const marker = await open(name + SAVED).catch(() => null);
      const file = await open(name).catch(() => null);
      if (file && file.size > 0 && !(marker && Date.now() - marker.lastModified > SAVED_FOR)) return found(file, release, marker !== null);
      await removeKept(name);
      release();
    }).catch(() => { /* It is there for another visit. */ });
  }
}
