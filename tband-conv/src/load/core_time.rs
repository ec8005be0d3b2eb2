//! The time of one core by its owner, from the changes of the core.
//!
//! Times are within 0 to [`MAX_NS`](crate::clock::MAX_NS), so differences do not overflow; sums that damage drives too far
//! wrap.

/// The time of a core by its owner, in ns. See the [module](super) for the owners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Tasks that are not idle.
    pub task_ns: i64,
    /// The idle task.
    pub idle_ns: i64,
    /// Interrupts on top of a known task.
    pub isr_ns: i64,
    /// Interrupts while it is not known which task has the core.
    pub lone_isr_ns: i64,
}

impl Times {
    /// Time in which it is known which task has the core.
    #[must_use]
    pub const fn known_ns(&self) -> i64 {
        self.task_ns.wrapping_add(self.idle_ns).wrapping_add(self.isr_ns)
    }

    /// The part of the known time in which the core does not idle.
    #[must_use]
    pub const fn busy_ns(&self) -> i64 {
        self.task_ns.wrapping_add(self.isr_ns)
    }

    /// Time of all interrupts.
    #[must_use]
    pub const fn all_isr_ns(&self) -> i64 {
        self.isr_ns.wrapping_add(self.lone_isr_ns)
    }

    /// Returns the rest of a time of this length: neither a task nor an interrupt is known to own it.
    #[must_use]
    pub const fn unknown_ns(&self, length_ns: i64) -> i64 {
        length_ns.saturating_sub(self.known_ns()).saturating_sub(self.lone_isr_ns)
    }

    /// The times from `earlier` to these.
    #[must_use]
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            task_ns: self.task_ns.wrapping_sub(earlier.task_ns),
            idle_ns: self.idle_ns.wrapping_sub(earlier.idle_ns),
            isr_ns: self.isr_ns.wrapping_sub(earlier.isr_ns),
            lone_isr_ns: self.lone_isr_ns.wrapping_sub(earlier.lone_isr_ns),
        }
    }
}

/// A task's time on a core, from getting it to leaving it, in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreStay {
    /// How long it had the core.
    pub burst_ns: i64,
    /// The part in which interrupts ran on top of it.
    pub interrupted_ns: i64,
}

impl CoreStay {
    /// Its CPU time.
    #[must_use]
    pub const fn own_ns(&self) -> i64 {
        self.burst_ns.wrapping_sub(self.interrupted_ns)
    }
}

/// Follows the owner of one core. Each method takes the time of the change in ns.
#[derive(Clone, Debug, Default)]
pub struct CoreTime {
    /// Open interrupts, and when the outermost one began.
    depth: u32,
    isr_since: i64,
    /// Time of interrupts, without the open ones.
    isr_ns: i64,
    /// A task has the core. It is an idle task.
    has_task: bool,
    is_idle: bool,
    /// When the task got the core, and the time of interrupts at that time.
    since: i64,
    isr_before: i64,
    /// CPU time of tasks, and of idle tasks, without the one that has the core.
    own_ns: [i64; 2],
    /// Time of interrupts on top of tasks, without the one that has the core.
    interrupted_ns: i64,
}

impl CoreTime {
    /// An interrupt begins.
    #[inline]
    pub const fn isr_enters(&mut self, ns: i64) {
        if self.depth == 0 {
            self.isr_since = ns;
        }
        self.depth = self.depth.saturating_add(1);
    }

    /// The innermost interrupt ends.
    #[inline]
    pub fn isr_exits(&mut self, ns: i64) {
        if self.depth == 1 {
            self.isr_ns = self.isr_ns(ns);
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// A task gets the core, which no task had.
    #[inline]
    pub fn start_task(&mut self, ns: i64, is_idle: bool) {
        (self.has_task, self.is_idle) = (true, is_idle);
        (self.since, self.isr_before) = (ns, self.isr_ns(ns));
    }

    /// The task leaves the core. Until another one gets it, its owner is unknown.
    #[inline]
    pub fn remove_task(&mut self, ns: i64) -> CoreStay {
        let spent = self.spent(ns);
        self.add(spent);
        self.has_task = false;
        spent
    }

    /// The task leaves the core and another one gets it.
    #[inline]
    pub fn switch(&mut self, ns: i64, is_idle: bool) -> CoreStay {
        let spent = self.spent(ns);
        self.add(spent);
        self.is_idle = is_idle;
        self.since = ns;
        self.isr_before = self.isr_before.wrapping_add(spent.interrupted_ns);
        spent
    }

    /// Sets whether the task that has the core is an idle task, which is learnt now.
    #[cold]
    pub fn task_is_idle(&mut self, ns: i64, is_idle: bool) {
        if self.has_task && is_idle != self.is_idle {
            // The task's earlier time keeps its owner, so that no time of a window changes later.
            let before = self.spent(ns).own_ns();
            let [task, idle] = &mut self.own_ns;
            let (from, to) = if is_idle { (idle, task) } else { (task, idle) };
            (*from, *to) = (from.wrapping_sub(before), to.wrapping_add(before));
            self.is_idle = is_idle;
        }
    }

    #[inline]
    fn add(&mut self, spent: CoreStay) {
        if let Some(own) = self.own_ns.get_mut(usize::from(self.is_idle)) {
            *own = own.wrapping_add(spent.own_ns());
        }
        self.interrupted_ns = self.interrupted_ns.wrapping_add(spent.interrupted_ns);
    }

    /// Returns the current task's time on the core so far.
    #[inline]
    #[must_use]
    pub fn spent(&self, ns: i64) -> CoreStay {
        if !self.has_task {
            return CoreStay::default();
        }
        let burst_ns = ns.wrapping_sub(self.since);
        CoreStay { burst_ns, interrupted_ns: self.isr_ns(ns).wrapping_sub(self.isr_before) }
    }

    /// Time of all interrupts up to a time.
    #[inline]
    #[must_use]
    pub fn isr_ns(&self, ns: i64) -> i64 {
        let open = if self.depth == 0 { 0 } else { ns.wrapping_sub(self.isr_since).max(0) };
        self.isr_ns.wrapping_add(open)
    }

    /// All times up to a time that is not before the last change.
    #[must_use]
    pub fn times(&self, ns: i64) -> Times {
        let mut until = self.clone();
        until.add(self.spent(ns));
        let [task_ns, idle_ns] = until.own_ns;
        let isr_ns = until.interrupted_ns;
        let lone_isr_ns = self.isr_ns(ns).wrapping_sub(isr_ns);
        Times { task_ns, idle_ns, isr_ns, lone_isr_ns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_has_one_owner() {
        let mut core = CoreTime::default();
        core.isr_enters(10);
        core.start_task(12, false);
        core.isr_enters(15);
        core.isr_exits(17);
        assert_eq!(core.times(18), Times { isr_ns: 6, lone_isr_ns: 2, ..Times::default() });
        core.isr_exits(20);
        assert_eq!(core.switch(30, true), CoreStay { burst_ns: 18, interrupted_ns: 8 });
        core.isr_enters(35);
        let times = Times { task_ns: 10, idle_ns: 5, isr_ns: 9, lone_isr_ns: 2 };
        assert_eq!(core.times(36), times);
        assert_eq!(core.remove_task(36).own_ns(), 5);
        core.isr_exits(40);
        let times = Times { lone_isr_ns: 6, ..times };
        assert_eq!(core.times(100), times);
        assert_eq!((times.busy_ns(), times.known_ns()), (19, 24));
        assert_eq!((times.all_isr_ns(), times.unknown_ns(100)), (15, 70));
        let window = times.since(&Times { task_ns: 10, isr_ns: 8, ..Times::default() });
        assert_eq!((window.busy_ns(), window.known_ns()), (1, 6));
    }

    #[test]
    fn an_idle_task_that_is_learnt_late_idles_from_then_on() {
        let mut core = CoreTime::default();
        core.task_is_idle(0, true);
        core.start_task(0, false);
        core.task_is_idle(10, false);
        core.task_is_idle(10, true);
        assert_eq!((core.times(30).task_ns, core.times(30).idle_ns), (10, 20));
        // Its own CPU time is complete.
        assert_eq!(core.remove_task(30).own_ns(), 30);
        assert_eq!((core.times(40).task_ns, core.times(40).idle_ns), (10, 20));
    }

    #[test]
    fn an_exit_without_an_entry_is_ignored() {
        let mut core = CoreTime::default();
        core.isr_exits(5);
        assert_eq!(core.remove_task(9), CoreStay::default());
        assert_eq!(core.times(9), Times::default());
    }
}
