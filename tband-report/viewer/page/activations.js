// Beside the timeline: the activations of the selected task, interrupt or timer. A histogram of their response times, the longest ones, and of each
// what took its time: the rows of `tband-cli why`.

/** Subjects of one row that are listed: a core may have any number of interrupts. */
const SUBJECTS = 40;

/** The least length of a bin of a histogram, in ns: four bins to a power of two. */
const leastOf = (bin) => (bin < 4 ? bin : (4 + bin % 4) * 2 ** (Math.floor(bin / 4) - 1));

/** A length in ns, a BigInt, with every digit. */
function exactly(ns) {
  if (timesAreTicks) return `${groupDigits(ns)} ${ns === 1n ? "tick" : "ticks"}`;
  const size = ns < 0n ? -ns : ns, digits = size < 1000n ? 0 : size < 1_000_000n ? 3 : 6;
  const text = String(size).padStart(digits + 1, "0"), point = text.length - digits;
  const shown = `${groupDigits(text.slice(0, point))}${digits > 0 ? "." : ""}${text.slice(point)}`;
  return `${ns < 0n ? "-" : ""}${shown} ${["ns", "µs", "ms"][digits / 3]}`;
}

/** A share as whole percent. In the middle between two, the even one is taken, as on the command line. */
function percent(ns, all) {
  if (all <= 0n) return "0 %";
  const share = Number(ns) * 100 / Number(all), whole = Math.floor(share);
  return `${share - whole === 0.5 ? whole + whole % 2 : Math.round(share)} %`;
}

/** Reads the activations of a view, and where each is in its picture. */
function readActivations(activations, picture) {
  const read = (it) => {
    const [released, response] = [it.released_ns, it.response_ns].map(BigInt), begin = Number(released - picture.start);
    const split = it.split.map(([ns, text, isDetail, isInverted]) => ({ ns: BigInt(ns), text, isDetail: isDetail === 1, isInverted: isInverted === 1 }));
    return { ...it, released, response, begin, end: begin + Number(response), split };
  };
  return activations.map((it) => ({ ...it, longest: it.longest.map(read), inverted: it.inverted.map(read) }));
}

/** The activations that are known one by one of what a row shows at a place; all of the row if that is nothing. */
function subjectsOf({ activations, texts }, { row, lane, index }) {
  const all = activations.filter((it) => it.row === row.index), part = row.lanes[lane];
  if (row.group !== "Cores" || index === null || !part || part.isAggregate(index)) return all;
  const name = texts[part.value[index]][1], named = all.filter((it) => it.name === name);
  return named.length > 0 ? named : all;
}

/** The known activation of a row that is a part of the time, or else the shortest in which that is; null if there is none. One that
 * was released then but not begun, since the task was busy with another one, is not meant. */
function activationAt({ activations }, row, from, to) {
  const known = activations.filter((it) => it.row === row.index).flatMap((it) => [...it.longest, ...it.inverted]);
  const exact = known.find((it) => it.begin === from && it.end === to);
  if (exact) return exact;
  const around = known.filter((it) => it.begin + Number(it.backlog_ns) <= from && it.end >= to);
  return around.reduce((best, it) => (best === null || it.response < best.response ? it : best), null);
}

/** Times as bars on a logarithmic axis; those of activations that are not whole hang below it. */
function histogramOf({ bins }, label) {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const make = (name, values, ...children) => {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  // Below 1 ns a logarithm has no place.
  const place = (ns) => Math.log2(Math.max(0.5, ns)), span = (bin) => [leastOf(bin), leastOf(bin + 1)];
  const [least, most] = [span(bins[0][0])[0], span(bins.at(-1)[0])[1]], [first, last] = [place(least), place(most)];
  const at = (ns) => (place(ns) - first) / (last - first) * 100;
  const highest = Math.max(...bins.map(([, whole]) => whole)), deepest = Math.max(...bins.map(([, , cut]) => cut));
  const unit = 100 / (highest + deepest), axis = highest * unit;
  const bars = bins.flatMap(([bin, whole, cut]) => {
    const [from, to] = span(bin), x = at(from), width = at(to) - x;
    const bar = (count, y, height, kind) => make("rect", { x, width, y, height, class: kind },
      make("title", {}, `${groupDigits(count)} from ${duration(from)} to ${duration(to)}${kind === "cut" ? ", cut: at least so long" : ""}`));
    // One among a million is seen, too.
    const height = (count) => Math.max(2, count * unit);
    return [
      whole > 0 ? bar(whole, axis - height(whole), height(whole), "whole") : null,
      cut > 0 ? bar(cut, axis, height(cut), "cut") : null,
    ].filter(Boolean);
  });
  const decades = [];
  for (let ns = 1; ns < most; ns *= 10) if (at(ns) > 18 && at(ns) < 82) decades.push(ns);
  const step = Math.ceil(decades.length / 3);
  const marks = decades.filter((_, index) => index % step === 0);
  const svg = make("svg", { viewBox: "0 -3 100 106", preserveAspectRatio: "none", role: "img", "aria-label": label },
    ...marks.map((ns) => make("line", { x1: at(ns), x2: at(ns), y1: -3, y2: 103 })), ...bars, make("line", { x1: 0, x2: 100, y1: axis, y2: axis, class: "axis" }));
  const round = (ns) => duration(ns).replace(/\.0+ /, " ");
  const ends = [[least, "first"], [most, "last"]].map(([ns, kind]) => element("span", { class: kind }, round(ns)));
  const labels = marks.map((ns) => element("span", { style: `left:${at(ns).toFixed(1)}%` }, round(ns)));
  return element("figure", { class: "histogram" }, svg, element("div", { class: "scale", "aria-hidden": "true" }, ends[0], ...labels, ends[1]));
}

/** The lengths of a bin, in words. */
const between = (bin) => `between ${duration(leastOf(bin))} and ${duration(leastOf(bin + 1))}`;

/** How many activations a subject has, and how long they take, in words. */
function summaryOf({ count, whole, max_ns: max, median_bin: median, bins }) {
  const all = `${groupDigits(count)} activation${count === 1 ? "" : "s"}, ${groupDigits(whole)} whole`;
  const most = bins.reduce((best, it) => (it[1] + it[2] > best[1] + best[2] ? it : best));
  return {
    text: whole === 0 ? all : `${all}; response median ${between(median)}, longest ${duration(Number(max))}`,
    label: `Histogram of the response times: ${all}; most, ${groupDigits(most[1] + most[2])}, ${between(most[0])}`,
  };
}

/** The times between releases, if there are some: a histogram below its caption. */
function stepsOf({ steps }) {
  if (steps.length === 0) return [];
  const count = steps.reduce((sum, [, whole]) => sum + whole, 0), [bin, most] = steps.reduce((best, it) => (it[1] > best[1] ? it : best));
  const text = `Between releases: ${groupDigits(count)} step${count === 1 ? "" : "s"}, most, ${groupDigits(most)}, ${between(bin)}`;
  return [element("p", {}, text), histogramOf({ bins: steps }, `Histogram of the ${text[0].toLowerCase()}${text.slice(1)}`)];
}

/** What took the time of an activation, and what to do about it. */
function showSplit(it) {
  const cause = [
    `released by ${it.release}`, it.object === null ? "" : ` of ${it.object}`, it.woken_by === null ? "" : ` from ${it.woken_by}`,
    it.merged > 1 ? `, ${groupDigits(it.merged)} merged` : "",
    it.begin_seen ? "" : "; its begin is not recorded", it.end_seen ? "" : "; cut: its end is not recorded, or events are missing in it",
  ].join("");
  const rows = it.split.map(({ ns, text, isDetail, isInverted }) => element("tr", { class: isDetail ? "detail" : null },
    element("td", { class: "number" }, isDetail ? "" : percent(ns, it.response)), element("td", { class: "number" }, exactly(ns)),
    element("td", {}, text, isInverted && isDetail ? element("strong", {}, " priority inversion") : null)));
  return [
    element("p", {}, `${moment(BigInt(it.released))} to ${moment(it.released + it.response)}; ${cause}`),
    element("table", { class: "split" }, element("caption", { class: "unseen" }, "What took its time"), element("tbody", {}, ...rows)),
    BigInt(it.inverted_ns) > 0n ? element("p", {}, `Priority inversion: ${exactly(BigInt(it.inverted_ns))}`) : null,
    it.advice === null ? null : element("p", {}, `Do: ${it.advice}`),
  ].filter(Boolean);
}

/** What took most of the time of an activation, in a line. */
function mostOf({ split, response }) {
  const best = split.filter((it) => !it.isDetail).reduce((most, it) => (most === null || it.ns > most.ns ? it : most), null);
  return best === null ? "" : `${percent(best.ns, response)} ${best.text}`;
}

/** The part of the panel that shows the activations of the selected row. */
class ActivationList {
  constructor(timeline) {
    this.timeline = timeline;
    this.root = element("section", { class: "activations", "aria-label": `${timeline.prefix}Activations`, hidden: true });
    /** The shown row, and its subjects. */
    this.row = null;
    this.subjects = [];
    /** The buttons of activations, by activation. */
    this.buttons = new Map();
  }

  /** Shows another selection. Open parts stay open as long as it is the same row and interrupt. */
  show(selection) {
    const { picture } = this.timeline, row = selection?.row ?? null;
    const subjects = row === null ? [] : subjectsOf(picture, selection);
    if (row === this.row && subjects.length === this.subjects.length && subjects.every((it, index) => it === this.subjects[index])) return;
    [this.row, this.subjects] = [row, subjects];
    this.buttons.clear();
    const isTask = row?.kind === "task";
    this.root.hidden = subjects.length === 0 && !(isTask && picture.activations.length > 0);
    if (this.root.hidden) { this.root.replaceChildren(); return; }
    const name = (it) => `Activations of ${isTask || row.group === "Timers" ? row.name : it.name}`;
    const [only] = subjects;
    if (subjects.length === 0) {
      const why = row.isIdle ? "The idle task has no activations." : "No activation of this task is recorded.";
      this.root.replaceChildren(element("h3", {}, "Activations"), element("p", {}, why));
    } else if (subjects.length === 1) {
      this.root.replaceChildren(element("h3", {}, name(only)), ...this.contentOf(only));
    } else {
      // Of several interrupts of a core, each when one wants to see it.
      const parts = subjects.slice(0, SUBJECTS).map((it) => {
        const part = element("details", {}, element("summary", {}, `${name(it)} (${groupDigits(it.count)})`));
        part.addEventListener("toggle", () => { if (part.open && part.childElementCount === 1) part.append(...this.contentOf(it)); });
        return part;
      });
      const more = subjects.length - parts.length;
      this.root.replaceChildren(element("h3", {}, "Activations"), ...parts, ...(more > 0 ? [element("p", { class: "hint" }, `${more} more: select one in the timeline`)] : []));
    }
  }

  contentOf(subject) {
    const { text, label } = summaryOf(subject), list = (title, all) => (all.length === 0 ? [] : [
      element("h4", {}, title), element("ol", {}, ...all.map((it) => this.itemOf(it))),
    ]);
    const { longest, inverted } = subject;
    return [
      element("p", {}, text), histogramOf(subject, label), ...stepsOf(subject),
      ...list(longest.length === 1 ? "The longest" : `The ${longest.length} longest`, longest), ...list("With most priority inversion", inverted),
    ];
  }

  itemOf(it) {
    const atLeast = it.begin_seen && it.end_seen ? "" : "at least ";
    const split = element("div", { hidden: true });
    const button = element("button", { type: "button", "aria-expanded": "false", on: { click: () => this.press(it) } },
      element("span", { class: "at" }, moment(it.released)), element("span", { class: "length" }, `${atLeast}${duration(Number(it.response))}`), element("span", { class: "most" }, mostOf(it)));
    this.buttons.set(it, { button, split });
    return element("li", {}, button, split);
  }

  /** An activation is pressed: its split is shown and the timeline moves to it; or the split is closed again. */
  press(it) {
    if (this.buttons.get(it).button.getAttribute("aria-expanded") === "true") { this.close(); return; }
    this.open(it);
    const { timeline, row } = this, lane = laneOf(row, it.begin, it.end), part = row.lanes[lane];
    const index = part ? part.firstEndingAfter(it.begin) : 0;
    timeline.reveal(it.begin, it.end);
    timeline.select({ row, lane, index: part && index < part.count ? index : null });
    timeline.uncover(row);
    timeline.mark([it.begin, it.end]);
  }

  close() {
    for (const { button, split } of this.buttons.values()) {
      button.setAttribute("aria-expanded", "false");
      split.hidden = true;
      split.replaceChildren();
    }
  }

  open(it) {
    this.close();
    const { button, split } = this.buttons.get(it);
    button.setAttribute("aria-expanded", "true");
    split.replaceChildren(...showSplit(it));
    split.hidden = false;
  }

  /** A link leads to a part of the row that is shown: the split of the activation that it is, or that it is in, is opened. */
  openAt(from, to) {
    if (this.row === null) return;
    const found = activationAt(this.timeline.picture, this.row, from, to);
    if (found === null || !this.buttons.has(found)) return;
    this.open(found);
    if (found.begin === from && found.end === to) this.timeline.mark([from, to]);
    // Beside the rows, not the page.
    const { root } = this.timeline.panel, { button } = this.buttons.get(found);
    root.scrollTop += button.getBoundingClientRect().top - root.getBoundingClientRect().top - 8;
  }

  /** The first activation gets the focus. */
  focus() {
    const first = this.root.querySelector("button, summary");
    if (first) first.focus();
  }
}
