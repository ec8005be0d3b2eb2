// The load of each core over time, by task and interrupt: stacked areas.

/** The areas of each core, the busiest owner at the bottom. Blank is idle time; the hatched area on top is unknown time. */
function stackedLoad({ load, prefix }, shownRows) {
  const length = Number(load.length_ns), window = load.window_ns;
  return load.cores.map(({ core, owners }) => {
    const count = owners.reduce((most, { times }) => Math.max(most, times.length), 0), wide = Math.min(count, length / window) || 1;
    // The last window ends with the recording.
    const size = (index) => Math.min(window, length - index * window) || 1;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), legend = element("ul", { class: "owners" });
    const set = (it, values) => Object.entries(values).forEach(([key, value]) => it.setAttribute(key, value));
    set(svg, { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", role: "img" });
    const below = new Array(count).fill(0), parts = [];
    for (const { kind, id, name, times } of owners) {
      const share = times.reduce((sum, time) => sum + time, 0) / (length || 1);
      if (share <= 0) continue;
      parts.push(`${name} ${(share * 100).toFixed(1)} %`);
      if (kind === "idle") continue;
      const row = kind === "task" ? rowOfObject(shownRows, { table: "tasks", shown: name, id }) : null;
      const edge = (at) => times.map((time, index) => [index, 100 - ((below[index] + at * time) / size(index)) * 100]);
      const steps = (points) => points.flatMap(([index, y]) => [`${index},${y.toFixed(2)}`, `${Math.min(wide, index + 1)},${y.toFixed(2)}`]);
      const area = document.createElementNS("http://www.w3.org/2000/svg", "polygon"), title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      const style = row && !row.isIdle ? taskStyle(row) : "";
      set(area, { points: [...steps(edge(1)), ...steps(edge(0)).reverse()].join(" "), class: style ? "of-task" : kind, ...(style ? { style } : {}) });
      title.textContent = parts.at(-1);
      area.append(title);
      svg.append(area);
      times.forEach((time, index) => { below[index] += time; });
      legend.append(element("li", {}, element("i", { class: style ? "of-task" : kind, "aria-hidden": "true", ...(style ? { style } : {}) }), name));
    }
    const about = `${prefix}Core ${core} by task and interrupt, in windows of ${duration(window)}`;
    svg.setAttribute("aria-label", `${about}: ${parts.join(", ")}`);
    return element("figure", { class: "areas" }, svg, legend, element("figcaption", {}, `${about}. Blank is idle.`));
  });
}
