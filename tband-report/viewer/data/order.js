// The order of slices, and the next one of some rows: by start, row, lane and place in the lane. So each has a place of
// its own, whatever begins with it.

/** Less than 0 if one comes before two. A key is a slice (`row`, `lane`, `index`) with its `start`. */
const compare = (one, two) => one.start - two.start || one.row.index - two.row.index || one.lane - two.lane || one.index - two.index;

/** Where a selection is in that order; null if it is not a slice. */
function keyOf(selection) {
  if (!selection || selection.index === null) return null;
  return { ...selection, start: selection.row.lanes[selection.lane].start[selection.index] };
}

/** Where a view begins, or ends if the way is back: no slice is there. */
const edgeOf = (view, direction) => (direction > 0 ? { start: view.from, row: { index: -1 }, lane: 0, index: 0 }
  : { start: view.from + view.width * view.perPixel, row: { index: Infinity }, lane: 0, index: 0 });

/** The first of a lane that starts after a time. */
function firstAfter(lane, time) {
  let low = 0, high = lane.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.start[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The nearest slice after a key, or before it; the first or last if the key is null. `isMeant(row, lane, index)`. */
function nearest(rows, key, direction, isMeant = () => true) {
  let best = null;
  const isFurther = (one, two) => direction * compare(one, two) > 0;
  for (const row of rows) {
    row.lanes.forEach((lane, number) => {
      let i = direction > 0 ? (key ? lane.firstFrom(key.start) : 0) : (key ? firstAfter(lane, key.start) : lane.count) - 1;
      for (; i >= 0 && i < lane.count; i += direction) {
        if (best && direction * (lane.start[i] - best.start) > 0) return;
        if (!isMeant(row, lane, i)) continue;
        const found = { row, lane: number, index: i, start: lane.start[i] };
        if (best && isFurther(found, best)) return;
        if (!key || isFurther(found, key)) { best = found; return; }
      }
    });
  }
  return best;
}
