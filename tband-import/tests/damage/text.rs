//! Text of Linux.

use tband_conv::Summary;
use tband_conv::diagnostics::Problem;

use crate::converted;
use crate::support::recording;

fn count(summary: &Summary, problem: Problem) -> u64 {
    summary.diagnostics.count(problem)
}

/// A number at the end of a line that is cut off may be another one.
#[test]
fn a_line_without_its_end_is_no_event() {
    let text = recording("linux/ftrace.txt");
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let line = ends.map(|(at, _)| at + 1).nth(1000).unwrap();
    let plain = converted(&text[..line]).unwrap();
    assert_eq!(count(&plain, Problem::CutOff), 0);
    for more in [1, 20, 45] {
        let summary = converted(&text[..line + more]).unwrap();
        assert_eq!(summary.events, plain.events, "{more}");
        // Blanks begin a line.
        assert_eq!(count(&summary, Problem::CutOff), u64::from(more > 10), "{more}");
    }
}

#[test]
fn the_time_of_a_joined_text_continues() {
    // Those of ftrace have a title, and those of perf have none.
    for name in ["linux/ftrace.txt", "linux/perf.txt"] {
        let text = recording(name);
        let (one, two) = (converted(&text).unwrap(), converted(&text.repeat(2)).unwrap());
        assert_eq!(count(&two, Problem::StreamStart), 1, "{name}");
        assert_eq!(count(&two, Problem::TimeStepBack), 0, "{name}");
        assert!(two.events > one.events * 19 / 10, "{name}: {} {}", two.events, one.events);
    }
}

#[test]
fn the_unused_part_of_a_file_is_no_damage() {
    let text = recording("linux/ftrace.txt");
    let plain = converted(&text).unwrap();
    for fill in [0, 0xFF] {
        for len in [100, 5000, 200_000] {
            let summary = converted(&[text.clone(), vec![fill; len]].concat()).unwrap();
            assert_eq!(summary.events, plain.events, "{fill} {len}");
            assert_eq!(count(&summary, Problem::ForeignDamage), 0, "{fill} {len}");
            assert_eq!(count(&summary, Problem::CutOff), 0, "{fill} {len}");
        }
    }
}

#[test]
fn an_event_whose_time_is_damaged_is_reported() {
    let text = String::from_utf8(recording("linux/ftrace.txt")).unwrap();
    let at = text.match_indices(": sched_switch:").nth(50).unwrap().0;
    let mut damaged = text.into_bytes();
    let point = damaged[..at].iter().rposition(|byte| *byte == b'.').unwrap();
    damaged[at - 1] = b'x';
    assert_eq!(count(&converted(&damaged).unwrap(), Problem::ForeignDamage), 1);
    // A later second.
    (damaged[at - 1], damaged[point - 1]) = (b'0', b'9');
    assert_eq!(count(&converted(&damaged).unwrap(), Problem::StreamStart), 0);
}

/// More processors than tband shows.
#[test]
fn events_of_further_processors_are_reported() {
    let line = |cpu: u32, ms: u32| {
        format!(
            "  a-1 [{cpu:03}] d..2. 0.{ms:03}000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
        )
    };
    let text: String = ["# tracer: nop\n".to_owned(), line(1, 1), line(64, 2)].concat();
    let summary = converted(text.as_bytes()).unwrap();
    let found = summary.diagnostics.get(Problem::ForeignLoss).unwrap();
    assert!(found.text.contains("processors beyond the first 64"), "{found:?}");
}

/// Bytes of erased flash are in no text.
#[test]
fn erased_bytes_in_a_line_are_damage() {
    let text = recording("linux/ftrace.txt");
    let all = converted(&text).unwrap().events;
    for at in [30_000, 70_003, 110_017] {
        let damaged = [&text[..at], &[0xFF; 100], &text[at..]].concat();
        let summary = converted(&damaged).unwrap();
        assert_eq!(count(&summary, Problem::ForeignDamage), 1, "{at}");
        assert!(summary.events + 5 > all, "{at}: {} of {all}", summary.events);
    }
}
