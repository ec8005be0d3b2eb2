//! Draws the tracks: levels as counters, states and slices as slices. The scheduling data of tasks and the preemption of a core
//! by interrupts are Perfetto's own (`tasks`, `interrupts.rs`): Perfetto computes states, wake-ups and CPU time from events of a
//! kernel's scheduler, which slices on tracks do not replace.

use std::borrow::Cow;
use std::io;

use super::events::{Arg, EventType, Link};
use super::memory::MAX_LEFT_OUT;
use super::trace::Trace;
use super::tracks::{DrawnTrack, TrackContent, Uuid};
use crate::diagnostics::Finding;
use crate::model::{
    Actor, Bits, CallChange, Caller, Flow, Outcome, Switch, TaskRef, printable_text,
};
use crate::number::Number;
use crate::tracks::{Event, Level, Now, Owner, SliceEnd, State, TaskStep, Text, Track, TrackSink};

/// The value of a counter that counts no less than nothing, where it is not known: a counter always needs a value.
const UNKNOWN: i64 = -1;

impl TrackSink for Trace {
    #[inline]
    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()> {
        let &TaskStep { task, from, to, waker, .. } = step;
        self.task_state(now.world, now.at(), task, (from, to), waker);
        Ok(())
    }

    #[inline]
    fn switch(&mut self, now: Now<'_>, switch: &Switch) -> io::Result<()> {
        self.switch_tasks(now.world, now.at(), switch);
        Ok(())
    }

    fn state_began(&mut self, _: Now<'_>, task: TaskRef, ns: i64) -> io::Result<()> {
        self.set_wait_start(task, ns);
        Ok(())
    }

    fn state(&mut self, now: Now<'_>, track: Track, state: State<'_>) -> io::Result<()> {
        self.draw_state(now, track, state);
        Ok(())
    }

    #[inline(always)]
    fn level(&mut self, now: Now<'_>, track: Track, level: Level) -> io::Result<()> {
        match (track, level.value) {
            (Track::Level(queue), Some(Number::Integer(value))) => {
                self.queue_level(now, queue, value);
            }
            _ => self.any_level(now, track, level),
        }
        Ok(())
    }

    #[inline(always)]
    fn begin(&mut self, now: Now<'_>, track: Track, slice: Event<'_>) -> io::Result<()> {
        match track {
            Track::Isr(_, isr) => self.isr_enters(now.world, now.at(), isr),
            _ => self.begin_slice(now, track, slice),
        }
        Ok(())
    }

    #[inline(always)]
    fn end(&mut self, now: Now<'_>, track: Track, _: SliceEnd) -> io::Result<()> {
        match track {
            Track::Isr(_, isr) => self.isr_exits(now.world, now.at(), isr),
            _ => {
                let uuid = self.drawn(now, track, TrackContent::Slices);
                self.packets.event(now.ns, EventType::SliceEnd, uuid, None);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn instant(&mut self, now: Now<'_>, track: Track, event: Event<'_>) -> io::Result<()> {
        let uuid = match (track, event.text) {
            (_, Text::Crash(crash)) => {
                self.crash(now, crash);
                return Ok(());
            }
            (_, Text::Trigger(trigger)) => {
                self.trigger(now, trigger);
                return Ok(());
            }
            (Track::Acts(Owner::Task(task)), _) => self.calls_track(now.world, task),
            (Track::Acts(Owner::EventGroup(group)), _) => {
                self.drawn(now, Track::Bits(group), TrackContent::Slices)
            }
            (Track::Acts(Owner::Timer(timer)), _) => {
                self.drawn(now, Track::Active(timer), TrackContent::Slices)
            }
            _ => self.drawn(now, track, TrackContent::Slices),
        };
        self.draw(now, (track, uuid), EventType::Instant, event);
        Ok(())
    }

    fn link(&mut self, _: Now<'_>, _: Track, _: Track) -> io::Result<()> {
        self.arrows.expiry = Some(self.next_flow());
        Ok(())
    }

    fn call(
        &mut self,
        now: Now<'_>,
        caller: Caller,
        function: u32,
        change: Option<CallChange>,
    ) -> io::Result<()> {
        self.call_changes(now.world, now.at(), (caller, function), change);
        Ok(())
    }

    fn wait_ended(&mut self, now: Now<'_>, task: TaskRef, outcome: Outcome) -> io::Result<()> {
        self.end_wait(now.world, now.at(), task, outcome);
        Ok(())
    }

    fn flow(&mut self, now: Now<'_>, flow: &Flow) -> io::Result<()> {
        self.arrow(now.world, flow);
        Ok(())
    }

    #[cold]
    fn finding(&mut self, now: Now<'_>, finding: &Finding<'_>) -> io::Result<()> {
        self.admit_finding(now.at(), finding);
        Ok(())
    }
}

impl Trace {
    #[inline(never)]
    fn draw_state(&mut self, now: Now<'_>, track: Track, state: State<'_>) {
        if let (Track::LeftOut(_), State::Is(_)) = (track, state) {
            if self.errors.left_out_slices >= MAX_LEFT_OUT {
                return;
            }
            self.errors.left_out_slices += 1;
        }
        let known = self.tracks.drawn(track);
        if known.is_open {
            self.end_state(now, (track, known.uuid), state);
        }
        if let Track::Holder(queue) = track {
            self.change_holder(now.world, queue, matches!(state, State::Is(_)));
        }
        let State::Is(text) = state else {
            if known.is_open {
                self.tracks.entry(track).is_open = false;
            }
            return;
        };
        let uuid = match text {
            Text::Callback(task) => self.callback_track(now.world, task),
            _ => self.drawn(now, track, TrackContent::Slices),
        };
        *self.tracks.entry(track) = DrawnTrack { uuid, is_open: true };
        self.draw(now, (track, uuid), EventType::SliceBegin, Event { text, by: None });
    }

    /// The slice of a state ends, with how it did.
    fn end_state(&mut self, now: Now<'_>, (track, uuid): (Track, Uuid), next: State<'_>) {
        let waiters;
        let (arg, link) = match (track, next) {
            (Track::Active(_), State::None(Some(why))) => {
                (Some(("end", Arg::Text(why))), self.arrows.expiry.map(Link::Begins))
            }
            (Track::Holder(queue), _) => {
                waiters = self.waiters_of(now.world, queue);
                (waiters.as_deref().map(|names| ("waiters", Arg::Text(names))), None)
            }
            _ => (None, None),
        };
        self.packets.event_with(now.ns, EventType::SliceEnd, uuid, None, arg.as_slice(), link);
    }

    #[inline(never)]
    fn begin_slice(&mut self, now: Now<'_>, track: Track, slice: Event<'_>) {
        let uuid = self.drawn(now, track, TrackContent::Slices);
        self.draw(now, (track, uuid), EventType::SliceBegin, slice);
    }

    #[inline(never)]
    fn any_level(&mut self, now: Now<'_>, track: Track, level: Level) {
        let value = match (track, level.value) {
            (Track::Bits(_), bits) => return self.bits(now, track, bits),
            (Track::Priority(task), Some(Number::Integer(priority)))
                if !self.is_priority_shown(now, task, priority) =>
            {
                return;
            }
            (_, Some(value)) => value,
            _ => {
                let uuid = match track {
                    Track::Level(queue) => self.queues.get(queue).map_or(0, |queue| queue.level),
                    _ => self.tracks.drawn(track).uuid,
                };
                if uuid != 0 {
                    let value = if level.has_ended { 0 } else { UNKNOWN };
                    self.packets.counter(now.ns, uuid, value);
                }
                return;
            }
        };
        let uuid = self.drawn(now, track, TrackContent::Counter);
        self.packets.number_counter(now.ns, uuid, value);
    }

    /// The bits of an event group are slices, which show each bit.
    fn bits(&mut self, now: Now<'_>, track: Track, bits: Option<Number>) {
        let uuid = self.drawn(now, track, TrackContent::Slices);
        let is_open = &mut self.tracks.entry(track).is_open;
        if std::mem::replace(is_open, bits.is_some()) {
            self.end_slice(now.ns, uuid, &[]);
        }
        if let Some(bits) = bits {
            let bits = bits.rounded().cast_unsigned();
            let arg = [("bits", Arg::Unsigned(bits))];
            self.slice(now.ns, uuid, &Bits(bits).to_string(), &arg);
        }
    }

    /// The priority of an idle task never changes, so it carries no information until it does.
    fn is_priority_shown(&mut self, now: Now<'_>, task: TaskRef, priority: i64) -> bool {
        let Now { world, ns, .. } = now;
        let track = Track::Priority(task);
        if self.tracks.drawn(track).uuid == 0
            && world.tasks.get(task).is_some_and(|task| task.idle_of.is_some())
        {
            let first = *self.task(world, task).only_priority.get_or_insert((ns, priority));
            if first.1 == priority {
                return false;
            }
        }
        if let Some((ns, priority)) = self.task(world, task).only_priority.take() {
            let uuid = self.drawn(now, track, TrackContent::Counter);
            self.packets.counter(ns, uuid, priority);
        }
        true
    }

    /// Writes a slice's begin or an instant, with its value if it has one.
    fn draw(
        &mut self,
        now: Now<'_>,
        (track, uuid): (Track, Uuid),
        kind: EventType,
        event: Event<'_>,
    ) {
        let Now { world, .. } = now;
        let by_task;
        let (mut arg, mut link) = (None, None);
        let name: Cow<'_, [u8]> = match event.text {
            Text::Message(text) if text.0.is_empty() => label(now, track),
            Text::Message(text) if text.0.iter().all(|byte| matches!(byte, b' '..=b'~')) => {
                text.0.into()
            }
            Text::Message(text) => printable_text(text).into_bytes().into(),
            Text::Task(task) => bytes(world.task_name(task).text()),
            Text::UnknownTask => b"held, not known by whom".into(),
            Text::Word(word) => {
                if let Track::Active(timer) = track {
                    let period = world.timers.get(timer).and_then(|timer| timer.period);
                    arg = period.map(|period| ("period_ticks", Arg::Number(period)));
                }
                word.as_bytes().into()
            }
            Text::Callback(_) => {
                if let Track::Callback(timer) = track {
                    let callback = world.timers.get(timer).and_then(|timer| timer.callback);
                    arg = callback.map(|callback| ("callback", Arg::Address(callback)));
                }
                link = self.arrows.expiry.take().map(Link::Ends);
                label(now, track)
            }
            Text::Act(act) => match (track.owner(), event.by) {
                (Owner::Queue(_) | Owner::StreamBuffer(_), Some(by)) => {
                    bytes(format!("{act} by {}", world.actor_name(by, now.core)).into())
                }
                _ => bytes(act.to_string().into()),
            },
            Text::Pended(function, accepted) => {
                arg = Some(("function", Arg::Address(function)));
                if accepted { b"call sent".into() } else { b"call refused".into() }
            }
            Text::Sleeps(ticks) => {
                arg = Some(("expected_ticks", Arg::Number(ticks)));
                b"sleep".into()
            }
            Text::MallocFailed(size) => {
                if let Some(task) = event.by.and_then(Actor::task) {
                    by_task = world.task_name(task).to_string();
                    arg = Some(("task", Arg::Text(&by_task)));
                }
                bytes(format!("malloc of {size} bytes failed").into())
            }
            // They have tracks of their own kind.
            Text::Isr(_) | Text::Crash(_) | Text::Trigger(_) => return,
        };
        let name = Some(self.packets.name(&name));
        match (arg, link) {
            (None, None) => self.packets.event(now.ns, kind, uuid, name),
            _ => self.packets.event_with(now.ns, kind, uuid, name, arg.as_slice(), link),
        }
    }

    /// Writes the begin of a slice with a generated name.
    pub(super) fn slice(&mut self, ns: i64, track: Uuid, name: &str, args: &[(&str, Arg<'_>)]) {
        let name = self.packets.name(name.as_bytes());
        self.packets.event_with(ns, EventType::SliceBegin, track, Some(name), args, None);
    }

    pub(super) fn end_slice(&mut self, ns: i64, track: Uuid, args: &[(&str, Arg<'_>)]) {
        self.packets.event_with(ns, EventType::SliceEnd, track, None, args, None);
    }
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// How the owner of a track is called.
fn label(now: Now<'_>, track: Track) -> Cow<'_, [u8]> {
    track.owner().label(now.world).map_or_else(Cow::default, |label| bytes(label.text()))
}
