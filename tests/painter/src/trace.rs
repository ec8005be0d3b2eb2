//! The events of a simulated program as a recording.

use tband_format::Event;
use tband_recordings::{Recording, str};

use crate::kernel::{Kernel, LoggedEvent};
use crate::random::Random;

/// Events of a core that are missing: by their places in the log.
#[derive(Clone, Debug, Default)]
pub struct Losses(Vec<usize>);

impl Losses {
    /// Chooses up to three runs of events that are missing.
    #[must_use]
    pub fn random(kernel: &Kernel, random: &mut Random) -> Self {
        let mut lost = Vec::new();
        let started = kernel.log.iter().position(|(_, at, _)| *at > 2).unwrap_or(kernel.log.len());
        for _ in 0..random.between(1, 4) {
            let core = random.below(kernel.cores.len());
            let of_core: Vec<_> =
                (started..kernel.log.len()).filter(|it| kernel.log[*it].0 == core).collect();
            // The last event of a core stays: a loss is reported by the next event.
            let Some((_, all)) = of_core.split_last() else { continue };
            let first = random.below(all.len());
            let count = random.pick(&[1, 1, 2, 5, 20]);
            lost.extend(all.iter().skip(first).take(count));
        }
        lost.sort_unstable();
        lost.dedup();
        Self(lost)
    }

    /// The event at this place of the log is missing.
    #[must_use]
    pub fn has(&self, place: usize) -> bool {
        self.0.binary_search(&place).is_ok()
    }
}

/// The recording of a program that has run, of all its cores in one file.
#[must_use]
pub fn recording(kernel: &Kernel, losses: &Losses) -> Recording {
    let mut recording = Recording::default();
    for event in kernel.plan.metadata() {
        recording = recording.meta(event);
    }
    let [tasks, queues, isrs] = kernel.plan.names();
    for (task_id, name) in &tasks {
        recording = recording.meta(Event::TaskName { task_id: *task_id, name: str(name) });
    }
    for (queue_id, name) in &queues {
        recording = recording.meta(Event::QueueName { queue_id: *queue_id, name: str(name) });
    }
    for (isr_id, name) in &isrs {
        recording = recording.meta(Event::IsrName { isr_id: *isr_id, name: str(name) });
    }
    let mut last = 0;
    let mut dropped = vec![(0_u32, false); kernel.cores.len()];
    for (place, (core, at, event)) in kernel.log.iter().enumerate() {
        let (count, is_news) = &mut dropped[*core];
        if losses.has(place) {
            (*count, *is_news) = (*count + 1, true);
            continue;
        }
        if std::mem::take(is_news) {
            recording =
                add(recording, (*core, *at, Event::DroppedEvtCnt { cnt: *count }), &mut last);
        }
        recording = add(recording, (*core, *at, *event), &mut last);
    }
    recording
}

fn add(mut recording: Recording, (core, at, event): LoggedEvent, last: &mut usize) -> Recording {
    let at = u64::try_from(at).unwrap_or(0);
    if std::mem::replace(last, core) != core {
        let core_id = u32::try_from(core).unwrap_or(0);
        recording = recording.at(at, Event::CoreId { core_id });
    }
    recording.at(at, event)
}
