//! Gives merged events their times: follows the target's clock, and reports its faults.

use std::ops::ControlFlow;

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::clock::{Clock, ClockEffect, MAX_NS};
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::item::packet_loss::PacketLoss;
use crate::merge::{MergedRecord, RecordItem};
use crate::model::{EventTime, TimedEvent};

/// The stage after the clock.
pub(crate) trait Stage {
    /// The next event is earlier than the first one was thought to be.
    fn start_earlier(&mut self, ns: i64) -> Result<(), ConvError> {
        let _ = ns;
        Ok(())
    }

    /// Handles an event. [`ControlFlow::Break`]: neither it nor later events are of interest.
    fn event(&mut self, event: &TimedEvent<'_>) -> Result<ControlFlow<()>, ConvError>;

    /// Handles an event that changes the timeline. It may swap the tasks of two cores.
    fn change(&mut self, event: &TimedEvent<'_>, swaps: bool) -> Result<(), ConvError> {
        let _ = (event, swaps);
        Ok(())
    }

    /// Handles a finding at a time in ticks. [`ControlFlow::Break`]: nothing more needs to be read.
    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> Result<ControlFlow<()>, ConvError>;

    /// As [`finding`](Self::finding): the clock has noticed something.
    fn clock_finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> Result<ControlFlow<()>, ConvError> {
        self.finding(at, ticks, finding)
    }
}

/// The clock at work.
#[derive(Debug)]
pub(crate) struct Timing {
    pub clock: Clock,
    /// Time of the first event, also in ticks; no report has an earlier time.
    pub first_ns: i64,
    first_ticks: u64,
    /// Time of the last event that did not pass by its lane, also in ticks.
    pub last_ns: i64,
    last_ticks: u64,
    out_of_range: bool,
    /// A rounded resolution that does not fit, its place and the message. At the start of a stream the exact resolution that it
    /// is rounded from follows.
    doubt: Option<(u64, Place, String)>,
}

impl Timing {
    /// With the time of the first event, in ticks and in ns.
    pub const fn new(clock: Clock, first_ticks: u64, first_ns: i64) -> Self {
        let (last_ns, last_ticks) = (first_ns, first_ticks);
        let (out_of_range, doubt) = (false, None);
        Self { clock, first_ns, first_ticks, last_ns, last_ticks, out_of_range, doubt }
    }

    /// Hands a record on. [`ControlFlow::Break`]: nothing more has to be read.
    #[inline]
    pub fn record(
        &mut self,
        merged: &MergedRecord<'_>,
        stage: &mut impl Stage,
    ) -> Result<ControlFlow<()>, ConvError> {
        let MergedRecord { input, core, record, swaps } = *merged;
        let place = Place { input, offset: record.offset };
        let mut ns = self.ns(record.ticks, place, stage)?;
        if ns < self.first_ns {
            if record.what.is_timed() {
                self.start_earlier(ns, record.ticks, stage)?;
            }
            ns = self.first_ns;
        }
        let at = EventTime { ns, core };
        let (decoded, is_silent) = match record.what {
            RecordItem::Event(decoded) => (decoded, false),
            RecordItem::Silent(decoded) => (decoded, true),
            RecordItem::Finding(problem, text) => {
                let text = String::from_utf8_lossy(text);
                let finding = Finding { problem, place, amount: 1, text: &text };
                return stage.finding(at, record.ticks.max(self.first_ticks), &finding);
            }
            RecordItem::Missing(missing) => return self.missing(merged, &missing, at, stage),
        };
        let event = TimedEvent { at, ticks: record.ticks, place, decoded };
        if stage.event(&event)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if is_silent {
            return Ok(ControlFlow::Continue(()));
        }
        if let Event::TsFrequency { .. } | Event::TsResolutionNs { .. } = decoded.event
            && self.emit_clock(&event, stage)?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        stage.change(&event, swaps)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Reports an event before the assumed first one, because no pass has read ahead.
    #[cold]
    fn start_earlier(
        &mut self,
        ns: i64,
        ticks: u64,
        stage: &mut impl Stage,
    ) -> Result<(), ConvError> {
        (self.first_ns, self.first_ticks) = (ns, ticks);
        stage.start_earlier(ns)
    }

    /// Packets or events of a core are missing.
    #[cold]
    fn missing(
        &mut self,
        merged: &MergedRecord<'_>,
        missing: &PacketLoss,
        at: EventTime,
        stage: &mut impl Stage,
    ) -> Result<ControlFlow<()>, ConvError> {
        let MergedRecord { input, record, .. } = *merged;
        // Its duration at the current frequency.
        let ns = |ticks| self.clock.clone().ns(ticks);
        let ns = ns(missing.to).zip(ns(missing.from)).map(|(to, from)| to.saturating_sub(from));
        let (problem, amount) = missing.problem();
        let place = Place { input, offset: record.offset };
        let finding = Finding { problem, place, amount, text: &missing.text(ns) };
        stage.finding(at, record.ticks.max(self.first_ticks), &finding)
    }

    /// Applies the recording's clock reports to the clock.
    #[cold]
    fn emit_clock(
        &mut self,
        timed: &TimedEvent<'_>,
        stage: &mut impl Stage,
    ) -> Result<ControlFlow<()>, ConvError> {
        let &TimedEvent { at, ticks, place, decoded: Decoded { ref event, .. } } = timed;
        let Some(reported) = self.clock.follow(ticks, event) else {
            return Ok(ControlFlow::Continue(()));
        };
        // An event without its own time is not reported before the first event.
        let is_timed = timed.decoded.ts.is_some();
        let ticks = if is_timed { ticks } else { ticks.max(self.first_ticks) };
        let what = match *event {
            Event::TsFrequency { numerator, denominator } => {
                format!("{numerator}/{denominator} Hz")
            }
            Event::TsResolutionNs { ns_per_ts: ns } => format!("{ns} ns a tick"),
            _ => String::new(),
        };
        let now = self.clock.frequency();
        if self.doubt.take_if(|(ns, ..)| now.is_rounded_to(*ns)).is_none()
            && self.end_clock_check(at, ticks, stage)?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        let (problem, text) = match reported {
            ClockEffect::Nothing => return Ok(ControlFlow::Continue(())),
            ClockEffect::Changed(before) => (
                Problem::FrequencyChange,
                format!("timestamps count at {now} from here on, at {before} before"),
            ),
            ClockEffect::Contradiction => {
                let text = format!("the recording has {what} here, but timestamps count at {now}");
                if let Event::TsResolutionNs { ns_per_ts: ns @ 1.. } = *event {
                    self.doubt = Some((ns, place, text));
                    return Ok(ControlFlow::Continue(()));
                }
                (Problem::FrequencyConflict, text)
            }
        };
        stage.clock_finding(at, ticks, &Finding { problem, place, amount: 1, text: &text })
    }

    /// The exact frequency for a rounded resolution did not come.
    fn end_clock_check(
        &mut self,
        at: EventTime,
        ticks: u64,
        stage: &mut impl Stage,
    ) -> Result<ControlFlow<()>, ConvError> {
        let Some((_, place, text)) = self.doubt.take() else {
            return Ok(ControlFlow::Continue(()));
        };
        let problem = Problem::FrequencyConflict;
        stage.clock_finding(at, ticks, &Finding { problem, place, amount: 1, text: &text })
    }

    /// Ends: reports an open doubt at the last time.
    pub fn close(&mut self, stage: &mut impl Stage) -> Result<(), ConvError> {
        let at = EventTime { ns: self.last_ns, core: 0 };
        self.end_clock_check(at, self.last_ticks, stage).map(drop)
    }

    /// Time of the last event that did not pass by its lane, in ns and in ticks.
    pub const fn last(&self) -> (i64, u64) {
        (self.last_ns, self.last_ticks)
    }

    /// Events up to this time passed by their lane.
    pub fn passed(&mut self, ticks: u64) {
        self.last_ns = self.clock.ns(ticks).unwrap_or(MAX_NS);
        self.last_ticks = ticks;
    }

    /// Ticks to nanoseconds.
    #[inline]
    pub fn ns(
        &mut self,
        ticks: u64,
        place: Place,
        stage: &mut impl Stage,
    ) -> Result<i64, ConvError> {
        self.last_ns = match self.clock.ns(ticks) {
            Some(ns) => ns,
            None => self.beyond_range(ticks, place, stage)?,
        };
        self.last_ticks = ticks;
        Ok(self.last_ns)
    }

    #[cold]
    fn beyond_range(
        &mut self,
        ticks: u64,
        place: Place,
        stage: &mut impl Stage,
    ) -> Result<i64, ConvError> {
        if !self.out_of_range {
            self.out_of_range = true;
            let text = format!(
                "timestamp {ticks} at {} is beyond 292 years; it and all after it are shown at that limit",
                self.clock.frequency()
            );
            let problem = Problem::TimeOutOfRange;
            let at = EventTime { ns: self.last_ns, core: 0 };
            let finding = Finding { problem, place, amount: 1, text: &text };
            // A stage that has enough refuses the event that follows.
            let _ = stage.clock_finding(at, self.last_ticks, &finding)?;
        }
        Ok(MAX_NS)
    }
}
