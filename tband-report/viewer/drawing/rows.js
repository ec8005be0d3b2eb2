// Which rows are shown, and where: filtered, sorted, pinned, collapsed. Like-named tasks that come and go are one row
// until the user opens it.

/** As many like-named tasks that end are a family. */
const FAMILY = 3;
/** Orders of rows: the words, and the sort keys. */
const SORTS = {
  time: ["CPU time", (row) => row.index],
  priority: ["priority", (row, list) => -(list.priorities.get(`${row.id} ${bare(row)}`) ?? -1)],
  name: ["name", (row) => row.name.toLowerCase()],
  number: ["number", (row) => row.id ?? -1],
  first: ["first event", (row) => Math.min(...row.lanes.filter((lane) => lane.count > 0).map((lane) => lane.start[0]))],
};

/** A name without the number that tells it from others of this name. */
const bare = (row) => (row.name.endsWith(` #${row.id}`) ? row.name.slice(0, -` #${row.id}`.length) : row.name);
/** A name without the digits at its end. */
const stemOf = (name) => name.replace(/[-_ .]*\d+$/, "");
const lastOf = (row) => Math.max(0, ...row.lanes.map((lane) => (lane.count > 0 ? lane.end[lane.count - 1] : 0)));

/** Finds families of tasks that end before the recording does, and of what belongs to these tasks. Each row has its own
 * as `family`. */
function findFamilies(rows, length) {
  const stems = new Map(), all = new Map();
  for (const row of rows) {
    if (row.kind === "task" && !row.isIdle && lastOf(row) < length && stemOf(bare(row)) !== "") stems.set(bare(row), stemOf(bare(row)));
  }
  for (const row of rows) {
    const name = bare(row), [, of, task] = /^(.* of )(.*)$/.exec(name) ?? [null, "", null];
    const stem = row.kind === "task" ? (lastOf(row) < length ? stems.get(name) : undefined) : stems.get(task);
    if (stem === undefined) continue;
    const key = `${row.group} ${row.kind} ${of}${stem}`;
    if (!all.has(key)) all.set(key, { name: `${of}${stem}`, group: row.group, kind: row.kind, rows: [], isOpen: false });
    all.get(key).rows.push(row);
  }
  for (const family of all.values()) if (family.rows.length >= FAMILY) for (const row of family.rows) row.family = family;
}

/** How high a row is. */
function heightOf(row) {
  if (row.kind === "nested" || row.kind === "errors") {
    const lanes = row.lanes.filter((lane, index) => lane.count > 0 || (index === 0 && row.kind === "errors"));
    return Math.max(1, lanes.length) * LANE + 5;
  }
  return row.kind === "level" || row.kind === "bits" ? 30 : 22;
}

/** Places of rows and headings from the top. `rows` are rows and closed or open families, each after its group's others. */
function layOut(rows, collapsed = new Set()) {
  const items = [], counts = Map.groupBy(rows.filter((row) => !row.isHead), (row) => row.group);
  let y = 0, group = null;
  for (const row of rows) {
    if (row.group !== group) {
      group = row.group;
      const count = (counts.get(group) ?? []).reduce((sum, it) => sum + (it.rows?.length ?? 1), 0);
      items.push({ heading: group, y, height: GROUP, count, isCollapsed: collapsed.has(group) });
      y += GROUP;
    }
    if (collapsed.has(group)) continue;
    const item = row.rows ? { family: row, y, height: row.isHead ? GROUP : Math.max(...row.rows.map(heightOf)) } : { row, y, height: heightOf(row) };
    items.push(item);
    y += item.height;
  }
  return { items, height: y };
}

class RowList {
  /** `priorities`: of tasks, by number and name. */
  constructor(rows, length, priorities = new Map()) {
    Object.assign(this, { rows, priorities });
    this.filter = "";
    this.sort = "time";
    this.pinned = new Set();
    this.collapsed = new Set();
    findFamilies(rows, length);
  }

  /** Returns whether a row matches the filter. */
  passes(row) { return this.filter === "" || `${row.name} ${row.group}`.toLowerCase().includes(this.filter); }

  /** Returns the sorted rows, each group separately; rows other than tasks stay after tasks. */
  sorted(rows) {
    if (this.sort === "time") return rows;
    const [, key] = SORTS[this.sort];
    const groups = [...new Set(rows.map((row) => row.group))], values = new Map(rows.map((row) => [row, key(row, this)]));
    const rank = (row) => [groups.indexOf(row.group), row.group === "Tasks" && row.kind !== "task" ? 1 : 0, values.get(row), row.index];
    const ranks = new Map(rows.map((row) => [row, rank(row)]));
    return rows.slice().sort((one, two) => {
      const [a, b] = [ranks.get(one), ranks.get(two)];
      const at = a.findIndex((it, index) => it !== b[index]);
      return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
    });
  }

  /** Where all is that is shown: pinned rows at the top, which stay there, and the others. */
  layOut() {
    const shown = [], done = new Set();
    for (const row of this.sorted(this.rows.filter((it) => this.passes(it) && !this.pinned.has(it)))) {
      const { family } = row;
      if (!family) { shown.push(row); continue; }
      if (done.has(family)) continue;
      done.add(family);
      const members = family.rows.filter((it) => this.passes(it) && !this.pinned.has(it));
      shown.push({ ...family, rows: members, of: family, isHead: family.isOpen });
      if (family.isOpen) shown.push(...members);
    }
    const layout = layOut(shown, this.collapsed);
    let y = 0;
    const pinned = this.rows.filter((row) => this.pinned.has(row)).map((row) => {
      const item = { row, y, height: heightOf(row), isPinned: true };
      y += item.height;
      return item;
    });
    // A row in a closed family is where that is.
    const places = new Map();
    for (const item of [...pinned, ...layout.items]) for (const row of item.row ? [item.row] : item.family && !item.family.isHead ? item.family.rows : []) places.set(row, item);
    return { ...layout, pinned, pinnedHeight: y, places };
  }

  /** Lets a row be seen, whatever hid it. */
  uncover(row) {
    if (!this.passes(row)) this.filter = "";
    if (row.family && !this.pinned.has(row)) row.family.isOpen = true;
    if (!this.pinned.has(row)) this.collapsed.delete(row.group);
  }

  togglePin(row) { if (!this.pinned.delete(row)) this.pinned.add(row); }

  toggleGroup(group) { if (!this.collapsed.delete(group)) this.collapsed.add(group); }
}
