// Links from tables into the timeline: `#t=FROM-TO&in=TABLE&row=NAME&id=NUMBER&of=RECORDING`, times in ns on the
// target's clock. RECORDING is 2 for the second of two.

/** Groups of rows that have the objects of a table, by the table's key. */
const GROUPS = {
  tasks: ["Tasks"], open_waits: ["Tasks"], blocked: ["Tasks"], notifications: ["Tasks"], mutex_holders: ["Tasks"], inversions: ["Tasks"],
  cores: ["Cores"], interrupts: ["Cores"], queues: ["Queues and semaphores", "Mutexes"], mutexes: ["Mutexes"],
  stream_buffers: ["Stream buffers"], event_groups: ["Event groups"], timers: ["Timers"], markers: ["Markers"], values: ["Values"],
};

/** Name of the object that a row of a table is about, name and number of its row in the timeline, and the table. */
function objectOf(table, row) {
  const cell = (key) => row[table.columns.findIndex((column) => column[0] === key)]?.[1] ?? null;
  const [name, task, core] = [cell("name"), cell("task"), cell("core")];
  const of = (shown, id) => ({ table: table.key, name: name ?? task ?? core, shown, id, of: table.of });
  if (table.key === "interrupts") return of(`interrupts of core ${core}`, null);
  if (table.key === "cores") return of(`core ${core}`, null);
  if (name === null) return of(task, cell("task_id"));
  return of(["markers", "values"].includes(table.key) && task !== null ? `${name} of ${task}` : name, cell("id"));
}

/** What a table is about that has no row in the timeline: its recording. */
const noSubject = (table) => ({ table: table.key, shown: null, id: null, of: table.of });

/** The first row of the timeline of an object; null if it has none. */
function rowOfObject(rows, { table, shown, id }) {
  const groups = GROUPS[table] ?? [], names = [shown, `${shown} #${id}`];
  return rows.find((row) => groups.includes(row.group) && row.id === id && names.includes(row.name)) ?? null;
}

/** Columns that name tasks. */
const WHO = new Set(["task", "holder", "waiter", "between"]);

/** The row of the task or interrupt that a cell of a table names; null if it names none. */
function whoIsIn(rows, table, row, index) {
  const key = table.columns[index][0];
  if (key === "name") return ["tasks", "interrupts"].includes(table.key) ? rowOfObject(rows, objectOf(table, row)) : null;
  const place = WHO.has(key) ? table.columns.findIndex((column) => column[0] === `${key}_id`) : -1;
  return place < 0 || row[place] === null ? null : rowOfObject(rows, { table: "tasks", shown: row[index]?.[1], id: row[place][1] });
}

/** A link to a slice of so many ns from a time on, a text; of an object if one is known. */
function timeLink(text, from, length, whose = null) {
  const of = (whose?.shown ?? null) === null ? ""
    : `&in=${whose.table}&row=${encodeURIComponent(whose.shown)}${whose.id === null ? "" : `&id=${whose.id}`}`;
  return element("a", { href: `#t=${from}-${BigInt(from) + BigInt(length)}${of}${whose?.of > 1 ? `&of=${whose.of}` : ""}` }, text);
}

/** Parses a link; null if it is not one. */
function readLink(hash) {
  const read = /^#t=(-?\d+)-(-?\d+)(?:&in=(\w+)&row=([^&]*)(?:&id=(\d+))?)?(?:&of=(\d+))?$/.exec(hash);
  if (!read) return null;
  let name;
  try { name = read[4] === undefined ? null : decodeURIComponent(read[4]); } catch { return null; }
  return { from: BigInt(read[1]), to: BigInt(read[2]), table: read[3], name, id: read[5] === undefined ? null : Number(read[5]), of: Number(read[6] ?? 1) };
}

/** The place of the slice of a lane that begins and ends then, -1 if it has none. */
function placeOf(lane, from, to) {
  const index = lane.firstEndingAfter(from);
  return lane.kind === "slices" && index < lane.count && lane.start[index] === from && lane.end[index] === to ? index : -1;
}

/** The row that a link names, if the timeline has it. Several may have one name and number, one
 * after the other: it is that which has the slice, else that which is there at the time. */
function rowOf(rows, { table, name, id }, from, to) {
  const groups = GROUPS[table] ?? [];
  const named = rows.filter((row) => groups.includes(row.group) && (row.name === name || row.name === `${name} #${id}`));
  const same = named.filter((row) => row.id === id), all = same.length > 0 ? same : named;
  const isThere = (lane) => {
    const index = lane.firstEndingAfter(from);
    return index < lane.count && lane.start[index] <= from;
  };
  return all.find((row) => row.lanes.some((lane) => placeOf(lane, from, to) >= 0)) ?? all.find((row) => row.lanes.some(isThere)) ?? all[0];
}

/** The lane of a row that has a slice from one time to another, if one has, else the first that has any. */
function laneOf(row, from, to) {
  const index = row.lanes.findIndex((lane) => placeOf(lane, from, to) >= 0);
  return index >= 0 ? index : Math.max(0, row.lanes.findIndex((lane) => lane.kind !== "moments" && lane.count > 0));
}
