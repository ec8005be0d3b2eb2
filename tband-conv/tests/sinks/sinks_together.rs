//! Sinks by reference and in pairs get the same as a single sink; one that uses the trait's defaults gets single changes.

use std::cell::RefCell;
use std::io;

use tband_conv::clock::moment::Moment;
use tband_conv::model::{Change, EventTime, Sink, Switch, TimedEvent, World};
use tband_conv::sinks::TimelineText;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Recording, str, two_tasks};

/// Writes down how it was called.
#[derive(Default)]
struct Calls {
    wants_events: bool,
    list: RefCell<Vec<String>>,
}

impl Calls {
    fn wanting(wants_events: bool) -> Self {
        Self { wants_events, ..Self::default() }
    }

    fn note(&self, call: &str) -> io::Result<()> {
        self.list.borrow_mut().push(call.to_owned());
        Ok(())
    }
}

impl Sink for Calls {
    fn start(&mut self, _: &World) -> io::Result<()> {
        self.note("start")
    }

    fn needs_events(&self) -> bool {
        self.wants_events
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        let TimedEvent { at, place, decoded, .. } = event;
        self.note(&format!("event {} {} {}", at.ns, place.offset, decoded.event.name()))
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::TaskState { task, .. } = *change {
            let label = world.task_name(task);
            let (kind, id, name) = (label.kind(), label.id(), label.name());
            return self.note(&format!("change {} {kind} {id} {name:?}", at.ns));
        }
        self.note(&format!("change {}", at.ns))
    }

    fn switch(&mut self, _: &World, at: EventTime, _: &Switch) -> io::Result<()> {
        self.note(&format!("switch {}", at.ns))
    }

    fn initial(&mut self, _: &World, at: EventTime, _: &Change<'_>) -> io::Result<()> {
        self.note(&format!("initial {}", at.ns))
    }

    fn finish(&mut self, _: &World, end_ns: i64) -> io::Result<()> {
        self.note(&format!("finish {end_ns}"))
    }
}

fn recording() -> Recording {
    two_tasks()
        .meta(TaskName { task_id: 3, name: str("") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskSwitchedIn { task_id: 2 })
        .at(3, TaskToRdyState { task_id: 3 })
        .at(4, QueueSend { queue_id: 4, len_after: 1 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        // These change nothing.
        .at(6, TaskInReadyList { task_id: 1 })
        .at(7, MutexCreated { queue_id: 9 })
}

/// How many of them there are.
const EVENTS: usize = 11;

/// The complete recording, and the state where a part of it begins.
fn options() -> [Options; 2] {
    let mut part = Options::default();
    part.from = Some(Moment::Ns(25));
    [Options::default(), part]
}

fn run(sink: &mut dyn Sink, options: &Options) {
    convert(&[Input::from_bytes("r", &recording().0)], options, sink).expect("written");
}

#[test]
fn a_sink_hears_the_same_alone_by_reference_and_in_a_pair() {
    for options in options() {
        for wants in [false, true] {
            let mut alone = Calls::wanting(wants);
            run(&mut alone, &options);
            let alone = alone.list.into_inner();
            assert_eq!((&alone[0][..], &alone[alone.len() - 1][..]), ("start", "finish 70"));
            if wants && options.from.is_none() {
                assert_eq!(alone.iter().filter(|call| call.starts_with("event")).count(), EVENTS);
            }
            // A part is reported step by step.
            let switches = alone.iter().any(|call| call.starts_with("switch"));
            assert_eq!(switches, options.from.is_none());

            let mut by_reference = Calls::wanting(wants);
            run(&mut &mut by_reference, &options);
            assert_eq!(by_reference.list.into_inner(), alone);

            // Beside one that does not want events, and one that does; it receives all of them.
            for other in [false, true] {
                let mut pair = (Calls::wanting(wants), Calls::wanting(other));
                run(&mut pair, &options);
                let both = pair.0.list.into_inner();
                assert_eq!(both, pair.1.list.into_inner());
                let reported = |call: &&String| !call.starts_with("event");
                assert!(both.iter().filter(reported).eq(alone.iter().filter(reported)));
                if (wants || other) && options.from.is_none() {
                    assert_eq!(
                        both.iter().filter(|call| call.starts_with("event")).count(),
                        EVENTS
                    );
                }
            }
        }
    }
}

#[test]
fn objects_are_known_by_kind_number_and_name() {
    let mut calls = Calls::default();
    run(&mut calls, &Options::default());
    let calls = calls.list.into_inner();
    assert!(calls.contains(&"change 30 task 3 None".to_owned()), "{calls:?}");
    let mut named = Calls::default();
    let bytes = two_tasks().at(1, TaskCreated { task_id: 2 });
    convert(&[Input::from_bytes("r", &bytes.0)], &Options::default(), &mut named).expect("written");
    let named = named.list.into_inner();
    assert!(named.contains(&"change 10 task 2 Some(\"b\")".to_owned()), "{named:?}");
}

/// A sink with only the required method.
#[derive(Default)]
struct MinimalSink(Vec<i64>);

impl Sink for MinimalSink {
    fn change(&mut self, _: &World, at: EventTime, _: &Change<'_>) -> io::Result<()> {
        self.0.push(at.ns);
        Ok(())
    }
}

/// A switch is two changes, and an initial state is reported as a change.
#[test]
fn a_sink_that_does_not_care_gets_changes() {
    for (options, initial) in options().iter().zip([false, true]) {
        let mut least = MinimalSink::default();
        run(&mut least, options);
        let mut calls = Calls::default();
        run(&mut calls, options);
        let calls = calls.list.into_inner();
        let number = |kind: &str| calls.iter().filter(|call| call.starts_with(kind)).count();
        assert_eq!(number("initial") > 0, initial, "{calls:?}");
        assert_eq!(least.0.len(), number("change") + number("initial") + 2 * number("switch"));
    }
    let mut text = TimelineText::new(Vec::new());
    run(&mut text, &Options::default());
    let mut by_reference = TimelineText::new(Vec::new());
    run(&mut &mut by_reference, &Options::default());
    assert_eq!(text.into_inner(), by_reference.into_inner());
}
