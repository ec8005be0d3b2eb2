//! The state of a simulated kernel at one instant, and its operations. Each operation records its events and changes the state.
//!
//! Times are ticks of the timestamps. The operations of one instant belong to one core.

use tband_format::Event;
use tband_format::named::NotifyAction;

use crate::canvas::{Canvas, IsrCanvas, Object};
use crate::random::Random;
use crate::system::{Plan, TICK_ISR};

/// A wait of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For work: a delay, an item of a queue, or a notification.
    Work(Object),
    /// For a lock.
    Lock(usize),
    /// For room in a queue.
    Room(usize),
}

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not created yet.
    None,
    /// It has this core.
    Running(usize),
    /// It could run.
    Ready,
    /// It waits.
    Blocked(Wait),
    /// It is suspended by its own call, or by another task.
    Suspended,
    /// It is no more.
    Deleted,
}

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its state.
    pub state: State,
    /// The state that it gets at the next switch of its core.
    pub leaves_to: Option<State>,
    /// The wait that it has to try again, since it was woken.
    pub retries: Option<Wait>,
    /// The lock that it waits for, until it has taken it.
    pub wanted: Option<usize>,
    /// When its delay or wait times out.
    pub wakes_at: Option<i64>,
    /// Priority without inheritance.
    pub base: u32,
    /// Priority at which it runs.
    pub priority: u32,
    /// Locks that it holds, in the order in which it took them.
    pub held: Vec<usize>,
    /// Times of notifications that it has not taken.
    pub notifications: Vec<i64>,
    /// The task that suspended it, if another one did.
    pub suspended_by: Option<usize>,
    /// Its activations and labels.
    pub canvas: Canvas,
}

/// A lock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lock {
    /// The task that holds it.
    pub holder: Option<usize>,
    /// Since when.
    pub since: i64,
    /// How often tasks began to wait for it since then.
    pub waiters: u32,
    /// It was given once.
    pub was_given: bool,
}

/// A hold of a lock that has ended, or that the end of the recording has cut.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hold {
    /// Name of the lock.
    pub lock: String,
    /// Begin and end.
    pub times: (i64, i64),
    /// Name of the task.
    pub holder: String,
    /// How often tasks began to wait for it.
    pub waiters: u32,
    /// It was given.
    pub end_seen: bool,
}

/// A core.
#[derive(Clone, Debug, Default)]
pub struct Core {
    /// The task that has it.
    pub running: usize,
    /// Open interrupts, the innermost last.
    pub isrs: Vec<IsrCanvas>,
}

/// An event with its core and its time.
pub type LoggedEvent = (usize, i64, Event<'static>);

/// The whole state.
#[derive(Debug)]
pub struct Kernel {
    /// What the program consists of.
    pub plan: Plan,
    /// Chooses.
    pub random: Random,
    /// The present instant.
    pub now: i64,
    /// Tasks by number.
    pub tasks: Vec<Task>,
    /// Locks by number.
    pub locks: Vec<Lock>,
    /// Times at which the items in each queue were sent, with the sender, the oldest first.
    pub queues: Vec<Vec<(i64, String)>>,
    /// Cores.
    pub cores: Vec<Core>,
    /// Holds that have ended.
    pub holds: Vec<Hold>,
    /// Interrupts that have ended.
    pub isrs: Vec<IsrCanvas>,
    /// How often each interrupt has begun.
    pub isr_counts: Vec<u64>,
    /// The scheduler has started: each core has a task.
    pub is_started: bool,
    /// Tasks that were just created, and on which core.
    pub created: Vec<(usize, usize)>,
    /// The events.
    pub log: Vec<LoggedEvent>,
}

impl Kernel {
    /// A kernel before its first instant.
    #[must_use]
    pub fn new(plan: Plan, random: Random) -> Self {
        let task = |task: &crate::system::TaskPlan| Task {
            state: State::None,
            leaves_to: None,
            retries: None,
            wanted: None,
            wakes_at: None,
            base: task.priority,
            priority: task.priority,
            held: Vec::new(),
            notifications: Vec::new(),
            suspended_by: None,
            canvas: Canvas::default(),
        };
        Self {
            tasks: plan.tasks.iter().map(task).collect(),
            locks: vec![Lock::default(); plan.locks.len()],
            queues: vec![Vec::new(); plan.queues.len()],
            cores: vec![Core::default(); plan.cores],
            holds: Vec::new(),
            isrs: Vec::new(),
            isr_counts: vec![0; plan.isrs as usize + 1],
            is_started: false,
            created: Vec::new(),
            log: Vec::new(),
            now: 0,
            plan,
            random,
        }
    }

    /// Records an event.
    pub fn record(&mut self, core: usize, event: Event<'static>) {
        self.log.push((core, self.now, event));
    }

    /// The name of what acts on a core: the innermost interrupt, else the task.
    #[must_use]
    pub fn actor(&self, core: usize) -> String {
        match self.cores[core].isrs.last() {
            Some(isr) => isr.name.clone(),
            None => self.name(self.cores[core].running),
        }
    }

    /// The name of a task.
    #[must_use]
    pub fn name(&self, task: usize) -> String {
        self.plan.tasks[task].name.clone()
    }

    /// A task may run on a core.
    #[must_use]
    pub fn may_run(&self, task: usize, core: usize) -> bool {
        self.plan.tasks[task].cores.is_none_or(|mask| mask >> core & 1 != 0)
    }

    /// Creates a task. It is ready one instant later: a task changes its state once in an instant.
    pub fn create(&mut self, core: usize, task: usize) {
        let task_id = Plan::task_id(task);
        let priority = self.tasks[task].base;
        self.record(core, Event::TaskCreated { task_id });
        self.record(core, Event::TaskPrioritySet { task_id, priority });
        if let Some(core_mask) = self.plan.tasks[task].cores {
            self.record(core, Event::TaskCoreAffinitySet { task_id, core_mask });
        }
        self.created.push((core, task));
    }

    /// A task becomes ready. `by`: the name of its waker.
    pub fn make_ready(&mut self, core: usize, task: usize, by: Option<&str>) {
        self.record(core, Event::TaskToRdyState { task_id: Plan::task_id(task) });
        let (now, is_idle) = (self.now, self.plan.tasks[task].idle_of.is_some());
        let it = &mut self.tasks[task];
        let before = std::mem::replace(&mut it.state, State::Ready);
        it.suspended_by = None;
        it.wakes_at = None;
        if let State::Blocked(Wait::Room(_)) = before
            && let Some(by) = by
        {
            it.canvas.name_taker(now, by);
        }
        if is_idle || it.canvas.is_active() {
            return;
        }
        let object = match before {
            State::Blocked(Wait::Work(object)) => object,
            _ => Object::Ready,
        };
        it.canvas.begin(now, now, object, by);
    }

    /// A core switches to a task. The one that had it gets the state that it leaves to.
    pub fn switch(&mut self, core: usize, next: usize) {
        let previous = self.cores[core].running;
        if self.plan.records_switched_out {
            let task_id = Plan::task_id(previous);
            self.record(core, Event::TaskSwitchedOut { task_id });
        }
        self.record(core, Event::TaskSwitchedIn { task_id: Plan::task_id(next) });
        let state = self.tasks[previous].leaves_to.take().unwrap_or(State::Ready);
        self.leave(previous, state);
        self.get_core(core, next);
    }

    /// A task loses its core.
    fn leave(&mut self, task: usize, state: State) {
        let now = self.now;
        let is_idle = self.plan.tasks[task].idle_of.is_some();
        let it = &mut self.tasks[task];
        it.state = state;
        let ends =
            matches!(state, State::Blocked(Wait::Work(_)) | State::Suspended | State::Deleted);
        if ends && !is_idle {
            it.canvas.end(now, true);
        }
        if let State::Blocked(Wait::Lock(lock)) = state
            && it.wanted.replace(lock) != Some(lock)
        {
            self.locks[lock].waiters += 1;
        }
    }

    /// A task gets a core.
    pub fn get_core(&mut self, core: usize, task: usize) {
        self.cores[core].running = task;
        let now = self.now;
        let it = &mut self.tasks[task];
        it.state = State::Running(core);
        it.canvas.start(now, core, it.priority);
    }

    /// The task of a core begins a wait.
    pub fn block(&mut self, core: usize, wait: Wait, limit: Option<i64>) {
        let task = self.cores[core].running;
        let ticks_to_wait = limit.map_or(u32::MAX, |ticks| u32::try_from(ticks).unwrap_or(1));
        let event = match wait {
            Wait::Work(Object::Delay) => Event::CurtaskDelay { ticks: ticks_to_wait },
            Wait::Work(Object::Queue(queue)) => {
                let queue_id = self.plan.queue_id(queue);
                Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait }
            }
            Wait::Work(_) => Event::CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait },
            Wait::Lock(lock) => {
                let queue_id = self.plan.lock_id(lock);
                Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait }
            }
            Wait::Room(queue) => {
                let queue_id = self.plan.queue_id(queue);
                Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait }
            }
        };
        self.record(core, event);
        self.tasks[task].leaves_to = Some(State::Blocked(wait));
        self.tasks[task].retries = Some(wait).filter(|wait| *wait != Wait::Work(Object::Delay));
        self.tasks[task].wakes_at = limit.map(|ticks| self.now + ticks);
        if let Wait::Lock(lock) = wait
            && let Some(holder) = self.locks[lock].holder
            && self.plan.locks[lock].inherits
            && self.tasks[holder].priority < self.tasks[task].priority
        {
            let priority = self.tasks[task].priority;
            self.tasks[holder].priority = priority;
            let task_id = Plan::task_id(holder);
            self.record(core, Event::TaskPriorityInherit { task_id, priority });
        }
    }

    /// The task of a core takes a lock, which is free.
    pub fn take_lock(&mut self, core: usize, lock: usize) {
        let task = self.cores[core].running;
        let queue_id = self.plan.lock_id(lock);
        self.record(core, Event::QueueReceive { queue_id, len_after: 0 });
        let was_given = self.locks[lock].was_given;
        self.locks[lock] = Lock { holder: Some(task), since: self.now, waiters: 0, was_given };
        let it = &mut self.tasks[task];
        it.held.push(lock);
        it.wanted = None;
    }

    /// The task of a core gives a lock that it holds, and wakes a task that waits for it.
    pub fn give_lock(&mut self, core: usize, lock: usize) {
        let task = self.cores[core].running;
        let queue_id = self.plan.lock_id(lock);
        self.record(core, Event::QueueSend { queue_id, len_after: 1 });
        self.end_hold(lock, true);
        let inherits = self.plan.locks[lock].inherits;
        let plan = &self.plan;
        let it = &mut self.tasks[task];
        it.held.retain(|held| *held != lock);
        let holds_mutex = it.held.iter().any(|held| plan.locks[*held].inherits);
        if inherits && !holds_mutex && it.priority != it.base {
            it.priority = it.base;
            let event =
                Event::TaskPriorityDisinherit { task_id: Plan::task_id(task), priority: it.base };
            self.record(core, event);
        }
        self.wake_waiter(core, Wait::Lock(lock));
    }

    /// A hold of a lock ends.
    pub fn end_hold(&mut self, lock: usize, end_seen: bool) {
        let it = &mut self.locks[lock];
        let Some(holder) = it.holder.take() else { return };
        it.was_given |= end_seen;
        let (times, waiters) = ((it.since, self.now), it.waiters);
        let name = self.plan.locks[lock].name.clone();
        let hold = Hold { lock: name, times, holder: self.name(holder), waiters, end_seen };
        self.holds.push(hold);
    }

    /// Wakes the most urgent task that waits so, if there is one.
    fn wake_waiter(&mut self, core: usize, wait: Wait) {
        let by = self.actor(core);
        let waits = |it: &&usize| self.tasks[**it].state == State::Blocked(wait);
        let all: Vec<_> = (0..self.tasks.len()).collect();
        // Of equally urgent ones a real kernel takes the one that waits longest; for the labels any is right.
        let first = all.iter().filter(waits).max_by_key(|it| self.tasks[**it].priority).copied();
        if let Some(task) = first {
            self.make_ready(core, task, Some(&by));
        }
    }

    /// The actor on a core sends an item to a queue that has room.
    pub fn send(&mut self, core: usize, queue: usize) {
        let by = self.actor(core);
        let is_isr = !self.cores[core].isrs.is_empty();
        self.queues[queue].push((self.now, by));
        let queue_id = self.plan.queue_id(queue);
        let len_after = u32::try_from(self.queues[queue].len()).unwrap_or(0);
        self.record(
            core,
            if is_isr {
                Event::QueueSendFromIsr { queue_id, len_after }
            } else {
                Event::QueueSend { queue_id, len_after }
            },
        );
        self.wake_waiter(core, Wait::Work(Object::Queue(queue)));
    }

    /// A queue has no room.
    #[must_use]
    pub fn is_full(&self, queue: usize) -> bool {
        self.queues[queue].len() >= self.plan.queues[queue] as usize
    }

    /// The task of a core takes the oldest item of a queue, which is not empty.
    pub fn receive(&mut self, core: usize, queue: usize) {
        let task = self.cores[core].running;
        let (sent, by) = self.queues[queue].remove(0);
        let queue_id = self.plan.queue_id(queue);
        let len_after = u32::try_from(self.queues[queue].len()).unwrap_or(0);
        self.record(core, Event::QueueReceive { queue_id, len_after });
        self.take(core, task, Object::Queue(queue), (sent, Some(&by)), 1);
        self.wake_waiter(core, Wait::Room(queue));
    }

    /// The actor on a core notifies a task.
    pub fn notify(&mut self, core: usize, task: usize) {
        let by = self.actor(core);
        let is_isr = !self.cores[core].isrs.is_empty();
        self.tasks[task].notifications.push(self.now);
        let value_after = u32::try_from(self.tasks[task].notifications.len()).unwrap_or(0);
        let (task_id, index) = (Plan::task_id(task), 0);
        let action = NotifyAction::INCREMENT;
        self.record(
            core,
            if is_isr {
                Event::TaskNotifyGiveFromIsr { task_id, index, value_after }
            } else {
                Event::TaskNotify { task_id, index, action, value: 0, value_after }
            },
        );
        if self.tasks[task].state == State::Blocked(Wait::Work(Object::Notification)) {
            self.make_ready(core, task, Some(&by));
        }
    }

    /// The task of a core takes one of its notifications, or all of them.
    pub fn take_notifications(&mut self, core: usize, all: bool) {
        let task = self.cores[core].running;
        let pending = self.tasks[task].notifications.len();
        let count = if all { pending } else { 1 };
        let value = u32::try_from(pending).unwrap_or(0);
        let value_after = u32::try_from(pending - count).unwrap_or(0);
        self.record(core, Event::CurtaskNotifyTake { index: 0, value, value_after });
        let taken: Vec<_> = self.tasks[task].notifications.drain(..count).collect();
        let merged = u32::try_from(count).unwrap_or(1);
        self.take(core, task, Object::Notification, (taken[0], None), merged);
    }

    /// A task takes what it works for: its activation does, or the next one begins with this.
    fn take(
        &mut self,
        core: usize,
        task: usize,
        object: Object,
        (sent, by): (i64, Option<&str>),
        merged: u32,
    ) {
        let (now, priority) = (self.now, self.tasks[task].priority);
        let canvas = &mut self.tasks[task].canvas;
        if canvas.takes(object, merged) {
            return;
        }
        canvas.end(now, true);
        canvas.begin(sent, now, object, by);
        canvas.start(now, core, priority);
        canvas.takes(object, merged);
    }

    /// An interrupt begins on a core.
    pub fn enter(&mut self, core: usize, isr: u32) {
        self.record(core, Event::IsrEnter { isr_id: TICK_ISR + isr });
        let count = &mut self.isr_counts[isr as usize];
        *count += 1;
        let name = format!("isr{isr}");
        let begin = self.now;
        let canvas = IsrCanvas {
            name,
            number: *count,
            core,
            begin,
            end: begin,
            end_seen: true,
            labels: vec![],
        };
        self.cores[core].isrs.push(canvas);
    }

    /// The innermost interrupt of a core ends.
    pub fn exit(&mut self, core: usize) {
        let now = self.now;
        let Some(mut isr) = self.cores[core].isrs.pop() else { return };
        let number: u32 = isr.name.trim_start_matches("isr").parse().unwrap_or(0);
        isr.end = now;
        self.isrs.push(isr);
        self.record(core, Event::IsrExit { isr_id: TICK_ISR + number });
    }
}
