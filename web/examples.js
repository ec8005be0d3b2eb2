// "Try an example": recordings that are in the page, compressed, for users without a recording.

/** The examples by their names: each the elements that hold its files. */
function findExamples() {
  const found = new Map();
  for (const part of document.querySelectorAll("script[data-example]")) {
    const { example } = part.dataset;
    found.set(example, [...(found.get(example) ?? []), part]);
  }
  return found;
}

/** The files of an example, as if they had been chosen; or those of the recording with which it is compared. */
const exampleFiles = (parts, other) => Promise.all(parts.filter((part) => part.hasAttribute("data-other") === other)
  .map(async (part) => new File([await gunzip(fromBase64(part.textContent))], part.dataset.file)));

/** A button for each example in an element; `open(files, others)` takes the chosen files. */
function showExamples(place, open) {
  for (const [name, parts] of findExamples()) {
    place.append(" ", element("button", { type: "button", on: { click: async () => open(await exampleFiles(parts, false), await exampleFiles(parts, true)) } }, name));
  }
}
