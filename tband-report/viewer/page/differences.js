// Differences of two recordings: shares of the CPU, latencies and counts of subjects with the same name in both.

/** Columns that identify a row. */
const NAMES_OF = ["name", "task", "core", "cause", "mutex", "waiter", "holder", "between", "index"];
/** Tables whose rows are about the same in both recordings, and columns whose numbers are not compared. */
const COMPARED = ["recording", "link", "cores", "tasks", "blocked", "notifications", "interrupts", "queues", "mutexes", "mutex_holders", "inversions",
  "stream_buffers", "event_groups", "timers", "heap", "calls", "markers", "values"];
const NOT_COMPARED = /(^|_)(id|index|core|runs|period_ticks|open|cut|is_idle)$|priority$/;
/** Changes that are listed at first. */
const CHANGES = 12;

/** The rows of a recording's tables by subject: `shares`, `times` and `counts`, each by kind. A
 * name that several have in a table is about none of them. */
function figuresOf({ tables, picture }) {
  const figures = { shares: new Map(), times: new Map(), counts: new Map() };
  for (const table of tables.filter(({ key }) => COMPARED.includes(key))) {
    const column = (key) => table.columns.findIndex((it) => it[0] === key);
    const whose = (row) => NAMES_OF.map((key) => row[column(key)]?.[1] ?? null).filter((it) => it !== null).join(", ");
    const counts = new Map();
    for (const row of table.rows) counts.set(whose(row), (counts.get(whose(row)) ?? 0) + 1);
    for (const row of table.rows) {
      const name = whose(row), of = objectOf(table, row), shown = table.key === "tasks" ? whoIsIn(picture.rows, table, row, 0) : null;
      if (counts.get(name) > 1) continue;
      table.columns.forEach(([key, title], index) => {
        const cell = row[index];
        if (cell === null || title === "" || NOT_COMPARED.test(key)) return;
        const [kind, value, text] = cell, what = table.single ? title : `${table.title.split(":")[0].split(",")[0]}: ${title.split(":")[0]}`;
        const add = (to, figure) => figures[to].set(`${table.key} ${key} ${name}`, { what, name, shown, ...figure });
        if (kind === "share") add("shares", { value: value * 100, text });
        else if (kind === "spread" && value.count > 0) {
          add("times", { value: value.max_ns, text: () => timeLink(tidy(text.max_ns), value.max_at_ns, value.max_ns, of), median: tidy(text.median_ns), what: title.split(":")[0] });
        } else if (key === "max_ns") {
          add("times", { value, text: () => timeLink(tidy(text), row[column("max_at_ns")][1], value, of), median: "-", what: table.title.split(":")[0].split(",")[0] });
        } else if (kind === "number") add("counts", { value: Number(value), text: tidy(text) });
      });
    }
  }
  return figures;
}

/** The change: in its unit, and as a share of the earlier value. */
function changeOf(one, other, shown) {
  const change = (other?.value ?? 0) - (one?.value ?? 0), sign = change > 0 ? "+" : change < 0 ? "−" : "";
  if (!one || !other) return one ? "only in A" : "only in B";
  const percent = Math.abs(change) / one.value * 100;
  const share = one.value > 0 ? `, ${sign}${groupDigits(percent < 10 ? percent.toFixed(1) : Math.round(percent))} %` : "";
  return `${sign}${shown(Math.abs(change))}${share}`;
}

/** A table of what changed; null if nothing did. `how`: what its columns say of both, how a change is written, and how great
 * it is. */
function changes(caption, [one, other], { titles, cells, shown, size }) {
  const all = [...new Set([...one.keys(), ...other.keys()])].map((key) => ({ one: one.get(key), other: other.get(key) }))
    .filter((it) => it.one?.value !== it.other?.value).map((it) => ({ ...it, size: size(it.one?.value ?? 0, it.other?.value ?? 0) })).sort((a, b) => b.size - a.size);
  if (all.length === 0) return null;
  const content = (text) => (typeof text === "function" ? text : () => text ?? "-");
  const rows = all.map((it) => {
    const { what, name, shown: row } = it.one ?? it.other;
    return [
      [what, () => what, false], [name, () => named(name, row), false],
      ...cells(it).map(([value, text]) => [value ?? null, content(text), true]),
      [it.size, () => element("span", { class: "change" }, changeOf(it.one, it.other, shown)), true],
    ];
  });
  return sortable(caption, ["what", "whose", ...titles, "change"], rows, Math.max(0, rows.length - CHANGES), "smaller changes");
}

/** Tables of the differences; a sentence if there are none. */
function differences(both) {
  const [one, other] = both.map(figuresOf), values = ({ one: a, other: b }) => [[a?.value, a?.text], [b?.value, b?.text]];
  const distance = (a, b) => Math.abs(b - a);
  const made = [
    changes("Shares of the CPU", [one.shares, other.shares], { titles: ["A", "B"], cells: values, shown: (it) => `${it.toFixed(2)} points`, size: distance }),
    changes("Longest times: each leads into its timeline", [one.times, other.times], {
      titles: ["longest in A", "in B", "median in A", "in B"], shown: duration, size: distance,
      cells: (it) => [...values(it), [it.one?.median ?? null, it.one?.median], [it.other?.median ?? null, it.other?.median]],
    }),
    changes("Counts", [one.counts, other.counts], { titles: ["A", "B"], cells: values, shown: groupDigits, size: (a, b) => distance(a, b) / Math.max(Math.abs(a), Math.abs(b), 1) }),
  ].filter(Boolean);
  return made.length > 0 ? made : [element("p", {}, "Nothing that is counted or measured.")];
}

/** Titles of the rows of a comparison. */
const COMPARED_TITLES = ["whose", "figure", "A → B", "change", "verdict", "remark"];

/** How the figures of two recordings compare, as `tband-cli diff` reports it; null if it is not known. */
function showCompared(compared) {
  if (!compared) return null;
  const { lines, rows, summary } = compared, cell = (text) => [text, () => text, false];
  return element("section", { class: "compared", "aria-label": "Comparison" }, element("h2", {}, "Comparison"),
    element("p", {}, summary), element("ul", {}, ...lines.map((line) => element("li", {}, line))),
    rows.length > 0 ? sortable("Figures that differ most", COMPARED_TITLES, rows.map((row) => row.map(cell))) : null);
}
