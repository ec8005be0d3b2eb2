// A row on the canvas: its name, its slices, and hit tests.

/** Pixels of the names' edge in which a row is pinned. */
const PIN = 18;

/** The heading of a group, with how many rows it has. */
function paintHeading(pen, { heading, height, count, isCollapsed }, y, width) {
  pen.rect(0, y, width, height, pen.colours.panel);
  pen.context.font = "600 11px system-ui, sans-serif";
  pen.words(`${isCollapsed ? "▸" : "▾"} ${heading}`, 3, y + height / 2, width);
  const wide = pen.context.measureText(`▾ ${heading}`).width;
  pen.context.font = "11px system-ui, sans-serif";
  pen.words(String(count), 12 + wide, y + height / 2, width, pen.colours.faint);
}

/** Like-named rows as one: all of their slices in it. */
function paintFamily(pen, { family, height }, y, width) {
  const { view, colours } = pen;
  pen.rect(0, y + height - 1, width, 1, colours.line);
  if (!family.isHead) for (const row of family.rows) pen.row(row, y, heightOf(row));
  pen.rect(0, y, view.left - 4, height - 1, colours.paper);
  pen.words(`${family.isHead ? "▾" : "▸"} ${family.name}… ×${family.rows.length}`, 3, y + height / 2, view.left - 8);
}

/** A row with its name. `selection` if something of it is chosen; `isUnder` if the pointer is on its name. */
function paintRow(pen, { row, height, isPinned }, y, { width, selection, isUnder }) {
  const { view, colours } = pen, isChosen = selection?.row === row;
  pen.rect(0, y + height - 1, width, 1, colours.line);
  pen.row(row, y, height);
  pen.rect(0, y, view.left - 4, height - 1, isChosen ? colours.panel : colours.paper);
  if (isChosen) pen.rect(0, y, 3, height - 1, colours.accent);
  // The colour that the task has elsewhere.
  const isTask = row.kind === "task", indent = (isTask ? 11 : 4) + (row.family && !isPinned ? 8 : 0);
  if (isTask) pen.rect(indent - 5, y + height / 2 - 5, 4, 10, colours.ofRow(row));
  pen.name(row.name, indent, y + height / 2, view.left - indent - (isUnder || isPinned ? PIN : 4));
  if (isUnder || isPinned) pen.words(isPinned ? "★" : "☆", view.left - PIN - 2, y + height / 2, 24, isPinned ? colours.accent : colours.faint);
  if (isChosen) outline(pen, selection, y);
}

/** Around the slice that is selected. */
function outline(pen, { row, lane, index }, y) {
  const { view } = pen;
  if (index === null) return;
  const part = row.lanes[lane];
  const x0 = Math.max(view.left, pen.x(part.start[index])), x1 = pen.x(part.end[index]);
  if (x1 < view.left || x0 > view.left + view.width + 8) return;
  pen.context.strokeStyle = pen.colours.ink;
  pen.context.lineWidth = 2;
  pen.context.strokeRect(x0 - 1, y + laneTop(row, lane), Math.max(3, Math.min(x1, view.left + view.width + 12) - x0 + 1), laneHeight(row));
}

/** Where a lane begins in its row. */
function laneTop(row, lane) {
if (row.kind !== "nested" && row.kind !== "errors") return 1;
return 1 + LANE * row.lanes.slice(0, lane).filter((it, index) => it.count > 0 || (index === 0 && row.kind === "errors")).length;
}

function laneHeight(row) { return row.kind === "nested" || row.kind === "errors" ? LANE : heightOf(row) - 3; }

/** Returns the slice at a place of a row. */
function hitRow(view, row, x, below) {
  const time = view.from + (x - view.left) * view.perPixel;
  if (x < view.left) return { row, lane: 0, index: null };
  const slack = view.perPixel * 4;
  let best = { row, lane: 0, index: null };
  row.lanes.forEach((lane, number) => {
    if (lane.count === 0) return;
    const top = laneTop(row, number);
    if (below < top || below >= top + laneHeight(row) + 2) return;
    const i = lane.firstEndingAfter(time - slack);
    for (const index of [i, i + 1]) {
      if (index < lane.count && lane.start[index] - slack <= time && lane.end[index] + slack >= time) {
        const inside = lane.start[index] <= time && lane.end[index] > time;
        if (best.index === null || inside) best = { row, lane: number, index };
        if (inside) return;
      }
    }
  });
  return best;
}
