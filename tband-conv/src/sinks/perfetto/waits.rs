//! What each task waits for and how that ended, as Perfetto's `blocked_function`.
//!
//! It is one text, so it is written once: when the outcome is known, or at the latest before the
//! task's next state that has such a text. Its time is one nanosecond behind the start of the wait
//! all the same: at the same time Perfetto might take it for the reason of the wait before, and the
//! timeline keeps that nanosecond free.

use std::collections::HashMap;
use std::io::Write;

use super::Perfetto;
use crate::timeline::{At, Outcome, Task, TaskRef, Wait, World, describe_bits};

/// A wait whose text is not written yet.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    at: At,
    wait: Wait,
    limit: Option<u32>,
    bits: (u32, bool),
}

/// Why a task does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Suspended,
    Unknown,
    Waits { wait: Wait, outcome: Option<Outcome>, limit: Option<u32>, bits: (u32, bool) },
}

/// Texts beyond this number have no limits and bits, so that memory is bounded.
const MAX_TEXTS: usize = 4096;

/// Interned numbers of the texts.
#[derive(Debug, Default)]
pub struct Reasons {
    symbols: HashMap<Reason, u64>,
    /// The most frequent ones: delays that end as usual.
    delay: [u64; 2],
}

impl Reason {
    fn text(self, world: &World) -> String {
        let (wait, outcome, limit, bits) = match self {
            Self::Suspended => return "suspended".to_owned(),
            Self::Unknown => return "unknown, events are missing".to_owned(),
            Self::Waits { wait, outcome, limit, bits } => (wait, outcome, limit, bits),
        };
        let mut text = world.describe_wait(wait);
        if bits.0 != 0 {
            text = format!("{text}: {}", describe_bits(bits));
        }
        match (outcome, limit) {
            (None, None) => text,
            (Some(outcome), None) => format!("{text} ({})", outcome.name()),
            (None, Some(limit)) => format!("{text} (limit {limit} ticks)"),
            (Some(Outcome::Timeout), Some(limit)) => {
                format!("{text} (timeout after {limit} ticks)")
            }
            (Some(outcome), Some(limit)) => {
                format!("{text} ({}, limit {limit} ticks)", outcome.name())
            }
        }
    }
}

impl<W: Write> Perfetto<W> {
    /// A task waits from now on.
    #[inline]
    pub(super) fn wait_begins(&mut self, at: At, task: TaskRef, entry: &Task, wait: Wait) {
        let bits = match wait {
            Wait::Bits(_) | Wait::Rendezvous(_) => entry.awaited_bits(),
            _ => (0, false),
        };
        let limit = entry.limit();
        if let Some(tracks) = self.tasks.get_mut(task.index()) {
            tracks.wait = Some(Pending { at, wait, limit, bits });
        }
    }

    /// The last wait of a task has ended, or nothing more will be known of it.
    #[inline]
    pub(super) fn wait_ends(&mut self, world: &World, task: TaskRef, outcome: Option<Outcome>) {
        let pending = self.tasks.get_mut(task.index()).and_then(|tracks| tracks.wait.take());
        if let Some(Pending { at, wait, limit, bits }) = pending {
            self.reason(world, at, task, Reason::Waits { wait, outcome, limit, bits });
        }
    }

    /// Why a task does not run from this time on.
    pub(super) fn reason(&mut self, world: &World, at: At, task: TaskRef, reason: Reason) {
        let symbol = self.symbol(world, reason);
        let tid = self.task(world, task).tid;
        let ns = at.ns.saturating_add(1);
        if let Some(bundle) = self.bundle(at.core) {
            bundle.blocked(at.core, ns, tid.into(), symbol);
        }
    }

    #[inline]
    fn symbol(&mut self, world: &World, reason: Reason) -> u64 {
        let delay = match reason {
            Reason::Waits { wait: Wait::Delay, outcome: None, .. } => self.reasons.delay.first(),
            Reason::Waits { wait: Wait::DelayUntil, outcome: None, .. } => {
                self.reasons.delay.last()
            }
            _ => None,
        };
        match delay {
            Some(symbol) if *symbol != 0 => *symbol,
            _ => self.other_symbol(world, reason),
        }
    }

    #[inline(never)]
    fn other_symbol(&mut self, world: &World, mut reason: Reason) -> u64 {
        if let Some(symbol) = self.reasons.symbols.get(&reason) {
            return *symbol;
        }
        if self.reasons.symbols.len() >= MAX_TEXTS
            && let Reason::Waits { wait, outcome, limit: Some(_), .. }
            | Reason::Waits { wait, outcome, bits: (1.., _), .. } = reason
        {
            reason = Reason::Waits { wait, outcome, limit: None, bits: (0, false) };
            if let Some(symbol) = self.reasons.symbols.get(&reason) {
                return *symbol;
            }
        }
        let symbol = self.packets.symbol(&reason.text(world));
        self.reasons.symbols.insert(reason, symbol);
        let [delay, delay_until] = &mut self.reasons.delay;
        match reason {
            Reason::Waits { wait: Wait::Delay, outcome: None, .. } => *delay = symbol,
            Reason::Waits { wait: Wait::DelayUntil, outcome: None, .. } => *delay_until = symbol,
            _ => {}
        }
        symbol
    }
}
