//! Facts that metadata events report: names, kinds, roles.
//!
//! Metadata may come several times, because a restarted stream begins with it: known facts are not reported again. Another name
//! or kind may prove another object; see `generation.rs`.

use tband_format::registry::MAIN_PROGRAM;
use tband_format::{Event, Str};

use super::board::TraceInfo;
use super::generation::{AnyRef, Object};
use super::label::{is_name, printable_text};
use super::object::{MarkerKey, Scope, TaskRef};
use super::runs::recall_marker;
use super::table::Ref;
use super::world::World;
use crate::records::{ProgramId, build_of, is_identity};

/// Result of a metadata event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnResult {
    Nothing,
    /// A task that is known, but did not have this name, or was not known to be idle.
    Task(TaskRef),
    /// The number of an object is another's: that one must make place before this can be learnt.
    Another(AnyRef),
    /// The table for this is full.
    NoRoom,
}

/// Why something could not be learnt.
enum LearnError {
    NoRoom,
    Another(AnyRef),
}

impl World {
    /// Learns a metadata event in the first pass: known facts stay.
    pub(crate) fn learn_first(&mut self, core: u32, event: &Event<'_>) {
        let known = match *event {
            Event::TaskName { task_id, .. } => {
                self.tasks.find(task_id).and_then(|task| self.tasks.get(task)?.name.as_ref())
            }
            Event::QueueName { queue_id, .. } => {
                self.queues.find(queue_id).and_then(|queue| self.queues.get(queue)?.name.as_ref())
            }
            Event::StreamBufferName { stream_buffer_id: id, .. } => self
                .stream_buffers
                .find(id)
                .and_then(|buffer| self.stream_buffers.get(buffer)?.name.as_ref()),
            Event::EventGroupName { event_group_id: id, .. } => self
                .event_groups
                .find(id)
                .and_then(|group| self.event_groups.get(group)?.name.as_ref()),
            Event::TimerName { timer_id: id, .. } => {
                self.timers.find(id).and_then(|timer| self.timers.get(timer)?.name.as_ref())
            }
            // If there are several programs, the first one made the beginning of the recording.
            Event::BuildId { id } if is_identity(id.0) && self.identity.is_some() => return,
            Event::BuildId { id } if !is_identity(id.0) && self.build_id.is_some() => return,
            Event::Program { .. } if self.program.is_some() => return,
            Event::FormatsOf { .. } if self.recorded.id.is_some() => return,
            _ => None,
        };
        if known.is_none() {
            self.learn(core, 0, event);
        }
    }

    /// Learns a metadata event; `gap` is the number of gaps so far.
    pub(crate) fn learn(&mut self, core: u32, gap: u32, event: &Event<'_>) -> LearnResult {
        match self.try_learn(core, gap, event) {
            Ok(learnt) => learnt,
            Err(LearnError::NoRoom) => LearnResult::NoRoom,
            Err(LearnError::Another(known)) => LearnResult::Another(known),
        }
    }

    fn try_learn(
        &mut self,
        core: u32,
        gap: u32,
        event: &Event<'_>,
    ) -> Result<LearnResult, LearnError> {
        let starts = self.runs.starts;
        if is_naming(event) {
            self.runs.named = starts;
        }
        match *event {
            // The main program, not an interrupt.
            Event::IsrName { isr_id: MAIN_PROGRAM, name } => {
                set_name(self.main_name.get_or_insert_default(), name);
                self.main_named = starts;
            }
            Event::IsrName { isr_id, name } => {
                self.recall_isr(core, isr_id, name);
                let isr = self.isr(isr_id).ok_or(LearnError::NoRoom)?;
                let entry = self.isrs.get_mut(isr).ok_or(LearnError::NoRoom)?;
                entry.named = starts;
                let names = &mut entry.names;
                match names.iter_mut().find(|entry| entry.0 == core) {
                    Some(entry) => set_name(&mut entry.1, name),
                    None => names.push((core, printable_text(name))),
                }
            }
            Event::EvtmarkerName { evtmarker_id, name } => {
                self.name_marker((Scope::Global, evtmarker_id), name)?;
            }
            Event::ValmarkerName { valmarker_id, name } => {
                self.name_value((Scope::Global, valmarker_id), name)?;
            }
            Event::TaskEvtmarkerName { evtmarker_id, task_id, name } => {
                let task = self.task(task_id).ok_or(LearnError::NoRoom)?;
                self.name_marker((Scope::Task(task), evtmarker_id), name)?;
            }
            Event::TaskValmarkerName { valmarker_id, task_id, name } => {
                let task = self.task(task_id).ok_or(LearnError::NoRoom)?;
                self.name_value((Scope::Task(task), valmarker_id), name)?;
            }
            Event::TaskName { task_id, name } => {
                let task = self.task(task_id).ok_or(LearnError::NoRoom)?;
                // In any case a task keeps the name under which it was seen.
                if self.emit_name(task, None, |task| &mut task.name, name)? {
                    return Ok(LearnResult::Task(task));
                }
            }
            Event::TaskIsIdleTask { task_id, core_id } => {
                let task = self.task(task_id).ok_or(LearnError::NoRoom)?;
                let known = &mut self.tasks.get_mut(task).ok_or(LearnError::NoRoom)?.idle_of;
                if known.replace(core_id).is_none() {
                    return Ok(LearnResult::Task(task));
                }
            }
            Event::TaskIsTimerTask { task_id } => {
                let task = self.task(task_id).ok_or(LearnError::NoRoom)?;
                self.tasks.get_mut(task).ok_or(LearnError::NoRoom)?.is_timer = true;
            }
            Event::QueueName { queue_id, name } => {
                let queue = self.queue(queue_id).ok_or(LearnError::NoRoom)?;
                self.emit_name(queue, Some(gap), |queue| &mut queue.name, name)?;
            }
            Event::QueueKind { queue_id, kind } => {
                let queue = self.queue(queue_id).ok_or(LearnError::NoRoom)?;
                let entry = self.queues.get_mut(queue).ok_or(LearnError::NoRoom)?;
                if entry.life.used && entry.kind.is_some_and(|known| known != kind) {
                    return Err(LearnError::Another(AnyRef::Queue(queue)));
                }
                entry.kind = Some(kind);
            }
            Event::StreamBufferName { stream_buffer_id, name } => {
                let buffer = self.stream_buffer(stream_buffer_id).ok_or(LearnError::NoRoom)?;
                self.emit_name(buffer, Some(gap), |it| &mut it.name, name)?;
            }
            Event::StreamBufferKind { stream_buffer_id, kind } => {
                let buffer = self.stream_buffer(stream_buffer_id).ok_or(LearnError::NoRoom)?;
                let entry = self.stream_buffers.get_mut(buffer).ok_or(LearnError::NoRoom)?;
                if entry.life.used && entry.kind.is_some_and(|known| known != kind) {
                    return Err(LearnError::Another(AnyRef::StreamBuffer(buffer)));
                }
                entry.kind = Some(kind);
            }
            Event::StreamBufferInfo { stream_buffer_id, size, .. } => {
                let buffer = self.stream_buffer(stream_buffer_id).ok_or(LearnError::NoRoom)?;
                self.stream_buffers.get_mut(buffer).ok_or(LearnError::NoRoom)?.size = Some(size);
            }
            Event::TimerInfo { timer_id, period, auto_reload } => {
                let timer = self.timer(timer_id).ok_or(LearnError::NoRoom)?;
                let timer = self.timers.get_mut(timer).ok_or(LearnError::NoRoom)?;
                (timer.period, timer.auto_reload) = (Some(period), Some(auto_reload != 0));
            }
            Event::EventGroupName { event_group_id, name } => {
                let group = self.event_group(event_group_id).ok_or(LearnError::NoRoom)?;
                self.emit_name(group, Some(gap), |group| &mut group.name, name)?;
            }
            Event::TimerName { timer_id, name } => {
                let timer = self.timer(timer_id).ok_or(LearnError::NoRoom)?;
                self.emit_name(timer, Some(gap), |timer| &mut timer.name, name)?;
            }
            Event::TraceInfo {
                format_version,
                core_count,
                flags,
                kernel_version,
                tick_rate_hz,
            } => {
                self.trace_info = Some(TraceInfo {
                    format_version,
                    core_count,
                    flags,
                    // Unknown values may be reported as 0.
                    kernel_version: kernel_version.filter(|version| *version > 0),
                    tick_rate_hz: tick_rate_hz.filter(|hz| *hz > 0),
                });
            }
            Event::BuildId { id } => {
                let of = if is_identity(id.0) { &mut self.identity } else { &mut self.build_id };
                *of = Some(printable_text(id));
                self.compare_programs();
            }
            Event::Program { first, second } => {
                self.is_of_program(first, second);
            }
            Event::FormatsOf { first, second } => {
                let build = Some(build_of(first, second));
                self.recorded.id = Some(ProgramId { build, ..ProgramId::default() });
                self.compare_programs();
            }
            Event::CrashPlaces { pc, places } => {
                let lines = places.0.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
                self.crash_places.add(pc, lines.map(|line| printable_text(Str(line))).collect());
            }
            Event::Symbol { symbol_id, name } => {
                self.dictionary.add_symbol(symbol_id, &printable_text(name));
            }
            Event::Constant { constant_id, name } => {
                self.dictionary.add_constant(constant_id, &printable_text(name));
            }
            Event::Format { format_id, text } => self.recorded.formats.add(format_id, text.0),
            _ => {}
        }
        Ok(LearnResult::Nothing)
    }

    /// Names an object; returns whether the name is new. Another name of an object that had one belongs to another object,
    /// unless the old one was reported since this gap: then the object has two names.
    fn emit_name<T: Object>(
        &mut self,
        of: Ref<T>,
        gap: Option<u32>,
        name_of: impl FnOnce(&mut T) -> &mut Option<String>,
        name: Str<'_>,
    ) -> Result<bool, LearnError> {
        let starts = self.runs.starts;
        let object = T::table_mut(self).get_mut(of).ok_or(LearnError::NoRoom)?;
        let life = *object.life();
        object.life().gap = gap.unwrap_or(life.gap);
        let known = name_of(object);
        if known.as_deref().is_some_and(|known| is_name(known, name)) {
            object.life().named = starts;
            return Ok(false);
        }
        if life.used && gap != Some(life.gap) && known.is_some() {
            return Err(LearnError::Another(T::any(of)));
        }
        *known = Some(printable_text(name));
        object.life().named = starts;
        Ok(true)
    }

    fn name_marker(&mut self, key: MarkerKey, name: Str<'_>) -> Result<(), LearnError> {
        recall_marker(self.runs, &mut self.markers, key, name);
        let marker = self.marker(key).ok_or(LearnError::NoRoom)?;
        let entry = self.markers.get_mut(marker).ok_or(LearnError::NoRoom)?;
        set_name(entry.name.get_or_insert_default(), name);
        entry.named = self.runs.starts;
        Ok(())
    }

    fn name_value(&mut self, key: MarkerKey, name: Str<'_>) -> Result<(), LearnError> {
        recall_marker(self.runs, &mut self.values, key, name);
        let marker = self.value(key).ok_or(LearnError::NoRoom)?;
        let entry = self.values.get_mut(marker).ok_or(LearnError::NoRoom)?;
        set_name(entry.name.get_or_insert_default(), name);
        entry.named = self.runs.starts;
        Ok(())
    }
}

fn set_name(known: &mut String, name: Str<'_>) {
    if !is_name(known, name) {
        *known = printable_text(name);
    }
}

/// The event names an object that the recorder knows by a number.
const fn is_naming(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::TaskName { .. }
            | Event::QueueName { .. }
            | Event::StreamBufferName { .. }
            | Event::EventGroupName { .. }
            | Event::TimerName { .. }
            | Event::IsrName { .. }
            | Event::EvtmarkerName { .. }
            | Event::ValmarkerName { .. }
    )
}
