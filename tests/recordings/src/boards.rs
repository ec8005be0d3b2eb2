//! Recordings of two boards that run FreeRTOS: the same numbers and names on both, and different clocks. Each sends the other
//! numbers, so that their clocks can be aligned.

use tband_format::Event;
use tband_format::named::QueueKind;
use tband_format::registry::{clock_sync, trace_info_flags};

use crate::packed::packed;
use crate::{Recording, str};

/// A board, and how long it is recorded.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// It sends even numbers, the other odd ones.
    pub is_first: bool,
    /// Frequency of its timer in Hz.
    pub hz: f64,
    /// How far off that is, in parts of a million.
    pub ppm: f64,
    /// Time in ns at which its timer was 0.
    pub begin_ns: f64,
    /// One or two.
    pub cores: u32,
    /// Time in us for which its task `sensor` has the core in each period of 10 ms.
    pub busy_us: u32,
    /// Time in ns of a reset, at which its timer begins again.
    pub reset_ns: Option<f64>,
}

/// Periods of 10 ms that are recorded.
pub const PERIODS: u32 = 100;

const PERIOD_NS: f64 = 10e6;

impl Board {
    /// A board with a timer of 10 MHz.
    #[must_use]
    pub const fn new(is_first: bool, busy_us: u32) -> Self {
        Self { is_first, hz: 1e7, ppm: 0.0, begin_ns: 0.0, cores: 1, busy_us, reset_ns: None }
    }

    /// Each run of the target, as frames.
    fn runs(&self) -> Vec<Vec<u8>> {
        let mut runs = Vec::new();
        let mut recording = self.head(Recording::default());
        let mut core = 0;
        let mut begin_ns = self.begin_ns;
        for (ns, of, event) in self.events() {
            if let Some(reset_ns) = self.reset_ns
                && ns >= reset_ns
                && begin_ns < reset_ns
            {
                (begin_ns, core) = (reset_ns, 0);
                runs.push(std::mem::replace(&mut recording, self.head(Recording::default())).0);
            }
            let ticks = ((ns - begin_ns) * 1e-9 * self.hz * (1.0 + self.ppm * 1e-6)).floor() as u64;
            if of != core {
                recording = recording.at(ticks, Event::CoreId { core_id: of });
                core = of;
            }
            recording = recording.at(ticks, event);
        }
        runs.push(recording.0);
        runs
    }

    /// Returns the recording, as packets of this size. Each run has a separate stream.
    #[must_use]
    pub fn packets(&self, size: usize) -> Vec<u8> {
        self.runs().iter().flat_map(|run| packed(run, size)).collect()
    }

    /// The recording, as frames.
    #[must_use]
    pub fn frames(&self) -> Vec<u8> {
        self.runs().concat()
    }

    fn head(&self, recording: Recording) -> Recording {
        let name = |task_id, name| Event::TaskName { task_id, name: str(name) };
        let info = Event::TraceInfo {
            format_version: 1,
            core_count: self.cores,
            flags: trace_info_flags::FREERTOS,
            kernel_version: Some(110_100),
            tick_rate_hz: Some(1000),
        };
        let frequency = Event::TsFrequency { numerator: self.hz as u64, denominator: 1 };
        let mut recording =
            recording.at(0, Event::CoreId { core_id: 0 }).meta(info).at(0, frequency);
        for (id, text) in [(4, "sensor"), (5, "log"), (1, "IDLE")] {
            recording = recording.meta(name(id, text));
        }
        recording = recording
            .meta(Event::TaskIsIdleTask { task_id: 1, core_id: 0 })
            .meta(Event::QueueName { queue_id: 1, name: str("jobs") })
            .meta(Event::QueueKind { queue_id: 1, kind: QueueKind::QUEUE })
            .meta(Event::IsrName { isr_id: 15, name: str("tick") })
            .meta(Event::ValmarkerName { valmarker_id: 3, name: str("level") });
        if self.cores > 1 {
            recording = recording
                .meta(name(2, "IDLE1"))
                .meta(Event::TaskIsIdleTask { task_id: 2, core_id: 1 })
                .meta(name(6, "worker"));
        }
        recording
    }

    /// What happens, by time in ns and core.
    fn events(&self) -> Vec<(f64, u32, Event<'static>)> {
        let mut story = Vec::new();
        for period in 0..PERIODS {
            let start =
                20e6 + f64::from(period) * PERIOD_NS + if self.is_first { 0.0 } else { 0.7e6 };
            let busy = f64::from(self.busy_us) * 1e3;
            let mut at = |after: f64, event| story.push((start + after, 0, event));
            at(0.0, Event::IsrEnter { isr_id: 15 });
            at(2e3, Event::TaskToRdyState { task_id: 4 });
            at(4e3, Event::IsrExitToScheduler { isr_id: 15 });
            at(6e3, Event::TaskSwitchedIn { task_id: 4 });
            at(8e3, Event::Valmarker { valmarker_id: 3, val: period.into() });
            at(10e3, Event::QueueSend { queue_id: 1, len_after: 1 });
            at(12e3, Event::TaskToRdyState { task_id: 5 });
            at(busy, Event::CurtaskDelay { ticks: 10 - self.busy_us / 1000 });
            at(6e3 + busy, Event::TaskSwitchedIn { task_id: 5 });
            at(8e3 + busy, Event::QueueReceive { queue_id: 1, len_after: 0 });
            let wait = Event::CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX };
            at(200e3 + busy, wait);
            at(206e3 + busy, Event::TaskSwitchedIn { task_id: 1 });
            if self.cores > 1 {
                let mut at = |after: f64, event| story.push((start + after, 1, event));
                at(1e6, Event::TaskToRdyState { task_id: 6 });
                at(1.1e6, Event::TaskSwitchedIn { task_id: 6 });
                at(3e6, Event::CurtaskDelay { ticks: 8 });
                at(3.1e6, Event::TaskSwitchedIn { task_id: 2 });
            }
        }
        for number in 0..PERIODS {
            let sent = 27.3e6 + f64::from(number) * PERIOD_NS;
            let is_own = (number % 2 == 0) == self.is_first;
            let (marker, ns) = match is_own {
                true => (clock_sync::SENT, sent),
                false => (clock_sync::HEARD, sent + 4e3),
            };
            story.push((ns, 0, Event::Valmarker { valmarker_id: marker, val: number.into() }));
        }
        story.sort_by(|one, other| one.0.total_cmp(&other.0));
        story
    }
}
