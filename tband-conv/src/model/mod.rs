//! The known state of a target, and its reports; see `machine` for how events change it.

mod board;
mod change;
mod clocks;
mod crash;
mod crash_places;
mod flow;
mod generation;
mod label;
mod learn;
mod life;
mod names;
mod object;
mod object_change;
mod omission;
mod per;
mod receivers;
mod runs;
mod table;
mod timed_event;
mod trigger;
mod world;

pub(crate) use self::board::Boards;
pub use self::board::TraceInfo;
pub(crate) use self::change::Transition;
pub use self::change::{Change, EventTime, ForgottenState, Switch, Waker};
pub use self::clocks::{Clocks, OwnClock};
pub use self::crash::Crash;
pub use self::flow::{Act, Actor, End, Flow, Flows};
pub(crate) use self::generation::{AnyRef, Object};
pub(crate) use self::label::printable_text;
pub use self::label::{Label, describe_bits, is_control};
pub(crate) use self::learn::LearnResult;
pub use self::life::Life;
pub(crate) use self::object::WaitTerms;
pub use self::object::{
    EventGroup, EventGroupRef, Isr, IsrRef, Marker, MarkerKey, MarkerRef, Queue, QueueRef, Scope,
    StreamBuffer, StreamBufferRef, Task, TaskRef, TaskState, Timer, TimerRef, Wait,
};
pub use self::object_change::{
    Bits, BitsCause, BufferCause, CallChange, Caller, DormantCause, EventGroupChange, HeapChange,
    KernelChange, Outcome, PriorityCause, QueueCause, QueueChange, StreamBufferChange, TaskChange,
    TimerChange, function_name,
};
pub use self::omission::shed::ShedClass;
pub use self::omission::{Omission, OmissionTime};
pub use self::per::{PerCore, PerRef};
pub(crate) use self::per::{PerKey, Position};
pub use self::receivers::event_adapter::Events;
pub use self::receivers::event_sink::EventSink;
pub use self::receivers::own_machine::OwnMachine;
pub use self::receivers::sink::Sink;
pub(crate) use self::receivers::sink::is_sink;
pub use self::table::{Key, MAX_OBJECTS, Ref, Table};
pub use self::timed_event::TimedEvent;
pub use self::trigger::{FiringEvent, Trigger};
pub use self::world::World;
