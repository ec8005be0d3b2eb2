//! embassy: async tasks on a Cortex-M3, recorded by the executor's trace functions. The program also keeps a log, so
//! that the recording can be checked.
//!
//! A sensor sends a sample every 5 ms to a filter, which is preempted by a task of an interrupt executor. That task
//! wakes a listener. A worker is spawned again and again. Lines with `logged` are for the check; omit them.

#![no_std]
#![no_main]

mod board;
mod log;
mod tasks;
mod time;

use core::ffi::CStr;
use core::fmt::Write as _;
use core::panic::PanicInfo;

use cortex_m_rt::{entry, exception};
use embassy_executor::{Executor, InterruptExecutor, SpawnError, SpawnToken};
use static_cell::StaticCell;

use board::{DOORBELL, Text};

static THREAD: StaticCell<Executor> = StaticCell::new();
/// Its tasks run in the handler of an interrupt that no device has.
static URGENT: InterruptExecutor = InterruptExecutor::new();

/// Priorities of the executors, for the recording only.
pub const IN_THREAD: u32 = 1;
const IN_INTERRUPT: u32 = 2;

/// A task with a name. It panics if the task exists already.
pub fn named<S>(
    task: Result<SpawnToken<S>, SpawnError>,
    name: &'static CStr,
    priority: u32,
) -> SpawnToken<S> {
    let token = task.unwrap();
    tband::embassy::name_task(token.id(), name, priority);
    token
}

#[entry]
fn main() -> ! {
    board::start_clock();
    tband::streaming::start().expect("the recording has not started yet");
    time::start();
    board::set_priority(DOORBELL, 0x80);
    URGENT.start(DOORBELL).spawn(named(tasks::alarm(), c"alarm", IN_INTERRUPT));
    THREAD.init(Executor::new()).run(|spawner| {
        spawner.spawn(named(tasks::sensor(spawner), c"sensor", IN_THREAD));
        spawner.spawn(named(tasks::filter(), c"filter", IN_THREAD));
        spawner.spawn(named(tasks::listener(), c"listener", IN_THREAD));
        // Not named: its name is that of its number.
        spawner.spawn(tasks::control().unwrap());
    })
}

/// The handler of all interrupts that have no other.
#[exception]
unsafe fn DefaultHandler(interrupt: i16) {
    assert!(interrupt == i16::from(DOORBELL.0), "no device of the board is in use");
    // SAFETY: this is its interrupt, which `start` has enabled.
    unsafe { URGENT.on_interrupt() }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut text = Text::<200>::new();
    let _ = writeln!(text, "{info}");
    board::print(text.as_bytes());
    board::exit(1)
}
