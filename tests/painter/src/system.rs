//! What a simulated program consists of: tasks, locks, queues, interrupts, cores.

use tband_format::Event;
use tband_format::named::QueueKind as Kind;

use crate::random::Random;

/// The number of the tick's interrupt; others have the numbers after it.
pub const TICK_ISR: u32 = 15;

/// A task of the program, or the idle task of a core.
#[derive(Clone, Debug)]
pub struct TaskPlan {
    /// Name in the recording.
    pub name: String,
    /// Priority that it is created with; 0 for idle tasks.
    pub priority: u32,
    /// Cores on which it may run, one bit each; `None`: all, and no event restricts it.
    pub cores: Option<u32>,
    /// The core whose idle task it is.
    pub idle_of: Option<usize>,
}

/// A mutex, or a binary semaphore that is used as a lock.
#[derive(Clone, Debug)]
pub struct LockPlan {
    /// Name in the recording.
    pub name: String,
    /// It lends its holder the priority of a waiter.
    pub inherits: bool,
}

/// A program, before it runs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Tasks: the idle task of each core first.
    pub tasks: Vec<TaskPlan>,
    /// Locks.
    pub locks: Vec<LockPlan>,
    /// Room of each queue, in items.
    pub queues: Vec<u32>,
    /// Number of interrupts in addition to the tick.
    pub isrs: u32,
    /// How many cores.
    pub cores: usize,
    /// Length of the recording in ticks of the timestamps.
    pub length: i64,
    /// Tasks ignore the order of locks, so that they may deadlock.
    pub may_deadlock: bool,
    /// Waits for locks may time out.
    pub may_time_out: bool,
    /// Tasks suspend, resume and delete other tasks and set their priorities.
    pub meddles: bool,
    /// `task_switched_out` is recorded, too.
    pub records_switched_out: bool,
}

impl Plan {
    /// A random program.
    #[must_use]
    pub fn random(random: &mut Random) -> Self {
        let cores = random.pick(&[1, 1, 1, 2, 2, 3]);
        let all = (1_u32 << cores) - 1;
        let mut tasks: Vec<_> = (0..cores)
            .map(|core| TaskPlan {
                name: format!("IDLE{core}"),
                priority: 0,
                cores: (cores > 1).then_some(1 << core),
                idle_of: Some(core),
            })
            .collect();
        let highest = random.between(2, 6);
        for number in 0..random.between(1, 7) {
            let restricted = cores > 1 && random.percent(30);
            let mask = u32::try_from(random.between(1, i64::from(all) + 1)).unwrap_or(1);
            tasks.push(TaskPlan {
                name: format!("t{number}"),
                priority: u32::try_from(random.between(1, highest)).unwrap_or(1),
                cores: restricted.then_some(mask),
                idle_of: None,
            });
        }
        let locks = (0..random.between(0, 4))
            .map(|number| LockPlan { name: format!("lock{number}"), inherits: random.percent(70) })
            .collect();
        let queues = (0..random.between(1, 4)).map(|_| random.pick(&[1, 2, 5])).collect();
        Self {
            tasks,
            locks,
            queues,
            isrs: u32::try_from(random.between(0, 4)).unwrap_or(0),
            cores,
            length: random.pick(&[3, 30, 200, 600, 1500]),
            may_deadlock: random.percent(15),
            may_time_out: random.percent(40),
            meddles: random.percent(40),
            records_switched_out: random.percent(30),
        }
    }

    /// The number of a queue in the recording; locks have those after the queues.
    #[must_use]
    pub fn queue_id(&self, queue: usize) -> u32 {
        1 + u32::try_from(queue).unwrap_or(0)
    }

    /// The number of a lock in the recording.
    #[must_use]
    pub fn lock_id(&self, lock: usize) -> u32 {
        self.queue_id(self.queues.len() + lock)
    }

    /// The number of a task in the recording.
    #[must_use]
    pub fn task_id(task: usize) -> u32 {
        1 + u32::try_from(task).unwrap_or(0)
    }

    /// The metadata of a recording, without names, which [`names`](Self::names) has.
    #[must_use]
    pub fn metadata(&self) -> Vec<Event<'static>> {
        let mut events = vec![Event::TsResolutionNs { ns_per_ts: 1000 }];
        for (number, task) in self.tasks.iter().enumerate() {
            if let Some(core) = task.idle_of {
                let core_id = u32::try_from(core).unwrap_or(0);
                events.push(Event::TaskIsIdleTask { task_id: Self::task_id(number), core_id });
            }
        }
        for queue in 0..self.queues.len() {
            events.push(Event::QueueKind { queue_id: self.queue_id(queue), kind: Kind::QUEUE });
        }
        for (number, lock) in self.locks.iter().enumerate() {
            let kind = if lock.inherits { Kind::MUTEX } else { Kind::BINARY_SEMAPHORE };
            events.push(Event::QueueKind { queue_id: self.lock_id(number), kind });
        }
        events
    }

    /// Names: of tasks, of queues and locks, and of interrupts.
    #[must_use]
    pub fn names(&self) -> [Vec<(u32, String)>; 3] {
        let tasks = (0..).zip(&self.tasks);
        let tasks = tasks.map(|(number, task)| (Self::task_id(number), task.name.clone()));
        let queues = (0..self.queues.len()).map(|it| (self.queue_id(it), format!("queue{it}")));
        let locks = (0..).zip(&self.locks);
        let locks = locks.map(|(number, lock)| (self.lock_id(number), lock.name.clone()));
        let isrs = (0..=self.isrs).map(|it| (TICK_ISR + it, format!("isr{it}")));
        [tasks.collect(), queues.chain(locks).collect(), isrs.collect()]
    }
}
