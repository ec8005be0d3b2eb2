// The timeline's keys. They work in all of it but in what is typed into, and, if it is seen, without any focus.

/** What each key does: the timeline, and how far a step goes, as a share of the width. */
const ACTIONS = {
  ArrowLeft: (it, far) => it.pan(-it.view.width * far),
  ArrowRight: (it, far) => it.pan(it.view.width * far),
  a: (it, far) => it.pan(-it.view.width * far),
  d: (it, far) => it.pan(it.view.width * far),
  ArrowUp: (it) => it.chooseRow(-1),
  ArrowDown: (it) => it.chooseRow(1),
  "+": (it) => it.zoom(0.5),
  "=": (it) => it.zoom(0.5),
  w: (it) => it.zoom(0.5),
  "-": (it) => it.zoom(2),
  s: (it) => it.zoom(2),
  0: (it) => it.fit(),
  Home: (it) => it.show(0, it.view.width * it.view.perPixel),
  End: (it) => it.show(it.picture.length - it.view.width * it.view.perPixel, it.picture.length),
  n: (it) => it.neighbour(1),
  p: (it) => it.neighbour(-1),
  "/": (it) => it.search.input.focus(),
  Escape: (it) => it.unselect(),
  Enter: (it) => it.revealSelected(),
};

/** What scrolls a page, or moves in what has the focus: the timeline takes it only where it has the focus itself. */
const MOVES = new Set(["ArrowUp", "ArrowDown", "Home", "End", "Enter"]);
const SIDEWAYS = new Set(["ArrowLeft", "ArrowRight", "Escape"]);

const isTypedInto = (target) => target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);

/** A key is meant for the timeline. */
function isMeantFor(timeline, { key, target }) {
  if (isTypedInto(target)) return false;
  // A button is pressed with Enter.
  if (timeline.root.contains(target)) return key !== "Enter" || target === timeline.scroller;
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
