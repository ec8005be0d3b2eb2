//! A clock that steps back and stays there: the target was restarted and the start of its stream did not arrive, or its timer
//! has wrapped. Items after the step are held until there are enough of them to tell that from a few damaged timestamps; then
//! time continues from where it was.

use tband_format::decode::Decoded;
use tband_import::counted::counted;

use super::lane::{HELD, Lane, RecordItem};
use super::record::StoredItem;
use super::waiting::DeferredItem;
use crate::clock::wrap::wrap_range;
use crate::diagnostics::Problem;

/// This many events, each not earlier than the one before it, are not a coincidence.
const STAYS: usize = 16;
/// The same if the clock is not set back to its start, but by less.
const STAYS_FURTHER: usize = 64;
/// Steps that begin within this part of each other are those of one timer that wraps.
const SAME_PART: u64 = 16;

/// The kind of a step back.
enum Step {
    Restart,
    /// The timer counts up to this.
    Wrap(u64),
    /// It is not known.
    Other,
}

impl Lane {
    /// Whether events are held since the clock was set back.
    #[inline]
    pub fn is_set_back(&self) -> bool {
        !self.set_back.waiting.is_empty()
    }

    /// Whether an event with this timestamp continues the held ones. If not, those were damaged.
    pub(super) fn continue_held(&mut self, raw: u64) -> bool {
        let stays = self.is_set_back() && raw >= self.set_back.last;
        if !stays {
            self.settle();
        }
        stays
    }

    /// Holds an item after a step back, with its timestamp or that of the event that it was recorded with, if there is one.
    #[cold]
    pub(super) fn hold(&mut self, raw: Option<u64>, offset: u64, what: &RecordItem<'_>) {
        let it = &mut self.set_back;
        let (kept, text) = StoredItem::of(what);
        let is_timed = kept.is_timed;
        it.memory = it.memory.saturating_add(size_of::<DeferredItem>()).saturating_add(text.len());
        it.waiting.push(DeferredItem { raw, offset, kept, text: text.into() });
        self.passes_below = 0;
        if let (true, Some(raw)) = (is_timed, raw) {
            if it.timed == 0 {
                it.first = raw;
            }
            it.last = raw;
            it.timed = it.timed.saturating_add(1);
        }
        let enough = if it.is_large { STAYS } else { STAYS_FURTHER };
        if it.timed >= enough {
            self.confirm();
        } else if it.memory > HELD {
            self.settle();
        }
    }

    /// The input has reached this time where the clock was set back.
    pub fn is_set_back_at(&mut self, reached: u64) {
        self.set_back.reached = reached;
    }

    fn take_waiting(&mut self) -> Vec<DeferredItem> {
        (self.set_back.timed, self.set_back.memory) = (0, 0);
        std::mem::take(&mut self.set_back.waiting)
    }

    /// Nothing more shows whether the clock stays set back: a few timestamps were damaged.
    #[inline]
    pub fn settle(&mut self) {
        if self.is_set_back() {
            self.settle_waiting();
        }
    }

    #[cold]
    fn settle_waiting(&mut self) {
        for DeferredItem { raw, offset, kept, text } in self.take_waiting() {
            match (kept.with_text(&text), raw) {
                (RecordItem::Event(event @ Decoded { ts: Some(_), .. }), Some(raw)) => {
                    self.emit_step_back(raw, offset);
                    self.accept(self.last, offset, &event);
                }
                (what, raw) => self.push_reported(raw, offset, &what),
            }
        }
    }

    /// Queues the held items, now that the offset of timestamps is known.
    pub(super) fn release(&mut self) {
        for DeferredItem { raw, offset, kept, text } in self.take_waiting() {
            match (kept.with_text(&text), raw) {
                (RecordItem::Event(event @ Decoded { ts: Some(_), .. }), Some(raw)) => {
                    self.push_timed(raw, offset, &event);
                }
                (what, raw) => self.push_reported(raw, offset, &what),
            }
        }
    }

    /// The clock stays set back: time continues from where it was.
    fn confirm(&mut self) {
        let (raw, top) = (self.set_back.first, self.last.saturating_sub(self.shift));
        let offset = self.set_back.waiting.first().map_or(0, |first| first.offset);
        let back = top.saturating_sub(raw);
        let step = self.step_of(raw, top);
        self.set_back.top = Some(top);
        let since = match step {
            Step::Wrap(range) => {
                self.set_back.wrapped = self.set_back.wrapped.saturating_add(range);
                self.shift = self.shift.saturating_add(range);
                format!("its timer wraps at {range}")
            }
            Step::Restart | Step::Other => {
                self.last = self.last.max(self.until).max(self.set_back.reached);
                self.shift = self.last.saturating_sub(raw);
                "times continue from there".to_owned()
            }
        };
        let waiting = self.take_waiting();
        self.set_back.reached = 0;
        let back = counted(back, "tick");
        let text = format!(
            "timestamp {raw} is {back} before the previous one, and those after it follow it: {since}"
        );
        self.push_finding(Problem::TimeStepBack, offset, &text);
        if let Step::Restart = step {
            let text = format!(
                "the clock is back at timestamp {raw} and stays there: the target was restarted, and how its \
                 stream starts is missing"
            );
            self.push_finding(Problem::Restart, offset, &text);
        }
        self.set_back.waiting = waiting;
        self.release();
    }

    /// Returns the kind of step from `top` back to `raw`.
    fn step_of(&self, raw: u64, top: u64) -> Step {
        if let Some(range) = wrap_range(top, raw) {
            return Step::Wrap(range);
        }
        let is_same = |before: u64| before.abs_diff(top) <= top / SAME_PART;
        if self.set_back.is_large && !self.set_back.top.is_some_and(is_same) {
            Step::Restart
        } else {
            Step::Other
        }
    }
}
