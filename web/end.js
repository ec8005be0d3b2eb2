// The end of a recording: a packet or frame without its end is not part of it.

/** The converter looks for the last packet in so many bytes: more than two of the longest packets. */
const END = 1 << 18;

/** Splits a file after its last complete packet or frame: `[recording, rest]`. The rest is null if the recording is complete. */
async function splitEnd(module, file) {
  const jobs = new Jobs(module);
  const { answer } = await jobs.run({ request: { command: "end" }, files: [file.slice(-END)] });
  jobs.stop();
  const at = file.size - (answer.incomplete ?? 0);
  // If nothing is complete, its kind is unknown.
  if (at === file.size || at === 0) return [file, null];
  const part = (from, to, name) => new File([file.slice(from, to)], name);
  return [part(0, at, file.name), part(at, file.size, `${file.name}.rest`)];
}
