//! The timeline: the state machine that computes it, and the model in which it is reported.
//!
//! A [`Timeline`] takes events in the order of time and reports every change to a [`Sink`], with the [`World`] at that time.

pub use crate::machine::Timeline;
pub use crate::model::{
    Act, Actor, Bits, BitsCause, BufferCause, CallChange, Caller, Change, Clocks, Crash,
    DormantCause, End, EventGroup, EventGroupChange, EventGroupRef, EventTime, FiringEvent, Flow,
    Flows, ForgottenState, HeapChange, Isr, IsrRef, KernelChange, Key, Label, Life, MAX_OBJECTS,
    Marker, MarkerKey, MarkerRef, Omission, OmissionTime, Outcome, OwnClock, PerCore, PerRef,
    PriorityCause, Queue, QueueCause, QueueChange, QueueRef, Ref, Scope, ShedClass, Sink,
    StreamBuffer, StreamBufferChange, StreamBufferRef, Switch, Table, Task, TaskChange, TaskRef,
    TaskState, Timer, TimerChange, TimerRef, TraceInfo, Trigger, Wait, Waker, World, describe_bits,
    function_name,
};
pub use crate::number::Number;
