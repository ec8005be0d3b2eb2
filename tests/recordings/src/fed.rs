//! Conversions that are fed piece by piece, and what they report, held against conversions of whole inputs.

use std::io;
use std::ops::ControlFlow;

use proptest::prelude::*;
use tband_conv::convert::step::Step;
use tband_conv::diagnostics::Finding;
use tband_conv::model::{EventSink, EventTime, Events, TimedEvent};
use tband_conv::sinks::{Perfetto, TimelineText};
use tband_conv::{ConvError, Conversion, Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_format::registry::trace_info_flags;

use crate::{Recording, str, two_tasks};

/// Each event and each finding as it is reported.
#[derive(Debug, Default)]
pub struct List(Vec<String>);

impl EventSink for List {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at, ticks, place, decoded, .. } = event;
        self.0.push(format!("{} {} {ticks} {place:?} {decoded:?}", at.ns, at.core));
        Ok(ControlFlow::Continue(()))
    }

    fn finding(
        &mut self,
        at: EventTime,
        _: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        self.0.push(format!("{} {} {finding:?}", at.ns, at.core));
        Ok(ControlFlow::Continue(()))
    }
}

/// Sinks of each kind.
pub type AllSinks = (TimelineText<Vec<u8>>, (Perfetto<Vec<u8>>, Events<List>));

/// Sinks that have been reported nothing yet.
#[must_use]
pub fn all() -> AllSinks {
    let text = TimelineText::new(Vec::new()).detailed();
    (text, (Perfetto::new(Vec::new()), Events::new(List::default())))
}

/// All outputs for a recording: as text, as a trace, as events, and the findings.
#[derive(Debug, PartialEq)]
pub struct ConversionOutput {
    /// The timeline as text.
    pub text: String,
    /// Perfetto's trace.
    pub trace: Vec<u8>,
    /// Each event and each finding as it was reported.
    pub events: Vec<String>,
    /// What the conversion sums up.
    pub found: String,
}

impl ConversionOutput {
    /// What the sinks got, and the summary.
    ///
    /// # Panics
    /// The text is none.
    #[must_use]
    pub fn new((text, (trace, events)): AllSinks, summary: &Summary) -> Self {
        let text = String::from_utf8(text.into_inner()).expect("text");
        let Summary { events: count, diagnostics, trace_info, build_id, frequency, .. } = summary;
        let findings: Vec<_> = diagnostics.iter().collect();
        let found = format!("{count} {trace_info:?} {build_id:?} {frequency} {findings:?}");
        let (trace, events) = (trace.into_inner(), events.into_inner().0);
        Self { text, trace, events, found }
    }
}

/// Inputs by number, each of a core.
#[must_use]
pub fn names(count: usize) -> Vec<(String, u32)> {
    (0..count as u32).map(|core| (format!("input {core}"), core)).collect()
}

/// What a conversion of whole inputs makes.
///
/// # Panics
/// It fails.
#[must_use]
pub fn converted(inputs: &[Vec<u8>]) -> ConversionOutput {
    let inputs: Vec<_> = (0..)
        .zip(inputs)
        .map(|(core, bytes)| Input::from_bytes(format!("input {core}"), bytes).on_core(core))
        .collect();
    let mut sinks = all();
    let summary = convert(&inputs, &Options::default(), &mut sinks).expect("a conversion");
    ConversionOutput::new(sinks, &summary)
}

/// Feeds pieces of these lengths, each to the input that is drawn, or that is needed.
///
/// # Errors
/// As the conversion.
///
/// # Panics
/// It takes more than it was given, or is done before the inputs have ended.
pub fn fed(inputs: &[Vec<u8>], draws: &[(usize, usize)]) -> Result<ConversionOutput, ConvError> {
    let mut conversion = Conversion::new(names(inputs.len()), &Options::default(), all())?;
    let mut rest: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let mut ended = vec![false; rest.len()];
    let mut draws = draws.iter().cycle();
    loop {
        let step = conversion.step()?;
        let (drawn, len) = draws.next().copied().unwrap_or((0, usize::MAX));
        let mut wanted = vec![drawn % rest.len()];
        match step {
            Step::Done => break,
            Step::Needs(input) => wanted.push(input),
            _ => {}
        }
        for input in wanted {
            if rest[input].is_empty() {
                conversion.end(input);
                ended[input] = true;
            }
            let piece = &rest[input][..len.min(rest[input].len())];
            let taken = conversion.feed(input, piece);
            assert!(taken <= piece.len());
            rest[input] = &rest[input][taken..];
        }
    }
    assert!(ended.iter().all(|ended| *ended), "it is done before an input has ended");
    let bytes: usize = inputs.iter().map(Vec::len).sum();
    assert_eq!(conversion.progress().bytes, bytes as u64);
    let (summary, sinks) = conversion.finish()?;
    Ok(ConversionOutput::new(sinks, &summary))
}

/// Feeds each input in pieces as long as are taken.
///
/// # Errors
/// As the conversion.
pub fn whole(inputs: &[Vec<u8>]) -> Result<ConversionOutput, ConvError> {
    fed(inputs, &[])
}

/// What a stream begins with: the cores, and names of what random recordings have.
#[must_use]
pub fn head(cores: &[u32]) -> Vec<u8> {
    let name = str("name");
    let mut recording = Recording::default();
    for &core_id in cores {
        recording = recording
            .at(0, CoreId { core_id })
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(TraceInfo {
                format_version: 2,
                core_count: 3,
                flags: trace_info_flags::FREERTOS,
                kernel_version: Some(110_200),
                tick_rate_hz: Some(1000),
            })
            .meta(IsrName { isr_id: 1, name });
    }
    for id in 0..3 {
        recording = recording
            .meta(TaskName { task_id: id, name: str(["a", "b", "c"][id as usize]) })
            .meta(QueueName { queue_id: id, name })
            .meta(TimerName { timer_id: id, name });
    }
    recording.at(0, CoreId { core_id: cores[0] }).0
}

/// Which input is fed how many bytes.
pub fn pieces() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec(
        (0..3_usize, prop_oneof![Just(1_usize), 1..40_usize, 1..2000_usize]),
        1..30,
    )
}

/// Switches of two tasks, 10 ticks apart.
#[must_use]
pub fn switches(count: u64) -> Vec<u8> {
    let switch =
        |it: Recording, n: u64| it.at(n * 10, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
    (1..=count).fold(two_tasks(), switch).0
}
