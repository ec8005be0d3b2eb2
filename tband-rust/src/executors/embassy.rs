//! Tasks of [embassy-executor](https://docs.rs/embassy-executor), recorded by the functions that its feature `trace` calls. Needs
//! `tband_configUSE_SCHEDULER` 1.
//!
//! Turn on feature `embassy` of this crate and `trace` of embassy-executor 0.10. Each poll is a run of its task, and each wake a
//! wake-up by the open interrupt or the running task. A poll of an interrupt executor preempts that of a less urgent one. The idle task runs
//! between the polls, while the core sleeps and while an executor selects the next task.
//!
//! Name a task between its creation and its spawn:
//!
//! ```ignore
//! let token = sensor().unwrap();
//! tband::embassy::name_task(token.id(), c"sensor", 1);
//! spawner.spawn(token);
//! ```
//!
//! **Tasks.** There is room for [`CAPACITY`] tasks that exist at a time; the environment variable `TBAND_EMBASSY_TASKS` of the build
//! sets it. All further ones are recorded as one task, "other tasks".
//!
//! **Interrupts.** Call [`Interrupt::enter`](crate::Interrupt::enter) in handlers. A handler without the call that wakes a task, such as one
//! in a crate of drivers, is recorded on Cortex-M for the moment of the wake, by the number of its exception (IPSR: 16 and that of its
//! line); on other CPUs the interrupted task counts as the waker. Do not call it in the handler of an interrupt executor, which runs
//! tasks. Handlers that call it must not be interrupted by an executor: give them a more urgent priority.
//!
//! **Cores.** Executors run on up to eight cores. An executor in a thread of another operating system is not supported.
//!
//! **Cost.** Two or three events per poll, and one per wake, each in a critical section of the crate `critical-section` that includes
//! a search of the table. The table has 20 bytes per task.

use core::cell::RefCell;
use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, Ordering};

use critical_section::Mutex;
use tband_format::Event;

use super::{CORES, Caller, Executors, Name, Step, capacity, default_name};
use crate::record;
use crate::scheduler::Task;

/// Tasks with numbers of their own: `TBAND_EMBASSY_TASKS` when this crate was built, or 32.
pub const CAPACITY: usize = capacity(option_env!("TBAND_EMBASSY_TASKS"));

static EXECUTORS: Mutex<RefCell<Executors<CAPACITY>>> = Mutex::new(RefCell::new(Executors::new()));

/// By core: the exception of the innermost handler that has reported itself; 0: none.
static REPORTED: [AtomicU32; CORES] = [const { AtomicU32::new(0) }; CORES];

/// Returns the number of the exception whose handler calls; 0: none, or a CPU that does not tell.
fn exception() -> u32 {
    #[cfg(cortex_m)]
    {
        let ipsr: u32;
        // SAFETY: it reads a register, which is always allowed.
        unsafe {
            core::arch::asm!("mrs {}, IPSR", out(reg) ipsr, options(nomem, nostack, preserves_flags));
        }
        // Above the number are zeros.
        ipsr
    }
    #[cfg(not(cortex_m))]
    0
}

fn reported() -> Option<&'static AtomicU32> {
    REPORTED.get(if_enabled!(crate::sys::tband_scheduler_core(), 0) as usize)
}

/// Notes that the handler that calls has reported itself. Returns the earlier note, for [`restore_reported`].
pub(crate) fn note_reported() -> u32 {
    let Some(reported) = reported() else { return 0 };
    let outer = reported.load(Ordering::Relaxed);
    reported.store(exception(), Ordering::Relaxed);
    outer
}

/// Reverses [`note_reported`].
pub(crate) fn restore_reported(outer: u32) {
    if let Some(reported) = reported() {
        reported.store(outer, Ordering::Relaxed);
    }
}

/// Names a task before it is spawned, by the id of its `SpawnToken`. A higher priority is a larger number: usually 1 for the tasks of
/// the executor in thread mode, and more for those of interrupt executors. Without this call the name is "task" with the task's
/// number, and the priority 1.
#[inline]
pub fn name_task(id: u32, name: &'static CStr, priority: u32) {
    update(|executors, _| executors.name(id, name, priority));
}

/// Changes the table, and records the steps in the same critical section: no interrupt may come between the decision that a task
/// waits and the record of it.
fn update(change: impl FnOnce(&mut Executors<CAPACITY>, Caller)) {
    if cfg!(feature = "enable") {
        critical_section::with(|section| {
            // Nothing below calls the executor, so the table is not borrowed here.
            if let Ok(mut executors) = EXECUTORS.borrow(section).try_borrow_mut() {
                let core = if_enabled!(crate::sys::tband_scheduler_core(), 0);
                let reported = reported().map_or(0, |it| it.load(Ordering::Relaxed));
                change(&mut executors, Caller { core, exception: exception(), reported });
            }
        });
    }
}

fn record(step: Step) {
    match step {
        Step::Create { task, name, priority } => {
            let default = default_name(task);
            let name = match name {
                Name::Given(name) => name,
                Name::Default => default.as_c_str(),
                Name::Others => c"other tasks",
            };
            Task::new(task).create(name, priority);
        }
        Step::CreateIdle { task, core } => {
            Task::new(task).create(c"idle", 0);
            Task::new(task).is_idle(core);
        }
        Step::Ready(task) => Task::new(task).ready(),
        Step::Run(task) => Task::new(task).run(),
        Step::Block => Task::block(),
        Step::End(task) => Task::new(task).end(),
        Step::Enter(number) => record::number(&Event::IsrEnter { isr_id: 0 }, number),
        Step::Exit(number) => record::number(&Event::IsrExit { isr_id: 0 }, number),
    }
}

// What the feature `trace` of embassy-executor calls. The first argument is the executor; the order of its polls is known without.

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_poll_start(_executor: u32) {
    update(|executors, caller| executors.start(caller, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_task_new(_executor: u32, task: u32) {
    update(|executors, caller| executors.create(caller.core, task, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_task_end(_executor: u32, _task: u32) {
    update(|executors, caller| executors.end(caller.core, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_task_exec_begin(_executor: u32, task: u32) {
    update(|executors, caller| executors.begin(caller.core, task, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_task_exec_end(_executor: u32, _task: u32) {
    update(|executors, caller| executors.finish(caller.core, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_task_ready_begin(_executor: u32, task: u32) {
    update(|executors, caller| executors.wake(caller, task, &mut record));
}

#[unsafe(no_mangle)]
extern "Rust" fn _embassy_trace_executor_idle(_executor: u32) {}
