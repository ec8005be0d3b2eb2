//! Triggers: what the events `trigger` and `frozen` speak of.

use core::fmt;

use crate::registry::by_id;

/// The condition of a trigger. Recordings contain the numbers, so they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Number, as in events and in the constants of C.
    pub number: u8,
    /// Its name in reports.
    pub name: &'static str,
    /// Events that it inspects. If empty, the caller that sets the trigger selects one.
    pub events: &'static [u8],
}

/// An event of one id.
pub const EVENT: u8 = 0;
/// A queue has as many items as the trigger's value, or more.
pub const QUEUE_FULL: u8 = 1;
/// A task runs more ticks of the timer after it was ready than the trigger's value.
pub const READY_WAIT: u8 = 2;
/// A task has fewer bytes of stack that were never used than the trigger's value.
pub const STACK: u8 = 3;
/// A value marker is the trigger's value or more.
pub const AT_LEAST: u8 = 4;
/// A value marker is the trigger's value or less.
pub const AT_MOST: u8 = 5;
/// A value marker is the trigger's value.
pub const EQUAL: u8 = 6;
/// An operation failed: a send, a receive, a take, a creation.
pub const FAILURE: u8 = 7;
/// The firmware has crashed.
pub const CRASH: u8 = 8;

/// A task becomes ready to run.
pub const READY: u8 = 85;
/// A task starts to run.
pub const RUNS: u8 = 84;
/// An interrupt resumes a task. It becomes ready, even if the scheduler is suspended and lists it later.
pub const RESUMED_FROM_ISR: u8 = 87;
/// A task is suspended.
pub const SUSPENDED: u8 = 88;
/// A task inherits the priority of a task that waits for its mutex.
pub const INHERITS: u8 = 92;
/// A task is deleted.
pub const DELETED: u8 = 98;

/// All conditions, by their numbers.
pub const CONDITIONS: [Condition; 9] = [
    Condition { number: EVENT, name: "event", events: &[] },
    Condition { number: QUEUE_FULL, name: "queue full", events: &[102, 103, 104, 105] },
    Condition {
        number: READY_WAIT,
        name: "long wait to run",
        events: &[READY, RUNS, RESUMED_FROM_ISR, SUSPENDED, INHERITS, DELETED],
    },
    Condition { number: STACK, name: "little stack left", events: &[194] },
    Condition { number: AT_LEAST, name: "value high", events: &[11] },
    Condition { number: AT_MOST, name: "value low", events: &[11] },
    Condition { number: EQUAL, name: "value reached", events: &[11] },
    Condition {
        number: FAILURE,
        name: "failure",
        events: &[150, 151, 152, 153, 178, 179, 180, 181, 182, 183, 186, 188, 189],
    },
    Condition { number: CRASH, name: "crash", events: &[225] },
];

/// Returns the condition with this number.
#[must_use]
pub fn condition(number: u8) -> Option<&'static Condition> {
    CONDITIONS.get(usize::from(number))
}

/// Field `is` of the event `trigger`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriggerState {
    /// The trigger's number, as firmware knows it.
    pub trigger: u8,
    /// Its condition.
    pub condition: u8,
    /// The event that it fired at.
    pub event: u8,
    /// The object of that event: its first number, or 0.
    pub of: u32,
}

impl TriggerState {
    /// Reads the field.
    #[must_use]
    pub const fn read(is: i64) -> Self {
        Self {
            trigger: (is >> 48) as u8,
            condition: (is >> 40) as u8,
            event: (is >> 32) as u8,
            of: is as u32,
        }
    }

    /// Returns the value of the field.
    #[must_use]
    pub const fn write(self) -> i64 {
        let high = (self.trigger as u32) << 16 | (self.condition as u32) << 8 | self.event as u32;
        ((high as i64) << 32) | self.of as i64
    }
}

impl fmt::Display for TriggerState {
    /// Writes, for example, `queue full, queue_send 7, trigger 2 of the firmware`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match condition(self.condition) {
            Some(condition) => write!(f, "{}", condition.name)?,
            None => write!(f, "condition {}", self.condition)?,
        }
        if let Some(event) = by_id(self.event) {
            // For a crash the name of the condition is enough.
            if self.condition != CRASH {
                write!(f, ", {}", event.name)?;
            }
            // The object of the event.
            if event.fields.first().is_some_and(|field| field.name.ends_with("_id")) {
                write!(f, " {}", self.of)?;
            }
        } else {
            write!(f, ", event {} {}", self.event, self.of)?;
        }
        write!(f, ", trigger {} of the firmware", self.trigger)
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::ToString;

    use super::*;

    #[test]
    fn describes_the_firing_event_in_words() {
        let fired =
            |condition, event| TriggerState { trigger: 2, condition, event, of: 7 }.to_string();
        for (condition, event, text) in [
            (QUEUE_FULL, 102, "queue full, queue_send 7"),
            (EVENT, 86, "event, task_resumed 7"),
            (CRASH, 225, "crash"),
            (200, 250, "condition 200, event 250 7"),
        ] {
            assert_eq!(fired(condition, event), format!("{text}, trigger 2 of the firmware"));
        }
    }
}
