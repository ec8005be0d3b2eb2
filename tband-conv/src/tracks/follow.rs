//! Turns state changes into calls of a track sink: one arm a kind of object.

use std::io;

use super::track::Track;
use super::track_sink::{Event, Level, Now, SliceEnd, State, TaskStep, Text, TrackSink};
use super::{kernel, markers, objects, queues, tasks};
use crate::model::{Change, EventTime, ForgottenState, Switch, TaskState, World};

/// Passes a state change on to the tracks of a sink. The frequent kinds are apart from all others, which take more registers
/// and stack.
///
/// # Errors
/// If the output cannot be written.
#[inline(always)]
pub fn follow(
    sink: &mut impl TrackSink,
    world: &World,
    at: EventTime,
    change: &Change<'_>,
) -> io::Result<()> {
    let now = Now { world, ns: at.ns, core: at.core };
    match *change {
        Change::IsrEnter(isr) => {
            sink.begin(now, Track::Isr(at.core, isr), Event { text: Text::Isr(isr), by: None })
        }
        Change::IsrExit(isr) => sink.end(now, Track::Isr(at.core, isr), SliceEnd::Recorded),
        Change::TaskState { task, from, to, waker } => {
            let leaves = sink.running().and_then(|running| running.step(task, from, to));
            sink.task(now, &TaskStep { task, from, to, waker, leaves })?;
            if to == TaskState::Deleted { tasks::deleted(sink, now, task) } else { Ok(()) }
        }
        Change::QueueLevel { queue, level, cause, by } => {
            sink.level(now, Track::Level(queue), Level::new(level, cause.name(), by))
        }
        Change::WaitEnded { task, outcome, .. } => sink.wait_ended(now, task, outcome),
        Change::Flow(flow) if !flow.is_to_itself() => sink.flow(now, flow),
        _ => rare(sink, now, change),
    }
}

/// Passes a switch of a core between two tasks on to the tracks of a sink.
///
/// # Errors
/// If the output cannot be written.
#[inline]
pub fn follow_switch(
    sink: &mut impl TrackSink,
    world: &World,
    at: EventTime,
    switch: &Switch,
) -> io::Result<()> {
    if let Some(running) = sink.running() {
        running.set(at.core, switch.next);
    }
    sink.switch(Now { world, ns: at.ns, core: at.core }, switch)
}

#[inline(never)]
fn rare(sink: &mut impl TrackSink, now: Now<'_>, change: &Change<'_>) -> io::Result<()> {
    match *change {
        Change::Priority { task, priority, cause, by, .. } => {
            sink.level(now, Track::Priority(task), Level::new(priority, cause.name(), by))
        }
        Change::Task(task, change, by) => tasks::change(sink, now, task, change, by),
        Change::Queue(queue, change, by) => queues::change(sink, now, queue, change, by),
        Change::MutexTaken(queue, holder) => {
            let holder = holder.map_or(Text::UnknownTask, Text::Task);
            sink.state(now, Track::Holder(queue), State::Is(holder))
        }
        Change::MutexGiven(queue, _) => queues::given(sink, now, queue),
        Change::StreamBuffer(buffer, change, by) => {
            objects::stream_buffer(sink, now, buffer, change, by)
        }
        Change::EventGroup(group, change, by) => objects::event_group(sink, now, group, change, by),
        Change::Timer(timer, change, by) => objects::timer(sink, now, timer, change, by),
        Change::Kernel(change, by) => kernel::change(sink, now, change, by),
        Change::Forgotten(forgotten) => self::forgotten(sink, now, forgotten),
        Change::LeftOut(what, begins) => {
            let state =
                if begins { State::Is(Text::Word("not recorded")) } else { State::None(None) };
            sink.state(now, Track::LeftOut(what), state)
        }
        Change::Shed { class, total, .. } => {
            let total = i64::try_from(total).unwrap_or(i64::MAX);
            sink.level(now, Track::Shed(class), Level::new(total, "shed", None))
        }
        Change::Call(caller, function, change) => sink.call(now, caller, function, Some(change)),
        Change::Crash(crash) => {
            sink.instant(now, Track::Crash, Event { text: Text::Crash(crash), by: None })
        }
        Change::Trigger(trigger) => {
            sink.instant(now, Track::Triggers, Event { text: Text::Trigger(trigger), by: None })
        }
        Change::Finding(finding) => sink.finding(now, finding),
        _ => markers::change(sink, now, change),
    }
}

/// State that is unknown from now on.
fn forgotten(sink: &mut impl TrackSink, now: Now<'_>, forgotten: ForgottenState) -> io::Result<()> {
    let level = match forgotten {
        ForgottenState::Core => return sink.gap(now),
        ForgottenState::Isr(isr) => {
            return sink.end(now, Track::Isr(now.core, isr), SliceEnd::Unknown);
        }
        ForgottenState::Span(marker) => {
            return sink.end(now, Track::Marker(marker), SliceEnd::Unknown);
        }
        ForgottenState::Timer(timer) => {
            return sink.state(now, Track::Active(timer), State::Unknown);
        }
        ForgottenState::Callback(timer, _) => {
            return sink.state(now, Track::Callback(timer), State::Unknown);
        }
        ForgottenState::Sleep => return sink.state(now, Track::Sleep(now.core), State::Unknown),
        ForgottenState::Holder(queue) => {
            sink.state(now, Track::Holder(queue), State::Unknown)?;
            Track::Depth(queue)
        }
        ForgottenState::Level(queue) => Track::Level(queue),
        ForgottenState::Priority(task) => Track::Priority(task),
        ForgottenState::StreamBuffer(buffer) => Track::Bytes(buffer),
        ForgottenState::EventGroup(group) => Track::Bits(group),
        ForgottenState::Call(caller, function) => return sink.call(now, caller, function, None),
    };
    sink.level(now, level, Level::UNKNOWN)
}
