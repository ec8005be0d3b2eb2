//! The application: tasks in Rust that use what FreeRTOS has, with markers of all kinds in use.
//!
//! A producer fills a queue; a consumer empties it, adds the values under a mutex and notifies a
//! reporter; an interrupt feeds a reader; a spawner makes short-lived tasks; a timer fires periodically.
//! The control task waits for all of them, then ends recording and scheduler. Lines with `notes` are for
//! the check; omit them.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use freertos_rust::{
    CriticalRegion, CurrentTask, Duration, FreeRtosError, Mutex, MutexInnerImpl as _, Queue,
    Semaphore, Task, TaskNotification, TaskPriority, Timer,
};
use tband::freertos::{TaskEventMarker, TaskValueMarker, name_queue};
use tband::{EventMarker, Text, ValueMarker};

use crate::truth::Notes;
use crate::{interrupts, kernel, truth};

const ITEMS_PER_ROUND: u32 = 6;
const BYTES_PER_ROUND: u32 = 2;

const PHASE: EventMarker = EventMarker::new(1);
const BATCH: EventMarker = EventMarker::new(2);
const LINE: ValueMarker = ValueMarker::new(1);
const WORK: TaskEventMarker = TaskEventMarker::new(1);
const PROGRESS: TaskValueMarker = TaskValueMarker::new(1);

/// Objects that tasks and interrupts share.
pub struct Objects {
    /// From the producer to the consumer, which is slower.
    samples: Queue<u32>,
    /// From the UART's interrupt to the reader.
    pub line: Queue<u8>,
    /// Sum of all samples so far.
    total: Mutex<u64>,
    /// Given once by everything that has done its work.
    done: Semaphore,
    heartbeat: Timer,
}

pub static OBJECTS: OnceLock<Objects> = OnceLock::new();

/// Creates objects and tasks. Before the scheduler starts, while the recording is on.
pub fn create(rounds: u32) -> Result<(), FreeRtosError> {
    PHASE.name(c"phase");
    BATCH.name(c"batch");
    LINE.name(c"line");
    interrupts::name();

    let objects = create_objects(rounds)?;
    type Body = fn(&'static Objects, u32);
    let tasks: [(&str, u8, Body); 5] = [
        ("control", 7, control),
        ("reader", 5, reader),
        ("producer", 3, producer),
        ("spawner", 3, spawner),
        ("consumer", 2, consumer),
    ];
    let notes = Notes::of(""); // no task runs yet
    for (name, priority, body) in tasks {
        start(&notes, name, priority, move || body(objects, rounds))?;
    }
    Ok(())
}

fn create_objects(rounds: u32) -> Result<&'static Objects, FreeRtosError> {
    let mut total = Mutex::new(0)?;
    Notes::of("").add("queue_send", "total"); // a new mutex is given once
    // SAFETY: a mutex that exists.
    unsafe { name_queue(total.inner_mutex_mut().raw_handle(), c"total") };
    let beats = AtomicU32::new(0);
    let heartbeat = Timer::new(Duration::ms(5))
        .set_name("heartbeat")
        .create(move |timer| beat(timer, beats.fetch_add(1, Relaxed) + 1, rounds))?;
    let objects = Objects {
        samples: Queue::new(4)?,
        line: Queue::new(4)?,
        total,
        done: Semaphore::new_counting(6, 0)?,
        heartbeat,
    };
    // SAFETY: queues and a semaphore that exist.
    unsafe {
        name_queue(objects.samples.raw_handle(), c"samples");
        name_queue(objects.line.raw_handle(), c"line");
        name_queue(objects.done.raw_handle(), c"done");
    }
    Ok(OBJECTS.get_or_init(|| objects))
}

fn start(
    notes: &Notes,
    name: &str,
    priority: u8,
    body: impl FnOnce() + Send + 'static,
) -> Result<Task, FreeRtosError> {
    // The POSIX port creates a thread, for which a task that a tick interrupts would hold locks.
    let _ticks_off = CriticalRegion::enter();
    notes.add("task_created", name);
    Task::new().name(name).stack_size(512).priority(TaskPriority(priority)).start(move |_| body())
}

fn finish(notes: &Notes, objects: &Objects) -> ! {
    notes.add("queue_send", "done");
    objects.done.give();
    loop {
        CurrentTask::suspend();
    }
}

fn producer(objects: &'static Objects, rounds: u32) {
    let notes = Notes::of("producer");
    for round in 0..rounds {
        {
            notes.add("evtmarker_begin", "batch six samples");
            let _span = BATCH.span(c"six samples");
            for item in 0..ITEMS_PER_ROUND {
                notes.add("queue_send", "samples");
                let sample = round * ITEMS_PER_ROUND + item;
                assert!(objects.samples.send(sample, Duration::infinite()).is_ok());
            }
            notes.add("evtmarker_end", "batch");
        }
        notes.add("curtask_delay", "10");
        CurrentTask::delay(Duration::ms(10));
    }
    finish(&notes, objects)
}

fn consumer(objects: &'static Objects, rounds: u32) {
    let notes = Notes::of("consumer");
    let reporter = start(&notes, "reporter", 4, move || reporter(objects, rounds));
    let reporter = reporter.expect("memory");
    PROGRESS.name(c"samples seen");
    for seen in 1..=rounds * ITEMS_PER_ROUND {
        notes.add("queue_receive", "samples");
        let sample = objects.samples.receive(Duration::infinite()).expect("a sample");
        notes.add("queue_receive", "total");
        if let Ok(mut total) = objects.total.lock(Duration::infinite()) {
            *total += u64::from(sample);
            notes.add("queue_send", "total");
        }
        notes.add("task_valmarker", &format!("samples seen {seen}"));
        PROGRESS.set(seen.into());
        if seen % ITEMS_PER_ROUND == 0 {
            reporter.notify(TaskNotification::Increment);
        }
    }
    finish(&notes, objects)
}

/// A span around each report, with a text that is made at run time.
fn reporter(objects: &'static Objects, rounds: u32) {
    let notes = Notes::of("reporter");
    WORK.name(c"report");
    for _ in 0..rounds {
        CurrentTask::take_notification(false, Duration::infinite());
        notes.add("task_evtmarker_begin", "report ");
        let _span = WORK.span(c"");
        notes.add("queue_receive", "total");
        let total = objects.total.lock(Duration::infinite()).map(|total| {
            notes.add("queue_send", "total");
            *total
        });
        let mut text = Text::<20>::new();
        let _ = write!(text, "total {}", total.expect("no thread holds the mutex"));
        notes.add("task_evtmarker", &format!("report {}", text.to_string_lossy()));
        WORK.instant(&text);
        notes.add("task_evtmarker_end", "report");
    }
    finish(&notes, objects)
}

fn reader(objects: &'static Objects, rounds: u32) {
    let notes = Notes::of("reader");
    for _ in 0..rounds * BYTES_PER_ROUND {
        notes.add("queue_receive", "line");
        let byte = objects.line.receive(Duration::infinite()).expect("a byte");
        notes.add("valmarker", &format!("line {byte}"));
        LINE.set(byte.into());
    }
    finish(&notes, objects)
}

/// Tasks of a higher priority, which run at once and end by returning.
fn spawner(objects: &'static Objects, rounds: u32) {
    let notes = Notes::of("spawner");
    for round in 0..rounds {
        let name = format!("worker-{round:02}");
        let its_notes = Notes::of(&name);
        let its_name = name.clone();
        let worker = move || {
            WORK.name(c"work");
            its_notes.add("task_evtmarker", "work done");
            WORK.instant(c"done");
            its_notes.add("task_deleted", &its_name);
        };
        start(&notes, &name, 5, worker).expect("memory");
        notes.add("curtask_delay", "8");
        CurrentTask::delay(Duration::ms(8)); // the idle task frees what the worker leaves
    }
    finish(&notes, objects)
}

/// In the timer task: once a round, then the timer stops itself.
fn beat(timer: &Timer, beats: u32, rounds: u32) {
    let notes = Notes::of("Tmr Svc");
    if beats == 1 {
        PROGRESS.name(c"beats");
    }
    if beats <= rounds {
        notes.add("task_valmarker", &format!("beats {beats}"));
        PROGRESS.set(beats.into());
    }
    if beats == rounds {
        let _ = timer.stop(Duration::zero());
        notes.add("queue_send", "done");
        OBJECTS.get().map(|objects| objects.done.give());
    }
}

fn control(objects: &'static Objects, _rounds: u32) {
    let notes = Notes::of("control");
    notes.add("evtmarker_begin", "phase all at work");
    PHASE.begin(c"all at work");
    objects.heartbeat.start(Duration::zero()).expect("room in the timer's queue");
    for _ in 0..6 {
        notes.add("queue_receive", "done");
        objects.done.take(Duration::infinite()).expect("no time limit");
    }
    notes.add("evtmarker_end", "phase");
    PHASE.end();
    notes.add("evtmarker", "phase done");
    PHASE.instant(c"done");
    let stopped = {
        let _ticks_off = CriticalRegion::enter();
        truth::freeze();
        tband::streaming::stop()
    };
    assert_eq!(stopped, Ok(()), "the recording was on");
    kernel::end_scheduler()
}
