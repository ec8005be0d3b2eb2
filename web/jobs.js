// Jobs for the worker: one at a time, with progress, and an end that the user may ask for.

class Jobs {
  constructor(wasm) {
    this.wasm = wasm;
    this.source = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }));
    this.worker = null;
    this.current = null;
    this.next = 1;
  }

  start() {
    const worker = new Worker(this.source);
    worker.onmessage = ({ data }) => {
      const job = this.current;
      if (!job || data.id !== job.id) return;
      if (data.progress !== undefined) return job.progress(data.progress);
      this.current = null;
      job.resolve(data);
    };
    worker.onerror = (event) => this.end({ failed: true, clean: false, messages: [["error", `the converter has stopped: ${event.message}`]] });
    worker.postMessage({ wasm: this.wasm });
    return worker;
  }

  /** Ends the job that runs, with an answer. */
  end(answer) {
    const job = this.current;
    this.current = null;
    this.worker?.terminate();
    this.worker = null;
    job?.resolve({ answer, output: null });
  }

  cancel() { this.end({ failed: true, cancelled: true, clean: false, messages: [["note", "cancelled"]] }); }

  run(message, progress = () => {}) {
    if (this.current) this.cancel();
    this.worker ??= this.start();
    return new Promise((resolve) => {
      const id = this.next++;
      this.current = { id, resolve, progress };
      this.worker.postMessage({ ...message, id });
    });
  }
}
