//! Triggers: what the firmware waits for, so that the recording ends soon after it. Needs `tband_configUSE_TRIGGERS` 1 in
//! `tband_config.h`: a program that calls these without does not link.
//!
//! ```no_run
//! use tband::trigger::{Condition, NotArmed};
//!
//! const RX_QUEUE: u32 = 3;
//! const LEVEL: u32 = 1;
//!
//! fn wait_for_trouble() -> Result<(), NotArmed> {
//!     Condition::queue_full(RX_QUEUE, 8).after(500).arm()?;
//!     let high = Condition::value_at_least(LEVEL, 5000).nth(3).arm()?;
//!     high.disarm();
//!     Ok(())
//! }
//! ```
//!
//! An armed trigger fires once, right after the event that it waits for, and records the event `trigger` there. After the
//! requested number of further events the recording is frozen: a snapshot and the post-mortem ring stop; in a stream the event
//! `frozen` notifies the host. Up to 7 triggers are armed at a time. They stay armed when a recording starts.

use core::error::Error;
use core::fmt;

use tband_format::trigger::{
    AT_LEAST, AT_MOST, CRASH, EQUAL, EVENT, FAILURE, QUEUE_FULL, READY_WAIT, STACK,
};

/// Whatever object it is.
const ANY: u32 = u32::MAX;
/// Number of events that follow, unless the program sets another.
const AFTER: u32 = 100;

/// No trigger was armed: 7 triggers are armed already, the condition can never hold, or the caller is a task without privileges
/// or the function that takes frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotArmed;

impl fmt::Display for NotArmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("7 triggers are armed already, or this one can never fire")
    }
}

impl Error for NotArmed {}

/// The condition of a trigger. The trigger fires the first time the condition holds, and 100 events follow it, unless
/// [`nth`](Self::nth) and [`after`](Self::after) set other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "nothing waits for it until it is armed"]
pub struct Condition {
    condition: u8,
    of: u32,
    value: i64,
    nth: u32,
    after: u32,
}

impl Condition {
    const fn new(condition: u8, of: u32, value: i64) -> Self {
        Self { condition, of, value, nth: 1, after: AFTER }
    }

    const fn of_any(condition: u8, of: Option<u32>, value: i64) -> Self {
        let of = match of {
            Some(number) => number,
            None => ANY,
        };
        Self::new(condition, of, value)
    }

    /// Fires at an event of this id, whose first number is that of the object; `None`: any. Calls `tband_trigger_event`.
    pub const fn event(id: u8, object: Option<u32>) -> Self {
        Self::of_any(EVENT, object, id as i64)
    }

    /// Fires when a queue contains at least this many items. Needs the class `QUEUE`. Calls `tband_trigger_queue_full`.
    pub const fn queue_full(queue: u32, length: u32) -> Self {
        Self::new(QUEUE_FULL, queue, length as i64)
    }

    /// Fires when a task begins to run more than `ticks` ticks of the port's timer after it was woken. Less than a wrap of 32
    /// bits. Needs the class `TASK`. Calls `tband_trigger_ready_wait`.
    pub const fn ready_wait(task: u32, ticks: u32) -> Self {
        Self::new(READY_WAIT, task, ticks as i64)
    }

    /// Fires when fewer than `bytes` bytes of the stack of a task, or of any, were never used. Needs the class `STACK`. Calls
    /// `tband_trigger_stack`.
    pub const fn stack(task: Option<u32>, bytes: u32) -> Self {
        Self::of_any(STACK, task, bytes as i64)
    }

    /// Fires when a value marker equals this value or is greater. Calls `tband_trigger_value`.
    pub const fn value_at_least(marker: u32, value: i64) -> Self {
        Self::new(AT_LEAST, marker, value)
    }

    /// Fires when a value marker equals this value or is less.
    pub const fn value_at_most(marker: u32, value: i64) -> Self {
        Self::new(AT_MOST, marker, value)
    }

    /// Fires when a value marker equals this value.
    pub const fn value_is(marker: u32, value: i64) -> Self {
        Self::new(EQUAL, marker, value)
    }

    /// Fires at a failure for the object of this number, or any: of a send, a receive or a peek, a give or a take; or of a
    /// creation. Needs the classes that report it, such as `QUEUE_EXTRA`. Calls `tband_trigger_failure`.
    pub const fn failure(object: Option<u32>) -> Self {
        Self::of_any(FAILURE, object, 0)
    }

    /// Fires when a crash was recorded. It is the last event of a snapshot and of the post-mortem ring, so no events follow
    /// unless [`after`](Self::after) requests some. Calls `tband_trigger_crash`.
    pub const fn crash() -> Self {
        Self::new(CRASH, ANY, 0).after(0)
    }

    /// Fires the n-th time that the condition holds, from 1 on.
    pub const fn nth(self, nth: u32) -> Self {
        Self { nth, ..self }
    }

    /// Sets the number of events that are recorded after it.
    pub const fn after(self, after: u32) -> Self {
        Self { after, ..self }
    }

    /// Arms the trigger: it waits for the condition, in this recording and in later ones, until it fires once. Cost: about 700
    /// instructions in a critical section; the event that fires takes as many more. Calls `tband_trigger_arm`.
    ///
    /// # Errors
    /// [`NotArmed`] if 7 are armed already, or if the condition can never hold, because no trigger inspects the event or `nth` is
    /// 0.
    #[inline]
    pub fn arm(self) -> Result<Trigger, NotArmed> {
        let Self { condition, of, value, nth, after } = self;
        if_enabled!(
            match u8::try_from(crate::sys::tband_trigger_arm(
                condition.into(),
                of,
                value,
                nth,
                after
            )) {
                Ok(number) => Ok(Trigger { number }),
                Err(_) => Err(NotArmed),
            },
            Ok(Trigger { number: 0 })
        )
    }
}

/// A trigger of this firmware, by its number. After it has fired, and after it is disarmed, another one that is armed may get its
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trigger {
    number: u8,
}

impl Trigger {
    /// Returns the trigger with this number, from 0 on. The program or the host may have armed it.
    #[must_use]
    pub const fn of_number(number: u8) -> Self {
        Self { number }
    }

    /// Returns its number, as in the event `trigger` and in `tband-cli command`.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// Arms it again, as it was set last, whether it is armed or not. False if it was never set. Calls `tband_trigger_rearm`.
    #[inline]
    pub fn rearm(self) -> bool {
        if_enabled!(crate::sys::tband_trigger_rearm(self.number.into()) == 0, true)
    }

    /// Disarms the trigger. Returns false if it was never set. Calls `tband_trigger_disarm`.
    #[inline]
    pub fn disarm(self) -> bool {
        if_enabled!(crate::sys::tband_trigger_disarm(self.number.into()) == 0, true)
    }

    /// Returns whether the trigger is armed and has not fired yet. Calls `tband_trigger_is_armed`.
    #[inline]
    #[must_use]
    pub fn is_armed(self) -> bool {
        if_enabled!(crate::sys::tband_trigger_is_armed(self.number.into()), false)
    }
}

/// Returns how often any trigger has fired since the last reset, modulo 2^32. 0 for a task without privileges. Calls
/// `tband_trigger_count`.
#[inline]
#[must_use]
pub fn count() -> u32 {
    if_enabled!(crate::sys::tband_trigger_count(), 0)
}
