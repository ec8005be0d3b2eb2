//! The objects of a simulated target: their names, and how they are created.

use super::simulation::{
    EventKind, MUTEX, QUEUE_NAMES, QUEUES, SimulationEnd, Step, TASKS, base_priority,
};
use tband_format::{Event, Str, registry::trace_info_flags};

const NS_PER_TS: u64 = 40;

const TASK_NAMES: [&str; TASKS as usize] = [
    "IDLE", "Tmr Svc", "sensor", "control", "comm rx", "comm tx", "logger", "display", "watchdog",
    "shell",
];
pub(super) const ISR_NAMES: [(u32, &str); 3] = [(15, "SysTick"), (38, "USART1"), (56, "DMA1")];

impl Step<'_, '_> {
    pub(super) fn metadata(&mut self, core_count: u32) -> Result<(), SimulationEnd> {
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
        for task in 0..self.tasks() {
            let more = format!("task {task}");
            let name = *TASK_NAMES.get(task as usize).unwrap_or(&more.as_str());
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

    pub(super) fn create(&mut self) -> Result<(), SimulationEnd> {
        for queue in 0..QUEUES {
            let queue_id = self.queue_id(queue);
            self.event(EventKind::Queue, &Event::QueueCreated { queue_id })?;
        }
        self.core.levels[MUTEX as usize] = 1;
        let queue_id = self.queue_id(MUTEX);
        self.event(EventKind::Queue, &Event::QueueSend { queue_id, len_after: 1 })?;
        for task in 0..self.tasks() {
            let task_id = self.task_id(task);
            self.event(EventKind::Rest, &Event::TaskCreated { task_id })?;
            let priority = base_priority(task);
            self.event(EventKind::Rest, &Event::TaskPrioritySet { task_id, priority })?;
            self.event(EventKind::Rest, &Event::TaskToRdyState { task_id })?;
        }
        let task_id = self.task_id(0);
        self.event(EventKind::Switch, &Event::TaskSwitchedIn { task_id })
    }
}
