//! The events of lines.

use std::collections::HashMap;

use tband_format::{Event, Str};

use super::line::{Line, SwitchSide, losses, state_letter, switch, woken};
use super::numbers::{IDLE, LEAST_PRIORITY, SOFT, UNSEEN_SWITCH};
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// Longest line, in bytes.
const MAX_LINE: usize = 8 * 1024;
/// Processors that are shown.
const MAX_CPUS: u32 = 64;
/// Tasks and interrupts of which names are kept.
const MAX_KEPT: usize = 64 * 1024;

/// Events that are read, as lines contain them.
const EVENTS: [&str; 7] = [
    "sched_switch:",
    "sched_wakeup:",
    "sched_wakeup_new:",
    "irq_handler_entry:",
    "irq_handler_exit:",
    "softirq_entry:",
    "softirq_exit:",
];
/// How the texts of ftrace and of trace-cmd report begin.
const TITLES: [&str; 2] = ["# tracer:", "cpus="];
/// By how much the time of a text that follows steps back at least, in ns, unless it is before that of all lines.
const LONG_BACK: u64 = 1_000_000_000;
/// Events after a line that show whether another text begins, and the bytes in which they are.
const LINES_AFTER: usize = 3;
const FOLLOWING: usize = 4 * 1024;
/// Why events are missing.
const MANY_CPUS: &str = "events of processors beyond the first 64, which are not shown";

const LOST: &str = "events that the tracer lost here, without their number";

/// All bytes are those of memory or of a file to which nothing was written.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0) || bytes.iter().all(|byte| *byte == 0xFF)
}

/// What to do about lines that lack something.
const NO_TIME: &str = "a line of an event without a processor or a time in seconds: write the text with 'perf script -F \
                       comm,pid,cpu,time,event,trace', or choose ftrace's clock local or mono";
const NO_CPU: &str = "events without a processor, which no other event shows: record with 'perf record -a', and write the text \
                      with 'perf script -F +cpu'";

/// Reads text of ftrace, trace-cmd report and perf script.
#[derive(Debug)]
pub struct LinuxText {
    first_core: u32,
    has_begun: bool,
    /// The task that runs on each processor.
    running: HashMap<u32, u32>,
    tasks: HashMap<u32, (Box<str>, Option<u32>)>,
    isrs: HashMap<u32, Box<str>>,
    /// The last time, the one before, and the first one of this text.
    now: u64,
    before: u64,
    first: u64,
    /// Added to each time: that of texts in front.
    base: u64,
    /// Another text has begun, and no event of it was read.
    has_restarted: bool,
    /// How many events were lost.
    lost: u32,
    has_perf: bool,
    /// The processors to which tasks were woken, of texts that do not name those of events.
    woken_to: HashMap<u32, u32>,
    has_inferred_cpus: bool,
    has_unseen_switches: bool,
    /// Bytes of a line that is too long, and whether all are zero or 0xFF, as in the unused part of a file.
    long: u64,
    is_long_blank: bool,
}

impl LinuxText {
    /// Reads from the start of a text; the first processor is this core.
    pub fn new(core: u32) -> Self {
        Self {
            first_core: core,
            has_begun: false,
            running: HashMap::new(),
            tasks: HashMap::new(),
            isrs: HashMap::new(),
            now: 0,
            before: 0,
            first: 0,
            base: 0,
            has_restarted: false,
            lost: 0,
            has_perf: false,
            woken_to: HashMap::new(),
            has_inferred_cpus: false,
            has_unseen_switches: false,
            long: 0,
            is_long_blank: true,
        }
    }

    fn begin(&mut self, out: &mut Output) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        out.begin_recording(self.first_core, 0, None);
        out.metadata(self.first_core, &Event::TsResolutionNs { ns_per_ts: 1 });
    }

    /// Processors that are shown.
    const fn max_cpus(&self) -> u32 {
        MAX_CPUS.saturating_sub(self.first_core)
    }

    fn line(&mut self, text: &str, line: Option<Line<'_>>, len: u64, out: &mut Output) {
        self.begin(out);
        if let Some((cpu, lost)) = losses(text).filter(|(cpu, _)| *cpu < self.max_cpus()) {
            let core = self.first_core + cpu;
            self.running.remove(&core);
            match lost {
                Some(lost) => {
                    self.lost = self.lost.saturating_add(lost);
                    out.timed(core, self.now, &Event::DroppedEvtCnt { cnt: self.lost });
                }
                None => out.broken(core, Break::Loss(LOST), 0, 0),
            }
            return;
        }
        if TITLES.iter().any(|title| text.starts_with(title)) && self.now > 0 {
            self.restart(out);
            return;
        }
        let Some(mut line) = line else {
            if EVENTS.iter().any(|event| text.contains(event)) {
                out.broken(self.first_core, Break::Damage(NO_TIME), 0, len);
            }
            return;
        };
        let is_read = EVENTS.iter().any(|event| event.strip_suffix(':') == Some(line.event));
        let cpu = match line.cpu {
            Some(cpu) => cpu,
            None if !is_read => return,
            None => {
                let Some(cpu) = self.infer_cpu(&line) else {
                    out.broken(self.first_core, Break::Loss(NO_CPU), 0, len);
                    return;
                };
                self.has_inferred_cpus = true;
                cpu
            }
        };
        if cpu >= self.max_cpus() {
            out.broken(self.first_core, Break::Loss(MANY_CPUS), 0, 0);
            return;
        }
        let is_first = std::mem::take(&mut self.has_restarted) || self.now == 0;
        if is_first {
            self.base = self.now.saturating_sub(line.time);
        }
        line.time = line.time.saturating_add(self.base);
        self.before = if is_first { line.time } else { self.now };
        if is_first {
            self.first = line.time;
        }
        self.now = line.time;
        self.has_perf |= text.contains("sched:sched_");
        let core = self.first_core + cpu;
        let is_whole = match line.event {
            "sched_switch" => self.switch(&line, core, out),
            "sched_wakeup" => self.wake(&line, core, false, out),
            "sched_wakeup_new" => self.wake(&line, core, true, out),
            "irq_handler_entry" => self.interrupt(&line, core, out),
            "irq_handler_exit" => {
                let exit = line.number("irq").map(|isr_id| Event::IsrExit { isr_id });
                exit.map(|event| out.timed(core, line.time, &event))
            }
            "softirq_entry" => self.soft_interrupt(&line, core, out),
            "softirq_exit" => {
                let vec = line.number("vec").filter(|vec| *vec < SOFT);
                let exit = vec.map(|vec| Event::IsrExit { isr_id: SOFT + vec });
                exit.map(|event| out.timed(core, line.time, &event))
            }
            _ => Some(()),
        };
        if is_whole.is_none() {
            out.broken(
                core,
                Break::Damage("a line whose fields are not those of its event"),
                0,
                len,
            );
        }
    }

    /// The time of this line is before all lines of this text, or long before the last two. One time may be damaged, and a few out
    /// of order.
    fn is_back(&self, line: &Line<'_>) -> bool {
        let at = line.time.saturating_add(self.base);
        let is_long = self.now.saturating_sub(at) >= LONG_BACK;
        !self.has_restarted && at < self.before && (at <= self.first || is_long)
    }

    /// So is that of the lines after it: another text begins, which has no title.
    fn are_back(&self, rest: &[u8]) -> bool {
        let rest = rest.get(..FOLLOWING).unwrap_or(rest);
        let end = memchr::memrchr(b'\n', rest).unwrap_or(0);
        let text = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
        let mut lines = text.lines().filter_map(Line::read).take(LINES_AFTER).peekable();
        lines.peek().is_some()
            && lines.all(|line| line.time.saturating_add(self.base) < self.before)
    }

    /// Another text follows. Its time continues where that of this one ended, unless it is later.
    fn restart(&mut self, out: &mut Output) {
        let mut cores: Vec<u32> = self.running.keys().copied().collect();
        cores.push(self.first_core);
        cores.sort_unstable();
        cores.dedup();
        cores.iter().for_each(|core| out.broken(*core, Break::Start, 0, 0));
        self.running.clear();
        self.woken_to.clear();
        self.has_restarted = true;
    }

    /// The processor of an event that does not name it: the idle task has its number, and other tasks are where they were switched in
    /// or woken to.
    fn infer_cpu(&mut self, line: &Line<'_>) -> Option<u32> {
        let runs = |pid: u32| {
            let found = self.running.iter().find(|(_, task)| **task == pid && pid > 0);
            found.map(|(core, _)| core.saturating_sub(self.first_core))
        };
        match line.event {
            "sched_switch" => {
                let (prev, _, next) = switch(line)?;
                let idle = |side: &SwitchSide<'_>| {
                    let number = side.comm.strip_prefix("swapper/")?.parse().ok()?;
                    Some(number).filter(|_| side.pid == 0)
                };
                let woken_to = || self.woken_to.get(&prev.pid).copied();
                let cpu = idle(&prev).or_else(|| idle(&next)).or_else(|| runs(prev.pid));
                let cpu = cpu.or_else(woken_to)?;
                // Where it ran before it has left unseen.
                self.running.retain(|_, task| *task != next.pid);
                Some(cpu)
            }
            "sched_wakeup" | "sched_wakeup_new" => {
                let (to, woken) = (line.number("target_cpu"), woken(line)?);
                let cpu = line.pid.and_then(runs).or(to)?;
                let is_kept =
                    |map: &HashMap<u32, u32>| map.len() < MAX_KEPT || map.contains_key(&woken.pid);
                if let Some(to) = to.filter(|_| is_kept(&self.woken_to)) {
                    self.woken_to.insert(woken.pid, to);
                }
                Some(cpu)
            }
            _ => line.pid.and_then(runs),
        }
    }

    /// The number of a task: the idle tasks of all processors have 0.
    const fn id(pid: u32, core: u32) -> u32 {
        if pid == 0 { IDLE + core } else { pid }
    }

    /// Names a task and gives it its priority. Returns its number.
    fn task(&mut self, side: &SwitchSide<'_>, (core, ts): (u32, u64), out: &mut Output) -> u32 {
        let task_id = Self::id(side.pid, core);
        let priority = side.priority.map(|it| LEAST_PRIORITY.saturating_sub(it));
        let known = self.tasks.get(&task_id);
        if known.is_none_or(|(name, _)| **name != *side.comm) {
            out.metadata(core, &Event::TaskName { task_id, name: Str(side.comm.as_bytes()) });
        }
        if known.is_none() && side.pid == 0 {
            out.metadata(core, &Event::TaskIsIdleTask { task_id, core_id: core });
        }
        let before = known.and_then(|(_, priority)| *priority);
        match (before, priority) {
            (before, Some(priority)) if before != Some(priority) => {
                out.timed(core, ts, &Event::TaskPrioritySet { task_id, priority });
            }
            _ => {}
        }
        if known.is_none_or(|known| {
            *known.0 != *side.comm || (priority.is_some() && known.1 != priority)
        }) && (self.tasks.len() < MAX_KEPT || known.is_some())
        {
            self.tasks.insert(task_id, (side.comm.into(), priority.or(before)));
        }
        task_id
    }

    fn switch(&mut self, line: &Line<'_>, core: u32, out: &mut Output) -> Option<()> {
        let (prev, state, next) = switch(line)?;
        let at = (core, line.time);
        let task_id = self.task(&prev, at, out);
        let running = self.running.get(&core).copied();
        if running.is_some_and(|running| running != task_id) {
            // Of a text that is filtered by process, or has losses.
            self.has_unseen_switches = true;
            out.broken(core, Break::Loss(UNSEEN_SWITCH), 0, 0);
        }
        if running != Some(task_id) {
            out.timed(core, line.time, &Event::RunningTask { task_id });
        }
        match state_letter(state) {
            Some(b'X' | b'Z') => out.timed(core, line.time, &Event::TaskDeleted { task_id }),
            // The idle task sleeps only in name.
            Some(b'R') | None => {}
            Some(_) if prev.pid == 0 => {}
            Some(_) => out.timed(core, line.time, &Event::TaskSuspended { task_id }),
        }
        let task_id = self.task(&next, at, out);
        self.running.insert(core, task_id);
        out.timed(core, line.time, &Event::TaskSwitchedIn { task_id });
        Some(())
    }

    fn wake(&mut self, line: &Line<'_>, core: u32, is_new: bool, out: &mut Output) -> Option<()> {
        let side = woken(line)?;
        if is_new {
            let task_id = Self::id(side.pid, core);
            self.tasks.remove(&task_id);
            out.timed(core, line.time, &Event::TaskCreated { task_id });
        }
        let task_id = self.task(&side, (core, line.time), out);
        out.timed(core, line.time, &Event::TaskToRdyState { task_id });
        Some(())
    }

    fn name_isr(&mut self, isr_id: u32, name: &str, core: u32, out: &mut Output) {
        if self.isrs.get(&isr_id).is_none_or(|known| **known != *name) && self.isrs.len() < MAX_KEPT
        {
            out.metadata(core, &Event::IsrName { isr_id, name: Str(name.as_bytes()) });
            self.isrs.insert(isr_id, name.into());
        }
    }

    fn interrupt(&mut self, line: &Line<'_>, core: u32, out: &mut Output) -> Option<()> {
        let isr_id = line.number("irq")?;
        if let Some(name) = line.rest("name") {
            self.name_isr(isr_id, name, core, out);
        }
        out.timed(core, line.time, &Event::IsrEnter { isr_id });
        Some(())
    }

    fn soft_interrupt(&mut self, line: &Line<'_>, core: u32, out: &mut Output) -> Option<()> {
        let isr_id = SOFT + line.number("vec").filter(|vec| *vec < SOFT)?;
        let name = line.word("[action").unwrap_or("?");
        self.name_isr(isr_id, &format!("softirq {name}"), core, out);
        out.timed(core, line.time, &Event::IsrEnter { isr_id });
        Some(())
    }
}

impl Importer for LinuxText {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let end = memchr::memchr(b'\n', bytes);
        let len = match end {
            Some(end) => end + 1,
            None if !at_end && bytes.len() > MAX_LINE => {
                // The last byte is left, so that the end of the text reports it.
                let len = bytes.len() - 1;
                self.is_long_blank &= is_blank(bytes);
                self.long = self.long.saturating_add(len as u64);
                return len;
            }
            None if at_end => bytes.len(),
            None => return 0,
        };
        let total = std::mem::take(&mut self.long).saturating_add(len as u64);
        let line = bytes.get(..len).unwrap_or_default();
        let is_unused = std::mem::replace(&mut self.is_long_blank, true) && is_blank(line);
        if at_end && is_unused {
            out.broken(self.first_core, Break::Unwritten, total - len as u64, total);
            return len;
        }
        if total > MAX_LINE as u64 {
            let why = Break::Damage("a line that is longer than any can be");
            out.broken(self.first_core, why, total - len as u64, total);
            return len;
        }
        if end.is_none() && !line.trim_ascii().is_empty() {
            // The last number of a line that is cut off may be another one.
            out.broken(self.first_core, Break::Cut, 0, len as u64);
            return len;
        }
        if memchr::memchr2(0, 0xFF, line).is_some() {
            let why = Break::Damage("a line with bytes that no text has");
            out.broken(self.first_core, why, 0, len as u64);
            return len;
        }
        let rest = bytes.get(len..).unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        let needs_more = !at_end && rest.len() < FOLLOWING;
        let parsed = Line::read(line);
        let is_back = parsed.is_some_and(|line| self.is_back(&line));
        if is_back && needs_more {
            return 0;
        }
        if is_back && self.are_back(rest) {
            self.restart(out);
        }
        self.line(line, parsed, len as u64, out);
        len
    }

    fn about(&self) -> ForeignRecording {
        let mut about = ForeignRecording {
            format: "text of Linux's scheduler events".to_owned(),
            recorder: if self.has_perf { "perf script" } else { "ftrace" }.to_owned(),
            inferred: vec![
                "priorities: 139 less the kernel's, so that higher ones are urgent".to_owned(),
            ],
            not_recorded: vec!["what a task sleeps for: sleeping is shown as suspended".to_owned()],
        };
        if self.has_inferred_cpus {
            let text = "the processors of events, which the text lacks: from the idle tasks, the switches and the wake-ups";
            about.inferred.push(text.to_owned());
        }
        if self.has_unseen_switches {
            let text =
                "switches of tasks that the text leaves out, as when it is filtered by process";
            about.not_recorded.push(text.to_owned());
        }
        about
    }
}
