//! Acts of tasks and interrupts of a simulated target, in the order in which the kernel reports them.

use super::objects::ISR_NAMES;
use super::simulation::{EventKind, MUTEX, QUEUES, SimulationEnd, Step, Wait, base_priority};
use tband_format::named::NotifyAction;
use tband_format::{Event, Str};

const MESSAGES: [&str; 4] = ["packet 17", "retry", "state: armed", "buffer full"];

/// Tasks that an interrupt wakes when all wait.
const AFTER_IDLE: u64 = 4;

/// Pieces of the heap that a core's tasks have at most.
const PIECES: usize = 8;

impl Step<'_, '_> {
    /// Returns a task that meets the condition, searched from a random one on and without the idle task.
    fn find(&mut self, is_meant: impl Fn(&Self, u32) -> bool) -> Option<u32> {
        let tasks = self.tasks();
        let start = self.random.below(u64::from(tasks)) as u32;
        (0..tasks)
            .map(|offset| (start + offset) % tasks)
            .find(|task| *task != 0 && is_meant(self, *task))
    }

    fn waits(&self, task: u32) -> Option<Wait> {
        self.core.tasks[task as usize].waits
    }

    /// Returns a ready task other than the running one, or the idle task if there is none.
    pub(super) fn ready(&mut self) -> u32 {
        let is_ready = |step: &Self, task| task != step.core.running && step.waits(task).is_none();
        self.find(is_ready).unwrap_or(0)
    }

    pub(super) fn switch(&mut self) -> Result<(), SimulationEnd> {
        self.core.running = self.ready();
        let task_id = self.task_id(self.core.running);
        self.event(EventKind::Switch, &Event::TaskSwitchedIn { task_id })
    }

    /// The running task waits.
    fn wait(&mut self, wait: Wait) -> Result<(), SimulationEnd> {
        self.running().waits = Some(wait);
        self.switch()
    }

    pub(super) fn delay(&mut self) -> Result<(), SimulationEnd> {
        // These acts are not synchronous to a tick of the kernel; so short a delay may end at any time.
        self.event(EventKind::Rest, &Event::CurtaskDelay { ticks: 1 })?;
        self.wait(Wait::Delay)
    }

    /// The running task has been woken and continues.
    pub(super) fn resume(&mut self, wait: Wait) -> Result<(), SimulationEnd> {
        match wait {
            Wait::Delay => Ok(()),
            Wait::Item(queue) => self.receive(queue),
            Wait::Notification => self.take_notification(),
        }
    }

    fn wake(&mut self, task: u32) -> Result<(), SimulationEnd> {
        let woken = self.task(task);
        woken.resumes = woken.waits.take();
        let task_id = self.task_id(task);
        self.event(EventKind::Rest, &Event::TaskToRdyState { task_id })
    }

    /// Makes a task ready that waits for the queue; returns false if there is none.
    fn wake_waiting(&mut self, queue: u32) -> Result<bool, SimulationEnd> {
        match self.find(|step, task| step.waits(task) == Some(Wait::Item(queue))) {
            Some(task) => self.wake(task).map(|()| true),
            None => Ok(false),
        }
    }

    pub(super) fn interrupt(&mut self) -> Result<(), SimulationEnd> {
        let (isr_id, _) = ISR_NAMES[self.random.below(3) as usize];
        let idle = self.core.running == 0;
        self.event(EventKind::Isr, &Event::IsrEnter { isr_id })?;
        // An idle core wakes up with several tasks, or interrupts would have most of its events.
        let most = if idle { AFTER_IDLE } else { u64::from(self.random.one_in(2)) };
        for _ in 0..most {
            if isr_id == ISR_NAMES[0].0 {
                if let Some(task) = self.find(|step, task| step.waits(task) == Some(Wait::Delay)) {
                    self.wake(task)?;
                }
            } else {
                self.serve()?;
            }
        }
        self.event(EventKind::Isr, &Event::IsrExit { isr_id })
    }

    /// An interrupt has something for a task that waits, or for later.
    fn serve(&mut self) -> Result<(), SimulationEnd> {
        let is_served = |step: &Self, task| {
            matches!(step.waits(task), Some(Wait::Item(queue)) if queue != MUTEX)
                || step.waits(task) == Some(Wait::Notification)
        };
        let waiting = self.find(is_served).map(|task| (task, self.waits(task)));
        if let Some((task, Some(Wait::Notification))) = waiting {
            self.task(task).notification += 1;
            let (task_id, value_after) = (self.task_id(task), self.task(task).notification);
            let give = Event::TaskNotifyGiveFromIsr { task_id, index: 0, value_after };
            self.event(EventKind::Rest, &give)?;
            return self.wake(task);
        }
        let queue = match waiting {
            Some((_, Some(Wait::Item(queue)))) => queue,
            _ => self.random.below(u64::from(MUTEX)) as u32,
        };
        let queue_id = self.queue_id(queue);
        if let Some(len_after) = self.add(queue) {
            self.event(EventKind::Queue, &Event::QueueSendFromIsr { queue_id, len_after })?;
            self.wake_waiting(queue)?;
        }
        Ok(())
    }

    /// Adds an item to a queue; `None` if it is full.
    fn add(&mut self, queue: u32) -> Option<u32> {
        let most = if queue == 4 || queue == MUTEX { 1 } else { 16 };
        let level = &mut self.core.levels[queue as usize];
        (*level < most).then(|| {
            *level += 1;
            *level
        })
    }

    pub(super) fn queue(&mut self) -> Result<(), SimulationEnd> {
        let holds_mutex = self.running().holds_mutex;
        let queue = if holds_mutex { MUTEX } else { self.random.below(u64::from(QUEUES)) as u32 };
        let takes = match queue {
            MUTEX => !holds_mutex,
            // Waiting is rarer than finding something.
            _ => self.random.one_in(if self.core.levels[queue as usize] > 0 { 2 } else { 5 }),
        };
        if takes {
            return self.receive(queue);
        }
        let Some(len_after) = self.add(queue) else { return self.receive(queue) };
        let queue_id = self.queue_id(queue);
        self.event(EventKind::Queue, &Event::QueueSend { queue_id, len_after })?;
        if holds_mutex {
            self.running().holds_mutex = false;
            self.disinherit()?;
        }
        if self.wake_waiting(queue)? && self.random.one_in(2) {
            return self.switch();
        }
        Ok(())
    }

    fn receive(&mut self, queue: u32) -> Result<(), SimulationEnd> {
        let queue_id = self.queue_id(queue);
        let level = &mut self.core.levels[queue as usize];
        if let Some(len_after) = level.checked_sub(1) {
            *level = len_after;
            self.running().holds_mutex |= queue == MUTEX;
            return self.event(EventKind::Queue, &Event::QueueReceive { queue_id, len_after });
        }
        let ticks_to_wait = u32::MAX;
        self.event(
            EventKind::Queue,
            &Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait },
        )?;
        if queue == MUTEX {
            self.inherit()?;
        }
        self.wait(Wait::Item(queue))
    }

    /// The holder of the mutex is as urgent as the running task, which is about to wait for it.
    fn inherit(&mut self) -> Result<(), SimulationEnd> {
        let priority = self.running().priority;
        match self.find(|step, task| step.core.tasks[task as usize].holds_mutex) {
            Some(holder) if self.task(holder).priority < priority => {
                self.task(holder).priority = priority;
                let task_id = self.task_id(holder);
                self.event(EventKind::Rest, &Event::TaskPriorityInherit { task_id, priority })
            }
            _ => Ok(()),
        }
    }

    /// The running task has given the mutex.
    fn disinherit(&mut self) -> Result<(), SimulationEnd> {
        let priority = base_priority(self.core.running);
        if self.running().priority == priority {
            return Ok(());
        }
        self.running().priority = priority;
        let task_id = self.task_id(self.core.running);
        self.event(EventKind::Rest, &Event::TaskPriorityDisinherit { task_id, priority })
    }

    pub(super) fn marker(&mut self) -> Result<(), SimulationEnd> {
        if self.random.one_in(2) {
            let val = self.random.below(400).cast_signed() - 100;
            return self.event(EventKind::Marker, &Event::Valmarker { valmarker_id: 1, val });
        }
        let msg = MESSAGES[self.random.below(4) as usize];
        self.event(
            EventKind::Marker,
            &Event::Evtmarker { evtmarker_id: 1, msg: Str(msg.as_bytes()) },
        )
    }

    /// The running task does work that involves neither queues nor markers.
    pub(super) fn other(&mut self) -> Result<(), SimulationEnd> {
        match self.random.below(3) {
            0 => self.allocate(),
            1 => self.notify(),
            _ if self.running().holds_mutex => self.notify(),
            _ => self.take_notification(),
        }
    }

    fn allocate(&mut self) -> Result<(), SimulationEnd> {
        let pieces = self.core.heap.len();
        let address = |piece: usize| 0x2000_1000 + 0x400 * piece as u32;
        if pieces > 0 && (pieces == PIECES || self.random.one_in(2)) {
            let size = self.core.heap.pop().unwrap_or(0);
            let address = address(pieces - 1);
            return self
                .event(EventKind::Rest, &Event::HeapFree { address, size, bytes_free: None });
        }
        let size = 16 + 8 * self.random.below(100) as u32;
        self.core.heap.push(size);
        let address = address(pieces);
        self.event(EventKind::Rest, &Event::HeapMalloc { address, size, bytes_free: None })
    }

    fn notify(&mut self) -> Result<(), SimulationEnd> {
        let waiting = self.find(|step, task| step.waits(task) == Some(Wait::Notification));
        let running = self.core.running;
        let other = waiting.or_else(|| self.find(|_, task| task != running));
        let Some(task) = other else { return Ok(()) };
        self.task(task).notification += 1;
        let (task_id, value_after) = (self.task_id(task), self.task(task).notification);
        let action = NotifyAction::INCREMENT;
        let notify = Event::TaskNotify { task_id, index: 0, action, value: 0, value_after };
        self.event(EventKind::Rest, &notify)?;
        if waiting.is_some() { self.wake(task) } else { Ok(()) }
    }

    /// As `ulTaskNotifyTake(pdTRUE, portMAX_DELAY)`.
    fn take_notification(&mut self) -> Result<(), SimulationEnd> {
        let value = std::mem::take(&mut self.running().notification);
        if value > 0 {
            let take = Event::CurtaskNotifyTake { index: 0, value, value_after: 0 };
            return self.event(EventKind::Rest, &take);
        }
        let ticks_to_wait = u32::MAX;
        let block = Event::CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait };
        self.event(EventKind::Rest, &block)?;
        self.wait(Wait::Notification)
    }
}
