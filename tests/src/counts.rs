//! Counts the events in a recording of an example, in the form of the program's own record, and compares.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tband_format::{Event, Str};

use crate::events::for_each;

type Counts = BTreeMap<&'static str, Value>;

/// Objects of one kind, by number.
#[derive(Default)]
struct Objects(BTreeMap<u32, Counts>);

impl Objects {
    fn set(&mut self, id: u32, key: &'static str, value: impl Into<Value>) {
        self.0.entry(id).or_default().insert(key, value.into());
    }

    fn count(&mut self, id: u32, key: &'static str) {
        let count = self.0.entry(id).or_default().entry(key).or_insert(json!(0));
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }

    fn name(&mut self, id: u32, name: Str<'_>) {
        self.set(id, "name", name.to_string());
    }

    /// Everything, with 0 for what did not happen.
    fn list(&self, keys: &[&'static str]) -> Value {
        let with_zeros = self.0.iter().map(|(id, counts)| {
            let mut counts = counts.clone();
            counts.insert("id", json!(id));
            for key in keys {
                counts.entry(key).or_insert(json!(0));
            }
            counts
        });
        json!(with_zeros.collect::<Vec<_>>())
    }

    fn names(&self, ids: &[u32]) -> Value {
        json!(ids.iter().map(|id| self.0.get(id).map(|o| o["name"].clone())).collect::<Vec<_>>())
    }
}

#[derive(Default)]
struct Counter {
    tasks: Objects,
    queues: Objects,
    isrs: Objects,
    evtmarkers: Objects,
    valmarkers: Objects,
    running: u32,
    idle: Vec<u32>,
    timer: Vec<u32>,
    other: Counts,
    last_ts: u64,
}

/// The counts, as JSON. Panics on anything that is not a whole event or a gap of zeros, and where time steps back.
pub fn counts_of(recording: &[u8]) -> Value {
    let mut counter = Counter::default();
    let mut events = 0;
    for key in ["inheritances", "disinheritances", "dropped"] {
        counter.other.insert(key, json!(0));
    }
    for_each(recording, |ts, event| {
        if let Some(ts) = ts {
            assert!(ts >= counter.last_ts, "time steps back from {} to {ts}", counter.last_ts);
            counter.last_ts = ts;
        }
        counter.event(event);
        events += 1;
    });
    let tasks = ["created", "deleted", "delays", "delay_untils", "suspended", "resumed"];
    let task_markers = ["evtmarkers", "evtmarker_begins", "evtmarker_ends", "valmarkers"];
    let queues = ["sends", "sends_from_isr", "overwrites", "overwrites_from_isr", "receives"];
    let mut all = counter.other;
    all.insert("events", json!(events));
    let keys = [&tasks[..], &task_markers, &["resumed_from_isr", "priority_sets"]].concat();
    all.insert("tasks", counter.tasks.list(&keys));
    all.insert("idle_tasks", counter.tasks.names(&counter.idle));
    all.insert("timer_tasks", counter.tasks.names(&counter.timer));
    let keys = [&queues[..], &["receives_from_isr", "resets"]].concat();
    all.insert("queues", counter.queues.list(&keys));
    all.insert("isrs", counter.isrs.list(&["enters", "exits"]));
    all.insert("evtmarkers", counter.evtmarkers.list(&["instants", "begins", "ends"]));
    all.insert("valmarkers", counter.valmarkers.list(&["values"]));
    json!(all)
}

/// Compares what both sides have, so that a difference names the object and the count.
pub fn compare(what: &str, truth: &Value, counted: &Value) {
    let (truth, counted) = (truth[what].as_array(), counted[what].as_array());
    let (truth, counted) = (truth.expect("the program lists them"), counted.expect("a list"));
    let mut names: Vec<_> = truth.iter().map(|object| &object["name"]).collect();
    let mut recorded: Vec<_> = counted.iter().map(|object| &object["name"]).collect();
    names.sort_by_key(|name| name.to_string());
    recorded.sort_by_key(|name| name.to_string());
    assert_eq!(recorded, names, "the {what} themselves");
    for expected in truth {
        let name = &expected["name"];
        let found = counted.iter().find(|object| object["name"] == *name).expect("compared above");
        for (key, value) in expected.as_object().expect("an object") {
            // `kernel` is the program's own remark; null is a count that only the kernel knows.
            if key != "kernel" && !value.is_null() {
                assert_eq!(found[key], *value, "{key} of {name} in {what}");
            }
        }
    }
}

/// Compares all counts of the application of the FreeRTOS examples, and the facts that the recorder finds about the kernel
/// automatically.
pub fn compare_application(truth: &Value, counted: &Value) {
    assert_eq!(truth["refused_frames"], 0);
    for what in ["tasks", "queues", "isrs", "evtmarkers", "valmarkers"] {
        compare(what, truth, counted);
    }
    for what in ["inheritances", "disinheritances"] {
        assert_eq!(counted[what], truth[what], "{what}");
        assert_ne!(counted[what], 0, "{what}: the program provokes them");
    }
    assert_eq!(counted["dropped"], 0);
    // Idle and timer task are known without any call by the program.
    assert_eq!(counted["idle_tasks"], json!(["IDLE"]));
    assert_eq!(counted["timer_tasks"], json!(["Tmr Svc"]));
    assert_eq!(counted["kernel_version"], 110_200);
    assert_eq!(counted["tick_rate_hz"], 1000);
}

impl Counter {
    fn other(&mut self, key: &'static str) {
        let count = self.other.entry(key).or_insert(json!(0));
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }

    fn level(&mut self, id: u32, level: u32) {
        self.queues.set(id, "final_length", level);
    }

    fn moved(&mut self, id: u32, key: &'static str, level: u32) {
        self.queues.count(id, key);
        self.level(id, level);
    }

    fn event(&mut self, event: &Event<'_>) {
        use Event as E;
        let running = self.running;
        match *event {
            E::DroppedEvtCnt { cnt } => {
                self.other.insert("dropped", json!(cnt));
            }
            E::TraceInfo { kernel_version, tick_rate_hz, .. } => {
                self.other.insert("kernel_version", json!(kernel_version));
                self.other.insert("tick_rate_hz", json!(tick_rate_hz));
            }
            E::IsrName { isr_id, name } => self.isrs.name(isr_id, name),
            E::IsrEnter { isr_id } => self.isrs.count(isr_id, "enters"),
            E::IsrExit { isr_id } => self.isrs.count(isr_id, "exits"),
            E::EvtmarkerName { evtmarker_id, name } => self.evtmarkers.name(evtmarker_id, name),
            E::Evtmarker { evtmarker_id, .. } => self.evtmarkers.count(evtmarker_id, "instants"),
            E::EvtmarkerBegin { evtmarker_id, .. } => self.evtmarkers.count(evtmarker_id, "begins"),
            E::EvtmarkerEnd { evtmarker_id } => self.evtmarkers.count(evtmarker_id, "ends"),
            E::ValmarkerName { valmarker_id, name } => self.valmarkers.name(valmarker_id, name),
            E::Valmarker { valmarker_id, val } => {
                self.valmarkers.count(valmarker_id, "values");
                self.valmarkers.set(valmarker_id, "last", val);
            }
            E::TaskSwitchedIn { task_id } => self.running = task_id,
            E::TaskName { task_id, name } => self.tasks.name(task_id, name),
            E::TaskIsIdleTask { task_id, .. } if !self.idle.contains(&task_id) => {
                self.idle.push(task_id);
            }
            E::TaskIsTimerTask { task_id } if !self.timer.contains(&task_id) => {
                self.timer.push(task_id);
            }
            E::TaskCreated { task_id } => self.tasks.count(task_id, "created"),
            E::TaskDeleted { task_id } => self.tasks.count(task_id, "deleted"),
            E::TaskSuspended { task_id } => self.tasks.count(task_id, "suspended"),
            E::TaskResumed { task_id } => self.tasks.count(task_id, "resumed"),
            E::TaskResumedFromIsr { task_id } => self.tasks.count(task_id, "resumed_from_isr"),
            E::CurtaskDelay { .. } => self.tasks.count(running, "delays"),
            E::CurtaskDelayUntil { .. } => self.tasks.count(running, "delay_untils"),
            E::TaskPrioritySet { task_id, priority } => {
                self.tasks.count(task_id, "priority_sets");
                self.tasks
                    .0
                    .entry(task_id)
                    .or_default()
                    .entry("priority")
                    .or_insert(json!(priority));
                self.tasks.set(task_id, "last_priority", priority);
            }
            E::TaskPriorityInherit { .. } => self.other("inheritances"),
            E::TaskPriorityDisinherit { .. } => self.other("disinheritances"),
            E::TaskEvtmarker { .. } => self.tasks.count(running, "evtmarkers"),
            E::TaskEvtmarkerBegin { .. } => self.tasks.count(running, "evtmarker_begins"),
            E::TaskEvtmarkerEnd { .. } => self.tasks.count(running, "evtmarker_ends"),
            E::TaskValmarker { .. } => self.tasks.count(running, "valmarkers"),
            E::QueueName { queue_id, name } => self.queues.name(queue_id, name),
            E::QueueKind { queue_id, kind } => self.queues.set(queue_id, "kind", kind.0),
            E::QueueCurLength { queue_id, length } => self.level(queue_id, length),
            E::QueueReset { queue_id } => self.moved(queue_id, "resets", 0),
            E::QueueSend { queue_id, len_after } => self.moved(queue_id, "sends", len_after),
            E::QueueSendFromIsr { queue_id, len_after } => {
                self.moved(queue_id, "sends_from_isr", len_after);
            }
            E::QueueOverwrite { queue_id, len_after } => {
                self.moved(queue_id, "overwrites", len_after);
            }
            E::QueueOverwriteFromIsr { queue_id, len_after } => {
                self.moved(queue_id, "overwrites_from_isr", len_after);
            }
            E::QueueReceive { queue_id, len_after } => self.moved(queue_id, "receives", len_after),
            E::QueueReceiveFromIsr { queue_id, len_after } => {
                self.moved(queue_id, "receives_from_isr", len_after);
            }
            _ => {}
        }
    }
}
