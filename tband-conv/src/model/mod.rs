//! What is known of a target, and what is reported about it: no more than that, see `machine` for how events change it.

mod board;
mod change;
mod clocks;
mod crash;
mod crash_places;
mod event_sink;
mod flow;
mod generation;
mod label;
mod learn;
mod left_out;
mod life;
mod names;
mod object;
mod object_change;
mod per;
mod runs;
mod sink;
mod table;
mod timed_event;
mod trigger;
mod world;

pub(crate) use self::board::Boards;
pub use self::board::TraceInfo;
pub use self::change::{At, Change, Forgotten, Switch, Waker};
pub use self::clocks::{Clocks, OwnClock};
pub use self::crash::Crash;
pub use self::event_sink::{EventSink, Events};
pub use self::flow::{Act, Actor, End, Flow, Flows};
pub(crate) use self::generation::{AnyRef, Object};
pub(crate) use self::label::shown;
pub use self::label::{Label, describe_bits, steers};
pub(crate) use self::learn::Learnt;
pub use self::left_out::{LeftOut, LeftOutTime, ShedClass};
pub use self::life::Life;
pub(crate) use self::object::Terms;
pub use self::object::{
    EventGroup, EventGroupRef, Isr, IsrRef, Marker, MarkerKey, MarkerRef, Queue, QueueRef, Scope,
    StreamBuffer, StreamBufferRef, Task, TaskRef, TaskState, Timer, TimerRef, Wait,
};
pub use self::object_change::{
    Bits, BitsCause, BufferCause, CallChange, Caller, DormantCause, EventGroupChange, HeapChange,
    KernelChange, Outcome, PriorityCause, QueueCause, QueueChange, StreamBufferChange, TaskChange,
    TimerChange, function_name,
};
pub(crate) use self::per::{Per, Position};
pub use self::per::{PerCore, PerRef};
pub use self::sink::Sink;
pub(crate) use self::sink::is_sink;
pub use self::table::{Key, MAX_OBJECTS, Ref, Table};
pub use self::timed_event::TimedEvent;
pub use self::trigger::{FiredAt, Trigger};
pub use self::world::World;
