//! A crash: the end of a run of the firmware, with the registers that were recorded.

mod fault_cause;

use std::fmt;

use tband_format::named::{CrashKind, FaultFact};
use tband_import::counted::counted;

use self::fault_cause::causes;

/// Numbers of exceptions of ARM cores, with their names in vendors' headers.
const EXCEPTIONS: [(u32, &str); 6] = [
    (2, "NMI"),
    (3, "HardFault"),
    (4, "MemManage fault"),
    (5, "BusFault"),
    (6, "UsageFault"),
    (7, "SecureFault"),
];

/// The facts of a crash from its registers, and from a program with the firmware's symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crash {
    /// When, in nanoseconds on the target's clock.
    pub ns: i64,
    /// On which core.
    pub core: u32,
    /// The kind of crash.
    pub kind: CrashKind,
    /// The file of a failed assertion, the task whose stack has overflowed, or why; may be empty.
    pub text: String,
    /// Recorded values, in the order of the recording.
    pub values: Vec<(FaultFact, u32)>,
    /// The task that ran, if one is known to.
    pub task: Option<String>,
    /// The functions, with file and line, innermost first: from a caller with the firmware's symbols, otherwise empty.
    /// Uncertain ones begin with `perhaps`.
    pub places: Vec<String>,
    /// Note on missing entries of `places`, with the reason: more callers, for example.
    pub unknown: Option<String>,
}

impl Crash {
    pub(crate) fn new((ns, core): (i64, u32), kind: CrashKind, text: String) -> Self {
        Self {
            ns,
            core,
            kind,
            text,
            values: Vec::new(),
            task: None,
            places: Vec::new(),
            unknown: None,
        }
    }

    /// Sets the known source lines of the crash. They have the form in which recordings contain them; the last one may be a
    /// note on missing entries, after a question mark.
    pub fn set_places(&mut self, lines: &[String]) {
        let unknown = lines.last().and_then(|line| line.strip_prefix('?'));
        self.unknown = unknown.map(str::to_owned);
        let count = lines.len() - usize::from(unknown.is_some());
        self.places = lines.iter().take(count).cloned().collect();
    }

    /// A register, or another fact, if it was recorded.
    #[must_use]
    pub fn value(&self, kind: FaultFact) -> Option<u32> {
        self.values.iter().find(|(it, _)| *it == kind).map(|(_, value)| *value)
    }

    /// Where the program was: its address, if it was recorded.
    #[must_use]
    pub fn pc(&self) -> Option<u32> {
        self.value(FaultFact::PC)
    }

    /// The stack pointer, before the crash put anything on the stack.
    #[must_use]
    pub fn sp(&self) -> Option<u32> {
        self.value(FaultFact::SP)
    }

    /// Where the function returns to, if it has not used the register since.
    #[must_use]
    pub fn return_address(&self) -> Option<u32> {
        self.value(FaultFact::LR).or_else(|| self.value(FaultFact::X1))
    }

    /// Bytes of the task's stack that are left, below zero beyond its end, and its size, where it is known. `None` in an
    /// interrupt, and in general where the stack pointer is not in the task's stack or near it.
    #[must_use]
    pub fn stack_left(&self) -> Option<(i64, Option<u32>)> {
        let begin = self.value(FaultFact::STACK_BEGIN)?;
        let end = self.value(FaultFact::STACK_END);
        let size = end.and_then(|end| end.checked_sub(begin));
        let left = i64::from(self.sp()?) - i64::from(begin);
        let most = size.map_or(1 << 20, i64::from);
        (-4096..=most).contains(&left).then_some((left, size))
    }

    /// Returns its title: the exception, or its kind.
    #[must_use]
    pub fn title(&self) -> String {
        let number = self.value(FaultFact::EXCEPTION);
        match self.kind {
            CrashKind::EXCEPTION if self.value(FaultFact::MCAUSE).is_some() => "trap".into(),
            CrashKind::EXCEPTION => {
                let known = EXCEPTIONS.iter().find(|(it, _)| Some(*it) == number);
                match (known, number) {
                    (Some((_, name)), _) => (*name).into(),
                    (None, Some(number)) => format!("exception {number}"),
                    (None, None) => "exception".into(),
                }
            }
            kind => kind.name().map_or_else(|| format!("crash of kind {}", kind.0), Into::into),
        }
    }

    /// Returns the meaning of its status registers; empty if they show no cause.
    #[must_use]
    pub fn causes(&self) -> Vec<String> {
        if self.kind == CrashKind::EXCEPTION { causes(&self.values) } else { Vec::new() }
    }
}

/// In a line: `HardFault: bus error at 0x60000000 at pc 0x00000240 in filter_step (filter.c:87), task sensor, stack 12 of 512 bytes left`.
impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())?;
        let mut text = self.text.clone();
        if let Some(line) = self.value(FaultFact::LINE) {
            let file = if text.is_empty() { "line " } else { ":" };
            text = format!("{text}{file}{line}");
        }
        let causes = self.causes();
        let parts = causes.iter().cloned().chain(Some(text).filter(|it| !it.is_empty()));
        for (number, parts) in parts.enumerate() {
            write!(f, "{}{parts}", if number == 0 { ": " } else { ", " })?;
        }
        if let Some(pc) = self.pc() {
            write!(f, " at pc {pc:#010x}")?;
        }
        if let Some(place) = self.places.first() {
            write!(f, " in {place}")?;
        }
        if let Some(task) = &self.task {
            write!(f, ", task {task}")?;
        }
        match self.stack_left() {
            Some((left, _)) if left < 0 => {
                write!(f, ", stack overflown by {}", counted(left.unsigned_abs(), "byte"))
            }
            // Now; it had none left before.
            Some((_, Some(size))) if self.kind == CrashKind::STACK_OVERFLOW => {
                write!(f, ", stack of {size} bytes")
            }
            Some((left, Some(size))) => write!(f, ", stack {left} of {size} bytes left"),
            Some(_) if self.kind == CrashKind::STACK_OVERFLOW => Ok(()),
            Some((left, None)) => write!(f, ", stack {left} bytes left"),
            None => Ok(()),
        }
    }
}
