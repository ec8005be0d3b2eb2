// Wake-ups as arrows: those of the selection, or all visible ones.

/** Arrows that are drawn of all that is seen, and that one slice has, at most. */
const SEEN = 400, OWN = 60;
/** Slices of a row that are looked at for them. */
const LOOKED = 4000;

/** The row of who made a task ready, by the text of the slice; undefined if that is not known. */
const wakerOf = (picture, lane, index) => {
  if (index < 0 || index >= lane.count || lane.isAggregate(index)) return undefined;
  const [kind, , , place] = picture.texts[lane.value[index]];
  return kind === "ready" && place !== null ? picture.rows[place] : undefined;
};

/** Calls `found(row, index, waker)` for what becomes ready from one time to another, until that gives false. */
function eachWake(picture, rows, [from, to], found) {
  for (const row of rows) {
    if (row.kind !== "task") continue;
    const [lane] = row.lanes;
    for (let i = lane.firstFrom(from), end = i + LOOKED; i < Math.min(lane.count, end) && lane.start[i] <= to; i++) {
      const waker = wakerOf(picture, lane, i);
      if (waker && found(row, i, waker) === false) return;
    }
  }
}

/** Who woke whom with regard to a slice: `woken` has what ended its wait or made it ready, `woke` those whom it made ready. */
function wakesOf(picture, selection) {
  const none = { woken: null, woke: [] };
  if (!selection || selection.index === null) return none;
  const { row, index } = selection, lane = row.lanes[selection.lane];
  if (lane.kind !== "slices" || lane.isAggregate(index)) return none;
  const kind = picture.texts[lane.value[index]][0];
  if (row.kind === "task") {
    // It was ready before it runs, and is so after it was blocked.
    const place = kind === "ready" ? index : kind === "running" ? index - 1 : index + 1;
    const waker = wakerOf(picture, lane, place);
    if (waker) none.woken = { row, index: place, waker };
  }
  if (kind === "running" || kind === "isr") {
    eachWake(picture, picture.rows, [lane.start[index], lane.end[index]], (it, at, waker) => waker !== row || none.woke.push({ row: it, index: at, waker }) < OWN);
  }
  return none;
}

/** Returns the innermost slice of a row at a time, which made a task ready then. */
function sliceAt(row, time) {
  for (let number = row.lanes.length - 1; number >= 0; number--) {
    const lane = row.lanes[number];
    if (lane.kind !== "slices") continue;
    const index = lane.firstEndingAfter(time - 1);
    if (index < lane.count && lane.start[index] <= time) return { row, lane: number, index };
  }
  return { row, lane: 0, index: null };
}

/** Draws one: from a place to another, with its head there. */
function drawArrow(pen, from, to, x, colour, isStrong) {
  const { context } = pen, bend = Math.min(26, 8 + Math.abs(to - from) / 6), way = to > from ? 1 : -1;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = isStrong ? 1.8 : 1;
  context.beginPath();
  context.moveTo(x, from);
  context.bezierCurveTo(x - bend, from + (to - from) / 3, x - bend, to - (to - from) / 3, x - 1, to - 4 * way);
  context.stroke();
  context.beginPath();
  context.moveTo(x, to);
  context.lineTo(x - 6, to - 6 * way);
  context.lineTo(x + 2, to - 7 * way);
  context.fill();
  pen.operations += 2;
}

/** Draws the arrows of a timeline: those of the selection, and all visible ones if `Wakes` is on. `middle` gives where a
 * row is on the canvas, null if it is not seen. */
function drawWakes(timeline, pen, middle) {
  const { picture, selection, view } = timeline;
  const draw = ({ row, index, waker }, isStrong) => {
    const [from, to] = [middle(waker), middle(row)], x = pen.x(row.lanes[0].start[index]);
    if (from === null || to === null || from === to || x < view.left || x > view.left + view.width) return;
    drawArrow(pen, from, to, x, isStrong ? pen.colours.ink : pen.colours.faint, isStrong);
  };
  if (timeline.showsWakes) {
    let count = 0;
    const seen = timeline.rows.filter((row) => middle(row) !== null);
    eachWake(picture, seen, [view.from, view.from + view.width * view.perPixel], (row, index, waker) => {
      draw({ row, index, waker }, false);
      count += 1;
      return count < SEEN;
    });
  }
  const { woken, woke } = wakesOf(picture, selection);
  for (const it of woken ? [woken, ...woke] : woke) draw(it, true);
}
