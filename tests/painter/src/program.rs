//! What the simulated program does: at each instant one core, chosen at random, does one thing that its state allows.

use crate::canvas::Object;
use crate::kernel::{Kernel, State, Wait};
use crate::system::Plan;
use tband_format::Event;

impl Kernel {
    /// Runs the whole program and paints each of its instants.
    pub fn run(&mut self) {
        self.start();
        self.paint();
        for now in self.now + 1..self.plan.length {
            self.now = now;
            let core = self.random.below(self.cores.len());
            self.step(core);
            self.paint();
        }
        self.finish();
    }

    /// Creates the tasks and starts the scheduler.
    fn start(&mut self) {
        for task in 0..self.tasks.len() {
            if self.plan.tasks[task].idle_of.is_some() || self.random.percent(90) {
                self.create(0, task);
            }
        }
        for lock in 0..self.locks.len() {
            let queue_id = self.plan.lock_id(lock);
            self.record(0, Event::QueueCurLength { queue_id, length: 1 });
        }
        for queue in 0..self.queues.len() {
            let queue_id = self.plan.queue_id(queue);
            self.record(0, Event::QueueCurLength { queue_id, length: 0 });
        }
        for _ in 0..2 {
            self.paint();
            self.now += 1;
            self.wake_created();
        }
        self.is_started = true;
        for core in 0..self.cores.len() {
            self.record(core, Event::TaskSwitchedIn { task_id: Plan::task_id(core) });
            self.get_core(core, core);
        }
    }

    /// The recording ends with an event at its last instant.
    fn finish(&mut self) {
        self.now = self.plan.length.max(self.now + 1);
        self.record(0, Event::Evtmarker { evtmarker_id: 1, msg: tband_recordings::str("end") });
        for core in 0..self.cores.len() {
            while let Some(mut isr) = self.cores[core].isrs.pop() {
                (isr.end, isr.end_seen) = (self.now, false);
                self.isrs.push(isr);
            }
        }
        for task in &mut self.tasks {
            task.canvas.end(self.now, false);
        }
        for lock in 0..self.locks.len() {
            if self.plan.locks[lock].inherits || self.locks[lock].was_given {
                self.end_hold(lock, false);
            }
        }
    }

    /// Makes the tasks ready that were created one instant ago.
    fn wake_created(&mut self) -> bool {
        let created = std::mem::take(&mut self.created);
        for (core, task) in &created {
            let by = self.is_started.then(|| self.actor(*core));
            self.make_ready(*core, *task, by.as_deref());
        }
        !created.is_empty()
    }

    fn step(&mut self, core: usize) {
        if self.wake_created() {
            return;
        }
        let running = self.cores[core].running;
        let nesting = self.cores[core].isrs.len();
        if nesting > 0 {
            return match self.random.below(10) {
                0..=3 => self.exit(core),
                4..=6 => self.act_in_isr(core),
                7 if nesting < 3 && self.plan.isrs > 0 => self.begin_isr(core),
                _ => {}
            };
        }
        if self.tasks[running].leaves_to.is_some() {
            if self.random.percent(70) {
                self.reschedule(core);
            }
            return;
        }
        let is_due = |it: &crate::kernel::Task| it.wakes_at.is_some_and(|at| at <= self.now);
        let any_due = self.tasks.iter().any(is_due);
        if self.random.percent(if any_due { 60 } else { 4 }) {
            return self.enter(core, 0);
        }
        if self.plan.isrs > 0 && self.random.percent(6) {
            return self.begin_isr(core);
        }
        let priority = self.tasks[running].priority;
        let most = self.candidates(core).into_iter().map(|it| self.tasks[it].priority).max();
        let percent = match most {
            Some(most) if most > priority || self.is_idle(running) => 60,
            Some(most) if most == priority => 5,
            _ => 0,
        };
        if self.random.percent(percent) {
            return self.reschedule(core);
        }
        if !self.is_idle(running) {
            self.work(core);
        }
    }

    fn begin_isr(&mut self, core: usize) {
        let isr = 1 + u32::try_from(self.random.below(self.plan.isrs as usize)).unwrap_or(0);
        // No interrupt interrupts itself.
        if self.cores[core].isrs.iter().all(|it| it.name != format!("isr{isr}")) {
            self.enter(core, isr);
        }
    }

    fn is_idle(&self, task: usize) -> bool {
        self.plan.tasks[task].idle_of.is_some()
    }

    /// Tasks that could run on a core.
    fn candidates(&self, core: usize) -> Vec<usize> {
        let all = 0..self.tasks.len();
        all.filter(|it| self.tasks[*it].state == State::Ready && self.may_run(*it, core)).collect()
    }

    /// Gives the core to the most urgent ready task; sometimes to another one, as after a change that did not yield.
    fn reschedule(&mut self, core: usize) {
        let mut list = self.candidates(core);
        if list.is_empty() {
            // The task blocks, and the idle task of this core is always ready or running.
            return;
        }
        if self.random.percent(90) {
            let most = list.iter().map(|it| self.tasks[*it].priority).max().unwrap_or(0);
            list.retain(|it| self.tasks[*it].priority == most);
        }
        let next = self.random.pick(&list);
        self.switch(core, next);
    }

    fn act_in_isr(&mut self, core: usize) {
        let isr = &self.cores[core].isrs[self.cores[core].isrs.len() - 1];
        if isr.name == "isr0" {
            let due: Vec<_> = (0..self.tasks.len())
                .filter(|it| {
                    let it = &self.tasks[*it];
                    matches!(it.state, State::Blocked(_))
                        && it.wakes_at.is_some_and(|at| at <= self.now)
                })
                .collect();
            if !due.is_empty() {
                let task = self.random.pick(&due);
                self.time_out(core, task);
            }
            return;
        }
        if self.random.percent(50) {
            self.send_any(core);
        } else {
            self.notify_any(core);
        }
    }

    /// The tick wakes a task whose delay or time limit has passed.
    fn time_out(&mut self, core: usize, task: usize) {
        if let State::Blocked(Wait::Lock(lock)) = self.tasks[task].state
            && self.locks[lock].holder.is_some()
        {
            self.tasks[task].wanted = None;
        }
        self.make_ready(core, task, None);
    }

    fn send_any(&mut self, core: usize) -> bool {
        let queue = self.random.below(self.queues.len());
        if self.is_full(queue) || self.is_about_to_wait(Wait::Work(Object::Queue(queue))) {
            return false;
        }
        self.send(core, queue);
        true
    }

    fn notify_any(&mut self, core: usize) {
        let task = self.random.below(self.tasks.len());
        let leaves =
            self.tasks[task].leaves_to == Some(State::Blocked(Wait::Work(Object::Notification)));
        let lives = !matches!(self.tasks[task].state, State::None | State::Deleted);
        if lives && !self.is_idle(task) && !leaves && self.tasks[task].notifications.len() < 200 {
            self.notify(core, task);
        }
    }

    /// A task has begun a wait like this one and still has its core.
    fn is_about_to_wait(&self, wait: Wait) -> bool {
        self.tasks.iter().any(|it| it.leaves_to == Some(State::Blocked(wait)))
    }

    /// The task of a core does something.
    fn work(&mut self, core: usize) {
        let task = self.cores[core].running;
        if let Some(wait) = self.tasks[task].retries.take() {
            return self.try_again(core, wait);
        }
        match self.random.below(30) {
            0..=3 => self.take_any_lock(core),
            4..=8 => self.give_any_lock(core),
            9..=10 => self.send_or_wait(core),
            11..=12 => self.notify_any(core),
            13..=16 => self.wait_for_work(core),
            17 if self.plan.meddles => self.change_tasks(core),
            _ => {}
        }
    }

    fn limit(&mut self) -> Option<i64> {
        (self.plan.may_time_out && self.random.percent(50)).then(|| self.random.between(1, 40))
    }

    /// A wait is over: tries to do what the task waited for.
    fn try_again(&mut self, core: usize, wait: Wait) {
        let task = self.cores[core].running;
        // A task that other tasks have delayed past its limit gives up.
        let gives_up = self.plan.may_time_out && self.random.percent(50);
        match wait {
            Wait::Work(Object::Queue(queue)) if !self.queues[queue].is_empty() => {
                if self.is_about_to_wait(Wait::Room(queue)) {
                    self.tasks[task].retries = Some(wait);
                } else {
                    self.receive(core, queue);
                }
            }
            Wait::Work(Object::Notification) if !self.tasks[task].notifications.is_empty() => {
                let all = self.random.percent(70);
                self.take_notifications(core, all);
            }
            Wait::Lock(lock) if self.locks[lock].holder.is_none() => self.take_lock(core, lock),
            Wait::Room(queue) if !self.is_full(queue) => {
                if self.is_about_to_wait(Wait::Work(Object::Queue(queue))) {
                    self.tasks[task].retries = Some(wait);
                } else {
                    self.send(core, queue);
                }
            }
            _ if gives_up => self.give_up(core, wait),
            _ => self.block(core, wait, None),
        }
    }

    fn give_up(&mut self, core: usize, wait: Wait) {
        let task = self.cores[core].running;
        let event = match wait {
            Wait::Work(Object::Queue(queue)) => {
                Event::QueueReceiveFailed { queue_id: self.plan.queue_id(queue) }
            }
            Wait::Work(_) => Event::CurtaskNotifyTake { index: 0, value: 0, value_after: 0 },
            Wait::Lock(lock) => Event::QueueReceiveFailed { queue_id: self.plan.lock_id(lock) },
            Wait::Room(queue) => Event::QueueSendFailed { queue_id: self.plan.queue_id(queue) },
        };
        self.record(core, event);
        let it = &mut self.tasks[task];
        it.wanted = None;
        if let Wait::Work(object) = wait {
            it.canvas.expire_wait(object);
        }
    }

    fn take_any_lock(&mut self, core: usize) {
        let task = self.cores[core].running;
        let least = match self.tasks[task].held.iter().max() {
            Some(last) if !self.plan.may_deadlock => last + 1,
            _ => 0,
        };
        let held = self.tasks[task].held.clone();
        let list: Vec<_> = (least..self.locks.len()).filter(|it| !held.contains(it)).collect();
        if list.is_empty() {
            return;
        }
        let lock = self.random.pick(&list);
        if self.locks[lock].holder.is_none() {
            self.take_lock(core, lock);
        } else {
            let limit = self.limit();
            self.block(core, Wait::Lock(lock), limit);
        }
    }

    fn give_any_lock(&mut self, core: usize) {
        let held = self.tasks[self.cores[core].running].held.clone();
        let free: Vec<_> =
            held.into_iter().filter(|it| !self.is_about_to_wait(Wait::Lock(*it))).collect();
        if !free.is_empty() {
            let lock = self.random.pick(&free);
            self.give_lock(core, lock);
        }
    }

    fn send_or_wait(&mut self, core: usize) {
        let queue = self.random.below(self.queues.len());
        if self.is_full(queue) {
            let limit = self.limit();
            self.block(core, Wait::Room(queue), limit);
        } else if !self.is_about_to_wait(Wait::Work(Object::Queue(queue))) {
            self.send(core, queue);
        }
    }

    fn wait_for_work(&mut self, core: usize) {
        let task = self.cores[core].running;
        if !self.tasks[task].held.is_empty() && self.random.percent(80) {
            return;
        }
        // Each task prefers one kind of work.
        let kind = if self.random.percent(70) { task % 3 } else { self.random.below(3) };
        match kind {
            0 => {
                let ticks = self.random.between(2, 60);
                self.block(core, Wait::Work(Object::Delay), Some(ticks));
            }
            1 => {
                let queue = task % self.queues.len();
                if self.queues[queue].is_empty() {
                    let limit = self.limit();
                    self.block(core, Wait::Work(Object::Queue(queue)), limit);
                } else if !self.is_about_to_wait(Wait::Room(queue)) {
                    self.receive(core, queue);
                }
            }
            _ if self.tasks[task].notifications.is_empty() => {
                let limit = self.limit();
                self.block(core, Wait::Work(Object::Notification), limit);
            }
            _ => {
                let all = self.random.percent(70);
                self.take_notifications(core, all);
            }
        }
    }

    /// The task of a core creates, suspends, resumes or deletes a task, or sets its priority.
    fn change_tasks(&mut self, core: usize) {
        let me = self.cores[core].running;
        let other = self.random.below(self.tasks.len());
        if self.is_idle(other) {
            return;
        }
        let task_id = Plan::task_id(other);
        let is_off_core = matches!(self.tasks[other].state, State::Ready | State::Blocked(_));
        match (self.random.below(5), self.tasks[other].state) {
            (_, State::None) if self.created.is_empty() => self.create(core, other),
            (_, State::Suspended) => {
                self.record(core, Event::TaskResumed { task_id });
                let by = self.name(me);
                self.make_ready(core, other, Some(&by));
            }
            (0, _) if is_off_core => {
                self.record(core, Event::TaskSuspended { task_id });
                let it = &mut self.tasks[other];
                (it.state, it.suspended_by, it.wakes_at) = (State::Suspended, Some(me), None);
            }
            (1, State::Running(_)) if other == me => {
                self.record(core, Event::TaskSuspended { task_id });
                self.tasks[me].leaves_to = Some(State::Suspended);
            }
            (2, State::Running(_)) if other == me && self.tasks[me].held.is_empty() => {
                self.record(core, Event::TaskDeleted { task_id });
                self.tasks[me].leaves_to = Some(State::Deleted);
            }
            (3, state) if !matches!(state, State::Deleted) => {
                let priority = u32::try_from(self.random.between(1, 6)).unwrap_or(1);
                self.record(core, Event::TaskPrioritySet { task_id, priority });
                let it = &mut self.tasks[other];
                if it.base == it.priority || priority > it.priority {
                    it.priority = priority;
                }
                it.base = priority;
            }
            _ => {}
        }
    }
}
