//! Events on several cores within one step of the clock: in separate files, in buffers after each other and in one stream.

use tband_conv::{Input, Options};
use tband_format::Event;
use tband_format::Event::*;
use tband_recordings::set_up::is_sound;
use tband_recordings::{Recording, timeline_of, two_tasks};

type CoreEvent<'a> = (u32, u64, Event<'a>);

fn runs(core: u32, ts: u64, task_id: u32) -> CoreEvent<'static> {
    (core, ts, TaskSwitchedIn { task_id })
}

fn of(events: &[CoreEvent<'_>], core: u32) -> Recording {
    let own = events.iter().filter(|it| it.0 == core);
    own.fold(Recording::default(), |it, (_, ts, event)| it.at(*ts, *event))
}

/// Returns the lines of one core and time, from every way to store the cores, which must be the same. The files and buffers
/// have any order.
fn lines(events: &[CoreEvent<'_>], cores: u32) -> Vec<String> {
    let files: Vec<_> = (0..cores).map(|core| of(events, core)).collect();
    let head = two_tasks();
    let mut orders: Vec<Vec<u32>> = vec![(0..cores).collect(), (0..cores).rev().collect()];
    orders.push((1..cores).chain([0]).collect());
    let mut all = Vec::new();
    for order in orders {
        let mut inputs = vec![Input::from_bytes("head", &head.0).on_core(order[0])];
        inputs.extend(order.iter().map(|core| {
            Input::from_bytes(format!("{core}"), &files[*core as usize].0).on_core(*core)
        }));
        all.push(timeline_of(&inputs, &Options::default()));
        let buffers = order.iter().fold(head.clone(), |it, core_id| {
            it.at(0, CoreId { core_id: *core_id }).raw(&files[*core_id as usize].0)
        });
        all.push(timeline_of(&[Input::from_bytes("b", &buffers.0)], &Options::default()));
    }
    let stream = events.iter().fold(head.clone(), |it, (core, ts, event)| {
        it.at(*ts, CoreId { core_id: *core }).at(*ts, *event)
    });
    all.push(timeline_of(&[Input::from_bytes("s", &stream.0)], &Options::default()));
    let reported = |(text, summary): &(String, tband_conv::Summary)| {
        assert!(summary.diagnostics.iter().next().is_none(), "{:?}\n{text}", summary.diagnostics);
        let mut lines: Vec<_> = text.lines().map(|line| line.trim().to_owned()).collect();
        lines.retain(|line| !line.ends_with("appears") && !line.contains("runs on"));
        lines.sort();
        lines
    };
    let expected = reported(&all[all.len() - 1]);
    for one in &all {
        assert_eq!(reported(one), expected, "\n{}", one.0);
    }
    expected
}

#[track_caller]
fn assert_has(lines: &[String], wanted: &[&str]) {
    for line in wanted {
        assert!(lines.iter().any(|it| it == line), "{line}\n{lines:#?}");
    }
}

/// A task moves from one core to another within a step, in both directions.
#[test]
fn the_core_that_loses_a_task_goes_first() {
    for (from, to) in [(0, 1), (1, 0)] {
        let lines = lines(
            &[
                runs(from, 1, 1),
                runs(to, 2, 3),
                runs(from, 10, 2),
                runs(to, 10, 1),
                runs(to, 20, 3),
            ],
            2,
        );
        let [left, got] =
            [format!("100 {from} a: running -> ready"), format!("101 {to} a: ready -> running")];
        assert_has(&lines, &[left.as_str(), got.as_str()]);
    }
}

/// One after the other, over three cores in any direction; and each passes its task to the next.
#[test]
fn tasks_go_over_several_cores() {
    for [first, second, third] in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        let through = [
            runs(first, 1, 1),
            runs(second, 1, 5),
            runs(third, 1, 6),
            runs(first, 10, 2),
            runs(second, 10, 1),
            runs(second, 10, 4),
            runs(third, 10, 1),
            runs(third, 20, 6),
        ];
        let got = format!("103 {third} a: ready -> running");
        assert_has(&lines(&through, 3), &[got.as_str()]);
        let handed_on = [
            runs(first, 1, 1),
            runs(second, 1, 2),
            runs(third, 1, 3),
            runs(first, 10, 4),
            runs(second, 10, 1),
            runs(third, 10, 2),
            runs(third, 20, 3),
        ];
        let [a, b] = [
            format!("101 {second} a: ready -> running"),
            format!("102 {third} b: ready -> running"),
        ];
        assert_has(&lines(&handed_on, 3), &[a.as_str(), b.as_str()]);
    }
}

/// Two cores swap their tasks: by way of a third task, or at once.
#[test]
fn two_cores_swap_their_tasks() {
    let by_way = [
        runs(0, 1, 1),
        runs(1, 1, 2),
        runs(1, 10, 3),
        runs(0, 10, 2),
        runs(1, 10, 1),
        runs(1, 20, 3),
    ];
    assert_has(&lines(&by_way, 2), &["101 0 b: ready -> running", "102 1 a: ready -> running"]);
    for (one, other) in [(0, 1), (1, 0)] {
        let at_once = [runs(one, 1, 1), runs(other, 1, 2), runs(one, 10, 2), runs(other, 10, 1)];
        for first in [one, other] {
            let files = [of(&at_once, one), of(&at_once, other)];
            let mut inputs = vec![
                Input::from_bytes("one", &files[0].0).on_core(one),
                Input::from_bytes("other", &files[1].0).on_core(other),
            ];
            if first == other {
                inputs.reverse();
            }
            let (text, summary) = timeline_of(&inputs, &Options::default());
            assert!(is_sound(&summary.diagnostics), "{:?}\n{text}", summary.diagnostics);
            assert!(text.contains(&format!("{one} task 2: runs on")), "{text}");
            assert!(text.contains(&format!("{other} task 1: runs on")), "{text}");
        }
    }
}

/// A task waits on one core, is woken on another and runs on a third, all within one step.
#[test]
fn tasks_are_woken_as_they_go() {
    for [waits, wakes, gets] in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
        let events = [
            runs(waits, 1, 1),
            runs(wakes, 1, 5),
            runs(gets, 1, 6),
            (waits, 10, CurtaskBlockOnQueueReceive { queue_id: 9, ticks_to_wait: 7 }),
            runs(waits, 10, 2),
            (wakes, 10, QueueSend { queue_id: 9, len_after: 1 }),
            (wakes, 10, TaskToRdyState { task_id: 1 }),
            runs(gets, 10, 1),
            (gets, 11, QueueReceive { queue_id: 9, len_after: 0 }),
        ];
        let [blocked, ready, running] = [
            format!("100 {waits} a: running -> blocked on queue_receive queue 9"),
            format!("102 {wakes} a: blocked on queue_receive queue 9 -> ready by task 5"),
            format!("103 {gets} a: ready -> running"),
        ];
        assert_has(&lines(&events, 3), &[blocked.as_str(), ready.as_str(), running.as_str()]);
    }
}

/// Events without a possible order are damage, as before.
#[test]
fn a_task_on_two_cores_is_damage() {
    let events = [runs(0, 1, 1), runs(1, 1, 2), runs(1, 10, 1), runs(0, 11, 3)];
    let files = [of(&events, 0), of(&events, 1)];
    let inputs =
        [Input::from_bytes("0", &files[0].0), Input::from_bytes("1", &files[1].0).on_core(1)];
    let (_, summary) = timeline_of(&inputs, &Options::default());
    assert_eq!(summary.diagnostics.count(tband_conv::diagnostics::Problem::TaskOnTwoCores), 1);
}

/// Many simultaneous events: nothing is lost, and each core keeps its order.
#[test]
fn very_much_happens_at_one_time() {
    let mut events = Vec::new();
    for round in 0..300_u32 {
        for core in 0..3 {
            events.push(runs(core, 7, 10 * core + round % 3 + 10));
            events.push((core, 7, Valmarker { valmarker_id: core, val: round.into() }));
        }
    }
    // Or the timer would not run at all, which is damage.
    events.extend((0..3).map(|core| runs(core, 70_000, 10 * core + 10)));
    let files: Vec<_> = (0..3).map(|core| of(&events, core)).collect();
    let inputs: Vec<_> = (0..)
        .zip(&files)
        .map(|(core, file)| Input::from_bytes("f", &file.0).on_core(core))
        .collect();
    let (text, summary) = timeline_of(&inputs, &Options::default());
    assert!(is_sound(&summary.diagnostics), "{:?}", summary.diagnostics);
    assert_eq!(summary.events, events.len() as u64);
    for core in 0..3 {
        let name = format!("valmarker {core} = ");
        let values = text.lines().filter_map(|line| line.split_once(&name));
        assert!(values.map(|(_, value)| value.parse::<u32>().unwrap()).eq(0..300));
    }
}
