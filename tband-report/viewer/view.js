// All that is shown of a recording: verdict, what is worth a look, timeline, worst latencies, charts, tables.

const VERDICTS = { whole: "whole", losses: "usable, with losses", damage: "usable, with damage" };

/** What is wrong with the recording, and what to do about it. */
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

/** What of the program is worth a look, each with a link to where it is in the timeline. */
function showHighlights(highlights, picture) {
  const list = element("ul", { class: "highlights" });
  for (const { highlight, at, at_ns, length_ns, whose, means, advice } of highlights) {
    // What has no time is about all of the recording.
    const link = at_ns === null ? timeLink("in the timeline", picture.start, picture.length, whose)
      : timeLink(`at ${tidy(at)}`, at_ns, length_ns, whose);
    list.append(element("li", {}, element("strong", {}, highlight), " ", link,
      element("p", {}, tidy(means)), element("p", {}, `Do: ${advice}`)));
  }
  return element("section", { "aria-label": "Worth a look" }, element("h2", {}, "Worth a look"), list);
}

/** Priorities of tasks, by their number and name. */
function prioritiesOf(tables) {
  const table = tables.find(({ key }) => key === "tasks"), [name, id, priority] = ["name", "id", "priority"].map((key) => table.columns.findIndex((it) => it[0] === key));
  return new Map(table.rows.map((row) => [`${row[id]?.[1]} ${row[name]?.[1]}`, row[priority]?.[1] ?? null]));
}

/** Takes away what an element shows. */
function clearView(place) {
  place.timeline?.close();
  place.timeline = null;
  place.replaceChildren();
}

/** Shows a view in an element: as `page::view` makes it, with the slices of its picture. */
function showView(place, view, slices) {
  const { check, highlights, tables } = view;
  const picture = readPicture(view.picture, slices);
  const timeline = new Timeline(picture, view.left_out, prioritiesOf(tables));
  const count = (number, what) => `${groupDigits(number)} ${what}${number === 1 ? "" : "s"}`;
  const length = check.length_ns === null ? "metadata only" : duration(check.length_ns);
  const summary = element("p", { class: "summary" },
    element("span", { class: `verdict ${check.verdict}` }, VERDICTS[check.verdict]),
    ` ${count(check.events, "event")}, ${length}, ${count(check.cores_with_events, "core")} with events, ${count(check.tasks, "task")}, ${count(check.interrupts, "interrupt")}`);
  const findings = check.findings.length === 0 ? null
    : element("details", { open: check.verdict !== "whole" }, element("summary", {}, `Findings (${check.findings.length})`), showFindings(check));
  const shown = tables.filter((table) => table.rows.length > 0);
  const links = element("nav", { "aria-label": "Tables" }, ...shown.flatMap((table) => [element("a", { href: `#table-${table.key}` }, table.title.split(":")[0].split(",")[0]), " "]));
  const worst = worstLatencies(tables, picture.rows);
  clearView(place);
  place.timeline = timeline;
  place.append(
    element("header", {}, element("h1", {}, view.title), summary),
    ...[findings, highlights.length === 0 ? null : showHighlights(highlights, picture)].filter(Boolean),
    element("section", { "aria-label": "Timeline" }, element("h2", { class: "unseen" }, "Timeline"), timeline.root),
    element("section", { "aria-label": "Latencies and load" }, element("h2", {}, "Latencies and load"), ...[worst].filter(Boolean), charts(tables, picture.rows)),
    element("section", { "aria-label": "Numbers" }, element("h2", {}, "Numbers"), links,
      ...shown.map((table) => {
        const made = showTable(table, picture.rows);
        made.id = `table-${table.key}`;
        return made;
      })),
  );
  timeline.resize();
  return timeline;
}

/** The report's own page. */
async function showReport() {
  const read = (id) => gunzip(fromBase64(document.getElementById(id).textContent));
  const view = JSON.parse(new TextDecoder().decode(await read("data"))), slices = await read("slices");
  const timeline = showView(document.getElementById("view"), view, slices);
  const follow = () => timeline.follow(location.hash);
  addEventListener("hashchange", follow);
  // The same link twice is no change.
  document.addEventListener("click", (event) => {
    if (event.target.closest && event.target.closest(`a[href="${location.hash}"]`)) follow();
  });
  follow();
  globalThis.tbandTimeline = timeline;
}
