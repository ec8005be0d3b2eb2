//! Event groups: their bits over time, with those that are cleared because a wait ends.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT, TIMED_OUT};
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

const GROUP: u32 = 1;

fn start() -> Recording {
    two_tasks()
        .meta(TaskName { task_id: 3, name: str("c") })
        .meta(EventGroupName { event_group_id: GROUP, name: str("flags") })
        .at(0, EventGroupCreated { event_group_id: GROUP })
}

/// A wait that blocks, and the switch to another task.
trait RecordingExt {
    fn wait(self, ts: u64, bits: u32, flags: u32, next: u32) -> Self;
    fn end(self, ts: u64, bits: u32, flags: u32, found: u32) -> Self;
    fn set(self, ts: u64, bits: u32, bits_after: u32) -> Self;
}

impl RecordingExt for Recording {
    fn wait(self, ts: u64, bits: u32, flags: u32, next: u32) -> Self {
        let ticks_to_wait = 100;
        let event_group_id = GROUP;
        self.at(ts, CurtaskBlockOnEventGroupWait { event_group_id, bits, flags, ticks_to_wait })
            .at(ts, TaskSwitchedIn { task_id: next })
    }

    fn end(self, ts: u64, bits: u32, flags: u32, found: u32) -> Self {
        self.at(ts, EventGroupWaitEnd { event_group_id: GROUP, bits, flags, found })
    }

    fn set(self, ts: u64, bits: u32, bits_after: u32) -> Self {
        self.at(ts, EventGroupSetBits { event_group_id: GROUP, bits, bits_after })
    }
}

/// The lines about the group, without its name.
#[track_caller]
fn assert_bits(recording: &Recording, expected: &[&str]) {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.contains("event group"))
        .map(|line| line.trim().replace(" 0 event group flags:", ""))
        .collect();
    assert_eq!(lines, expected, "\n{text}");
    assert!(summary.diagnostics.is_clean());
}

/// Kernels with ticks of 64 bits have 56 event bits. Those from 32 on are in an event just before.
#[test]
fn high_bits_belong_to_the_next_event_of_the_same_actor() {
    let high =
        |bits: u64, after: u64| Bits { of: GROUP, is: (bits >> 32 | after >> 32 << 24) as i64 };
    let (forty, last) = (1_u64 << 40, 1_u64 << 55);
    let binary = |bits: u64| format!("{bits:#058b}");
    let by_isr = |bits: u64| Bits { of: GROUP, is: (bits >> 32 | 1 << 48) as i64 };
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(1, high(forty, 0))
        .wait(1, 2, ALL | CLEAR_ON_EXIT, 2)
        .at(2, high(last, last))
        // An interrupt comes in between.
        .at(2, by_isr(1 << 32))
        .at(2, EventGroupSetBitsFromIsr { event_group_id: GROUP, bits: 0 })
        .set(2, 2, 2)
        .at(3, high(forty, forty | last))
        .set(3, 0, 2)
        .at(4, high(last, 0))
        .at(4, EventGroupClearBits { event_group_id: GROUP, bits: 0, bits_after: 0 })
        .set(5, 1, 1);
    assert_bits(
        &recording,
        &[
            "0 created, bits 0b0000 (0x0)",
            "20 set 0x100000000 asked by interrupt",
            &format!("20 set 0x80000000000002, bits {} (0x80000000000002)", binary(last | 2)),
            &format!("30 set 0x10000000000, bits {} (0x80010000000002)", binary(last | forty | 2)),
            &format!("30 clear 0x10000000002 on exit, bits {} (0x80000000000000)", binary(last)),
            "40 clear 0x80000000000000, bits 0b0000 (0x0)",
            "50 set 0x1, bits 0b0001 (0x1)",
        ],
    );
}

#[test]
fn bits_are_set_cleared_and_asked_for() {
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .set(2, 5, 5)
        .set(3, 0x80_0000, 0x80_0005)
        .at(4, IsrEnter { isr_id: 1 })
        .at(5, EventGroupSetBitsFromIsr { event_group_id: GROUP, bits: 2 })
        .at(6, EventGroupClearBitsFromIsr { event_group_id: GROUP, bits: 1 })
        .at(7, IsrExit { isr_id: 1 })
        .at(8, EventGroupClearBits { event_group_id: GROUP, bits: 0x80_0001, bits_after: 4 })
        // Reads the bits.
        .at(8, EventGroupClearBits { event_group_id: GROUP, bits: 0, bits_after: 4 })
        .at(9, EventGroupDeleted { event_group_id: GROUP });
    assert_timeline(
        &recording,
        "0 0 event group flags: created, bits 0b0000 (0x0)
         10 0 a: unknown -> running
         20 0 event group flags: set 0x5, bits 0b0101 (0x5)
         30 0 event group flags: set 0x800000, bits 0b100000000000000000000101 (0x800005)
         40 0 isr 1 begins
         50 0 event group flags: set 0x2 asked by interrupt
         60 0 event group flags: clear 0x1 asked by interrupt
         70 0 isr 1 ends
         80 0 event group flags: clear 0x800001, bits 0b0100 (0x4)
         90 0 event group flags: deleted
         90 0 a: runs on
         90 end",
    );
}

/// Setting bits wakes all tasks whose condition holds, and then clears the bits that they clear; not those that others wait
/// for.
#[test]
fn woken_tasks_clear_their_bits_together() {
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .wait(2, 0b0011, ALL | CLEAR_ON_EXIT, 2)
        .wait(3, 0b0110, CLEAR_ON_EXIT, 3)
        .set(4, 0b1001, 0b1001)
        .set(5, 0b0010, 0b1011)
        .at(5, TaskToRdyState { task_id: 1 })
        .at(5, TaskToRdyState { task_id: 2 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .end(7, 0b0011, ALL | CLEAR_ON_EXIT, 0b1011)
        // A second wait of the same task, which finds its bit at once, and clears it itself.
        .end(8, 0b1000, CLEAR_ON_EXIT, 0b1000)
        // No task waits any more.
        .set(9, 0b0011, 0b0011);
    assert_bits(
        &recording,
        &[
            "0 created, bits 0b0000 (0x0)",
            "40 set 0x9, bits 0b1001 (0x9)",
            "50 set 0x2, bits 0b1011 (0xb)",
            "50 clear 0x3 on exit, bits 0b1000 (0x8)",
            "80 clear 0x8 on exit, bits 0b0000 (0x0)",
            "90 set 0x3, bits 0b0011 (0x3)",
        ],
    );
}

/// A task that timed out clears nothing when the bits are set before it runs, but when it runs.
#[test]
fn a_wait_that_timed_out_clears_when_its_task_runs() {
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .wait(2, 0b01, CLEAR_ON_EXIT, 2)
        .at(3, IsrEnter { isr_id: 1 })
        .at(3, TaskToRdyState { task_id: 1 })
        .at(3, IsrExit { isr_id: 1 })
        .set(4, 0b11, 0b11)
        .at(5, TaskSwitchedIn { task_id: 1 })
        .end(6, 0b01, CLEAR_ON_EXIT | TIMED_OUT, 0b11)
        // Without its bit it clears nothing.
        .end(7, 0b01, CLEAR_ON_EXIT | TIMED_OUT, 0b10)
        // It is suspended while it waits, which ends the wait.
        .wait(8, 0b01, CLEAR_ON_EXIT, 2)
        .at(9, TaskSuspended { task_id: 1 })
        .set(10, 0b01, 0b11);
    assert_bits(
        &recording,
        &[
            "0 created, bits 0b0000 (0x0)",
            "40 set 0x3, bits 0b0011 (0x3)",
            "60 clear 0x1 on exit, bits 0b0010 (0x2)",
            "100 set 0x1, bits 0b0011 (0x3)",
        ],
    );
}

#[test]
fn a_rendezvous_clears_its_bits() {
    let event_group_id = GROUP;
    let block =
        |set| CurtaskBlockOnEventGroupSync { event_group_id, set, bits: 0b11, ticks_to_wait: 100 };
    let end =
        |set, flags, found| EventGroupSyncEnd { event_group_id, set, bits: 0b11, flags, found };
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .set(2, 0b101, 0b101)
        .at(2, block(0b101))
        .at(3, TaskSwitchedIn { task_id: 2 })
        // The last to come completes it at once.
        .set(4, 0b10, 0b111)
        .at(4, TaskToRdyState { task_id: 1 })
        .at(4, end(0b10, 0, 0b111))
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(5, end(0b101, 0, 0b111))
        // Alone, and still complete.
        .set(6, 0b11, 0b111)
        .at(6, end(0b11, 0, 0b111))
        // Not complete in time.
        .set(7, 0b01, 0b101)
        .at(7, end(0b01, TIMED_OUT, 0b101));
    assert_bits(
        &recording,
        &[
            "0 created, bits 0b0000 (0x0)",
            "20 set 0x5, bits 0b0101 (0x5)",
            "40 set 0x2, bits 0b0111 (0x7)",
            "40 clear 0x3 on exit, bits 0b0100 (0x4)",
            "60 set 0x3, bits 0b0111 (0x7)",
            "60 clear 0x3 on exit, bits 0b0100 (0x4)",
            "70 set 0x1, bits 0b0101 (0x5)",
        ],
    );
}

/// After a gap bits are unknown, and so is whether a wait had blocked.
#[test]
fn a_gap_makes_bits_unknown() {
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .set(2, 0b01, 0b01)
        .wait(3, 0b10, CLEAR_ON_EXIT, 2)
        .at(4, DroppedEvtCnt { cnt: 3 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        // Woken by missing events.
        .end(6, 0b10, CLEAR_ON_EXIT, 0b11)
        // Known to have begun after the gap: it reports all bits.
        .end(7, 0b01, CLEAR_ON_EXIT, 0b101)
        .at(8, DroppedEvtCnt { cnt: 4 })
        .at(9, EventGroupClearBits { event_group_id: GROUP, bits: 0, bits_after: 4 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    let lines: Vec<_> = text.lines().filter(|line| line.contains("event group flags")).collect();
    let expected = [
        "0 0 event group flags: created, bits 0b0000 (0x0)",
        "20 0 event group flags: set 0x1, bits 0b0001 (0x1)",
        "30 0 event group flags: unknown bits",
        "70 0 event group flags: found, bits 0b0101 (0x5)",
        "70 0 event group flags: clear 0x1 on exit, bits 0b0100 (0x4)",
        "70 0 event group flags: unknown bits",
        "90 0 event group flags: found, bits 0b0100 (0x4)",
    ];
    assert_eq!(lines.iter().map(|line| line.trim()).collect::<Vec<_>>(), expected, "{text}");
}

/// A wait that blocked before the recording differs from one that did not block only in the bits that it found.
#[test]
fn the_first_wait_of_a_task_is_judged_by_what_it_found() {
    let head = start().set(1, 0b11, 0b11).at(2, TaskSwitchedIn { task_id: 1 });
    let same = head.clone().end(3, 0b01, CLEAR_ON_EXIT, 0b11);
    let other = head.end(3, 0b01, CLEAR_ON_EXIT, 0b01);
    let begin = ["0 created, bits 0b0000 (0x0)", "10 set 0x3, bits 0b0011 (0x3)"];
    assert_bits(&other, &begin);
    assert_bits(&same, &[begin[0], begin[1], "30 clear 0x1 on exit, bits 0b0010 (0x2)"]);
}

/// Waits beyond the followed ones cost no additional memory and time.
#[test]
fn waits_are_limited() {
    let mut recording = start();
    for task_id in 10..5000 {
        recording = recording.at(task_id, TaskSwitchedIn { task_id: task_id as u32 }).wait(
            task_id,
            1,
            CLEAR_ON_EXIT,
            1,
        );
    }
    let recording = recording.set(6000, 1, 1);
    let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert!(text.contains("60000 0 event group flags: clear 0x1 on exit"), "{text}");
}
