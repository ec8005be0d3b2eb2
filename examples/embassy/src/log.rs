//! The program's own log of polls and wakes, with the time of another clock. Only for the check; omit it.
//!
//! It sees them from inside the tasks: each task's future is in one that notes its polls, and wakers are in ones that
//! note the wakes. The executor and its trace functions have no part in it.

use core::cell::{Cell, RefCell};
use core::fmt::Write as _;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, RawWaker, RawWakerVTable, Waker};

use cortex_m::peripheral::SCB;
use cortex_m::peripheral::scb::{Exception, VectActive};
use critical_section::{CriticalSection, Mutex};

use crate::board::{self, Text};

const ROOM: usize = 4000;

#[derive(Clone, Copy)]
struct Note {
    at: u32,
    what: &'static str,
    task: &'static str,
    /// Who woke it.
    by: &'static str,
}

struct Log {
    notes: [Note; ROOM],
    len: usize,
    is_on: bool,
    /// The task whose poll is the innermost.
    running: &'static str,
}

static LOG: Mutex<RefCell<Log>> = Mutex::new(RefCell::new(Log {
    notes: [Note { at: 0, what: "", task: "", by: "" }; ROOM],
    len: 0,
    is_on: true,
    running: "-",
}));

fn note(section: CriticalSection<'_>, what: &'static str, task: &'static str, by: &'static str) {
    let mut log = LOG.borrow_ref_mut(section);
    if log.is_on {
        let len = log.len;
        log.notes[len] = Note { at: board::clock(), what, task, by };
        log.len += 1;
    }
}

/// Replaces the running task; the previous one.
fn run(section: CriticalSection<'_>, task: &'static str) -> &'static str {
    core::mem::replace(&mut LOG.borrow_ref_mut(section).running, task)
}

/// A task of the log.
pub struct Subject {
    name: &'static str,
    /// The executor's.
    waker: Mutex<Cell<Option<Waker>>>,
}

impl Subject {
    pub const fn new(name: &'static str) -> Self {
        Self { name, waker: Mutex::new(Cell::new(None)) }
    }

    fn wake(&self) {
        critical_section::with(|section| {
            let by = match SCB::vect_active() {
                VectActive::Exception(Exception::SysTick) => "SysTick",
                _ => LOG.borrow_ref(section).running,
            };
            note(section, "wake", self.name, by);
            let cell = self.waker.borrow(section);
            if let Some(waker) = cell.take() {
                waker.wake_by_ref();
                cell.set(Some(waker));
            }
        });
    }

    fn waker(&'static self) -> Waker {
        // SAFETY: the table's functions take a subject that lives forever, and may be called anywhere.
        unsafe { Waker::new((&raw const *self).cast(), &WAKES) }
    }
}

static WAKES: RawWakerVTable = RawWakerVTable::new(
    |subject| RawWaker::new(subject, &WAKES),
    // SAFETY: a subject, see `Subject::waker`.
    |subject| unsafe { &*subject.cast::<Subject>() }.wake(),
    // SAFETY: likewise.
    |subject| unsafe { &*subject.cast::<Subject>() }.wake(),
    |_| {},
);

/// Notes the polls of a task and its wakes.
pub async fn logged<T>(subject: &'static Subject, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = subject.waker();
    poll_fn(|context| {
        let outer = critical_section::with(|section| {
            subject.waker.borrow(section).set(Some(context.waker().clone()));
            note(section, "begin", subject.name, "-");
            run(section, subject.name)
        });
        let result = future.as_mut().poll(&mut Context::from_waker(&waker));
        critical_section::with(|section| {
            let what = if result.is_ready() { "end" } else { "pend" };
            note(section, what, subject.name, "-");
            run(section, outer);
        });
        result
    })
    .await
}

/// The recording has ended.
pub fn stop() {
    critical_section::with(|section| LOG.borrow_ref_mut(section).is_on = false);
}

/// Writes the log: a line with both clocks at one time, and one for each note.
pub fn write() -> bool {
    let Some(file) = board::File::create(c"log.txt") else { return false };
    critical_section::with(|section| {
        let log = LOG.borrow_ref(section);
        let mut text = Text::<100>::new();
        let _ = writeln!(text, "{} {}", board::clock(), board::counter());
        let mut is_written = file.write(text.as_bytes());
        for Note { at, what, task, by } in &log.notes[..log.len] {
            let mut text = Text::<100>::new();
            let _ = writeln!(text, "{at} {what} {task} {by}");
            is_written &= file.write(text.as_bytes());
        }
        is_written && file.close()
    })
}
