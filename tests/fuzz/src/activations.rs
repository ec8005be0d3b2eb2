//! The rules that hold for the activations of any recording, whatever its bytes are.

use std::collections::HashMap;
use std::io;

use tband_conv::activations::{
    Activation, ActivationSink, Activations, LockHold, PartKind, PathSegment, Subject,
};
use tband_conv::model::{Flows, World};
use tband_conv::sinks::{Perfetto, PerfettoWithActivations};
use tband_conv::{ConvError, Input, convert};
use tband_report::why::Overview;

use crate::setup::Setup;

/// Follows the activations of a recording.
///
/// # Panics
/// If a rule does not hold.
pub fn hold(setup: &Setup, inputs: &[Input<'_>]) {
    let mut options = setup.options.clone();
    options.flows = Flows::All;
    // What shows them takes all of them.
    let trace = PerfettoWithActivations::new(Perfetto::new(io::sink()), setup.options.flows);
    let mut sinks = (Activations::new(Rules::default()), (Overview::default(), trace));
    match convert(inputs, &options, &mut sinks) {
        // A part belongs to an activation, and each activation ends.
        Ok(_) => assert!(sinks.0.into_inner().open.is_empty()),
        Err(ConvError::Write(error)) => panic!("nothing is written that could fail: {error}"),
        Err(_) => {}
    }
}

/// The begin, the present end and the lengths of an activation whose parts have come.
#[derive(Clone, Copy, Debug)]
struct OpenActivation {
    begin: i64,
    end: i64,
    sums: [i64; PartKind::COUNT],
    inverted: i64,
}

#[derive(Debug, Default)]
struct Rules {
    open: HashMap<(Subject, u64), OpenActivation>,
    last: HashMap<Subject, u64>,
}

impl ActivationSink for Rules {
    fn activation(&mut self, _: &World, it: &Activation) -> io::Result<()> {
        let parts = self.open.remove(&(it.subject, it.number));
        let length = it.response_ns();
        assert!(it.released_ns <= it.ready_ns && it.ready_ns <= it.ended_ns, "{it:?}");
        assert!(it.started_ns.is_none_or(|ns| it.ready_ns <= ns && ns <= it.ended_ns), "{it:?}");
        assert!((0..=it.sum(PartKind::Locked)).contains(&it.inverted_ns), "{it:?}");
        assert!(it.merged >= 1, "{it:?}");
        let all: i64 = PartKind::ALL.iter().map(|kind| it.sum(*kind)).sum();
        assert_eq!(all, length, "{it:?}");
        match parts {
            Some(open) => {
                assert_eq!((open.begin, open.end), (it.released_ns, it.ended_ns), "{it:?}");
                assert_eq!(open.sums, PartKind::ALL.map(|kind| it.sum(kind)), "{it:?}");
                assert_eq!(open.inverted, it.inverted_ns, "{it:?}");
            }
            None => assert_eq!(length, 0, "{it:?}"),
        }
        let last = self.last.entry(it.subject).or_default();
        // Interrupts and callbacks nest, so the inner one ends first.
        if matches!(it.subject, Subject::Task(_)) {
            assert!(it.number > *last, "{it:?}");
        }
        *last = (*last).max(it.number);
        Ok(())
    }

    fn part(&mut self, _: &World, part: &PathSegment<'_>) -> io::Result<()> {
        assert!(part.begin_ns < part.end_ns, "{part:?}");
        let length = part.end_ns - part.begin_ns;
        let open = self.open.entry((part.subject, part.number)).or_insert(OpenActivation {
            begin: part.begin_ns,
            end: part.begin_ns,
            sums: [0; PartKind::COUNT],
            inverted: 0,
        });
        assert_eq!(open.end, part.begin_ns, "{part:?}");
        open.end = part.end_ns;
        open.sums[part.path.kind() as usize] += length;
        if part.path.is_inverted {
            open.inverted += length;
        }
        Ok(())
    }

    fn hold(&mut self, _: &World, hold: &LockHold) -> io::Result<()> {
        assert!(hold.begin_ns <= hold.end_ns, "{hold:?}");
        Ok(())
    }
}
