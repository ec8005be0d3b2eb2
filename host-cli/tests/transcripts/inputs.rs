//! Inputs of the transcripts, by their names.

use tband_format::Event::{self, *};
use tband_format::named::{QueueKind, TimerCommand};
use tband_recordings::{Recording, str};

use crate::support::{Folder, by_hand, example, small};

/// Writes the inputs that a command names into the folder of its session, unless it has them.
pub fn create(folder: &Folder, command: &str) {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "_-.".contains(it);
    for name in command.split(|it| !is_part(it)) {
        if !folder.0.join(name).exists()
            && let Some(bytes) = content(name)
        {
            folder.file(name, &bytes);
        }
    }
}

fn content(name: &str) -> Option<Vec<u8>> {
    let events = match name {
        "by_hand.bin" => Recording(by_hand()),
        "small.bin" => Recording(small()),
        "text.txt" => Recording(b"no recording at all, but a text\n".to_vec()),
        "faults.bin" => faults(),
        "lost.bin" => marked().at(301, DroppedEvtCnt { cnt: 5 }),
        "marked.bin" => marked(),
        "markers.bin" => us().at(10, marker("")).at(30, marker("")),
        "values.bin" => us().at(20, VALUE).at(50, VALUE),
        "at_zero.bin" => us().at(0, VALUE),
        "tasks.bin" => tasks(&["t", "t"]).at(10, runs(1)).at(30, runs(3)),
        "metadata.bin" => tasks(&["t", "t"]).meta(IsrName { isr_id: 1, name: str("tick") }),
        "metadata_of_two.bin" => tasks(&["t"]).meta(info(2, 1)),
        "one_of_two.bin" => us().meta(info(2, 1)).at(20, VALUE).at(50, VALUE),
        "shared.bin" => {
            let core = |core_id| CoreId { core_id };
            us().at(0, core(0)).at(20, VALUE).at(0, core(3)).at(30, marker(""))
        }
        "names_lost_345.bin" => names_lost(7, Some(345)),
        "names_lost_65534.bin" => names_lost(1, Some(65534)),
        "names_lost_65535.bin" => names_lost(9, Some(65535)),
        "names_lost_older.bin" => names_lost(2, None),
        "classes_older.bin" => with_flags(1),
        "classes_not_stated.bin" => with_flags(1 | 1 << 13),
        "classes_all.bin" => with_flags(u32::MAX),
        "classes_some.bin" => with_flags(!(1 << 8 | 1 << 19)),
        "classes_few.bin" => with_flags(1 | 1 << 2 | 1 << 5 | 1 << 6),
        "classes_none.bin" => with_flags(1 | 1 << 2),
        "buffers.bin" => with_flags(4 << 20 | 6 << 23 | 5 << 28),
        "objects.bin" => objects(),
        "waits.bin" => waits(),
        "reused.bin" => reused(),
        "past.bin" => past(),
        "many.bin" => (1..=40).fold(Recording::default(), |it, task_id| {
            it.at(u64::from(task_id) * 10, runs(task_id))
        }),
        "long.bin" => {
            let start = Recording::default().meta(TsResolutionNs { ns_per_ts: 1_000_000_000 });
            start.at(0, runs(1)).at(40_000_000, runs(2))
        }
        "escape.bin" => {
            Recording(by_hand()).meta(TaskName { task_id: 2, name: str("a\x1b[31m\nb") })
        }
        "named.bin" => tasks(&["sensor", "logger"])
            .meta(QueueName { queue_id: 3, name: str("samples") })
            .meta(Event::QueueKind { queue_id: 3, kind: QueueKind::QUEUE })
            .meta(EvtmarkerName { evtmarker_id: 1, name: str("filter") })
            .at(1, runs(1))
            .at(2, marker(""))
            .at(9, runs(7)),
        "broken.bin" => Recording(small()).raw(&[3, 50, 1, 0]),
        "steps.bin" => Recording(small())
            .at(3, runs(1))
            .at(10, DroppedEvtCnt { cnt: 4 })
            .meta(MetadataDropped { core_id: 0, cnt: 2, size_needed: None }),
        "garbage.bin" => {
            let start = Recording::default().raw(b"boot: hello\r\n\0").raw(&small());
            start.raw(&[9; 70_000]).raw(&[0]).raw(&small())
        }
        "empty.bin" => Recording::default(),
        "zeros.bin" => Recording(vec![0; 100]),
        "unmarked_hex.txt" => Recording(b"03 00 5f 01 00\n".to_vec()),
        "odd.hex" => Recording(b"00 5".to_vec()),
        "letter.hex" => Recording(b"035g".to_vec()),
        "packed.zst" => noise(b"\x28\xB5\x2F\xFD"),
        "packed.xz" => noise(b"\xFD7zXZ\0"),
        "packed.bz2" => noise(b"BZh91AY&SY"),
        "packed.7z" => noise(b"7z\xBC\xAF\x27\x1C"),
        "packed.lz4" => noise(b"\x04\x22\x4D\x18"),
        // The content of an archive is not compressed, so it looks like a recording with damage at both ends.
        "cut_off.zip" => {
            let header = [&b"PK\x03\x04\x14\0"[..], &[0; 20], b"\x05\0\0\0r.bin"].concat();
            Recording(header).raw(&small().repeat(50)).raw(b"PK\x01\x02")
        }
        "begins_like_zip.bin" => Recording(b"PK\x03\x04\0".to_vec()).raw(&small().repeat(2)),
        "rounded.bin" => Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 16 })
            .at(0, VALUE)
            .at(64_000_000, VALUE),
        "twelve.bin" => Recording(small().repeat(12)),
        "faulty.bin" => Recording::default().at(20, DroppedEvtCnt { cnt: 2 }).raw(&[3, 50, 1, 0]),
        "late.bin" => Recording::default().at(100, runs(1)).at(110, runs(2)),
        "stray.bin" => Recording::default().at(3, runs(1)).at(100, runs(1)).at(110, runs(2)),
        "cut.bin" => stream(0, 5).raw(&[4, 84, 20]),
        "again.bin" => stream(0, 30),
        "other.bin" => stream(1, 6),
        _ => return example(name),
    };
    Some(events.0)
}

const VALUE: Event<'_> = Valmarker { valmarker_id: 1, val: 5 };

const fn runs(task_id: u32) -> Event<'static> {
    TaskSwitchedIn { task_id }
}

const fn marker(msg: &str) -> Event<'_> {
    Evtmarker { evtmarker_id: 1, msg: str(msg) }
}

const fn info(core_count: u32, flags: u32) -> Event<'static> {
    TraceInfo { format_version: 1, core_count, flags, kernel_version: None, tick_rate_hz: None }
}

/// The start of a recording with ticks of 1 us.
fn us() -> Recording {
    Recording::default().meta(TsResolutionNs { ns_per_ts: 1000 })
}

/// The same with tasks of these names, from 1 on.
fn tasks(names: &[&str]) -> Recording {
    let name = |it: Recording, (task_id, name)| it.meta(TaskName { task_id, name: str(name) });
    (1..).zip(names.iter().copied()).fold(us(), name)
}

fn with_flags(flags: u32) -> Recording {
    us().meta(info(1, flags)).at(10, VALUE)
}

fn names_lost(cnt: u32, size_needed: Option<u32>) -> Recording {
    let lost = MetadataDropped { core_id: 0, cnt, size_needed };
    Recording::default().meta(lost).raw(&by_hand())
}

/// A recording of one core with two events.
fn stream(core_id: u32, ts: u64) -> Recording {
    let start = Recording::default().at(0, CoreId { core_id });
    let start = start.meta(TsResolutionNs { ns_per_ts: 10 });
    start.at(ts, runs(core_id + 1)).at(ts + 9, runs(core_id + 1))
}

/// Bytes that are no recording, after those that another format begins with.
fn noise(begin: &[u8]) -> Recording {
    let noise = (0..9000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    Recording(begin.to_vec()).raw(&noise.collect::<Vec<_>>())
}

/// A fault of each kind.
fn faults() -> Recording {
    // The exit is before the damage, after which it might be right.
    let recording = Recording(by_hand()).at(310, IsrExit { isr_id: 1 });
    let recording = recording.raw(&[3, 50, 1, 0]).raw(&[9, 9, 0, 7, 7, 7, 0]);
    let recording = recording.at(290, runs(1)).at(320, DroppedEvtCnt { cnt: 2 });
    recording.at(330, DroppedEvtCnt { cnt: 9 }).raw(&[4, 84])
}

/// A marker at 50 us and at 250 us, from 10 us to 300 us.
fn marked() -> Recording {
    let start = us().meta(EvtmarkerName { evtmarker_id: 1, name: str("spot") });
    let start = start.at(10, runs(1)).at(50, marker("here")).at(60, runs(2)).at(100, runs(1));
    start.at(250, marker("here")).at(300, runs(2))
}

/// Kernel objects of each kind.
fn objects() -> Recording {
    let timer_id = 1;
    let received = TimerCommandReceived { timer_id, command: TimerCommand::START, value: 0 };
    us().meta(TimerName { timer_id, name: str("blink") })
        .at(1, runs(1))
        .at(2, StreamBufferCreated { stream_buffer_id: 1, size: 64, trigger_level: 1 })
        .at(3, StreamBufferSend { stream_buffer_id: 1, amount: 20, level_after: 20 })
        .at(4, StreamBufferSendFailed { stream_buffer_id: 1 })
        .at(5, EventGroupSetBits { event_group_id: 1, bits: 5, bits_after: 0xD })
        .at(6, TimerCreated { timer_id, period: 7, auto_reload: 1, callback: 9 })
        .at(7, received)
        .at(8, TimerExpired { timer_id, callback: 9 })
        .at(9, received)
        .at(10, HeapMalloc { address: 8, size: 40, bytes_free: Some(100) })
        .at(11, HeapMalloc { address: 0, size: 400, bytes_free: Some(100) })
        .at(12, HeapFree { address: 8, size: 40, bytes_free: Some(140) })
        .at(13, ApiEnter { function: 0 })
        .at(15, ApiReturn { function: 0, value: Some(1) })
        .at(16, QueueSend { queue_id: 1, len_after: 1 })
        .at(17, QueueSendFailed { queue_id: 1 })
        .at(18, QueueReceive { queue_id: 1, len_after: 0 })
        .at(19, QueueReceiveFailed { queue_id: 1 })
}

/// `high` waits for a semaphore that `low` holds and gives only once `medium` lets it run; then `medium` runs forever.
fn waits() -> Recording {
    let wakes = |task_id| TaskToRdyState { task_id };
    let (queue_id, ticks_to_wait) = (1, u32::MAX);
    let (take, give) =
        (QueueReceive { queue_id, len_after: 0 }, QueueSend { queue_id, len_after: 1 });
    let (kernel_version, tick_rate_hz) = (Some(110_200), Some(1000));
    let info =
        TraceInfo { format_version: 1, core_count: 1, flags: 1, kernel_version, tick_rate_hz };
    let mut recording = tasks(&["low", "medium", "high"])
        .meta(info)
        .meta(QueueName { queue_id, name: str("bus") })
        .meta(Event::QueueKind { queue_id, kind: QueueKind::BINARY_SEMAPHORE });
    for (task_id, priority) in [(1, 1), (2, 3), (3, 5)] {
        recording = recording.at(0, TaskPrioritySet { task_id, priority });
    }
    recording
        .at(0, runs(1))
        .at(100, take)
        .at(150, TaskStackHighWaterMark { task_id: 1, bytes: 72 })
        .at(200, wakes(3))
        .at(210, runs(3))
        .at(300, CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait })
        .at(310, runs(1))
        .at(400, wakes(2))
        .at(410, runs(2))
        .at(3410, CurtaskNotifyTake { index: 0, value: 0, value_after: 0 })
        .at(3410, CurtaskDelay { ticks: 1 })
        .at(3410, runs(1))
        .at(3500, give)
        .at(3505, wakes(3))
        .at(3510, runs(3))
        .at(3520, take)
        .at(4000, wakes(2))
        .at(4010, give)
        .at(4020, CurtaskDelay { ticks: 1 })
        .at(4030, runs(2))
        .at(9030, Valmarker { valmarker_id: 1, val: 0 })
}

/// A number of a task and one of a queue that two objects each use in turn, and a task that gets another name.
fn reused() -> Recording {
    let end = Valmarker { valmarker_id: 1, val: 0 };
    let task = |it: Recording, ts, name| {
        let it = it.at(ts - 20, TaskCreated { task_id: 1 });
        let it = it.meta(TaskName { task_id: 1, name: str(name) });
        it.at(ts - 10, TaskToRdyState { task_id: 1 }).at(ts, runs(1))
    };
    let queue = |it: Recording, ts, name, len_after| {
        let it = it.at(ts, QueueCreated { queue_id: 1 });
        let it = it.meta(QueueName { queue_id: 1, name: str(name) });
        it.at(ts, QueueSend { queue_id: 1, len_after })
    };
    let recording = us().meta(TaskName { task_id: 2, name: str("main") }).at(0, runs(2));
    let recording = queue(task(recording, 100, "first"), 110, "early", 7);
    let recording = recording.at(200, TaskDeleted { task_id: 1 }).at(200, runs(2));
    let recording = recording.at(210, QueueDeleted { queue_id: 1 });
    let recording = queue(task(recording, 300, "second"), 310, "late", 3);
    let recording = recording.at(440, runs(2)).at(450, end);
    recording.meta(TaskName { task_id: 2, name: str("renamed") }).at(500, end)
}

/// Tasks that have ended, one that never ran, and one that starves.
fn past() -> Recording {
    let recording = us()
        .meta(TaskName { task_id: 50, name: str("starved") })
        .meta(TaskName { task_id: 60, name: str("unused") })
        .at(1, TaskToRdyState { task_id: 50 })
        .at(1, runs(40));
    (1..=3).fold(recording, |it, task_id| {
        let ts = 100 * u64::from(task_id);
        it.at(ts, runs(task_id)).at(ts + 10, TaskDeleted { task_id }).at(ts + 10, runs(40))
    })
}
