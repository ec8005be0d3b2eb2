//! Triggers, which wait for a condition. The memory belongs to the shim, which has none if triggers are not compiled in.

use core::mem::{align_of, size_of};

use tband_core::trigger;
use tband_core::triggers::{
    ANY, COUNTS, NextAction, RELISTED, RecordedEvent, TRIGGERS, Trigger, Triggers,
};

/// The table that hooks read, and the triggers that were set. All zero: no trigger is armed.
#[repr(C)]
pub struct tband_trigger_state {
    /// By the id of an event: 0 if no trigger inspects it.
    pub watched: [u8; 256],
    private_words: [u32; 68],
}

const _: () = {
    assert!(size_of::<tband_trigger_state>() == size_of::<Triggers>());
    assert!(align_of::<tband_trigger_state>() >= align_of::<Triggers>());
};

/// Condition of a trigger: an event, whose id is the value.
pub const TBAND_TRIGGER_EVENT: u32 = 0;
/// Condition of a trigger: a queue has as many items as the value, or more.
pub const TBAND_TRIGGER_QUEUE_FULL: u32 = 1;
/// Condition of a trigger: a task begins to run more ticks of the timer than the value after it became ready.
pub const TBAND_TRIGGER_READY_WAIT: u32 = 2;
/// Condition of a trigger: a task has fewer bytes of stack left than the value.
pub const TBAND_TRIGGER_STACK: u32 = 3;
/// Condition of a trigger: a value marker equals the value or is greater.
pub const TBAND_TRIGGER_AT_LEAST: u32 = 4;
/// Condition of a trigger: a value marker equals the value or is less.
pub const TBAND_TRIGGER_AT_MOST: u32 = 5;
/// Condition of a trigger: a value marker equals the value.
pub const TBAND_TRIGGER_EQUAL: u32 = 6;
/// Condition of a trigger: an operation failed.
pub const TBAND_TRIGGER_FAILURE: u32 = 7;
/// Condition of a trigger: the firmware has crashed.
pub const TBAND_TRIGGER_CRASH: u32 = 8;
/// The object of a trigger: any.
pub const TBAND_TRIGGER_ANY: u32 = 0xFFFF_FFFF;
/// Result of `tband_lib_trigger_state_sees` when the recording must end.
pub const TBAND_TRIGGER_ENDS: u32 = 0x80;
/// Added to `from` of `tband_lib_trigger_state_sees`: when the recording ends, it stops.
pub const TBAND_TRIGGER_STOPS: u32 = 0x100;
/// `value` of `tband_lib_trigger_state_sees` for `task_to_rdy_state`: the kernel lists a task again that was ready
/// before.
pub const TBAND_TRIGGER_RELISTED: i64 = 1;

const _: () = {
    assert!(TBAND_TRIGGER_RELISTED == RELISTED);
    assert!(TBAND_TRIGGER_EVENT == trigger::EVENT as u32);
    assert!(TBAND_TRIGGER_QUEUE_FULL == trigger::QUEUE_FULL as u32);
    assert!(TBAND_TRIGGER_READY_WAIT == trigger::READY_WAIT as u32);
    assert!(TBAND_TRIGGER_STACK == trigger::STACK as u32);
    assert!(TBAND_TRIGGER_AT_LEAST == trigger::AT_LEAST as u32);
    assert!(TBAND_TRIGGER_AT_MOST == trigger::AT_MOST as u32);
    assert!(TBAND_TRIGGER_EQUAL == trigger::EQUAL as u32);
    assert!(TBAND_TRIGGER_FAILURE == trigger::FAILURE as u32);
    assert!(TBAND_TRIGGER_CRASH == trigger::CRASH as u32);
    assert!(TBAND_TRIGGER_ANY == ANY && TBAND_TRIGGER_ENDS == COUNTS as u32);
    assert!(TRIGGERS < TBAND_TRIGGER_ENDS as usize);
};

/// Returns the shim's triggers.
///
/// # Safety
/// `state` points to them.
unsafe fn triggers<'a>(state: *const tband_trigger_state) -> &'a Triggers {
    // SAFETY: the same size and alignment, see above; everything in it is atomic.
    unsafe { &*state.cast() }
}

/// Sets and arms a trigger; returns its number, or -1 if 7 are armed already or it would never fire. Inside the
/// critical section, and with the lock, like all functions here.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_set(
    state: *mut tband_trigger_state,
    condition: u32,
    of: u32,
    value: i64,
    nth: u32,
    after: u32,
) -> i32 {
    if condition > TBAND_TRIGGER_CRASH {
        return -1;
    }
    let trigger = Trigger { condition: condition as u8, of, value, nth, after };
    // SAFETY: the caller's promise.
    unsafe { triggers(state) }.set(&trigger).map_or(-1, |at| at as i32)
}

/// Arms a trigger as it was set, or disarms it. Returns false if it was never set.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_arm(
    state: *mut tband_trigger_state,
    at: u32,
    armed: bool,
) -> bool {
    // SAFETY: the caller's promise.
    let triggers = unsafe { triggers(state) };
    if armed { triggers.arm(at) } else { triggers.disarm(at) }
}

/// Returns true if the trigger is armed.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_is_armed(
    state: *const tband_trigger_state,
    at: u32,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { triggers(state) }.is_armed(at)
}

/// Prepares the triggers for the start of a recording.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_start(state: *mut tband_trigger_state) {
    // SAFETY: the caller's promise.
    unsafe { triggers(state) }.start();
}

/// Marks the states of tasks as unknown, because events of tasks were left out.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_forget(state: *mut tband_trigger_state) {
    // SAFETY: the caller's promise.
    unsafe { triggers(state) }.forget();
}

/// Called after an event was recorded on this core; returns the next action, which the caller performs without the
/// lock. 0: none. `TBAND_TRIGGER_ENDS`: record the event `frozen`, with `n`; then the recording ends. Otherwise: record
/// the event `trigger`, with `n` and `is`, and call this function again with its result as `from`, which is 0 in the
/// first call. `TBAND_TRIGGER_STOPS` may be added to `from`.
///
/// # Safety
/// `state` is the shim's, and `n` and `is` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_sees(
    state: *mut tband_trigger_state,
    from: u32,
    id: u32,
    number: u32,
    value: i64,
    now: u32,
    core: u32,
    n: *mut u32,
    is: *mut i64,
) -> u32 {
    let stops = from & TBAND_TRIGGER_STOPS != 0;
    let seen = RecordedEvent { id: id as u8, number, value, now, core };
    // SAFETY: the caller's promise.
    unsafe {
        match triggers(state).evaluate(&seen, from & (TBAND_TRIGGER_ENDS - 1), stops) {
            NextAction::Nothing => 0,
            NextAction::Fired { at, n: fired, is: fact } => {
                n.write(fired);
                is.write(fact);
                at.wrapping_add(1)
            }
            NextAction::Frozen { n: fired } => {
                n.write(fired);
                TBAND_TRIGGER_ENDS
            }
        }
    }
}

/// Returns how often any trigger has fired since the last reset, modulo 2^32.
///
/// # Safety
/// `state` is the shim's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_trigger_state_fired(state: *const tband_trigger_state) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { triggers(state) }.fired()
}
