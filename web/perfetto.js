// Hands a trace to Perfetto's page by messages between windows: nothing is uploaded.

const PERFETTO = "https://ui.perfetto.dev";

/** What Perfetto's page does with the trace; a test compares it with what `tband-cli conv --open` asks for. */
const SHOWN = [
  { "id": "dev.perfetto.CopyTracksToWorkspaceByRegex", "args": ["^(CPU Scheduling|Load of core \\d+|Errors|Event groups|Interrupts|Kernel|Markers|Mutexes|Queues|Recorded events|Semaphores|Stream buffers|Timers|[^>]+ \\d+)$", "tband", "path"] },
  { "id": "dev.perfetto.SwitchWorkspace", "args": ["tband"] },
  { "id": "dev.perfetto.PinTracksByRegex", "args": ["^CPU \\d+ Scheduling$", "name"] },
  { "id": "dev.perfetto.PinTracksByRegex", "args": ["^lost events$", "name"] },
  { "id": "dev.perfetto.CollapseTracksByRegex", "args": ["^CPU Scheduling$", "name"] },
  { "id": "dev.perfetto.ExpandTracksByRegex", "args": ["^(Errors|Event groups|Interrupts|Kernel|Markers|Mutexes|Queues|Recorded events|Semaphores|Stream buffers|Timers|markers)$", "name"] }
];

/** Opens the page; at once, since browsers open windows for clicks only. */
function openPerfetto() {
  return window.open(`${PERFETTO}/#!/?startupCommands=${encodeURIComponent(JSON.stringify(SHOWN))}`);
}

/** Gives the page a trace when it is there; false if the window was closed, or the user has cancelled it. */
function handOver(target, trace, title, signal) {
  return new Promise((resolve) => {
    let timer = null;
    const end = (done) => {
      clearInterval(timer);
      removeEventListener("message", heard);
      resolve(done);
    };
    const heard = async (event) => {
      if (event.source !== target || event.origin !== PERFETTO || event.data !== "PONG") return;
      end(true);
      const buffer = await trace.arrayBuffer();
      target.postMessage({ perfetto: { buffer, title, fileName: `${title}.pftrace`, keepApiOpen: true } }, PERFETTO, [buffer]);
    };
    addEventListener("message", heard);
    signal.addEventListener("abort", () => end(false));
    timer = setInterval(() => {
      if (target.closed) end(false);
      else target.postMessage("PING", PERFETTO);
    }, 100);
  });
}
