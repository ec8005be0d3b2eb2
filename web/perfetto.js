// Hands a trace to Perfetto's page by messages between windows: nothing is uploaded.

const PERFETTO = "https://ui.perfetto.dev";

/** Opens the page; at once, since browsers open windows for clicks only. */
function openPerfetto() { return window.open(PERFETTO); }

/** Gives the page a trace when it is there; false if the window was closed, or nobody waits any more. */
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
