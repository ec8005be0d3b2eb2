// The tables of `stats`, charts of them, and the worst latencies.

const SPREAD = [
  ["count", "count"], ["min_ns", "min"], ["median_ns", "median"], ["p99_ns", "p99"], ["max_ns", "max"],
  ["max_at_ns", "max at"], ["open", "open"], ["cut", "cut"],
];

/** What a cell shows. A time is a link to it. */
function shownCell(cell, whose) {
  if (cell === null) return "-";
  const [kind, value, text] = cell;
  if (kind === "at") return timeLink(tidy(text), value, 0, whose);
  if (kind === "series") {
    const unknown = value.filter((share) => share === null).length;
    const label = `${value.length} shares, the greatest ${(Math.max(...value) * 100).toFixed(1)} %` + (unknown ? `, ${unknown} not known` : "");
    const chart = element("span", { class: "series", role: "img", "aria-label": label });
    for (const share of value) {
      chart.append(share === null ? element("i", { class: "unknown" }) : element("i", { style: `height:${Math.max(2, share * 100)}%` }));
    }
    return chart;
  }
  return kind === "text" ? String(text) : tidy(text);
}

const isNumeric = (cell) => cell !== null && !["text", "series"].includes(cell[0]);

/** Columns of a table that are shown: those with a title of which something is known. */
function mainColumns(table) {
  return table.columns.map(([, title], index) => ({ title, index })).filter(({ title, index }) =>
    index === 0 || (title !== "" && table.rows.some((row) => row[index] !== null)
      && table.rows.every((row) => row[index] === null || row[index][0] !== "spread")));
}

/** Lines of a table that are shown at first: a browser lays out some hundred at once, not ten thousand. */
const LINES = 500;

/** A table that can be sorted: titles, and rows of `[sort value, what makes its content, is number]`. */
function sortable(caption, titles, rows, hidden = 0, which = "deleted tasks, and those that never ran") {
  const body = element("tbody");
  const rest = element("button", { type: "button", on: { click: () => { most = rows.length; draw(); } } });
  let most = LINES, isWhole = false;
  const lines = rows.map((cells, number) => ({ cells, leftOut: number >= rows.length - hidden, line: null }));
  const make = (cells) => element("tr", {}, ...cells.map(([, content, numeric, attributes], index) =>
    element(index === 0 ? "th" : "td", { ...attributes, class: numeric ? "number" : null, scope: index === 0 ? "row" : null }, content())));
  const draw = () => {
    const shown = lines.filter((it) => !it.leftOut);
    body.replaceChildren(...[...shown, ...lines.filter((it) => it.leftOut)].slice(0, isWhole ? lines.length : most).map((it) => {
      it.line ??= make(it.cells);
      it.line.hidden = it.leftOut && !isWhole;
      return it.line;
    }));
    rest.hidden = shown.length <= most;
    rest.textContent = `Show ${shown.length - most} more`;
  };
  const heads = titles.map((title, index) => {
    const head = element("th", { scope: "col" });
    const button = element("button", { type: "button", class: "sort" }, title || "\u00a0");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = ({ cells }) => cells[index][0];
      lines.sort((one, two) => {
        const [a, b] = down ? [value(two), value(one)] : [value(one), value(two)];
        if (a === null || b === null) return (value(one) === null) - (value(two) === null);
        return typeof a === "string" ? a.localeCompare(String(b)) : Number(a > b) - Number(a < b);
      });
      draw();
    });
    head.append(button);
    return head;
  });
  const table = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), body);
  const parts = [element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption }, table), rest];
  if (hidden > 0) {
    const all = element("button", { type: "button" }, `Show ${hidden} more: ${which}`);
    all.addEventListener("click", () => {
      for (const it of lines) it.leftOut = false;
      draw();
      all.remove();
    });
    parts.push(all);
  }
  draw();
  // All rows for print, and the former rows after it.
  const show = (all) => () => { isWhole = all; draw(); };
  return element("div", { class: "table", on: { [WHOLE]: show(true), [PART]: show(false) } }, ...parts);
}

const sortValue = (cell) => (cell === null ? null : cell[0] === "at" ? BigInt(cell[1]) : typeof cell[1] === "object" ? cell[1].length ?? cell[1].count : cell[1]);

/** A name with the colour that it has in the timeline. */
function named(shown, row) {
  const colour = swatch(row);
  return colour === null ? shown : element("span", { class: "named" }, colour, shown);
}

/** What an address calls a table; of two recordings the first one's has none but its key. */
const idOf = ({ key, of }) => `table-${key}${of > 1 ? `-${of}` : ""}`;

/** Shows all of a table, its spreads as separate tables. */
function showTable(table, rows) {
  const data = (row, index) => ({ "data-cell": `${table.key}/${row}/${table.columns[index][0]}` });
  if (table.single) {
    const list = element("table", {}, element("caption", {}, table.prefix + table.title));
    const body = element("tbody");
    table.columns.forEach(([, title], index) => {
      // Columns without a title are for programs only.
      if (title === "") return;
      const cell = table.rows[0][index];
      const [content, texts] = cell !== null && cell[0] === "spread"
        ? [`${cell[1].count}`, cell[2]] : [shownCell(cell, noSubject(table)), null];
      const shown = texts && cell[1].count > 0 ? tidy(`${content}: ${texts.min_ns} to ${texts.max_ns}`) : content;
      body.append(element("tr", { hidden: cell === null }, element("th", { scope: "row" }, title),
        element("td", { class: "number", ...data(0, index) }, shown)));
    });
    list.append(body);
    return element("div", { class: "table", id: idOf(table) }, element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": table.prefix + table.title }, list));
  }
  const columns = mainColumns(table);
  const parts = [sortable(table.prefix + table.title, columns.map((it) => it.title), table.rows.map((row, number) =>
    columns.map(({ index }) => {
      const cell = row[index];
      return [sortValue(cell), () => named(shownCell(cell, objectOf(table, row)), whoIsIn(rows, table, row, index)), isNumeric(cell), data(number, index)];
    })), table.left_out)];
  table.columns.forEach(([key, title], index) => {
    const rows = table.rows.map((row, number) => ({ row, number })).filter(({ row }) =>
      row[index] !== null && row[index][0] === "spread" && row[index][1].count > 0);
    if (rows.length === 0 || title === "") return;
    const some = (member) => rows.some(({ row }) => row[index][1][member]);
    const members = SPREAD.filter(([member]) => !["open", "cut"].includes(member) || some(member));
    parts.push(sortable(table.prefix + title, [table.columns[0][1], ...members.map((it) => it[1])], rows.map(({ row, number }) => {
      const [, value, texts] = row[index];
      const whose = objectOf(table, row);
      return [[sortValue(row[0]), () => named(shownCell(row[0], noSubject(table)), whoIsIn(rows, table, row, 0)), isNumeric(row[0])],
        ...members.map(([member]) => [member === "max_at_ns" ? BigInt(value[member]) : value[member] ?? null,
          () => (member.startsWith("max") ? timeLink(tidy(texts[member]), value.max_at_ns, value.max_ns, whose) : tidy(texts[member] ?? "-")),
          true, { "data-cell": `${table.key}/${number}/${key}.${member}` }])];
    })));
  });
  return element("section", { id: idOf(table) }, ...parts);
}

/** The longest of everything that is spread, each a link to where it was. */
function worstLatencies(tables, shownRows) {
  const all = [];
  for (const table of tables) {
    const idle = table.columns.findIndex(([key]) => key === "is_idle");
    table.columns.forEach(([key, title], index) => {
      for (const row of table.rows) {
        const cell = row[index];
        // An idle task waits whenever there is work, which delays no task.
        if (idle >= 0 && row[idle]?.[1] === "yes") continue;
        if (cell === null || cell[0] !== "spread" || !cell[1].max_ns || key === "run_burst") continue;
        all.push({ title: title.split(":")[0], of: objectOf(table, row), value: cell[1], texts: cell[2] });
      }
    });
  }
  all.sort((one, two) => two.value.max_ns - one.value.max_ns);
  const rows = all.slice(0, 20).map(({ title, of, value, texts }) => [
    [title, () => title, false],
    [of.name, () => named(String(of.name ?? ""), rowOfObject(shownRows, of)), false],
    [value.max_ns, () => timeLink(tidy(texts.max_ns), value.max_at_ns, value.max_ns, of), true],
    [value.p99_ns, () => tidy(texts.p99_ns), true], [value.median_ns, () => tidy(texts.median_ns), true], [BigInt(value.max_at_ns), () => tidy(texts.max_at_ns), true],
  ]);
  if (rows.length === 0) return null;
  return sortable(`${tables[0].prefix}Worst latencies: each leads into the timeline`, ["what", "whose", "longest", "p99", "median", "at"], rows);
}

/** Who used the CPU, as bars; the load of each core over time, also by task and interrupt. */
function charts(it) {
  const { tables, picture: { rows: shownRows } } = it;
  const find = (key) => tables.find((table) => table.key === key);
  const column = (table, key) => table.columns.findIndex((it) => it[0] === key);
  const tasks = find("tasks"), cores = find("cores"), interrupts = find("interrupts");
  const bars = element("dl", { class: "bars" });
  const add = (name, cell, kind, style = "") => {
    if (cell === null || cell[1] <= 0) return;
    bars.append(element("dt", {}, name), element("dd", {}, element("span", { class: `bar ${kind}`, style: `width:${Math.min(100, cell[1] * 100).toFixed(2)}%;${style}` }), element("span", { class: "share" }, cell[2])));
  };
  const used = tasks.rows.slice().sort((one, two) => two[column(tasks, "run_ns")][1] - one[column(tasks, "run_ns")][1]);
  for (const row of used.slice(0, 12)) {
    const isIdle = row[column(tasks, "is_idle")][1] === "yes", shown = whoIsIn(shownRows, tasks, row, 0);
    add(row[0][1], row[column(tasks, "cpu_share")], isIdle ? "idle" : "running", shown && !isIdle ? taskStyle(shown) : "");
  }
  for (const row of interrupts.rows.slice(0, 6)) add(`${row[0][1]} (interrupt)`, row[column(interrupts, "cpu_share")], "isr");
  const recording = find("recording"), length = Number(recording.rows[0][column(recording, "length_ns")][1]);
  const loads = cores.rows.map((row) => {
    const shares = row[column(cores, "load_over_time")][1], [, window, shown] = row[column(cores, "load_window_ns")];
    // The last window ends with the recording.
    const wide = Math.min(shares.length, length / Number(window)) || 1;
    const most = Math.max(0, ...shares), unknown = shares.filter((share) => share === null).length;
    const about = `at most ${(most * 100).toFixed(1)} %` + (unknown ? `, not known in ${unknown} of ${shares.length}` : "");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const set = (it, values) => Object.entries(values).forEach(([key, value]) => it.setAttribute(key, value));
    set(svg, { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", role: "img", "aria-label": `${cores.prefix}Load of core ${row[0][1]} over time, in windows of ${shown}, ${about}` });
    // An area for each run of windows that are known, or not.
    for (let from = 0, to; from < shares.length; from = to) {
      const known = shares[from] !== null;
      for (to = from + 1; to < shares.length && (shares[to] !== null) === known; to += 1);
      const step = (share, index) => `${from + index},${(1 - share) * 100} ${Math.min(wide, from + index + 1)},${(1 - share) * 100}`;
      const points = known ? shares.slice(from, to).map(step).join(" ") : `${from},0 ${Math.min(wide, to)},0`;
      const area = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
      set(area, { points: `${from},100 ${points} ${Math.min(wide, to)},100`, ...(known ? {} : { class: "unknown" }) });
      svg.append(area);
    }
    return element("figure", { class: "load" }, svg, element("figcaption", {}, `${cores.prefix}Load of core ${row[0][1]} over time, in windows of ${tidy(shown)}, ${about}`));
  });
  return element("div", { class: "charts" }, element("div", {}, element("h3", {}, `${tasks.prefix}Who used the CPU`), bars), ...loads, ...stackedLoad(it, shownRows));
}
