//! BTF, read with the format's own rules: lines in the order of time, eight fields, and the states of processes and semaphores.

mod support;

use std::collections::{BTreeMap, HashMap};
use std::io;

use proptest::prelude::*;
use support::{random, vectors};
use tband_conv::activations::{Activation, ActivationSink, Activations, PartKind, Subject};
use tband_conv::model::{Flows, World};
use tband_conv::{Input, Options, convert};
use tband_export::convert_to_btf;
use tband_format::Event::*;
use tband_recordings::random::config;
use tband_recordings::{Recording, str};

/// Of each process and instance: how long it ran in all, whether it ended, and its first and last time.
type Instances = BTreeMap<(String, u64), Instance>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Instance {
    state: &'static str,
    since: i64,
    ran: i64,
    activated: i64,
    ended: Option<i64>,
}

/// The states of a process that each event leads from and to, as the format's chart has them.
const CHART: [(&str, &[&str], &str); 6] = [
    ("start", &["active"], "running"),
    ("preempt", &["running"], "ready"),
    ("resume", &["ready"], "running"),
    ("wait", &["running"], "waiting"),
    ("release", &["waiting"], "ready"),
    ("terminate", &["running"], "terminated"),
];

fn text_of(inputs: &[Input<'_>], options: &Options) -> String {
    let mut out = Vec::new();
    convert_to_btf(inputs, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Reads a trace. A violation of a rule fails.
fn read(text: &str) -> Instances {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("#version 2.2.0"));
    let header: Vec<_> = lines.by_ref().take(2).collect();
    assert!(header[0].starts_with("#creator tband ") && header[1] == "#timeScale ns", "{header:?}");
    let (mut instances, mut last) = (Instances::new(), 0);
    let mut locks: HashMap<(String, String), &str> = HashMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [time, source, source_instance, kind, target, instance, event] = fields[..] else {
            panic!("{line}");
        };
        let ns: i64 = time.parse().unwrap();
        assert!(ns >= last, "time goes back: {line}");
        last = ns;
        if kind == "SEM" {
            let key = (source.to_owned(), target.to_owned());
            let before = locks.get(&key).copied();
            match event {
                // The wait for it may have ended without it.
                "requestsemaphore" => {}
                "waiting" => assert_eq!(before, Some("requested"), "{line}"),
                "assigned" => assert!(matches!(before, Some("requested" | "waiting")), "{line}"),
                // A wait for the lock may continue.
                "released" => continue,
                _ => panic!("{line}"),
            }
            let state = match event {
                "requestsemaphore" => "requested",
                other => {
                    if other == "waiting" {
                        "waiting"
                    } else {
                        "done"
                    }
                }
            };
            locks.insert(key, state);
            continue;
        }
        assert!(kind == "T" || kind == "I", "{line}");
        let number: u64 = instance.parse().unwrap();
        let key = (target.to_owned(), number);
        if event == "activate" {
            assert_eq!((source, source_instance), (&*format!("STI_{target}"), instance), "{line}");
            let new = Instance { state: "active", since: ns, activated: ns, ..Instance::default() };
            assert_eq!(instances.insert(key, new), None, "{line}");
            continue;
        }
        assert!(source.starts_with("Core_") && source_instance == "0", "{line}");
        let it = instances.get_mut(&key).unwrap_or_else(|| panic!("not activated: {line}"));
        let (_, from, to) =
            CHART.iter().find(|(name, ..)| *name == event).unwrap_or_else(|| panic!("{line}"));
        assert!(from.contains(&it.state), "{}: {line}", it.state);
        if it.state == "running" {
            it.ran += ns - it.since;
        }
        (it.state, it.since) = (to, ns);
        if event == "terminate" {
            it.ended = Some(ns);
        }
    }
    instances
}

/// The activations of a recording.
#[derive(Default)]
struct ActivationCollector(Vec<(Subject, u64, i64, i64, i64, bool)>);

impl ActivationSink for ActivationCollector {
    fn activation(&mut self, _: &World, it: &Activation) -> io::Result<()> {
        let own = it.sum(PartKind::Own);
        self.0.push((it.subject, it.number, it.released_ns, it.ended_ns, own, it.end_seen));
        Ok(())
    }
}

/// Each instance is an activation: the same number, begin, end and own time.
fn assert_agreement(inputs: &[Input<'_>]) {
    let instances = read(&text_of(inputs, &Options::default()));
    let mut options = Options::default();
    options.flows = Flows::All;
    let mut follow = Activations::new(ActivationCollector::default());
    convert(inputs, &options, &mut follow).unwrap();
    let all = &follow.inner().0;
    let mut wanted: Vec<_> = all.iter().filter(|it| !matches!(it.0, Subject::Timer(_))).collect();
    assert_eq!(instances.len(), wanted.len());
    // Names can be changed; numbers and times tell which is which.
    let mut known: Vec<_> = instances.iter().map(|((_, number), it)| (*number, it)).collect();
    let first = wanted.iter().map(|it| it.2).chain(wanted.iter().map(|it| it.3)).min().unwrap_or(0);
    let shift = known.iter().map(|(_, it)| it.activated).min().unwrap_or(0);
    let offset = wanted.iter().map(|it| it.2).min().unwrap_or(first) - shift;
    wanted.sort_by_key(|it| (it.1, it.2, it.3, it.5, it.4));
    known.sort_by_key(|(number, it)| {
        (*number, it.activated, it.ended.unwrap_or(it.since), it.ended.is_some(), it.ran)
    });
    let mut of_known: Vec<_> = known
        .iter()
        .map(|(number, it)| (*number, it.activated + offset, it.ended.map(|ns| ns + offset)))
        .collect();
    let mut of_wanted: Vec<_> =
        wanted.iter().map(|it| (it.1, it.2, it.5.then_some(it.3))).collect();
    of_known.sort_unstable();
    of_wanted.sort_unstable();
    assert_eq!(of_known, of_wanted);
    let ran: i64 = known.iter().filter(|(_, it)| it.ended.is_some()).map(|(_, it)| it.ran).sum();
    let own: i64 = wanted.iter().filter(|it| it.5).map(|it| it.4).sum();
    assert_eq!(ran, own);
}

#[test]
fn instances_of_the_examples_are_activations() {
    for name in ["sensor-pipeline", "sensor-pipeline-mended"] {
        let path = format!("{}/../web/examples/{name}.bin", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        assert_agreement(&[Input::from_bytes(name, &bytes)]);
    }
    vectors(|inputs| {
        read(&text_of(inputs, &Options::default()));
    });
}

/// A task waits for a mutex that another one holds. Names with commas, and two tasks of one name, cannot break a line.
#[test]
fn locks_are_semaphores() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .meta(TaskName { task_id: 1, name: str("low, first") })
        .meta(TaskName { task_id: 2, name: str("low, first") })
        .meta(TaskBasePriority { task_id: 1, priority: 1 })
        .meta(TaskBasePriority { task_id: 2, priority: 2 })
        .meta(QueueName { queue_id: 5, name: str("bus") })
        .meta(QueueKind { queue_id: 5, kind: tband_format::named::QueueKind::MUTEX })
        .at(0, TaskSwitchedIn { task_id: 1 })
        .at(10, QueueReceive { queue_id: 5, len_after: 0 })
        .at(20, TaskToRdyState { task_id: 2 })
        .at(25, TaskSwitchedIn { task_id: 2 })
        .at(30, CurtaskBlockOnQueueReceive { queue_id: 5, ticks_to_wait: 100 })
        .at(35, TaskSwitchedIn { task_id: 1 })
        .at(50, QueueSend { queue_id: 5, len_after: 1 })
        .at(51, TaskToRdyState { task_id: 2 })
        .at(55, TaskSwitchedIn { task_id: 2 })
        .at(60, QueueReceive { queue_id: 5, len_after: 0 })
        .at(70, QueueSend { queue_id: 5, len_after: 1 })
        .at(80, CurtaskDelay { ticks: 1 })
        .at(85, TaskSwitchedIn { task_id: 1 });
    let text = text_of(&[Input::from_bytes("locks", &recording.0)], &Options::default());
    read(&text);
    for line in [
        "35,low__first_2,1,SEM,bus,0,requestsemaphore",
        "35,low__first_2,1,SEM,bus,0,waiting",
        "35,Core_0,0,T,low__first_2,1,wait",
        "60,low__first_2,1,SEM,bus,0,assigned",
        "70,low__first_2,1,SEM,bus,0,released",
        "85,Core_0,0,T,low__first_2,1,terminate",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}: {text}");
    }
}

proptest! {
    #![proptest_config(config(24))]

    /// Random recordings, with damage and several cores, follow the rules.
    #[test]
    fn random_recordings_follow_the_rules(random in random(|_| true)) {
        random.check(|inputs, options| {
            read(&text_of(inputs, options));
        });
    }
}
