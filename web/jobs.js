// Jobs for the worker: one at a time, with progress, and an end that the user may ask for.

class Jobs {
  /** `module`: the converter, compiled once for all workers. */
  constructor(module) {
    this.module = module;
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
      // With it goes the memory that it took, and what it holds of the output.
      if (!job.goesOn) this.stop();
      job.resolve(data);
    };
    worker.onerror = (event) => this.end({ failed: true, clean: false, messages: [["error", `the converter has stopped: ${event.message}`]] });
    worker.postMessage({ module: this.module });
    return worker;
  }

  stop() {
    this.worker?.terminate();
    this.worker = null;
  }

  /** Ends the job that runs, with an answer. */
  end(answer) {
    const job = this.current;
    this.current = null;
    this.stop();
    job?.resolve({ answer, output: null });
  }

  cancel() { this.end({ failed: true, cancelled: true, clean: false, messages: [["note", "cancelled"]] }); }

  run(message, progress = () => {}) {
    if (this.current) this.cancel();
    this.worker ??= this.start();
    return new Promise((resolve) => {
      const id = this.next++;
      this.current = { id, resolve, progress, goesOn: message.live !== undefined };
      this.worker.postMessage({ ...message, id });
    });
  }
}
