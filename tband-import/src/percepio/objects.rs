//! The objects of handles: kinds and names, which may come before or after a handle is used.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::named::{QueueKind, StreamBufferKind};
use tband_format::{Event, Str};

use super::words::low;
use crate::output::Output;

/// Objects that are kept.
const MAX_OBJECTS: usize = 64 * 1024;
/// Lower values are not addresses: the recorder's substitute for the program before the kernel runs, and null.
const FIRST_HANDLE: u64 = 0x100;

/// The kind of the object that a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleKind {
    Task,
    /// A queue or a semaphore; which one, if that is known.
    Queue(Option<QueueKind>),
    Timer,
    Group,
    Buffer(StreamBufferKind),
    Isr,
    /// An event marker: a channel of user events, of intervals, a state machine, a runnable.
    Marker,
    /// A value marker: a counter.
    Value,
}

#[derive(Clone, Debug, Default)]
struct Object {
    kind: Option<HandleKind>,
    name: Option<Box<str>>,
    /// The name came after the object was last used: it may be that of an object that is about to be created.
    is_name_new: bool,
    /// State in the table: of a task its priority.
    state: Option<u32>,
}

/// The objects of a recording.
#[derive(Debug)]
pub struct Objects {
    first_core: u32,
    known: HashMap<u32, Object, FixedState>,
    /// Numbers of handles of 64 bits whose lower halves are those of other handles.
    wide: HashMap<u64, u32, FixedState>,
    lower: HashMap<u32, u64, FixedState>,
    fresh: u32,
}

impl Objects {
    pub fn new(first_core: u32) -> Self {
        Self {
            first_core,
            known: HashMap::default(),
            wide: HashMap::default(),
            lower: HashMap::default(),
            fresh: 0,
        }
    }

    /// The number of a handle, if it is one.
    #[inline]
    pub fn number(&mut self, handle: u64) -> Option<u32> {
        if handle < FIRST_HANDLE {
            return None;
        }
        if handle < u32::MAX.into() && self.lower.is_empty() {
            return Some(low(handle));
        }
        self.wide_number(handle)
    }

    #[cold]
    fn wide_number(&mut self, handle: u64) -> Option<u32> {
        if let Some(number) = self.wide.get(&handle) {
            return Some(*number);
        }
        if self.wide.len() >= MAX_OBJECTS {
            return Some(low(handle));
        }
        let mut number = low(handle);
        while number == u32::MAX
            || u64::from(number) < FIRST_HANDLE
            || self.lower.get(&number).is_some_and(|other| *other != handle)
        {
            number = self.fresh_number();
        }
        self.lower.insert(number, handle);
        self.wide.insert(handle, number);
        Some(number)
    }

    /// A number that no handle has.
    pub fn fresh_number(&mut self) -> u32 {
        loop {
            // The top of the address space, which no RAM has.
            self.fresh = self.fresh.wrapping_add(1) & 0x00FF_FFFF;
            let number = 0xFE00_0000 | self.fresh;
            if !self.known.contains_key(&number) && !self.lower.contains_key(&number) {
                return number;
            }
        }
    }

    fn object(&mut self, number: u32) -> Option<&mut Object> {
        if self.known.len() >= MAX_OBJECTS && !self.known.contains_key(&number) {
            return None;
        }
        Some(self.known.entry(number).or_default())
    }

    /// The name of an object.
    pub fn name_of(&self, number: u32) -> Option<&str> {
        self.known.get(&number)?.name.as_deref()
    }

    /// The kind of an object.
    pub fn kind_of(&self, number: u32) -> Option<HandleKind> {
        self.known.get(&number)?.kind
    }

    /// State in the table, of an interrupt its priority.
    pub fn state_of(&self, number: u32) -> Option<u32> {
        self.known.get(&number)?.state
    }

    pub fn set_state(&mut self, number: u32, state: Option<u32>) {
        if let Some(object) = self.object(number) {
            object.state = state;
        }
    }

    /// An object has a name.
    pub fn name(&mut self, core: u32, number: u32, name: &[u8], out: &mut Output) {
        let name = String::from_utf8_lossy(name);
        let first_core = self.first_core;
        let Some(object) = self.object(number) else { return };
        if name.is_empty() || object.name.as_deref() == Some(&*name) {
            object.is_name_new = !name.is_empty();
            return;
        }
        object.name = Some(name.as_ref().into());
        object.is_name_new = true;
        if let Some(kind) = object.kind {
            emit_name((core, first_core), number, kind, &name, out);
        }
    }

    /// An object is used as one of this kind. Its name and kind are emitted the first time.
    #[inline]
    pub fn is(&mut self, core: u32, number: u32, kind: HandleKind, out: &mut Output) {
        match self.known.get_mut(&number) {
            Some(object) if object.kind == Some(kind) => object.is_name_new = false,
            _ => self.learn(core, number, kind, out),
        }
    }

    #[cold]
    fn learn(&mut self, core: u32, number: u32, kind: HandleKind, out: &mut Output) {
        let first_core = self.first_core;
        let Some(object) = self.object(number) else { return };
        object.is_name_new = false;
        // The creation of a semaphore reports more than its use.
        let is_known = matches!(
            (object.kind, kind),
            (Some(HandleKind::Queue(Some(_))), HandleKind::Queue(None))
        );
        if is_known {
            return;
        }
        object.kind = Some(kind);
        if let Some(name) = &object.name {
            emit_name((core, first_core), number, kind, name, out);
        }
        match kind {
            HandleKind::Queue(Some(kind)) => {
                out.metadata(core, &Event::QueueKind { queue_id: number, kind });
            }
            HandleKind::Buffer(kind) => {
                out.metadata(core, &Event::StreamBufferKind { stream_buffer_id: number, kind });
            }
            HandleKind::Task => {
                if let Some(priority) = object.state.take() {
                    out.metadata(core, &Event::TaskBasePriority { task_id: number, priority });
                }
            }
            _ => {}
        }
    }

    /// An object is created: whatever had its handle is gone.
    pub fn create(&mut self, number: u32) {
        let Some(object) = self.object(number) else { return };
        let name = object.name.take().filter(|_| object.is_name_new);
        *object = Object { name, is_name_new: true, ..Object::default() };
    }

    /// An object is gone.
    pub fn forget(&mut self, number: u32) {
        self.known.remove(&number);
    }

    /// All objects may be others.
    pub fn forget_all(&mut self) {
        self.known.clear();
        self.wide.clear();
        self.lower.clear();
    }
}

fn emit_name(
    (core, first_core): (u32, u32),
    number: u32,
    kind: HandleKind,
    name: &str,
    out: &mut Output,
) {
    let text = Str(name.as_bytes());
    let event = match kind {
        HandleKind::Task => Event::TaskName { task_id: number, name: text },
        HandleKind::Queue(_) => Event::QueueName { queue_id: number, name: text },
        HandleKind::Timer => Event::TimerName { timer_id: number, name: text },
        HandleKind::Group => Event::EventGroupName { event_group_id: number, name: text },
        HandleKind::Buffer(_) => Event::StreamBufferName { stream_buffer_id: number, name: text },
        HandleKind::Isr => Event::IsrName { isr_id: number, name: text },
        HandleKind::Marker => Event::EvtmarkerName { evtmarker_id: number, name: text },
        HandleKind::Value => Event::ValmarkerName { valmarker_id: number, name: text },
    };
    out.metadata(core, &event);
    if kind == HandleKind::Task
        && let Some(of_core) = idle_of(name)
    {
        out.metadata(
            core,
            &Event::TaskIsIdleTask { task_id: number, core_id: first_core + of_core },
        );
    }
}

/// The core whose idle task has this name: the kernel calls it IDLE, and with several cores IDLE0, IDLE1 and so on.
fn idle_of(name: &str) -> Option<u32> {
    match name.strip_prefix("IDLE")? {
        "" => Some(0),
        number => number.parse().ok().filter(|core| *core < super::header::MAX_CORES),
    }
}
