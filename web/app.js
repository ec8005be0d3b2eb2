// The page: files, options, commands and their results.

const by = (id) => document.getElementById(id);
const state = { files: [], module: null, jobs: null, recordings: null, timeline: null, handOver: null, live: null };

const OPTIONS = ["mode", "core_count", "format", "tick_rate", "from", "to", "flows", "interrupts"];
const FLAGS = ["raw_events", "activations"];
const FILTER = ["core", "event", "task", "queue", "limit"];

/** Levels of folders in which CTF traces are looked for. */
const MAX_DEPTH = 6;

/** What can be saved: command, further options, ending, type, passes. */
const SAVES = {
  perfetto: [{ command: "conv" }, ".pftrace", "application/octet-stream", 2],
  "perfetto-gz": [{ command: "conv", gzip: true }, ".pftrace.gz", "application/gzip", 2],
  ctf1: [{ command: "conv", as: "ctf1" }, ".ctf1.tar", "application/x-tar", 2],
  ctf2: [{ command: "conv", as: "ctf2" }, ".ctf2.tar", "application/x-tar", 4],
  report: [{ command: "report" }, ".html", "text/html", 2],
  "stats-text": [{ command: "stats" }, ".stats.txt", "text/plain", 2],
  "stats-json": [{ command: "stats", as: "json" }, ".stats.json", "application/json", 2],
  "stats-csv": [{ command: "stats", as: "csv" }, ".stats.csv", "text/csv", 2],
  "check-text": [{ command: "check" }, ".check.txt", "text/plain", 2],
  "check-json": [{ command: "check", as: "json" }, ".check.json", "application/json", 2],
  "dump-text": [{ command: "dump" }, ".dump.txt", "text/plain", 3],
  "dump-json": [{ command: "dump", as: "json" }, ".dump.jsonl", "application/json", 3],
};

/** The folders that files were dropped in. */
const FOLDERS = new WeakMap();
const folderOf = (file) => FOLDERS.get(file) ?? "";
const pathOf = (file) => (folderOf(file) === "" ? file.name : `${folderOf(file)}/${file.name}`);

/** Files of the recording, and of the one that it is compared with. */
const own = () => state.files.filter((it) => !it.other), others = () => state.files.filter((it) => it.other);
const title = () => {
  const file = own()[0]?.file;
  // A trace is called like its folder.
  return (file && (folderOf(file).split("/").pop() || file.name).replace(/\.[^.]*$/, "")) || "recording";
};

function request(more, [files, compared = []]) {
  const inputs = (entries) => entries.map(({ file, core }) => ({ name: file.name, size: file.size, folder: folderOf(file), core })), made = { inputs: inputs(files), compare: inputs(compared) };
  for (const name of OPTIONS) made[name] = by(name).value;
  for (const name of FLAGS) made[name] = by(name).checked;
  return { ...made, ...more };
}

function say(messages, first = true) {
  if (first) by("messages").replaceChildren();
  for (const [label, text] of messages) {
    by("messages").append(element("li", { class: label }, element("strong", {}, `${label}: `), text));
  }
}

/** Runs a command, shows its progress, and its messages. `which`, the last of `how`: files, or those of two recordings. */
async function run(...how) {
  if (state.files.length === 0) return null;
  const { answer, output } = await job(...how), [files] = how[4] ?? [own()];
  // Of the second recording after that of the first.
  say(answer.messages, !files[0]?.other);
  return answer.failed ? null : { answer, output };
}

/** The same, without messages. */
async function job(what, more, passes = 2, type = undefined, which = [own()]) {
  by("progress").hidden = false;
  by("bar").value = 0;
  by("what").textContent = what;
  document.body.setAttribute("aria-busy", "true");
  const files = which.flat().map(({ file }) => file);
  const { answer, output } = await state.jobs.run({ request: { ...request(more, which), passes, type }, files }, (share) => { by("bar").value = share; });
  if (!state.jobs.current) {
    by("progress").hidden = true;
    document.body.removeAttribute("aria-busy");
  }
  return { answer, output };
}

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Files are added, to the recording or to the one that it is compared with; what they hold is looked at. */
async function add(files, compared = []) {
  const entry = (file, other) => ({ file, other, core: "", hint: /@(\d+)(\.[^.]*)?$/.exec(file.name)?.[1] ?? /core[ _-]?(\d+)/i.exec(file.name)?.[1] ?? "" });
  state.files.push(...files.map((file) => entry(file, false)), ...compared.map((file) => entry(file, true)));
  // One file a core, if their names say so and all are others.
  for (const all of [own(), others()]) {
    const hints = all.map((it) => it.hint);
    if (all.length > 1 && hints.every((it) => it !== "" && Number(it) < 64) && new Set(hints).size === hints.length) {
      for (const it of all) it.core = it.hint;
    }
  }
  // Files may be chosen while the converter is still compiled.
  await state.ready;
  await look();
}

/** The entries of a folder: a browser gives them in parts. */
async function entriesOf(folder) {
  const reader = folder.createReader(), all = [];
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

/** The files of the CTF traces in a folder, and in folders below it: those beside a file `metadata`. */
async function filesOfTraces(folder, path = folder.name, depth = 0) {
  const entries = await entriesOf(folder);
  const files = entries.filter((entry) => entry.isFile && !entry.name.startsWith("."));
  if (files.some((entry) => entry.name === "metadata")) {
    const opened = await Promise.all(files.map((entry) => new Promise((resolve, reject) => entry.file(resolve, reject))));
    for (const file of opened) FOLDERS.set(file, path);
    return opened.filter((file) => file.size > 0);
  }
  if (depth === MAX_DEPTH) return [];
  const below = entries.filter((entry) => entry.isDirectory).map((entry) => filesOfTraces(entry, `${path}/${entry.name}`, depth + 1));
  return (await Promise.all(below)).flat();
}

/** Takes dropped files, and folders of CTF traces. Another folder is refused: its relevant files, and their order,
 * are unknown. */
async function take(dropped) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.());
  const folders = entries.filter((entry) => entry?.isDirectory), errors = [];
  const files = [...dropped.files].filter((file) => !folders.some((entry) => entry.name === file.name));
  for (const folder of folders) {
    try {
      const found = await filesOfTraces(folder);
      if (found.length === 0) errors.push(["error", `${folder.name} is a folder without a CTF trace: open it, and drop the recordings that are in it`]);
      files.push(...found);
    } catch (error) {
      errors.push(["error", `cannot read the folder ${folder.name}: ${error.message ?? error}`]);
    }
  }
  if (files.length > 0) await add(files);
  else say([]);
  say(errors, false);
}

function listFiles() {
  // Without the one the other is a recording like any.
  if (own().length === 0) for (const it of state.files) it.other = false;
  by("files").replaceChildren(...state.files.map((entry, index) => {
    const core = element("input", { type: "number", min: 0, max: 63, value: entry.core, placeholder: "auto", "aria-label": `Core of ${pathOf(entry.file)}`, on: { change: () => { entry.core = core.value; look(); } } });
    return element("li", {}, element("bdi", { class: "name" }, pathOf(entry.file)), element("span", { class: "size" }, `${counted(entry.file.size, "byte")}${entry.other ? ", compared" : ""}`),
      element("label", {}, "core ", core),
      element("button", { type: "button", "aria-label": `Remove ${pathOf(entry.file)}`, on: { click: () => { state.files.splice(index, 1); look(); } } }, "Remove"));
  }));
  by("with-files").hidden = state.files.length === 0;
  by("examples").hidden = state.files.length > 0;
  // The results have the room; the sources of recordings are one line then.
  document.body.classList.toggle("loaded", state.files.length > 0);
}

/** What the files are. */
async function look() {
  listFiles();
  clearView(by("view"));
  state.timeline = globalThis.tbandTimeline = null;
  by("lines").textContent = "";
  by("found").replaceChildren();
  say([]);
  if (state.files.length === 0) return;
  const sides = [own(), others()].filter((all) => all.length > 0), found = [];
  for (const [index, files] of sides.entries()) {
    const done = await run("Looking at the recording", { command: "check" }, 2, undefined, [files]);
    if (!done) return;
    found.push(element("span", {}, (sides.length > 1 ? PREFIXES[index] : "") + verdictOf(done.answer)));
  }
  by("found").replaceChildren(...found);
}

/** Describes a recording in a line. */
function verdictOf({ check, free_rtos }) {
  const cores = check.cores ?? check.cores_with_events;
  timesAreTicks = check.time_unit === "ticks";
  const target = free_rtos === null ? "of an unknown program" : free_rtos ? "FreeRTOS" : "bare metal";
  return `${VERDICTS[check.verdict]}: ${counted(check.events, "event")}${check.length_ns === null ? "" : ` in ${duration(check.length_ns)}`}; ${counted(cores, "core")}; ${target}`;
}

async function toPerfetto() {
  const target = openPerfetto();
  if (!target) return say([["error", "the browser did not open a window; allow it for this page, or save the trace"]]);
  const done = await run("Converting", { command: "conv" });
  if (!done) return target.close();
  by("what").textContent = "Waiting for Perfetto's page";
  by("progress").hidden = false;
  const waits = state.handOver = new AbortController();
  const taken = await handOver(target, done.output, title(), waits.signal);
  if (!state.jobs.current) by("progress").hidden = true;
  const outcome = taken ? "Perfetto's page has the trace; nothing was uploaded" : target.closed ? "Perfetto's page was closed" : "cancelled: Perfetto's page has not answered";
  say([["note", outcome]], false);
}

/** Reads pictures of parts of a recording, for a timeline that has only aggregates there. */
const readPartOf = (files) => async (from, to, later) => {
  // What the user asks for goes first.
  if (state.jobs.current) { later(); return null; }
  const { answer, output } = await job("Reading the visible part", { command: "view", max_slices: state.maxSlices, from: `${from}ns`, to: `${to}ns` }, 2, undefined, [files]);
  if (answer.failed && !answer.cancelled) say(answer.messages, false);
  if (answer.failed) return null;
  return readPicture(JSON.parse(answer.view).picture, new Uint8Array(await output.arrayBuffer()));
};

async function show() {
  const sides = [own(), others()].filter((all) => all.length > 0), views = [];
  for (const files of sides) {
    const done = await run("Reading", { command: "view", max_slices: state.maxSlices }, 3, undefined, [files]);
    if (!done) return;
    views.push([JSON.parse(done.answer.view), new Uint8Array(await done.output.arrayBuffer())]);
  }
  const place = by("view");
  state.timeline = views.length > 1 ? showPair(place, views) : showView(place, ...views[0]);
  const timelines = state.timeline.timelines ?? [state.timeline];
  globalThis.tbandPair = timelines.length > 1 ? state.timeline : null;
  [globalThis.tbandTimeline] = timelines;
  timelines.forEach((timeline, index) => timeline.reread(readPartOf(sides[index])));
  place.scrollIntoView();
  for (const timeline of timelines) timeline.leaveRoom();
  timelines[0].scroller.focus({ preventScroll: true });
}

async function dump() {
  const more = { command: "dump", as: by("dump-as").value };
  for (const name of FILTER) more[name] = by(`dump-${name}`).value;
  const done = await run("Reading", more, 1);
  if (done) by("lines").textContent = await done.output.text();
}

async function saveAs(kind) {
  const [more, ending, type, passes] = SAVES[kind];
  const filter = more.command === "dump" ? Object.fromEntries(FILTER.filter((it) => it !== "limit").map((name) => [name, by(`dump-${name}`).value])) : {};
  const which = more.command === "report" ? [own(), others()] : [own()];
  const done = await run("Converting", { ...filter, ...more, folder: title() + ending.replace(/\.tar$/, "") }, passes, type, which);
  if (done) save(done.output, title() + ending);
}

/** All that is looked at are recordings of the list: nothing is lost if another one takes their place. */
const onlyRecordings = () => state.files.every(({ file }) => state.recordings.has(file) || file.name === LIVE_NAME);

/** A recording has ended: it is looked at, unless the user is busy with something else. */
async function recorded(file, note) {
  if (!onlyRecordings() || state.jobs.current) return say([...note, ["note", `${file.name} is in the list of recordings; the files that you have chosen are as they were`]]);
  state.files = [];
  await add([file]);
  say(note, false);
}

/** Looks at a recording of the list. */
async function lookAt(file) {
  if (state.files.some((it) => it.file === file)) return;
  const others = !onlyRecordings();
  if (!others) state.files = [];
  await add([file]);
  if (others) say([["note", `${file.name} was added to the files that you have chosen, as a part of the same recording; remove those that are none`]], false);
}

/** A file is there no more. */
async function leaveOut(file) {
  const before = state.files.length;
  state.files = state.files.filter((it) => it.file !== file);
  if (state.files.length < before) await look();
}

/** Shows the live recording, in place of the former one. */
function showLive() {
  state.live?.close();
  return (state.live = new Live(state.module, by("live"), async (file) => {
    if (!onlyRecordings()) return say([["note", "remove the files that you have chosen first: they are not part of the live recording"]]);
    const [complete] = await splitEnd(state.module, file);
    state.files = [];
    await add([complete]);
    await show();
  }));
}

/** The recording that `tband-cli record --web` makes, which serves this page. */
function followRecording() {
  let live = null, before = null;
  document.body.classList.add("loaded");
  const asking = new Asking(by("ask"), location.hash.slice(1));
  const tell = (status) => {
    asking.tell(status);
    if (status === null) return live?.tell("no connection to tband-cli; it is tried again");
    const { source, file, trouble, ended, bytes, events, lost, damaged } = status;
    const words = [`${source} to ${file}`, counted(events, "event"), counted(bytes, "byte"), `${groupDigits(lost)} lost`, `${groupDigits(damaged)} damaged`, trouble, ended ? "ended" : ""];
    live.tell(words.filter((it) => it !== "").join(", "));
    before = status;
  };
  const stream = new RecordingStream({
    begin: () => { live = showLive(); },
    take: (bytes, came) => live.add(bytes, came),
    skip: () => live.skip(),
    tell,
  });
  stream.read().then(() => live.end()).then(() => tell(before));
}

async function compileConverter() {
  state.module = await WebAssembly.compile(await gunzip(fromBase64(by("wasm").textContent)));
  by("wasm").remove();
  state.jobs = new Jobs(state.module);
}

async function showLicences() {
  const text = await gunzip(fromBase64(by("notices").textContent));
  by("licences").querySelector("pre").textContent = new TextDecoder().decode(text);
}

async function begin() {
  // What can be used at once comes first.
  state.ready = compileConverter();
  const licences = by("licences");
  if (licences.open) showLicences();
  else licences.addEventListener("toggle", showLicences, { once: true });
  const choose = by("choose"), drop = by("drop");
  choose.addEventListener("change", () => { add([...choose.files]); choose.value = ""; });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer);
    });
  }
  await state.ready;
  const chooseOther = by("choose-other");
  by("compare").addEventListener("click", () => chooseOther.click());
  chooseOther.addEventListener("change", async () => {
    const compared = [...chooseOther.files];
    chooseOther.value = "";
    state.files = own();
    await add([], compared);
    await show();
  });
  showExamples(by("examples"), async (files, compared) => {
    await add(files, compared);
    await show();
  });
  by("use-text").addEventListener("click", () => {
    const text = by("text").value;
    if (text.trim() === "") return say([["error", "the text is empty: paste hex or base64"]]);
    add([new File([text], "pasted.txt")]);
  });
  by("cancel").addEventListener("click", () => {
    state.handOver?.abort();
    state.jobs.cancel();
  });
  by("perfetto").addEventListener("click", toPerfetto);
  by("show").addEventListener("click", show);
  by("save").addEventListener("click", () => saveAs(by("save-as").value));
  by("dump").addEventListener("click", dump);
  for (const name of [...OPTIONS.filter((it) => !["from", "to"].includes(it))]) by(name).addEventListener("change", look);
  state.recordings = new Recordings(by("recordings"), { look: lookAt, gone: leaveOut, split: (file) => splitEnd(state.module, file) });
  state.recordings.find();
  serialPart({ recordings: state.recordings, tell: say, done: recorded, show: showLive });
  if (new URLSearchParams(location.search).has("live")) followRecording();
  const follow = () => state.timeline?.goTo(location.hash);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => { if (event.target.closest?.(`a[href="${location.hash}"]`)) follow(); });
  if (location.protocol.startsWith("http")) {
    document.head.append(element("link", { rel: "manifest", href: "manifest.webmanifest" }));
    navigator.serviceWorker?.register("sw.js").catch(() => {});
  }
  document.body.dataset.ready = "yes";
}

begin().catch((error) => say([["error", `the converter does not start: ${error.message ?? error}; a newer browser may be needed`]]));
