//! What happened: the machine that finds it out, and the model in which it is reported.
//!
//! A [`Timeline`] takes events in the order of time and reports every change to a [`Sink`], with the
//! [`World`] as it is then.

pub use crate::machine::Timeline;
pub use crate::model::{
    Act, Actor, At, Bits, BitsCause, BufferCause, CallChange, Caller, Change, Clocks, Crash,
    DormantCause, End, EventGroup, EventGroupChange, EventGroupRef, FiredAt, Flow, Flows,
    Forgotten, HeapChange, Isr, IsrRef, KernelChange, Key, Label, LeftOut, LeftOutTime, Life,
    MAX_OBJECTS, Marker, MarkerKey, MarkerRef, Outcome, OwnClock, PerCore, PerRef, PriorityCause,
    Queue, QueueCause, QueueChange, QueueRef, Ref, Scope, ShedClass, Sink, StreamBuffer,
    StreamBufferChange, StreamBufferRef, Switch, Table, Task, TaskChange, TaskRef, TaskState,
    Timer, TimerChange, TimerRef, TraceInfo, Trigger, Wait, Waker, World, describe_bits,
    function_name,
};
pub use crate::number::Number;
