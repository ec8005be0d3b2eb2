//! The sink: maps changes to tables.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use tband_conv::Summary;
use tband_conv::activations::Activations;
use tband_conv::diagnostics::{Finding, Problem, Severity};
use tband_conv::load::{Owners, Windows};
use tband_conv::model::{
    Actor, Change, EventTime, Flows, HeapChange, KernelChange, MarkerRef, Outcome, Sink, Switch,
    TaskRef, TaskState, TimedEvent, Wait, World,
};
use tband_conv::number::Number;
use tband_conv::sinks::Stats;
use tband_conv::tracks::{
    Event as TrackEvent, Level, Now, RunningTasks, SliceEnd, TaskStep, Text, Track, TrackSink,
    follow,
};
use tband_format::field::Value;
use tband_format::trigger::TriggerState;
use tband_format::{Event, Str};
use tband_report::highlights::{Certainty, HighlightSubject, highlights};

use crate::activations::ActivationRows;
use crate::interrupts::Interrupts;
use crate::load::LoadRows;
use crate::row::{Cell, Rows};
use crate::schema::TableSchema;
use crate::states::States;
use crate::waits::WaitRows;
use crate::{RecordingInfo, load, schema};

/// Open spans of a marker that are followed; damage could open any number.
const MAX_SPANS: usize = 1000;

/// A span of an event marker that is open.
struct Span {
    begin_ns: i64,
    core: u32,
    text: String,
    by: Option<String>,
}

/// Writes the tables of a recording that are wanted.
pub struct Tables<R> {
    about: RecordingInfo,
    events: Option<R>,
    states: (Option<R>, States),
    waits: (Option<R>, WaitRows),
    interrupts: (Option<R>, Interrupts),
    levels: Option<R>,
    markers: (Option<R>, HashMap<MarkerRef, Vec<Span>>),
    heap: Option<R>,
    activations: Option<Activations<ActivationRows<R>>>,
    load: Option<Owners<Windows<LoadRows<R>>>>,
    findings: Option<(R, Stats)>,
    losses: Option<R>,
    recordings: Option<R>,
    begin_ns: Option<i64>,
    end_ns: Option<i64>,
    running: RunningTasks,
    cores: usize,
    lost: u64,
    /// The reported state began before the window.
    is_initial: bool,
    wants_periods: bool,
    fields: String,
}

impl<R: Rows> Tables<R> {
    /// Calls `create` for each table to get the receiver of its rows.
    pub fn create(
        about: &RecordingInfo,
        load_window_ns: Option<i64>,
        table: &mut dyn FnMut(&'static TableSchema) -> io::Result<Option<R>>,
    ) -> io::Result<Self> {
        let of_activations = [
            table(&schema::ACTIVATIONS)?,
            table(&schema::PARTS)?,
            table(&schema::HOLDS)?,
            table(&schema::PERIODS)?,
        ];
        let activations = ActivationRows::new(&about.recording, of_activations);
        let wants_periods = activations.periods.table.is_some();
        Ok(Self {
            activations: activations.is_wanted().then(|| Activations::new(activations)),
            about: about.clone(),
            events: table(&schema::EVENTS)?,
            states: (table(&schema::STATES)?, States::default()),
            waits: (table(&schema::WAITS)?, WaitRows::default()),
            interrupts: (table(&schema::INTERRUPTS)?, Interrupts::default()),
            levels: table(&schema::LEVELS)?,
            markers: (table(&schema::MARKERS)?, HashMap::new()),
            heap: table(&schema::HEAP)?,
            load: table(&schema::LOAD)?.map(|table| {
                let rows = LoadRows { recording: about.recording.clone(), table };
                Owners::new(Windows::new(load_window_ns.unwrap_or(load::WINDOW), rows))
            }),
            findings: table(&schema::FINDINGS)?.map(|table| (table, Stats::brief())),
            losses: table(&schema::LOSSES)?,
            recordings: table(&schema::RECORDINGS)?,
            begin_ns: None,
            end_ns: None,
            running: RunningTasks::default(),
            cores: 0,
            lost: 0,
            is_initial: false,
            wants_periods,
            fields: String::new(),
        })
    }

    /// The flows that the wanted tables need.
    pub const fn flows(&self) -> Flows {
        if self.activations.is_some() { Flows::All } else { Flows::None }
    }

    /// Adds the final facts about the recording, and ends all tables, that of the recordings last.
    pub fn close(mut self, summary: &Summary) -> io::Result<()> {
        let info = summary.trace_info;
        let is_unknown = summary.diagnostics.get(Problem::NoResolution).is_some();
        let frequency = match is_unknown {
            true => "unknown: times are ticks, not ns".to_owned(),
            false => summary.frequency.to_string(),
        };
        self.recordings.row(&[
            (&self.about.recording).into(),
            (&self.about.file).into(),
            self.about.bytes.into(),
            self.begin_ns.into(),
            self.end_ns.into(),
            summary.events_of_window().into(),
            self.cores.into(),
            summary.diagnostics.iter().map(|found| found.count).sum::<u64>().into(),
            self.lost.into(),
            summary.diagnostics.is_clean().into(),
            info.map(|info| info.format_version).into(),
            info.and_then(|info| info.kernel_version).into(),
            info.and_then(|info| info.tick_rate_hz).into(),
            summary.build_id.as_ref().into(),
            (&frequency).into(),
            env!("CARGO_PKG_VERSION").into(),
            schema::SCHEMA_VERSION.into(),
        ])?;
        for table in [
            self.events,
            self.states.0,
            self.waits.0,
            self.interrupts.0,
            self.levels,
            self.markers.0,
            self.heap,
        ] {
            table.close()?;
        }
        if let Some(activations) = self.activations {
            let ActivationRows { activations, parts, holds, periods, .. } =
                activations.into_inner();
            for table in [activations, parts, holds, periods.table] {
                table.close()?;
            }
        }
        if let Some(load) = self.load {
            load.into_inner().into_inner().table.close()?;
        }
        if let Some((mut table, stats)) = self.findings {
            let found = highlights(&stats);
            for it in found.iter().filter(|it| it.certainty != Certainty::Remark) {
                let (task, core) = match &it.whose {
                    HighlightSubject::Task(name, _) => (Some(name), None),
                    HighlightSubject::Core(core) => (None, Some(*core)),
                    HighlightSubject::Other => (None, None),
                };
                table.row(&[
                    (&self.about.recording).into(),
                    it.id.into(),
                    it.certainty.name().into(),
                    it.at_ns.into(),
                    it.length_ns.into(),
                    task.into(),
                    core.into(),
                    (&it.means).into(),
                    (&it.evidence.join("; ")).into(),
                    it.advice.into(),
                ])?;
            }
            table.close()?;
        }
        for table in [self.losses, self.recordings] {
            table.close()?;
        }
        Ok(())
    }

    /// Adds the rows of a change, those of activations apart.
    fn add_rows(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.begin_ns = Some(self.begin_ns.map_or(at.ns, |first| first.min(at.ns)));
        match *change {
            Change::Kernel(KernelChange::Heap(change), by) => {
                let HeapChange { freed, size, bytes_free, .. } = change;
                let what = if freed { "free" } else { "malloc" };
                self.heap(at, (what, size, bytes_free), name(world, at, by).as_ref())
            }
            Change::Kernel(KernelChange::MallocFailed { size }, by) => {
                self.heap(at, ("malloc failed", size, None), name(world, at, by).as_ref())
            }
            _ => follow(self, world, at, change),
        }
    }

    fn heap(
        &mut self,
        at: EventTime,
        (what, bytes, free): (&str, u32, Option<u32>),
        by: Option<&String>,
    ) -> io::Result<()> {
        self.heap.row(&[
            (&self.about.recording).into(),
            at.ns.into(),
            at.core.into(),
            what.into(),
            bytes.into(),
            free.into(),
            by.into(),
        ])
    }

    fn end_span(
        &mut self,
        world: &World,
        marker: MarkerRef,
        end_ns: Option<i64>,
    ) -> io::Result<()> {
        let (table, open) = &mut self.markers;
        match open.get_mut(&marker).and_then(Vec::pop) {
            Some(span) => {
                write_marker((table, &self.about.recording), world, marker, (span, end_ns, true))
            }
            None => Ok(()),
        }
    }
}

fn write_marker(
    (table, recording): (&mut impl Rows, &str),
    world: &World,
    marker: MarkerRef,
    (span, end_ns, is_span): (Span, Option<i64>, bool),
) -> io::Result<()> {
    table.row(&[
        recording.into(),
        span.begin_ns.into(),
        end_ns.map(|end| end.max(span.begin_ns)).into(),
        span.core.into(),
        world.markers.get(marker).map_or(0, |known| known.id).into(),
        (&world.marker_name(marker).to_string()).into(),
        (&span.text).into(),
        span.by.as_ref().into(),
        is_span.into(),
    ])
}

fn span(now: Now<'_>, text: Str<'_>, by: Option<Actor>) -> Span {
    let by = name(now.world, now.at(), by);
    Span { begin_ns: now.ns, core: now.core, text: text.to_string(), by }
}

fn name(world: &World, at: EventTime, by: Option<Actor>) -> Option<String> {
    by.map(|by| world.actor_name(by, at.core).to_string())
}

/// Adds `"name":value` to an object in JSON.
fn field(json: &mut String, name: &str, value: Value<'_>) {
    json.push(if json.is_empty() { '{' } else { ',' });
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let name = quoted(name);
    // Text takes everything.
    let _ = match value {
        Value::Unsigned(value) => write!(json, "{name}:{value}"),
        Value::Signed(value) => write!(json, "{name}:{value}"),
        Value::Named(_, Some(value)) => write!(json, "{name}:{}", quoted(value)),
        Value::Named(value, None) => write!(json, "{name}:{value}"),
        Value::Str(value) => write!(json, "{name}:{}", quoted(&value.to_string())),
    };
}

impl<R: Rows> TrackSink for Tables<R> {
    fn running(&mut self) -> Option<&mut RunningTasks> {
        Some(&mut self.running)
    }

    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()> {
        let &TaskStep { task, from, to, .. } = step;
        let begin_seen = !self.is_initial && from != TaskState::Unknown;
        if let Some(activations) = &mut self.activations {
            let periods = &mut activations.inner_mut().periods;
            match to {
                TaskState::Blocked(Wait::DelayUntil) => periods.wait(now.core, task),
                TaskState::Unknown => periods.forget(task),
                _ => {}
            }
        }
        let Self { about, states, waits, .. } = self;
        let out = (&mut waits.0, about.recording.as_str());
        waits.1.change(out, now, step, begin_seen)?;
        let out = (&mut states.0, about.recording.as_str());
        states.1.change(out, now, step, begin_seen)
    }

    fn wait_ended(&mut self, now: Now<'_>, task: TaskRef, outcome: Outcome) -> io::Result<()> {
        let out = (&mut self.waits.0, self.about.recording.as_str());
        self.waits.1.ended(out, now, task, outcome)
    }

    fn level(&mut self, now: Now<'_>, track: Track, level: Level) -> io::Result<()> {
        let (world, at) = (now.world, now.at());
        let Some(value) = level.value else { return Ok(()) };
        let kind = match track {
            Track::Priority(_) => "priority",
            Track::Stack(_) => "stack never used",
            Track::Notification(..) | Track::WakesAt(_) | Track::Depth(_) => return Ok(()),
            _ => track.owner().kind(world),
        };
        let Some(label) = track.owner().label(world) else { return Ok(()) };
        let by = name(world, at, level.by);
        let real = match value {
            Number::Integer(_) => Cell::None,
            Number::Real(value) => Cell::Real(value),
        };
        self.levels.row(&[
            (&self.about.recording).into(),
            at.ns.into(),
            at.core.into(),
            kind.into(),
            label.id().into(),
            (&label.to_string()).into(),
            Cell::Int(value.rounded()),
            (if self.is_initial { "reported" } else { level.cause }).into(),
            by.as_ref().into(),
            real,
        ])
    }

    fn begin(&mut self, now: Now<'_>, track: Track, slice: TrackEvent<'_>) -> io::Result<()> {
        let TrackEvent { text, by } = slice;
        match (track, text) {
            (Track::Isr(_, isr), _) => {
                self.states.1.times.isr_enters(now.core, now.ns);
                self.interrupts.1.enter(now.at(), isr, !self.is_initial);
            }
            (Track::Marker(marker), Text::Message(text)) => {
                let open = self.markers.1.entry(marker).or_default();
                if open.len() < MAX_SPANS {
                    open.push(span(now, text, by));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, now: Now<'_>, track: Track, end: SliceEnd) -> io::Result<()> {
        let end_seen = end == SliceEnd::Recorded;
        match track {
            Track::Isr(_, isr) => {
                self.states.1.times.isr_exits(now.core, now.ns);
                let out = (&mut self.interrupts.0, self.about.recording.as_str());
                self.interrupts.1.exit(out, now, isr, end_seen)
            }
            Track::Marker(marker) => self.end_span(now.world, marker, end_seen.then_some(now.ns)),
            _ => Ok(()),
        }
    }

    fn instant(&mut self, now: Now<'_>, track: Track, event: TrackEvent<'_>) -> io::Result<()> {
        let TrackEvent { text, by } = event;
        let (Track::Marker(marker), Text::Message(text)) = (track, text) else { return Ok(()) };
        let span = span(now, text, by);
        let out = (&mut self.markers.0, self.about.recording.as_str());
        write_marker(out, now.world, marker, (span, None, false))
    }

    fn gap(&mut self, _: Now<'_>) -> io::Result<()> {
        if let Some(activations) = &mut self.activations {
            activations.inner_mut().periods.note_missing_events();
        }
        Ok(())
    }

    fn finding(&mut self, at: Now<'_>, finding: &Finding<'_>) -> io::Result<()> {
        let severity = match finding.problem.severity() {
            Severity::Note => "note",
            Severity::Loss => "loss",
            Severity::Damage => "damage",
        };
        if finding.problem.is_event_count() {
            self.lost = self.lost.saturating_add(finding.amount);
        }
        self.losses.row(&[
            (&self.about.recording).into(),
            at.ns.into(),
            at.core.into(),
            finding.problem.title().into(),
            severity.into(),
            finding.amount.into(),
            finding.text.into(),
            finding.place.input.into(),
            finding.place.offset.into(),
        ])
    }
}

impl<R: Rows> Sink for Tables<R> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        if let Some((_, stats)) = &mut self.findings {
            stats.start(world)?;
        }
        self.load.as_mut().map_or(Ok(()), |load| load.start(world))
    }

    fn needs_events(&self) -> bool {
        self.events.is_some() || self.wants_periods
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        if let Event::CurtaskDelayUntil { time_to_wake } = event.decoded.event
            && let Some(activations) = &mut self.activations
        {
            activations.inner_mut().periods.set_wake_tick(event.at.core, time_to_wake);
        }
        if self.events.is_none() {
            return Ok(());
        }
        self.fields.clear();
        let fields = &mut self.fields;
        event.decoded.event.for_each_field(|name, value| field(fields, name, value));
        // Its number has no meaning for people.
        if let Event::Trigger { is, .. } = event.decoded.event {
            let text = TriggerState::read(is).to_string();
            field(fields, "text", Value::Str(Str(text.as_bytes())));
        }
        self.fields.push_str(if self.fields.is_empty() { "{}" } else { "}" });
        let ticks = event.decoded.ts.map(|_| event.ticks);
        self.events.row(&[
            (&self.about.recording).into(),
            event.at.ns.into(),
            event.at.core.into(),
            event.decoded.event.name().into(),
            ticks.into(),
            (&self.fields).into(),
            event.place.input.into(),
            event.place.offset.into(),
        ])
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.is_initial = true;
        let done = self.change(world, at, change);
        self.is_initial = false;
        done
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match &mut self.activations {
            Some(activations) if self.is_initial => activations.initial(world, at, change)?,
            Some(activations) => activations.change(world, at, change)?,
            None => {}
        }
        match &mut self.findings {
            Some((_, stats)) if self.is_initial => stats.initial(world, at, change)?,
            Some((_, stats)) => stats.change(world, at, change)?,
            None => {}
        }
        if let Some(load) = &mut self.load {
            load.change(world, at, change)?;
        }
        self.add_rows(world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        if let Some(activations) = &mut self.activations {
            activations.switch(world, at, switch)?;
        }
        if let Some((_, stats)) = &mut self.findings {
            stats.switch(world, at, switch)?;
        }
        if let Some(load) = &mut self.load {
            load.switch(world, at, switch)?;
        }
        let [leaves, gets] = switch.changes(at.core);
        self.add_rows(world, at, &leaves)?;
        self.add_rows(world, at, &gets)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        if let Some(activations) = &mut self.activations {
            activations.finish(world, end_ns)?;
            activations.inner_mut().periods.finish(world)?;
        }
        if let Some((_, stats)) = &mut self.findings {
            stats.finish(world, end_ns)?;
        }
        if let Some(load) = &mut self.load {
            load.finish(world, end_ns)?;
        }
        let recording = self.about.recording.as_str();
        self.states.1.finish((&mut self.states.0, recording), world, end_ns)?;
        self.waits.1.finish((&mut self.waits.0, recording), world, end_ns)?;
        self.interrupts.1.finish((&mut self.interrupts.0, recording), world, end_ns)?;
        let (table, open) = &mut self.markers;
        let mut open: Vec<_> = open.drain().collect();
        open.sort_by_key(|(marker, _)| marker.index());
        for (marker, spans) in open {
            for span in spans.into_iter().rev() {
                write_marker((table, recording), world, marker, (span, None, true))?;
            }
        }
        self.begin_ns = world.start_ns.or(self.begin_ns);
        self.end_ns = self.begin_ns.map(|begin| end_ns.max(begin));
        self.cores = world.cores.len();
        Ok(())
    }
}
