// The complete page of a recording: verdict, highlights, timeline, worst latencies, charts, tables; or of two,
// beside each other.

const VERDICTS = { whole: "whole", losses: "usable, with losses", damage: "usable, with damage" };

/** Shows the findings about the recording, with remedies. */
function showFindings(check) {
  const list = element("ul", { class: "findings" });
  for (const found of check.findings) {
    const count = found.count > 1 ? `, ${found.count} times` : "";
    const lost = found.severity === "loss" ? `, ${found.amount} lost in all` : "";
    list.append(element("li", { class: found.severity },
      element("strong", {}, `${found.severity}: ${found.finding}${count}${lost}`),
      element("p", {}, `First: ${found.file}: byte ${found.offset}: ${found.text}`),
      found.means ? element("p", {}, `Means: ${found.means}`) : null,
      found.advice ? element("p", {}, `Do: ${found.advice}`) : null));
  }
  return list;
}

/** A link to the activation of a task that contains a time, with its split; null if that activation is not in the list. */
function activationLink(picture, where, at, length) {
  const [from, to] = [at, at + length].map((ns) => Number(ns - picture.start));
  const row = where.table === "tasks" ? rowOf(picture.rows, { table: where.table, name: where.shown, id: where.id }, from, to) : undefined;
  const found = row && activationAt(picture, row, from, to);
  return found ? timeLink(`its activation, ${duration(Number(found.response))}`, found.released, found.response, where) : null;
}

/** Highlights above the timeline. The others are behind a summary, so that the timeline is seen at once. */
const FIRST_HIGHLIGHTS = 3;

/** The highlights that are shown at first and the others: the first of each kind comes before a second one. */
function splitHighlights(highlights) {
  const kinds = new Set(), first = [], again = [];
  for (const it of highlights) {
    (kinds.has(it.id) ? again : first).push(it);
    kinds.add(it.id);
  }
  const shown = new Set([...first, ...again].slice(0, FIRST_HIGHLIGHTS));
  return [highlights.filter((it) => shown.has(it)), highlights.filter((it) => !shown.has(it))];
}

/** Shows the highlights of the program, each with a link to its place in the timeline. */
function showHighlights({ highlights, picture, of, prefix }) {
  if (highlights.length === 0) return null;
  const item = ({ id, highlight, certainty, evidence, at, at_ns, length_ns, whose, means, advice, see }) => {
    // A highlight without a time is about all of the recording.
    const where = { shown: null, ...whose, of };
    const activation = at_ns === null ? null : activationLink(picture, where, BigInt(at_ns), BigInt(length_ns));
    const link = at_ns === null ? timeLink("in the timeline", picture.start, picture.length, where)
      : timeLink(`at ${tidy(at)}`, at_ns, length_ns, where);
    return element("li", {}, element("strong", { title: id }, certainty === "likely" ? `${highlight} (likely)` : highlight), " ", link, ...(activation ? [" ", activation] : []),
      element("p", {}, tidy(means)), element("details", {}, element("summary", {}, "Evidence and advice"),
        ...evidence.map((line) => element("p", { class: "evidence" }, tidy(line))), element("p", {}, `Do: ${advice}`),
        element("p", {}, "See: ", element("code", {}, see))));
  };
  const [first, others] = splitHighlights(highlights), list = (all) => element("ul", { class: "highlights" }, ...all.map(item));
  return element("section", { class: "worth", "aria-label": `${prefix}Worth a look` }, element("h2", {}, `${prefix}Worth a look`), list(first),
    others.length === 0 ? null : element("details", { class: "more" }, element("summary", {}, `${others.length} more`), list(others)));
}

/** Priorities of tasks, by their number and name. */
function prioritiesOf(tables) {
  const table = tables.find(({ key }) => key === "tasks"), [name, id, priority] = ["name", "id", "priority"].map((key) => table.columns.findIndex((it) => it[0] === key));
  return new Map(table.rows.map((row) => [`${row[id]?.[1]} ${row[name]?.[1]}`, row[priority]?.[1] ?? null]));
}

/** Shows a recording: a view as `page::view` makes it, its timeline with the slices of its picture. `of` is
 * its index in a pair; `prefix` is its name there. */
function readView(view, slices, of = 1, prefix = "") {
  for (const table of view.tables) Object.assign(table, { of, prefix });
  const areTicks = view.check.time_unit === "ticks";
  // Of two recordings both have to be in ticks: the findings of each name its unit.
  timesAreTicks = areTicks && (of === 1 || timesAreTicks);
  const picture = readPicture(view.picture, slices);
  picture.activations = readActivations(view.activations, picture);
  return { ...view, of, prefix, picture, timeline: new Timeline(picture, view.left_out, prioritiesOf(view.tables), prefix) };
}

/** Takes away what an element shows. */
function clearView(place) {
  place.shown?.close();
  place.shown = null;
  place.replaceChildren();
}

/** How much there is of it, and whether it is whole. */
function showSummary({ check }) {
  const length = check.length_ns === null ? "metadata only" : duration(check.length_ns);
  return element("p", { class: "summary" },
    element("span", { class: `verdict ${check.verdict}` }, VERDICTS[check.verdict]),
    ` ${counted(check.events, "event")}, ${length}, ${counted(check.cores_with_events, "core")} with events, ${counted(check.tasks, "task")}, ${counted(check.interrupts, "interrupt")}`);
}

function showFound({ check, prefix }) {
  return check.findings.length === 0 ? null
    : element("details", { open: check.verdict !== "whole" }, element("summary", {}, `${prefix}Findings (${check.findings.length})`), showFindings(check));
}

/** Tables that have rows. */
const filled = ({ tables }) => tables.filter((table) => table.rows.length > 0);

/** Links to tables. */
const linksTo = (tables) => element("nav", { "aria-label": "Tables" },
  ...tables.flatMap((table) => [element("a", { href: `#table-${table.key}` }, table.title.split(":")[0].split(",")[0]), " "]));

/** Shows a view in an element, with the slices of its picture. */
function showView(place, view, slices) {
  const it = readView(view, slices), { tables, picture, timeline } = it, shown = filled(it);
  const worst = worstLatencies(tables, picture.rows);
  clearView(place);
  place.shown = timeline;
  place.append(...[
    element("header", {}, element("h1", {}, view.title), showSummary(it)),
    showFound(it), showHighlights(it),
    element("section", { "aria-label": "Timeline" }, element("h2", { class: "unseen" }, "Timeline"), timeline.root),
    element("section", { "aria-label": "Latencies and load" }, element("h2", {}, "Latencies and load"), ...[worst].filter(Boolean), charts(it)),
    element("section", { "aria-label": "Numbers" }, element("h2", {}, "Numbers"), linksTo(shown),
      ...shown.map((table) => showTable(table, picture.rows))),
  ].filter(Boolean));
  timeline.resize();
  return timeline;
}

/** What two recordings are called where both are shown. */
const PREFIXES = ["A: ", "B: "];

/** Shows two views, each with the slices of its picture, beside each other, below how their figures compare. */
function showPair(place, views, compared = null) {
  const both = views.map(([view, slices], index) => readView(view, slices, index + 1, PREFIXES[index])), pair = new Pair(both.map((it) => it.timeline));
  const beside = (...parts) => (parts.some(Boolean) ? element("div", { class: "beside" }, ...parts.map((part) => element("div", {}, ...[part ?? []].flat()))) : null);
  const each = (make) => beside(...both.map(make));
  const keys = [...new Set(both.flatMap(filled).map((table) => table.key))], tableOf = (it, key) => filled(it).find((table) => table.key === key);
  clearView(place);
  place.shown = pair;
  place.append(...[
    element("header", {}, element("h1", {}, both.map((it) => `${it.prefix}${it.title}`).join(", ")), each(showSummary)),
    showCompared(compared), each(showFound), each(showHighlights),
    element("section", { class: "pair", "aria-label": "Timelines" }, element("h2", { class: "unseen" }, "Timelines"), pair.bar,
      ...both.map((it) => element("section", { "aria-label": `${it.prefix}timeline` }, element("h3", {}, `${it.prefix}${it.title}`), it.timeline.root))),
    element("section", { "aria-label": "Differences" }, element("h2", {}, "Differences"), ...differences(both)),
    element("section", { "aria-label": "Latencies and load" }, element("h2", {}, "Latencies and load"),
      each((it) => [worstLatencies(it.tables, it.picture.rows), charts(it)].filter(Boolean))),
    element("section", { "aria-label": "Numbers" }, element("h2", {}, "Numbers"), linksTo(keys.map((key) => both.map((it) => tableOf(it, key)).find(Boolean))),
      ...keys.map((key) => each((it) => { const table = tableOf(it, key); return table ? showTable(table, it.picture.rows) : null; }))),
  ].filter(Boolean));
  for (const it of both) it.timeline.resize();
  return pair;
}

/** The report's own page. */
async function showReport() {
  const read = (id) => gunzip(fromBase64(document.getElementById(id).textContent));
  const part = async (id) => document.getElementById(`data${id}`)
    && [JSON.parse(new TextDecoder().decode(await read(`data${id}`))), await read(`slices${id}`)];
  const place = document.getElementById("view"), first = await part(""), second = await part("-2");
  const compared = document.getElementById("compared") && JSON.parse(new TextDecoder().decode(await read("compared")));
  const shown = second ? showPair(place, [first, second], compared) : showView(place, ...first);
  const follow = () => shown.goTo(location.hash);
  addEventListener("hashchange", follow);
  // The same link twice does not change anything.
  document.addEventListener("click", (event) => {
    if (event.target.closest && event.target.closest(`a[href="${location.hash}"]`)) follow();
  });
  follow();
  globalThis.tbandTimeline = second ? shown.timelines[0] : shown;
  globalThis.tbandPair = second ? shown : null;
}
