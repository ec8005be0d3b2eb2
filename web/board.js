// "Record from the board": the buttons, the counters while it runs, and the finished recording.

/** Keeps a copy of a recording while it comes, if the browser can; `tell(text)` reports it. */
function beginKeeping(name, tell) {
  let release = null, keeper = null;
  const open = async () => {
    if (!await keptFolder()) throw new Error("the page was opened from the disk, or the browser has nowhere to put it; `tband-cli web` serves the page");
    navigator.storage.persist?.().catch(() => { /* It may go when room is short. */ });
    release = await holdRecording(name);
    keeper = new Keeper(name);
    await keeper.open();
    tell("The browser keeps a copy until you discard the recording: the page offers it again after a crash, or when it was closed.");
  };
  const failed = (error) => {
    tell(`The browser keeps no copy of this recording: ${error.message}. Save it before you close the page.`);
    return false;
  };
  const opened = open().then(() => true, failed);
  const feed = new Feed(async (bytes) => await opened && keeper.append(bytes).then(() => true, failed));
  return {
    take: (bytes) => feed.add(bytes),
    /** Ends it; a promise of what lets others have it, or of null if there is none. */
    end: async () => {
      await opened;
      await feed.end();
      await keeper?.end();
      return release;
    },
  };
}

function showCounters(place, answer) {
  timesAreTicks = answer.time_unit === "ticks";
  const entries = [["bytes", answer.bytes], ["events", answer.events], ["time", answer.last_ns === undefined ? undefined : duration(answer.last_ns)], ["tasks", answer.tasks], ["cores", answer.cores],
    ["switches", answer.switches], ["interrupts", answer.interrupts], ["lost", answer.lost], ["damaged", answer.damaged], ["error", answer.error]];
  place.replaceChildren(...entries.filter(([, value]) => value !== undefined && value !== null).flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", { id: `live-${name}` }, typeof value === "number" ? groupDigits(value) : value)]));
}

/** `tell(messages)` shows messages; `done(file, messages)` takes a recording that has ended; `show()` gives a `Live` that shows
 * the incoming bytes. */
function serialPart({ recordings, tell, done, show }) {
  if (!("serial" in navigator)) {
    by("serial").replaceChildren(element("p", {}, "This browser has no WebSerial; Chromium, Chrome, Edge and Opera on a computer have it."));
    return;
  }
  const start = by("connect"), stop = by("stop");
  let capture = null;
  start.addEventListener("click", async () => {
    start.disabled = true;
    const name = recordings.newName(), counters = element("dl", { class: "counters", "aria-live": "off" });
    let kept = null, live = null;
    const ended = async (recording, error) => {
      const hadFocus = document.activeElement === stop;
      [start.disabled, stop.disabled] = [false, true];
      if (hadFocus) start.focus();
      live.close();
      const note = error ? [["warning", `the board is gone: ${error.message}`]] : [];
      const copy = kept.end();
      if (recording.size > 0) {
        const entry = await recordings.add(new File([recording], name), { saved: false, isNew: true, kept: copy });
        recordings.isRecording = false;
        if (entry.rest) note.push(["note", `the recording ends after its last complete packet or frame, without the ${counted(entry.rest.size, "byte")} of the next one`]);
        return done(entry.file, note);
      }
      recordings.isRecording = false;
      tell([...note, ["warning", "nothing came from the board: check the baud rate, and that it records"]]);
      recordings.forget({ name, kept: copy });
    };
    try {
      const rate = Number(by("baud").value);
      if (!(rate >= 1)) throw new Error("a baud rate is a number above 0");
      capture = new Capture((bytes) => { kept.take(bytes); live.add(bytes); }, ended);
      await capture.start(rate);
      recordings.isRecording = true;
      tell([]);
      kept = beginKeeping(name, (text) => { by("kept").textContent = text; });
      by("counters").replaceWith(counters);
      counters.id = "counters";
      live = show();
      live.counted = (answer) => { if (counters.isConnected) showCounters(counters, answer); };
      stop.disabled = false;
      stop.focus();
      capture.read();
    } catch (error) {
      start.disabled = false;
      // The user has chosen none.
      if (error.name !== "NotFoundError") tell([["error", `the port cannot be opened: ${error.message}`]]);
    }
  });
  stop.addEventListener("click", () => capture?.stop());
}
