//! Timestamps of 32 bits, as ticks since the start of the recording's clock.

use super::header::{Counter, Header};

/// By how much events of several cores may come late, in ticks. A counter that seems to go back by more has wrapped.
const LATE: u32 = 1 << 24;

/// The clock of a recording.
#[derive(Clone, Debug)]
pub struct Clock {
    counter: Counter,
    /// Events of several cores may come late.
    is_multi: bool,
    period: u32,
    /// Ticks of the kernel, for clocks that consist of these.
    ticks: u64,
    /// The last timestamp as it is recorded, and its time.
    last: Option<(u32, u64)>,
    /// Added to each time: what passed before the target was reset.
    base: u64,
    /// No event is later.
    end: u64,
}

impl Clock {
    pub fn new(header: &Header) -> Self {
        Self {
            counter: header.counter,
            is_multi: header.cores > 1,
            period: header.period,
            ticks: header.tick_count.into(),
            last: None,
            base: 0,
            end: u64::MAX,
        }
    }

    /// The time of the last event.
    pub fn now(&self) -> u64 {
        self.last.map_or(self.base, |(_, now)| now)
    }

    /// The target counts from 0 again: its time continues here.
    pub fn restart(&mut self, header: &Header, now: u64) {
        self.base = now;
        (self.last, self.end) = (None, u64::MAX);
        (self.counter, self.period) = (header.counter, header.period);
        self.ticks = header.tick_count.into();
    }

    /// The first event has this timestamp, and the last one that of the header: it is known how often the counter wrapped.
    pub fn start(&mut self, header: &Header, first: u32) {
        if matches!(self.counter, Counter::TickUp | Counter::TickDown) {
            // The header's count is that of the end.
            let age = (header.tick_count as u8).wrapping_sub((first >> 24) as u8);
            self.ticks = self.ticks.saturating_sub(age.into());
            return;
        }
        let (first, latest) = (self.rising(first), self.rising(header.latest));
        let turns = u64::from(header.wraparounds) << 32;
        let mut end = self.base.saturating_add(turns).saturating_add(latest.into());
        let mut now = end.saturating_sub(latest.wrapping_sub(first).into());
        if let Some((_, before)) = self.last
            && before > now
        {
            // A dump of the same run with events of an earlier one follows that.
            let overlap = before - now;
            (now, end) = (before, end.saturating_add(overlap));
            self.base = self.base.saturating_add(overlap);
        }
        self.last = Some((first, now));
        self.end = end.saturating_add(LATE.into());
    }

    const fn rising(&self, raw: u32) -> u32 {
        self.counter.rising(raw, self.period)
    }

    /// The time of an event. `next` is the timestamp of the event after it, if both are of one core: a timestamp that is later is
    /// damaged. Returns `None` then. `goes_back`: its number is before that of the last event.
    pub fn at(&mut self, raw: u32, next: Option<u32>, goes_back: bool) -> Option<u64> {
        if matches!(self.counter, Counter::TickUp | Counter::TickDown) {
            return Some(self.of_ticks(raw));
        }
        let rising = self.rising(raw);
        let Some((last, now)) = self.last else {
            // It may be the damaged one.
            if let Some(next) = next {
                let to_next = self.rising(next).wrapping_sub(rising);
                if to_next > u32::MAX - LATE {
                    return None;
                }
            }
            let now = self.base.saturating_add(rising.into());
            self.last = Some((rising, now));
            return Some(now);
        };
        let passed = rising.wrapping_sub(last);
        let next = next.map(|next| self.rising(next).wrapping_sub(last));
        if next.is_some_and(|next| next < passed) {
            return None;
        }
        // Where the next event follows, time has passed: the counter has nearly wrapped.
        let is_late = passed > u32::MAX - LATE && (self.is_multi || next.is_none());
        let is_beyond = now.saturating_add(passed.into()) > self.end;
        if is_beyond && passed <= u32::MAX / 2 {
            return None;
        }
        if is_late || (passed > u32::MAX / 2 && (goes_back || is_beyond)) {
            // Of another core, which was late, or of a damaged ring, whose parts are in the wrong order.
            let before = now.saturating_sub(passed.wrapping_neg().into());
            if goes_back && !self.is_multi && !is_beyond {
                // What follows is later than this event, not than the last one.
                self.last = Some((rising, before));
            }
            return Some(before);
        }
        let now = now.saturating_add(passed.into());
        self.last = Some((rising, now));
        Some(now)
    }

    fn of_ticks(&mut self, raw: u32) -> u64 {
        let rising = self.rising(raw);
        let (low, in_tick) = ((raw >> 24) as u8, rising & 0x00FF_FFFF);
        let passed = low.wrapping_sub((self.ticks & 0xFF) as u8);
        // A timestamp of another core may be of the tick before.
        let is_late = passed == u8::MAX && self.is_multi;
        self.ticks = if is_late { self.ticks } else { self.ticks.saturating_add(passed.into()) };
        let ticks = if is_late { self.ticks.saturating_sub(1) } else { self.ticks };
        let time = ticks.saturating_mul(self.period.into()).saturating_add(in_tick.into());
        let time = self.base.saturating_add(time);
        // The timer starts again shortly before the kernel counts its tick.
        let now = self.last.map_or(time, |(_, now)| now.max(time));
        self.last = Some((raw, now));
        now
    }

    /// The kernel's tick count is this: it shows ticks that passed without an event.
    pub fn tick(&mut self, count: u32) {
        if !matches!(self.counter, Counter::TickUp | Counter::TickDown) {
            return;
        }
        let missing = count.wrapping_sub((self.ticks & 0xFFFF_FFFF) as u32);
        let turns = missing.saturating_add(0x80) >> 8;
        if missing < 1 << 31 {
            self.ticks = self.ticks.saturating_add(u64::from(turns) << 8);
        }
    }
}
