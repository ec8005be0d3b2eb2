//! The display: a head, the cores, and tables of tasks, queues and interrupts, in the available room.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier, Style};
use tband_app::live::{LiveSnapshot, Mark};
use tband_conv::counted;
use tband_conv::sinks::Stats;
use tband_report::highlights::{Certainty, highlights};
use tband_report::printable::printable;
use tband_report::time_unit::TimeUnit;
use tband_report::top::{self, Column, ISRS, QUEUES, Row, TASKS};

use super::order::sort;
use super::view::View;

/// Cores that have a line.
const MAX_CORES: usize = 8;
/// Lines of the tasks' table at least, before others have any.
const LEAST: usize = 6;
/// Marks by eighths of the CPU.
const MARKS: [&str; 9] = ["·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Letters that a mark takes.
const MAX_MARKS: u16 = 200;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const TITLE: Style = Style::new().add_modifier(Modifier::REVERSED);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const ALARM: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);

const HELP: [&str; 13] = [
    "q  Ctrl-C        quit",
    "p  space         pause; events are still received",
    "s                sort tasks by the next column",
    "f  /             filter by name; Enter keeps it, Esc takes it away",
    "arrows PgUp PgDn Home   scroll the tasks",
    ":                a command to the target, as of tband-cli command",
    "R  S  N          the target starts, stops, sends names again",
    "1 to 7           a group of events off or on; see the guide for which",
    "?  h             this help",
    "CPU: share of the window, without interrupts. STACK: bytes never used.",
    "RUNS/s: how often it got a core. LEVEL: items, or count.",
    "MIN and MAX: of the window. At the right of a task: what it had of the",
    "CPU, the newest last; · none, █ all, blank not known.",
];

/// The content of a display.
pub struct Scene<'a> {
    /// The source.
    pub name: &'a str,
    /// The numbers, as they are to be shown.
    pub picture: &'a LiveSnapshot,
    pub view: &'a View,
    /// The current fault, if there is one.
    pub state: &'a str,
    /// The last command to the target, and its answer.
    pub asked: &'a str,
    /// Events a second, if that is known.
    pub rate: Option<f64>,
}

/// The position of the next line.
struct Page<'b> {
    area: Rect,
    buf: &'b mut Buffer,
    y: u16,
}

impl Page<'_> {
    /// Lines that are left.
    fn remaining_lines(&self) -> usize {
        usize::from(self.area.bottom().saturating_sub(self.y))
    }

    /// Writes a text at a position of this line, cut at a width; returns the next position.
    fn put(&mut self, x: u16, text: &str, width: u16, style: Style) -> u16 {
        let room = self.area.right().saturating_sub(x).min(width);
        if self.remaining_lines() == 0 || room == 0 {
            return x;
        }
        self.buf.set_stringn(x, self.y, printable(text), usize::from(room), style).0
    }

    fn line(&mut self, text: &str, style: Style) {
        self.put(self.area.x, text, u16::MAX, style);
        self.y = self.y.saturating_add(1).min(self.area.bottom());
    }

    /// Puts cells in their columns. Returns where the last one ends. Columns that do not fit are left out.
    fn cells<'c>(
        &mut self,
        columns: &[Column],
        cells: impl Iterator<Item = &'c str>,
        style: Style,
    ) -> u16 {
        let mut x = self.area.x;
        for (index, (column, cell)) in columns.iter().zip(cells).enumerate() {
            let end = x.saturating_add(column.width);
            if end > self.area.right() && index > 0 {
                break;
            }
            let len = u16::try_from(unicode_width(cell)).unwrap_or(u16::MAX);
            let room = if column.is_right { column.width.saturating_sub(len) } else { 0 };
            self.put(x.saturating_add(room), cell, column.width, style);
            x = end.saturating_add(1);
        }
        x
    }
}

fn unicode_width(text: &str) -> usize {
    ratatui_core::text::Span::raw(printable(text)).width()
}

/// Draws a picture.
pub fn draw(scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    let mut page = Page { area, buf, y: area.y };
    head(scene, &mut page);
    if scene.view.helps {
        HELP.iter().for_each(|line| page.line(line, Style::new()));
        return;
    }
    let Some(stats) = scene.picture.last() else {
        page.line(scene.state, BOLD);
        return;
    };
    draw_findings(stats, &mut page);
    cores(stats, scene.picture.time_unit(), &mut page);
    let passes = |name: &str| scene.view.has(name);
    let unit = scene.picture.time_unit();
    let tasks = top::tasks(stats, unit, passes, |tasks| sort(tasks, scene.view.sort));
    let queues = top::queues(stats, unit, passes);
    let others = [(&QUEUES[..], queues), (&ISRS[..], top::isrs(stats, unit, passes))];
    // A line for each row, a title, and one in front.
    let wanted = others.iter().filter(|(_, rows)| !rows.is_empty()).map(|(_, rows)| rows.len() + 2);
    let room = page.remaining_lines();
    let for_tasks =
        (tasks.len() + 1).min(room.saturating_sub(wanted.sum()).max(room / 2)).max(LEAST.min(room));
    let above = scene.view.above.min(tasks.len().saturating_sub(1));
    table(&TASKS, &tasks, (above, for_tasks), scene.picture, &mut page);
    let mut tables = others.iter().filter(|(_, rows)| !rows.is_empty()).peekable();
    while let Some((columns, rows)) = tables.next() {
        let room = page.remaining_lines();
        if room < 3 {
            break;
        }
        page.line("", Style::new());
        let share = if tables.peek().is_some() { room / 2 } else { room };
        table(
            columns,
            rows,
            (0, share.saturating_sub(1).min(rows.len() + 1)),
            scene.picture,
            &mut page,
        );
    }
}

/// Mistakes of the program that the window shows: how many, and the first one.
fn draw_findings(stats: &Stats, page: &mut Page<'_>) {
    let found = highlights(stats);
    let mut found = found.iter().filter(|it| it.certainty != Certainty::Remark);
    let Some(first) = found.next() else { return };
    let more = match found.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    page.line(&format!("look: {}{more}: {}", first.title, first.means), ALARM);
}

/// Draws the source's name, and the losses.
fn head(scene: &Scene<'_>, page: &mut Page<'_>) {
    let Scene { name, picture, view, state, asked, rate } = *scene;
    let mut text = format!("tband top  {name}");
    if let Some(stats) = picture.last() {
        let (start, end) = (stats.start_ns(), stats.end_ns());
        text += &match picture.time_unit() {
            TimeUnit::Ns => format!("  {:.6} s to {:.6} s", start as f64 / 1e9, end as f64 / 1e9),
            TimeUnit::Ticks => format!("  tick {start} to {end}"),
        };
    }
    text += &format!("  {}", counted(picture.events(), "event"));
    if let Some(rate) = rate {
        text += &format!("  {rate:.0}/s");
    }
    page.line(&text, BOLD);
    let mut x = page.area.x;
    let (lost, damaged) = picture.missing();
    let is_clean = lost == 0 && damaged == 0;
    let missing = if is_clean {
        "nothing lost".to_owned()
    } else {
        format!("{lost} lost, {damaged} damaged")
    };
    x = page.put(x, &missing, u16::MAX, if is_clean { DIM } else { ALARM });
    let mut words = vec![format!("sorted by {}", view.sort.name())];
    if view.is_paused {
        words.push("PAUSED".to_owned());
    }
    if view.types || !view.filter.is_empty() {
        words.push(format!("filter: {}{}", view.filter, if view.types { "_" } else { "" }));
    }
    if picture.last().is_some() && !state.is_empty() {
        words.push(state.to_owned());
    }
    match &view.command {
        Some(command) => words.push(format!(":{command}_")),
        None if !asked.is_empty() => words.push(format!("[{asked}]")),
        None => {}
    }
    words.push("? help".to_owned());
    page.put(x, &format!("  {}", words.join("  ")), u16::MAX, Style::new());
    page.line("", Style::new());
}

fn cores(stats: &Stats, unit: TimeUnit, page: &mut Page<'_>) {
    const BAR: u16 = 20;
    let cores: Vec<_> = stats.cores().collect();
    for core in cores.iter().take(MAX_CORES) {
        let load = top::load(core);
        let isrs = top::share(core.isr_ns, core.recorded_ns);
        let runs = top::rate(core.switches, core.recorded_ns, unit);
        let text = format!(
            "core {}  load {load:>6}  interrupts {isrs:>6}  {runs} switches/s  ",
            core.core
        );
        let x = page.put(page.area.x, &text, u16::MAX, Style::new());
        let bar = match core.busy_share() {
            Some(load) => {
                format!("{:░<20}", "█".repeat((load.value() * f64::from(BAR)) as usize))
            }
            None if !core.is_idle_task_known => "no known idle task".to_owned(),
            None => String::new(),
        };
        page.put(x, &bar, BAR, DIM);
        page.line("", Style::new());
    }
    if cores.len() > MAX_CORES {
        page.line(&format!("... and {} more cores", cores.len() - MAX_CORES), DIM);
    }
}

/// Draws a title and rows, from one on, in this many lines; at the right the activity of tasks.
fn table(
    columns: &[Column],
    rows: &[Row],
    (above, lines): (usize, usize),
    picture: &LiveSnapshot,
    page: &mut Page<'_>,
) {
    if lines == 0 || page.remaining_lines() == 0 {
        return;
    }
    let has_marks = rows.iter().any(|row| row.task.is_some());
    let x = page.cells(columns, columns.iter().map(|column| column.title), TITLE);
    let marks = page.area.right().saturating_sub(x).min(MAX_MARKS);
    if has_marks && marks > 0 {
        let title = format!("CPU, {} a mark", picture.time_unit().duration(picture.mark_ns()));
        page.put(x, &title, marks, TITLE);
    }
    page.line("", Style::new());
    let room = lines.saturating_sub(1);
    let left = rows.len().saturating_sub(above);
    let shown = if left > room { room.saturating_sub(1) } else { left };
    for row in rows.iter().skip(above).take(shown) {
        page.cells(columns, row.cells.iter().map(String::as_str), Style::new());
        if let Some(task) = row.task {
            let line: String = picture.marks(task, usize::from(marks)).map(letter).collect();
            page.put(x, &line, marks, Style::new());
        }
        page.line("", Style::new());
    }
    if left > room && room > 0 {
        page.line(&format!("... and {} more", left - shown), DIM);
    }
}

fn letter(mark: Mark) -> &'static str {
    mark.and_then(|mark| MARKS.get(usize::from(mark)).copied()).unwrap_or(" ")
}

#[cfg(test)]
mod tests {
    use ratatui_core::backend::TestBackend;
    use ratatui_core::terminal::Terminal;
    use tband_format::{Event, Str};

    use super::*;
    use tband_app::live::{Answers, Figures};

    /// Returns the figures of this many tasks, each of which runs for a while, and as many queues.
    fn figures(tasks: u32) -> Figures {
        let mut figures = Figures::new("test", 1_000_000_000, Answers::default());
        let mut bytes = tband_recordings::frame(0, Event::TsResolutionNs { ns_per_ts: 1000 });
        for id in 1..=tasks {
            let name = format!("漢字 task {id}");
            let name = Str(name.as_bytes());
            bytes.extend(tband_recordings::frame(0, Event::TaskName { task_id: id, name }));
            let at = u64::from(id) * 20_000;
            bytes.extend(tband_recordings::frame(at, Event::TaskSwitchedIn { task_id: id }));
            let send = Event::QueueSend { queue_id: id, len_after: id };
            bytes.extend(tband_recordings::frame(at + 1, send));
            bytes.extend(tband_recordings::frame(at + 2, Event::IsrEnter { isr_id: id }));
            bytes.extend(tband_recordings::frame(at + 9, Event::IsrExit { isr_id: id }));
        }
        figures.feed(&bytes).unwrap();
        figures
    }

    fn screen(figures: &Figures, view: &View, (width, height): (u16, u16)) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let scene = Scene {
            name: "test",
            picture: figures.picture(),
            view,
            state: "waiting",
            asked: "",
            rate: None,
        };
        terminal.draw(|frame| draw(&scene, frame.area(), frame.buffer_mut())).unwrap();
        let buf = terminal.backend().buffer();
        let line = |y| (0..width).filter_map(|x| Some(buf.cell((x, y))?.symbol())).collect();
        (0..height).map(line).collect()
    }

    #[test]
    fn it_fits_any_screen() {
        for tasks in [0, 1, 100] {
            let figures = figures(tasks);
            for size in [(1, 1), (10, 3), (3, 10), (80, 24), (60, 8), (400, 200), (200, 2)] {
                for helps in [false, true] {
                    let view = View { helps, above: 7, ..View::default() };
                    let lines = screen(&figures, &view, size);
                    assert!(lines[0].starts_with('t'), "{tasks} {size:?}: {lines:?}");
                }
            }
        }
    }

    #[test]
    fn a_hundred_tasks_leave_room_for_queues_and_are_scrolled() {
        let figures = figures(100);
        let mut view = View { sort: crate::args::Sort::Name, ..View::default() };
        let lines = screen(&figures, &view, (80, 40));
        assert!(lines.iter().any(|line| line.starts_with("QUEUE")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("INTERRUPT")), "{lines:#?}");
        assert!(lines.iter().filter(|line| line.contains("task 1")).count() > 3, "{lines:#?}");
        assert!(
            lines.iter().filter(|line| line.starts_with("... and ")).count() == 3,
            "{lines:#?}"
        );
        view.above = 99;
        let lines = screen(&figures, &view, (80, 40));
        assert!(lines.iter().any(|line| line.contains("task 99")), "{lines:#?}");
        view.filter = "TASK 42".to_owned();
        view.above = 0;
        let lines = screen(&figures, &view, (80, 40));
        assert_eq!(lines.iter().filter(|line| line.starts_with('漢')).count(), 1, "{lines:#?}");
    }

    #[test]
    fn an_empty_display_reports_its_wait() {
        let lines = screen(&figures(0), &View::default(), (80, 24));
        assert!(lines.iter().any(|line| line.contains("waiting")), "{lines:#?}");
    }
}
