//! Corrects the times of a lane. Within a core time does not go back, so a timestamp that does is damage, a restart of the
//! target, or a file of another core. A single stray timestamp far ahead takes the time of the event before it; otherwise the
//! one that steps back takes the time reached, unless the clock stays there; see `set_back.rs`.

use tband_format::decode::Decoded;
use tband_import::counted::counted;

use super::lane::{Joint, Lane, RecordItem, STRAY_MIN, STRAY_RATIO, Start};
use crate::diagnostics::Problem;

impl Lane {
    /// A stream starts, where its input has reached this time: later events may come from a target that was restarted.
    pub fn stream_start(&mut self, reached: u64) {
        self.settle();
        self.stream = Some(reached);
        self.passes_below = 0;
    }

    /// Another file of the input begins.
    pub fn file_start(&mut self, joint: &Joint) {
        self.settle();
        self.start = Start::Now(joint.clone());
    }

    /// Another core of the input reports a restart of the target: the clock is the same here.
    #[cold]
    pub fn follow_restart(&mut self, shift: u64) {
        self.shift = shift.saturating_add(self.set_back.wrapped);
        (self.stream, self.settles) = (None, true);
        self.release();
    }

    /// The target was reset, and this core's timestamps count from the reset on: `shift` is added to them.
    #[cold]
    pub fn restart(&mut self, shift: u64) {
        self.settle();
        self.shift = shift;
        (self.set_back.wrapped, self.set_back.top) = (0, None);
        (self.stream, self.settles, self.start) = (None, true, Start::Well);
        self.passes_below = 0;
    }

    /// The timestamp of the last event, as it was recorded, where a stream starts with `first`. A damaged timestamp does not
    /// count: the event is 64 times as far from the one before it as that one is from the reset, and the stream continues
    /// after that one.
    pub fn top(&self, first: u64) -> u64 {
        let before = self.before_last.map(|before| before.saturating_sub(self.shift));
        let last = self.last.saturating_sub(self.shift);
        before.filter(|before| self.is_stray() && first >= *before).unwrap_or(last)
    }

    /// The last event is still in the queue, and its time cannot be true.
    fn is_stray(&self) -> bool {
        let Some(before) = self.before_last.filter(|_| self.timed > 0) else { return false };
        let (ahead, runs) = (self.last.saturating_sub(before), before.saturating_sub(self.shift));
        ahead >= STRAY_MIN && ahead / STRAY_RATIO >= runs
    }

    /// Queues a restart of the target, which its first event with this timestamp shows, before the stream's earlier reports.
    #[cold]
    pub fn push_restart(&mut self, (top, raw): (u64, u64), reached: u64, offset: u64) {
        let text = restart_text(raw, top.saturating_sub(raw));
        let what = RecordItem::Finding(Problem::Restart, text.as_bytes());
        self.insert(self.last.max(self.until).max(reached), offset, &what);
    }

    /// Queues the report of a packet or frame that a reset has cut off, before the records after it.
    #[cold]
    pub fn push_cut(&mut self, offset: u64, text: &str) {
        let what = RecordItem::Finding(Problem::CutByRestart, text.as_bytes());
        self.insert(self.last.max(self.until), offset, &what);
    }

    /// Begins where the target was restarted, which other cores of the input have reported.
    #[cold]
    pub fn begin_at(&mut self, shift: u64) {
        (self.shift, self.last) = (shift, shift);
    }

    /// Queues the start of a new stream, reported at a time that its input had reached, if this core had; it comes before
    /// anything that the stream has reported already.
    #[cold]
    pub fn push_start(&mut self, reached: u64, offset: u64) {
        let text = "recording was stopped and is started again: the time in between is not known";
        let what = RecordItem::Finding(Problem::StreamStart, text.as_bytes());
        self.insert(self.last.max(self.until).max(reached), offset, &what);
    }

    /// Queues an event with its raw timestamp.
    #[inline]
    pub fn push_timed(&mut self, raw: u64, offset: u64, decoded: &Decoded<'_>) {
        let mut ticks =
            raw.checked_add(self.shift).unwrap_or_else(|| self.beyond_range(raw, offset));
        if ticks < self.last {
            let put_right = if self.settles {
                Some(self.last)
            } else {
                self.step_back(raw, ticks, (offset, decoded))
            };
            let Some(time) = put_right else { return };
            ticks = time;
        } else {
            self.settle();
            (self.settles, self.start) = (false, Start::Well);
            if self.pushed > 0
                && let Some(text) = self.false_wraps.step(self.last, ticks)
            {
                self.push_finding(Problem::FalseWraps, offset, text);
            }
        }
        self.accept(ticks, offset, decoded);
    }

    /// Queues an event at a time that is put right.
    #[inline]
    pub(super) fn accept(&mut self, ticks: u64, offset: u64, decoded: &Decoded<'_>) {
        self.before_last = (self.pushed > 0).then_some(self.last.max(self.until));
        let ticks = ticks.max(self.until);
        self.may_be_stray = self.pushed == 0 || ticks.saturating_sub(self.last) >= STRAY_MIN;
        self.pushed = self.pushed.saturating_add(1);
        self.last = ticks;
        self.stream = None;
        self.timed += 1;
        self.push_record(ticks, offset, &RecordItem::Event(*decoded));
    }

    /// The target was restarted when its timer had hardly any room left.
    #[cold]
    fn beyond_range(&mut self, raw: u64, offset: u64) -> u64 {
        let text = format!(
            "timestamp {raw}, {} after a restart, is beyond 2^64",
            counted(self.shift, "tick")
        );
        self.push_finding(Problem::TimeOutOfRange, offset, &text);
        u64::MAX
    }

    /// Decides which of the two timestamps is wrong and returns the time to use for the new one; `None` if later events have to
    /// decide, and the event is held until then.
    #[cold]
    fn step_back(
        &mut self,
        raw: u64,
        ticks: u64,
        (offset, decoded): (u64, &Decoded<'_>),
    ) -> Option<u64> {
        if self.continue_held(raw) {
            self.hold(Some(raw), offset, &RecordItem::Event(*decoded));
            return None;
        }
        let back = self.last - ticks;
        // Time on a core does not go back within one run of the target. So at a start of the recording a step back of any
        // size is a reset, unless the last timestamp cannot be true.
        if let Some(reached) = self.stream
            && (!self.is_stray() || self.before_last.is_some_and(|before| ticks < before))
        {
            self.last = self.last.max(reached).max(self.until);
            self.shift = self.shift.saturating_add(self.last - ticks);
            self.push_finding(Problem::Restart, offset, &restart_text(raw, back));
            return Some(self.last);
        }
        let before = self.before_last.unwrap_or(ticks);
        let forward = ticks.checked_sub(before);
        let stray = forward.filter(|forward| {
            back >= STRAY_MIN && back / STRAY_RATIO >= *forward && self.timed > 0
        });
        if stray.is_some() {
            let time = before;
            // Whatever follows the stray event took its time along.
            let last = self.records.iter().rposition(|record| record.kept.is_timed);
            let mut stray_offset = offset;
            for record in self.records.iter_mut().skip(last.unwrap_or(0)) {
                if record.kept.is_timed {
                    stray_offset = record.offset;
                }
                record.ticks = time;
            }
            let text = format!("timestamp {} is far beyond the next, {raw}", self.last);
            (self.last, self.until) = (time, 0);
            self.push_finding(Problem::TimeJump, stray_offset, &text);
            return Some(ticks);
        }
        // Without a start, only a clock that is back near its beginning indicates a reset. The target's own clock since its
        // last reset counts.
        let is_large = back > self.last.saturating_sub(self.shift) / 2;
        match std::mem::take(&mut self.start) {
            Start::Well => {}
            Start::Now(joint) => {
                self.start = Start::TooEarly(ticks);
                let Joint { before, file } = joint;
                let back = counted(back, "tick");
                let text = format!(
                    "the file begins with timestamp {raw}, {back} before the end of {before}; if \
                     it is of another core, say so as in {file}@1"
                );
                self.push_finding(Problem::FilesOverlap, offset, &text);
                return Some(self.last);
            }
            // This is not a single timestamp: the file continues from there.
            Start::TooEarly(first) => {
                self.shift = self.shift.saturating_add(self.last.saturating_sub(first));
                return Some(self.last.max(raw.saturating_add(self.shift)));
            }
        }
        if is_large || back >= STRAY_MIN {
            self.set_back.is_large = is_large;
            self.hold(Some(raw), offset, &RecordItem::Event(*decoded));
            return None;
        }
        self.emit_step_back(raw, offset);
        Some(self.last)
    }

    /// Reports a timestamp before the time reached.
    pub(super) fn emit_step_back(&mut self, raw: u64, offset: u64) {
        let back = self.last.saturating_sub(raw.saturating_add(self.shift));
        let back = counted(back, "tick");
        let text = format!("timestamp {raw} is {back} before the previous one");
        self.push_finding(Problem::TimeStepBack, offset, &text);
    }
}

/// Returns the message for a recording that starts again with a timestamp earlier than the last one.
fn restart_text(raw: u64, back: u64) -> String {
    if back == 0 {
        return "the recording starts again with a clock that begins again: the target was reset"
            .to_owned();
    }
    let back = counted(back, "tick");
    format!(
        "the recording starts again at timestamp {raw}, {back} before the last one: the target was reset, and \
         times continue from the last one"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::lane::tests::{at, name};

    /// Returns the resulting times of events and other items.
    fn drain(lane: &mut Lane) -> Vec<u64> {
        lane.settle();
        std::iter::from_fn(|| lane.pop().map(|popped| popped.ticks)).collect()
    }

    #[test]
    fn events_between_keep_monotonic_times() {
        let mut lane = Lane::default();
        lane.push_timed(100, 0, &at(100));
        lane.push_reported(Some(150), 1, &name());
        lane.push_timed(1 << 50, 2, &at(1 << 50));
        lane.push_reported(Some((1 << 50) + 5), 3, &name());
        lane.push_timed(200, 4, &at(200));
        lane.push_reported(Some(1 << 60), 5, &name());
        lane.push_timed(300, 6, &at(300));
        lane.push_reported(Some(250), 7, &name());
        // The finding is one of them.
        assert_eq!(drain(&mut lane), [100, 150, 150, 150, 150, 200, 200, 300, 300]);
    }

    #[test]
    fn records_after_a_step_back_wait_with_the_events() {
        let mut lane = Lane::default();
        lane.push_timed((1 << 20) - 10, 0, &at((1 << 20) - 10));
        lane.push_timed(1 << 20, 0, &at(1 << 20));
        lane.push_reported(Some((1 << 20) + 50), 0, &name());
        for step in 0..20 {
            lane.push_timed(1000 + 10 * step, 1, &at(1000 + 10 * step));
            lane.push_reported(Some(1005 + 10 * step), 2, &name());
        }
        let times = drain(&mut lane);
        assert!(times.is_sorted(), "{times:?}");
        let base = (1 << 20) + 50;
        assert_eq!(times[..3], [(1 << 20) - 10, 1 << 20, base]);
        let tail: Vec<u64> = times[times.len() - 40..].iter().map(|time| time - base).collect();
        assert_eq!(tail, (0..40).map(|step| 5 * step).collect::<Vec<u64>>());
    }
}
