//! A write error of a sink ends the conversion, in any call.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::{ConvError, Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Recording, str, two_tasks};

/// Fails at one step, and at no other.
struct FailingSink {
    at: usize,
    steps: usize,
}

impl Sink for FailingSink {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        self.steps += 1;
        if self.steps - 1 == self.at { Err(io::Error::other("the disk is full")) } else { Ok(()) }
    }

    fn finish(&mut self, _: &World, _: i64) -> io::Result<()> {
        assert!(self.steps <= self.at, "it is closed after an error");
        Ok(())
    }
}

/// Something of all kinds is open or known when events are lost.
fn recording() -> Recording {
    two_tasks()
        .meta(QueueName { queue_id: 1, name: str("q") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskPrioritySet { task_id: 1, priority: 3 })
        .at(2, TaskPrioritySet { task_id: 2, priority: 4 })
        .at(2, QueueSend { queue_id: 1, len_after: 1 })
        .at(3, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 5 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, CurtaskDelay { ticks: 5 })
        .at(6, TaskSwitchedIn { task_id: 3 })
        .at(7, CurtaskDelay { ticks: 5 })
        .at(8, TaskSwitchedIn { task_id: 4 })
        .at(9, EvtmarkerBegin { evtmarker_id: 1, msg: str("span") })
        .at(10, EventGroupSetBits { event_group_id: 1, bits: 1, bits_after: 1 })
        .at(11, StreamBufferSend { stream_buffer_id: 1, amount: 4, level_after: 4 })
        .at(12, IsrEnter { isr_id: 1 })
        .at(13, DroppedEvtCnt { cnt: 1 })
        .at(14, TaskSwitchedIn { task_id: 1 })
        .at(15, IsrEnter { isr_id: 1 })
        .at(16, IsrExit { isr_id: 2 })
        .at(17, TaskDeleted { task_id: 1 })
        .at(18, TaskSwitchedIn { task_id: 2 })
}

#[test]
fn no_error_of_a_sink_is_lost() {
    let recording = recording();
    let inputs = [Input::from_bytes("r", &recording.0)];
    let run = |at| {
        let mut sink = FailingSink { at, steps: 0 };
        let result = convert(&inputs, &Options::default(), &mut sink);
        (result, sink.steps)
    };
    let (result, steps) = run(usize::MAX);
    assert!(result.is_ok() && steps > 30, "{steps}");
    for at in 0..steps {
        let (result, taken) = run(at);
        assert!(matches!(result, Err(ConvError::Write(_))), "step {at}: {result:?}");
        assert_eq!(taken, at + 1, "nothing follows");
    }
}
