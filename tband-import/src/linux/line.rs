//! One line: whose it is, when, and the event with its fields.

/// A line of ftrace, trace-cmd report or perf script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub cpu: u32,
    /// In ns.
    pub time: u64,
    /// Without the name of its system.
    pub event: &'a str,
    pub fields: &'a str,
}

impl<'a> Line<'a> {
    /// `comm-pid (tgid) [cpu] flags time: event: fields`; everything before the CPU, and the flags, may be missing.
    pub fn read(line: &'a str) -> Option<Self> {
        let (cpu, rest) = cpu(line)?;
        // Flags come between the two.
        let (seconds, rest) = rest.match_indices(": ").find_map(|(at, _)| {
            let before = rest.get(..at)?;
            let time = before.rsplit(' ').next()?;
            Some((nanoseconds(time)?, rest.get(at + 2..)?))
        })?;
        let rest = rest.trim_start();
        let (event, fields) =
            rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
        let event = event.rsplit(':').next().unwrap_or(event);
        Some(Self { cpu, time: seconds, event, fields: fields.trim() })
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

    fn after(&self, key: &str) -> Option<(&'a str, &'a str)> {
        let at = self.fields.match_indices(key).find_map(|(at, _)| {
            let is_start = at == 0 || self.fields.as_bytes().get(at - 1) == Some(&b' ');
            let end = at + key.len();
            (is_start && self.fields.as_bytes().get(end) == Some(&b'=')).then_some(end)
        })?;
        Some((self.fields.get(..at)?, self.fields.get(at + 1..)?))
    }
}

/// The processor in brackets, and the text after it.
fn cpu(line: &str) -> Option<(u32, &str)> {
    line.match_indices('[').find_map(|(at, _)| {
        let (inside, rest) = line.get(at + 1..)?.split_once(']')?;
        let is_number = !inside.is_empty() && inside.bytes().all(|it| it.is_ascii_digit());
        if is_number { Some((inside.parse().ok()?, rest)) } else { None }
    })
}

/// Seconds with six or nine decimals, in ns.
fn nanoseconds(text: &str) -> Option<u64> {
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
    // Older kernels, and trace-cmd: comm:pid [prio] state ==> comm:pid [prio].
    let (prev, next) = line.fields.split_once(" ==> ")?;
    let (prev, state) = prev.rsplit_once(' ')?;
    Some((side(prev)?, state, side(next)?))
}

/// The task that is woken.
pub fn woken<'a>(line: &Line<'a>) -> Option<SwitchSide<'a>> {
    match line.number("pid") {
        Some(pid) => {
            Some(SwitchSide { comm: line.text("comm", "pid")?, pid, priority: line.number("prio") })
        }
        None => side(line.fields),
    }
}

/// `comm:pid [prio]`, and perhaps more.
fn side(text: &str) -> Option<SwitchSide<'_>> {
    let (before, after) = text.split_once(" [")?;
    let (comm, pid) = before.trim_start().rsplit_once(':')?;
    let priority = after.split(']').next().and_then(|it| it.parse().ok());
    Some(SwitchSide { comm, pid: pid.parse().ok()?, priority })
}
