//! What metadata events tell: names, kinds, roles.
//!
//! Metadata may come several times, since a stream that is restarted begins with it: what is known
//! already is no news.

use tband_format::{Event, Str};

use super::table::Table;
use super::world::{Marker, MarkerKey, Scope, TaskRef, TraceInfo, World};

/// What a metadata event told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learnt {
    Nothing,
    /// A task that is known, but did not have this name, or was not known to be idle.
    Task(TaskRef),
    /// The table for this is full.
    NoRoom,
}

impl World {
    /// Takes a metadata event in, for the first pass: what is known already stays.
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
            _ => None,
        };
        if known.is_none() {
            self.learn(core, event);
        }
    }

    /// Takes a metadata event in.
    pub(super) fn learn(&mut self, core: u32, event: &Event<'_>) -> Learnt {
        self.try_learn(core, event).unwrap_or(Learnt::NoRoom)
    }

    fn try_learn(&mut self, core: u32, event: &Event<'_>) -> Option<Learnt> {
        match *event {
            Event::IsrName { isr_id, name } => {
                let isr = self.isr(isr_id)?;
                let names = &mut self.isrs.get_mut(isr)?.names;
                match names.iter_mut().find(|entry| entry.0 == core) {
                    Some(entry) => set_name(&mut entry.1, name),
                    None => names.push((core, shown(name))),
                }
            }
            Event::EvtmarkerName { evtmarker_id, name } => {
                name_marker(&mut self.markers, (Scope::Global, evtmarker_id), name)?;
            }
            Event::ValmarkerName { valmarker_id, name } => {
                name_marker(&mut self.values, (Scope::Global, valmarker_id), name)?;
            }
            Event::TaskEvtmarkerName { evtmarker_id, task_id, name } => {
                name_marker(&mut self.markers, (Scope::Task(task_id), evtmarker_id), name)?;
            }
            Event::TaskValmarkerName { valmarker_id, task_id, name } => {
                name_marker(&mut self.values, (Scope::Task(task_id), valmarker_id), name)?;
            }
            Event::TaskName { task_id, name } => {
                let task = self.task(task_id)?;
                let known = &mut self.tasks.get_mut(task)?.name;
                if !known.as_deref().is_some_and(|known| is_name(known, name)) {
                    *known = Some(shown(name));
                    return Some(Learnt::Task(task));
                }
            }
            Event::TaskIsIdleTask { task_id, core_id } => {
                let task = self.task(task_id)?;
                let known = &mut self.tasks.get_mut(task)?.idle_of;
                if known.replace(core_id).is_none() {
                    return Some(Learnt::Task(task));
                }
            }
            Event::TaskIsTimerTask { task_id } => {
                let task = self.task(task_id)?;
                self.tasks.get_mut(task)?.is_timer = true;
            }
            Event::QueueName { queue_id, name } => {
                let queue = self.queue(queue_id)?;
                self.queues.get_mut(queue)?.name = Some(shown(name));
            }
            Event::QueueKind { queue_id, kind } => {
                let queue = self.queue(queue_id)?;
                let entry = self.queues.get_mut(queue)?;
                (entry.kind, entry.has_level_only) = (Some(kind), false);
            }
            Event::StreamBufferName { stream_buffer_id, name } => {
                let buffer = self.stream_buffer(stream_buffer_id)?;
                self.stream_buffers.get_mut(buffer)?.name = Some(shown(name));
            }
            Event::StreamBufferKind { stream_buffer_id, kind } => {
                let buffer = self.stream_buffer(stream_buffer_id)?;
                self.stream_buffers.get_mut(buffer)?.kind = Some(kind);
            }
            Event::EventGroupName { event_group_id, name } => {
                let group = self.event_group(event_group_id)?;
                self.event_groups.get_mut(group)?.name = Some(shown(name));
            }
            Event::TimerName { timer_id, name } => {
                let timer = self.timer(timer_id)?;
                self.timers.get_mut(timer)?.name = Some(shown(name));
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
                    kernel_version,
                    tick_rate_hz,
                });
            }
            Event::BuildId { id } => self.build_id = Some(shown(id)),
            _ => {}
        }
        Some(Learnt::Nothing)
    }
}

fn name_marker(table: &mut Table<MarkerKey, Marker>, key: MarkerKey, name: Str<'_>) -> Option<()> {
    let marker = World::marker(table, key)?;
    set_name(table.get_mut(marker)?.name.get_or_insert_default(), name);
    Some(())
}

fn set_name(known: &mut String, name: Str<'_>) {
    if !is_name(known, name) {
        *known = shown(name);
    }
}

/// Bytes of a name that are kept. Longer ones are damage, and many of them would take much memory.
const MAX_NAME: usize = 500;

/// A text of the target as it is shown anywhere: it must not steer the terminal, nor end a line.
fn shown(text: Str<'_>) -> String {
    let mut text = match text.0.get(..MAX_NAME) {
        Some(head) if text.0.len() > MAX_NAME => format!("{}…", Str(head)),
        _ => text.to_string(),
    };
    if text.contains(char::is_control) {
        text = text.replace(char::is_control, "\u{FFFD}");
    }
    text
}

fn is_name(known: &str, name: Str<'_>) -> bool {
    known.as_bytes() == name.0 || known == shown(name)
}
