//! The base priority of a task, as opposed to the priority at which the kernel runs it.
//!
//! A task that holds a mutex runs at the priority of a more urgent task that waits for the mutex. A priority that
//! `vTaskPrioritySet()` sets until then is the base priority. The task returns to it.

/// The base priority of a task, and whether the kernel runs the task at another one.
#[derive(Clone, Copy, Debug, Default)]
pub struct BasePriority {
    value: Option<u32>,
    inherits: bool,
}

impl BasePriority {
    /// The base priority, if it is known.
    pub const fn value(self) -> Option<u32> {
        self.value
    }

    /// The task, which runs at priority `used`, is given another base priority. Returns the priority at which it
    /// runs from now on. `raises`: the kernel uses a base priority above the inherited one at once, as V11 does.
    pub fn set(&mut self, base: u32, used: Option<u32>, raises: bool) -> u32 {
        let kept = used.filter(|used| self.inherits && !(raises && base > *used));
        let priority = kept.unwrap_or(base);
        *self = Self { value: Some(base), inherits: priority != base };
        priority
    }

    /// The task, which runs at priority `used`, inherits another one.
    pub fn inherit(&mut self, used: Option<u32>) {
        if !self.inherits {
            self.value = used;
        }
        self.inherits = true;
    }

    /// The task returns to this priority, since it gave its mutex (`has_given`), or since a task stopped waiting for
    /// the mutex. Then another task may still wait, whose priority it has.
    pub fn disinherit(&mut self, priority: u32, has_given: bool) {
        if has_given {
            self.value = Some(priority);
        }
        self.inherits = self.value.is_some_and(|base| base != priority);
    }
}
