//! A simulated FreeRTOS target: what its kernel and its tasks would record.
//!
//! Each core has ten tasks and seven queues, semaphores and mutexes. The order of events is that of
//! the kernel: a task that waits says so and is switched out, whoever ends the wait makes it ready,
//! and it is switched in before it acts. What happens next is whatever is furthest behind its share:
//! interrupts 30 %, switches 25 %, queues 25 %, markers 5 %.

use std::io;

use super::random::Random;
use tband_format::{Event, QueueKind, Str, registry::trace_info_flags};

/// Tasks of a core, the idle task included, which is the first.
const TASKS: u32 = 10;
const QUEUES: u32 = 7;
const NS_PER_TS: u64 = 40;
/// The recorder tells the count of dropped events once in so many.
const DROP_COUNT_EVERY: u64 = 50;

const TASK_NAMES: [&str; TASKS as usize] = [
    "IDLE", "Tmr Svc", "sensor", "control", "comm rx", "comm tx", "logger", "display", "watchdog",
    "shell",
];
const QUEUE_NAMES: [(&str, QueueKind); QUEUES as usize] = [
    ("samples", QueueKind::QUEUE),
    ("commands", QueueKind::QUEUE),
    ("rx bytes", QueueKind::QUEUE),
    ("log lines", QueueKind::QUEUE),
    ("frame done", QueueKind::BINARY_SEMAPHORE),
    ("credits", QueueKind::COUNTING_SEMAPHORE),
    ("bus", QueueKind::MUTEX),
];
const MUTEX: u32 = QUEUES - 1;
const ISR_NAMES: [(u32, &str); 3] = [(15, "SysTick"), (38, "USART1"), (56, "DMA1")];
const MESSAGES: [&str; 4] = ["packet 17", "retry", "state: armed", "buffer full"];

/// Shares of the events in percent, by [`Kind`].
const SHARES: [u64; 4] = [30, 25, 25, 5];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Isr,
    Switch,
    Queue,
    Marker,
    Rest,
}

const KINDS: [Kind; 4] = [Kind::Isr, Kind::Switch, Kind::Queue, Kind::Marker];

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    Delayed,
    /// Waits for this queue.
    Waits(u32),
}

#[derive(Clone, Copy)]
struct Task {
    state: State,
    /// Queue from which it receives once it runs.
    wants: Option<u32>,
    holds_mutex: bool,
}

struct Core {
    number: u32,
    now: u64,
    running: u32,
    tasks: [Task; TASKS as usize],
    levels: [u32; QUEUES as usize],
    counts: [u64; 5],
    all: u64,
    /// Events still to be lost.
    losing: u64,
    lost: u32,
}

/// The target.
pub struct Simulation {
    cores: Vec<Core>,
    random: Random,
    loss_every: u64,
    dropped: u32,
}

/// Where events go: core, timestamp, event; false ends the simulation.
type Emit<'e> = dyn FnMut(u32, u64, &Event<'_>) -> io::Result<bool> + 'e;

/// Stopped by the receiver of the events, or because that failed.
struct Stop(io::Result<()>);

impl Simulation {
    /// A target of that many cores that loses events once in `loss_every`, never if 0.
    #[must_use]
    pub fn new(cores: u32, seed: u64, loss_every: u64) -> Self {
        let task = Task { state: State::Ready, wants: None, holds_mutex: false };
        let core = |number| Core {
            number,
            now: 1000 + u64::from(number) * 7,
            running: 0,
            tasks: [task; TASKS as usize],
            levels: [0; QUEUES as usize],
            counts: [0; 5],
            all: 0,
            losing: 0,
            lost: 0,
        };
        let cores = (0..cores.max(1)).map(core).collect();
        Self { cores, random: Random(seed), loss_every, dropped: 0 }
    }

    /// Runs until `emit` has enough.
    ///
    /// # Errors
    /// What `emit` reports.
    pub fn run(
        mut self,
        mut emit: impl FnMut(u32, u64, &Event<'_>) -> io::Result<bool>,
    ) -> io::Result<()> {
        match self.go(&mut emit) {
            Ok(()) => Ok(()),
            Err(Stop(result)) => result,
        }
    }

    fn go(&mut self, emit: &mut Emit<'_>) -> Result<(), Stop> {
        let Self { cores, random, loss_every, dropped } = self;
        let count = u32::try_from(cores.len()).unwrap_or(u32::MAX);
        for core in &mut *cores {
            let mut step = Step { core, random, emit, loss_every: 0, dropped };
            step.metadata(count)?;
            step.create()?;
        }
        loop {
            // The core that is furthest back does some things in a row.
            let next = cores.iter_mut().min_by_key(|core| core.now);
            let Some(core) = next else { return Ok(()) };
            let mut step = Step { core, random, emit, loss_every: *loss_every, dropped };
            step.act()?;
        }
    }
}

struct Step<'s, 'e> {
    core: &'s mut Core,
    random: &'s mut Random,
    emit: &'s mut Emit<'e>,
    loss_every: u64,
    /// Events that all cores have lost.
    dropped: &'s mut u32,
}

impl Step<'_, '_> {
    fn send(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match (self.emit)(self.core.number, self.core.now, event) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop(Ok(()))),
            Err(error) => Err(Stop(Err(error))),
        }
    }

    /// An event happens, a moment after the last.
    fn event(&mut self, kind: Kind, event: &Event<'_>) -> Result<(), Stop> {
        self.core.now += 20 + self.random.below(210);
        self.core.all += 1;
        self.core.counts[kind as usize] += 1;
        if self.loss_every > 0 && self.core.all.is_multiple_of(self.loss_every) {
            self.core.losing = 1 + self.random.below(9);
        }
        if self.core.losing > 0 {
            self.core.losing -= 1;
            *self.dropped += 1;
            return Ok(());
        }
        let news = *self.dropped != self.core.lost;
        if news || self.core.all.is_multiple_of(DROP_COUNT_EVERY) {
            self.core.lost = *self.dropped;
            self.core.all += 1;
            self.send(&Event::DroppedEvtCnt { cnt: self.core.lost })?;
        }
        self.send(event)
    }

    fn task_id(&self, task: u32) -> u32 {
        1 + self.core.number * TASKS + task
    }

    fn queue_id(&self, queue: u32) -> u32 {
        1 + self.core.number * QUEUES + queue
    }

    fn task(&mut self, task: u32) -> &mut Task {
        &mut self.core.tasks[task as usize]
    }

    fn metadata(&mut self, core_count: u32) -> Result<(), Stop> {
        let core = self.core.number;
        if core == 0 {
            self.send(&Event::TsResolutionNs { ns_per_ts: NS_PER_TS })?;
            self.send(&Event::TraceInfo {
                format_version: tband_format::FORMAT_VERSION,
                core_count,
                flags: trace_info_flags::FREERTOS,
                kernel_version: Some(110_200),
                tick_rate_hz: Some(1000),
            })?;
            self.send(&Event::EvtmarkerName { evtmarker_id: 1, name: Str(b"events") })?;
            self.send(&Event::ValmarkerName { valmarker_id: 1, name: Str(b"temperature") })?;
        }
        for (isr_id, name) in ISR_NAMES {
            self.send(&Event::IsrName { isr_id, name: Str(name.as_bytes()) })?;
        }
        for (task, name) in (0..).zip(TASK_NAMES) {
            let name = if core == 0 { name.to_owned() } else { format!("{name} {core}") };
            let task_id = self.task_id(task);
            self.send(&Event::TaskName { task_id, name: Str(name.as_bytes()) })?;
        }
        let task_id = self.task_id(0);
        self.send(&Event::TaskIsIdleTask { task_id, core_id: core })?;
        for (queue, (name, kind)) in (0..).zip(QUEUE_NAMES) {
            let name = if core == 0 { name.to_owned() } else { format!("{name} {core}") };
            let queue_id = self.queue_id(queue);
            self.send(&Event::QueueName { queue_id, name: Str(name.as_bytes()) })?;
            self.send(&Event::QueueKind { queue_id, kind })?;
        }
        Ok(())
    }

    fn create(&mut self) -> Result<(), Stop> {
        for queue in 0..QUEUES {
            let queue_id = self.queue_id(queue);
            self.event(Kind::Queue, &Event::QueueCreated { queue_id })?;
        }
        self.core.levels[MUTEX as usize] = 1;
        let queue_id = self.queue_id(MUTEX);
        self.event(Kind::Queue, &Event::QueueSend { queue_id, len_after: 1 })?;
        for task in 0..TASKS {
            let task_id = self.task_id(task);
            self.event(Kind::Rest, &Event::TaskCreated { task_id })?;
            let priority = if task == 0 { 0 } else { 1 + task % 5 };
            self.event(Kind::Rest, &Event::TaskPrioritySet { task_id, priority })?;
            self.event(Kind::Rest, &Event::TaskToRdyState { task_id })?;
        }
        let task_id = self.task_id(0);
        self.event(Kind::Switch, &Event::TaskSwitchedIn { task_id })
    }

    /// One thing that happens on the core.
    fn act(&mut self) -> Result<(), Stop> {
        if let Some(queue) = self.task(self.core.running).wants.take() {
            return self.receive(queue);
        }
        if self.core.running == 0 && self.ready() != 0 {
            return self.switch();
        }
        let (counts, all) = (&self.core.counts, self.core.all);
        let behind =
            |kind: Kind| (all * SHARES[kind as usize] / 100).saturating_sub(counts[kind as usize]);
        let kind = KINDS.into_iter().max_by_key(|kind| behind(*kind)).unwrap_or(Kind::Isr);
        match kind {
            Kind::Isr => self.interrupt(),
            _ if self.core.running == 0 => self.interrupt(),
            Kind::Switch if self.random.one_in(3) && !self.task(self.core.running).holds_mutex => {
                self.delay()
            }
            Kind::Switch if self.ready() != 0 => self.switch(),
            Kind::Switch => self.interrupt(),
            Kind::Marker => self.marker(),
            Kind::Queue | Kind::Rest => self.queue(),
        }
    }

    /// A ready task other than the running one, the idle task if there is none.
    fn ready(&mut self) -> u32 {
        let start = self.random.below(u64::from(TASKS)) as u32;
        (0..TASKS)
            .map(|offset| (start + offset) % TASKS)
            .find(|&task| {
                task != 0
                    && task != self.core.running
                    && self.core.tasks[task as usize].state == State::Ready
            })
            .unwrap_or(0)
    }

    fn switch(&mut self) -> Result<(), Stop> {
        self.core.running = self.ready();
        let task_id = self.task_id(self.core.running);
        self.event(Kind::Switch, &Event::TaskSwitchedIn { task_id })
    }

    fn delay(&mut self) -> Result<(), Stop> {
        self.event(Kind::Rest, &Event::CurtaskDelay { ticks: 5 })?;
        self.task(self.core.running).state = State::Delayed;
        self.switch()
    }

    fn interrupt(&mut self) -> Result<(), Stop> {
        let (isr_id, _) = ISR_NAMES[self.random.below(3) as usize];
        let idle = self.core.running == 0;
        self.event(Kind::Isr, &Event::IsrEnter { isr_id })?;
        if isr_id == ISR_NAMES[0].0 {
            for _ in 0..2 {
                let delayed = (1..TASKS).find(|task| self.task(*task).state == State::Delayed);
                if let Some(task) = delayed {
                    self.wake(task)?;
                }
            }
        } else if idle || self.random.one_in(3) {
            let waiting = (1..TASKS).find_map(|task| match self.task(task).state {
                State::Waits(queue) if queue != MUTEX => Some(queue),
                _ => None,
            });
            let queue = waiting.unwrap_or(self.random.below(u64::from(MUTEX)) as u32);
            let queue_id = self.queue_id(queue);
            if let Some(len_after) = self.add(queue) {
                self.event(Kind::Queue, &Event::QueueSendFromIsr { queue_id, len_after })?;
                self.wake_waiting(queue)?;
            }
        }
        self.event(Kind::Isr, &Event::IsrExit { isr_id })
    }

    /// An item goes into a queue; `None` if it is full.
    fn add(&mut self, queue: u32) -> Option<u32> {
        let most = if queue == 4 || queue == MUTEX { 1 } else { 16 };
        let level = &mut self.core.levels[queue as usize];
        (*level < most).then(|| {
            *level += 1;
            *level
        })
    }

    fn wake(&mut self, task: u32) -> Result<(), Stop> {
        if let State::Waits(queue) = self.task(task).state {
            self.task(task).wants = Some(queue);
        }
        self.task(task).state = State::Ready;
        let task_id = self.task_id(task);
        self.event(Kind::Rest, &Event::TaskToRdyState { task_id })
    }

    /// Makes a task ready that waits for the queue; false if there is none.
    fn wake_waiting(&mut self, queue: u32) -> Result<bool, Stop> {
        match (1..TASKS).find(|task| self.task(*task).state == State::Waits(queue)) {
            Some(task) => self.wake(task).map(|()| true),
            None => Ok(false),
        }
    }

    fn queue(&mut self) -> Result<(), Stop> {
        let queue = if self.task(self.core.running).holds_mutex {
            MUTEX
        } else {
            self.random.below(u64::from(QUEUES)) as u32
        };
        let takes = match queue {
            MUTEX => !self.task(self.core.running).holds_mutex,
            // Waiting is rarer than finding something.
            _ => self.random.one_in(if self.core.levels[queue as usize] > 0 { 2 } else { 5 }),
        };
        if takes {
            return self.receive(queue);
        }
        let queue_id = self.queue_id(queue);
        if let Some(len_after) = self.add(queue) {
            if queue == MUTEX {
                self.task(self.core.running).holds_mutex = false;
            }
            self.event(Kind::Queue, &Event::QueueSend { queue_id, len_after })?;
            if self.wake_waiting(queue)? && self.random.one_in(2) {
                return self.switch();
            }
            return Ok(());
        }
        self.receive(queue)
    }

    fn receive(&mut self, queue: u32) -> Result<(), Stop> {
        let queue_id = self.queue_id(queue);
        let level = &mut self.core.levels[queue as usize];
        if let Some(len_after) = level.checked_sub(1) {
            *level = len_after;
            self.task(self.core.running).holds_mutex |= queue == MUTEX;
            return self.event(Kind::Queue, &Event::QueueReceive { queue_id, len_after });
        }
        let ticks_to_wait = u32::MAX;
        self.event(Kind::Queue, &Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait })?;
        self.task(self.core.running).state = State::Waits(queue);
        self.switch()
    }

    fn marker(&mut self) -> Result<(), Stop> {
        if self.random.one_in(2) {
            let val = self.random.below(400).cast_signed() - 100;
            return self.event(Kind::Marker, &Event::Valmarker { valmarker_id: 1, val });
        }
        let msg = MESSAGES[self.random.below(4) as usize];
        self.event(Kind::Marker, &Event::Evtmarker { evtmarker_id: 1, msg: Str(msg.as_bytes()) })
    }
}
