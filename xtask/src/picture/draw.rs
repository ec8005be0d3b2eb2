//! Draws rows as SVG: names at the left, time to the right, in the colours that the reader's system prefers.

use std::fmt::Write as _;

use super::letters::{fitting, width_of};
use super::rows::{Row, What};
use super::tables::{OnCore, Slice, Span, State, Tables};

/// In units of the picture; a book shows it as wide as a line.
const WIDTH: i64 = 860;
const NAMES: i64 = 178;
const PLOT: i64 = WIDTH - NAMES - 12;
const TOP: i64 = 26;
const ROW: i64 = 20;
const HEADING: i64 = 19;
const BAR: i64 = 16;
/// Above the bars of a core, for names of interrupts that are too short for them.
const LABELS: i64 = 16;
/// From the top of letters to the line that they stand on, and how far they go below it.
const LETTERS: i64 = 9;
/// Of a bar and what is free beside its name, in tenths of a unit.
const BORDERS: i64 = 40;

const STYLE: &str = "
.page{fill:#fff}.stripe{fill:#f6f7f9}.line{stroke:#d8dbe0;fill:none}
text{font:11px system-ui,'Helvetica Neue',Arial,sans-serif;fill:#30343b}
.faint{fill:#747a85}.head{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}
rect.bar{stroke-width:1}
.task{fill:#dfe9f8;stroke:#8eabd6}.isr{fill:#fbe3dc;stroke:#d99a86}.idle{fill:#f4f5f7;stroke:#d0d4da}
.running{fill:#d5ecd5;stroke:#79b079}.ready{fill:#eef7e4;stroke:#b3cf94}
.preempted{fill:#fbf3d3;stroke:#d3bd6c}.sleeping{fill:none;stroke:#d0d4da}
.stopped{fill:#ececf1;stroke:#b4b6c4}.unknown{fill:#f9dfc9;stroke:#d79c66}.dead{fill:#e4e4e4;stroke:#aaa}
.slice{fill:#e9e4f6;stroke:#a99bd0}.error{fill:#f9d7d7;stroke:#d27f7f}
.count{stroke:#5f7fae;fill:none;stroke-width:1.3}.flow{stroke:#b0559b;fill:none;stroke-width:1.2}
.instant{fill:#a99bd0}.tip{fill:#b0559b}.lead{stroke:#747a85}
@media (prefers-color-scheme:dark){
.page{fill:#16181d}.stripe{fill:#1c1f25}.line{stroke:#363b45}text{fill:#d5d9e0}.faint{fill:#8f96a3}
.task{fill:#22324b;stroke:#4f709f}.isr{fill:#4a2c24;stroke:#9c6353}.idle{fill:#20232a;stroke:#3c414b}
.running{fill:#234023;stroke:#568a56}.ready{fill:#2b3820;stroke:#6c8450}
.preempted{fill:#40391d;stroke:#8d7d3f}.sleeping{stroke:#3c414b}.stopped{fill:#2b2c36;stroke:#62657a}
.unknown{fill:#4b331f;stroke:#98683a}.dead{fill:#333;stroke:#666}
.slice{fill:#322c47;stroke:#6f62a0}.error{fill:#4d2828;stroke:#9d5555}
.count{stroke:#86a5d6}.flow{stroke:#cf7fbd}.instant{fill:#6f62a0}.tip{fill:#cf7fbd}}
";

/// Perfetto's word for a state, and how it is drawn.
fn state_word(state: &str) -> (&'static str, &'static str) {
    match state {
        "Running" => ("Running", "running"),
        "R" => ("Runnable", "ready"),
        "R+" => ("Runnable (Preempted)", "preempted"),
        "S" => ("Sleeping", "sleeping"),
        "T" => ("Stopped", "stopped"),
        "D" => ("Uninterruptible Sleep", "unknown"),
        "X" => ("Exit (Dead)", "dead"),
        "Z" => ("Exit (Zombie)", "dead"),
        _ => ("?", "dead"),
    }
}

/// The thread of an interrupt, by what the converter gives them.
const fn is_interrupt(tid: u64) -> bool {
    tid >= 300_000
}

struct Canvas<'t> {
    tables: &'t Tables,
    window: Span,
    svg: String,
    y: i64,
    /// The middle of each slice's row, for arrows.
    slices: Vec<(&'t Slice, i64)>,
    /// Classes of states that occur.
    used: Vec<(&'static str, &'static str)>,
}

/// The picture of some rows, with lines of text below it.
pub fn draw(title: &str, tables: &Tables, window: Span, rows: &[Row], below: &[String]) -> String {
    let mut canvas =
        Canvas { tables, window, svg: String::new(), y: TOP, slices: Vec::new(), used: Vec::new() };
    for (index, row) in rows.iter().enumerate() {
        canvas.row(row, index);
    }
    let bottom = canvas.y;
    canvas.arrows();
    canvas.legend();
    for text in below {
        canvas.y += ROW;
        canvas.text(12, canvas.y - 5, "", text);
    }
    let height = canvas.y + 10;
    let grid = canvas.grid(bottom);
    let svg = canvas.svg;
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n{grid}{svg}</svg>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn decimal(tenths: i64) -> String {
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        tenth => format!("{}.{tenth}", tenths / 10),
    }
}

/// Nanoseconds as µs, with as many places as there are.
pub fn microseconds(ns: i64) -> String {
    let text = format!("{}.{:03}", ns / 1000, ns % 1000);
    format!("{} µs", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Tenths of a unit from the left, in a picture of this slice of time.
fn x(Span { from, to }: Span, ns: i64) -> i64 {
    let length = (to - from).max(1);
    NAMES * 10 + (ns.clamp(from, to) - from) * PLOT * 10 / length
}

impl<'t> Canvas<'t> {
    fn x(&self, ns: i64) -> i64 {
        x(self.window, ns)
    }

    fn text(&mut self, x: i64, y: i64, class: &str, text: &str) {
        let text = escaped(text);
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "<text x=\"{x}\" y=\"{y}\"{class}>{text}</text>");
    }

    fn line(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.svg, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// A bar from when to when, with its name if there is room.
    fn bar(&mut self, time: Span, y: i64, class: &str, name: &str) {
        let (from, to) = (self.x(time.from), self.x(time.to));
        let width = to - from;
        let _ = writeln!(
            self.svg,
            "<rect class=\"bar {class}\" x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{BAR}\" rx=\"2\">\
             <title>{}</title></rect>",
            decimal(from),
            decimal(width.max(8)),
            escaped(name)
        );
        let name = fitting(name, width - BORDERS);
        if !name.is_empty() {
            let class = if class == "sleeping" { "middle faint" } else { "middle" };
            self.text((from + to) / 20, y + 12, class, &name);
        }
    }

    fn row(&mut self, row: &Row, index: usize) {
        let deep = match row.what {
            What::Slices(_, depth) => i64::try_from(depth).unwrap_or(1) - 1,
            _ => 0,
        };
        let labels = match row.what {
            What::Core(core) if self.short_interrupts(core).next().is_some() => LABELS,
            _ => 0,
        };
        let height = match row.what {
            What::Heading => HEADING,
            _ => ROW + labels + deep * (BAR + 1),
        };
        let (y, class) = match row.what {
            What::Heading => (self.y, "head"),
            _ => (self.y, ""),
        };
        if index % 2 == 1 {
            let _ = writeln!(
                self.svg,
                "<rect class=\"stripe\" x=\"0\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\"/>"
            );
        }
        let indent = 12 + 14 * i64::try_from(row.level).unwrap_or(0);
        let name = match row.what {
            What::Heading => format!("▾ {}", row.name),
            _ => row.name.clone(),
        };
        let room = (NAMES - indent - 4) * 10;
        self.text(indent, y + labels + 14, class, &fitting(&name, room));
        match row.what {
            What::Heading => {}
            What::Core(core) => self.core(core, y + labels),
            What::States(utid) => self.states(utid),
            What::Slices(track, _) => self.track(track),
            What::Counter(track) => self.counter(track),
        }
        self.y += height;
    }

    /// Interrupts of a core whose bars are too short for their names.
    fn short_interrupts(&self, core: u32) -> impl Iterator<Item = &'t OnCore> {
        let (tables, window) = (self.tables, self.window);
        tables.on_cores.iter().filter(move |it| {
            let is_there = it.core == core && it.time.to > window.from && it.time.from < window.to;
            let width = x(window, it.time.to) - x(window, it.time.from);
            is_there && is_interrupt(it.tid) && width_of(&it.thread) > width - BORDERS
        })
    }

    fn core(&mut self, core: u32, top: i64) {
        let tables = self.tables;
        for OnCore { time, thread, tid, .. } in
            tables.on_cores.iter().filter(|it| it.core == core && it.tid != 0)
        {
            let class = match thread.as_str() {
                _ if is_interrupt(*tid) => "isr",
                "IDLE" => "idle",
                _ => "task",
            };
            self.bar(*time, top + 2, class, thread);
        }
        let mut free = 0;
        for OnCore { time, thread, .. } in self.short_interrupts(core).collect::<Vec<_>>() {
            let middle = (self.x(time.from) + self.x(time.to)) / 2;
            let width = width_of(thread);
            let left = (middle - width / 2).max(free);
            if left + width > WIDTH * 10 {
                break;
            }
            free = left + width + BORDERS;
            let (at, under) = (decimal(middle), decimal(middle.clamp(left, left + width)));
            self.line("lead", &format!("M{under} {}L{at} {}", top - 3, top + 2));
            self.text((left + width / 2) / 10, top - 5, "middle", thread);
        }
    }

    fn states(&mut self, utid: u64) {
        let tables = self.tables;
        for State { time, state, .. } in tables.states.iter().filter(|it| it.utid == utid) {
            let (word, class) = state_word(state);
            if !self.used.contains(&(word, class)) {
                self.used.push((word, class));
            }
            self.bar(*time, self.y + 2, class, word);
        }
    }

    fn track(&mut self, track: u64) {
        let tables = self.tables;
        let parent = tables.tracks.iter().find(|it| it.id == track).and_then(|it| it.parent);
        let group = tables.tracks.iter().find(|it| Some(it.id) == parent);
        let class = if group.is_some_and(|it| it.name == "Errors") { "error" } else { "slice" };
        let slices: Vec<&Slice> = tables.slices.iter().filter(|it| it.track == track).collect();
        for (index, slice) in slices.iter().enumerate() {
            let y = self.y + 2 + i64::try_from(slice.depth).unwrap_or(0) * (BAR + 1);
            self.slices.push((slice, y + BAR / 2));
            if slice.time.from < slice.time.to {
                self.bar(slice.time, y, class, &slice.name);
                continue;
            }
            let x = self.x(slice.time.from);
            let (left, at, right) = (decimal(x - 30), decimal(x), decimal(x + 30));
            let (top, low) = (y + 4, y + 12);
            self.line("instant", &format!("M{left} {low}L{at} {top}L{right} {low}Z"));
            let next = slices.get(index + 1).map_or(self.window.to, |it| it.time.from);
            if width_of(&slice.name) <= self.x(next) - x - 90 {
                self.text(x / 10 + 7, y + 12, "", &slice.name);
            }
        }
    }

    fn counter(&mut self, track: u64) {
        let tables = self.tables;
        let counts: Vec<_> = tables.counts.iter().filter(|it| it.track == track).collect();
        let (mut least, mut most) = (0, 1);
        for count in &counts {
            (least, most) = (count.value.min(least), count.value.max(most));
        }
        let (top, height) = (self.y + 4, ROW - 7);
        let y = |value: i64| top + (most - value) * height / (most - least);
        let mut path = String::new();
        for count in &counts {
            let (x, y) = (decimal(self.x(count.at)), y(count.value));
            let _ =
                if path.is_empty() { write!(path, "M{x} {y}") } else { write!(path, "H{x}V{y}") };
        }
        let _ = write!(path, "H{}", NAMES + PLOT);
        self.line("count", &path);
        for (index, count) in counts.iter().enumerate() {
            let x = self.x(count.at);
            let next = counts.get(index + 1).map_or(self.window.to, |it| it.at);
            let text = count.value.to_string();
            if self.x(next) - x >= width_of(&text) + 60 {
                let line = y(count.value);
                // Above its line if there is room, else below.
                let base = if line - 2 - LETTERS >= self.y { line - 2 } else { line + LETTERS + 2 };
                self.text(x / 10 + 4, base, "faint", &text);
            }
        }
    }

    /// From slice to slice, where both are shown.
    fn arrows(&mut self) {
        let place = |id: u64| self.slices.iter().find(|(slice, _)| slice.id == id).copied();
        let within = |slice: &Slice| (self.window.from..=self.window.to).contains(&slice.time.from);
        let mut arrows = Vec::new();
        for &(from, to) in &self.tables.flows {
            if let (Some((from, y)), Some((to, end))) = (place(from), place(to))
                && within(from)
                && within(to)
            {
                arrows.push((self.x(from.time.from), y, self.x(to.time.from), end));
            }
        }
        arrows.sort_unstable();
        for (x, y, to, end) in arrows {
            let bend = ((to - x) / 2).max(120);
            let (a, b, c, d) =
                (decimal(x), decimal(x + bend), decimal(to - bend), decimal(to - 50));
            self.line("flow", &format!("M{a} {y}C{b} {y} {c} {end} {d} {end}"));
            let (tip, back) = (decimal(to - 10), decimal(to - 60));
            let (up, low) = (end - 3, end + 3);
            self.line("tip", &format!("M{tip} {end}L{back} {up}V{low}Z"));
        }
    }

    /// The colours of the states.
    fn legend(&mut self) {
        self.y += 8;
        let mut x = NAMES;
        for (word, class) in std::mem::take(&mut self.used) {
            let y = self.y;
            let _ = writeln!(
                self.svg,
                "<rect class=\"bar {class}\" x=\"{x}\" y=\"{y}\" width=\"14\" height=\"12\" rx=\"2\"/>"
            );
            self.text(x + 19, y + 10, "", word);
            x += 36 + width_of(word) / 10;
        }
        self.y += 16;
    }

    /// Times on top, and their lines after the rows.
    fn grid(&mut self, bottom: i64) -> String {
        let Span { from, to } = self.window;
        let rows = std::mem::take(&mut self.svg);
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
        let step = steps.into_iter().map(|us| us * 1000).find(|step| (to - from) / step <= 10);
        let step = step.unwrap_or(to - from).max(1);
        let start = format!("{} ms", from as f64 / 1e6);
        self.text(NAMES - 8, 16, "end faint", &format!("µs from {start}"));
        let mut at = from;
        while at <= to {
            let x = decimal(self.x(at));
            self.line("line", &format!("M{x} {TOP}V{bottom}"));
            self.text(self.x(at) / 10, 16, "middle faint", &((at - from) / 1000).to_string());
            at += step;
        }
        std::mem::replace(&mut self.svg, rows)
    }
}

#[cfg(test)]
mod tests;
