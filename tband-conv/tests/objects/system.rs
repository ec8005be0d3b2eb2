//! Stream buffers, heap, low power, tick count and pended calls.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::StreamBufferKind as Kind;
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

#[test]
fn stream_buffers_have_levels() {
    let stream_buffer_id = 4;
    let recording = two_tasks()
        .meta(StreamBufferKind { stream_buffer_id, kind: Kind::MESSAGE_BUFFER })
        .meta(StreamBufferName { stream_buffer_id, name: str("log") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, StreamBufferCreated { stream_buffer_id, size: 100, trigger_level: 1 })
        .at(3, StreamBufferSend { stream_buffer_id, amount: 4, level_after: 8 })
        .at(4, StreamBufferSendFromIsr { stream_buffer_id, amount: 4, level_after: 16 })
        .at(5, StreamBufferReceive { stream_buffer_id, amount: 4, level_after: 8 })
        .at(6, StreamBufferReceiveFromIsr { stream_buffer_id, amount: 4, level_after: 0 })
        .at(7, StreamBufferSendFailed { stream_buffer_id })
        .at(7, StreamBufferSendFromIsrFailed { stream_buffer_id })
        .at(8, StreamBufferReceiveFailed { stream_buffer_id })
        .at(8, StreamBufferReceiveFromIsrFailed { stream_buffer_id })
        .at(9, StreamBufferReset { stream_buffer_id })
        .at(9, StreamBufferResetFromIsr { stream_buffer_id })
        .at(10, StreamBufferDeleted { stream_buffer_id })
        // Nothing is known of it, so nothing can be forgotten.
        .at(11, DroppedEvtCnt { cnt: 1 })
        .at(12, StreamBufferSend { stream_buffer_id: 5, amount: 1, level_after: 1 })
        .at(13, DroppedEvtCnt { cnt: 2 })
        .at(14, StreamBufferSend { stream_buffer_id: 5, amount: 1, level_after: 1 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         20 0 message buffer log: created by a, level 0
         30 0 message buffer log: send 4 by a, level 8
         40 0 message buffer log: send 4 by an interrupt, level 16
         50 0 message buffer log: receive 4 by a, level 8
         60 0 message buffer log: receive 4 by an interrupt, level 0
         70 0 message buffer log: send failed by a
         70 0 message buffer log: send failed by an interrupt
         80 0 message buffer log: receive failed by a
         80 0 message buffer log: receive failed by an interrupt
         90 0 message buffer log: reset by a, level 0
         90 0 message buffer log: reset by an interrupt, level 0
         100 0 message buffer log: deleted by a
         100 0 a: running -> unknown
         110 0 ! gap of lost events @101: 1 events lost on the target before this point
         120 0 stream buffer 5: send 1, level 1
         120 0 stream buffer 5: unknown level
         130 0 ! gap of lost events @113: 1 events lost on the target before this point
         140 0 stream buffer 5: send 1, level 1
         140 end",
    );
}

fn malloc(address: u32, size: u32, free: Option<u32>) -> tband_format::Event<'static> {
    HeapMalloc { address, size, bytes_free: free }
}

fn free(address: u32, size: u32, free: Option<u32>) -> tband_format::Event<'static> {
    HeapFree { address, size, bytes_free: free }
}

/// The lines about the heap.
fn heap(recording: &Recording) -> Vec<String> {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    let lines = text.lines().filter_map(|line| line.split_once(" heap: "));
    lines.map(|line| line.1.to_owned()).collect()
}

/// The free bytes give the used ones, whatever is lost, and though blocks are larger than requested.
#[test]
fn a_heap_that_counts_is_believed() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, malloc(0x100, 24, Some(976)))
        .at(3, malloc(0x200, 100, Some(872)))
        .at(4, malloc(0, 5000, Some(872)))
        .at(5, free(0x200, 104, Some(976)))
        .at(6, DroppedEvtCnt { cnt: 1 })
        .at(7, IsrEnter { isr_id: 1 })
        .at(8, malloc(0, 16, None))
        .at(9, free(0x100, 24, Some(500)));
    assert_eq!(
        heap(&recording),
        [
            "malloc 24, in use 24, free 976",
            "malloc 100, in use 128, free 872",
            "malloc 5000 failed in a",
            "free 104, in use 24, free 976",
            "malloc 16 failed",
            "free 24, in use 500, free 500",
        ]
    );
    // A block that was allocated before the recording is freed.
    let recording = two_tasks().at(1, free(0x100, 40, Some(1000)));
    assert_eq!(heap(&recording), ["free 40, in use -40, free 1000"]);
}

#[test]
fn a_heap_that_does_not_count_is_summed_up() {
    let recording = two_tasks()
        .at(1, malloc(0x100, 24, None))
        .at(2, malloc(0x200, 100, None))
        // The C library's heap reports no size.
        .at(3, free(0x100, 0, None))
        // Taken before the recording.
        .at(4, free(0x300, 0, None))
        // Freed unseen.
        .at(5, malloc(0x200, 50, None))
        .at(6, DroppedEvtCnt { cnt: 1 })
        .at(7, free(0x200, 50, None))
        .at(8, malloc(0x200, 10, None));
    assert_eq!(
        heap(&recording),
        [
            "malloc 24, in use 24",
            "malloc 100, in use 124",
            "free 0, in use 100",
            "free 0, in use 100",
            "malloc 50, in use 50",
            "free 50, in use 0",
            "malloc 10, in use 10",
        ]
    );
}

#[test]
fn cores_sleep_and_ticks_jump() {
    let recording = two_tasks()
        // They began before the recording.
        .at(1, LowPowerIdleEnd {})
        .at(1, TickCountIncrease { ticks: 7 })
        .at(2, TickIncrement { tick_count: 99 })
        .at(3, LowPowerIdleBegin { expected_ticks: 10 })
        .at(4, TickCountIncrease { ticks: 8 })
        .at(5, LowPowerIdleEnd {})
        .at(6, LowPowerIdleBegin { expected_ticks: 3 })
        .at(0, CoreId { core_id: 1 })
        .at(7, LowPowerIdleEnd {})
        .at(8, LowPowerIdleBegin { expected_ticks: 5 })
        .at(0, CoreId { core_id: 0 })
        .at(9, DroppedEvtCnt { cnt: 1 })
        .at(10, TickIncrement { tick_count: u32::MAX })
        .at(11, PendFuncCall { function: 0x800_0010, parameter1: 1, parameter2: 2, result: 1 })
        .at(12, PendFuncCallFromIsr { function: 16, parameter1: 1, parameter2: 2, result: 0 });
    assert_timeline(
        &recording,
        "20 0 tick count 100
         30 0 core: sleeps for up to 10 ticks
         40 0 tick count 108
         50 0 core: wakes
         60 0 core: sleeps for up to 3 ticks
         80 1 core: sleeps for up to 5 ticks
         60 0 core: unknown whether it sleeps
         80 1 core: unknown whether it sleeps
         90 0 ! gap of lost events @66: 1 events lost on the target before this point
         100 0 tick count 0
         110 0 call of 0x8000010 by the timer task sent
         120 0 call of 0x10 by the timer task from isr refused
         120 end",
    );
}

/// With `configUSE_16_BIT_TICKS` the tick count wraps; where its width is not known yet nothing false is reported.
#[test]
fn a_tick_count_of_16_bits_wraps() {
    let ticks = |counts: &[u32]| {
        let at = (1..).zip(counts);
        let recording = at.fold(two_tasks(), |it, (ts, &tick_count)| {
            it.at(ts * 100, TickIncrement { tick_count })
        });
        let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let count = |line: &str| line.split_once("tick count ").map(|it| it.1.parse().unwrap());
        text.lines().filter_map(count).collect::<Vec<u32>>()
    };
    assert_eq!(ticks(&[65_533, 65_534, 65_535, 0, 1]), [65_534, 65_535, 1, 2]);
    assert_eq!(ticks(&[65_535, 0, 1, 65_534, 65_535, 0]), [1, 2, 65_535, 0, 1]);
    assert_eq!(ticks(&[65_534, 65_535, 65_536]), [65_535, 65_537]);
    assert_eq!(ticks(&[70_000, 65_535, 65_536]), [70_001, 65_536, 65_537]);
    // The kernel makes up for ticks.
    let jumps = two_tasks()
        .at(1, TickIncrement { tick_count: 65_500 })
        .at(2, TickCountIncrease { ticks: 100 })
        .at(3, TickIncrement { tick_count: 65 });
    let (text, _) = timeline_of(&[Input::from_bytes("r", &jumps.0)], &Options::default());
    assert!(!text.contains("tick count 65601") && text.contains("tick count 66"), "{text}");
}
