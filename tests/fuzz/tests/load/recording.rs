//! Random recordings: tasks and nested interrupts on up to three cores, losses, resets, idle tasks that are known or not.

use proptest::prelude::*;
use tband_format::Event;
use tband_recordings::Recording;

/// What happens: a kind, a core, ticks since the last event, a task or interrupt.
type Step = (u8, u8, u64, u8);

/// A recording that is drawn.
#[derive(Clone, Debug)]
pub struct RandomRecording {
    cores: u8,
    /// A bit for each core whose idle task is known.
    idle: u8,
    /// Runs of the target, each after a reset.
    runs: Vec<Vec<Step>>,
}

pub fn drawn() -> impl Strategy<Value = RandomRecording> {
    let ticks = prop_oneof![1 => Just(0), 8 => 1..400_u64, 1 => 1000..90_000_u64];
    let steps = prop::collection::vec((any::<u8>(), any::<u8>(), ticks, any::<u8>()), 1..120);
    let runs = prop::collection::vec(steps, 1..4);
    let idle = prop_oneof![2 => Just(7_u8), 1 => any::<u8>()];
    (1..=3_u8, idle, runs).prop_map(|(cores, idle, runs)| RandomRecording { cores, idle, runs })
}

impl RandomRecording {
    pub const fn has_one_core(&self) -> bool {
        self.cores == 1
    }

    pub fn bytes(&self) -> Vec<u8> {
        let (mut bytes, mut dropped) = (Vec::new(), 0);
        for steps in &self.runs {
            bytes.extend(self.run(steps, &mut dropped).0);
        }
        bytes
    }

    /// The recorder starts, and what follows.
    fn run(&self, steps: &[Step], dropped: &mut u32) -> Recording {
        let mut recording = Recording::default().meta(Event::TsResolutionNs { ns_per_ts: 1 });
        for core_id in (0..self.cores).filter(|core| self.idle & 1 << core != 0).map(u32::from) {
            let task_id = 1 + core_id;
            recording = recording.meta(Event::TaskIsIdleTask { task_id, core_id });
        }
        let (mut ts, mut last) = (1, 0);
        let mut open = [const { Vec::new() }; 3];
        for (kind, core, ticks, which) in steps {
            ts += ticks;
            let core = core % self.cores;
            if core != last {
                recording = recording.at(ts, Event::CoreId { core_id: core.into() });
                last = core;
            }
            let isrs = &mut open[usize::from(core)];
            let task_id = match which % 7 {
                0..3 => 1 + u32::from(core),
                other => 7 + u32::from(other),
            };
            let isr_id = u32::from(which % 3);
            recording = match kind % 16 {
                0..5 => recording.at(ts, Event::TaskSwitchedIn { task_id }),
                5 => recording.at(ts, Event::CurtaskDelay { ticks: 3 }),
                6 => recording.at(ts, Event::TaskToRdyState { task_id }),
                7..11 => {
                    isrs.push(isr_id);
                    recording.at(ts, Event::IsrEnter { isr_id })
                }
                // Now and then one that is not the innermost, or is not open.
                11 if *which > 200 => recording.at(ts, Event::IsrExit { isr_id }),
                11..15 => match isrs.pop() {
                    Some(isr_id) => recording.at(ts, Event::IsrExit { isr_id }),
                    None => recording,
                },
                _ if *which > 180 => {
                    *dropped += u32::from(*which);
                    recording.at(ts, Event::DroppedEvtCnt { cnt: *dropped })
                }
                _ => recording,
            };
        }
        recording
    }
}
