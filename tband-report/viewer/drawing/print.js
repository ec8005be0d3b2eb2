// The timeline on paper: all of its rows in the time that is seen, and tables with all of their lines. On the screen
// are only those rows that fit, and the first lines.

/** A sheet: as wide and at most as high, in pixels of the page. The browser fits it to the paper. */
const SHEET = { width: 1000, height: 1300 };
/** Dots of all sheets at most: each takes four bytes. */
const DOTS = 64e6;
/** What each table is called with. */
const WHOLE = "whole", PART = "part";

/** Rows and headings, as many as fit on each sheet; no heading is the last. */
function sheetsOf(items) {
  const sheets = [];
  let sheet = null;
  for (const item of items) {
    if (!sheet || item.y + item.height - sheet[0].y > SHEET.height - AXIS) {
      const heading = sheet?.at(-1).heading ? sheet.pop() : null;
      if (sheet?.length === 0) sheets.pop();
      sheets.push(sheet = heading ? [heading] : []);
    }
    sheet.push(item);
  }
  return sheets;
}

/** Draws all rows, each sheet on a canvas. */
function drawSheets(timeline) {
  const { picture, search } = timeline, layout = layOut(timeline.rows), { from, perPixel, width, left, zero, bounds } = timeline.view;
  const dots = Math.min(2, Math.sqrt(DOTS / (SHEET.width * (layout.height + AXIS))));
  const room = SHEET.width - left - 8;
  return sheetsOf(layout.items).map((items) => {
    const [first, last] = [items[0], items.at(-1)], height = last.y + last.height - first.y + AXIS;
    const canvas = element("canvas", { width: Math.round(SHEET.width * dots), height: Math.round(height * dots) });
    const context = canvas.getContext("2d");
    context.setTransform(dots, 0, 0, dots, 0, 0);
    const pen = new Pen(context, picture, new Palette(picture, context), { from, left, width: room, perPixel: perPixel * width / room, height, zero, bounds }, search.marked);
    timeline.paintRows(pen, items, { offset: AXIS - first.y, width: SHEET.width, height, selection: null, top: AXIS });
    return canvas;
  });
}

/** Makes the page ready for paper when it is printed, and as it was after that, until a signal. */
function listenToPrint(timeline, signal) {
  const tell = (kind) => { for (const table of document.querySelectorAll(".table")) table.dispatchEvent(new Event(kind)); };
  const paper = element("div", { class: "paper" });
  let opened = [];
  addEventListener("beforeprint", () => {
    if (!timeline.view || !timeline.root.isConnected) return;
    // Paper is light.
    document.documentElement.classList.add("printing");
    paper.replaceChildren(...drawSheets(timeline));
    timeline.root.append(paper);
    opened = [...document.querySelectorAll("#view details:not([open])")];
    for (const it of opened) it.open = true;
    tell(WHOLE);
  }, { signal });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    paper.remove();
    paper.replaceChildren();
    for (const it of opened) it.open = false;
    opened = [];
    tell(PART);
  }, { signal });
}
