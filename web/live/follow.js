// A timeline whose picture is renewed while one looks at it: it follows the end, or stays where it was moved to.

/** What it shows at first, in ns. */
const FOLLOWED = 5e9;

/** By what a row is found again in another picture. */
const rowKey = (row) => `${row.group} ${row.kind} ${row.id} ${row.name}`;

class LiveTimeline extends Timeline {
  constructor(picture) {
    super(picture, null, new Map());
    /** Rows in the order in which they were seen first: one that runs more than others does not change its place. */
    this.order = new Map();
    this.span = FOLLOWED;
    this.follows = true;
    this.renew(picture);
  }

  /** Rows by group as the picture has them, in each as they were seen first. */
  ordered(rows) {
    const groups = [...new Set(rows.map((row) => row.group))], place = (row) => this.order.get(rowKey(row));
    for (const row of rows) if (!this.order.has(rowKey(row))) this.order.set(rowKey(row), this.order.size);
    const rank = (row) => groups.indexOf(row.group);
    return rows.slice().sort((one, two) => rank(one) - rank(two) || place(one) - place(two));
  }

  /** Takes a later picture. */
  renew(picture) {
    const { list: before, view } = this, shift = Number(this.picture.start - picture.start);
    const selection = this.selection, at = selection && selection.index !== null ? selection.row.lanes[selection.lane]?.start[selection.index] + shift : null;
    this.picture = picture;
    this.rows = this.ordered(picture.rows);
    const keys = this.rowsByKey = new Map(this.rows.map((row) => [rowKey(row), row]));
    this.list = new RowList(this.rows, picture.length);
    Object.assign(this.list, { filter: before.filter, sort: before.sort, collapsed: before.collapsed });
    this.list.pinned = new Set([...before.pinned].map((row) => keys.get(rowKey(row))).filter(Boolean));
    this.load = new Load(this.rows);
    if (this.colours) Object.assign(this.colours, { picture, known: new Map() });
    this.selection = selection && this.found(selection, at);
    if (this.range) this.range = this.range[1] + shift <= 0 ? null : this.range.map((time) => Math.max(0, time + shift));
    this.search.recount();
    const legend = legendOf(picture), shown = this.root.querySelector(".legend");
    if (legend.children.length > shown.children.length) shown.replaceWith(legend);
    const height = this.layout.height + this.layout.pinnedHeight + this.load.height;
    this.layout = this.list.layOut();
    if (height !== this.layout.height + this.layout.pinnedHeight + this.load.height) this.fill();
    if (this.follows || !view) return this.followEnd();
    // The view keeps its content.
    const from = view.from + shift;
    super.show(from, from + view.perPixel * view.width);
  }

  /** A selection in the present picture; `at`: where its slice begins, or null. */
  found({ row, lane }, at) {
    const now = this.rowsByKey.get(rowKey(row)), part = now?.lanes[lane];
    if (!now) return null;
    const index = at !== null && part ? part.firstFrom(at) : -1;
    return { row: now, lane: part ? lane : 0, index: index >= 0 && index < part.count && part.start[index] === at ? index : null };
  }

  /** The end stays in view. */
  followEnd() {
    const { length } = this.picture, span = Math.min(this.span, length);
    this.follows = true;
    super.show(length - span, length);
  }

  resize() {
    const { span, follows } = this;
    super.resize();
    if (this.order === undefined || !this.width) return;
    this.span = span;
    if (follows) this.followEnd();
  }

  /** Moving to the end turns following on. */
  show(from, to) {
    const isAtEnd = to >= this.picture.length;
    this.follows = isAtEnd;
    if (isAtEnd) this.span = to - from;
    super.show(from, to);
  }

  fit(draw = true) {
    // It is not made yet.
    if (this.order === undefined) return super.fit(draw);
    this.span = Infinity;
    this.followEnd();
  }

  /** Where it follows the end is what stays in view. */
  zoom(factor, x = null) {
    if (!this.follows) return super.zoom(factor, x);
    const { perPixel, width } = this.view;
    this.span = Math.max(perPixel * factor, finest(this.picture.length)) * width;
    this.followEnd();
  }

  // The panel beside the timeline refers to rows of former pictures.

  select(selection, reveal = false) {
    const row = selection && this.rowsByKey && this.rowsByKey.get(rowKey(selection.row));
    if (!row || row === selection.row) return super.select(selection, reveal);
    const old = selection.row.lanes[selection.lane];
    super.select(this.found(selection, selection.index === null ? null : old.start[selection.index]), reveal);
  }

  pin(row) { super.pin(this.rowsByKey.get(rowKey(row)) ?? row); }
}
