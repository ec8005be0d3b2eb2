// The timeline's keys. They work everywhere in it but in text fields, and, if it is visible, without any focus. `?` shows
// them.

/** Keys, what they do in words, and what they do with a timeline: how far a step goes is a share of the width. */
const KEYS = [
  [["ArrowLeft", "a"], "go left; with Shift further", (it, far) => it.pan(-it.view.width * far)],
  [["ArrowRight", "d"], "go right; with Shift further", (it, far) => it.pan(it.view.width * far)],
  [["+", "=", "w"], "zoom in", (it) => it.zoom(0.5)],
  [["-", "s"], "zoom out", (it) => it.zoom(2)],
  [["0"], "show all of the recording", (it) => it.fit()],
  [["Home"], "go to the start", (it) => it.show(it.bounds[0], it.bounds[0] + it.view.width * it.view.perPixel)],
  [["End"], "go to the end", (it) => it.show(it.bounds[1] - it.view.width * it.view.perPixel, it.bounds[1])],
  [["ArrowUp"], "choose the row above", (it) => it.chooseRow(-1)],
  [["ArrowDown"], "choose the row below", (it) => it.chooseRow(1)],
  [["n"], "next slice of the row", (it) => it.neighbour(1)],
  [["p"], "previous slice of the row", (it) => it.neighbour(-1)],
  [["Enter"], "zoom to the selection", (it) => it.revealSelected()],
  [["m"], "mark the time of the selection", (it) => it.markSelected()],
  [["z"], "zoom to the marked part", (it) => { if (it.range) it.show(...it.range); }],
  [["k"], "pin the row, or let it go", (it) => { if (it.selection) it.pin(it.selection.row); }],
  [["c"], "collapse the group of the row, or open it", (it) => { if (it.selection) it.toggleGroup(it.selection.row.group); }],
  [["e"], "explain: go to the list of the row's activations", (it) => it.panel.activations.focus()],
  [["r"], "show wake-ups", (it) => it.toggleWakes()],
  [[","], "narrower names", (it) => it.setNames(it.left - 20)],
  [["."], "wider names", (it) => it.setNames(it.left + 20)],
  [["/"], "search", (it) => it.search.input.focus()],
  [["f"], "filter the rows", (it) => it.filterInput.focus()],
  [["Escape"], "clear the mark, then the selection", (it) => it.unselect()],
  [["?"], "this list", (it) => it.keySheet.showModal()],
];
const ACTIONS = Object.fromEntries(KEYS.flatMap(([keys, , act]) => keys.map((key) => [key, act])));
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "-": "−" };
/** Gestures with the mouse or with fingers. */
const GESTURES = [
  ["wheel", "scroll"], ["Ctrl or ⌘ and wheel, two fingers", "zoom"], ["Shift and wheel, drag", "go left and right"],
  ["Shift and drag, drag along the times", "mark a part: its length and statistics"], ["click, then Shift and click", "measure from one to the other"],
  ["click on a heading", "collapse the group"], ["click on ☆", "pin the row"], ["drag the edge of the names", "wider or narrower names"],
];

/** A sheet of all keys. */
function keySheet() {
  const line = (keys, words) => [element("dt", {}, ...keys), element("dd", {}, words)];
  const close = element("button", { type: "button", on: { click: () => sheet.close() } }, "Close");
  const sheet = element("dialog", { class: "keys", "aria-label": "Keys of the timeline" },
    element("h2", {}, "Keys"), element("dl", {},
      ...KEYS.flatMap(([keys, words]) => line(keys.flatMap((key) => [element("kbd", {}, KEY_NAMES[key] ?? key), " "]), words)),
      ...GESTURES.flatMap(([keys, words]) => line([keys], words))), close);
  return sheet;
}

/** Keys that scroll a page, or move in the focused element: the timeline takes them only if it has the focus itself. */
const MOVES = new Set(["ArrowUp", "ArrowDown", "Home", "End", "Enter"]);
const SIDEWAYS = new Set(["ArrowLeft", "ArrowRight", "Escape"]);

const isTypedInto = (target) => target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);

/** A key is meant for the timeline. */
function isMeantFor(timeline, { key, target }) {
  if (isTypedInto(target) || timeline.keySheet.open) return false;
  // Enter presses a button, and arrows scroll the panel beside the rows.
  if (timeline.root.contains(target)) return !MOVES.has(key) || !timeline.panel.root.contains(target) && (key !== "Enter" || target === timeline.scroller);
  // In a pair, the timeline that was used last takes the key.
  if (timeline.pair && timeline.pair.active !== timeline) return false;
  const { top, bottom } = timeline.scroller.getBoundingClientRect();
  if (bottom <= 0 || top >= innerHeight || MOVES.has(key)) return false;
  return !SIDEWAYS.has(key) || target === document.body || target === document.documentElement;
}

/** Listens to keys until a signal. */
function listenToKeys(timeline, signal) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !timeline.view) return;
    const act = Object.hasOwn(ACTIONS, event.key) ? ACTIONS[event.key] : null;
    if (!act || !isMeantFor(timeline, event)) return;
    event.preventDefault();
    act(timeline, event.shiftKey ? 0.9 : 0.2);
  }, { signal });
}
