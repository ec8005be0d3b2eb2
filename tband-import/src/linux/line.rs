//! One line: whose it is, when, and the event with its fields.

/// A line of ftrace, trace-cmd report or perf script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// None: the line, of perf script, does not have it.
    pub cpu: Option<u32>,
    /// The task that runs, if no processor is named.
    pub pid: Option<u32>,
    /// In ns.
    pub time: u64,
    /// Without the name of its system.
    pub event: &'a str,
    pub fields: &'a str,
}

impl<'a> Line<'a> {
    /// `comm-pid (tgid) [cpu] flags time: event: fields`; everything before the CPU, and the flags, may be missing. In the layout for
    /// latencies it is `comm-pid cpuflags time: event: fields`.
    pub fn read(line: &'a str) -> Option<Self> {
        let (before, time, rest) = time(line)?;
        // The layout for latencies: the processor is in front of the flags.
        let before_flags = || {
            let flags = before.trim_end().rsplit(' ').next()?;
            let digits = flags.bytes().take_while(u8::is_ascii_digit).count();
            let (cpu, flags) = flags.split_at_checked(digits)?;
            number::<u32>(cpu).filter(|_| FLAGS.contains(&flags.len()))
        };
        let cpu = before_flags().or_else(|| cpu_in_brackets(before));
        let rest = rest.trim_start();
        let (event, fields) =
            rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
        // The system, a period, or the time since the line before may be in front.
        let name = event.rsplit([':', ' ']).next().unwrap_or(event);
        // Only perf names the system.
        let is_of_perf = event.strip_suffix(name).is_some_and(|it| it.ends_with(':'));
        if cpu.is_none() && !is_of_perf {
            return None;
        }
        let pid = before.trim_end().rsplit([' ', '/']).next().and_then(number);
        let pid = pid.filter(|_| cpu.is_none());
        Some(Self { cpu, pid, time, event: name, fields: fields.trim() })
    }

    /// The number after a key.
    pub fn number(&self, key: &str) -> Option<u32> {
        let value = self.word(key)?;
        value.parse().ok()
    }

    /// The word after a key.
    pub fn word(&self, key: &str) -> Option<&'a str> {
        let (_, value) = self.after(key)?;
        value.split([' ', ']']).next().filter(|word| !word.is_empty())
    }

    /// The text after a key, up to another key: it may have blanks.
    pub fn text(&self, key: &str, next: &str) -> Option<&'a str> {
        let (_, value) = self.after(key)?;
        let end = value.find(&format!(" {next}="))?;
        value.get(..end)
    }

    /// The text after a key, up to the end of the line.
    pub fn rest(&self, key: &str) -> Option<&'a str> {
        self.after(key).map(|(_, value)| value).filter(|text| !text.is_empty())
    }

    fn after(&self, key: &str) -> Option<(&'a str, &'a str)> {
        let at = self.fields.match_indices(key).find_map(|(at, _)| {
            let is_start = at == 0 || self.fields.as_bytes().get(at - 1) == Some(&b' ');
            let end = at + key.len();
            (is_start && self.fields.as_bytes().get(end) == Some(&b'=')).then_some(end)
        })?;
        Some((self.fields.get(..at)?, self.fields.get(at + 1..)?))
    }
}

/// Characters of the flags of a line in the layout for latencies; a character that is not known to this version may follow.
const FLAGS: std::ops::RangeInclusive<usize> = 4..=7;

fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The processor in front of a time; a name may have brackets, too.
fn cpu_in_brackets(before: &str) -> Option<u32> {
    before.rmatch_indices('[').find_map(|(at, _)| {
        let (cpu, _) = before.get(at + 1..)?.split_once(']')?;
        // All tools write three digits or more.
        number::<u32>(cpu).filter(|_| cpu.len() >= 3)
    })
}

/// A line about lost events: their processor, and how many there were, if the line has the number. The kernel writes
/// `CPU:0 [LOST 123 EVENTS]`, trace-cmd `CPU:0 [123 EVENTS DROPPED]`, perf `comm 12 [000] 1.5: PERF_RECORD_LOST lost 123`.
pub fn losses(line: &str) -> Option<(u32, Option<u32>)> {
    if let Some((before, lost)) = line.split_once("PERF_RECORD_LOST lost ") {
        return Some((cpu_in_brackets(before).unwrap_or(0), number(lost.trim())));
    }
    let (cpu, rest) = line.trim().strip_prefix("CPU:")?.split_once(" [")?;
    let what = rest.strip_suffix(']')?;
    let count = |text: &str| number(text.trim());
    let lost = match what {
        "LOST EVENTS" | "EVENTS DROPPED" => None,
        _ => {
            let of_kernel =
                what.strip_prefix("LOST ").and_then(|rest| rest.strip_suffix(" EVENTS"));
            Some(count(of_kernel.or_else(|| what.strip_suffix(" EVENTS DROPPED"))?)?)
        }
    };
    Some((number(cpu.trim())?, lost))
}

/// The first time in a text: the text before it, the time, and the text after it.
fn time(text: &str) -> Option<(&str, u64, &str)> {
    text.match_indices(": ").find_map(|(at, _)| {
        let front = text.get(..at)?.trim_end_matches(' ');
        let start = front.rfind(' ').map_or(0, |at| at + 1);
        let time = nanoseconds(front.get(start..)?)?;
        Some((front.get(..start)?, time, text.get(at + 2..)?))
    })
}

/// Seconds with six or nine decimals, in ns; in the layout for latencies microseconds, with a mark for long ones.
fn nanoseconds(text: &str) -> Option<u64> {
    let marks = ['+', '!', '#', '*', '@', '$'];
    if let Some(time) = text.trim_end_matches(marks).strip_suffix("us") {
        return number::<u64>(time)?.checked_mul(1000);
    }
    let (seconds, decimals) = text.split_once('.')?;
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(seconds) || !is_digits(decimals) || decimals.len() > 9 {
        return None;
    }
    let scale = 10_u64.pow(9 - u32::try_from(decimals.len()).ok()?);
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(decimals.parse::<u64>().ok()? * scale)
}

/// A task in a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchSide<'a> {
    pub comm: &'a str,
    pub pid: u32,
    pub priority: Option<u32>,
}

/// The task that leaves, its state, and the one that comes.
pub fn switch<'a>(line: &Line<'a>) -> Option<(SwitchSide<'a>, &'a str, SwitchSide<'a>)> {
    if let (Some(pid), Some(next)) = (line.number("prev_pid"), line.number("next_pid")) {
        let prev = SwitchSide { comm: line.text("prev_comm", "prev_pid")?, pid, priority: None };
        let comm = line.text("next_comm", "next_pid")?;
        let next = SwitchSide { comm, pid: next, priority: line.number("next_prio") };
        return Some((prev, line.word("prev_state")?, next));
    }
    // Older kernels, and trace-cmd: comm:pid [prio] state ==> comm:pid [prio]. The oldest have a word in front, and brackets. A name
    // may have an arrow, too.
    line.fields.match_indices(" ==> ").find_map(|(at, arrow)| {
        let (prev, state) = line.fields.get(..at)?.rsplit_once(' ')?;
        let next = line.fields.get(at + arrow.len()..)?;
        let inside = state.strip_prefix('(').and_then(|state| state.strip_suffix(')'));
        let prev = if inside.is_some() { without_word(prev) } else { prev };
        Some((side(prev)?, inside.unwrap_or(state), side(next)?))
    })
}

/// The letter of a state; trace-cmd writes its bits if it does not format events.
pub fn state_letter(state: &str) -> Option<u8> {
    let first = *state.as_bytes().first()?;
    if !first.is_ascii_digit() {
        return Some(first);
    }
    let bits = match state.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => state.parse(),
    };
    Some(match bits.ok()? & 0xFF {
        0 => b'R',
        bits if bits & 0x30 != 0 => b'X',
        _ => b'S',
    })
}

/// The task that is woken.
pub fn woken<'a>(line: &Line<'a>) -> Option<SwitchSide<'a>> {
    match line.number("pid") {
        Some(pid) => {
            Some(SwitchSide { comm: line.text("comm", "pid")?, pid, priority: line.number("prio") })
        }
        None if line.fields.contains(" success=") => side(without_word(line.fields)),
        None => side(line.fields),
    }
}

/// The fields without the word in front that the oldest kernels write.
fn without_word(fields: &str) -> &str {
    fields.strip_prefix("task ").unwrap_or(fields)
}

/// `comm:pid [prio]`, and perhaps more. A name may have brackets, too.
fn side(text: &str) -> Option<SwitchSide<'_>> {
    text.rmatch_indices(" [").find_map(|(at, _)| {
        let (comm, pid) = text.get(..at)?.trim_start().rsplit_once(':')?;
        let priority = text.get(at + 2..)?.split(']').next().and_then(|it| it.parse().ok());
        Some(SwitchSide { comm, pid: number(pid)?, priority })
    })
}
